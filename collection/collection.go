// Package collection makes what a debt collector gets of a claim: the bundle of a hand-over, which is made once
// and kept, and the withdrawal of a hand-over. It does not know how they are delivered or who asks for them.
package collection

import (
	"bytes"
	"context"
	"fmt"

	"purr/archive"
	"purr/documents"
	"purr/dunning/law"
	"purr/models"
	"purr/store"
)

// Store makes and keeps collection bundles. It is safe for concurrent use, also by several processes.
type Store struct {
	db        *store.DB
	documents *documents.Store
	archive   *archive.Archive
	rules     *law.Rules
}

// New returns the store of the bundles of the hand-overs in db. It keeps them in the archive a.
func New(db *store.DB, d *documents.Store, a *archive.Archive, r *law.Rules) *Store {
	return &Store{db, d, a, r}
}

// File is a file by its name.
type File struct {
	Name    string
	Content []byte
}

// Bundle returns the bundle of a hand-over, a zip file. It makes the bundle and its PDFs if they are not made yet.
// Callers at the same time all get the same bytes.
func (s *Store) Bundle(ctx context.Context, h models.HandOver) (File, error) {
	invoice, err := s.db.Invoice(ctx, h.CreditorID, h.InvoiceID)
	if err != nil {
		return File{}, err
	}
	name := h.Name(invoice.Number) + ".zip"
	if h.Bundle == "" {
		if h.Bundle, err = s.build(ctx, h); err != nil {
			return File{}, fmt.Errorf("make the collection bundle %s: %w", name, err)
		}
	}
	content, err := s.archive.Read(h.Bundle)
	if err != nil {
		return File{}, err
	}
	return File{name, content}, nil
}

// build makes the bundle and keeps it. It returns the SHA-256 of the bundle that was kept first.
func (s *Store) build(ctx context.Context, h models.HandOver) (string, error) {
	var c claim
	if err := s.db.View(ctx, func(v store.View) (err error) { c, err = s.read(ctx, v, h); return err }); err != nil {
		return "", err
	}
	files, err := s.files(ctx, c)
	if err != nil {
		return "", err
	}
	zipped, err := zipped(files, h.HandedOver)
	if err != nil {
		return "", err
	}
	made, _, err := s.archive.Put(ctx, bytes.NewReader(zipped))
	if err != nil {
		return "", err
	}
	var sum string
	err = s.db.InTx(ctx, func(tx *store.Tx) error {
		sum, err = tx.SetBundle(ctx, h.CreditorID, h.ID, made)
		return err
	})
	if err != nil {
		return "", err
	}
	return sum, nil
}

// files returns the files of a bundle in order: the claim, the documents, and the manifest.
func (s *Store) files(ctx context.Context, c claim) ([]File, error) {
	files, err := c.tables()
	if err != nil {
		return nil, err
	}
	for _, d := range c.documents {
		pdf, err := s.documents.PDF(ctx, c.creditor.ID, d.document)
		if err != nil {
			return nil, err
		}
		files = append(files, File{d.name, pdf})
	}
	lists, err := manifest(c, files)
	if err != nil {
		return nil, err
	}
	return append(files, lists...), nil
}

// Withdrawal returns the file by which a hand-over is withdrawn from the collector.
func (s *Store) Withdrawal(ctx context.Context, h models.HandOver) (File, error) {
	invoice, err := s.db.Invoice(ctx, h.CreditorID, h.InvoiceID)
	if err != nil {
		return File{}, err
	}
	creditor, err := s.db.Creditor(ctx, h.CreditorID)
	if err != nil {
		return File{}, err
	}
	bundle := h.Name(invoice.Number)
	content, err := asXML(withdrawalXML{
		Creditor: partyOf(creditor), Invoice: invoice.Number, KID: invoice.KID, HandOver: h.ID, Bundle: bundle + ".zip",
		HandedOver: h.HandedOver, TakenBack: h.TakenBack,
	})
	if err != nil {
		return File{}, err
	}
	return File{bundle + "-taken-back.xml", content}, nil
}
