package dunning_test

import (
	"testing"

	"purr/dunning"
	"purr/law"
	"purr/models"
	"purr/store"
	"purr/test/testkit/rows"
)

// TestE6SumsAreThoseOfThePlan takes the sums of a day, of the steps that its run takes, and of what its row says then.
func TestE6SumsAreThoseOfThePlan(t *testing.T) {
	t.Parallel()
	rows.EachDatabase(t, func(t *testing.T, db *store.DB) {
		c := rows.Creditor(t, db, func(c *models.Creditor) { c.Policy.Enabled = true })
		to := func(own models.CustomerPolicy) {
			rows.Invoice(t, db, c, rows.To(rows.Customer(t, db, c, func(c *models.Customer) { c.Policy = own })))
		}
		to(models.CustomerPolicy{})
		to(models.CustomerPolicy{})
		to(models.CustomerPolicy{DebtCollectionNotice: new(models.WarningFirst)})
		to(models.CustomerPolicy{Enabled: new(false)})
		to(models.CustomerPolicy{FirstNoticeDays: new(30)})
		rows.Send(t, db, c)
		today := day("2026-03-30")
		db = rows.On(db, today)
		snapshot, err := dunning.TakeSnapshot(t.Context(), db, law.Default(), c, today)
		if err != nil {
			t.Fatal(err)
		}
		var asked store.Queries
		sums, err := snapshot.Sums(asked.Counting(t.Context()), today)
		if err != nil {
			t.Fatal(err)
		}
		if asked.Count() > 15 {
			t.Errorf("the database was asked %d times for the plan of a few invoices", asked.Count())
		}
		want := dunning.Totals{Reminders: 2, Warnings: 1, Fees: 3 * 38_00, Interest: 3 * 4_60}
		if sums.Totals != want || len(sums.Lines[dunning.PolicyOff]) != 1 || len(sums.Lines[dunning.TooEarly]) != 1 || sums.LeftAlone() != 2 {
			t.Errorf("the sums are %+v", sums)
		}
		line := dunning.Line{
			Number: 1, Name: sums.Lines[""][0].Name, Deadline: day("2026-03-16"), Action: dunning.Remind, Fee: 38_00, Interest: 4_60, Owed: 1042_60,
		}
		if got := sums.Lines[""]; len(got) != 3 || got[0] != line || line.Name == "" || got[2].Action != dunning.Warn {
			t.Errorf("the lines are %+v, want first %+v", got, line)
		}

		rows.Write(t, db, func(tx *store.Tx) error {
			_, err := tx.BeginRun(t.Context(), &models.Run{CreditorID: c.ID, Kind: models.RunDunning, BusinessDate: today})
			return err
		})
		if _, err := dunning.Run(t.Context(), db, law.Default(), c, today); err != nil {
			t.Fatal(err)
		}
		run, _, err := db.RunOf(t.Context(), c.ID, models.RunDunning, today)
		if did := (models.RunSteps{Reminders: 2, Warnings: 1, Fees: 3 * 38_00, Interest: 3 * 4_60}); err != nil || run.RunSteps != did || run.Done != 3 {
			t.Errorf("the run's row is %+v, %v", run, err)
		}
	})
}

// TestE6aSwitchingOnTellsTheOldInvoicesByAge asks what a creditor would do that has never dunned.
func TestE6aSwitchingOnTellsTheOldInvoicesByAge(t *testing.T) {
	t.Parallel()
	rows.EachDatabase(t, func(t *testing.T, db *store.DB) {
		c := rows.Creditor(t, db, func(c *models.Creditor) { c.Policy.Enabled = false })
		rows.Invoice(t, db, c) // due on 16 March
		rows.Invoice(t, db, c, rows.Of(20_00))
		rows.Invoice(t, db, c, rows.DueIn(30))
		rows.Invoice(t, db, c, rows.To(rows.Customer(t, db, c, func(c *models.Customer) { c.Policy.Enabled = new(false) })))
		rows.Send(t, db, c)
		today := day("2026-03-31")
		snapshot, err := dunning.TakeSnapshot(t.Context(), rows.On(db, today), law.Default(), c, today)
		if err != nil {
			t.Fatal(err)
		}
		for n, want := range map[models.Preset]int{models.Recommended: 1, models.Gentle: 0} {
			backlog, err := snapshot.SwitchingOn(t.Context(), n.Apply(c.Policy), 3)
			if err != nil {
				t.Fatal(err)
			}
			for _, b := range backlog {
				switch is := b.From == 15; {
				case is && (b.Overdue != 3 || b.Written != want || b.Owed != models.Amount(want)*1000_00):
					t.Errorf("%s: %+v", n, b)
				case !is && (b.Overdue != 0 || b.Written != 0):
					t.Errorf("%s: %+v", n, b)
				}
			}
		}
	})
}

// TestE6aOldInvoicesAreNotFollowed switches dunning on for what is due after a day. The plan and the run leave the others alone.
func TestE6aOldInvoicesAreNotFollowed(t *testing.T) {
	t.Parallel()
	rows.EachDatabase(t, func(t *testing.T, db *store.DB) {
		c := rows.Creditor(t, db, func(c *models.Creditor) {
			c.Policy.Enabled, c.Policy.HandOverDays, c.Policy.DueAfter = true, new(14), day("2026-03-16")
		})
		rows.Invoice(t, db, c) // due on 16 March
		rows.Invoice(t, db, c, rows.DueIn(15))
		rows.Send(t, db, c)
		today := day("2026-04-01")
		db = rows.On(db, today)
		snapshot, err := dunning.TakeSnapshot(t.Context(), db, law.Default(), c, today)
		if err != nil {
			t.Fatal(err)
		}
		for _, on := range []models.Date{today, today + 90} {
			sums, err := snapshot.Sums(t.Context(), on)
			if old := sums.Lines[dunning.DueBeforeStart]; err != nil || len(old) != 1 || old[0].Number != 1 {
				t.Errorf("on %s the plan is %+v, %v", on, sums, err)
			}
		}
		rows.Write(t, db, func(tx *store.Tx) error {
			_, err := tx.BeginRun(t.Context(), &models.Run{CreditorID: c.ID, Kind: models.RunDunning, BusinessDate: today})
			return err
		})
		done, err := dunning.Run(t.Context(), db, law.Default(), c, today)
		if err != nil || len(done.Documents) != 1 {
			t.Errorf("the run did %+v, %v", done, err)
		}
	})
}
