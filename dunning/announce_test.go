package dunning_test

import (
	"context"
	"testing"
	"testing/fstest"

	"purr/dunning"
	"purr/dunning/law"
	"purr/models"
	"purr/store"
)

// TestAReminderInThePlaceOfAWarningAnnouncesWhatCanFollow asks for two reminders under each act.
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
