package console_test

import (
	"net/http"
	"strconv"
	"testing"

	"purr/models"
	"purr/test/testkit/rows"
)

// TestL17AnInvoiceOfAnotherSystemIsFollowed fills the form in, with faults in its rows, and sends it twice: the invoice is followed once, stands where
// the other system's notice left it, and is found by its number.
func TestL17AnInvoiceOfAnotherSystemIsFollowed(t *testing.T) {
	t.Parallel()
	b := open(t, models.ScopeWrite, nil)
	b.dunned(func(c *models.Creditor) { c.FirstNumber = 10_000 })
	form := b.get("invoices/adopt").is(http.StatusOK)
	fields := func(more ...string) []string {
		return append([]string{
			"once", form.once(), "name1", "Ola Nordmann", "address1", "Lia 2", "postal_code", "5003", "postal_name", "Bergen",
			"invoice_number", "17", "issue_date", "2026-01-05", "due_date", "2026-01-19", "gross_amount", "1 000,00", "balance", "1 035,00",
			"kid", models.NewKID("7000000017", models.Modulus10), "issue_date-1", "2026-02-02", "due_date-1", "2026-02-16", "charge-1", "35,00",
		}, more...)
	}
	wrong := fields()
	for i, text := range wrong {
		switch text {
		case "1 000,00":
			wrong[i] = "x"
		case "2026-02-16":
			wrong[i] = "2026-02-01"
		}
	}
	b.post("invoices/adopt", wrong...).is(http.StatusUnprocessableEntity).tells("Is before the issue date", "Write kroner")
	for range 2 {
		b.post("invoices/adopt", fields()...).leads(b.base + "/invoices/17")
	}
	b.get("invoices/17").is(http.StatusOK).tells("Invoice 17 is followed: 1 035,00 is owed by Ola Nordmann.", "35,00")
	b.get("invoices/17").tells("Balance in the other system")
	const path = "invoices/17/told-balance"
	b.send(b.formAt(path).typing("balance", "2 000")).is(http.StatusUnprocessableEntity)
	stale := b.formAt(path).typing("balance", "900,00")
	b.send(b.formAt(path).typing("balance", "500,00")).leads(b.base + "/invoices/17")
	b.get("invoices/17").tells("The other system says that 500,00 is owed of invoice 17.")
	b.send(stale).is(http.StatusConflict) // what was typed in the morning takes nothing back that came since (rule D115)
	own := rows.Invoice(t, b.db, b.creditor)
	b.get("invoices/" + strconv.FormatInt(own.Number, 10) + "/told-balance").is(http.StatusNotFound)
	b.get("invoices/adopt?find=ola").tells("Ola Nordmann, Lia 2 Bergen")
	b.post("invoices/adopt", append(fields(), "once", b.get("invoices/adopt").once())...).is(http.StatusConflict)
}
