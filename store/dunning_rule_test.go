package store_test

import (
	"fmt"
	"testing"

	"purr/models"
	"purr/store"
	"purr/test/testkit/rows"
)

func TestDunningRulesAreSetAndTakenAway(t *testing.T) {
	t.Parallel()
	rows.EachDatabase(t, func(t *testing.T, db *store.DB) {
		c, other := rows.Creditor(t, db), rows.Creditor(t, db)
		set := func(creditorID int64, from, value string) {
			rows.Write(t, db, func(tx *store.Tx) error {
				return tx.SetDunningRule(t.Context(), &models.DunningRule{
					CreditorID: creditorID, Kind: models.RuleLateInterest, FromDate: day(from), Value: value, Source: "FOR-" + value, SetBy: "a person",
				})
			})
		}
		holds := func(want ...string) {
			t.Helper()
			found, err := db.DunningRules(t.Context(), c.ID)
			must(t, err)
			var got []string
			for _, r := range found {
				if r.Source != "FOR-"+r.Value || r.SetBy != "a person" || !r.CreatedAt.Equal(rows.Start) {
					t.Errorf("the figure is %+v", r)
				}
				got = append(got, fmt.Sprintf("%s %s for %t", r.FromDate, r.Value, r.CreditorID == c.ID))
			}
			if fmt.Sprint(got) != fmt.Sprint(want) {
				t.Errorf("the figures are %q, want %q", got, want)
			}
		}
		set(c.ID, "2027-07-01", "11")
		set(0, "2027-01-01", "12")
		set(other.ID, "2027-01-01", "90")
		holds("2027-01-01 12 for false", "2027-07-01 11 for true")
		set(c.ID, "2027-07-01", "11.5")
		holds("2027-01-01 12 for false", "2027-07-01 11.5 for true")
		for _, want := range []bool{true, false} {
			rows.Write(t, db, func(tx *store.Tx) error {
				was, err := tx.DeleteDunningRule(t.Context(), 0, models.RuleLateInterest, day("2027-01-01"))
				if was != want {
					t.Errorf("it was there: %t, want %t", was, want)
				}
				return err
			})
		}
		holds("2027-07-01 11.5 for true")
	})
}

func TestLastStepsArePassedOverWhereNoneWasTaken(t *testing.T) {
	t.Parallel()
	rows.EachDatabase(t, func(t *testing.T, db *store.DB) {
		c := rows.Creditor(t, db)
		rows.Write(t, db, func(tx *store.Tx) error {
			var runs []models.Run
			for i, done := range []int{1, 2, 0, 3, 4} {
				runs = append(runs, models.Run{CreditorID: c.ID, Kind: models.RunDunning, BusinessDate: rows.Today + models.Date(i), State: models.RunDone, Done: done})
			}
			runs = append(runs, models.Run{CreditorID: c.ID, Kind: models.RunStatus, BusinessDate: rows.Today, State: models.RunDone, Done: 99})
			return tx.CreateRuns(t.Context(), runs)
		})
		got, err := db.LastSteps(t.Context(), c.ID, rows.Today+4, 2)
		if err != nil || fmt.Sprint(got) != "[3 2]" {
			t.Errorf("the steps are %v (%v), want those of the two before that took any", got, err)
		}
	})
}
