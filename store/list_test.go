package store_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"purr/models"
	"purr/store"
	"purr/test/testkit"
	"purr/test/testkit/rows"
)

// names are of recipients, some with digits.
var names = []string{"Kari Nordmann", "Ola Nordmann", "Åse Øygård", "Huset 12 AS", "12 Apostler", "Bakeriet"}

// crowd is what the lists of a creditor hold.
type crowd struct {
	db       *store.DB
	creditor models.Creditor
	invoices []models.Invoice
	entries  []models.Entry
}

// grow adds invoices of random dates, names and fates, and random entries.
func (c *crowd) grow(t *testing.T, seed, n int) {
	t.Helper()
	rows.Write(t, c.db, func(tx *store.Tx) error {
		for k := range n {
			i := invoices.Example(seed + k)
			i.IssueDate = min(rows.Today-models.Date((seed+k)*7%20), i.Deadline) // nothing falls due before its issue date
			i.Recipient.Name1 = names[(seed+k)%len(names)]
			if err := addInvoice(t, tx, c.creditor, &i); err != nil {
				return err
			}
			c.invoices = append(c.invoices, i)
			types := []models.EntryType{models.EntryInvoice, models.EntryPayment, models.EntryOCR}
			e := []models.Entry{{CreditorID: c.creditor.ID, Type: types[k%3], Amount: 1, TransactionDate: i.IssueDate}}
			if err := tx.CreateEntries(t.Context(), e); err != nil {
				return err
			}
			c.entries = append(c.entries, e...)
		}
		return nil
	})
}

// count counts the lists some time later.
func (c *crowd) count(t *testing.T, later time.Duration) {
	t.Helper()
	store.OfManyRows(4, func() {
		rows.Write(t, c.db, func(tx *store.Tx) error {
			at := *tx
			at.Now = tx.Now.Add(later)
			return at.CountLists(t.Context(), c.creditor.ID)
		})
	})
}

// delete deletes the nth entry.
func (c *crowd) delete(t *testing.T, n int) {
	t.Helper()
	rows.Write(t, c.db, func(tx *store.Tx) error { return tx.DeleteEntry(t.Context(), c.entries[n]) })
	c.entries = slices.Delete(c.entries, n, n+1)
}

// TestListsOfAnyLengthD10 reads random pages with random filters. Some rows were counted the night before, others
// are later. It compares each page with a filter over all rows.
func TestListsOfAnyLengthD10(t *testing.T) {
	testkit.Share(t)
	rows.EachDatabase(t, func(t *testing.T, db *store.DB) {
		c := &crowd{db: db, creditor: rows.Creditor(t, db)}
		other := &crowd{db: db, creditor: rows.Creditor(t, db)}
		check := func(why string) {
			t.Run(why, func(t *testing.T) {
				rapid.Check(t, func(t *rapid.T) {
					switch rapid.IntRange(0, 2).Draw(t, "list") {
					case 0:
						c.checkEntries(t)
					case 1:
						c.checkInvoices(t)
					case 2:
						store.OfManyRows(3, func() { c.checkInvoices(t) })
					}
				})
			})
		}
		check("nothing is there")
		c.grow(t, 0, 40)
		other.grow(t, 17, 10)
		check("nothing is counted")
		c.count(t, time.Minute)
		check("the rows are too young to be counted")
		c.count(t, 2*time.Hour)
		other.count(t, 2*time.Hour)
		check("all is counted")
		c.grow(t, 40, 15)
		c.delete(t, 50)
		c.delete(t, 7)
		c.delete(t, 3)
		check("some came later, and some entries are gone")
		c.count(t, 2*time.Hour)
		check("all is counted again")
	})
}

func drawDates(t *rapid.T) store.Dates {
	draw := func(name string) models.Date {
		if rapid.Bool().Draw(t, name) {
			return 0
		}
		return rows.Today - models.Date(rapid.Int32Range(-2, 22).Draw(t, name+" day"))
	}
	return store.Dates{From: draw("from"), To: draw("to")}
}

func holds(d store.Dates, day models.Date) bool {
	return (d.From == 0 || d.From <= day) && (d.To == 0 || day <= d.To)
}

func drawPage(t *rapid.T) store.Page {
	return store.Page{Number: rapid.IntRange(1, 8).Draw(t, "page"), Size: rapid.IntRange(1, 30).Draw(t, "size")}
}

// onPage returns the IDs that lie on a page.
func onPage(ids []int64, p store.Page) []int64 {
	first := min((p.Number-1)*p.Size, len(ids))
	return ids[first:min(first+p.Size, len(ids))]
}

func (c *crowd) checkInvoices(t *rapid.T) {
	f := store.InvoiceFilter{Issued: drawDates(t), Today: rows.Today, Search: rapid.SampledFrom([]string{"", "", "nordmann", "1", "12", "kari", "xyz"}).Draw(t, "search")}
	if rapid.Bool().Draw(t, "by status") {
		f.Statuses = rapid.SliceOfNDistinct(rapid.SampledFrom(models.Statuses), 1, -1, rapid.ID).Draw(t, "statuses")
	}
	p := drawPage(t)
	var want []int64
	for _, i := range c.invoices {
		named := strings.Contains(strings.ToLower(i.Recipient.Name1), f.Search) || fmt.Sprint(i.Number) == f.Search
		if holds(f.Issued, i.IssueDate) && named && (f.Statuses == nil || slices.Contains(f.Statuses, i.Status(rows.Today))) {
			want = append(want, i.ID)
		}
	}
	found, total, err := c.db.Invoices(t.Context(), c.creditor.ID, f, p)
	if got := summaryIDs(found); err != nil || total != int64(len(want)) || !slices.Equal(got, onPage(want, p)) {
		t.Fatalf("%+v of %+v is %v of %d, %v, want %v of %d", p, f, got, total, err, onPage(want, p), len(want))
	}
}

func (c *crowd) checkEntries(t *rapid.T) {
	f := store.EntryFilter{}
	if rapid.Bool().Draw(t, "narrowed") {
		f = store.EntryFilter{Dates: drawDates(t), Type: rapid.SampledFrom([]models.EntryType{"", models.EntryPayment, models.EntryInterest}).Draw(t, "type")}
	}
	p := drawPage(t)
	var want, got []int64
	for _, e := range c.entries {
		if holds(f.Dates, e.TransactionDate) && (f.Type == "" || f.Type == e.Type) {
			want = append(want, e.ID)
		}
	}
	found, total, err := c.db.Entries(t.Context(), c.creditor.ID, f, p)
	for _, e := range found {
		got = append(got, e.ID)
	}
	if err != nil || total != int64(len(want)) || !slices.Equal(got, onPage(want, p)) {
		t.Fatalf("%+v of %+v is %v of %d, %v, want %v of %d", p, f, got, total, err, onPage(want, p), len(want))
	}
}

// TestCustomersAreCountedOnceANight deletes customers of before and after the count.
func TestCustomersAreCountedOnceANight(t *testing.T) {
	rows.EachDatabase(t, func(t *testing.T, db *store.DB) {
		c := &crowd{db: db, creditor: rows.Creditor(t, db)}
		var want []int64
		grow := func(n int) {
			for range n {
				want = append(want, rows.Customer(t, db, c.creditor).ID)
			}
		}
		drop := func(n int) {
			rows.Write(t, db, func(tx *store.Tx) error { return tx.DeleteCustomer(t.Context(), c.creditor.ID, want[n]) })
			want = slices.Delete(want, n, n+1)
		}
		check := func(why string) {
			for _, p := range []store.Page{{Number: 1, Size: 3}, {Number: 3, Size: 4}, {Number: 5, Size: 4}, {Number: 1, Size: 100}} {
				found, total, err := db.Customers(t.Context(), c.creditor.ID, "", p)
				var got []int64
				for _, customer := range found {
					got = append(got, customer.ID)
				}
				if err != nil || total != int64(len(want)) || !slices.Equal(got, onPage(want, p)) {
					t.Errorf("%s: page %d holds %v of %d, %v, want %v of %d", why, p.Number, got, total, err, onPage(want, p), len(want))
				}
			}
		}
		other := rows.Customer(t, db, rows.Creditor(t, db))
		grow(14)
		check("nothing is counted")
		c.count(t, 2*time.Hour)
		check("all are counted")
		drop(13)
		drop(5)
		grow(4)
		drop(13)
		must(t, db.InTx(t.Context(), func(_ context.Context, tx *store.Tx) error {
			return tx.DeleteCustomer(t.Context(), c.creditor.ID, other.ID)
		}))
		check("some went, some came")
		c.count(t, 2*time.Hour)
		check("all are counted again")
	})
}
