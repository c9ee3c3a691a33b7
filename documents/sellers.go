package documents

import (
	"context"
	"slices"
	"time"

	"purr/models"
	"purr/store"
	"purr/store/archive"
)

// sellers are what documents of a creditor show of it (rule D112).
type sellers struct {
	now  models.Seller
	kept map[int64]models.Seller // by ID
	old  []store.KnownSeller     // for documents of releases that kept none: what is known of earlier days, oldest first
	ehf  []models.Document       // that are expressed as EHF
}

// readSellers reads what the documents show of their creditor, which is given as it is now.
func readSellers(ctx context.Context, db *store.DB, c models.Creditor, rows map[models.Document]Rows) (s sellers, err error) {
	s.now = c.Seller()
	var ids []int64
	for d, r := range rows {
		ids = append(ids, r.sellerID(d.Kind))
		if d.Kind == models.NoticeDocument {
			ids = append(ids, r.Invoice.SellerID)
		}
	}
	slices.Sort(ids)
	ids = slices.Compact(ids)
	if ids[0] == 0 {
		if s.old, err = db.SellersOf(ctx, c.ID); err != nil {
			return sellers{}, err
		}
	}
	s.kept, err = db.SellersByID(ctx, c.ID, ids)
	return s, err
}

// issuedBy returns what a document of a moment had to show when it was issued. Of a document of a release that did not keep it, that
// is what is known of its day, or the earliest that is known.
func (s sellers) issuedBy(id int64, at time.Time) models.Seller {
	if kept, there := s.kept[id]; there {
		return kept
	}
	if len(s.old) == 0 {
		return s.now
	}
	issued := s.old[0].Seller
	for _, known := range s.old {
		if !known.Since.After(at) {
			issued = known.Seller
		}
	}
	return issued
}

// of returns what a document shows: the creditor as it was when the document was issued. Until it is drawn or expressed for the first time
// it gets the name of a creditor that had none, and if it is expressed as EHF, what that cannot do without.
func (s sellers) of(d models.Document, r Rows) models.Seller {
	issued := s.issuedBy(r.sellerID(d.Kind), r.createdAt(d.Kind))
	switch {
	case r.PDF(d.Kind) != "" || r.ehf(d.Kind) != "":
		return issued
	case slices.Contains(s.ehf, d):
		return issued.Expressible(s.now)
	}
	return issued.Named(s.now)
}

// addTo adds to PDFs what they show of their creditor.
func (s sellers) addTo(pdfs map[models.Document]PDF) {
	for d, p := range pdfs {
		if p.Err == nil {
			p.Seller = s.of(d, p.Rows)
			pdfs[d] = p
		}
	}
}

// candidates returns all that a drawn document may show: one, unless a release that did not keep it has drawn the document.
func (s sellers) candidates(r Rows, kind models.DocumentKind) []models.Seller {
	all := []models.Seller{s.issuedBy(r.sellerID(kind), r.createdAt(kind))}
	if _, there := s.kept[r.sellerID(kind)]; there {
		return all
	}
	for _, known := range s.old {
		all = append(all, known.Seller)
	}
	return append(all, s.now)
}

// sellerID returns the ID of what the document, which is of the kind, shows of its creditor; zero if none was kept.
func (r Rows) sellerID(kind models.DocumentKind) int64 {
	switch kind {
	case models.CreditNoteDocument:
		return r.CreditNote.SellerID
	case models.NoticeDocument:
		return r.Notice.SellerID
	case models.StatementDocument:
		return r.Statement.SellerID
	case models.InvoiceDocument:
	}
	return r.Invoice.SellerID
}

// createdAt returns when the document, which is of the kind, was issued.
func (r Rows) createdAt(kind models.DocumentKind) time.Time {
	switch kind {
	case models.CreditNoteDocument:
		return r.CreditNote.CreatedAt
	case models.NoticeDocument:
		return r.Notice.CreatedAt
	case models.StatementDocument:
		return r.Statement.CreatedAt
	case models.InvoiceDocument:
	}
	return r.Invoice.CreatedAt
}

// ehf returns the SHA-256 of the stored EHF of the document, which is of the kind; empty until it is made.
func (r Rows) ehf(kind models.DocumentKind) string {
	switch kind {
	case models.CreditNoteDocument:
		return r.CreditNote.EHF
	case models.NoticeDocument:
		return r.Notice.EHF
	case models.StatementDocument:
		return ""
	case models.InvoiceDocument:
	}
	return r.Invoice.EHF
}

// Seller returns what the EHF of a document shows of its creditor, which is given as it is now.
func (s *Store) Seller(ctx context.Context, c models.Creditor, d models.Document) (models.Seller, error) {
	r, err := Read(ctx, s.db, c.ID, d)
	if err != nil {
		return models.Seller{}, err
	}
	return s.sellerOf(ctx, c, d, r)
}

// sellerOf does for rows that were read what Seller does. Of a document that a release drew which did not keep it, it finds out
// what the PDF shows, as far as it is known at all.
func (s *Store) sellerOf(ctx context.Context, c models.Creditor, d models.Document, r Rows) (models.Seller, error) {
	rows := map[models.Document]Rows{d: r}
	sum := r.PDF(d.Kind)
	if sum == "" || r.sellerID(d.Kind) != 0 {
		found, err := readSellers(ctx, s.db, c, rows)
		if err != nil {
			return models.Seller{}, err
		}
		found.ehf = []models.Document{d}
		return found.of(d, r), nil
	}
	src, err := readSources(ctx, s.db, c.ID, rows)
	if err != nil {
		return models.Seller{}, err
	}
	_, shown, err := src.redraw(ctx, s.db, d, sum)
	return shown, err
}

// redraw draws a document again whose PDF had the SHA-256, and returns what it shows of the creditor. If no drawing has it, the
// first is returned.
func (src sources) redraw(ctx context.Context, db *store.DB, d models.Document, sum string) (pdf []byte, shown models.Seller, err error) {
	candidates := src.sellers.candidates(src.rows[d], d.Kind)
	for i, seller := range candidates {
		made, err := src.render(ctx, db, d, seller)
		if err != nil {
			return nil, models.Seller{}, err
		}
		if archive.Sum(made) == sum {
			return made, seller, nil
		}
		if i == 0 {
			pdf = made
		}
	}
	return pdf, candidates[0], nil
}

// keepSellers keeps what documents show that are drawn or expressed for the first time, where it is not kept yet: in documents of
// releases that did not, and where something was completed.
func keepSellers(ctx context.Context, tx *store.Tx, creditorID int64, shown map[models.Document]models.Seller) error {
	type group struct {
		kind   models.DocumentKind
		seller models.Seller
	}
	alike := map[group][]int64{}
	for d, seller := range shown {
		g := group{d.Kind, seller}
		alike[g] = append(alike[g], d.ID)
	}
	for g, ids := range alike {
		id, err := tx.KeepSeller(ctx, creditorID, g.seller)
		if err != nil {
			return err
		}
		if err := tx.SetSeller(ctx, creditorID, g.kind, ids, id); err != nil {
			return err
		}
	}
	return nil
}

// unkept returns of fresh documents what they show, where that is not kept with them.
func (s sellers) unkept(rows map[models.Document]Rows, fresh []models.Document) map[models.Document]models.Seller {
	shown := map[models.Document]models.Seller{}
	for _, d := range fresh {
		of := s.of(d, rows[d])
		if kept, there := s.kept[rows[d].sellerID(d.Kind)]; !there || kept != of {
			shown[d] = of
		}
	}
	return shown
}
