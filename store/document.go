package store

import (
	"context"

	"purr/models"
)

// documentTable is where a kind of document lives.
func documentTable(kind models.DocumentKind) any {
	switch kind {
	case models.InvoiceDocument:
		return &models.Invoice{}
	case models.CreditNoteDocument:
		return &models.CreditNote{}
	default:
		return &models.Notice{}
	}
}

// PDF returns the SHA-256 of a document's stored PDF, empty until it is made.
func (r reads) PDF(ctx context.Context, creditorID int64, d models.Document) (string, error) {
	var row struct{ PDF string }
	err := r.with(ctx).Model(documentTable(d.Kind)).Select("pdf").Where("id = ? AND creditor_id = ?", d.ID, creditorID).Take(&row).Error
	return row.PDF, classify(err, string(d.Kind))
}

// SetPDF notes a document's PDF unless it has one (rule D35), and returns the one that holds.
func (tx *Tx) SetPDF(ctx context.Context, creditorID int64, d models.Document, sha256 string) (string, error) {
	err := tx.update(ctx, documentTable(d.Kind), map[string]any{"pdf": sha256}, "id = ? AND creditor_id = ? AND pdf = ''", d.ID, creditorID)
	if err != nil {
		return "", err
	}
	return tx.PDF(ctx, creditorID, d)
}
