package console_test

import (
	"strings"
	"testing"

	"purr/models"
)

// TestTheCreditManagersDayByTheKeyboardAlone agrees on a payment plan and ends it, credits a part of an invoice, sets the day on which a claim was
// acknowledged, gives more time and saves what the debt collector reports, and touches no mouse (rules C1, L15, L26, L27, N11).
func TestTheCreditManagersDayByTheKeyboardAlone(t *testing.T) {
	t.Parallel()
	d := open(t, models.ScopeWrite)
	kari := d.customer("Kari Nordmann", "")
	planned, credited, acknowledged, collected := d.invoices(kari, 1200, 0), d.invoices(kari, 2000, 14), d.invoices(kari, 3000, 14), d.invoices(kari, 800, 0)
	d.at("2026-02-02 12:00")
	d.api.Post(collected.URI()+"/debt_collection", tag("debt_collection", tag("force", "1"))).Is(200)
	k := &keyboard{desk: d}
	page := func(invoice string, link string) {
		t.Helper()
		d.show("invoices/" + invoice)
		k.tabTo("link", link)
		k.opens("Enter")
		k.looksGood()
	}

	number := planned.At("invoice_number")
	page(number, "Payment plan")
	k.tabTo("textbox", "Or the number of months")
	k.types("3")
	k.opens("Enter")
	if text := plain(d.Text()); !strings.Contains(text, "400,00") {
		t.Errorf("it shows\n%s", text)
	}
	k.looksGood()
	k.tabTo("button", "Make the plan")
	k.opens("Enter")
	k.mustSay("Invoice " + number + " has a payment plan of 3 instalments.")
	d.api.Get(planned.URI() + "/payment_plan").Shown().Shows("@state running")
	k.tabTo("button", "End the plan")
	k.opens("Enter")
	k.mustSay("The payment plan for invoice " + number + " was ended.")

	number = credited.At("invoice_number")
	page(number, "Credit")
	k.tabTo("combobox", "Credit")
	k.types("A part")
	k.tabTo("textbox", "Text")
	k.types("Avslag")
	k.tabTo("textbox", "Amount without VAT")
	k.types("500")
	k.opens("Enter")
	k.mustSay("credits a part of invoice " + number)
	if got := d.balance(credited); got != "1500.00" {
		t.Errorf("%s is owed", got)
	}

	number = acknowledged.At("invoice_number")
	page(number, "Claim acknowledged")
	k.types("02012026") // the first of February, as the browser's language has it
	k.opens("Enter")
	k.mustSay("Invoice " + number + " is acknowledged, and lapses on 1 February 2029.")
	d.api.Get(acknowledged.URI()).Shown().Shows("acknowledged/date 2026-02-01", "lapses_on 2029-02-01")

	page(number, "Give more time")
	k.types("02202026")
	k.opens("Enter")
	k.mustSay("Invoice " + number + " has more time, until 20 February 2026.")

	number = collected.At("invoice_number")
	page(number, "Report of the debt collector")
	k.tabTo("combobox", "")
	k.types("Paid")
	k.tabTo("textbox", "Amount")
	k.types("300")
	k.opens("Enter")
	k.mustSay("Saved the report on invoice " + number + ".")
	if got := d.balance(collected); got != "500.00" {
		t.Errorf("%s is owed", got)
	}
	k.opens("g", "m")
	k.looksGood()
	if problems := d.Problems(); len(problems) > 0 {
		t.Errorf("the browser met %q", problems)
	}
}
