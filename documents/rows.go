package documents

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strings"
	"time"

	"purr/models"
)

// Rows are what the database holds of a document.
type Rows struct {
	Document   models.Document
	Head       Head
	Invoice    models.Invoice       // the invoice that the document is or is about; zero of a kind that is about none
	CreditNote models.CreditNote    // zero unless the document is one
	Notice     models.Notice        // zero unless the document is one
	Statement  models.SentStatement // zero unless the document is one
	Plan       models.PaymentPlan   // zero unless the document is one
	Letter     models.Letter        // zero unless the document is one, or a notice that shares one (rule L23)
	Parts      []Part               // of the letter, in its order
}

// Part is a notice that shares a letter with others, and its invoice.
type Part struct {
	Notice  models.Notice
	Invoice models.Invoice
}

// Invoices returns the invoices of the letter, and Notices its notices, in its order.
func (r Rows) Invoices() (all []models.Invoice) {
	for _, p := range r.Parts {
		all = append(all, p.Invoice)
	}
	return all
}

// Notices returns the notices of the letter, in its order.
func (r Rows) Notices() (all []models.Notice) {
	for _, p := range r.Parts {
		all = append(all, p.Notice)
	}
	return all
}

// Outdated reports whether what the document demands may not leave on a day, because it is of an earlier day (rule L2).
func (r Rows) Outdated(on models.Date) bool {
	if r.Document.Kind.Joint() {
		return r.Letter.IssueDate < on
	}
	return r.Notice.Outdated(on)
}

// Withdrawn reports whether what the document demands was withdrawn.
func (r Rows) Withdrawn() bool { return r.Notice.Withdrawn != 0 || r.Letter.Withdrawn != 0 }

// Head is what every document has, whatever its kind. What documents of its kind lack is zero.
type Head struct {
	Number     int64 // of a notice and a payment plan the invoice's, and of a statement the customer's ID
	CustomerID int64
	Recipient  models.Recipient // as it is printed; zero of a statement, which shows its customer as it is now
	Gross      models.Amount
	Language   string // empty in documents of before it was kept, and in statements: see Rows.LanguageFor
	SellerID   int64  // what it shows of its creditor; zero if none was kept
	PDF, EHF   string // SHA-256 of what is kept; empty until it is made
	CreatedAt  time.Time
}

// LanguageFor returns the language of the document, which goes to the customer. A statement speaks as its customer is spoken to now. What is
// older than the creditor's own language speaks Norwegian to a customer without one, as it did then (rule L24).
func (r Rows) LanguageFor(c models.Creditor, to models.Customer) string {
	if r.Document.Kind.OfAccount() {
		return c.LanguageOf(to)
	}
	return cmp.Or(r.Head.Language, to.Language)
}

// Reader is a database, or a transaction on one.
type Reader interface {
	InvoicesByID(ctx context.Context, creditorID int64, ids []int64) ([]models.Invoice, error)
	CreditNotesByID(ctx context.Context, creditorID int64, ids []int64) (map[int64]models.CreditNote, error)
	NoticesByID(ctx context.Context, creditorID int64, ids []int64) (map[int64]models.Notice, error)
	LettersByID(ctx context.Context, creditorID int64, ids []int64) (map[int64]models.Letter, error)
	NoticesOfLetters(ctx context.Context, creditorID int64, letterIDs []int64) (map[int64][]models.Notice, error)
	SentStatementsByID(ctx context.Context, creditorID int64, ids []int64) ([]models.SentStatement, error)
	PaymentPlansByID(ctx context.Context, creditorID int64, ids []int64) ([]models.PaymentPlan, error)
}

// Read reads the rows of a document.
func Read(ctx context.Context, from Reader, creditorID int64, d models.Document) (Rows, error) {
	found, err := ReadAll(ctx, from, creditorID, []models.Document{d})
	if err != nil {
		return Rows{}, err
	}
	r, there := found[d]
	if !there {
		return Rows{}, models.NotFound(strings.ReplaceAll(string(d.Kind), "_", " "))
	}
	return r, nil
}

// ReadAll reads the rows of several documents of a creditor. It leaves out those that do not exist.
func ReadAll(ctx context.Context, from Reader, creditorID int64, ds []models.Document) (map[models.Document]Rows, error) {
	ids := make(map[models.DocumentKind][]int64)
	for _, d := range ds {
		ids[d.Kind] = append(ids[d.Kind], d.ID)
	}
	rows := make(map[models.Document]Rows, len(ds))
	about := map[int64]bool{} // the invoices that the documents are or are about
	add := func(r Rows) { rows[r.Document], about[r.Invoice.ID] = r, true }
	for kind, of := range ids {
		if k, known := kinds[kind]; known {
			if err := k.read(ctx, from, creditorID, of, add); err != nil {
				return nil, err
			}
		}
	}
	if delete(about, 0); len(about) > 0 {
		if err := addInvoices(ctx, from, creditorID, slices.Sorted(maps.Keys(about)), rows); err != nil {
			return nil, err
		}
	}
	for d, r := range rows {
		r.Head = kinds[d.Kind].head(r)
		rows[d] = r
	}
	return rows, nil
}

// addInvoices adds the invoices, which the rows name, to the rows. It leaves out documents whose invoice is not there.
func addInvoices(ctx context.Context, from Reader, creditorID int64, ids []int64, rows map[models.Document]Rows) error {
	found, err := from.InvoicesByID(ctx, creditorID, ids)
	if err != nil {
		return err
	}
	invoices := make(map[int64]models.Invoice, len(found))
	for _, i := range found {
		invoices[i.ID] = i
	}
	for d, r := range rows {
		if r.Invoice.ID == 0 {
			continue
		}
		var there bool
		if r.Invoice, there = invoices[r.Invoice.ID]; !there {
			delete(rows, d)
			continue
		}
		rows[d] = r
	}
	return nil
}
