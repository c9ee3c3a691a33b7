package store

import (
	"context"
	"maps"
	"slices"

	"gorm.io/gorm"

	"purr/models"
)

// documentTable says where a kind of document is kept. In its queries the document is d.
type documentTable struct {
	model    func() any // a new one each time: a statement may write into it
	name     string
	number   string // of the document; of a notice and a payment plan the invoice's, and of a statement the customer's ID
	sequence string // of a notice on its invoice
	join     string // what the number needs
}

// documentTables has all kinds.
var documentTables = map[models.DocumentKind]documentTable{
	models.InvoiceDocument:    {model: empty[models.Invoice], name: "invoices", number: "d.number", sequence: "0"},
	models.CreditNoteDocument: {model: empty[models.CreditNote], name: "credit_notes", number: "d.number", sequence: "0"},
	models.NoticeDocument:     {model: empty[models.Notice], name: "overdue_notices", number: "i.number", sequence: "d.sequence", join: " JOIN invoices i ON i.id = d.invoice_id"},
	models.StatementDocument:  {model: empty[models.SentStatement], name: "statements", number: "d.customer_id", sequence: "0"},
	models.PlanDocument:       {model: empty[models.PaymentPlan], name: "payment_plans", number: "i.number", sequence: "0", join: " JOIN invoices i ON i.id = d.invoice_id"},
	models.LetterDocument:     {model: empty[models.Letter], name: "letters", number: "d.number", sequence: "0"},
}

func empty[T any]() any { return new(T) }

// documentModel returns what a statement on the documents of a kind needs to know of them: nothing of a kind that is none, and then
// the statement fails.
func documentModel(kind models.DocumentKind) any {
	if table, known := documentTables[kind]; known {
		return table.model()
	}
	return nil
}

// documents begins a statement on the documents of a kind.
func (r reads) documents(ctx context.Context, kind models.DocumentKind) *gorm.DB {
	return r.with(ctx).Model(documentModel(kind))
}

// byKind returns the IDs of documents, by kind.
func byKind(ds []models.Document) map[models.DocumentKind][]int64 {
	ids := make(map[models.DocumentKind][]int64)
	for _, d := range ds {
		ids[d.Kind] = append(ids[d.Kind], d.ID)
	}
	return ids
}

// PDF returns the SHA-256 of a document's stored PDF, empty until it is made.
func (r reads) PDF(ctx context.Context, creditorID int64, d models.Document) (string, error) {
	type kept struct{ PDF string }
	row, err := readOne[kept](r.documents(ctx, d.Kind).Select("pdf").Where("id = ? AND creditor_id = ?", d.ID, creditorID), string(d.Kind))
	if err != nil {
		return "", err
	}
	return row.PDF, nil
}

// SetPDFs sets the PDFs of documents, each unless it has one (rule D35). It returns the PDFs that they then have, and leaves out documents
// that do not exist.
func (tx *Tx) SetPDFs(ctx context.Context, creditorID int64, sums map[models.Document]string) (map[models.Document]string, error) {
	has := make(map[models.Document]string, len(sums))
	ids := byKind(slices.Collect(maps.Keys(sums)))
	for _, kind := range models.DocumentKinds() { // in the same order always, so that nobody waits for each other
		if len(ids[kind]) == 0 {
			continue
		}
		if err := tx.setPDFs(ctx, creditorID, kind, slices.Sorted(slices.Values(ids[kind])), sums, has); err != nil {
			return nil, err
		}
	}
	return has, nil
}

// setPDFs does so for those of a kind with the IDs, and adds to has what they have then.
func (tx *Tx) setPDFs(ctx context.Context, creditorID int64, kind models.DocumentKind, ids []int64, sums, has map[models.Document]string) error {
	values := make([]any, len(ids))
	for i, id := range ids {
		d := models.Document{Kind: kind, ID: id}
		values[i], has[d] = sums[d], sums[d]
	}
	fresh, err := tx.setSome(ctx, documentModel(kind), map[string]any{"pdf": byID(ids, values)}, "id IN ? AND creditor_id = ? AND pdf = ''", ids, creditorID)
	if err != nil || fresh == int64(len(ids)) {
		return err
	}
	type kept struct {
		ID  int64
		PDF string
	}
	rows, err := scan[[]kept](tx.documents(ctx, kind).Select("id, pdf").Where("id IN ? AND creditor_id = ?", ids, creditorID))
	if err != nil {
		return err
	}
	for _, id := range ids {
		delete(has, models.Document{Kind: kind, ID: id})
	}
	for _, row := range rows {
		has[models.Document{Kind: kind, ID: row.ID}] = row.PDF
	}
	return nil
}

// LockUndrawn locks those of the creditor's documents of a kind with the IDs that have no PDF yet, and returns their IDs, in order.
func (tx *Tx) LockUndrawn(ctx context.Context, creditorID int64, kind models.DocumentKind, ids []int64) ([]int64, error) {
	return idsOf(forUpdate(tx.documents(ctx, kind)).Where("id IN ? AND creditor_id = ? AND pdf = ''", ids, creditorID).Order("id"))
}

// EHF returns the SHA-256 of a document's stored EHF, empty until it is made.
func (r reads) EHF(ctx context.Context, creditorID int64, d models.Document) (string, error) {
	type kept struct {
		EHF string `gorm:"column:ehf"`
	}
	row, err := readOne[kept](r.documents(ctx, d.Kind).Select("ehf").Where("id = ? AND creditor_id = ?", d.ID, creditorID), string(d.Kind))
	if err != nil {
		return "", err
	}
	return row.EHF, nil
}

// SetEHF sets a document's EHF unless it has one (rule H2). It returns the EHF that the document then has, and whether it had
// none before.
func (tx *Tx) SetEHF(ctx context.Context, creditorID int64, d models.Document, sha256 string) (sum string, fresh bool, err error) {
	n, err := tx.setSome(ctx, documentModel(d.Kind), map[string]any{"ehf": sha256}, "id = ? AND creditor_id = ? AND ehf = ''", d.ID, creditorID)
	if err != nil {
		return "", false, err
	}
	sum, err = tx.EHF(ctx, creditorID, d)
	return sum, n > 0, err
}

// Reference is a KID that a document was sent with (rule D20).
type Reference struct {
	CreditorID   int64
	KID          string `gorm:"column:kid"`
	InvoiceID    int64  // zero for a letter's
	CreditNoteID int64  // zero for an invoice's
	LetterID     int64  // zero but for a letter's (rule L23)
}

// TableName names the table.
func (Reference) TableName() string { return "payment_references" }

// ReferencesOf returns the documents that were sent with the KIDs, by KID.
func (r reads) ReferencesOf(ctx context.Context, creditorID int64, kids []string) (map[string]Reference, error) {
	return readBy(r.with(ctx).Where("creditor_id = ? AND kid IN ?", creditorID, kids), func(ref Reference) string { return ref.KID })
}

// InvoicesByKID returns the creditor's invoices that were sent with the KIDs, by KID.
func (r reads) InvoicesByKID(ctx context.Context, creditorID int64, kids []string) (map[string]models.Invoice, error) {
	if len(kids) == 0 {
		return nil, nil
	}
	type sent struct {
		models.Invoice `gorm:"embedded"`
		SentWith       string
	}
	found, err := scan[[]sent](r.with(ctx).Table("payment_references r").Joins("JOIN invoices i ON i.id = r.invoice_id").
		Select("i.*, r.kid AS sent_with").Where("r.creditor_id = ? AND r.kid IN ? AND r.credit_note_id = 0 AND i.creditor_id = r.creditor_id", creditorID, kids))
	if err != nil {
		return nil, err
	}
	invoices := make(map[string]models.Invoice, len(found))
	for _, s := range found {
		invoices[s.SentWith] = s.Invoice
	}
	return invoices, nil
}

// CreateReferences keeps the KIDs of new documents.
func (tx *Tx) CreateReferences(ctx context.Context, rs []Reference) error { return tx.insert(ctx, &rs) }
