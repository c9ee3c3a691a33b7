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

// KIDTaken reports whether a document of the creditor was ever sent with the KID.
func (r reads) KIDTaken(ctx context.Context, creditorID int64, kid string) (bool, error) {
	var n int64
	err := r.with(ctx).Model(&Reference{}).Where("creditor_id = ? AND kid = ?", creditorID, kid).Count(&n).Error
	return n > 0, classify(err, "")
}

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
