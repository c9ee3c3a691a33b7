package store

import (
	"context"
	"maps"
	"slices"

	"purr/models"
)

// documentTable returns the model of a kind of document.
func documentTable(kind models.DocumentKind) any {
	switch kind {
	case models.InvoiceDocument:
		return &models.Invoice{}
	case models.CreditNoteDocument:
		return &models.CreditNote{}
	case models.StatementDocument:
		return &models.SentStatement{}
	default:
		return &models.Notice{}
	}
}

// PDF returns the SHA-256 of a document's stored PDF, empty until it is made.
func (r reads) PDF(ctx context.Context, creditorID int64, d models.Document) (string, error) {
	type kept struct{ PDF string }
	row, err := readOne[kept](r.with(ctx).Model(documentTable(d.Kind)).Select("pdf").Where("id = ? AND creditor_id = ?", d.ID, creditorID), string(d.Kind))
	if err != nil {
		return "", err
	}
	return row.PDF, nil
}

// SetPDF sets a document's PDF unless it has one (rule D35). It returns the PDF that the document then has.
func (tx *Tx) SetPDF(ctx context.Context, creditorID int64, d models.Document, sha256 string) (string, error) {
	set, err := tx.SetPDFs(ctx, creditorID, d.Kind, map[int64]string{d.ID: sha256})
	if err != nil {
		return "", err
	}
	has, there := set[d.ID]
	if !there {
		return "", models.NotFound(string(d.Kind))
	}
	return has, nil
}

// SetPDFs does for several documents of a kind, by ID, what SetPDF does for one. It leaves out documents that do not exist.
func (tx *Tx) SetPDFs(ctx context.Context, creditorID int64, kind models.DocumentKind, sums map[int64]string) (map[int64]string, error) {
	ids := slices.Sorted(maps.Keys(sums))
	values := make([]any, len(ids))
	for i, id := range ids {
		values[i] = sums[id]
	}
	fresh, err := tx.setSome(ctx, documentTable(kind), map[string]any{"pdf": byID(ids, values)}, "id IN ? AND creditor_id = ? AND pdf = ''", ids, creditorID)
	if err != nil {
		return nil, err
	}
	if fresh == int64(len(ids)) {
		return sums, nil
	}
	type kept struct {
		ID  int64
		PDF string
	}
	rows, err := scan[[]kept](tx.with(ctx).Model(documentTable(kind)).Select("id, pdf").Where("id IN ? AND creditor_id = ?", ids, creditorID))
	if err != nil {
		return nil, err
	}
	has := make(map[int64]string, len(rows))
	for _, row := range rows {
		has[row.ID] = row.PDF
	}
	return has, nil
}

// LockUndrawn locks those of the creditor's documents of a kind with the IDs that have no PDF yet, and returns their IDs, in order.
func (tx *Tx) LockUndrawn(ctx context.Context, creditorID int64, kind models.DocumentKind, ids []int64) ([]int64, error) {
	return idsOf(forUpdate(tx.with(ctx)).Model(documentTable(kind)).Where("id IN ? AND creditor_id = ? AND pdf = ''", ids, creditorID).Order("id"))
}

// EHF returns the SHA-256 of a document's stored EHF, empty until it is made.
func (r reads) EHF(ctx context.Context, creditorID int64, d models.Document) (string, error) {
	type kept struct {
		EHF string `gorm:"column:ehf"`
	}
	row, err := readOne[kept](r.with(ctx).Model(documentTable(d.Kind)).Select("ehf").Where("id = ? AND creditor_id = ?", d.ID, creditorID), string(d.Kind))
	if err != nil {
		return "", err
	}
	return row.EHF, nil
}

// SetEHF sets a document's EHF unless it has one (rule H2). It returns the EHF that the document then has, and whether it had
// none before.
func (tx *Tx) SetEHF(ctx context.Context, creditorID int64, d models.Document, sha256 string) (sum string, fresh bool, err error) {
	n, err := tx.setSome(ctx, documentTable(d.Kind), map[string]any{"ehf": sha256}, "id = ? AND creditor_id = ? AND ehf = ''", d.ID, creditorID)
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
	InvoiceID    int64
	CreditNoteID int64 // zero for an invoice's
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
