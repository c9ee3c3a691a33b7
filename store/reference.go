package store

import "context"

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
	var rows []Reference
	if err := r.with(ctx).Where("creditor_id = ? AND kid IN ?", creditorID, kids).Find(&rows).Error; err != nil {
		return nil, classify(err, "")
	}
	found := make(map[string]Reference, len(rows))
	for _, row := range rows {
		found[row.KID] = row
	}
	return found, nil
}

// CreateReferences keeps the KIDs of new documents.
func (tx *Tx) CreateReferences(ctx context.Context, rs []Reference) error { return tx.insert(ctx, &rs) }
