package store

import (
	"context"
	"time"

	"purr/models"
)

// KeptFile is a file that the archive must have, because a row names it.
type KeptFile struct {
	Kind       KeptKind `gorm:"-"`
	EHF        bool     `gorm:"-"` // it is the document's EHF, and not its PDF
	ID         int64    // of the row: the document, the hand-over or the payment file
	CreditorID int64    // zero for a payment file that no creditor's key posted
	Number     int64    // of the document, or of the invoice that a notice or a hand-over is about; the ID of a statement's customer
	Sequence   int      // of a notice on its invoice, from 1
	Name       string   // of a payment file
	SHA256     string
	Size       int64 // bytes of a payment file, negative for the others
	Rejected   bool  // it is a payment file that was rejected: it goes after a while (rule O13)
}

// KeptKind is what a kept file is.
type KeptKind string

// The kinds of kept files. A document's kind is that of its PDF and of its EHF.
const (
	KeptInvoice     = KeptKind(models.InvoiceDocument)
	KeptCreditNote  = KeptKind(models.CreditNoteDocument)
	KeptNotice      = KeptKind(models.NoticeDocument)
	KeptStatement   = KeptKind(models.StatementDocument)
	KeptBundle      = KeptKind("collection_bundle")
	KeptPaymentFile = KeptKind("payment_file")
)

// keptFiles are the queries of the kept files, in the order in which they can be made again: an EHF and a bundle
// hold PDFs. Each
// returns the next rows after an ID.
var keptFiles = []struct {
	kind  KeptKind
	ehf   bool
	query string
}{
	{KeptInvoice, false, `SELECT id, creditor_id, number, pdf AS sha256, -1 AS size FROM invoices WHERE id > ? AND pdf <> '' ORDER BY id`},
	{KeptCreditNote, false, `SELECT id, creditor_id, number, pdf AS sha256, -1 AS size FROM credit_notes WHERE id > ? AND pdf <> '' ORDER BY id`},
	{KeptNotice, false, `SELECT n.id, n.creditor_id, i.number, n.sequence, n.pdf AS sha256, -1 AS size
		FROM overdue_notices n JOIN invoices i ON i.id = n.invoice_id WHERE n.id > ? AND n.pdf <> '' ORDER BY n.id`},
	{KeptStatement, false, `SELECT id, creditor_id, customer_id AS number, pdf AS sha256, -1 AS size FROM statements WHERE id > ? AND pdf <> '' ORDER BY id`},
	{KeptInvoice, true, `SELECT id, creditor_id, number, ehf AS sha256, -1 AS size FROM invoices WHERE id > ? AND ehf <> '' ORDER BY id`},
	{KeptCreditNote, true, `SELECT id, creditor_id, number, ehf AS sha256, -1 AS size FROM credit_notes WHERE id > ? AND ehf <> '' ORDER BY id`},
	{KeptNotice, true, `SELECT n.id, n.creditor_id, i.number, n.sequence, n.ehf AS sha256, -1 AS size
		FROM overdue_notices n JOIN invoices i ON i.id = n.invoice_id WHERE n.id > ? AND n.ehf <> '' ORDER BY n.id`},
	{KeptBundle, false, `SELECT h.id, h.creditor_id, i.number, h.bundle AS sha256, -1 AS size
		FROM hand_overs h JOIN invoices i ON i.id = h.invoice_id WHERE h.id > ? AND h.bundle <> '' ORDER BY h.id`},
	{KeptPaymentFile, false, `SELECT id, owner_id AS creditor_id, filename AS name, sha256, size, state = 'rejected' AS rejected FROM payment_files WHERE id > ? AND removed_at IS NULL ORDER BY id`},
}

// EachKeptFile calls do for every file of every creditor that the archive must have, until do fails: PDFs, EHF documents,
// collection bundles, then the raw bytes of payment files.
func (r reads) EachKeptFile(ctx context.Context, do func(KeptFile) error) error {
	const page = 1000
	for _, of := range keptFiles {
		for last, more := int64(0), true; more; {
			files, err := scan[[]KeptFile](r.with(ctx).Raw(limited(of.query, page), last))
			if err != nil {
				return err
			}
			for _, f := range files {
				f.Kind, f.EHF, last = of.kind, of.ehf, f.ID
				if err := do(f); err != nil {
					return err
				}
			}
			more = len(files) == page
		}
	}
	return nil
}

// Census is how much the database holds, of all creditors.
type Census struct {
	Creditors    int64     `json:"creditors"`
	Invoices     int64     `json:"invoices"`
	Entries      int64     `json:"entries"`
	Files        int64     `json:"files"`         // payment files
	Documents    int64     `json:"documents"`     // invoices, credit notes and notices
	NewestChange time.Time `json:"newest_change"` // when the last event was written, zero if there is none
}

// Empty reports whether the database holds nothing.
func (c Census) Empty() bool { return c.Creditors+c.Invoices+c.Entries+c.Files+c.Documents == 0 }

// Census counts what the database holds.
func (r reads) Census(ctx context.Context) (Census, error) {
	c, err := scan[Census](r.with(ctx).Raw(`SELECT (SELECT COUNT(*) FROM creditors) AS creditors, (SELECT COUNT(*) FROM invoices) AS invoices,
		(SELECT COUNT(*) FROM entries) AS entries, (SELECT COUNT(*) FROM payment_files) AS files,
		(SELECT COUNT(*) FROM credit_notes) + (SELECT COUNT(*) FROM overdue_notices) AS documents`))
	if err != nil {
		return Census{}, err
	}
	c.Documents += c.Invoices
	newest, waits, err := readFirst[newEvent](r.with(ctx).Order("id DESC"))
	if err != nil {
		return Census{}, err
	}
	if c.NewestChange = newest.At; waits {
		return c, nil
	}
	last, _, err := readFirst[models.Event](r.with(ctx).Order("id DESC"))
	if err != nil {
		return Census{}, err
	}
	c.NewestChange = last.At
	return c, nil
}
