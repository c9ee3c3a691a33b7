package store_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"purr/models"
	"purr/store"
	"purr/test/testkit/rows"
)

// invoices draws invoices in every state, with a deadline near the day of the tests' clocks.
var invoices = rapid.Custom(func(t *rapid.T) models.Invoice {
	i := models.Invoice{
		Balance:  models.Amount(rapid.SampledFrom([]int64{-1, 0, 1, 1, 1}).Draw(t, "balance")),
		Notices:  rapid.IntRange(0, 2).Draw(t, "notices"),
		Closed:   rapid.SampledFrom([]models.Closing{models.ClosedLost, models.ClosedOther, models.NotClosed, models.NotClosed, models.NotClosed}).Draw(t, "closed"),
		Deadline: rows.Today + models.Date(rapid.Int32Range(-30, 30).Draw(t, "deadline")),
	}
	i.Warned = i.Notices > 0 && rapid.Bool().Draw(t, "warned")
	if rapid.IntRange(0, 4).Draw(t, "handed over") == 0 {
		i.HandedOver = rows.Today
	}
	return i
})

// TestStatusFilterD26 compares the database's status, which comes from a stored stage and a deadline, with the
// program's. Any combination of statuses on any day must find the invoices that have one of them.
func TestStatusFilterD26(t *testing.T) {
	t.Parallel()
	rows.EachDatabase(t, func(t *testing.T, db *store.DB) {
		c := rows.Creditor(t, db)
		made := make([]models.Invoice, 60)
		rows.Write(t, db, func(tx *store.Tx) error {
			for n := range made {
				made[n] = invoices.Example(n)
				if err := addInvoice(t, tx, c, &made[n]); err != nil {
					return err
				}
			}
			return nil
		})
		if wrong, err := db.StageMismatches(t.Context(), c.ID); err != nil || len(wrong) > 0 {
			t.Errorf("another stage than the program tells have the invoices %v, %v", wrong, err)
		}
		rapid.Check(t, func(rt *rapid.T) {
			today := rows.Today + models.Date(rapid.Int32Range(-50, 50).Draw(rt, "today"))
			statuses := rapid.SliceOfNDistinct(rapid.SampledFrom(models.Statuses), 1, -1, rapid.ID).Draw(rt, "statuses")
			var want []models.InvoiceSummary
			for _, i := range made {
				if slices.Contains(statuses, i.Status(today)) {
					want = append(want, summaryOf(i))
				}
			}
			found, total, err := db.Invoices(t.Context(), c.ID, store.InvoiceFilter{Statuses: statuses, Today: today}, everything)
			if err != nil || !slices.Equal(found, want) || total != int64(len(want)) {
				rt.Errorf("on %s %v are %+v (%d), %v, want %+v", today, statuses, found, total, err, want)
			}
		})
	})
}

// summaryOf returns what lists are to show of the invoice.
func summaryOf(i models.Invoice) models.InvoiceSummary {
	return models.InvoiceSummary{
		ID: i.ID, Number: i.Number, IssueDate: i.IssueDate, DueDate: i.DueDate, Gross: i.Gross, Net: i.Net, Stage: i.Stage(), Deadline: i.Deadline,
	}
}

func summaryIDs(invoices []models.InvoiceSummary) []int64 {
	var ids []int64
	for _, i := range invoices {
		ids = append(ids, i.ID)
	}
	return ids
}

func invoiceIDs(invoices []models.Invoice) []int64 {
	var ids []int64
	for _, i := range invoices {
		ids = append(ids, i.ID)
	}
	return ids
}

// TestInvoicesInD26 reads windows in pages of three, and must find every invoice once, in order.
func TestInvoicesInD26(t *testing.T) {
	t.Parallel()
	rows.EachDatabase(t, func(t *testing.T, db *store.DB) {
		c := rows.Creditor(t, db)
		made := make([]models.Invoice, 40)
		rows.Write(t, db, func(tx *store.Tx) error {
			for n := range made {
				made[n] = models.Invoice{Balance: 1, Deadline: rows.Today + models.Date(n*7%10)}
				if err := addInvoice(t, tx, c, &made[n]); err != nil {
					return err
				}
			}
			return nil
		})
		for _, w := range []models.Window{
			{Stage: models.StageOpen},
			{Stage: models.StageOpen, From: rows.Today + 3},
			{Stage: models.StageOpen, To: rows.Today + 3},
			{Stage: models.StageOpen, From: rows.Today + 3, To: rows.Today + 5},
			{Stage: models.StagePaid},
		} {
			var want, got []models.Invoice
			for _, i := range made {
				if i.Stage() == w.Stage && (w.From == 0 || w.From <= i.Deadline) && (w.To == 0 || i.Deadline <= w.To) {
					want = append(want, i)
				}
			}
			slices.SortStableFunc(want, func(a, b models.Invoice) int { return int(a.Deadline - b.Deadline) })
			for last := (models.Invoice{}); ; last = got[len(got)-1] {
				page, err := db.InvoicesInWindow(t.Context(), c.ID, w, last, 3)
				must(t, err)
				if len(page) == 0 {
					break
				}
				got = append(got, page...)
			}
			if !slices.Equal(invoiceIDs(got), invoiceIDs(want)) {
				t.Errorf("in %+v are %v, want %v", w, invoiceIDs(got), invoiceIDs(want))
			}
		}
	})
}

// TestStatusFilterUsesItsIndexD26 asks the databases how they read few invoices of a status among many. They must
// use the index of stage and deadline, so that the cost depends on the rows found.
func TestStatusFilterUsesItsIndexD26(t *testing.T) {
	t.Parallel()
	rows.EachDatabase(t, func(t *testing.T, db *store.DB) {
		c := rows.Creditor(t, db)
		many := make([]models.Invoice, 200)
		if db.IsMySQL() { // whose planner counts rows
			many = make([]models.Invoice, 3000)
		}
		for n := range many {
			many[n] = models.Invoice{CreditorID: c.ID, Number: int64(n + 1), IssueDate: rows.Today, DueDate: rows.Today, Deadline: rows.Today + 30}
			if n < 5 {
				many[n].Balance, many[n].Deadline = 1, rows.Today-20
			}
		}
		rows.Write(t, db, func(tx *store.Tx) error { return tx.Insert(t.Context(), &many) })
		if db.IsMySQL() {
			must(t, db.Exec(t.Context(), "ANALYZE TABLE invoices"))
		}

		overdue, _ := models.ParseStatuses([]string{"overdue"})
		sent := db.Queries(t, func() {
			found, total, err := db.Invoices(t.Context(), c.ID, store.InvoiceFilter{Statuses: overdue, Today: rows.Today}, store.Page{Number: 1, Size: 100})
			if err != nil || len(found) != 5 || total != 5 {
				t.Errorf("found %d of %d, %v, want 5", len(found), total, err)
			}
			_, err = db.InvoicesInWindow(t.Context(), c.ID, models.InvoiceOverdueChargeable.Window(rows.Today), models.Invoice{}, 100)
			must(t, err)
		})
		sent = slices.DeleteFunc(sent, func(q store.Statement) bool {
			return !strings.Contains(q.SQL, "stage IN") && !strings.Contains(q.SQL, "stage =")
		})
		if len(sent) != 2 {
			t.Fatalf("%d queries for a stage were sent", len(sent))
		}
		for _, q := range sent {
			if plan := explain(t, db, q); !strings.Contains(plan, "invoices_stage") {
				t.Errorf("%s\nis read by\n%s", q.SQL, plan)
			}
		}
	})
}

// explain returns how the database says it answers a query.
func explain(t *testing.T, db *store.DB, q store.Statement) string {
	t.Helper()
	keyword := "EXPLAIN QUERY PLAN "
	if db.IsMySQL() {
		keyword = "EXPLAIN "
	}
	var plan []map[string]any
	must(t, db.Query(t.Context(), &plan, keyword+q.SQL, q.Args...))
	used := make([]map[string]any, len(plan))
	for n, step := range plan {
		// Not the indexes that it could use, but the one that it uses.
		used[n] = map[string]any{"key": fmt.Sprint(step["key"]), "rows": step["rows"], "detail": step["detail"]}
	}
	text, err := json.Marshal(used)
	must(t, err)
	return string(text)
}
