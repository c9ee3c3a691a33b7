package console_test

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"purr/ledger"
	"purr/models"
	"purr/ocr/unmatched"
	"purr/store"
	"purr/test/testkit"
	"purr/test/testkit/rows"
)

// paysAt has Kari register a payment at the console, and returns the Undo of what the page says then.
func (d *desks) paysAt(i models.Invoice, amount string) form {
	d.t.Helper()
	path := fmt.Sprintf("invoices/%d", i.Number)
	return d.undoing(d.formAt(path+"/pay").typing("amount", amount), path+"/payments/")
}

// undoing does what a form asks for, and returns the Undo whose path begins so.
func (d *desks) undoing(f form, path string) form {
	d.t.Helper()
	next := d.get(d.send(f).is(http.StatusSeeOther).location)
	for n := range parse(d.t, next).Descendants() {
		if n.Data == "form" && n.Parent != nil && attribute(n.Parent, "class") == "message" && strings.HasPrefix(attribute(n, "action"), d.base+"/"+path) {
			return form{attribute(n, "action"), fieldsOf(n)}
		}
	}
	d.t.Fatalf("the page has no Undo by %s", path)
	return form{}
}

// matchesAt has Kari match a payment with invoices at the console, and returns the Undo.
func (d *desks) matchesAt(u models.UnmatchedPayment, invoices ...models.Invoice) form {
	d.t.Helper()
	numbers := make([]string, len(invoices))
	for n, i := range invoices {
		numbers[n] = fmt.Sprint(i.Number)
	}
	page := fmt.Sprintf("bank/payment/%d", u.ID)
	f := d.formAt(fmt.Sprintf("bank?payment=%d", u.ID), page+"/match").typing("meant", "another", "invoice", strings.Join(numbers, " "))
	return d.undoOf(f, page+"/unmatch")
}

// movesCredit has Ola move the credit of an invoice's customer to another invoice, which it returns.
func (d *desks) movesCredit(i models.Invoice) models.Invoice {
	d.t.Helper()
	customer, err := d.db.Customer(d.t.Context(), d.creditor.ID, i.CustomerID)
	must(d.t, err)
	other := rows.Invoice(d.t, d.db, d.creditor, rows.To(customer), rows.Of(1000_00))
	d.ola(func(ctx context.Context, tx *store.Tx) error {
		_, err := ledger.MoveCredit(ctx, tx, d.creditor.ID, customer.ID, today, ola, nil)
		return err
	})
	return other
}

// undone are the acts of Kari that she undoes after Ola has acted on the same thing. Each returns the Undo and, after Ola's act, the
// invoices and what is owed on them.
var undone = map[string]func(d *desks) (form, map[*models.Invoice]models.Amount){
	"a payment, whose surplus was moved": func(d *desks) (form, map[*models.Invoice]models.Amount) {
		i := d.invoice()
		f := d.paysAt(i, "1500")
		other := d.movesCredit(i)
		return f, map[*models.Invoice]models.Amount{&i: 0, &other: 500_00}
	},
	"a payment on an invoice that was closed": func(d *desks) (form, map[*models.Invoice]models.Amount) {
		i := d.invoice()
		f := d.paysAt(i, "500")
		d.closes(i)
		return f, map[*models.Invoice]models.Amount{&i: 500_00}
	},
	"a payment that stood on the invoice's page when it was closed": func(d *desks) (form, map[*models.Invoice]models.Amount) {
		i := d.invoice()
		e := d.pays(i)
		page := fmt.Sprintf("invoices/%d", i.Number)
		f := d.formAt(page, fmt.Sprintf("%s/payments/%d/delete", page, e.ID))
		d.closes(i)
		return f, map[*models.Invoice]models.Amount{&i: 900_00}
	},
	"a match with an invoice that was closed": func(d *desks) (form, map[*models.Invoice]models.Amount) {
		u, i := d.payment(), d.invoice()
		f := d.matchesAt(u, i)
		d.closes(i)
		return f, map[*models.Invoice]models.Amount{&i: 1000_00 - u.Amount}
	},
	"a match with two invoices, the second of which was held": func(d *desks) (form, map[*models.Invoice]models.Amount) {
		i, other := d.invoice(), d.invoice()
		waiting := d.queue(2000_00)
		f := d.matchesAt(waiting[len(waiting)-1], i, other)
		d.holds(other)
		return f, map[*models.Invoice]models.Amount{&i: 0, &other: 0}
	},
	"a match on the page of those that are done, whose surplus was moved": func(d *desks) (form, map[*models.Invoice]models.Amount) {
		i := d.invoice()
		waiting := d.queue(1300_00)
		u := waiting[len(waiting)-1]
		d.ola(func(ctx context.Context, tx *store.Tx) error {
			_, err := unmatched.Match(ctx, tx, d.creditor, u.ID, []int64{i.ID}, ola)
			return err
		})
		f := d.formAt(fmt.Sprintf("bank?status=resolved&payment=%d", u.ID), fmt.Sprintf("bank/payment/%d/unmatch", u.ID))
		other := d.movesCredit(i)
		return f, map[*models.Invoice]models.Amount{&i: 0, &other: 700_00}
	},
	"a payout, after which the credit was moved": func(d *desks) (form, map[*models.Invoice]models.Amount) {
		note := d.note()
		page := fmt.Sprintf("credit-notes/%d", note.Number)
		f := d.undoing(d.formAt(page).typing("amount", "200"), page+"/payments/")
		i, err := d.db.Invoice(d.t.Context(), d.creditor.ID, note.InvoiceID)
		must(d.t, err)
		other := d.movesCredit(i)
		return f, map[*models.Invoice]models.Amount{&other: 200_00}
	},
}

// TestD115UndoTakesNoColleaguesActAway has Kari pay, match and pay out, and Ola act on what came of it. Kari's Undo then changes
// nothing, and says what Ola did and when.
func TestD115UndoTakesNoColleaguesActAway(t *testing.T) {
	testkit.EachDatabase(t, func(t *testing.T, databaseURL string) {
		d := &desks{openOn(t, databaseURL, models.ScopeAdmin, nil), new(int)}
		d.withAccount()
		d.on("2026-03-30")
		for what, act := range undone {
			t.Run(what, func(t *testing.T) {
				d := &desks{d.within(t), d.made}
				f, owed := act(d)
				before := d.byKari()
				d.send(f).is(http.StatusConflict).tells("What was done last: ", "by "+olaShown+", 30.03.2026 13:00")
				if after := d.byKari(); after != before {
					t.Errorf("it was done all the same: %d acts, then %d", before, after)
				}
				for i, want := range owed {
					d.owes(*i, want)
				}
			})
		}
	})
}

// TestD115UndoStillUndoes has nobody act in between: what Kari did is taken back.
func TestD115UndoStillUndoes(t *testing.T) {
	testkit.EachDatabase(t, func(t *testing.T, databaseURL string) {
		d := &desks{openOn(t, databaseURL, models.ScopeAdmin, nil), new(int)}
		d.withAccount()
		d.on("2026-03-30")
		i, other, note := d.invoice(), d.invoice(), d.note()
		d.send(d.paysAt(i, "1500")).is(http.StatusSeeOther)
		d.owes(i, 1000_00)
		waiting := d.queue(2000_00)
		d.send(d.matchesAt(waiting[0], i, other)).is(http.StatusSeeOther)
		d.owes(i, 1000_00)
		d.owes(other, 1000_00)
		page := fmt.Sprintf("credit-notes/%d", note.Number)
		d.send(d.undoing(d.formAt(page).typing("amount", "200"), page+"/payments/")).is(http.StatusSeeOther)
		after, err := d.db.CreditNote(t.Context(), d.creditor.ID, note.ID)
		must(t, err)
		if after.Balance != note.Balance {
			t.Errorf("of the credit note %s is outstanding, want %s", -after.Balance, -note.Balance)
		}
	})
}
