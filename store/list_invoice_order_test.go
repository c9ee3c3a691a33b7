package store_test

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"purr/models"
	"purr/store"
	"purr/test/testkit/rows"
)

// TestE10InvoicesAreReadInOrder pages through lists of every order and filter, of few rows and as if they were very many, and
// compares them with a list that is sorted here.
func TestE10InvoicesAreReadInOrder(t *testing.T) {
	rows.EachDatabase(t, func(t *testing.T, db *store.DB) {
		c := rows.Creditor(t, db)
		made := make([]models.Invoice, 60)
		rows.Write(t, db, func(tx *store.Tx) error {
			for n := range made {
				made[n] = invoices.Example(n)
				made[n].Recipient.Name1 = []string{"Kari Nordmann", "Ola Nordmann", "Kari 12 AS"}[n%3]
				made[n].Gross, made[n].IssueDate = models.Amount(1000+n%7*25), min(made[n].Deadline, rows.Today-models.Date(n%5))
				made[n].Balance *= models.Amount(n%9*50 + 25)
				if n%8 == 3 { // nothing else is owed
					made[n].RepaymentOwed = max(made[n].Balance, 0)
				}
				if err := addInvoice(t, tx, c, &made[n]); err != nil {
					return err
				}
			}
			return tx.CreateReferences(t.Context(), []store.Reference{{CreditorID: c.ID, KID: "1234567890128", InvoiceID: made[7].ID}})
		})
		has := func(text string) func(models.Invoice) bool {
			return func(i models.Invoice) bool { return strings.Contains(models.SearchText(i.Recipient.Name1), text) }
		}
		in := func(statuses ...models.Status) func(models.Invoice) bool {
			return func(i models.Invoice) bool { return slices.Contains(statuses, i.Status(rows.Today)) }
		}
		overdue := []models.Status{models.InvoiceOverdue, models.InvoiceOverdueChargeable, models.OverdueNoticeOverdue}
		filters := []struct {
			f     store.InvoiceFilter
			takes func(models.Invoice) bool
		}{
			{store.InvoiceFilter{}, func(models.Invoice) bool { return true }},
			{store.InvoiceFilter{Search: "kari"}, has("kari")},
			{store.InvoiceFilter{Search: "12", Wide: true}, func(i models.Invoice) bool { return has("12")(i) || i.Number == 12 }},
			{store.InvoiceFilter{Search: "10,25", Wide: true}, func(i models.Invoice) bool { return i.Gross == 1025 || i.Balance == 1025 }},
			{store.InvoiceFilter{Search: "123456 7890128", Wide: true}, func(i models.Invoice) bool { return i.ID == made[7].ID }},
			{store.InvoiceFilter{Search: "1234567890128"}, func(models.Invoice) bool { return false }},
			{store.InvoiceFilter{Search: "nord", Statuses: overdue}, func(i models.Invoice) bool { return has("nord")(i) && in(overdue...)(i) }},
			{store.InvoiceFilter{Statuses: overdue}, in(overdue...)},
			{store.InvoiceFilter{Statuses: models.Statuses[:2]}, in(models.Statuses[:2]...)},
			{store.InvoiceFilter{Statuses: []models.Status{models.InvoicePaid}}, in(models.InvoicePaid)},
			{store.InvoiceFilter{Issued: store.Dates{From: rows.Today - 2}}, func(i models.Invoice) bool { return i.IssueDate >= rows.Today-2 }},
			{store.InvoiceFilter{Issued: store.Dates{To: rows.Today - 2}, Statuses: overdue}, func(i models.Invoice) bool { return i.IssueDate <= rows.Today-2 && in(overdue...)(i) }},
		}
		orders := map[store.InvoiceOrder]func(a, b models.Invoice) int{
			store.NewestFirst: func(a, b models.Invoice) int { return cmp.Compare(b.ID, a.ID) },
			store.LongestDueFirst: func(a, b models.Invoice) int {
				return cmp.Or(cmp.Compare(a.Deadline, b.Deadline), cmp.Compare(a.ID, b.ID))
			},
			store.LargestFirst: func(a, b models.Invoice) int {
				return cmp.Or(cmp.Compare(b.Balance, a.Balance), cmp.Compare(b.ID, a.ID))
			},
		}
		for _, few := range []int{5000, 3} {
			store.OfManyRows(few, func() {
				for _, test := range filters {
					test.f.Today = rows.Today
					for order, compare := range orders {
						var want []int64
						var sum store.ListSum
						for _, i := range slices.SortedFunc(slices.Values(made), compare) {
							if test.takes(i) {
								want = append(want, i.ID)
								sum.Number, sum.Amount, sum.Rest = sum.Number+1, sum.Amount+i.Gross, sum.Rest+i.Balance
							}
						}
						mustAddUp(t, db, c, test.f, order, sum, len(want) <= few)
						if got := ordered(t, db, c, test.f, order, len(want)); !slices.Equal(got, want) {
							t.Errorf("in order %d %+v finds %v, want %v", order, test.f, got, want)
						}
					}
				}
			})
		}
	})
}

// mustAddUp fails the test unless a list comes to a sum. Of too many invoices it says their number; of all also what is owed.
func mustAddUp(t *testing.T, db *store.DB, c models.Creditor, f store.InvoiceFilter, o store.InvoiceOrder, want store.ListSum, added bool) {
	t.Helper()
	if want.Added = added; !added {
		want.Amount = 0
		if f.Search != "" || f.CustomerID != 0 || f.Statuses != nil || f.Issued != (store.Dates{}) {
			want.Rest = 0
		}
	}
	if _, got, err := db.SummedInvoices(t.Context(), c.ID, f, o, store.InvoiceMark{}, 7); err != nil || got != want {
		t.Errorf("%+v comes to %+v, %v, want %+v", f, got, err, want)
	}
}

// ordered pages through an ordered list.
func ordered(t *testing.T, db *store.DB, c models.Creditor, f store.InvoiceFilter, o store.InvoiceOrder, want int) (ids []int64) {
	t.Helper()
	if n, err := db.CountInvoices(t.Context(), c.ID, f); err != nil || n != int64(want) {
		t.Errorf("%+v counts %d, %v, want %d", f, n, err, want)
	}
	for after := (store.InvoiceMark{}); ; {
		page, total, err := db.OrderedInvoices(t.Context(), c.ID, f, o, after, 7)
		if err != nil || total != int64(want) {
			t.Fatalf("%+v finds %d, %v, want %d", f, total, err, want)
		}
		for _, i := range page {
			ids = append(ids, i.ID)
		}
		if len(page) < 7 {
			return ids
		}
		after = o.Mark(page[6])
	}
}

// TestO8EventsAreReadNewestFirst pages through events by type, by actor and by invoice.
func TestO8EventsAreReadNewestFirst(t *testing.T) {
	t.Parallel()
	rows.EachDatabase(t, func(t *testing.T, db *store.DB) {
		c := rows.Creditor(t, db)
		rows.Write(t, db, func(tx *store.Tx) error {
			for n := range 24 {
				e := models.Event{
					CreditorID: c.ID, Type: []models.EventType{models.EventHoldSet, models.EventHoldRemoved}[n%2],
					Actor: []string{"console, API key 3 (Kari)", "", "API key 1 (shop)"}[n%3], InvoiceID: int64(n % 4), Text: strconv.Itoa(n),
				}
				if err := tx.Log(t.Context(), e); err != nil {
					return err
				}
			}
			return nil
		})
		for _, test := range []struct {
			f    store.EventFilter
			want string
		}{
			{store.EventFilter{}, "23 22 21 20 19 18 17 16 15 14 13 12 11 10 9 8 7 6 5 4 3 2 1 0"},
			{store.EventFilter{Type: models.EventHoldSet}, "22 20 18 16 14 12 10 8 6 4 2 0"},
			{store.EventFilter{Actors: []string{"console, API key 3 (Kari)", "API key 3 (Kari)"}}, "21 18 15 12 9 6 3 0"},
			{store.EventFilter{Actors: []string{models.ActorProgram}, InvoiceID: 2}, "22 10"},
			{store.EventFilter{InvoiceID: 3, Type: models.EventHoldSet}, ""},
		} {
			var got []string
			for before := int64(0); ; {
				page, err := db.NewestEvents(t.Context(), c.ID, test.f, before, 5)
				must(t, err)
				for _, e := range page {
					got, before = append(got, e.Text), e.ID
				}
				if len(page) < 5 {
					break
				}
			}
			if strings.Join(got, " ") != test.want {
				t.Errorf("%+v finds %v, want %s", test.f, got, test.want)
			}
		}
	})
}
