package openitems_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"purr/billing/openitems"
	"purr/ledger"
	"purr/models"
	"purr/store"
	"purr/test/testkit"
	"purr/test/testkit/rows"
)

// owed returns what is owed of each adopted invoice on which something is, and fails the test if the books do not agree.
func owed(t *testing.T, db *store.DB, c models.Creditor) string {
	t.Helper()
	differences, err := ledger.Verify(t.Context(), db, c)
	testkit.Must(t, err)
	for _, d := range differences {
		t.Error(d)
	}
	found, err := db.OpenAdopted(t.Context(), c.ID, 0, 100_000)
	testkit.Must(t, err)
	var all []string
	for _, i := range found {
		all = append(all, fmt.Sprintf("%d:%s", i.Number, i.Balance))
	}
	return strings.Join(all, " ")
}

func TestL17AListIsTakenOnce(t *testing.T) {
	rows.EachDatabase(t, func(t *testing.T, db *store.DB) {
		c := adopting(t, db)
		list := "\uFEFF" + listOf(item(1, "1000", 1), item(2, "250,50", 1), item(3, "0", 2))
		for n, want := range []openitems.Result{{Rows: 3, Adopted: 3}, {Rows: 3, Adopted: 3}, {Rows: 3, Known: 3, Open: 2}} {
			r, told, err := take(t, db, c, list, openitems.Options{DryRun: n == 0})
			if r != want || len(told) > 0 || err != nil {
				t.Errorf("the %d. time: %+v, %v, %v", n+1, r, told, err)
			}
		}
		if got := owed(t, db, c); got != "1:1000.00 2:250.50" {
			t.Errorf("owed is %s", got)
		}
		customers, _, err := db.Customers(t.Context(), c.ID, "", store.Page{Number: 1, Size: 10})
		if err != nil || len(customers) != 2 {
			t.Errorf("%d customers, %v", len(customers), err)
		}
		_, told, err := take(t, db, c, listOf(strings.Replace(item(1, "1000", 1), "1000.00", "1100.00", 1)), openitems.Options{})
		if !errors.Is(err, openitems.ErrFaults) || fmt.Sprint(told) != "[2:1 invoice_number number_taken]" {
			t.Errorf("another invoice: %v, %v", told, err)
		}
	})
}

func TestL17ASyncTellsWhatItDoes(t *testing.T) {
	rows.EachDatabase(t, func(t *testing.T, db *store.DB) {
		c := adopting(t, db)
		var all []string
		for n := 1; n <= 10; n++ {
			all = append(all, item(n, "1000", n))
		}
		_, _, err := take(t, db, c, listOf(all...), openitems.Options{})
		testkit.Must(t, err)
		bank := func(number int64) { // money comes to purr alone
			i, err := db.InvoiceByNumber(t.Context(), c.ID, number)
			testkit.Must(t, err)
			rows.Write(t, db, func(tx *store.Tx) error {
				_, err := ledger.RegisterOnInvoice(t.Context(), tx, c.ID, i.ID, ledger.Payment{Amount: -400_00, Date: rows.Today, Actor: "a person"}, rows.Today)
				return err
			})
		}
		bank(3)
		list := listOf(append([]string{item(1, "600", 1), "2;;;;1000", item(11, "500", 11)}, all[2:9]...)...)
		for n, want := range []struct {
			told string
			r    openitems.Result
		}{
			{"1 balance 1000.00→600.00 0.00, 3 differs 600.00→1000.00 400.00, 10 paid 1000.00→0.00 0.00", openitems.Result{Rows: 10, Adopted: 1, Known: 7, Changed: 1, Closed: 1, Differs: 1, Open: 10}},
			{"1 balance 1000.00→600.00 0.00, 3 differs 600.00→1000.00 400.00, 10 paid 1000.00→0.00 0.00", openitems.Result{Rows: 10, Adopted: 1, Known: 7, Changed: 1, Closed: 1, Differs: 1, Open: 10}},
			{"3 differs 600.00→1000.00 400.00", openitems.Result{Rows: 10, Known: 9, Differs: 1, Open: 10}},
		} {
			r, told, err := take(t, db, c, list, openitems.Options{Sync: true, DryRun: n == 0})
			if got := strings.Join(told, ", "); got != want.told || r != want.r || err != nil {
				t.Errorf("%s, %+v, %v; want %s, %+v", got, r, err, want.told, want.r)
			}
		}
		if got, want := owed(t, db, c), "1:600.00 2:1000.00 3:600.00 4:1000.00 5:1000.00 6:1000.00 7:1000.00 8:1000.00 9:1000.00 11:500.00"; got != want {
			t.Errorf("owed is %s, want %s", got, want)
		}
		// One comes back, and one that was paid here and there is closed.
		list = listOf(append([]string{item(1, "1000", 1), "3;;;;600", item(10, "1000", 10), item(11, "500", 11)}, all[3:9]...)...)
		_, told, err := take(t, db, c, list, openitems.Options{Sync: true})
		if got, want := strings.Join(told, ", "), "1 balance 600.00→1000.00 0.00, 10 balance 0.00→1000.00 0.00, 2 paid 1000.00→0.00 0.00"; got != want || err != nil {
			t.Errorf("%s, %v; want %s", got, err, want)
		}
		owed(t, db, c)
	})
}

func TestL17ALargeChangeMustBeForced(t *testing.T) {
	rows.EachDatabase(t, func(t *testing.T, db *store.DB) {
		c := adopting(t, db)
		var all []string
		for n := 1; n <= 10; n++ {
			all = append(all, item(n, "1000", n))
		}
		_, _, err := take(t, db, c, listOf(all...), openitems.Options{})
		testkit.Must(t, err)
		for _, tt := range []struct {
			list  string
			want  error
			force bool
		}{
			{listOf(all[:8]...), nil, false},
			{listOf(all[:6]...), openitems.ErrCloses, false},
			{listOf(append(all[:7:7], item(8, "0", 8))...), nil, false},
			{listOf(append(all[:5:5], item(6, "0", 6), item(7, "0", 7))...), openitems.ErrCloses, false},
			{header + "\n", openitems.ErrEmpty, false},
			{listOf(all[:3]...), nil, true},
			{header + "\n", nil, true},
		} {
			_, _, err := take(t, db, c, tt.list, openitems.Options{Sync: true, Force: tt.force})
			if !errors.Is(err, tt.want) {
				t.Errorf("%q: %v, want %v", tt.list, err, tt.want)
			}
		}
		if got := owed(t, db, c); got != "" {
			t.Errorf("owed is %s", got)
		}
	})
}

// TestL17AListThatIsKilledGoesOn stops a list after each of its transactions, and takes it up again.
func TestL17AListThatIsKilledGoesOn(t *testing.T) {
	rows.EachDatabase(t, func(t *testing.T, db *store.DB) {
		c := adopting(t, db)
		const n = 1700 // four transactions
		full, less := make([]string, n), make([]string, 0, n)
		for i := range full {
			full[i] = item(i+1, "1000", i/3)
			switch {
			case i%20 == 0: // is closed
			case i%7 == 0:
				less = append(less, item(i+1, "400", i/3))
			default:
				less = append(less, full[i])
			}
		}
		killed := errors.New("killed")
		kill := func(list string, o openitems.Options, after int) {
			ctx, stop := context.WithCancelCause(t.Context())
			defer stop(nil)
			_, err := openitems.Run(ctx, db, c, func() (io.ReadCloser, error) { return io.NopCloser(strings.NewReader(list)), nil }, o, openitems.Listener{
				Progress: func(rows int, writing bool) {
					if writing && rows >= after {
						stop(killed)
					}
				},
			})
			if err == nil {
				t.Error("it was not killed")
			}
			owed(t, db, c)
		}
		kill(listOf(full...), openitems.Options{}, 500)
		kill(listOf(full...), openitems.Options{}, 1000)
		r, _, err := take(t, db, c, listOf(full...), openitems.Options{})
		if r.Adopted != 700 || r.Known != 1000 || err != nil {
			t.Errorf("taken up again: %+v, %v", r, err)
		}
		kill(listOf(less...), openitems.Options{Sync: true}, 500)
		_, _, err = take(t, db, c, listOf(less...), openitems.Options{Sync: true})
		testkit.Must(t, err)
		before := owed(t, db, c)
		r, told, err := take(t, db, c, listOf(less...), openitems.Options{Sync: true})
		if r.Known != len(less) || len(told) > 0 || err != nil || owed(t, db, c) != before || strings.Count(before, ":400.00") == 0 || strings.Count(before, ":") != len(less) {
			t.Errorf("taken once more: %+v, %v, %v", r, told, err)
		}
	})
}
