// Package efaktura hands invoices to an operator of eFaktura, who brings them into the recipient's bank (rule E20). The operator's REST
// interface is described by a template of whoever runs purr: see docs/efaktura.md. The package knows nothing of the database or the
// queue, and looks no recipient up: the operator's answer tells whether it has one.
//
// Begin reading at Operator.
package efaktura

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"strconv"

	"purr/documents/pdf"
	"purr/mailer"
	"purr/mailer/rest"
)

// Form is what the template of an operator may hold besides what all may.
var Form = rest.Form{Asks: true, Words: map[string]string{
	"kid": "", "account": "", "amount": "1.00", "amount_ore": "100", "due_date": "2026-12-24", "phone": "", "avtalegiro": "true",
}}

// Operator hands invoices to the REST interface of an operator.
type Operator struct{ service *rest.Service }

// New returns the channel of the interface: one that is asked what became of an invoice, if its template says how. It does not connect.
func New(s *rest.Service) mailer.Channel {
	if o := (Operator{s}); !s.CanBeAsked() {
		return o
	}
	return asked{Operator{s}}
}

// HandOver sends an invoice. The same invoice makes the same request, whatever the attempt. What the operator has accepted is sent, or
// pending if the operator can be asked.
func (o Operator) HandOver(ctx context.Context, p mailer.Parcel) (mailer.Answer, error) {
	words := Words(p)
	if err := p.Leave(); err != nil {
		return mailer.Answer{}, err
	}
	receipt, err := o.service.Send(ctx, words)
	if err != nil {
		return mailer.Answer{}, err
	}
	return mailer.Answer{Receipt: receipt, Pending: o.service.CanBeAsked()}, nil
}

// Check returns nil if the operator answers.
func (o Operator) Check(ctx context.Context) error { return o.service.Check(ctx) }

// asked is an operator that can be asked.
type asked struct{ Operator }

// Ask asks the operator for the invoice with the instance ID (see mailer.Asker).
func (o asked) Ask(ctx context.Context, p mailer.Parcel) (mailer.Answer, error) {
	sent, receipt, err := o.service.Ask(ctx, Words(p))
	if err != nil {
		return mailer.Answer{}, err
	}
	return mailer.Answer{Receipt: cmp.Or(p.Receipt, receipt, p.InstanceID), Pending: !sent}, nil
}

// Words returns what a template may ask for of an invoice. The amount is in kroner, amount_ore in øre, the day as 2026-12-24; avtalegiro
// is true or false.
func Words(p mailer.Parcel) rest.Words {
	r, sum := p.Recipient, sha256.Sum256(p.PDF)
	return rest.Words{
		"name": p.Name, "id": strconv.FormatInt(p.ShipmentID, 10), "instance_id": p.InstanceID,
		"document_number": strconv.FormatInt(p.DocumentNumber, 10), "creditor": p.Creditor, "sender": p.Creditor, "receiver": r.OrganisationNumber,
		"sha256": hex.EncodeToString(sum[:]), "pages": strconv.Itoa(pdf.Pages(p.PDF)), "pdf_base64": base64.StdEncoding.EncodeToString(p.PDF),
		"name1": r.Name1, "name2": r.Name2, "address1": r.Address1, "address2": r.Address2, "postal_code": r.PostalCode,
		"postal_name": r.PostalName, "country_code": r.CountryCode, "email": r.Email, "phone": r.Phone,
		"kid": p.EFaktura.KID, "account": p.EFaktura.Account, "amount": p.EFaktura.Amount.String(),
		"amount_ore": strconv.FormatInt(int64(p.EFaktura.Amount), 10), "due_date": p.EFaktura.DueDate.String(), "avtalegiro": strconv.FormatBool(p.EFaktura.AvtaleGiro),
	}
}
