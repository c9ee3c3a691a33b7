package accounts

import (
	"encoding/csv"
	"io"
	"strconv"

	"purr/models"
)

// csvTitles are the columns of the journal in CSV. They never change.
var csvTitles = []string{
	"date", "voucher", "line", "kind", "account", "vat_code", "vat_percent", "debit", "credit", "net", "vat",
	"customer", "customer_number", "customer_name", "invoice", "credit_note", "kid", "due_date", "booked_on", "own_date", "text",
}

// csvForm writes the journal with all its columns: a row for each line of each voucher.
type csvForm struct {
	nothingToClose
	to *csv.Writer
}

func newCSV(to io.Writer, _ head) (writer, error) {
	w := csv.NewWriter(to)
	return csvForm{to: w}, w.Write(csvTitles)
}

func (f csvForm) voucher(v Voucher) error {
	for n, l := range v.Lines {
		if err := f.to.Write(csvRow(v, n, l)); err != nil {
			return err
		}
	}
	return nil
}

func (f csvForm) end(*summary) error {
	f.to.Flush()
	return f.to.Error()
}

func csvRow(v Voucher, n int, l Line) []string {
	debit, credit := l.Amount, models.Amount(0)
	if l.Amount < 0 {
		debit, credit = 0, -l.Amount
	}
	net, vat, percent := "", "", ""
	if l.VATCode != "" {
		net, vat = (-l.Amount).String(), (-l.VAT).String()
	}
	if l.Class != "" {
		percent = l.Percent.String()
	}
	kind := string(l.Kind)
	switch {
	case l.IsVAT:
		kind = "vat"
	case kind == "":
		kind = "sales"
	}
	return []string{
		v.Date.String(), v.ID(), strconv.Itoa(n + 1), kind, l.Account, l.VATCode, percent, amountOrBlank(debit), amountOrBlank(credit), net, vat,
		strconv.FormatInt(v.Entry.CustomerID, 10), models.CSVCell(v.Entry.CustomerNumber), models.CSVCell(v.Entry.CustomerName),
		strconv.FormatInt(v.Entry.InvoiceNumber, 10), numberOrBlank(v.Entry.CreditNoteNumber), v.Entry.KID, v.Entry.DueDate.String(),
		v.BookedOn.String(), v.Entry.TransactionDate.String(), models.CSVCell(v.Text),
	}
}

func amountOrBlank(a models.Amount) string {
	if a == 0 {
		return ""
	}
	return a.String()
}

func numberOrBlank(n int64) string {
	if n == 0 {
		return ""
	}
	return strconv.FormatInt(n, 10)
}
