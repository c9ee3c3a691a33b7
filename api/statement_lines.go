package api

import (
	"bytes"
	"context"
	"encoding/xml"

	"purr/models"
	"purr/store"
)

// statementLineXML is a statement line, with how its transactions were matched on import (rule E4).
type statementLineXML struct {
	XMLName      xml.Name      `xml:"statement_line"`
	Account      string        `xml:"account"`
	Date         models.Date   `xml:"transaction_date"`
	Format       string        `xml:"format"`
	Settlement   *settlement   // only in OCR giro
	Reference    *string       `xml:"reference"` // only in camt.054
	PaymentFile  link          `xml:"payment_file"`
	Transactions int           `xml:"transactions"`
	Amount       models.Amount `xml:"amount"`
	FileAmount   models.Amount `xml:"file_amount"`
	Matched      fileSum       `xml:"matched"`
	Unmatched    fileSum       `xml:"unmatched"`
	Duplicates   fileSum       `xml:"duplicates"`
}

type settlement struct {
	XMLName xml.Name `xml:"settlement"`
	Centre  string   `xml:"centre,attr"`
	DayCode string   `xml:"day_code,attr"`
	Partial string   `xml:"partial_settlement,attr"`
	Serial  string   `xml:"serial_number,attr"`
}

func (rq *request) statementLine(l models.StatementLine) statementLineXML {
	x := statementLineXML{
		Account: l.Account, Date: l.TransactionDate, Format: l.Format, PaymentFile: link{rq.uri("payment_file", l.PaymentFileID)},
		Transactions: l.Transactions, Amount: l.Amount, FileAmount: l.FileAmount, Matched: fileSum{l.Matched, l.MatchedAmount},
		Unmatched: fileSum{l.Unmatched, l.UnmatchedAmount}, Duplicates: fileSum{l.Duplicates, l.DuplicatesAmount},
	}
	if s, is := l.Settlement(); is {
		x.Settlement = &settlement{Centre: s.Centre, DayCode: s.DayCode, Partial: s.Partial, Serial: s.Serial}
	} else {
		x.Reference = &l.Reference
	}
	return x
}

// listStatementLines lists the statement lines: a page in XML, or all of them in CSV.
func (s *Server) listStatementLines(ctx context.Context, rq *request) (answer, error) {
	q := rq.query()
	f := store.StatementFilter{Dates: q.dates()}
	f.Account, _ = q.text("account")
	if format, sent := q.text("format"); sent {
		if format != "csv" {
			q.fault("unknown_format", "format", "must be csv; without it a list is XML or JSON, as Accept asks")
		}
		return s.statementCSV(ctx, rq, q, f)
	}
	return listed("statement_lines", q, rq.statementLine, func(p store.Page) ([]models.StatementLine, int64, error) {
		return s.db.StatementLines(ctx, rq.creditor.ID, f, p)
	})
}

// listFileStatementLines lists the statement lines of the payment file in the path.
func (s *Server) listFileStatementLines(ctx context.Context, rq *request) (answer, error) {
	id, err := rq.pathID()
	if err != nil {
		return answer{}, err
	}
	return listed("statement_lines", rq.query(), rq.statementLine, func(p store.Page) ([]models.StatementLine, int64, error) {
		file, err := s.db.PaymentFileOf(ctx, rq.creditor.ID, id)
		if err != nil {
			return nil, 0, err
		}
		if file.UnderWay() {
			return nil, 0, models.NotFound("payment file")
		}
		return s.db.StatementLinesOf(ctx, rq.creditor.ID, id, p)
	})
}

// statementCSV answers with all statement lines in CSV. It holds them in memory. They are few: a line is a lump sum of
// many payments.
func (s *Server) statementCSV(ctx context.Context, rq *request, q *query, f store.StatementFilter) (answer, error) {
	if err := q.done(); err != nil {
		return answer{}, err
	}
	var body bytes.Buffer
	err := models.WriteStatementCSV(&body, func(do func(models.StatementLine) error) error {
		return s.db.EachStatementLine(ctx, rq.creditor.ID, f, do)
	})
	if err != nil {
		return answer{}, err
	}
	return file(csvType, "attachment", "statement_lines.csv", body.Bytes()), nil
}
