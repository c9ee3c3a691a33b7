package documents

import (
	"cmp"
	"context"
	"maps"
	"slices"

	"purr/models"
	"purr/store"
	"purr/store/archive"
)

// Store makes and keeps PDFs and EHF documents. It is safe for concurrent use, also by several processes.
type Store struct {
	db      *store.DB
	archive *archive.Archive
	logos   logos
}

// New returns the store of the PDFs and the EHF documents of the database's documents. It keeps them in the archive.
func New(db *store.DB, a *archive.Archive) *Store { return &Store{db: db, archive: a} }

// PDF returns a document's PDF, and makes it if it is not made yet. If several callers make it at once, all get
// the bytes of the first. A PDF that the archive has lost or damaged is made again and put back, if that gives the same
// bytes. If not, the error is a *archive.Fault: the creditor or the customer may have changed since (rule O7).
func (s *Store) PDF(ctx context.Context, creditorID int64, d models.Document) ([]byte, error) {
	sum, err := s.db.PDF(ctx, creditorID, d)
	if err != nil {
		return nil, err
	}
	if sum != "" {
		return s.archive.Kept(ctx, s.pdfFile(creditorID, d, sum, nil))
	}
	pdf := s.PDFs(ctx, creditorID, []models.Document{d})[d]
	return pdf.Content, pdf.Err
}

// PDF is a document's PDF with the rows that the database holds of the document, or why there is none.
type PDF struct {
	Rows
	Seller  models.Seller // what it shows of its creditor (rule D112)
	Content []byte
	Err     error
}

// PDFs does for several documents of a creditor what PDF does for one. It reads, keeps and notes them together, and the
// error of one leaves the others alone. It returns a PDF or an error for each document. What is drawn for the first time of those that
// are about to go as EHF, which stands under ehf too, shows what an EHF cannot do without.
func (s *Store) PDFs(ctx context.Context, creditorID int64, ds []models.Document, ehf ...models.Document) map[models.Document]PDF {
	pdfs, err := s.pdfs(ctx, creditorID, ds, ehf)
	if err != nil {
		pdfs = make(map[models.Document]PDF, len(ds))
		for _, d := range ds {
			pdfs[d] = PDF{Err: err}
		}
	}
	return pdfs
}

func (s *Store) pdfs(ctx context.Context, creditorID int64, ds, ehf []models.Document) (map[models.Document]PDF, error) {
	rows, err := ReadAll(ctx, s.db, creditorID, ds)
	if err != nil {
		return nil, err
	}
	pdfs := make(map[models.Document]PDF, len(ds))
	var there, fresh []models.Document
	for _, d := range ds {
		r, is := rows[d]
		switch {
		case !is:
			pdfs[d] = PDF{Err: models.NotFound(string(d.Kind))}
			continue
		case r.Head.PDF == "":
			fresh = append(fresh, d)
		}
		there = append(there, d)
	}
	if len(there) == 0 {
		return pdfs, nil
	}
	if err := s.refuseForgotten(ctx, fresh...); err != nil {
		return nil, err
	}
	src, err := s.readSources(ctx, creditorID, rows, fresh)
	if err != nil {
		return nil, err
	}
	src.sellers.ehf = ehf
	files := make([]archive.File, len(there))
	for i, d := range there {
		files[i] = s.pdfFile(creditorID, d, rows[d].Head.PDF, &src)
	}
	made, err := s.archive.OnceAll(ctx, files, func(ctx context.Context, sums []string) ([]string, error) { return s.note(ctx, src, there, sums) })
	if err != nil {
		return nil, err
	}
	for i, d := range there {
		if pdfs[d] = (PDF{Rows: rows[d], Content: made[i].Content, Err: made[i].Err}); made[i].Err == nil {
			pdfs[d] = PDF{Rows: rows[d], Content: made[i].Content, Seller: src.sellers.of(rows[d])}
		}
	}
	return pdfs, nil
}

// refuseForgotten fails with models.ErrBytesRemoved if one of the documents is of a customer who was forgotten: what was sent had words that
// nobody knows any more (rule O14).
func (s *Store) refuseForgotten(ctx context.Context, ds ...models.Document) error {
	if len(ds) == 0 {
		return nil
	}
	forgotten, err := s.db.IsForgotten(ctx, ds...)
	if err == nil && forgotten {
		err = models.ErrBytesRemoved
	}
	return err
}

// pdfFile is a document's PDF, whose SHA-256 is empty until it is drawn. The first time it is drawn from what is read already.
func (s *Store) pdfFile(creditorID int64, d models.Document, sum string, read *sources) archive.File {
	return archive.File{What: "the PDF of " + d.String(), Sum: sum, Render: func(ctx context.Context, sum string) ([]byte, error) {
		if sum == "" {
			return read.render(ctx, s.db, read.rows[d], read.sellers.of(read.rows[d]))
		}
		return s.drawAgain(ctx, creditorID, d, sum)
	}}
}

// note notes which PDFs were drawn for the first time, what they show of the creditor where that is not kept yet, and the signs that they
// lack. It returns the PDFs that the documents then have.
func (s *Store) note(ctx context.Context, src sources, ds []models.Document, sums []string) (has []string, err error) {
	mine := make(map[models.Document]string)
	for i, d := range ds {
		if sums[i] != "" {
			mine[d] = sums[i]
		}
	}
	shown, left := src.unkept(mine), src.leftOut(mine)
	var kept map[models.Document]string
	err = s.db.InTx(ctx, func(ctx context.Context, tx *store.Tx) (err error) {
		if forgotten, err := tx.IsForgotten(ctx, slices.Collect(maps.Keys(mine))...); err != nil || forgotten {
			return cmp.Or(err, models.ErrBytesRemoved)
		}
		if err := keepSellers(ctx, tx, src.creditor.ID, shown); err != nil {
			return err
		}
		if err := tellOfSigns(ctx, tx, src.creditor.ID, left, src.rows); err != nil {
			return err
		}
		kept, err = tx.SetPDFs(ctx, src.creditor.ID, mine)
		return err
	})
	if err != nil {
		return nil, err
	}
	has = make([]string, len(ds))
	for i, d := range ds {
		has[i] = kept[d]
	}
	return has, nil
}

func (s *Store) drawAgain(ctx context.Context, creditorID int64, d models.Document, sum string) ([]byte, error) {
	r, err := Read(ctx, s.db, creditorID, d)
	if err != nil {
		return nil, err
	}
	src, err := s.readSources(ctx, creditorID, map[models.Document]Rows{d: r}, []models.Document{d})
	if err != nil {
		return nil, err
	}
	pdf, _, err := src.redraw(ctx, s.db, r, sum)
	return pdf, err
}
