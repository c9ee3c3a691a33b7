package unmatched

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"purr/models"
	"purr/store"
	"purr/test/testkit/rows"
)

// pointed returns the customers whom the creditor's queue points at, or has pointed at.
func (b *books) pointed(t *testing.T, c models.Creditor) (payers map[int64]bool) {
	t.Helper()
	must(t, b.DB.View(t.Context(), func(v store.View) (err error) {
		payers, err = LikelyPayers(t.Context(), v, c)
		return err
	}))
	return payers
}

// TestD95WhoeverWasPointedAtStaysShielded has a payment of 700 point at one customer, then at a second, then at a third, each time
// because the one before owes something else. All three are left alone while it is in the queue, also after a match that was taken
// back; an invoice's standing says so too. Then nobody is.
func TestD95WhoeverWasPointedAtStaysShielded(t *testing.T) {
	eachBooks(t, func(t *testing.T, b *books) {
		ctx, c := t.Context(), rows.Creditor(t, b.DB)
		var owing []models.Invoice
		for n := range 3 {
			i := rows.Invoice(t, b.DB, c, rows.Of(700_00))
			owing = append(owing, i)
			if n == 0 {
				b.take(t, fileOf(c.BankAccount, paid(otherKID(10, models.Modulus10), 700_00)).Bytes(t))
				must(t, FindLikelyPayers(ctx, b.DB, c))
			}
			must(t, RememberLikelyPayers(ctx, b.DB, c)) // as each run does
			must(t, b.Pay(ctx, i, 100_00))
		}
		shielded := func(when string, want bool) {
			t.Helper()
			payers := b.pointed(t, c)
			for n, i := range owing {
				s, err := b.DB.StandingOf(ctx, c.ID, i.ID, today)
				must(t, err)
				if payers[i.CustomerID] != want || s.LikelyPayer != want {
					t.Errorf("%s customer %d is shielded by the queue: %t, by the standing: %t, want %t", when, n+1, payers[i.CustomerID], s.LikelyPayer, want)
				}
			}
		}
		shielded("while it waits", true)
		k := clerk{b, t, c}
		u, code := k.match(b.Queue(t, c)[0], owing[0])
		wantCode(t, code, "")
		shielded("while it is matched", false)
		_, code = k.unmatch(u)
		wantCode(t, code, "")
		shielded("while it waits again", true)
		_, code = k.dismiss(b.Queue(t, c)[0], "sent back")
		wantCode(t, code, "")
		shielded("when it is gone", false)
		b.Prove(t, c)
	})
}

// TestD95OneCustomersQuestionSaysWhatTheQueueSays asks of one payment after the other whose it may be: of all customers at once, and
// of each customer alone. The payments have every slip in a KID, zeros too many and too few, and KIDs, numbers, amounts and accounts
// of all kinds.
func TestD95OneCustomersQuestionSaysWhatTheQueueSays(t *testing.T) {
	eachBooks(t, func(t *testing.T, b *books) {
		c := rows.Creditor(t, b.DB, func(c *models.Creditor) { c.FirstNumber = 2026 })
		invoices := ledgerOf(t, b, c)
		queue := slipsOf(invoices[2028].KID)
		for _, number := range slices.Sorted(maps.Keys(invoices)) {
			i := invoices[number]
			queue = append(queue,
				models.UnmatchedPayment{Amount: 5_00, Text: fmt.Sprintf("faktura %d", number)}, models.UnmatchedPayment{Amount: 5_00, Text: "KID:" + i.KID + "."},
				models.UnmatchedPayment{Amount: i.Gross}, models.UnmatchedPayment{Amount: 5_00, KID: fmt.Sprint(number)})
		}
		for _, account := range []string{livsAccount, karisAccount, councilAccount} {
			queue = append(queue, models.UnmatchedPayment{Amount: 5_00, FromAccountNumber: account}, models.UnmatchedPayment{Amount: 750_00, FromAccountNumber: account})
		}
		b.queues(t, c, queue)
		must(t, b.DB.View(t.Context(), func(v store.View) error { return samePointing(t, v, c, queue) }))
	})
}

// slipsOf returns payments with each KID that differs from the KID in one digit or in two neighbours, and with each of these without
// its zeros.
func slipsOf(kid string) (slips []models.UnmatchedPayment) {
	add := func(changed []byte) {
		slips = append(slips, models.UnmatchedPayment{Amount: 5_00, KID: string(changed)}, models.UnmatchedPayment{Amount: 5_00, KID: strings.TrimLeft(string(changed), "0")},
			models.UnmatchedPayment{Amount: 5_00, KID: "000" + string(changed)})
	}
	for n := range kid {
		for digit := byte('0'); digit <= '9'; digit++ {
			changed := []byte(kid)
			changed[n] = digit
			add(changed)
		}
		if n > 0 {
			changed := []byte(kid)
			changed[n], changed[n-1] = changed[n-1], changed[n]
			add(changed)
		}
	}
	return slips
}

// queues writes open payments of the creditor and sets their IDs.
func (b *books) queues(t *testing.T, c models.Creditor, queue []models.UnmatchedPayment) {
	t.Helper()
	for n := range queue {
		u := &queue[n]
		u.CreditorID, u.Status, u.TransactionDate, u.LineKey = c.ID, models.PaymentOpen, today, models.LineKey{byte(n), byte(n >> 8), 1}
	}
	rows.Write(t, b.DB, func(tx *store.Tx) error {
		for some := range slices.Chunk(queue, 500) {
			if err := tx.CreateUnmatchedPayments(t.Context(), some); err != nil {
				return err
			}
		}
		return nil
	})
}

// samePointing fails the test if a payment of the queue may be a customer's, and is not among those that may be.
func samePointing(t *testing.T, v store.View, c models.Creditor, queue []models.UnmatchedPayment) error {
	t.Helper()
	perhaps, pointed := map[int64]map[int64]bool{}, 0 // payments by customer
	suggestions, err := SuggestEach(t.Context(), v, c, queue)
	if err != nil {
		return err
	}
	for n, u := range queue {
		for _, s := range suggestions[n] {
			if pointed++; perhaps[s.CustomerID] == nil {
				payments, err := v.PaymentsPerhapsOf(t.Context(), c.ID, s.CustomerID, 0, len(queue))
				if err != nil {
					return err
				}
				perhaps[s.CustomerID] = map[int64]bool{}
				for _, p := range payments {
					perhaps[s.CustomerID][p.ID] = true
				}
			}
			if !perhaps[s.CustomerID][u.ID] {
				t.Errorf("the payment of %s with KID %q, text %q, from %q may be customer %d's by %v, and is not looked at", u.Amount, u.KID, u.Text, u.FromAccountNumber, s.CustomerID, s.Reasons)
			}
		}
	}
	payers, err := LikelyPayers(t.Context(), v, c)
	if err != nil {
		return err
	}
	for customer := range perhaps {
		if q, err := PaymentsPerhapsOf(t.Context(), v, c, customer, 1); err != nil || q.Points != payers[customer] {
			t.Errorf("customer %d is pointed at: %t (%v), by the whole queue %t", customer, q.Points, err, payers[customer])
		}
	}
	if pointed < 100 || len(payers) < 3 {
		t.Errorf("there are %d suggestions, and %d likely payers", pointed, len(payers))
	}
	return nil
}

// TestD95ALongQueueIsAskedLittleForOneCustomer has ten thousand payments wait, each with a KID, a text and an account that are
// nobody's. Of a customer whom none points at seven statements say so, and as many of one whom the last points at.
func TestD95ALongQueueIsAskedLittleForOneCustomer(t *testing.T) {
	eachBooks(t, func(t *testing.T, b *books) {
		c := rows.Creditor(t, b.DB)
		nobody, somebody := rows.Invoice(t, b.DB, c, rows.Of(651_00)), rows.Invoice(t, b.DB, c, rows.Of(700_00))
		queue := make([]models.UnmatchedPayment, 10_000)
		for n := range queue {
			queue[n] = models.UnmatchedPayment{
				Amount: models.Amount(1_000_00 + n), KID: models.NewKID(fmt.Sprintf("%09d", 700_000+n), models.Modulus10), Text: fmt.Sprintf("Ordre %d", 50_000+n),
				FromAccountNumber: fmt.Sprintf("9710%07d", n),
			}
		}
		queue[len(queue)-1] = models.UnmatchedPayment{Amount: 700_00}
		b.queues(t, c, queue)
		for i, want := range map[*models.Invoice]bool{&nobody: false, &somebody: true} {
			var asked store.Queries
			var q InQueue
			must(t, b.DB.View(asked.Counting(t.Context()), func(v store.View) (err error) {
				q, err = PaymentsPerhapsOf(asked.Counting(context.WithoutCancel(t.Context())), v, c, i.CustomerID, 10)
				return err
			}))
			if q.Points != want || (len(q.Perhaps) == 1) != want || asked.Count() > 7 || asked.Count() == 0 {
				t.Errorf("customer %d is pointed at: %t, want %t; it took %d statements", i.CustomerID, q.Points, want, asked.Count())
			}
		}
	})
}
