// Package letters brings letters to those who print them: a printer by IPP, a print house by its REST interface, or a print
// shop as batches of files by SFTP (rule S4). It knows nothing of the database or the queue. By the kind of an error its
// callers decide when to try again, as with the channels of package mailer.
package letters

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"strconv"

	"purr/documents/pdf"
	"purr/mailer"
	"purr/mailer/rest"
)

// PrintHouse hands letters to the REST interface of a print house (rule S4c).
type PrintHouse struct{ service *rest.Service }

// NewPrintHouse returns the channel of the interface. It does not connect.
func NewPrintHouse(s *rest.Service) *PrintHouse { return &PrintHouse{s} }

// HandOver sends a letter. The same letter makes the same request, whatever the attempt.
func (c *PrintHouse) HandOver(ctx context.Context, p mailer.Parcel) (mailer.Answer, error) {
	words := Words(p)
	if err := p.Leave(); err != nil {
		return mailer.Answer{}, err
	}
	receipt, err := c.service.Send(ctx, words)
	if err != nil {
		return mailer.Answer{}, err
	}
	return mailer.Answer{Receipt: receipt}, nil
}

// Words returns what a template may ask for of a letter.
func Words(p mailer.Parcel) rest.Words {
	r := p.Recipient
	return rest.Words{
		"name": p.Name, "id": strconv.FormatInt(p.ShipmentID, 10), "instance_id": p.InstanceID,
		"document_number": strconv.FormatInt(p.DocumentNumber, 10), "creditor": p.Creditor, "sender": p.Creditor, "receiver": r.OrganisationNumber,
		"sha256": sum(p.PDF), "pages": strconv.Itoa(pdf.Pages(p.PDF)), "pdf_base64": base64.StdEncoding.EncodeToString(p.PDF),
		"name1": r.Name1, "name2": r.Name2, "address1": r.Address1, "address2": r.Address2,
		"postal_code": r.PostalCode, "postal_name": r.PostalName, "country_code": r.CountryCode, "email": r.Email,
	}
}

// sum returns the SHA-256 of a file in hexadecimal digits.
func sum(content []byte) string {
	s := sha256.Sum256(content)
	return hex.EncodeToString(s[:])
}

// Check returns nil if the print house's server answers.
func (c *PrintHouse) Check(ctx context.Context) error { return c.service.Check(ctx) }
