package ledger_test

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"pgregory.net/rapid"

	"purr/law"
	"purr/ledger"
	"purr/models"
	"purr/store"
	"purr/test/testkit"
	"purr/test/testkit/rows"
)

// lines numbers the lines of the bank.
var lines atomic.Int64

// bank posts what the bank brings, below zero what it takes back, on an invoice.
func (a *account) bank(amount models.Amount) {
	a.t.Helper()
	rows.Write(a.t, a.db, func(tx *store.Tx) error {
		invoice, err := tx.LockInvoice(a.t.Context(), a.creditor.ID, a.id)
		must(a.t, err)
		return ledger.Post(a.t.Context(), tx, []models.Entry{{
			CreditorID: invoice.CreditorID, CustomerID: invoice.CustomerID, InvoiceID: invoice.ID,
			Type: models.EntryOCR, Amount: -amount, TransactionDate: rows.Today, LineKey: fmt.Appendf(nil, "%032d", lines.Add(1)),
		}}, "")
	})
}

// payments returns the IDs of the PAYMENT entries on the invoice and its credit note, oldest first.
func (a *account) payments() (ids []int64) {
	a.t.Helper()
	entries, err := a.db.EntriesOfInvoiceAndCreditNote(a.t.Context(), a.id)
	must(a.t, err)
	for _, e := range entries {
		if e.Type == models.EntryPayment {
			ids = append(ids, e.ID)
		}
	}
	return ids
}

// play plays a story on a customer's invoices, acts joined by commas: "1 pay 6000" does what account.do knows on the first
// invoice, "1 bank -6000" has the bank take that much back, "1 delete 2" deletes its second PAYMENT entry, and "settle" settles.
func (c *customer) play(story string) {
	c.t.Helper()
	for act := range strings.SplitSeq(story, ", ") {
		if act == "settle" {
			_, err := c.settle()
			must(c.t, err)
			continue
		}
		var n, k int
		var what string
		_, err := fmt.Sscanf(act, "%d %s %d", &n, &what, &k)
		a := c.invoices[n-1]
		switch what {
		case "bank":
			must(c.t, err)
			a.bank(models.Amount(k) * 100)
		case "delete":
			must(c.t, err)
			must(c.t, a.remove(a.payments()[k-1]))
		default:
			_, rest, _ := strings.Cut(act, " ")
			a.do(rest)
		}
	}
}

// owed returns the principal of each invoice and, behind a plus, the repayment that is owed.
func (c *customer) owed() string {
	var all []string
	for _, a := range c.invoices {
		invoice, err := a.db.Invoice(c.t.Context(), c.creditor.ID, a.id)
		must(c.t, err)
		entries, err := a.db.EntriesOfInvoiceAndCreditNote(c.t.Context(), a.id)
		must(c.t, err)
		owed := law.Allocate(entries)
		text := kroner(owed.Principal)
		if owed.Overpaid > 0 {
			text = "-" + kroner(owed.Overpaid)
		}
		if owed.Repayment > 0 {
			text += "+" + kroner(owed.Repayment)
		}
		if owed.Repayment != invoice.RepaymentOwed {
			text += fmt.Sprintf(" (kept is %s)", invoice.RepaymentOwed)
		}
		all = append(all, text)
	}
	return strings.Join(all, ", ")
}

// TestD96WhatWasMadeOfAPaymentIsTakenBackWithIt takes payments back in every way, after their surplus was moved or paid out. The
// invoices are of 1000 kroner each.
func TestD96WhatWasMadeOfAPaymentIsTakenBackWithIt(t *testing.T) {
	t.Parallel()
	tests := []struct{ why, story, want, balance string }{
		{"deleted after settle", "1 pay 2500, settle, 1 delete 1", "1000, 1000, 1000", "3000"},
		{"taken back by the bank after settle", "1 bank 2500, settle, 1 bank -2500", "1000, 1000, 1000", "3000"},
		{"a part of it is taken back: the newest move first, and no more than is needed", "1 bank 2700, settle, 1 bank -900", "0, 200, 1000", "1200"},
		{"of two payments the first one", "1 pay 1000, 1 pay 1500, settle, 1 delete 1", "0, 500, 1000", "1500"},
		{"what is left of a move goes with the next deletion", "1 pay 1200, 1 pay 300, 1 pay 400, settle, 1 delete 2, 1 delete 2", "0, 800, 1000", "1800"},
		{"what was moved on comes back too", "1 pay 1500, settle, 2 bank 1000, settle, 1 delete 1", "1000, 0, 1000", "2000"},
		{"a move that is deleted takes back what was moved on", "1 pay 2000, settle, 2 pay 400, settle, 1 delete 2", "-1000, 600, 1000", "600"},
		{"what was paid out stays owed as a repayment", "1 pay 6000, 1 repay 5000, 1 delete 1", "1000+5000, 1000, 1000", "8000"},
		{"what was moved comes back, what was paid out stays owed", "1 pay 6000, 1 repay 4500, settle, 1 delete 1", "1000+4500, 1000, 1000", "7500"},
		{"another payment covers the principal first", "1 pay 5600, 1 pay 400, 1 repay 5000, 1 delete 1", "600+5000, 1000, 1000", "7600"},
		{"paid back, it is gone", "1 pay 6000, 1 repay 5000, 1 delete 1, 1 bank 6000", "0, 1000, 1000", "2000"},
		{"a credit note's credit that was moved comes back", "1 pay 1000, 1 credit, settle, 1 delete 1", "0, 1000, 1000", "2000"},
		{"a part of it", "1 bank 1000, 1 credit, settle, 1 bank -300", "0, 300, 1000", "1300"},
		{"a credit note's credit that was paid out stays owed", "1 pay 1000, 1 credit, 1 pay out 600, settle, 1 delete 1", "0+600, 1000, 1000", "2600"},
		{"credited when a repayment is owed", "1 pay 6000, 1 repay 5000, 1 delete 1, 1 credit", "0+5000, 1000, 1000", "7000"},
		{"a repayment is deleted: nothing was made of it", "1 pay 1500, 1 repay 200, settle, 1 delete 2", "-200, 700, 1000", "1500"},
	}
	rows.EachDatabase(t, func(t *testing.T, db *store.DB) {
		for _, tt := range tests {
			t.Run(tt.why, func(t *testing.T) {
				c := newCustomer(t, db, 3)
				c.play(tt.story)
				if got := c.owed(); got != tt.want {
					t.Errorf("owed is %s, want %s\n%s", got, tt.want, c.books())
				}
				c.proved(tt.balance)
			})
		}
	})
}

// TestD96ClaimsAreSettledBeforeARepayment moves credit to customers who owe a repayment on the invoice that is due first. The
// invoices are of 1000 kroner each.
func TestD96ClaimsAreSettledBeforeARepayment(t *testing.T) {
	t.Parallel()
	const owesRepayment = "1 pay 1500, 1 repay 500, 1 delete 1, 1 pay 1000, "
	tests := []struct{ why, story, run, want string }{
		{"the claim comes first, and the repayment waits", "3 pay 2000", "0+500, 0, 0", "0+500, 0, 0"},
		{"a run leaves the repayment alone, a person settles it last", "3 pay 2300", "0+500, 0, -300", "0+200, 0, 0"},
		{"nothing is claimed", "2 pay 1000, 3 pay 1400", "0+500, 0, -400", "0+100, 0, 0"},
		{"a person settles the whole of it where the credit reaches", "2 pay 1000, 3 pay 1600", "0+500, 0, -600", "0, 0, -100"},
	}
	rows.EachDatabase(t, func(t *testing.T, db *store.DB) {
		for _, tt := range tests {
			t.Run(tt.why, func(t *testing.T) {
				c := newCustomer(t, db, 3)
				c.play(owesRepayment + tt.story)
				must(t, db.InTx(t.Context(), func(_ context.Context, tx *store.Tx) error {
					_, err := ledger.MoveCredit(t.Context(), tx, c.creditor.ID, c.id, rows.Today, "", func(models.Invoice) bool { return true })
					return err
				}))
				if got := c.owed(); got != tt.run {
					t.Errorf("after a run's moves owed is %s, want %s\n%s", got, tt.run, c.books())
				}
				c.play("settle")
				if got := c.owed(); got != tt.want {
					t.Errorf("after a person's owed is %s, want %s\n%s", got, tt.want, c.books())
				}
			})
		}
	})
}

// TestD96TheMoveBackIsToldOnce takes a payment back whose surplus went to two invoices.
func TestD96TheMoveBackIsToldOnce(t *testing.T) {
	t.Parallel()
	rows.EachDatabase(t, func(t *testing.T, db *store.DB) {
		c := newCustomer(t, db, 3)
		c.play("1 pay 2500, settle, 1 delete 1")
		events, err := db.Events(t.Context(), c.creditor.ID, 0, 1000)
		must(t, err)
		events = slices.DeleteFunc(events, func(e models.Event) bool { return e.Type != models.EventCreditMovedBack })
		if len(events) != 1 || events[0].Actor != "key 7" || events[0].CustomerID != c.id ||
			events[0].Text != "1500.00 of the customer's credit moved back to invoice 1: the money that it was made of was taken back" ||
			!strings.Contains(events[0].Data, `{"from":"invoice 3","to":"invoice 1","amount":"500.00","of":"500.00","on":"2026-03-02","entries":[`) {
			t.Errorf("the events are %+v", events)
		}
	})
}

// TestD96VerifyNamesWhatOlderProgramsLeft deletes a payment as programs did before: its surplus stays on another invoice. Verify names
// the move and what to do, and that sets it right.
func TestD96VerifyNamesWhatOlderProgramsLeft(t *testing.T) {
	t.Parallel()
	rows.EachDatabase(t, func(t *testing.T, db *store.DB) {
		c := newCustomer(t, db, 2)
		c.play("1 pay 1600, settle")
		payments := c.invoices[0].payments()
		rows.Write(t, db, func(tx *store.Tx) error {
			e, err := tx.Entry(t.Context(), c.creditor.ID, payments[0])
			must(t, err)
			must(t, tx.DeleteEntry(t.Context(), e))
			return tx.RefreshBalances(t.Context(), e.InvoiceID)
		})
		found, err := ledger.Verify(t.Context(), db, c.creditor)
		must(t, err)
		want := []ledger.Difference{
			ledger.Difference(fmt.Sprintf("invoice with id %d keeps a repayment owed of 0.00, its entries give 600.00: the next entry on it sets that right", c.invoices[0].id)),
			ledger.Difference(fmt.Sprintf("invoice 1 owes 1600.00, and 600.00 of its surplus was moved to invoice 2 by transaction %d: "+
				"the money was taken back, so delete that transaction, which takes the move back", payments[1])),
		}
		if !slices.Equal(found, want) {
			t.Errorf("found is %q, want %q", found, want)
		}
		must(t, c.invoices[0].remove(payments[1]))
		if got := c.owed(); got != "1000, 1000" {
			t.Errorf("then owed is %s", got)
		}
		c.proved("2000")
	})
}

// teller lets random things happen to the money of a customer, and knows what the customer owes by a sum of its own.
type teller struct {
	*customer
	rt       *rapid.T
	owes     models.Amount           // by all documents
	manual   map[int64]models.Amount // what a person registered: the entries' amounts, by ID
	bankIn   []models.Amount         // what the bank brought and has not taken back, by invoice
	credited []bool
}

func (w *teller) pick() int { return rapid.IntRange(0, len(w.invoices)-1).Draw(w.rt, "invoice") }

func (w *teller) amount(most models.Amount) models.Amount {
	return models.Amount(rapid.Int64Range(1, int64(most)).Draw(w.rt, "amount"))
}

// acts are what may happen, by name.
func (w *teller) acts() map[string]func() {
	register := func(a *account, amount models.Amount) {
		if e, err := a.register(ledger.Payment{Amount: amount, Date: rows.Today}); err == nil {
			w.manual[e.ID], w.owes = amount, w.owes+amount
		}
	}
	return map[string]func(){
		"pay":   func() { register(w.invoices[w.pick()], -w.amount(4000_00)) },
		"repay": func() { register(w.invoices[w.pick()], w.amount(1500_00)) }, // refused above the surplus
		"settle": func() {
			_, err := w.settle()
			must(w.t, err)
		},
		"bank": func() {
			n := w.pick()
			amount := w.amount(4000_00)
			w.invoices[n].bank(amount)
			w.bankIn[n], w.owes = w.bankIn[n]+amount, w.owes-amount
		},
		"bank takes back": func() {
			if n := w.pick(); w.bankIn[n] > 0 {
				amount := w.amount(w.bankIn[n])
				w.invoices[n].bank(-amount)
				w.bankIn[n], w.owes = w.bankIn[n]-amount, w.owes+amount
			}
		},
		"credit": func() {
			if n := w.pick(); !w.credited[n] {
				w.invoices[n].credit()
				w.credited[n], w.owes = true, w.owes-1000_00
			}
		},
		"pay out": func() {
			if n := w.pick(); w.credited[n] {
				amount := w.amount(1000_00)
				if e, err := w.invoices[n].registerOnNote(ledger.Payment{Amount: amount, Date: rows.Today}); err == nil {
					w.manual[e.ID], w.owes = amount, w.owes+amount
				}
			}
		},
		"delete": func() {
			a := w.invoices[w.pick()]
			if ids := a.payments(); len(ids) > 0 {
				id := rapid.SampledFrom(ids).Draw(w.rt, "entry") // half of a move too: that changes nothing that is owed
				must(w.t, a.remove(id))
				w.owes -= w.manual[id]
				delete(w.manual, id)
			}
		},
	}
}

// check proves from the rows that the law is kept.
func (w *teller) check() {
	var owes, free models.Amount
	for n, a := range w.invoices {
		invoice, err := a.db.Invoice(w.t.Context(), w.creditor.ID, a.id)
		must(w.t, err)
		entries, err := a.db.EntriesOfInvoiceAndCreditNote(w.t.Context(), a.id)
		must(w.t, err)
		var onInvoice, onNote, out models.Amount
		for _, e := range entries {
			switch {
			case e.CreditNoteID != 0:
				onNote += e.Amount
			default:
				onInvoice += e.Amount
				if e.Type == models.EntryPayment && e.Amount > 0 {
					out += e.Amount
				}
			}
		}
		owes += onInvoice + onNote
		free -= min(onInvoice, 0) + min(onNote, 0)
		most := models.Amount(1000_00)
		if w.credited[n] {
			most = 0
		}
		principal := invoice.Balance - invoice.RepaymentOwed // nothing is charged here
		switch {
		case invoice.Balance != onInvoice:
			w.rt.Fatalf("invoice %d keeps %s, its entries add up to %s", n+1, invoice.Balance, onInvoice)
		case onNote > 0:
			w.rt.Fatalf("the credit note of invoice %d has %s", n+1, onNote)
		case principal > most || max(principal, 0) != law.Allocate(entries).Principal:
			w.rt.Fatalf("the principal of invoice %d is %s, at most %s may be\n%s", n+1, principal, most, w.books())
		case invoice.RepaymentOwed < 0 || invoice.RepaymentOwed > max(onInvoice, 0) || out > 0 && principal > 0 && invoice.RepaymentOwed < out:
			w.rt.Fatalf("of the %s of invoice %d %s are a repayment, %s went out\n%s", onInvoice, n+1, invoice.RepaymentOwed, out, w.books())
		}
	}
	credit, err := w.db.FreeCredit(w.t.Context(), w.creditor.ID, []int64{w.id})
	must(w.t, err)
	if owes != w.owes || credit[w.id] != free {
		w.rt.Fatalf("the customer owes %s and has %s free, want %s and %s\n%s", owes, credit[w.id], w.owes, free, w.books())
	}
	lost, err := w.db.LostMoves(w.t.Context(), w.creditor.ID)
	if err != nil || len(lost) > 0 {
		w.rt.Fatalf("credit was moved whose money is gone: %+v, %v\n%s", lost, err, w.books())
	}
}

// TestD96NoPrincipalAboveItsGross lets random payments come, be moved, be paid out, and be taken back.
func TestD96NoPrincipalAboveItsGross(t *testing.T) {
	t.Parallel()
	testkit.Share(t)
	rows.EachDatabase(t, func(t *testing.T, db *store.DB) {
		rapid.Check(t, func(rt *rapid.T) {
			w := &teller{customer: newCustomer(t, db, 3), rt: rt, owes: 3000_00, manual: map[int64]models.Amount{}, bankIn: make([]models.Amount, 3), credited: make([]bool, 3)}
			acts := w.acts()
			names := rapid.SampledFrom(slices.Sorted(maps.Keys(acts)))
			for range rapid.IntRange(1, 15).Draw(rt, "acts") {
				acts[names.Draw(rt, "act")]()
				w.check()
			}
			found, err := ledger.Verify(t.Context(), db, w.creditor)
			if err != nil || len(found) > 0 {
				rt.Fatalf("the books: %v, %v", found, err)
			}
		})
	})
}
