// Package documents makes each document's PDF and EHF once and keeps them, so that later readings and shipments have the
// same bytes (rules D35, H2). It knows neither who asks nor how documents are sent.
package documents

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"

	"purr/archive"
	"purr/dunning/law"
	"purr/models"
	"purr/pdf"
	"purr/store"
)

// Store makes and keeps PDFs and EHF documents. It is safe for concurrent use, also by several processes.
type Store struct {
	db      *store.DB
	archive *archive.Archive
}

// New returns the store of the PDFs and the EHF documents of the database's documents. It keeps them in the archive.
func New(db *store.DB, a *archive.Archive) *Store { return &Store{db, a} }

// PDF returns a document's PDF, and makes it if it is not made yet. If several callers make it at once, all get
// the bytes of the first. A PDF that the archive has lost or damaged is made again and put back, if that gives the same
// bytes. If not, the error is a *archive.Fault: the creditor or the customer may have changed since (rule O7).
func (s *Store) PDF(ctx context.Context, creditorID int64, d models.Document) ([]byte, error) {
	render := func() ([]byte, error) { return render(ctx, s.db, creditorID, d) }
	sum, err := s.db.PDF(ctx, creditorID, d)
	if err != nil {
		return nil, err
	}
	if sum != "" {
		return s.kept(ctx, sum, "the PDF of "+d.String(), render)
	}
	made, err := render()
	if err != nil {
		return nil, err
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
	return s.kept(ctx, sum, "the PDF of "+d.String(), render)
}

// kept returns what is kept under the sum. It makes it again if the archive has lost or damaged it.
func (s *Store) kept(ctx context.Context, sum, what string, render func() ([]byte, error)) ([]byte, error) {
	found, err := s.archive.Read(sum)
	fault, is := errors.AsType[*archive.Fault](err)
	if !is {
		return found, err
	}
	made, err := render()
	if err == nil {
		err = s.archive.Mend(ctx, fault, made)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", what, err)
	}
	return made, nil
}

// Rows are what the database holds of a document.
type Rows struct {
	Invoice    models.Invoice    // the invoice that the document is or is about
	CreditNote models.CreditNote // zero unless the document is one
	Notice     models.Notice     // zero unless the document is one
}

// Number returns the document's number; of a notice the invoice's.
func (r Rows) Number() int64 {
	if r.CreditNote.ID != 0 {
		return r.CreditNote.Number
	}
	return r.Invoice.Number
}

// Reader is a database, or a transaction on one.
type Reader interface {
	Invoice(ctx context.Context, creditorID, id int64) (models.Invoice, error)
	CreditNote(ctx context.Context, creditorID, id int64) (models.CreditNote, error)
	Notice(ctx context.Context, creditorID, id int64) (models.Notice, error)
}

// Read reads the rows of a document.
func Read(ctx context.Context, from Reader, creditorID int64, d models.Document) (r Rows, err error) {
	invoiceID := d.ID
	switch d.Kind {
	case models.InvoiceDocument:
	case models.CreditNoteDocument:
		if r.CreditNote, err = from.CreditNote(ctx, creditorID, d.ID); err != nil {
			return Rows{}, err
		}
		invoiceID = r.CreditNote.InvoiceID
	case models.NoticeDocument:
		if r.Notice, err = from.Notice(ctx, creditorID, d.ID); err != nil {
			return Rows{}, err
		}
		invoiceID = r.Notice.InvoiceID
	default:
		return Rows{}, fmt.Errorf("unknown kind of document %q", d.Kind)
	}
	r.Invoice, err = from.Invoice(ctx, creditorID, invoiceID)
	return r, err
}

// render draws a document.
func render(ctx context.Context, db *store.DB, creditorID int64, d models.Document) (pdf []byte, err error) {
	if pdf, err = draw(ctx, db, creditorID, d); err != nil {
		return nil, fmt.Errorf("render %s: %w", d, err)
	}
	return pdf, nil
}

func draw(ctx context.Context, db *store.DB, creditorID int64, d models.Document) ([]byte, error) {
	r, err := Read(ctx, db, creditorID, d)
	if err != nil {
		return nil, err
	}
	creditor, err := db.Creditor(ctx, creditorID)
	if err != nil {
		return nil, err
	}
	customer, err := db.Customer(ctx, creditorID, r.Invoice.CustomerID)
	if err != nil {
		return nil, err
	}
	lines, err := db.InvoiceLines(ctx, r.Invoice.ID)
	if err != nil {
		return nil, err
	}
	switch d.Kind {
	case models.NoticeDocument:
		return renderNotice(ctx, db, creditor, r, lines, customer.Language)
	case models.CreditNoteDocument:
		free, err := freeOf(ctx, db, r.CreditNote)
		if err != nil {
			return nil, err
		}
		return pdf.CreditNote(pdf.CreditNoteInput{
			Creditor: creditor, CreditNote: r.CreditNote, Invoice: r.Invoice, Lines: lines, Free: free, Language: customer.Language,
		})
	case models.InvoiceDocument:
	}
	return pdf.Invoice(pdf.InvoiceInput{Creditor: creditor, Invoice: r.Invoice, Lines: lines, Language: customer.Language})
}

// freeOf returns how much of a credit note was the customer's when it was made: what was not set off against the
// invoice in the same transaction. What became of it later does not change the PDF.
func freeOf(ctx context.Context, db *store.DB, note models.CreditNote) (models.Amount, error) {
	entries, err := db.EntriesOfCreditNote(ctx, note)
	if err != nil {
		return 0, err
	}
	var free models.Amount
	for _, e := range entries {
		if e.CreatedAt.Equal(note.CreatedAt) {
			free -= e.Amount
		}
	}
	return free, nil
}

func renderNotice(ctx context.Context, db *store.DB, c models.Creditor, r Rows, claim []models.Line, language string) ([]byte, error) {
	lines, err := db.NoticeLines(ctx, r.Notice.ID)
	if err != nil {
		return nil, err
	}
	sheet, err := law.ReadSheet(r.Notice.Sheet)
	if err != nil {
		return nil, err
	}
	compensated, err := compensatedBy(ctx, db, r.Notice)
	if err != nil {
		return nil, err
	}
	owed := owed(lines)
	return pdf.Notice(pdf.NoticeInput{
		Creditor: c, Notice: r.Notice, Lines: lines, Invoice: r.Invoice, Claim: claim, Owed: owed, Language: language, Compensated: compensated,
		Interest: interestPeriods(sheet.Interest), Ahead: interestAhead(sheet.Interest, owed.Principal, r.Notice.IssueDate+1),
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
	a := law.Allocate(entries)
	return pdf.Owed{Principal: a.Principal, Interest: a.Interest, Fees: a.Fees}
}

// interestPeriods returns the rates and days of a notice's interest.
func interestPeriods(i law.Interest) []pdf.InterestPeriod {
	periods := make([]pdf.InterestPeriod, len(i.Segments))
	for n, s := range i.Segments {
		periods[n] = pdf.InterestPeriod{From: s.From, To: s.To, Rate: s.Rate}
	}
	return periods
}

// interestAhead returns what a principal bears each day from a day on, at the rate of a notice's last day of interest. It
// is zero if the notice charges none.
func interestAhead(i law.Interest, principal models.Amount, from models.Date) pdf.InterestAhead {
	if len(i.Segments) == 0 {
		return pdf.InterestAhead{}
	}
	rate := i.Segments[len(i.Segments)-1].Rate
	return pdf.InterestAhead{From: from, Rate: rate, PerDay: models.MulDiv(principal, int64(rate), 100*100*int64(from.DaysInYear()))}
}
