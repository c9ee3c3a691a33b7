package unmatched

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"purr/models"
	"purr/ocr/giro"
	"purr/store"
	"purr/test/testkit/rows"
)

// Of six payments of 500 kroner three can be matched as they were seen. The others were matched or dismissed meanwhile, or
// something else is owed on their invoices now.
func TestE5OfManyMatchesThoseThatNoLongerHoldAreLeftOut(t *testing.T) {
	eachBooks(t, func(t *testing.T, b *books) {
		k := clerk{b, t, rows.Creditor(t, b.DB)}
		unknown := otherKID(k.c.KIDLength, k.c.KIDModulus)
		var payments []giro.Payment
		var choices []Choice
		var invoices []models.Invoice
		for range 6 {
			payments = append(payments, paid(unknown, 500_00))
			invoices = append(invoices, rows.Invoice(t, b.DB, k.c))
		}
		b.take(t, fileOf(k.c.BankAccount, payments...).Bytes(t))
		queue := b.Queue(t, k.c)
		for n, u := range queue {
			choices = append(choices, Choice{PaymentID: u.ID, Invoices: []Seen{{invoices[n].ID, 1000_00}}})
		}
		choices[5].Invoices[0] = Seen{invoices[4].ID, 1000_00} // which the fifth is for, too

		k.match(queue[1], invoices[5])
		k.dismiss(queue[2], "not ours")
		must(t, b.Pay(t.Context(), invoices[3], 1_00))
		matched, left, err := MatchEach(t.Context(), b.DB, k.c, choices, actor)
		must(t, err)
		place := func(id int64) int {
			return slices.IndexFunc(queue, func(u models.UnmatchedPayment) bool { return u.ID == id })
		}
		said := ""
		for _, u := range matched {
			said += fmt.Sprintf("%d %s, ", place(u.ID), u.Status)
		}
		for _, l := range left {
			said += fmt.Sprintf("%d %s, ", place(l.PaymentID), l.Why.Code)
		}
		if want := "0 matched, 4 matched, 1 payment_resolved, 2 payment_resolved, 3 balance_changed, 5 balance_changed, "; said != want {
			t.Errorf("it is said\n%s, want\n%s", said, want)
		}
		for n, want := range []models.Amount{500_00, 1000_00, 1000_00, 999_00, 500_00, 500_00} {
			k.owes(invoices[n], want)
		}

		again, left, err := MatchEach(t.Context(), b.DB, k.c, choices, actor)
		if err != nil || len(again) != 0 || len(left) != 6 {
			t.Errorf("a second time %d are matched, and left out are %v (%v)", len(again), left, err)
		}
		gone, cancel := context.WithCancel(t.Context())
		cancel()
		if _, _, err := MatchEach(gone, b.DB, k.c, choices, actor); err == nil {
			t.Error("a failure of the database is taken for a refusal")
		}
	})
}

func TestD2NobodyMatchesAsChosenWhatIsAnothers(t *testing.T) {
	eachClerk(t, func(t *testing.T, k clerk, _ bankFile, queue []models.UnmatchedPayment) {
		stranger := clerk{k.books, t, rows.Creditor(t, k.DB)}
		mine := rows.Invoice(t, k.DB, k.c)
		choice := ChoiceOf(queue[0].ID, Suggestion{Invoices: []models.Invoice{mine}})
		_, code := stranger.do(func(ctx context.Context, tx *store.Tx) (models.UnmatchedPayment, error) {
			return MatchChosen(ctx, tx, stranger.c, choice, actor)
		})
		wantCode(t, code, "not_found")
		k.owes(mine, 1000_00)
	})
}
