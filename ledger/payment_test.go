package ledger_test

import (
	"encoding/json"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"purr/ledger"
	"purr/models"
	"purr/store"
	"purr/test/testkit/rows"
)

func TestRegisterOnInvoiceD32E3(t *testing.T) {
	t.Parallel()
	payment := func(kroner int) ledger.Payment {
		return ledger.Payment{Amount: models.Amount(kroner) * 100, Date: rows.Today, Comment: "Betalt kontant\n\tav Åse"}
	}
	with := func(p ledger.Payment, change func(*ledger.Payment)) ledger.Payment { change(&p); return p }
	of := func(kind models.EntryType) func(*ledger.Payment) { return func(p *ledger.Payment) { p.Type = kind } }
	tests := []struct {
		before  string
		payment ledger.Payment
		code    string // the code of the refusal
		books   string // the books after an accepted registration
		why     string
	}{
		{"", payment(-400), "", "invoice invoiced 1000 paid -400 = 600", "a payment"},
		{"", payment(-1000), "", "invoice invoiced 1000 paid -1000 = 0", "all of it"},
		{"", payment(-1500), "", "invoice invoiced 1000 paid -1500 = -500", "more than is owed: the customer's credit"},
		{"pay 1000", payment(-10), "", "invoice invoiced 1000 paid -1000 paid -10 = -10", "a payment of what is paid"},
		{"", with(payment(-1), of(models.EntryPayment)), "", "invoice invoiced 1000 paid -1 = 999", "its type said"},
		{"", with(payment(-1), func(p *ledger.Payment) { p.Date = day("2020-02-29") }), "", "invoice invoiced 1000 paid -1 = 999", "one of the past"},
		{"pay 1500", payment(500), "", "invoice invoiced 1000 paid -1500 paid 500 = 0", "a repayment of all that was overpaid"},
		{"pay 1500", payment(200), "", "invoice invoiced 1000 paid -1500 paid 200 = -300", "of a part"},
		{"pay 1500", payment(501), "amount amount_too_large", "", "not of more"},
		{"pay 1000", payment(1), "amount amount_too_large", "", "nothing was overpaid"},
		{"", payment(1), "amount amount_too_large", "", "nothing was paid"},
		{"", payment(0), "amount amount_zero", "", "nothing at all"},
		{"", with(payment(-1), func(p *ledger.Payment) { p.Date = rows.Today + 1 }), "transaction_date date_in_future", "", "one of tomorrow"},
		{"", with(payment(-1), func(p *ledger.Payment) { p.Date = 0 }), "transaction_date required", "", "one without a date"},
		{"", with(payment(-1), func(p *ledger.Payment) { p.Comment = strings.Repeat("ø", 501) }), "comment too_long", "", "a comment too long"},
		{
			"",
			ledger.Payment{Date: rows.Today + 1, Comment: "\x00"},
			"amount amount_zero; transaction_date date_in_future; comment control_character", "",
			"all that is wrong at once (D5)",
		},
		{"fee 35", with(payment(-35), of(models.EntryOverdueCharge)), "", "invoice invoiced 1000 fee 35 fee -35 = 1000", "the reversal of a fee"},
		{"fee 35", with(payment(-20), of(models.EntryOverdueCharge)), "", "invoice invoiced 1000 fee 35 fee -20 = 1015", "of a part of it"},
		{"fee 35", with(payment(-36), of(models.EntryOverdueCharge)), "amount amount_too_large", "", "not of more than was charged"},
		{"fee 35, reverse 20", with(payment(-16), of(models.EntryOverdueCharge)), "amount amount_too_large", "", "nor of what is reversed already"},
		{"fee 35, reverse 20", with(payment(-15), of(models.EntryOverdueCharge)), "", "invoice invoiced 1000 fee 35 fee -20 fee -15 = 1000", "but of the rest"},
		{
			"fee 35, pay 1035", with(payment(-35), of(models.EntryOverdueCharge)),
			"", "invoice invoiced 1000 fee 35 paid -1035 fee -35 = -35", "of a fee that was paid: it is the customer's credit",
		},
		{"fee 35", with(payment(35), of(models.EntryOverdueCharge)), "amount amount_not_negative", "", "no fee is charged by hand"},
		{"interest 10", with(payment(-10), of(models.EntryInterest)), "", "invoice invoiced 1000 interest 10 interest -10 = 1000", "of interest"},
		{"fee 35", with(payment(-10), of(models.EntryInterest)), "amount amount_too_large", "", "a fee is no interest"},
		{"", with(payment(-10), of(models.EntryOCR)), "transaction_type invalid_transaction_type", "", "no payment of the bank's by hand"},
		{"", with(payment(-10), of(models.EntryInvoice)), "transaction_type invalid_transaction_type", "", "no invoice by hand"},
		{"", with(payment(-10), of("BOGUS")), "transaction_type invalid_transaction_type", "", "no type that there is not"},
	}
	rows.EachDatabase(t, func(t *testing.T, db *store.DB) {
		for _, tt := range tests {
			t.Run(tt.why, func(t *testing.T) {
				a := open(t, db, rows.Creditor(t, db))
				a.do(tt.before)
				before := a.books()
				e, err := a.register(tt.payment)
				if got := rows.Faults(err); got != tt.code {
					t.Fatalf("refused as %q, want %q", got, tt.code)
				}
				if tt.code != "" {
					if after := a.books(); after != before || models.KindOf(err) != models.KindInvalid {
						t.Errorf("refused by an error of kind %d, and the books are %s", models.KindOf(err), after)
					}
					return
				}
				if got := a.books(); got != tt.books {
					t.Errorf("the books are\n%s, want\n%s", got, tt.books)
				}
				kept, err := db.Entry(t.Context(), a.creditor.ID, e.ID)
				must(t, err)
				if kept.TransactionDate != tt.payment.Date || kept.Comment != tt.payment.Comment || kept.CustomerID == 0 || kept.InvoiceID != a.id {
					t.Errorf("the entry is kept as %+v", kept)
				}
				events, err := db.Events(t.Context(), a.creditor.ID, 0, 100)
				must(t, err)
				if last := events[len(events)-1]; last.SubjectID != e.ID || last.InvoiceID != a.id || last.CustomerID != kept.CustomerID {
					t.Errorf("the last event is %+v", last)
				}
			})
		}
	})
}

func TestRegisterOnCreditNoteD32(t *testing.T) {
	t.Parallel()
	payout := func(kroner int) ledger.Payment {
		return ledger.Payment{Amount: models.Amount(kroner) * 100, Date: rows.Today}
	}
	tests := []struct {
		before  string
		payment ledger.Payment
		code    string
		want    string // the credit note's balance
		why     string
	}{
		{"pay 1000, credit", payout(1000), "", "0.00", "all of the credit"},
		{"pay 1000, credit", payout(1), "", "-999.00", "a part of it"},
		{"pay 400, credit", payout(401), "amount amount_too_large", "", "not more than is outstanding"},
		{"pay 1000, credit, pay out 1000", payout(1), "amount amount_too_large", "", "not twice"},
		{"credit", payout(1), "amount amount_too_large", "", "nothing is outstanding"},
		{"pay 1000, credit", payout(-1), "amount amount_not_positive", "", "no payment"},
		{"pay 1000, credit", payout(0), "amount amount_zero", "", "nothing at all"},
		{"pay 1000, credit", ledger.Payment{Amount: 1, Date: rows.Today + 1}, "transaction_date date_in_future", "", "one of tomorrow"},
		{
			"fee 35, pay 1035, credit",
			ledger.Payment{Amount: -35_00, Date: rows.Today, Type: models.EntryOverdueCharge},
			"transaction_type invalid_transaction_type; amount amount_not_positive", "", "no reversal",
		},
	}
	rows.EachDatabase(t, func(t *testing.T, db *store.DB) {
		for _, tt := range tests {
			t.Run(tt.why, func(t *testing.T) {
				a := open(t, db, rows.Creditor(t, db))
				a.do(tt.before)
				before := a.books()
				_, err := a.registerOnNote(tt.payment)
				if got := rows.Faults(err); got != tt.code {
					t.Fatalf("refused as %q, want %q", got, tt.code)
				}
				if tt.code != "" {
					if after := a.books(); after != before {
						t.Errorf("refused, and the books are %s", after)
					}
					return
				}
				note, err := db.CreditNote(t.Context(), a.creditor.ID, a.note)
				if err != nil || note.Balance.String() != tt.want {
					t.Errorf("the balance is %s, %v, want %s", note.Balance, err, tt.want)
				}
			})
		}
	})
}

func TestDeletePaymentD31(t *testing.T) {
	t.Parallel()
	rows.EachDatabase(t, func(t *testing.T, db *store.DB) {
		ctx := t.Context()
		c, stranger := rows.Creditor(t, db), rows.Creditor(t, db)
		a := open(t, db, c)
		a.do("fee 35, interest 10")
		payment, err := a.register(ledger.Payment{Amount: -400_00, Date: day("2026-02-27"), Comment: "Feil konto"})
		must(t, err)
		a.charge(models.EntryOCR, -100_00)

		entries, err := db.EntriesOfInvoice(ctx, a.id)
		must(t, err)
		for _, e := range entries {
			if e.Type == models.EntryPayment {
				continue
			}
			if err := a.remove(e.ID); rows.Faults(err) != "not_a_payment" || models.KindOf(err) != models.KindConflict {
				t.Errorf("deleting an entry %s: %v", e.Type, err)
			}
		}
		if err := (&account{t: t, db: db, creditor: stranger}).remove(payment.ID); models.KindOf(err) != models.KindNotFound {
			t.Errorf("deleting another creditor's: %v", err)
		}

		must(t, a.remove(payment.ID))
		if got, want := a.books(), "invoice invoiced 1000 fee 35 interest 10 OCR -100 = 945"; got != want {
			t.Errorf("the books are\n%s, want\n%s", got, want)
		}
		if err := a.remove(payment.ID); models.KindOf(err) != models.KindNotFound {
			t.Errorf("deleting it again: %v", err)
		}

		events, err := db.Events(ctx, c.ID, 0, 100)
		must(t, err)
		last := events[len(events)-1]
		if last.Type != models.EventPaymentDeleted || last.SubjectID != payment.ID || last.InvoiceID != a.id || !strings.Contains(last.Text, "key 7") {
			t.Errorf("the event is %+v", last)
		}
		var kept map[string]any
		must(t, json.Unmarshal([]byte(last.Data), &kept))
		for name, want := range map[string]any{
			"amount": "-400.00", "transaction_date": "2026-02-27", "comment": "Feil konto", "removed_by": "key 7", "id": float64(payment.ID),
		} {
			if kept[name] != want {
				t.Errorf("of the payment is kept %s %v, want %v", name, kept[name], want)
			}
		}
	})
}

func TestAPaymentIsDeletedOnceD31(t *testing.T) {
	t.Parallel()
	rows.EachDatabase(t, func(t *testing.T, db *store.DB) {
		a := open(t, db, rows.Creditor(t, db))
		a.do("pay 1000, credit")
		payments, _, err := db.Entries(t.Context(), a.creditor.ID, store.EntryFilter{Type: models.EntryPayment}, store.Page{Number: 1, Size: 1})
		must(t, err)
		var deleted atomic.Int32
		var clients sync.WaitGroup
		for range 4 {
			clients.Go(func() {
				switch err := a.remove(payments[0].ID); {
				case err == nil:
					deleted.Add(1)
				case models.KindOf(err) != models.KindNotFound:
					t.Error(err)
				}
			})
		}
		clients.Wait()
		want := "invoice invoiced 1000 credited -1000 = 0, note credited -1000 credited 1000 = 0"
		if got := a.books(); deleted.Load() != 1 || got != want {
			t.Errorf("deleted %d times, the books are\n%s, want\n%s", deleted.Load(), got, want)
		}
	})
}
