package unmatched

import (
	"slices"
	"testing"

	"purr/billing"
	"purr/ledger"
	"purr/models"
	"purr/store"
	"purr/test/testkit/rows"
)

// owesRepayment has a customer owe an amount and, on the same invoice, a repayment: it is paid too much, the surplus is paid out, and
// the payment is taken back.
func (b *books) owesRepayment(t *testing.T, c models.Creditor, claimed, repayment models.Amount, changes ...func(*billing.InvoiceRequest)) models.Invoice {
	t.Helper()
	i := rows.Invoice(t, b.DB, c, append(changes, rows.Of(claimed))...)
	register := func(amount models.Amount) (e models.Entry) {
		rows.Write(t, b.DB, func(tx *store.Tx) (err error) {
			e, err = ledger.RegisterOnInvoice(t.Context(), tx, c.ID, i.ID, ledger.Payment{Amount: amount, Date: rows.Today}, rows.Today)
			return err
		})
		return e
	}
	wrong := register(-claimed - repayment)
	register(repayment)
	rows.Write(t, b.DB, func(tx *store.Tx) error {
		return ledger.DeletePayment(t.Context(), tx, c.ID, wrong.ID, rows.Today, "a person")
	})
	i, err := b.DB.Invoice(t.Context(), c.ID, i.ID)
	if err != nil || i.Claimed() != claimed || i.RepaymentOwed != repayment {
		t.Fatalf("%s is claimed, and a repayment of %s is owed (%v)", i.Claimed(), i.RepaymentOwed, err)
	}
	return i
}

// TestD96WhoPaysWhatTheLetterAsksForIsRecognised has 700.00 come without a KID for an invoice on which that is asked for, and a
// repayment of 1000.00 is owed besides: the invoice is suggested, its customer is shielded, and so for the whole balance.
func TestD96WhoPaysWhatTheLetterAsksForIsRecognised(t *testing.T) {
	eachBooks(t, func(t *testing.T, b *books) {
		unknown := otherKID(10, models.Modulus10)
		for _, amount := range []models.Amount{700_00, 1700_00} {
			c := rows.Creditor(t, b.DB)
			i := b.owesRepayment(t, c, 700_00, 1000_00)
			b.take(t, fileOf(c.BankAccount, paid(unknown, amount)).Bytes(t))
			must(t, FindLikelyPayers(t.Context(), b.DB, c))
			open, _, err := b.DB.UnmatchedPayments(t.Context(), c.ID, true, false, store.Page{Number: 1, Size: 10})
			if err != nil || len(open) != 1 {
				t.Fatal(len(open), err)
			}
			must(t, b.DB.View(t.Context(), func(v store.View) error {
				best, err := Suggest(t.Context(), v, c, open[0])
				if err != nil || len(best) != 1 || best[0].Invoices[0].ID != i.ID || !slices.Equal(best[0].Reasons, []models.Hint{models.HintOpenAmount}) ||
					!best[0].paidInFullBy(amount) {
					t.Errorf("for %s the suggestions are %+v, %v", amount, best, err)
				}
				shielded, err := LikelyPayers(t.Context(), v, c)
				if !shielded[i.CustomerID] {
					t.Errorf("%s shields %v, not customer %d", amount, shielded, i.CustomerID)
				}
				return err
			}))
		}
	})
}

// TestD96APaymentForSeveralInvoicesAsLettersAskForThem matches a payment with two invoices of one customer, of which one owes a
// repayment besides: each gets what is asked for, and the repayment stays owed.
func TestD96APaymentForSeveralInvoicesAsLettersAskForThem(t *testing.T) {
	eachBooks(t, func(t *testing.T, b *books) {
		c := rows.Creditor(t, b.DB)
		customer := rows.Customer(t, b.DB, c)
		first := b.owesRepayment(t, c, 700_00, 1000_00, rows.To(customer))
		second := rows.Invoice(t, b.DB, c, rows.To(customer), rows.Of(300_00))
		b.take(t, fileOf(c.BankAccount, paid(otherKID(10, models.Modulus10), 1000_00)).Bytes(t))
		open, _, err := b.DB.UnmatchedPayments(t.Context(), c.ID, true, false, store.Page{Number: 1, Size: 10})
		if err != nil || len(open) != 1 {
			t.Fatal(len(open), err)
		}
		rows.Write(t, b.DB, func(tx *store.Tx) error {
			_, err := Match(t.Context(), tx, c, open[0].ID, []int64{first.ID, second.ID}, "a person")
			return err
		})
		if got := b.Balance(t, first); got != 1000_00 {
			t.Errorf("%s is owed on the first invoice", got)
		}
		if got := b.Balance(t, second); got != 0 {
			t.Errorf("%s is owed on the second", got)
		}
	})
}

// TestD96SetsAddUpByWhatIsAskedFor has a customer's open invoices add up with or without the repayments that are owed on them.
func TestD96SetsAddUpByWhatIsAskedFor(t *testing.T) {
	open := of(1700, 300, 50)
	open[0].RepaymentOwed = 1000
	open[2].RepaymentOwed = 50 // nothing is asked for on it
	for amount, want := range map[models.Amount]int{1000: 2, 2000: 2, 2050: 3, 350: 2, 750: 0} {
		c := candidates{amount: amount, open: map[int64][]models.Invoice{1: open}, payers: []int64{1}}
		var got int
		for _, s := range c.rank() {
			if slices.Contains(s.Reasons, models.HintAddUp) {
				got = len(s.Invoices)
			}
		}
		if got != want {
			t.Errorf("%s is for %d invoices, want %d", amount, got, want)
		}
	}
}
