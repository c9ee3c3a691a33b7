package accounts

import (
	"encoding/csv"
	"io"
	"strconv"

	"purr/models"
)

// tripletexTitles are the titles of Tripletex's import of invoices.
var tripletexTitles = []string{
	"INVOICE NO", "INVOICE DATE", "DUE DATE", "KID", "ORDER NO", "CUSTOMER NO", "CUSTOMER NAME", "CUSTOMER EMAIL", "ORGANIZATION NO", "REFERENCE NO",
	"COMMENTS", "CURRENCY", "ORDER LINE - DESCRIPTION", "ORDER LINE - UNIT PRICE", "ORDER LINE - COUNT", "ORDER LINE - VAT CODE",
}

// tripletex writes the invoices and credit notes of a journal for Tripletex's import of invoices, so that they arrive as open items with
// KID and due date: a line for each class and percent of VAT. Of a credit note the count is below zero. Nothing else of a journal is in it.
type tripletex struct {
	nothingToClose
	to   *csv.Writer
	plan models.AccountPlan
}

func newTripletex(to io.Writer, h head) (writer, error) {
	w := csv.NewWriter(to)
	w.Comma = ';'
	return tripletex{to: w, plan: h.plan}, w.Write(tripletexTitles)
}

func (f tripletex) end(*summary) error {
	f.to.Flush()
	return f.to.Error()
}

func (f tripletex) voucher(v Voucher) error {
	count := "1"
	switch v.Entry.Movement {
	case models.MovementInvoiced:
	case models.MovementCredited:
		count = "-1"
	default:
		return nil
	}
	due, comment := v.Entry.DueDate, ""
	if v.Entry.CreditNoteNumber != 0 {
		due, comment = v.Entry.TransactionDate, "Faktura "+strconv.FormatInt(v.Entry.InvoiceNumber, 10)
	}
	for _, l := range v.Lines {
		if l.Class == "" || l.IsVAT {
			continue
		}
		price := max(l.Amount, -l.Amount)
		if (l.Amount > 0) == (count == "1") { // a discount that is larger than what it is of
			price = -price
		}
		row := []string{
			strconv.FormatInt(v.Document(), 10), v.Entry.TransactionDate.String(), due.String(), v.Entry.KID, models.CSVCell(v.Entry.OrderNumber),
			strconv.FormatInt(v.Entry.CustomerID, 10), models.CSVCell(v.Entry.CustomerName), "", "", models.CSVCell(v.Entry.YourReference), comment, models.NOK,
			v.Text, price.String(), count, f.plan.CodeOf("tripletex", l.Class),
		}
		if err := f.to.Write(row); err != nil {
			return err
		}
	}
	return nil
}
