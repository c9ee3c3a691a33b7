package foreign

import (
	"fmt"
	"slices"
	"strings"
)

// Column is a column of one of the files.
type Column struct {
	Name     string // as the template writes it
	Aliases  []string
	Required bool   // the file must have it
	What     string // what stands in it
}

// Files are the files' names, in the order in which they are read, with their columns.
var Files = []struct {
	Name    string
	Columns []Column
}{
	{"invoices.csv", invoiceColumns},
	{"payments.csv", paymentColumns},
	{"notices.csv", noticeColumns},
}

var invoiceColumns = []Column{
	{"invoice", []string{"invoice_number", "faktura", "fakturanr", "fakturanummer"}, true, "the invoice's number; each once"},
	{"customer", []string{"customer_number", "kunde", "kundenr", "kundenummer"}, true, "who got it: a number or a name"},
	{"debtor", []string{"private_or_trader", "skyldner"}, true, "private or trader"},
	{"issued", []string{"invoice_date", "date", "fakturadato", "dato"}, false, "its date"},
	{"due", []string{"due_date", "forfall", "forfallsdato"}, true, "its due date"},
	{"amount", []string{"gross", "beløp", "belop", "sum"}, true, "its sum with VAT"},
	{"net", []string{"netto"}, false, "its sum without VAT; with vat, it must add up to amount"},
	{"vat", []string{"mva"}, false, "its VAT"},
	{"agreed_rate", []string{"avtalt_rente"}, false, "late interest that was agreed, in percent a year"},
	{"disputed", []string{"omtvistet"}, false, "from which day on the debtor objected with reason"},
}

var paymentColumns = []Column{
	{"invoice", []string{"invoice_number", "faktura", "fakturanr", "fakturanummer"}, true, "the invoice's number"},
	{"date", []string{"payment_date", "dato", "betalingsdato"}, true, "the day on which the money came, or the credit note's"},
	{"amount", []string{"beløp", "belop", "sum"}, true, "what was paid or credited; below zero where it was taken back"},
	{"kind", []string{"type", "slag"}, false, "payment or credit"},
}

var noticeColumns = []Column{
	{"notice", []string{"notice_number", "purring_nr", "brev"}, true, "the letter's number; one letter on several invoices has a row for each"},
	{"invoice", []string{"invoice_number", "faktura", "fakturanr", "fakturanummer"}, true, "the invoice's number"},
	{"kind", []string{"type", "slag"}, true, "reminder, warning (of debt collection) or demand (by the creditor itself)"},
	{"date", []string{"notice_date", "dato"}, true, "the day that the letter shows"},
	{"sent", []string{"sent_date", "sendt"}, false, "the day on which it really left, if that is another"},
	{"due", []string{"due_date", "deadline", "frist", "betalingsfrist"}, false, "the last day to pay that it sets"},
	{"fee", []string{"gebyr", "purregebyr"}, false, "the fee of this letter alone"},
	{"compensation", []string{"standardkompensasjon", "kompensasjon"}, false, "standard compensation between traders that it charges"},
	{"interest", []string{"rente", "forsinkelsesrente"}, false, "the interest of this letter alone"},
	{"interest_to", []string{"rente_til"}, false, "through which day the interest is reckoned, if not the letter's"},
	{"charged", []string{"sum_gebyr_rente"}, false, "fee, compensation and interest together; must add up"},
	{"waived", []string{"ettergitt"}, false, "what of these three was let off later"},
}

// header is which field of a row has which column; a column that the file lacks is not in it.
type header map[string]int

// newHeader reads the first row of a file.
func newHeader(row []string, columns []Column, fault func(column, format string, args ...any)) header {
	h := header{}
	for i, given := range row {
		given = decoded(given)
		name := strings.ReplaceAll(strings.ToLower(given), " ", "_")
		at := slices.IndexFunc(columns, func(c Column) bool { return c.Name == name || slices.Contains(c.Aliases, name) })
		switch {
		case at < 0 && name == "":
			fault("", "column %d has no name", i+1)
		case at < 0:
			fault(fmt.Sprintf("%.60s", given), "the file has no such column; it may have %s", names(columns))
		default:
			if _, twice := h[columns[at].Name]; twice {
				fault(columns[at].Name, "the column stands there twice")
			}
			h[columns[at].Name] = i
		}
	}
	for _, c := range columns {
		if _, is := h[c.Name]; c.Required && !is {
			fault(c.Name, "the column is missing: %s", c.What)
		}
	}
	return h
}

func names(columns []Column) string {
	all := make([]string, len(columns))
	for i, c := range columns {
		all[i] = c.Name
	}
	return strings.Join(all, ", ")
}
