package jobs

import (
	"context"
	"fmt"
	"net/mail"

	"purr/mailer"
	"purr/models"
)

// hand gives a shipment to its channel. It returns nil once the channel has accepted it.
func (w *Worker) hand(ctx context.Context, s models.Shipment, pdf []byte) error {
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

// noSender stands for the address of a creditor who has none yet. It takes no answers: RFC 2606 keeps
// the domain from ever being somebody's.
const noSender = "no-reply@purr.invalid"

// cover returns what is said around a shipment's document, and the customer's language.
func (w *Worker) cover(ctx context.Context, s models.Shipment) (mailer.Cover, string, error) {
	c := mailer.Cover{Kind: s.DocumentKind, Copy: s.Copy, Customer: s.Recipient.Name1}
	var customerID int64
	switch s.DocumentKind {
	case models.InvoiceDocument:
		i, err := w.DB.Invoice(ctx, s.CreditorID, s.DocumentID)
		if err != nil {
			return c, "", err
		}
		customerID = i.CustomerID
		c.Customer, c.Number, c.Amount, c.DueDate, c.BankAccount, c.KID = i.Recipient.Name1, i.Number, i.Gross, i.DueDate, i.BankAccount, i.KID
	case models.CreditNoteDocument:
		n, err := w.DB.CreditNote(ctx, s.CreditorID, s.DocumentID)
		if err != nil {
			return c, "", err
		}
		i, err := w.DB.Invoice(ctx, s.CreditorID, n.InvoiceID)
		if err != nil {
			return c, "", err
		}
		customerID = n.CustomerID
		c.Customer, c.Number, c.Invoice, c.Amount = n.Recipient.Name1, n.Number, i.Number, n.Gross
	case models.NoticeDocument:
		n, err := w.DB.Notice(ctx, s.CreditorID, s.DocumentID)
		if err != nil {
			return c, "", err
		}
		i, err := w.DB.Invoice(ctx, s.CreditorID, n.InvoiceID)
		c.Number = i.Number
		return c, "", err // notices go on paper (rule D30), and a letter has no cover
	default:
		return c, "", fmt.Errorf("shipment %d is of an unknown kind of document, %q", s.ID, s.DocumentKind)
	}
	customer, err := w.DB.Customer(ctx, s.CreditorID, customerID)
	return c, customer.Language, err
}
