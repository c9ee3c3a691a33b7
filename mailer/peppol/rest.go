package peppol

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"strconv"

	"purr/mailer"
	"purr/mailer/rest"
)

// REST is an access point's own REST interface, as the operator's template describes it (rule S4c).
type REST struct {
	service   *rest.Service
	enveloped bool
}

// NewREST returns the channel to the interface.
func NewREST(service *rest.Service, enveloped bool) *REST { return &REST{service, enveloped} }

// HandOver sends the document. Another attempt sends the same texts, so that an access point that keeps instance IDs
// recognises it.
func (r *REST) HandOver(ctx context.Context, p mailer.Parcel) (mailer.Answer, error) {
	document, err := content(p, r.enveloped)
	if err != nil {
		return mailer.Answer{}, err
	}
	if err := p.Leave(); err != nil {
		return mailer.Answer{}, err
	}
	receipt, err := r.service.Send(ctx, words(p, document))
	if err != nil {
		return mailer.Answer{}, err
	}
	return mailer.Answer{Receipt: receipt}, nil
}

// Check returns nil if the provider answers.
func (r *REST) Check(ctx context.Context) error { return r.service.Check(ctx) }

// words returns what a template may ask for. Identifiers are without their schemes.
func words(p mailer.Parcel, document []byte) rest.Words {
	sum, t, to := sha256.Sum256(document), TypeOf(p.DocumentKind), p.Recipient
	return rest.Words{
		"name": p.Name, "id": strconv.FormatInt(p.ShipmentID, 10), "instance_id": p.InstanceID,
		"document_number": strconv.FormatInt(p.DocumentNumber, 10), "creditor": p.EHF.Sender, "sha256": hex.EncodeToString(sum[:]),
		"pdf_base64": base64.StdEncoding.EncodeToString(p.PDF), "document_base64": base64.StdEncoding.EncodeToString(document),
		"document_type": t.ID, "process": t.Process, "sender": Participant(p.EHF.Sender), "receiver": Participant(to.OrganisationNumber),
		"name1": to.Name1, "name2": to.Name2, "address1": to.Address1, "address2": to.Address2, "postal_code": to.PostalCode,
		"postal_name": to.PostalName, "country_code": to.CountryCode, "email": to.Email,
	}
}
