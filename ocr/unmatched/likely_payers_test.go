package unmatched

import (
	"context"
	"testing"

	"purr/models"
	"purr/test/testkit/rows"
)

// likelyPayers returns the likely payer of each payment of the queue, -1 for one that has not been searched.
func (b *books) likelyPayers(t *testing.T, c models.Creditor) (customers []int64) {
	t.Helper()
	const unseen = -1
	for _, u := range b.Queue(t, c) {
		if u.LikelyPayerID == nil {
			customers = append(customers, unseen)
		} else {
			customers = append(customers, *u.LikelyPayerID)
		}
	}
	return customers
}

func TestE6gLikelyPayersAreFoundOnce(t *testing.T) {
	eachBooks(t, func(t *testing.T, b *books) {
		ctx, unknown := t.Context(), otherKID(10, models.Modulus10)
		c, other := rows.Creditor(t, b.DB), rows.Creditor(t, b.DB)
		invoice := rows.Invoice(t, b.DB, c, rows.Of(700_00))
		b.take(t, fileOf(c.BankAccount, paid(unknown, 700_00), paid(unknown, 1_00)).Bytes(t))
		b.take(t, fileOf(other.BankAccount, paid(unknown, 700_00)).Bytes(t))
		b.take(t, fileOf("86011117947", paid(unknown, 700_00)).Bytes(t)) // nobody's
		unseen := func(want ...int64) {
			t.Helper()
			got, err := b.DB.CreditorsWithoutLikelyPayers(ctx)
			must(t, err)
			if len(got) != len(want) || len(want) > 0 && got[0] != want[0] {
				t.Errorf("there is something to look at for %v, want %v", got, want)
			}
		}
		expect := func(want ...int64) {
			t.Helper()
			got := b.likelyPayers(t, c)
			for n := range want {
				if got[n] != want[n] {
					t.Errorf("the payments point at %v, want %v", got, want)
				}
			}
		}
		unseen(c.ID, other.ID)
		gone, cancel := context.WithCancel(ctx)
		cancel()
		if err := FindLikelyPayers(gone, b.DB, c); err == nil {
			t.Error("what is broken off has found everything")
		}
		unseen(c.ID, other.ID)
		must(t, FindLikelyPayers(ctx, b.DB, c))
		expect(invoice.CustomerID, 0)
		unseen(other.ID)

		k := clerk{b, t, c}
		second := b.Queue(t, c)[1]
		u, code := k.match(second, invoice)
		wantCode(t, code, "")
		unseen(other.ID)
		_, code = k.unmatch(u)
		wantCode(t, code, "")
		unseen(c.ID, other.ID) // it is open again
		must(t, FindLikelyPayers(ctx, b.DB, c))
		expect(invoice.CustomerID, 0)
	})
}

// A queue of more than a page is searched to its end. A payment that was resolved before the search has no likely payer.
func TestE6gLikelyPayersOfALongQueue(t *testing.T) {
	eachBooks(t, func(t *testing.T, b *books) {
		c := rows.Creditor(t, b.DB)
		rows.Invoice(t, b.DB, c, rows.Of(700_00))
		f := fileOf(c.BankAccount)
		for range pageSize + 10 {
			f.Assignments[0].Payments = append(f.Assignments[0].Payments, paid(otherKID(10, models.Modulus10), 700_00))
		}
		b.take(t, f.Bytes(t))
		k := clerk{b, t, c}
		_, code := k.dismiss(b.Queue(t, c)[0], "sent back")
		wantCode(t, code, "")
		must(t, FindLikelyPayers(t.Context(), b.DB, c))
		for n, customerID := range b.likelyPayers(t, c) {
			if (customerID > 0) != (n > 0) {
				t.Fatalf("payment %d points at %d", n+1, customerID)
			}
		}
	})
}
