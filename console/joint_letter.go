package console

import (
	"context"

	"purr/documents"
	"purr/models"
)

// jointLetterPage is a letter for several invoices of a customer (rule L23).
type jointLetterPage struct {
	view
	documents.Rows
	Fee models.Amount
}

// jointLetter reads the letter with the number in the path.
func (s *Server) jointLetter(ctx context.Context, rq *request) (documents.Rows, error) {
	number, err := rq.pathID("letter")
	if err != nil {
		return documents.Rows{}, err
	}
	l, err := s.db.LetterByNumber(ctx, rq.creditor.ID, number)
	if err != nil {
		return documents.Rows{}, err
	}
	return documents.Read(ctx, s.db, rq.creditor.ID, l.Document())
}

// jointLetterPage shows the letter with its invoices.
func (s *Server) jointLetterPage(ctx context.Context, rq *request) (reply, error) {
	rows, err := s.jointLetter(ctx, rq)
	if err != nil {
		return reply{}, err
	}
	p := &jointLetterPage{view: rq.view("joint_letter.title", "number", toPath(rows.Letter.Number)), Rows: rows}
	for _, part := range rows.Parts {
		p.Fee += part.Notice.Fee
	}
	return show("joint_letter", p)
}

// jointLetterPDF answers with the letter as a PDF.
func (s *Server) jointLetterPDF(ctx context.Context, rq *request) (reply, error) {
	rows, err := s.jointLetter(ctx, rq)
	if err != nil {
		return reply{}, err
	}
	return s.pdf(ctx, rq, rows.Document, rows.Letter.Number)
}
