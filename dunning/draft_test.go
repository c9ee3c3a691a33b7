package dunning_test

import (
	"context"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"testing/fstest"

	"purr/dunning"
	"purr/law"
	"purr/ledger"
	"purr/models"
	"purr/store"
	"purr/test/testkit/rows"
	"purr/test/testkit/values"
)

// TestE6aCompensationInPlaceOfFees makes the runs of the spring of 2026 for an invoice of 1000 kroner due on 16 March
// (standard compensation is 460, the fee 38), and compares what each notice charged.
func TestE6aCompensationInPlaceOfFees(t *testing.T) {
	t.Parallel()
	business := func(c *models.Customer) { c.Recipient.OrganisationNumber = "974760673" }
	consumer := func(*models.Customer) {}
	charges := func(p *models.Policy) { p.Enabled, p.AddInterest, p.Compensation = true, false, true }
	also := func(change func(p *models.Policy)) func(p *models.Policy) {
		return func(p *models.Policy) { charges(p); change(p) }
	}
	tests := []struct {
		customer func(*models.Customer)
		policy   func(*models.Policy)
		want     string
		why      string
	}{
		{business, charges, "03-30 compensation 460.00; 04-27 nothing", "a business owes it once, and no fee beside it"},
		{consumer, charges, "03-30 fee 38.00; 04-27 fee 38.00", "a consumer owes fees, never compensation"},
		{business, func(p *models.Policy) { charges(p); p.Compensation = false }, "03-30 fee 38.00; 04-27 fee 38.00", "a business owes fees unless the policy says otherwise"},
		{
			business, also(func(p *models.Policy) { p.FirstNoticeDays = 3 }),
			"03-19 compensation 460.00; 04-21 nothing", "it needs no 14 days, as a fee does",
		},
		{
			consumer, also(func(p *models.Policy) { p.FirstNoticeDays = 3 }),
			"03-19 nothing; 04-21 fee 38.00", "the consumer's first fee waits for its day",
		},
		{business, also(func(p *models.Policy) { p.Fee = new(models.Amount(0)) }), "03-30 compensation 460.00; 04-27 nothing", "it is owed where no fees are wanted"},
		{
			business, also(func(p *models.Policy) { p.DebtCollectionNotice = models.WarningFirst }),
			"03-30 compensation 460.00", "a warning charges it as a reminder does",
		},
		{
			func(c *models.Customer) { business(c); c.Policy.Compensation = new(false) }, charges,
			"03-30 fee 38.00; 04-27 fee 38.00", "a customer's own policy may keep to fees",
		},
		{
			func(c *models.Customer) { business(c); c.Policy.Compensation = new(true) }, func(p *models.Policy) { charges(p); p.Compensation = false },
			"03-30 compensation 460.00; 04-27 nothing", "or alone have it",
		},
	}
	rows.EachDatabase(t, func(t *testing.T, db *store.DB) {
		for _, tt := range tests {
			t.Run(tt.why, func(t *testing.T) {
				c := rows.Creditor(t, db, func(c *models.Creditor) { tt.policy(&c.Policy) })
				invoice := rows.Invoice(t, db, c, rows.To(rows.Customer(t, db, c, tt.customer)))
				runUntil(t, db, c, "2026-05-31")
				if got := chargedOn(t, db, invoice); got != tt.want {
					t.Errorf("charged was %q, want %q", got, tt.want)
				}
				differences, err := ledger.Verify(t.Context(), db, c)
				if err != nil || len(differences) > 0 {
					t.Errorf("the books: %v, %v", differences, err)
				}
			})
		}
	})
}

// runUntil makes a creditor's runs from 16 March 2026 to a day.
func runUntil(t *testing.T, db *store.DB, c models.Creditor, last string) {
	t.Helper()
	for date := day("2026-03-16"); date <= day(last); date++ {
		rows.Send(t, db, c)
		_, err := dunning.Run(t.Context(), rows.On(db, date), law.Default(), c, date)
		must(t, err)
	}
}

// chargedOn returns what the notices on an invoice charged besides interest.
func chargedOn(t *testing.T, db *store.DB, invoice models.Invoice) string {
	t.Helper()
	notices, err := db.NoticesOf(t.Context(), invoice.ID)
	must(t, err)
	var told []string
	for _, n := range notices {
		s := sheetIn(t, n)
		if err := values.CheckSheet(s, n); err != nil {
			t.Error(err)
		}
		what := fmt.Sprintf("fee %s", n.Fee)
		switch {
		case n.Compensation != s.OverdueCharge.Compensation:
			t.Errorf("the notice and its sheet differ: %t, %t", n.Compensation, s.OverdueCharge.Compensation)
		case n.Compensation:
			what = fmt.Sprintf("compensation %s", n.Fee)
		case n.Fee == 0:
			what = "nothing"
		}
		told = append(told, n.IssueDate.String()[5:]+" "+what)
	}
	return strings.Join(told, "; ")
}

func TestE6aCompensationIsSetOffAgainstFees(t *testing.T) {
	t.Parallel()
	eachDesk(t, func(t *testing.T, d *desk) {
		business := func(compensation bool) {
			d.customer.Recipient.OrganisationNumber, d.customer.Policy.Compensation = "974760673", &compensation
			d.do(func(ctx context.Context, tx *store.Tx) error { return tx.UpdateCustomer(ctx, &d.customer) })
		}
		charge := func(add bool) string {
			d.do(func(ctx context.Context, tx *store.Tx) error {
				req := dunning.Request{AddFee: add, AddInterest: add}
				today, _ := d.creditor.Today(tx.Now)
				invoice, err := tx.Invoice(ctx, d.creditor.ID, d.invoice.ID)
				must(t, err)
				foreseen, err := dunning.PreviewNotice(ctx, tx.View(), law.Default(), d.creditor, d.customer, invoice, today, req)
				must(t, err)
				issued, err := dunning.IssueNotice(ctx, tx, law.Default(), d.creditor, d.invoice.ID, req)
				must(t, err)
				if issued.ID, issued.SellerID, issued.Sheet, issued.CreatedAt = 0, 0, "", foreseen.CreatedAt; !reflect.DeepEqual(issued, foreseen) {
					t.Errorf("issued was %+v, foreseen %+v", issued, foreseen)
				}
				return nil
			})
			return chargedOn(t, d.db, d.invoice)
		}
		business(false)
		charge(true)
		business(true)
		d.on("2026-04-27")
		if got, want := charge(true), "03-30 fee 38.00; 04-27 compensation 422.00"; got != want {
			t.Errorf("after a fee: %q, want %q", got, want)
		}

		d.invoice = rows.Invoice(t, d.db, d.creditor, rows.To(d.customer))
		d.on("2026-05-30")
		charge(true)
		business(false)
		d.on("2026-07-01")
		if got, want := charge(true), "05-30 compensation 460.00; 07-01 nothing"; got != want {
			t.Errorf("a fee after it, once it is no longer wanted: %q, want %q", got, want)
		}
		business(true)
		d.invoice = rows.Invoice(t, d.db, d.creditor, rows.To(d.customer))
		d.on("2026-08-03")
		if got, want := charge(false), "08-03 nothing"; got != want {
			t.Errorf("a free notice: %q, want %q", got, want)
		}
	})
}

func TestE6aCompensationThatIsWithdrawnIsOwedAgain(t *testing.T) {
	t.Parallel()
	rows.EachDatabase(t, func(t *testing.T, db *store.DB) {
		c := rows.Creditor(t, db, func(c *models.Creditor) {
			c.Policy.Enabled, c.Policy.AddInterest, c.Policy.Compensation = true, false, true
		})
		invoice := rows.Invoice(t, db, c, rows.To(rows.Customer(t, db, c, func(c *models.Customer) { c.Recipient.OrganisationNumber = "974760673" })))
		runUntil(t, db, c, "2026-03-30")
		on := rows.On(db, day("2026-03-30"))
		closing := dunning.Closing{Reason: models.ClosedOther}
		rows.Write(t, on, func(tx *store.Tx) error {
			if _, err := dunning.CloseInvoice(t.Context(), tx, c, invoice.ID, closing); err != nil {
				return err
			}
			_, err := dunning.ReopenInvoice(t.Context(), tx, c, invoice.ID, "")
			return err
		})
		if got := chargedOn(t, db, invoice); got != "" {
			t.Fatalf("closed before the letter left, it stands: %q", got)
		}
		rows.Send(t, db, c)
		_, err := dunning.Run(t.Context(), rows.On(db, day("2026-03-31")), law.Default(), c, day("2026-03-31"))
		must(t, err)
		if got, want := chargedOn(t, db, invoice), "03-31 compensation 460.00"; got != want {
			t.Errorf("charged was %q, want %q", got, want)
		}
	})
}

// TestAReminderInThePlaceOfAWarningAnnouncesWhatCanFollow asks for two reminders under each statute.
func TestAReminderInThePlaceOfAWarningAnnouncesWhatCanFollow(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		told          string
		act           string
		warning       models.WarningStep
		first, second bool
	}{
		{"under the act of 1988 the creditor warns itself", "1988", models.WarningSecond, false, false},
		{"under the act of 2026 the second letter takes the warning's place", "2026", models.WarningSecond, false, true},
		{"or the first, where the policy warns first", "2026", models.WarningFirst, true, false},
		{"or none, where it never warns", "2026", models.WarningNever, false, false},
	} {
		t.Run(tt.told, func(t *testing.T) {
			rules, err := law.Load(fstest.MapFS{"act.csv": {Data: []byte("from,value,source,confidence\n2026-01-01," + tt.act + ",an act,A\n")}})
			if err != nil {
				t.Fatal(err)
			}
			eachDesk(t, func(t *testing.T, d *desk) {
				d.creditor.Policy.DebtCollectionNotice = tt.warning
				for i, want := range []bool{tt.first, tt.second} {
					d.do(func(ctx context.Context, tx *store.Tx) error {
						n, err := dunning.IssueNotice(ctx, tx, rules, d.creditor, d.invoice.ID, dunning.Request{})
						if n.Announces != want {
							t.Errorf("letter %d: announces is %t", i+1, n.Announces)
						}
						return err
					})
					d.on("2026-04-20")
				}
			})
		})
	}
}
