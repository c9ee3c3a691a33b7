package ledger_test

import (
	"sync"
	"sync/atomic"
	"testing"

	"purr/ledger"
	"purr/models"
	"purr/store"
	"purr/test/testkit/rows"
)

// TestBalanceIsTheSumAtEveryMomentD33 has 16 clients register on three invoices, some without success. Meanwhile
// every read must show a balance that is the sum of the entries.
func TestBalanceIsTheSumAtEveryMomentD33(t *testing.T) {
	t.Parallel()
	rows.EachDatabase(t, func(t *testing.T, db *store.DB) {
		c := rows.Creditor(t, db)
		accounts := []*account{open(t, db, c), open(t, db, c), open(t, db, c)}
		var registered [3]atomic.Int64
		var clients, watcher sync.WaitGroup
		for client := range 16 {
			clients.Go(func() {
				for round := range 4 {
					at := (client + round) % len(accounts)
					amount := models.Amount(-1 - client)
					if round == 3 {
						amount = 5000_00 // more than any customer has overpaid
					}
					switch _, err := accounts[at].register(ledger.Payment{Amount: amount, Date: rows.Today}); rows.Faults(err) {
					case "":
						registered[at].Add(int64(amount))
					case "amount amount_too_large":
					default:
						t.Error(err)
					}
				}
			})
		}
		done := make(chan struct{})
		watcher.Go(func() {
			for {
				select {
				case <-done:
					return
				default:
					look(t, db, accounts[0])
				}
			}
		})
		clients.Wait()
		close(done)
		watcher.Wait()
		for n, a := range accounts {
			look(t, db, a)
			invoice, err := db.Invoice(t.Context(), c.ID, a.id)
			if want := 1000_00 + models.Amount(registered[n].Load()); err != nil || invoice.Balance != want {
				t.Errorf("the balance is %s, %v, want %s", invoice.Balance, err, want)
			}
		}
		wantNoDifference(t, db, c)
	})
}

// look checks that the invoice's balance is the sum of its entries, both read at one moment.
func look(t *testing.T, db *store.DB, a *account) {
	t.Helper()
	err := db.View(t.Context(), func(v store.View) error {
		invoice, err := v.Invoice(t.Context(), a.creditor.ID, a.id)
		if err != nil {
			return err
		}
		entries, err := v.EntriesOfInvoice(t.Context(), a.id)
		if sum := ledger.TotalsOf(entries).Balance; err == nil && sum != invoice.Balance {
			t.Errorf("the balance shows %s, the entries add up to %s", invoice.Balance, sum)
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
}

func TestPostOfManyEntriesAtOnce(t *testing.T) {
	t.Parallel()
	rows.EachDatabase(t, func(t *testing.T, db *store.DB) {
		ctx := t.Context()
		c := rows.Creditor(t, db)
		one, other := open(t, db, c), open(t, db, c)
		other.do("pay 1000, credit")
		note, err := db.CreditNote(ctx, c.ID, other.note)
		must(t, err)
		posted := []models.Entry{
			{CreditorID: c.ID, InvoiceID: one.id, Type: models.EntryOCR, Amount: -300_00, TransactionDate: rows.Today},
			{CreditorID: c.ID, InvoiceID: other.id, Type: models.EntryOCR, Amount: -1, TransactionDate: rows.Today},
			{CreditorID: c.ID, InvoiceID: one.id, Type: models.EntryOCR, Amount: -200_00, TransactionDate: rows.Today},
			{CreditorID: c.ID, InvoiceID: other.id, CreditNoteID: note.ID, Type: models.EntryOCR, Amount: 400_00, TransactionDate: rows.Today},
		}
		rows.Write(t, db, func(tx *store.Tx) error {
			_, err := tx.LockInvoices(ctx, c.ID, []int64{one.id, other.id})
			must(t, err)
			_, err = tx.LockCreditNote(ctx, c.ID, note.ID)
			must(t, err)
			must(t, ledger.Post(ctx, tx, nil, ""))
			return ledger.Post(ctx, tx, posted, "")
		})
		if got, want := one.books(), "invoice invoiced 1000 OCR -300 OCR -200 = 500"; got != want {
			t.Errorf("the books are\n%s, want\n%s", got, want)
		}
		if got, want := other.books(), "invoice invoiced 1000 paid -1000 OCR -0.01 = -0.01, note credited -1000 OCR 400 = -600"; got != want {
			t.Errorf("the books are\n%s, want\n%s", got, want)
		}
		for _, e := range posted {
			if e.ID == 0 {
				t.Errorf("an entry got no ID: %+v", e)
			}
		}
	})
}

func TestUnpaidD29(t *testing.T) {
	t.Parallel()
	tests := []struct {
		balance, fees, interest    models.Amount
		unpaidFees, unpaidInterest models.Amount
		why                        string
	}{
		{1045, 35, 10, 35, 10, "nothing paid"},
		{45, 35, 10, 35, 10, "the principal paid"},
		{40, 35, 10, 35, 5, "a part of the interest paid"},
		{35, 35, 10, 35, 0, "the interest paid"},
		{20, 35, 10, 20, 0, "a part of the fee paid"},
		{0, 35, 10, 0, 0, "all of it paid"},
		{-20, 35, 10, 0, 0, "overpaid"},
		{500, 0, 0, 0, 0, "no fee and no interest"},
	}
	for _, tt := range tests {
		fees, interest := ledger.Totals{Balance: tt.balance, Fees: tt.fees, Interest: tt.interest}.Unpaid()
		if fees != tt.unpaidFees || interest != tt.unpaidInterest {
			t.Errorf("%s: unpaid are %d and %d, want %d and %d", tt.why, fees, interest, tt.unpaidFees, tt.unpaidInterest)
		}
	}
}
