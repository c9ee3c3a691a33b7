package ledger_test

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"purr/models"
	"purr/store"
	"purr/test/testkit/rows"
)

func TestN12CreditMovesToAnotherCustomersInvoice(t *testing.T) {
	t.Parallel()
	rows.EachDatabase(t, func(t *testing.T, db *store.DB) {
		d := newDesk(t, db, 2, 1)
		a, b := d.of[0], d.of[1]
		from, to := a.invoices[0], b.invoices[0]
		a.play("1 bank 1600")
		for why, tt := range map[string]struct {
			err  error
			want string
		}{
			"more than is free":      {d.move(from, to, 600_01), "not_enough_credit"},
			"to itself":              {d.move(from, from, 1), "same_invoice"},
			"nothing":                {d.move(from, to, 0), "amount_not_positive"},
			"from one that has none": {d.move(to, from, 1), "not_enough_credit"},
		} {
			if got := rows.Faults(tt.err); !strings.Contains(got+codeOf(tt.err), tt.want) {
				t.Errorf("%s: %v, want %s", why, tt.err, tt.want)
			}
		}
		other := newDesk(t, db, 1, 1)
		if err := d.move(from, other.of[0].invoices[0], 1); models.KindOf(err) != models.KindNotFound {
			t.Errorf("to another creditor's invoice: %v", err)
		}
		must(t, d.move(from, to, 400_00))
		d.proved()
		a.proved("-200")
		b.proved("600")
		// The half on either side takes back the whole.
		must(t, to.remove(to.payments()[0]))
		d.proved()
		a.proved("-600")
		b.proved("1000")
		must(t, d.move(from, to, 500_00))
		a.play("1 bank -700") // 100 of it were not moved: the rest takes the move back, and the principal is owed
		d.proved()
		a.proved("100")
		b.proved("1000")
		if got := a.owed() + "; " + b.owed(); got != "100; 1000" {
			t.Errorf("it is %s", got)
		}
		events, err := db.Events(t.Context(), d.creditor.ID, 0, 1000)
		must(t, err)
		told := map[models.EventType]int{}
		for _, e := range events {
			told[e.Type]++
		}
		if told[models.EventCreditTransferred] != 4 || told[models.EventCreditMovedBack] != 2 {
			t.Errorf("both sides are told: %v", told)
		}
	})
}

// TestN12NoCreditIsUsedTwice has clerks and the bank do at random what there is to do, and proves the books after each act.
func TestN12NoCreditIsUsedTwice(t *testing.T) {
	t.Parallel()
	rows.EachDatabase(t, func(t *testing.T, db *store.DB) {
		tries := 0
		rapid.Check(t, func(rt *rapid.T) {
			if tries++; tries > 12 {
				return
			}
			d := newDesk(t, db, 2, 2)
			amount := func() models.Amount { return models.Amount(rapid.IntRange(1, 1500).Draw(rt, "amount")) * 100 }
			who := func() *customer { return rapid.SampledFrom(d.of).Draw(rt, "customer") }
			which := func() *account { return rapid.SampledFrom(who().invoices).Draw(rt, "invoice") }
			var orders, files []int64
			one := func(ids []int64) int64 {
				if len(ids) == 0 {
					return 0
				}
				return rapid.SampledFrom(ids).Draw(rt, "id")
			}
			for range rapid.IntRange(5, 25).Draw(rt, "acts") {
				switch rapid.IntRange(0, 10).Draw(rt, "act") {
				case 0, 1:
					which().bank(amount())
				case 2:
					a := which()
					entries, err := db.EntriesOfInvoice(t.Context(), a.id)
					must(t, err)
					var came models.Amount
					for _, e := range entries {
						if e.Type == models.EntryOCR {
							came -= e.Amount
						}
					}
					if came > 0 {
						a.bank(-min(came, amount()))
					}
				case 3:
					must(t, second(who().settle()))
				case 4:
					_ = d.move(which(), which(), amount())
				case 5, 6:
					if r, err := d.order(who(), amount()); err == nil {
						orders = append(orders, r.ID)
					}
				case 7:
					_ = d.withdraw(one(orders))
				case 8:
					made, err := d.file()
					must(t, err)
					if made.File.ID != 0 {
						files = append(files, made.File.ID)
					}
				case 9:
					_ = d.pay(one(files))
				case 10:
					if rapid.Bool().Draw(rt, "unpay") {
						_ = d.unpay(one(files))
					} else {
						_ = d.withdrawFile(one(files))
					}
				}
				d.proved()
				if t.Failed() {
					rt.Fatal("the books do not add up")
				}
			}
		})
	})
}
