package documents

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"purr/dunning/law"
	"purr/models"
	"purr/pdf"
	"purr/store"
)

// render draws a document from what the store holds of it.
func render(ctx context.Context, db *store.DB, creditorID int64, d models.Document) ([]byte, error) {
	creditor, err := db.Creditor(ctx, creditorID)
	if err != nil {
		return nil, err
	}
	switch d.Kind {
	case models.InvoiceDocument:
		return renderInvoice(ctx, db, creditor, d.ID)
	case models.CreditNoteDocument:
		return renderCreditNote(ctx, db, creditor, d.ID)
	case models.NoticeDocument:
		return renderNotice(ctx, db, creditor, d.ID)
	}
	return nil, fmt.Errorf("unknown kind of document %q", d.Kind)
}

func renderInvoice(ctx context.Context, db *store.DB, creditor models.Creditor, id int64) ([]byte, error) {
	invoice, err := db.Invoice(ctx, creditor.ID, id)
	if err != nil {
		return nil, err
	}
	lines, err := db.InvoiceLines(ctx, invoice.ID)
	if err != nil {
		return nil, err
	}
	customer, err := db.Customer(ctx, creditor.ID, invoice.CustomerID)
	if err != nil {
		return nil, err
	}
	return pdf.Invoice(pdf.InvoiceInput{Creditor: creditor, Invoice: invoice, Lines: lines, Language: customer.Language})
}

func renderCreditNote(ctx context.Context, db *store.DB, creditor models.Creditor, id int64) ([]byte, error) {
	note, err := db.CreditNote(ctx, creditor.ID, id)
	if err != nil {
		return nil, err
	}
	invoice, err := db.Invoice(ctx, creditor.ID, note.InvoiceID)
	if err != nil {
		return nil, err
	}
	lines, err := db.InvoiceLines(ctx, invoice.ID)
	if err != nil {
		return nil, err
	}
	customer, err := db.Customer(ctx, creditor.ID, note.CustomerID)
	if err != nil {
		return nil, err
	}
	return pdf.CreditNote(pdf.CreditNoteInput{Creditor: creditor, CreditNote: note, Invoice: invoice, Lines: lines, Language: customer.Language})
}

func renderNotice(ctx context.Context, db *store.DB, creditor models.Creditor, id int64) ([]byte, error) {
	notice, err := db.Notice(ctx, creditor.ID, id)
	if err != nil {
		return nil, err
	}
	lines, err := db.NoticeLines(ctx, notice.ID)
	if err != nil {
		return nil, err
	}
	invoice, err := db.Invoice(ctx, creditor.ID, notice.InvoiceID)
	if err != nil {
		return nil, err
	}
	customer, err := db.Customer(ctx, creditor.ID, notice.CustomerID)
	if err != nil {
		return nil, err
	}
	periods, err := interestPeriods(notice)
	if err != nil {
		return nil, err
	}
	compensated, err := compensatedBy(ctx, db, notice)
	if err != nil {
		return nil, err
	}
	return pdf.Notice(pdf.NoticeInput{
		Creditor: creditor, Notice: notice, Lines: lines, Invoice: invoice, Owed: owed(lines), Interest: periods, Language: customer.Language,
		Compensated: compensated,
	})
}

// compensatedBy reports whether the notice or one before it charged standard compensation.
func compensatedBy(ctx context.Context, db *store.DB, n models.Notice) (bool, error) {
	if n.Compensation || n.Sequence == 1 {
		return n.Compensation, nil
	}
	notices, err := db.NoticesOf(ctx, n.InvoiceID)
	return slices.ContainsFunc(notices, func(o models.Notice) bool { return o.Sequence < n.Sequence && o.Compensation }), err
}

// owed returns what is owed of each kind by a notice's lines, nothing where they are not known by kind.
func owed(lines []models.NoticeLine) pdf.Owed {
	entries := make([]models.Entry, len(lines))
	for i, l := range lines {
		if l.Type == "" {
			return pdf.Owed{}
		}
		entries[i] = models.Entry{Type: l.Type, Amount: l.Gross}
	}
	a := law.Allocate(entries)
	return pdf.Owed{Principal: a.Principal, Interest: a.Interest, Fees: a.Fees}
}

// interestPeriods reads the rates and days of a notice's interest from its calculation sheet.
func interestPeriods(n models.Notice) ([]pdf.InterestPeriod, error) {
	var sheet law.Sheet
	if err := json.Unmarshal([]byte(n.Sheet), &sheet); err != nil {
		return nil, fmt.Errorf("read the calculation of notice %d: %w", n.ID, err)
	}
	var periods []pdf.InterestPeriod
	for _, s := range sheet.Interest.Segments {
		periods = append(periods, pdf.InterestPeriod{From: s.From, To: s.To, Rate: s.Rate})
	}
	return periods, nil
}
