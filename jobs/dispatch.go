package jobs

import (
	"context"
	"fmt"
	"net/mail"

	"purr/mailer"
	"purr/models"
)

// noSender stands for the address of a creditor who has none yet. It takes no answers: RFC 2606 reserves
// the domain.
const noSender = "no-reply@purr.invalid"

// dispatch gives a shipment to its channel. It returns nil once the channel has accepted it.
func (w *Worker) dispatch(ctx context.Context, s models.Shipment, pdf []byte) error {
	cover, language, err := w.cover(ctx, s)
	if err != nil {
		return err
	}
	id := mailer.ShipmentID(s, cover.Number)
	if s.Method == models.ByPaper {
		return w.Letters.SendLetter(ctx, mailer.Letter{ID: id, PDF: pdf})
	}
	creditor, err := w.DB.Creditor(ctx, s.CreditorID)
	if err != nil {
		return err
	}
	if creditor.Email == "" {
		creditor.Email = noSender
	}
	cover.Creditor = creditor.Name
	text, err := cover.Text(language)
	if err != nil {
		return err
	}
	return w.Email.SendEmail(ctx, mailer.Email{
		ID: id, From: mail.Address{Name: creditor.Name, Address: creditor.Email}, To: s.Recipient.Email,
		Subject: text.Subject, Text: text.Body, AttachmentName: text.FileName, Attachment: pdf, Date: s.CreatedAt,
	})
}

// cover returns what the e-mail around a shipment's document says, and the customer's language. A notice has only its
// number: notices go on paper (rule D30), and a letter has no cover.
func (w *Worker) cover(ctx context.Context, s models.Shipment) (c mailer.Cover, language string, err error) {
	c = mailer.Cover{Kind: s.DocumentKind, Copy: s.Copy}
	invoiceID := s.DocumentID
	switch s.DocumentKind {
	case models.InvoiceDocument:
	case models.CreditNoteDocument:
		n, err := w.DB.CreditNote(ctx, s.CreditorID, s.DocumentID)
		if err != nil {
			return c, "", err
		}
		invoiceID, c.Customer, c.Number, c.Amount = n.InvoiceID, n.Recipient.Name1, n.Number, n.Gross
	case models.NoticeDocument:
		n, err := w.DB.Notice(ctx, s.CreditorID, s.DocumentID)
		if err != nil {
			return c, "", err
		}
		invoiceID = n.InvoiceID
	default:
		return c, "", fmt.Errorf("shipment %d is of an unknown kind of document, %q", s.ID, s.DocumentKind)
	}
	i, err := w.DB.Invoice(ctx, s.CreditorID, invoiceID)
	if err != nil {
		return c, "", err
	}
	switch s.DocumentKind {
	case models.InvoiceDocument:
		c.Customer, c.Number, c.Amount, c.DueDate, c.BankAccount, c.KID = i.Recipient.Name1, i.Number, i.Gross, i.DueDate, i.BankAccount, i.KID
	case models.CreditNoteDocument:
		c.Invoice = i.Number
	case models.NoticeDocument:
		c.Number = i.Number
		return c, "", nil
	}
	customer, err := w.DB.Customer(ctx, s.CreditorID, i.CustomerID)
	if err != nil {
		return c, "", err
	}
	return c, customer.Language, nil
}
