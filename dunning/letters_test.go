package dunning_test

import (
	"context"
	"testing"

	"purr/dunning"
	"purr/law"
	"purr/models"
	"purr/store"
	"purr/test/testkit/rows"
)

func TestL1DecideCountsFromTheLetter(t *testing.T) {
	t.Parallel()
	unsent, late, lateNotice := dunning.Letters{Unsent: true}, dunning.Letters{InvoiceLate: 5}, dunning.Letters{NoticeUntil: day("2026-11-05")}
	const none = dunning.Nothing
	for _, tt := range []struct {
		why     string
		invoice models.Invoice
		letters dunning.Letters
		on      string
		action  dunning.Action
		reason  dunning.Reason
	}{
		{"what has not left is not reminded of", unreminded("2026-11-02"), unsent, "2026-12-16", none, dunning.NotSent},
		{"not_sent comes before too_early", unreminded("2026-11-02"), unsent, "2026-11-03", none, dunning.NotSent},
		{"the status counts from the plain due date", unreminded("2026-11-02"), late, "2026-11-03", none, dunning.TooEarly},
		{"an invoice that left 5 days late is moved by 5, off the weekend", unreminded("2026-11-02"), late, "2026-11-22", none, dunning.TooEarly},
		{"and reminded on the day after", unreminded("2026-11-02"), late, "2026-11-23", dunning.Remind, ""},
		{"no second step before the first has left", reminded(1, "2026-11-02"), unsent, "2026-11-16", none, dunning.NotSent},
		{"a notice that left 3 days late before the upgrade gives 3 days more", reminded(1, "2026-11-02"), lateNotice, "2026-11-05", none, dunning.DeadlineRunning},
		{"no hand-over of what was not warned of", warned("2026-11-02"), unsent, "2026-12-24", none, dunning.NotSent},
	} {
		t.Run(tt.why, func(t *testing.T) {
			s := dunning.State{Invoice: tt.invoice, Letters: tt.letters}
			got := dunning.Decide(s, policy(handOverAfter(7)), law.Default(), day(tt.on))
			if got.Action != tt.action || got.Reason != tt.reason {
				t.Errorf("it is %q for %q, want %q for %q", got.Action, got.Reason, tt.action, tt.reason)
			}
		})
	}
	end := dunning.Decide(dunning.State{Invoice: warned("2026-11-02"), Letters: unsent}, policy(), law.Default(), day("2026-12-24"))
	if end.Reason != dunning.LastNoticeSent {
		t.Errorf("where no step is left the reason is %s", end.Reason)
	}
}

func TestL2PostalDaysAreAddedToTheDeadline(t *testing.T) {
	t.Parallel()
	p := policy()
	p.PostalDays = 3
	if got := dunning.NoticeDueDate(p, day("2026-11-20")); got != day("2026-12-07") {
		t.Errorf("it is due on %s", got)
	}
}

// An installation that is upgraded has a notice whose letter failed. The next run withdraws it, charges nothing, and waits.
func TestL2ALetterThatFailedBeforeTheUpgrade(t *testing.T) {
	t.Parallel()
	eachDesk(t, func(t *testing.T, d *desk) {
		d.enable()
		n := d.remind()
		d.letter(n, func(_ *store.Tx, s *models.Shipment) { s.State = models.ShipmentFailed })
		d.on("2026-04-27")
		for range 2 {
			if err := dunning.WithdrawAllFailed(t.Context(), d.db, d.creditor.ID); err != nil {
				t.Fatal(err)
			}
			if d.dunned("2026-04-27") {
				t.Error("it is dunned again before the letter is sent again")
			}
		}
		d.stands(models.InvoiceOverdueChargeable, "1000.00", 0)
		letters, err := d.db.ShipmentsOf(t.Context(), n.Document())
		if err != nil || letters[0].State != models.ShipmentFailed {
			t.Errorf("the letter is %s, %v", letters[0].State, err)
		}
		// A person has it sent again: the notice is issued anew, of today.
		leaves, may := d.letterIsDue(n)
		if !may || leaves.ID == n.ID || leaves.IssueDate != day("2026-04-27") || leaves.Sequence != 1 {
			t.Errorf("notice %+v leaves: %t", leaves, may)
		}
		if again, may := d.letterIsDue(n); may {
			t.Errorf("a second time notice %d leaves in its place", again.ID)
		}
	})
}

// What is asked for, and whose letter cannot leave, does not stop a person who tries again.
func TestL2APersonMayAskAgainForWhatWasWithdrawn(t *testing.T) {
	t.Parallel()
	eachDesk(t, func(t *testing.T, d *desk) {
		n := d.remind()
		d.letter(n, func(_ *store.Tx, s *models.Shipment) { s.State = models.ShipmentFailed })
		d.refused("not_sent", func(ctx context.Context, tx *store.Tx) error {
			_, err := dunning.IssueNotice(ctx, tx, law.Default(), d.creditor, d.invoice.ID, dunning.Request{})
			return err
		})
		d.do(func(ctx context.Context, tx *store.Tx) error {
			return dunning.WithdrawFailed(ctx, tx, d.creditor.ID, n.ID, "the printer is gone")
		})
		again := d.remind()
		if _, may := d.letterIsDue(n); may || again.Sequence != 1 {
			t.Errorf("notice %d was made, and the old letter may leave: %t", again.Sequence, may)
		}
	})
}

// Letters that wait overnight are issued anew on the day on which they leave. The plan of each later day foresees it.
func TestL2ThePlanForeseesWhatIsIssuedAnew(t *testing.T) {
	t.Parallel()
	eachDesk(t, func(t *testing.T, d *desk) {
		d.enable()
		if !d.dunned("2026-03-30") {
			t.Fatal("it is not reminded")
		}
		notices, err := d.db.NoticesOf(t.Context(), d.invoice.ID)
		must(t, err)
		d.db = rows.On(d.db, day("2026-04-07")) // the letter still waits, over Easter
		foreseen := d.planOf("2026-05-05")
		if got := d.planOf("2026-04-07")[0].Reason; got != dunning.NotSent {
			t.Errorf("today it is left alone because of %q", got)
		}
		if leaves, may := d.letterIsDue(notices[0]); !may || leaves.DueDate != day("2026-04-21") {
			t.Errorf("notice %+v leaves: %t", leaves, may)
		}
		d.on("2026-05-05")
		if got := d.planOf("2026-05-05"); got[0].Action != dunning.Warn || tell(got)[0] != tell(foreseen)[0] {
			t.Errorf("planned is\n%v, and it was foreseen as\n%v", tell(got), tell(foreseen))
		}
	})
}

// enable switches the creditor's dunning on.
func (d *desk) enable() {
	d.t.Helper()
	d.creditor.Policy.Enabled = true
	d.do(func(ctx context.Context, tx *store.Tx) error { return tx.UpdateCreditor(ctx, &d.creditor) })
}

// planOf returns the plan of a day.
func (d *desk) planOf(date string) []dunning.Step {
	d.t.Helper()
	today, err := d.creditor.Today(rows.Start)
	must(d.t, err)
	rows.Write(d.t, d.db, func(tx *store.Tx) error {
		today, err = d.creditor.Today(tx.Now)
		return err
	})
	snapshot, err := dunning.TakeSnapshot(d.t.Context(), d.db, law.Default(), d.creditor, today)
	must(d.t, err)
	steps, _, err := snapshot.Plan(d.t.Context(), day(date), store.Page{Number: 1, Size: 10})
	must(d.t, err)
	return steps
}
