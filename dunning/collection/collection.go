// Package collection makes what a debt collector gets of a claim: the bundle of a hand-over, which is made once
// and kept, and the withdrawal of a hand-over. It does not know how they are delivered or who asks for them.
package collection

import (
	"context"
	"fmt"

	"purr/documents"
	"purr/law"
	"purr/models"
	"purr/store"
	"purr/store/archive"
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
// Callers at the same time all get the same bytes. A bundle that the archive has lost or damaged is made again and put
// back, if that gives the same bytes. If not, the error is a *archive.Fault (rule O7).
func (s *Store) Bundle(ctx context.Context, h models.HandOver) (File, error) {
	invoice, err := s.db.Invoice(ctx, h.CreditorID, h.InvoiceID)
	if err != nil {
		return File{}, err
	}
	name := h.Name(invoice.Number) + ".zip"
	content, err := s.bundle(ctx, h)
	if err != nil {
		return File{}, fmt.Errorf("the collection bundle %s: %w", name, err)
	}
	return File{name, content}, nil
}

// bundle returns the bytes of a bundle: those that were kept first.
func (s *Store) bundle(ctx context.Context, h models.HandOver) ([]byte, error) {
	made := archive.File{Sum: h.Bundle, Render: func(ctx context.Context, _ string) ([]byte, error) { return s.build(ctx, h) }}
	return s.archive.Once(ctx, made, func(ctx context.Context, sum string) (kept string, err error) {
		err = s.db.InTx(ctx, func(ctx context.Context, tx *store.Tx) error {
			kept, err = tx.SetBundle(ctx, h.CreditorID, h.ID, sum)
			return err
		})
		return kept, err
	})
}

// build makes the bundle of the claim as it was handed over.
func (s *Store) build(ctx context.Context, h models.HandOver) ([]byte, error) {
	var c claim
	if err := s.db.View(ctx, func(v store.View) (err error) { c, err = s.read(ctx, v, h); return err }); err != nil {
		return nil, err
	}
	files, err := s.files(ctx, c)
	if err != nil {
		return nil, err
	}
	return zipped(files, h.HandedOver)
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
	creditor, err := creditorOf(ctx, s.db, h)
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

// reader is a database, or a view of one.
type reader interface {
	Creditor(ctx context.Context, id int64) (models.Creditor, error)
	SellersByID(ctx context.Context, creditorID int64, ids []int64) (map[int64]models.Seller, error)
}

// creditorOf returns the creditor of a hand-over as it was then (rule D112). Of a hand-over of a release that did not keep it,
// that is as it is now.
func creditorOf(ctx context.Context, from reader, h models.HandOver) (models.Creditor, error) {
	c, err := from.Creditor(ctx, h.CreditorID)
	if err != nil || h.SellerID == 0 {
		return c, err
	}
	kept, err := from.SellersByID(ctx, h.CreditorID, []int64{h.SellerID})
	if err != nil {
		return models.Creditor{}, err
	}
	if then, there := kept[h.SellerID]; there {
		c = c.As(then)
	}
	return c, nil
}
