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
		ids = append(ids, r.Head.SellerID)
		if d.Kind == models.NoticeDocument || d.Kind == models.PlanDocument {
			ids = append(ids, r.Invoice.SellerID)
		}
		for _, p := range r.Parts {
			ids = append(ids, p.Invoice.SellerID)
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
func (s sellers) of(r Rows) models.Seller {
	issued := s.issuedBy(r.Head.SellerID, r.Head.CreatedAt)
	switch {
	case r.Head.PDF != "" || r.Head.EHF != "":
		return issued
	case slices.Contains(s.ehf, r.Document):
		return issued.Expressible(s.now)
	}
	return issued.Named(s.now)
}

// candidates returns all that a drawn document may show: one, unless a release that did not keep it has drawn the document.
func (s sellers) candidates(r Rows) []models.Seller {
	all := []models.Seller{s.issuedBy(r.Head.SellerID, r.Head.CreatedAt)}
	if _, there := s.kept[r.Head.SellerID]; there {
		return all
	}
	for _, known := range s.old {
		all = append(all, known.Seller)
	}
	return append(all, s.now)
}

// Seller returns what the EHF of a document shows of its creditor, which is given as it is now.
func (s *Store) Seller(ctx context.Context, c models.Creditor, d models.Document) (models.Seller, error) {
	r, err := Read(ctx, s.db, c.ID, d)
	if err != nil {
		return models.Seller{}, err
	}
	return s.sellerOf(ctx, c, r)
}

// sellerOf does for rows that were read what Seller does. Of a document that a release drew which did not keep it, it finds out
// what the PDF shows, as far as it is known at all.
func (s *Store) sellerOf(ctx context.Context, c models.Creditor, r Rows) (models.Seller, error) {
	d := r.Document
	rows := map[models.Document]Rows{d: r}
	if r.Head.PDF == "" || r.Head.SellerID != 0 {
		found, err := readSellers(ctx, s.db, c, rows)
		if err != nil {
			return models.Seller{}, err
		}
		found.ehf = []models.Document{d}
		return found.of(r), nil
	}
	src, err := s.readSources(ctx, c.ID, rows, []models.Document{d})
	if err != nil {
		return models.Seller{}, err
	}
	_, shown, err := src.redraw(ctx, s.db, r, r.Head.PDF)
	return shown, err
}

// redraw draws a document again whose PDF had the SHA-256, and returns what it shows of the creditor. If no drawing has it, the
// first is returned.
func (src sources) redraw(ctx context.Context, db *store.DB, r Rows, sum string) (pdf []byte, shown models.Seller, err error) {
	candidates := src.sellers.candidates(r)
	for i, seller := range candidates {
		made, err := src.render(ctx, db, r, seller)
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

// unkept returns of documents that are drawn what they show, where that is not kept with them.
func (src sources) unkept(drawn map[models.Document]string) map[models.Document]models.Seller {
	shown := map[models.Document]models.Seller{}
	for d := range drawn {
		of := src.sellers.of(src.rows[d])
		if kept, there := src.sellers.kept[src.rows[d].Head.SellerID]; !there || kept != of {
			shown[d] = of
		}
	}
	return shown
}
