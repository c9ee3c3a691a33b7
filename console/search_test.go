package console_test

import (
	"net/http"
	"strconv"
	"strings"
	"testing"

	"purr/models"
	"purr/test/testkit/rows"
)

func TestN3SearchInTheHeader(t *testing.T) {
	t.Parallel()
	b := open(t, models.ScopeRead, nil)
	kari := rows.Customer(t, b.db, b.creditor, func(c *models.Customer) { c.Recipient.Name1, c.Recipient.CustomerNumber = "Kari <Nordmann>", "K-17" })
	rows.Invoice(t, b.db, b.creditor, rows.To(kari), rows.Of(4980_00))
	other := b.newCreditor("Fremmed AS")
	rows.Customer(t, b.db, other, func(c *models.Customer) { c.Recipient.Name1 = "Per Fremmed" })

	if page := b.get("today").is(http.StatusOK).body; !strings.Contains(page, `action="`+b.base+`/search"`) || !strings.Contains(page, `name="q" data-key="/"`) {
		t.Error("the field in the header does not lead to the search")
	}
	for typed, path := range map[string]string{
		"1": "invoices/1", "faktura+1": "invoices/1", "0000000018": "invoices/1", "4+980,00": "invoices/1", "brev+1": "invoices/1",
		"k-17": "customers/" + strconv.FormatInt(kari.ID, 10), "kunde+k-17": "customers/" + strconv.FormatInt(kari.ID, 10),
	} {
		b.get("search?q=" + typed).leads(b.base + "/" + path)
	}
	b.get("search?q=nordmnan").is(http.StatusOK).tells("What fits “nordmnan”", "Customers 1", "Kari <Nordmann>", "K-17", "Invoices 1", "Invoice 1", "Sent", "4 980,00", "Letters and e-mails 1")
	none := b.get("search?q=%3Cscript%3E").is(http.StatusOK).tells("Nothing fits “<script>”", "New customer", "Search the customers")
	if strings.Contains(none.body, "<script>") || !strings.Contains(none.body, b.base+"/invoices?search=%3Cscript%3E") {
		t.Error("what was typed is no text, or leads to no list")
	}
	b.get("search?q=fremmed").tells("Nothing fits “fremmed”")
	b.get("search").is(http.StatusOK).tells("Type what you are looking for")
	b.get("search?q=" + strings.Repeat("x", 101)).is(http.StatusBadRequest)
	for language, text := range map[string]string{"nb": "Ingenting passer med «zzz»", "nn": "Ingenting passar med «zzz»"} {
		b.get("search?q=zzz", "Accept-Language", language).tells(text)
	}
	for range 11 {
		rows.Customer(t, b.db, b.creditor, func(c *models.Customer) { c.Recipient.Name1 = "Ola Tolvmann" })
	}
	b.get("search?q=tolvmann").tells("Customers 10+", "There are more", "Search the customers")
}
