package store

import (
	"context"
	"fmt"
	"time"

	"purr/models"
)

// KeptFile is a file that the archive must have, because a row names it.
type KeptFile struct {
	Kind       KeptKind `gorm:"-"`
	EHF        bool     `gorm:"-"` // it is the document's EHF, and not its PDF
	ID         int64    // of the row: the document, the hand-over, the payment file, or what documents show of a creditor
	CreditorID int64    // zero for a payment file that no creditor's key posted
	Number     int64    // of the document, or of the invoice that a notice or a hand-over is about; the ID of a statement's customer
	Sequence   int      // of a notice on its invoice, from 1
	Name       string   // of a payment file
	SHA256     string
	Size       int64 // bytes of a payment file, negative for the others
	Rejected   bool  // it is a payment file that was rejected: it goes after a while (rule O13)
}

// KeptKind is what a kept file is: a kind of document, of its PDF and of its EHF, or one of these.
type KeptKind string

// The other kinds of kept files.
const (
	KeptBundle      KeptKind = "collection_bundle"
	KeptDirectXML   KeptKind = "collector_file"
	KeptDirectCSV   KeptKind = "collector_file_csv"
	KeptPaymentFile KeptKind = "payment_file"
	KeptLogo        KeptKind = "logo"
	KeptAccounts    KeptKind = "account_export"
	KeptClaims      KeptKind = "claim_file"
	KeptReceipt     KeptKind = "claim_receipt"
)

// keptFile is the query of the kept files of a kind. It returns the next rows after an ID.
type keptFile struct {
	kind  KeptKind
	ehf   bool
	query string
}

// keptFiles returns the queries in the order in which the files can be made again: an EHF and a bundle hold PDFs.
func keptFiles() (all []keptFile) {
	all = append(all, keptFile{KeptLogo, false, "SELECT id, creditor_id, logo AS sha256, -1 AS size FROM sellers WHERE id > ? AND logo <> '' ORDER BY id"})
	for _, kind := range models.DocumentKinds() {
		all = append(all, keptFile{KeptKind(kind), false, documentTables[kind].files("pdf")})
	}
	for _, kind := range models.DocumentKinds() {
		if kind.HasEHF() {
			all = append(all, keptFile{KeptKind(kind), true, documentTables[kind].files("ehf")})
		}
	}
	return append(all, keptFile{KeptBundle, false, `SELECT h.id, h.creditor_id, i.number, h.bundle AS sha256, -1 AS size
		FROM hand_overs h JOIN invoices i ON i.id = h.invoice_id WHERE h.id > ? AND h.bundle <> '' ORDER BY h.id`},
		keptFile{KeptDirectXML, false, "SELECT id, creditor_id, number, xml_sum AS sha256, -1 AS size FROM collector_files WHERE id > ? AND xml_sum <> '' ORDER BY id"},
		keptFile{KeptDirectCSV, false, "SELECT id, creditor_id, number, csv_sum AS sha256, -1 AS size FROM collector_files WHERE id > ? AND csv_sum <> '' ORDER BY id"},
		keptFile{KeptAccounts, false, `SELECT f.id, f.creditor_id, e.number, f.form AS name, f.sha256, f.size
		FROM account_export_files f JOIN account_exports e ON e.id = f.export_id WHERE f.id > ? AND f.removed_at IS NULL ORDER BY f.id`},
		keptFile{KeptClaims, false, "SELECT id, creditor_id, number, sha256, -1 AS size FROM claim_files WHERE id > ? AND sha256 <> '' AND removed_at IS NULL ORDER BY id"},
		keptFile{KeptReceipt, false, "SELECT id, creditor_id, id AS number, name, sha256, -1 AS size FROM claim_receipts WHERE id > ? ORDER BY id"},
		keptFile{KeptPaymentFile, false, `SELECT id, owner_id AS creditor_id, filename AS name, sha256, size, state = 'rejected' AS rejected
		FROM payment_files WHERE id > ? AND removed_at IS NULL ORDER BY id`})
}

// files returns the query of the files that a column of a kind of document names.
func (t documentTable) files(column string) string {
	return fmt.Sprintf("SELECT d.id, d.creditor_id, %s AS number, %s AS sequence, d.%s AS sha256, -1 AS size FROM %s d%s WHERE d.id > ? AND d.%[3]s <> '' ORDER BY d.id",
		t.number, t.sequence, column, t.name, t.join)
}

// EachKeptFile calls do for every file of every creditor that the archive must have, until do fails: logos, PDFs, EHF documents,
// collection bundles, exports to the accounts, then the raw bytes of payment files.
func (r reads) EachKeptFile(ctx context.Context, do func(KeptFile) error) error {
	const page = 1000
	for _, of := range keptFiles() {
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
