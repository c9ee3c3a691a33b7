package dunning_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"purr/dunning"
	"purr/law"
	"purr/models"
	"purr/store"
	"purr/test/testkit/rows"
)

// TestE6eRunTakesEachCustomersPolicy makes a run under a creditor's policy and a customer's own. The invoice fell due
// on Monday, 16 March.
func TestE6eRunTakesEachCustomersPolicy(t *testing.T) {
	t.Parallel()
	on := func(p *models.Policy) { p.Enabled = true }
	tests := []struct {
		why  string
		own  models.CustomerPolicy
		off  bool // the creditor's dunning
		date string
		want string // the notice
	}{
		{"the creditor's, on its day", models.CustomerPolicy{}, false, "2026-03-30", "reminder of 38.00 and 4.60 due 2026-04-13"},
		{"exempt", models.CustomerPolicy{Enabled: new(false)}, false, "2026-03-30", ""},
		{"followed though the creditor's is off", models.CustomerPolicy{Enabled: new(true)}, true, "2026-03-30", "reminder of 38.00 and 4.60 due 2026-04-13"},
		{"not followed where all is off", models.CustomerPolicy{FirstNoticeDays: new(3)}, true, "2026-03-30", ""},
		{"earlier than the creditor's", models.CustomerPolicy{FirstNoticeDays: new(3)}, false, "2026-03-19", "reminder of 0.00 and 0.99 due 2026-04-02"},
		{"not yet, being later", models.CustomerPolicy{FirstNoticeDays: new(21)}, false, "2026-03-30", ""},
		{"later than the creditor's", models.CustomerPolicy{FirstNoticeDays: new(21)}, false, "2026-04-07", "reminder of 38.00 and 7.23 due 2026-04-21"},
		{"with longer to pay", models.CustomerPolicy{DaysToPay: new(30)}, false, "2026-03-30", "reminder of 38.00 and 4.60 due 2026-04-29"},
		{
			"with a fee of its own",
			models.CustomerPolicy{Fee: &models.Choice[models.Amount]{Value: new(models.Amount(10_00))}},
			false, "2026-03-30", "reminder of 10.00 and 4.60 due 2026-04-13",
		},
		{
			"with a lower interest",
			models.CustomerPolicy{InterestRate: &models.Choice[models.Percent]{Value: new(models.Percent(6_00))}},
			false, "2026-03-30", "reminder of 38.00 and 2.30 due 2026-04-13",
		},
		{"without interest", models.CustomerPolicy{AddInterest: new(false)}, false, "2026-03-30", "reminder of 38.00 and 0.00 due 2026-04-13"},
		{"below its minimum", models.CustomerPolicy{MinimumBalance: new(models.Amount(1000_01))}, false, "2026-03-30", ""},
		{
			"warned at once",
			models.CustomerPolicy{DebtCollectionNotice: new(models.WarningFirst)},
			false, "2026-03-30", "warning of 38.00 and 4.60 due 2026-04-13",
		},
		{"on a Sunday too", models.CustomerPolicy{WeekdaysOnly: new(false), FirstNoticeDays: new(13)}, false, "2026-03-29", "reminder of 0.00 and 4.27 due 2026-04-12"},
	}
	rows.EachDatabase(t, func(t *testing.T, db *store.DB) {
		for _, tt := range tests {
			t.Run(tt.why, func(t *testing.T) {
				c := rows.Creditor(t, db, func(c *models.Creditor) {
					if !tt.off {
						on(&c.Policy)
					}
				})
				customer := rows.Customer(t, db, c, func(c *models.Customer) { c.Policy = tt.own })
				invoice := rows.Invoice(t, db, c, rows.To(customer))
				rows.Send(t, db, c)
				_, err := dunning.Run(t.Context(), rows.On(db, day(tt.date)), law.Default(), c, day(tt.date))
				if err != nil {
					t.Fatal(err)
				}
				if got := noticesOn(t, db, invoice); got != tt.want {
					t.Errorf("the run sent %q, want %q", got, tt.want)
				}
			})
		}
	})
}

// noticesOn describes an invoice's notices.
func noticesOn(t *testing.T, db *store.DB, invoice models.Invoice) string {
	t.Helper()
	notices, err := db.NoticesOf(t.Context(), invoice.ID)
	if err != nil {
		t.Fatal(err)
	}
	var told []string
	for _, n := range notices {
		kind := "reminder"
		if n.Warning {
			kind = "warning"
		}
		told = append(told, fmt.Sprintf("%s of %s and %s due %s", kind, n.Fee, n.Interest, n.DueDate))
	}
	return strings.Join(told, "; ")
}

func TestE6eRunFollowsManyCustomersAtOnce(t *testing.T) {
	t.Parallel()
	rows.EachDatabase(t, func(t *testing.T, db *store.DB) {
		c := rows.Creditor(t, db, func(c *models.Creditor) { c.Policy.Enabled = true })
		to := func(own models.CustomerPolicy) models.Invoice {
			return rows.Invoice(t, db, c, rows.To(rows.Customer(t, db, c, func(c *models.Customer) { c.Policy = own })))
		}
		early, usual, exempt := to(models.CustomerPolicy{FirstNoticeDays: new(7)}), to(models.CustomerPolicy{}), to(models.CustomerPolicy{Enabled: new(false)})
		agency := to(models.CustomerPolicy{
			FirstNoticeDays: new(7), DebtCollectionNotice: new(models.WarningFirst), HandOverDays: &models.Choice[int]{Value: new(10)},
		})
		steps := map[string]string{}
		for date := day("2026-03-16"); date <= day("2026-05-31"); date++ {
			rows.Send(t, db, c)
			result, err := dunning.Run(t.Context(), rows.On(db, date), law.Default(), c, date)
			if err != nil {
				t.Fatal(err)
			}
			if len(result.Documents)+result.HandOvers > 0 {
				steps[date.String()] = fmt.Sprintf("%d notices, %d hand-overs", len(result.Documents), result.HandOvers)
			}
		}
		want := map[string]string{
			"2026-03-23": "2 notices, 0 hand-overs", // early and agency
			"2026-03-30": "1 notices, 0 hand-overs", // usual
			"2026-04-17": "0 notices, 1 hand-overs", // agency: warned until 6 April, Easter Monday
			"2026-04-21": "1 notices, 0 hand-overs", // early: reminded until 6 April, too
			"2026-04-27": "1 notices, 0 hand-overs", // usual
		}
		if fmt.Sprint(steps) != fmt.Sprint(want) {
			t.Errorf("the steps are\n%v, want\n%v", steps, want)
		}
		counts := make([]int, 0, 4)
		for _, i := range []models.Invoice{early, usual, exempt, agency} {
			now, err := db.Invoice(t.Context(), c.ID, i.ID)
			if err != nil {
				t.Fatal(err)
			}
			counts = append(counts, now.Notices)
		}
		if !slices.Equal(counts, []int{2, 2, 0, 1}) {
			t.Errorf("early, usual, exempt and agency have %v notices", counts)
		}
	})
}

func TestE6eANoticeThatIsAskedForTakesTheCustomersPolicy(t *testing.T) {
	t.Parallel()
	eachDesk(t, func(t *testing.T, d *desk) {
		d.customer.Policy = models.CustomerPolicy{
			Enabled: new(false), Fee: &models.Choice[models.Amount]{Value: new(models.Amount(10_00))}, DaysToPay: new(30),
			InterestRate: &models.Choice[models.Percent]{Value: new(models.Percent(6_00))},
		}
		d.do(func(ctx context.Context, tx *store.Tx) error { return tx.UpdateCustomer(ctx, &d.customer) })
		d.remind() // exempt means from automatic dunning
		if got, want := noticesOn(t, d.db, d.invoice), "reminder of 10.00 and 2.30 due 2026-04-29"; got != want {
			t.Errorf("the notice is a %s, want a %s", got, want)
		}
	})
}

// TestE6eACustomersWindowsReadNobodyElsesInvoices checks that a policy of one customer makes a run read no more of the others.
func TestE6eACustomersWindowsReadNobodyElsesInvoices(t *testing.T) {
	t.Parallel()
	early := policy(firstAfter(1))
	windows := dunning.CustomersWindows(day("2026-03-30"), models.DefaultPolicy(), map[int64]models.Policy{9: early, 7: early, 8: models.DefaultPolicy()})
	var customers []int64
	for _, w := range windows {
		customers = append(customers, w.CustomerID)
	}
	if !slices.Equal(customers, []int64{7, 7, 9, 9}) {
		t.Errorf("the windows are %+v", windows)
	}
}
