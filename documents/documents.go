// Package documents makes each document's PDF once and keeps it, so that the same bytes are shown and sent from then on
// (rule D35). It knows neither who asks nor how documents are sent.
package documents

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"purr/archive"
	"purr/dunning"
	"purr/models"
	"purr/pdf"
	"purr/store"
)

// Store makes and keeps PDFs. It is safe for concurrent use, also by several processes.
type Store struct {
	db      *store.DB
	archive *archive.Archive
}

// New returns the store of the PDFs of the database's documents. It keeps them in the archive.
func New(db *store.DB, a *archive.Archive) *Store { return &Store{db, a} }

// PDF returns a document's PDF, and makes it if nobody has yet. If several make it at once, all get the bytes of the
// first.
func (s *Store) PDF(ctx context.Context, creditorID int64, d models.Document) ([]byte, error) {
	sum, err := s.db.PDF(ctx, creditorID, d)
	if err != nil {
		return nil, err
	}
	if sum != "" {
		return s.archive.Read(sum)
	}
	made, err := render(ctx, s.db, creditorID, d)
	if err != nil {
		return nil, fmt.Errorf("render %s: %w", d, err)
	}
	mine, _, err := s.archive.Put(ctx, bytes.NewReader(made))
	if err != nil {
		return nil, err
	}
	err = s.db.InTx(ctx, func(tx *store.Tx) error {
		sum, err = tx.SetPDF(ctx, creditorID, d, mine)
		return err
	})
	if err != nil || sum == mine {
		return made, err
	}
	return s.archive.Read(sum)
}

// contents is what the PDF of an invoice or of its credit note is drawn from.
type contents struct {
	creditor models.Creditor
	invoice  models.Invoice
	lines    []models.Line
	language string // the customer's
}

func read(ctx context.Context, db *store.DB, creditorID, invoiceID int64) (c contents, err error) {
	if c.creditor, err = db.Creditor(ctx, creditorID); err != nil {
		return c, err
	}
	if c.invoice, err = db.Invoice(ctx, creditorID, invoiceID); err != nil {
		return c, err
	}
	if c.lines, err = db.InvoiceLines(ctx, invoiceID); err != nil {
		return c, err
	}
	customer, err := db.Customer(ctx, creditorID, c.invoice.CustomerID)
	if err != nil {
		return c, err
	}
	c.language = customer.Language
	return c, nil
}

// render draws a document.
func render(ctx context.Context, db *store.DB, creditorID int64, d models.Document) ([]byte, error) {
	switch d.Kind {
	case models.InvoiceDocument:
		c, err := read(ctx, db, creditorID, d.ID)
		if err != nil {
			return nil, err
		}
		return pdf.Invoice(pdf.InvoiceInput{Creditor: c.creditor, Invoice: c.invoice, Lines: c.lines, Language: c.language})
	case models.CreditNoteDocument:
		note, err := db.CreditNote(ctx, creditorID, d.ID)
		if err != nil {
			return nil, err
		}
		c, err := read(ctx, db, creditorID, note.InvoiceID)
		if err != nil {
			return nil, err
		}
		return pdf.CreditNote(pdf.CreditNoteInput{Creditor: c.creditor, CreditNote: note, Invoice: c.invoice, Lines: c.lines, Language: c.language})
	case models.NoticeDocument:
		notice, err := db.Notice(ctx, creditorID, d.ID)
		if err != nil {
			return nil, err
		}
		return renderNotice(ctx, db, notice)
	}
	return nil, fmt.Errorf("unknown kind of document %q", d.Kind)
}

func renderNotice(ctx context.Context, db *store.DB, notice models.Notice) ([]byte, error) {
	c, err := read(ctx, db, notice.CreditorID, notice.InvoiceID)
	if err != nil {
		return nil, err
	}
	lines, err := db.NoticeLines(ctx, notice.ID)
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
		Creditor: c.creditor, Notice: notice, Lines: lines, Invoice: c.invoice, Owed: owed(lines), Interest: periods, Language: c.language,
		Compensated: compensated,
	})
}

// compensatedBy reports whether the notice or one before it charged standard compensation.
func compensatedBy(ctx context.Context, db *store.DB, n models.Notice) (bool, error) {
	notices, err := db.NoticesOf(ctx, n.InvoiceID)
	if err != nil {
		return false, err
	}
	return n.Compensation || slices.ContainsFunc(notices, func(o models.Notice) bool { return o.Sequence < n.Sequence && o.Compensation }), nil
}

// owed returns what is owed of each kind by a notice's lines, or nothing if the kind of a line is not known.
func owed(lines []models.NoticeLine) pdf.Owed {
	entries := make([]models.Entry, len(lines))
	for i, l := range lines {
		if l.Type == "" {
			return pdf.Owed{}
		}
		entries[i] = models.Entry{Type: l.Type, Amount: l.Gross}
	}
	a := dunning.Allocate(entries)
	return pdf.Owed{Principal: a.Principal, Interest: a.Interest, Fees: a.Fees}
}

// interestPeriods reads the rates and days of a notice's interest from its calculation sheet.
func interestPeriods(n models.Notice) ([]pdf.InterestPeriod, error) {
	var sheet dunning.Sheet
	if err := json.Unmarshal([]byte(n.Sheet), &sheet); err != nil {
		return nil, fmt.Errorf("read the calculation of notice %d: %w", n.ID, err)
	}
	var periods []pdf.InterestPeriod
	for _, s := range sheet.Interest.Segments {
		periods = append(periods, pdf.InterestPeriod{From: s.From, To: s.To, Rate: s.Rate})
	}
	return periods, nil
}
