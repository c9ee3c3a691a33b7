package api

import (
	"context"
	"encoding/csv"
	"encoding/xml"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"time"

	"purr/ledger/receivables"
	"purr/models"
	"purr/store"
)

// monthXML is what moved receivables in a month (rule N5). Every amount says by how much customers owe more.
type monthXML struct {
	XMLName    xml.Name      `xml:"month_report"`
	Month      models.Month  `xml:"month,attr"`
	Opening    models.Amount `xml:"opening,attr"`
	Closing    models.Amount `xml:"closing,attr"`
	Invoiced   invoicedXML   `xml:"invoiced"`
	Credited   creditedXML   `xml:"credited"`
	Fees       amountXML     `xml:"fees"`
	Interest   amountXML     `xml:"interest"`
	Reversals  amountXML     `xml:"reversals"`
	Paid       paidXML       `xml:"paid"`
	PaidBack   amountXML     `xml:"paid_back"`
	Moved      amountXML     `xml:"moved"`
	Adopted    *amountXML    `xml:"adopted"` // absent where nothing was adopted
	WrittenOff amountXML     `xml:"written_off"`
}

type amountXML struct {
	Amount models.Amount `xml:"amount,attr"`
}

type invoicedXML struct {
	Net   models.Amount `xml:"net,attr"`
	Gross models.Amount `xml:"gross,attr"`
	VAT   []vatSumXML   `xml:"vat"`
}

type creditedXML struct {
	Amount models.Amount `xml:"amount,attr"`
	Net    models.Amount `xml:"net,attr"`
	VAT    []vatSumXML   `xml:"vat"`
}

type vatSumXML struct {
	Rate   models.Percent `xml:"rate,attr"`
	Net    models.Amount  `xml:"net,attr"`
	Amount models.Amount  `xml:"amount,attr"`
}

// paidXML is what was paid, by how it came to be known: from the bank, from a person, from the debt collector's reports (rule C1).
type paidXML struct {
	Bank      models.Amount `xml:"bank,attr"`
	ByHand    models.Amount `xml:"by_hand,attr"`
	Collector models.Amount `xml:"collector,attr"`
}

func vatSums(t receivables.Taxed) (shown []vatSumXML) {
	for _, v := range t.VAT {
		shown = append(shown, vatSumXML(v))
	}
	return shown
}

// showMonth shows what moved receivables in a month.
func (s *Server) showMonth(ctx context.Context, rq *request) (answer, error) {
	q := rq.query()
	month := q.month("month")
	if err := q.done(); err != nil {
		return answer{}, err
	}
	var r receivables.MonthReport
	err := s.db.View(ctx, func(v store.View) (err error) {
		r, err = receivables.ReadMonth(ctx, v, rq.creditor, month)
		return err
	})
	if err != nil {
		return answer{}, err
	}
	of := func(m models.Movement) amountXML { return amountXML{r.Of(m).Amount} }
	shown := monthXML{
		Month: month, Opening: r.Opening, Closing: r.Closing,
		Invoiced: invoicedXML{r.Invoiced.Net, r.Invoiced.Gross, vatSums(r.Invoiced)}, Credited: creditedXML{r.Credited.Gross, r.Credited.Net, vatSums(r.Credited)},
		Fees: of(models.MovementFee), Interest: of(models.MovementInterest), Reversals: of(models.MovementReversal),
		Paid:     paidXML{Bank: r.Of(models.MovementPaidBank).Amount, ByHand: r.Of(models.MovementPaidByHand).Amount, Collector: r.Of(models.MovementCollector).Amount},
		PaidBack: of(models.MovementPaidBack), Moved: of(models.MovementMoved), WrittenOff: amountXML{r.WrittenOff},
	}
	if r.Of(models.MovementAdopted).Items > 0 {
		shown.Adopted = new(of(models.MovementAdopted))
	}
	return rq.ok(shown)
}

// month reads a month, which the request must have.
func (q *query) month(name string) models.Month {
	text, sent := q.text(name)
	if !sent {
		q.fault("required", name, "is required: a month of the form yyyy-mm")
		return 0
	}
	month, err := models.ParseMonth(text)
	if err != nil {
		q.fault("invalid_month", name, "must be a month of the form yyyy-mm")
	}
	return month
}

// ledgerTitles are the titles of the ledger in CSV.
var ledgerTitles = []string{
	"date", "booked_at", "kind", "deleted", "document", "customer", "customer_number", "name1", "kid", "amount", "balance", "who", "comment",
}

// ledgerReport shows in CSV all that was booked on some days, in the order of booking, with what all customers owe after each row.
func (s *Server) ledgerReport(_ context.Context, rq *request) (answer, error) {
	q := rq.query()
	d := store.Dates{From: q.date("from"), To: q.date("to")}
	if format, sent := q.text("format"); sent && format != "csv" {
		q.fault("unknown_format", "format", "must be csv")
	}
	if d.To != 0 && d.To < d.From {
		q.fault("invalid_period", "to", "must not be before from")
	}
	if err := q.done(); err != nil {
		return answer{}, err
	}
	return s.streamed("ledger.csv", func(to io.Writer) error {
		w := csv.NewWriter(to)
		_ = w.Write(ledgerTitles) // the writer keeps its first error until the end
		err := receivables.EachInLedger(rq.r.Context(), s.db, rq.creditor, d, "", func(r receivables.LedgerRow) error { return w.Write(ledgerRow(r, rq.zone)) })
		if err != nil {
			return err
		}
		w.Flush()
		return w.Error()
	}), nil
}

func ledgerRow(r receivables.LedgerRow, zone *time.Location) []string {
	deleted, document := "", fmt.Sprintf("invoice %d", r.InvoiceNumber)
	if r.DeletionID != 0 {
		deleted = "1"
	}
	if r.CreditNoteNumber != 0 {
		document = fmt.Sprintf("credit note %d", r.CreditNoteNumber)
	}
	return []string{
		r.TransactionDate.String(), r.BookedAt.In(zone).Format("2006-01-02 15:04:05"), string(r.Movement), deleted, document,
		strconv.FormatInt(r.CustomerID, 10), models.CSVCell(r.CustomerNumber), models.CSVCell(r.CustomerName), r.KID,
		r.Amount.String(), r.Balance.String(), models.CSVCell(r.Actor), models.CSVCell(r.Comment),
	}
}

// streamed answers with a CSV file that is written while it is read, so that memory stays flat. A file that breaks off ends the
// connection, so that nobody takes a part for the whole.
func (s *Server) streamed(name string, write func(to io.Writer) error) answer {
	from, to := io.Pipe()
	go func() {
		defer func() {
			if p := recover(); p != nil {
				to.CloseWithError(fmt.Errorf("panic: %v", p))
			}
		}()
		to.CloseWithError(write(to)) // nil ends the file
	}()
	header := http.Header{"Content-Disposition": {fmt.Sprintf(`attachment; filename="%s"`, name)}}
	return answer{status: http.StatusOK, contentType: csvType, header: header, file: from, streamed: true}
}
