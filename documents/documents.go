// Package documents makes each document's PDF once and keeps it, so that the same bytes are answered and
// sent ever after (rule D35). It knows neither who asks nor how documents are sent.
package documents

import (
	"bytes"
	"context"
	"fmt"

	"purr/archive"
	"purr/models"
	"purr/store"
)

// Store makes and keeps PDFs. It is safe for concurrent use, also by several processes.
type Store struct {
	db      *store.DB
	archive *archive.Archive
}

// New returns the store of the documents in the database, which keeps their PDFs in the archive.
func New(db *store.DB, a *archive.Archive) *Store { return &Store{db, a} }

// PDF returns a document's PDF, and makes it where that has not been done. Of several that make it at
// once all get the bytes of the one that was first.
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
