package api

import (
	"bytes"
	"context"
	"encoding/csv"
	"encoding/xml"
	"fmt"
	"net/http"

	"purr/models"
	"purr/store"
)

// statementLineXML is a line of the bank's statement, and what became of its transactions when they came (rule E4).
type statementLineXML struct {
	XMLName      xml.Name      `xml:"statement_line"`
	Account      string        `xml:"account"`
	Date         models.Date   `xml:"transaction_date"`
	Format       string        `xml:"format"`
	Settlement   *settlement   // of OCR giro
	Reference    *string       `xml:"reference"` // of camt.054
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

// listStatementLines answers with the lines of the bank's statement, a page of them or all of them as CSV.
func (s *Server) listStatementLines(ctx context.Context, rq *request) (answer, error) {
	q := rq.query()
	f := store.StatementFilter{Dates: q.dates()}
	f.Account, _ = q.text("account")
	format, sent := q.text("format")
	if sent && format != "csv" {
		q.fault("unknown_format", "format", "must be csv; without it a list is XML")
	}
	var p store.Page
	if !sent {
		p = q.page()
	}
	if err := q.done(); err != nil {
		return answer{}, err
	}
	if sent {
		return s.statementCSV(ctx, rq, f)
	}
	found, total, err := s.db.StatementLines(ctx, rq.creditor.ID, f, p)
	if err != nil {
		return answer{}, err
	}
	return listed("statement_lines", p, found, total, rq.statementLine)
}

// listFileStatementLines answers with what the file in the path brought of lines of the bank's statement.
func (s *Server) listFileStatementLines(ctx context.Context, rq *request) (answer, error) {
	id, err := rq.pathID()
	if err != nil {
		return answer{}, err
	}
	q := rq.query()
	p := q.page()
	if err := q.done(); err != nil {
		return answer{}, err
	}
	file, err := s.db.PaymentFileOf(ctx, rq.creditor.ID, id)
	if err != nil {
		return answer{}, err
	}
	if file.UnderWay() {
		return answer{}, models.NotFound("payment file")
	}
	found, total, err := s.db.StatementLinesOf(ctx, rq.creditor.ID, id, p)
	if err != nil {
		return answer{}, err
	}
	return listed("statement_lines", p, found, total, rq.statementLine)
}

// statementCSV answers with all lines as comma-separated values, a row of some hundred bytes for each: a line stands for
// a lump sum, so that they are few beside the payments.
func (s *Server) statementCSV(ctx context.Context, rq *request, f store.StatementFilter) (answer, error) {
	var body bytes.Buffer
	w := csv.NewWriter(&body)
	if err := w.Write(models.StatementColumns); err != nil {
		return answer{}, fmt.Errorf("write statement lines: %w", err)
	}
	err := s.db.EachStatementLine(ctx, rq.creditor.ID, f, func(l models.StatementLine) error { return w.Write(l.Row()) })
	if err != nil {
		return answer{}, err
	}
	w.Flush()
	header := http.Header{"Content-Disposition": {`attachment; filename="statement_lines.csv"`}}
	return answer{status: http.StatusOK, contentType: "text/csv; charset=utf-8; header=present", header: header, body: body.Bytes()}, w.Error()
}
