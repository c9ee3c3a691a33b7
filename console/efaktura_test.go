package console_test

import (
	"context"
	"net/http"
	"strings"
	"testing"

	"purr/models"
	"purr/store"
)

// withOperator says that a worker hands over by an operator of eFaktura.
func (b *browser) withOperator() {
	b.t.Helper()
	b.write(func(ctx context.Context, tx *store.Tx) error {
		return tx.AddWorker(ctx, &store.Worker{ID: "one", Ways: models.Ways{models.ByEFaktura: models.WayREST}.String()})
	})
}

// TestE20EFakturaIsOfferedWhereItIsSetUp: in the form of an invoice, not in that of a credit note; and Operations shows its way.
func TestE20EFakturaIsOfferedWhereItIsSetUp(t *testing.T) {
	t.Parallel()
	b := open(t, models.ScopeWrite, nil)
	b.dunned(nil)
	const option = `value="EFAKTURA"`
	form := b.get("invoices/new").is(http.StatusOK)
	if strings.Contains(form.body, option) {
		t.Error("it is offered where it is not set up")
	}
	if ways := b.get("operations").text(); strings.Contains(ways, "eFaktura") {
		t.Error("Operations shows a way that nobody has set up")
	}
	fields := func(more ...string) []string {
		return append([]string{
			"once", form.once(), "rows", "4", "name1", "Ola Nordmann", "address1", "Lia 2", "postal_code", "5003", "postal_name", "Bergen",
			"num_due_days", "14", "method", "EFAKTURA", "num_items-1", "1", "line_text-1", "Kaffe", "unit_price-1", "19,50", "vat_rate-1", "NONE",
		}, more...)
	}
	b.post("invoices/new", fields()...).is(http.StatusUnprocessableEntity).says("This way of sending is not set up")
	b.withOperator()
	if !strings.Contains(b.get("invoices/new").is(http.StatusOK).body, option) {
		t.Error("it is not offered where it is set up")
	}
	b.get("operations").says("eFaktura leaves by rest")
	b.post("invoices/new", fields("phone", "912 34 567")...).is(http.StatusUnprocessableEntity).says("8 to 15 digits without blanks")
	b.post("invoices/new", fields("phone", "+47 912 34 567")...).leads(b.base + "/invoices/1")
	b.get("letters?state=waiting").says("eFaktura")
	b.get("customers/1").says("Telephone", "+4791234567")
	if strings.Contains(b.get("invoices/1/credit").is(http.StatusOK).body, option) {
		t.Error("it is offered for a credit note")
	}
}

// TestE20TheTelephoneNumberOfACustomer is typed with blanks, and kept without.
func TestE20TheTelephoneNumberOfACustomer(t *testing.T) {
	t.Parallel()
	b := open(t, models.ScopeWrite, nil)
	form := b.get("customers/new").is(http.StatusOK).says("Telephone", "With the country code")
	post := func(phone string) *shown {
		return b.post("customers/new", "once", form.once(), "name1", "Kari Nordmann", "address1", "Storgata 1", "postal_code", "0155", "postal_name", "Oslo", "phone", phone)
	}
	for _, wrong := range []string{"91234567", "0047 912 34 567", "+47", "telefon"} {
		post(wrong).is(http.StatusUnprocessableEntity).says("8 to 15 digits without blanks")
	}
	post("+47 912 34 567").leads(b.base + "/customers/1")
	b.get("customers/1").says("+4791234567")
	change := b.get("customers/1/change").is(http.StatusOK)
	if !strings.Contains(change.body, `value="+4791234567"`) && !strings.Contains(change.body, `value="&#43;4791234567"`) {
		t.Error("the form does not show it")
	}
}
