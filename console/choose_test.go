package console_test

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"purr/models"
	"purr/ocr/unmatched"
	"purr/store"
	"purr/test/testkit"
	"purr/test/testkit/payments"
	"purr/test/testkit/rows"
)

// chooser is a payment of 2 900 kroner that waits, and a customer with three open invoices: of 1 250, 2 000 and 800.
type chooser struct {
	*browser
	u        models.UnmatchedPayment
	customer models.Customer
	open     []models.Invoice
	page     string // of the customer
}

func newChooser(b *browser) chooser {
	b.t.Helper()
	b.withAccount()
	c := chooser{browser: b, customer: b.named("Liv Strand")}
	for n, amount := range []models.Amount{1250_00, 2000_00, 800_00} {
		c.open = append(c.open, rows.Invoice(b.t, b.db, b.creditor, rows.To(c.customer), rows.Of(amount), rows.DueIn(14+n)))
	}
	c.u = b.queue(2900_00)[0]
	c.page = fmt.Sprintf("bank/payment/%d/choose?customer=%d", c.u.ID, c.customer.ID)
	return c
}

// divided returns the form with some invoices ticked and their amounts, in order: of one without a text nothing is ticked.
func (c chooser) divided(f form, amounts ...string) form {
	kept := form{action: f.action}
	for n := 0; n+1 < len(f.fields); n += 2 {
		if name := f.fields[n]; name != "invoice" && !strings.HasPrefix(name, "amount-") {
			kept.fields = append(kept.fields, name, f.fields[n+1])
		}
	}
	for n, amount := range amounts {
		if amount != "" {
			kept.fields = append(kept.fields, "invoice", fmt.Sprint(c.open[n].ID))
		}
		kept.fields = append(kept.fields, fmt.Sprintf("amount-%d", c.open[n].ID), strings.TrimSpace(amount))
	}
	return kept
}

// reckoned sends a form and returns the form of the page that shows what is left.
func (c chooser) reckoned(f form) form {
	c.t.Helper()
	at := c.base + "/" + c.page
	return c.send(f).is(http.StatusOK).form(at, at)
}

// owe holds what is owed on the invoices.
func (c chooser) owe(want ...models.Amount) {
	c.t.Helper()
	for n, i := range c.open {
		c.owes(i, want[n])
	}
}

// TestN7APaymentIsDividedAsItWasShown takes the proposal, changes it, sees what is left, and matches; then takes it back at once.
func TestN7APaymentIsDividedAsItWasShown(t *testing.T) {
	testkit.EachDatabase(t, func(t *testing.T, databaseURL string) {
		c := newChooser(openOn(t, databaseURL, models.ScopeWrite, nil))
		c.get(c.page).is(http.StatusOK).tells("2 900,00 from 98765432103", "Liv Strand", "Open invoices, the earliest due first", "owes 1 250,00", "350,00 is owed after it",
			"800,00 is owed as before", "2 900,00 of 2 900,00 is divided.")
		f := c.formAt(c.page)
		changed := c.divided(f, "250,50", "", "800")
		first := c.send(changed).is(http.StatusOK).tells("Nothing is matched yet", "999,50 is owed after it", "2 000,00 is owed as before", "1 849,50 is paid too much with it",
			"1 050,50 of 2 900,00 is divided. The rest, 1 849,50, becomes free credit on invoice "+numbered(c.open[2]))
		c.owe(1250_00, 2000_00, 800_00)
		at := c.base + "/" + c.page
		f = first.form(at, at)
		f = c.reckoned(c.divided(f, "250,50", " ", "800").typing("act", "reckon")) // an empty field gets what is left
		if f.fields[indexOf(f.fields, fmt.Sprintf("amount-%d", c.open[1].ID))+1] != "1849,50" {
			t.Errorf("the form is %q", f.fields)
		}
		f = c.reckoned(c.divided(f, "250,50", "1 000", "800").typing("act", "reckon"))
		done := c.send(f).leads(fmt.Sprintf("%s/bank?past=%d", c.base, c.u.ID))
		c.send(f).leads(done.location) // pressed twice
		c.owe(999_50, 1000_00, -849_50)
		c.get(done.location).tells(fmt.Sprintf("Matched 2 900,00 from 98765432103 with invoices %d, %d and %d.", c.open[0].Number, c.open[1].Number, c.open[2].Number), "Undo")
		(&payments.Books{DB: c.db}).Prove(t, c.creditor)
		c.get(c.page).leads(fmt.Sprintf("%s/bank?payment=%d", c.base, c.u.ID))
		c.send(c.formAt(fmt.Sprintf("bank?status=resolved&payment=%d", c.u.ID), fmt.Sprintf("bank/payment/%d/unmatch", c.u.ID))).is(http.StatusSeeOther)
		c.owe(1250_00, 2000_00, 800_00)
		(&payments.Books{DB: c.db}).Prove(t, c.creditor)
	})
}

func indexOf(fields []string, name string) int {
	for n := 0; n+1 < len(fields); n += 2 {
		if fields[n] == name {
			return n
		}
	}
	return -2
}

func numbered(i models.Invoice) string { return fmt.Sprint(i.Number) }

// TestN7TheRestIsCreditWhereAnInvoiceIsPaid has the rest go to the invoice that is paid in full, whichever it is; where none is, the page
// says that the rest is paid too.
func TestN7TheRestIsCreditWhereAnInvoiceIsPaid(t *testing.T) {
	c := newChooser(open(t, models.ScopeWrite, nil))
	f := c.divided(c.formAt(c.page), "1250", "", "100").typing("act", "reckon")
	c.send(f).is(http.StatusOK).tells("The rest, 1 550,00, becomes free credit on invoice "+numbered(c.open[0]), "700,00 is owed after it")
	c.send(c.divided(f, "100", "", "100")).is(http.StatusOK).tells("The rest, 2 700,00, goes to invoice " + numbered(c.open[2]) + " too")
	c.send(c.reckoned(f).typing("act", "")).is(http.StatusSeeOther)
	c.owe(-1550_00, 2000_00, 700_00)
}

// TestN7WhatIsWrongIsSaidAndNothingIsDone sends forms with every fault.
func TestN7WhatIsWrongIsSaidAndNothingIsDone(t *testing.T) {
	c := newChooser(open(t, models.ScopeWrite, nil))
	f := c.formAt(c.page)
	for why, tt := range map[string]struct {
		amounts []string
		says    string
	}{
		"nothing is ticked":     {[]string{"", "", ""}, "Choose something first."},
		"it is too much":        {[]string{"1250", "2000", ""}, "You have divided more than was paid."},
		"nothing is left":       {[]string{"1250", "1650", " "}, "Nothing of the payment is left for it."},
		"it is no amount":       {[]string{"<b>", "", ""}, "Write kroner with at most two decimals"},
		"it is zero":            {[]string{"0", "", ""}, "Write the amount without a sign"},
		"it is below zero":      {[]string{"-5", "2000", ""}, "Write the amount without a sign"},
		"it has three decimals": {[]string{"1,005", "", ""}, "Write kroner with at most two decimals"},
	} {
		for _, act := range []string{"", "reckon"} {
			got := c.send(c.divided(f, tt.amounts...).typing("act", act)).is(http.StatusUnprocessableEntity).tells(tt.says)
			if !strings.Contains(got.body, `role="alert"`) || !strings.Contains(got.body, `name="reckoned" value=""`) {
				t.Errorf("%s: the page is\n%s", why, got.body)
			}
			if typed := strings.TrimSpace(tt.amounts[0]); typed != "" && typed != "<b>" && !strings.Contains(got.body, `value="`+typed+`"`) {
				t.Errorf("%s: what was typed is lost", why)
			}
		}
	}
	c.send(f.typing("reckoned", "x")).is(http.StatusBadRequest)
	c.owe(1250_00, 2000_00, 800_00)
}

// TestN7AFormThatIsOvertakenIsRefused keeps the form open while a colleague matches the payment, while the debtor pays an invoice, and
// while both invoices are paid.
func TestN7AFormThatIsOvertakenIsRefused(t *testing.T) {
	c := newChooser(open(t, models.ScopeWrite, nil))
	f := c.reckoned(c.divided(c.formAt(c.page), "1250", "", "800").typing("act", "reckon")).typing("act", "")
	must(t, c.pay(c.open[0], 250_00))
	c.send(f).is(http.StatusConflict).tells("1000.00 is owed now; it was 1250.00", "owes 1 000,00", "850,00 is paid too much with it")
	must(t, c.pay(c.open[0], 1000_00))
	c.send(f.typing("act", "reckon")).is(http.StatusConflict).tells("It has changed since you looked")
	c.owe(0, 2000_00, 800_00)
	f = c.formAt(c.page)
	c.write(func(ctx context.Context, tx *store.Tx) error {
		_, err := unmatched.Match(ctx, tx, c.creditor, c.u.ID, []int64{c.open[1].ID}, ola)
		return err
	})
	for _, act := range []string{"reckon", "match"} {
		c.send(f.typing("act", act)).is(http.StatusConflict).tells(map[string]string{"reckon": "matched or dismissed already", "match": "What was done last: Payment matched, by " + olaShown}[act])
	}
	c.owe(0, -900_00, 800_00)
}

// TestN7ThePayerIsFoundOnTheSpot looks for customers by what the header's search takes. One hit opens; without a search the suggested ones
// are there.
func TestN7ThePayerIsFoundOnTheSpot(t *testing.T) {
	testkit.EachDatabase(t, func(t *testing.T, databaseURL string) {
		c := newChooser(openOn(t, databaseURL, models.ScopeWrite, nil))
		other := c.named("Liv Bakken")
		find := fmt.Sprintf("bank/payment/%d/choose", c.u.ID)
		c.get(find).is(http.StatusOK).tells("Who has paid?", "No customer is suggested")
		back := "&back=" + strings.ReplaceAll(c.base, "/", "%2F") + "%2Finvoices%2F1"
		for _, q := range []string{"strand+liv", fmt.Sprintf("faktura+%d", c.open[1].Number), c.open[2].KID} {
			c.get(find + "?payer=" + q + back).leads(c.base + "/" + c.page + back)
		}
		c.get(find+"?payer=liv").is(http.StatusOK).tells("Found", "Liv Strand", "owes 4 050,00", "Liv Bakken", "owes 0,00")
		c.get(find + "?payer=xyzzy").is(http.StatusOK).tells("Nothing fits “xyzzy”.")
		c.get(find + "?payer=" + strings.Repeat("x", 101)).is(http.StatusBadRequest)
		c.get(fmt.Sprintf("%s?customer=%d", find, other.ID)).is(http.StatusOK).tells("The customer has no open invoice.")
		c.get(find + "?customer=x").is(http.StatusNotFound)
		waiting := c.queueOf(payments.Paid("9"+c.open[0].KID[1:], 1250_00), payments.Out(c.open[0].KID, 5_00))
		c.get(fmt.Sprintf("bank/payment/%d/choose", waiting[1].ID)).is(http.StatusOK).tells("Suggested", "Liv Strand", "one digit of the KID differs")
		c.get(fmt.Sprintf("bank/payment/%d/choose?customer=%d", waiting[1].ID, c.customer.ID)).tells("0,00 is owed after it", "2 000,00 is owed as before", "1 250,00 of 1 250,00 is divided.")
		c.get(fmt.Sprintf("bank/payment/%d/choose", waiting[2].ID)).is(http.StatusNotFound) // money out

		f := c.formAt(c.page)
		theirs := c.newCreditor("Fremmed")
		stranger := rows.Invoice(t, c.db, theirs, rows.Of(500_00))
		c.get(fmt.Sprintf("%s?customer=%d", find, stranger.CustomerID)).is(http.StatusNotFound)
		id := fmt.Sprint(stranger.ID)
		c.send(c.divided(f, "", "", "").typing("invoice", id, "amount-"+id, "500,00", "reckoned", id+"=500.00/500.00")).is(http.StatusNotFound)
		c.owe(1250_00, 2000_00, 800_00)
	})
}
