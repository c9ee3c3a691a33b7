package console_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"purr/models"
)

// TestE10ANewCustomer fills the form in wrongly, and then twice the same.
func TestE10ANewCustomer(t *testing.T) {
	t.Parallel()
	b := open(t, models.ScopeWrite, nil)
	form := b.get("customers/new").is(http.StatusOK).says("New customer", "Organisation number")
	post := func(pairs ...string) *shown {
		return b.post("customers/new", append(pairs, "once", form.once(), "name1", "Fjord Rør AS", "address1", "Kaigaten 1", "postal_name", "Bergen")...)
	}
	refused := post("organisation_number", "974 760 674").is(http.StatusUnprocessableEntity).says("Must be 9 digits with a right check digit", "Is required")
	if !strings.Contains(refused.body, `value="Fjord Rør AS"`) || !strings.Contains(refused.body, `data-wrong="Must be 9 digits`) {
		t.Error("what was typed is gone, or nothing is said while one types")
	}
	for range 2 {
		post("organisation_number", "974 760 673", "postal_code", "5003").leads(b.base + "/customers/1")
	}
	b.get("customers/1").says("Fjord Rør AS is added.", "974760673")
	b.get("customers/2").is(http.StatusNotFound)
	must(t, b.db.NumberEvents(t.Context()))
	b.get("log?type=customer.created").says("Kari")
	for _, by := range []string{"Kari", "console, API key 1 (Kari)"} {
		b.get("log?by="+url.QueryEscape(by)).says("by Kari: 1 event", "Customer created Kari")
	}
	b.get("log?by=Ola").says("Nothing has happened")
	b.signIn(b.newKey(b.creditor, models.ScopeRead))
	b.post("customers/new", "name1", "x").is(http.StatusForbidden)
}
