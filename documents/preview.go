package documents

import (
	"context"

	"purr/models"
)

// Preview draws an invoice that was not issued. It has no number and no KID yet.
func (s *Store) Preview(c models.Creditor, i models.Invoice, lines []models.Line, language string) ([]byte, error) {
	logo, err := s.DrawnLogo(c.Seller())
	if err != nil {
		return nil, err
	}
	return drawInvoice(context.Background(), s.db, drawing{Rows: Rows{Invoice: i}, creditor: c, logo: logo, lines: lines, language: language})
}

// PreviewNotice draws a notice that was not issued, marked as a preview (rule L24). earlier are the notices that were issued on the
// invoice. Nothing of it is kept.
func (s *Store) PreviewNotice(ctx context.Context, i models.Invoice, n models.Notice, lines []models.NoticeLine, earlier []models.Notice) ([]byte, error) {
	r := Rows{Document: n.Document(), Invoice: i, Notice: n}
	src, err := s.readSources(ctx, i.CreditorID, map[models.Document]Rows{r.Document: r}, nil)
	if err != nil {
		return nil, err
	}
	claim, err := s.db.LinesOfInvoices(ctx, []int64{i.ID})
	if err != nil {
		return nil, err
	}
	seller := src.creditor.Seller()
	logo, err := s.DrawnLogo(seller)
	if err != nil {
		return nil, err
	}
	src.noticeLines, src.notices = map[int64][]models.NoticeLine{n.ID: lines}, map[int64][]models.Notice{i.ID: earlier}
	return drawNotice(ctx, s.db, drawing{
		Rows: r, sources: src, seller: seller, creditor: src.creditor.As(seller), logo: logo, lines: claim[i.ID], language: n.Language, preview: true,
	})
}
