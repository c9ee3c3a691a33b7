package jobs

import (
	"context"
	"strings"
	"testing"
	"time"

	"purr/internal/clock"
	"purr/models"
	"purr/ocr"
	"purr/ocr/giro"
	"purr/test/testkit"
	"purr/test/testkit/rows"
)

// runOf returns a creditor's run, and fails the test if there is none.
func (o *office) runOf(t *testing.T, c models.Creditor, kind models.RunKind, date models.Date) models.Run {
	t.Helper()
	run, found, err := o.db.RunOf(t.Context(), c.ID, kind, date)
	must(t, err)
	if !found {
		t.Fatalf("creditor %d has no %s run of %s", c.ID, kind, date)
	}
	return run
}

// reminderDay is the day of reminderDue.
const reminderDay = 28

func dunningRun(c models.Creditor) runPayload {
	return runPayload{CreditorID: c.ID, Kind: models.RunDunning, Date: rows.Today + reminderDay}
}

func TestE6fTwoSchedulersAndTwoQueuesMakeOneRun(t *testing.T) {
	eachOffice(t, func(t *testing.T, o *office) {
		c := o.dunned(t)
		for range 5 {
			rows.Invoice(t, o.db, c)
		}
		rows.Send(t, o.db, c)
		other := *o
		other.connect(t, redisInside(t)) // no task is unique across two Redis servers
		worker := *o.worker
		worker.Queue = other.queue
		other.worker, other.scheduler = &worker, &Scheduler{DB: o.db, Queue: other.queue, Inbox: o.scheduler.Inbox, Clock: o.clock, Log: o.scheduler.Log}
		o.clock.Set(reminderDue)
		o.work(t, 3)
		other.work(t, 3)
		sweep := func(o *office) func() error {
			return func() error {
				if _, err := o.scheduler.Sweep(t.Context()); err != nil {
					return err
				}
				_, err := o.queue.WaitIdle(t.Context())
				return err
			}
		}
		testkit.AtOnce(t, sweep(o), sweep(&other))

		for _, kind := range []models.RunKind{models.RunStatus, models.RunVerify, models.RunDunning} {
			if run := o.runOf(t, c, kind, rows.Today+reminderDay); run.State != models.RunDone || run.FinishedAt == nil || kind != models.RunVerify && run.Done != 5 {
				t.Errorf("the %s run is %s, having done %d", kind, run.State, run.Done)
			}
		}
		if got := len(o.events(t, c, models.EventInvoiceChargeable)); got != 5 {
			t.Errorf("%d invoices became chargeable", got)
		}
		if got := len(o.events(t, c, models.EventNoticeCreated)); got != 5 {
			t.Errorf("%d reminders were made", got)
		}
		o.prove(t, c)
	})
}

func TestE6fMissedDatesAreCaughtUpAndWrittenDown(t *testing.T) {
	eachOffice(t, func(t *testing.T, o *office) {
		o.work(t, 2)
		c := o.dunned(t)
		rows.Invoice(t, o.db, c)
		o.settle(t)
		o.sleepUntil(t, reminderDue)
		for _, kind := range []models.RunKind{models.RunStatus, models.RunVerify, models.RunDunning} {
			for day := models.Date(0); day <= reminderDay; day++ {
				run := o.runOf(t, c, kind, rows.Today+day)
				state, caughtUpBy := models.RunMissed, rows.Today+reminderDay
				if day == 0 || day == reminderDay {
					state, caughtUpBy = models.RunDone, 0
				}
				if run.State != state || run.CaughtUpBy != caughtUpBy {
					t.Errorf("the %s run of %s is %s, caught up by %q", kind, run.BusinessDate, run.State, run.CaughtUpBy)
				}
			}
		}
		o.advance(t, 24*time.Hour)
		wantLines(t, o.events(t, c, models.EventInvoiceOverdue, models.EventInvoiceChargeable, models.EventNoticeCreated),
			"03-30 03:59:59 invoice.overdue Invoice 1 is overdue with 1000.00 owed",
			"03-30 03:59:59 invoice.chargeable Invoice 1 with 1000.00 owed can be charged a fee",
			"03-30 04:00:00 overdue_notice.created Reminder 1 on invoice 1: 1042.60 owed, of that fee 38.00 and interest 4.60, due 2026-04-13")
	})
}

// When both fall due at once, because nothing ran in the morning, the reminder must not hide that the
// invoice became chargeable.
func TestE6fADunningRunComesAfterTheDaysStatusRun(t *testing.T) {
	eachOffice(t, func(t *testing.T, o *office) {
		c := o.dunned(t)
		rows.Invoice(t, o.db, c)
		rows.Send(t, o.db, c)
		o.clock.Set(reminderDue)
		must(t, o.worker.run(t.Context(), dunningRun(c)))
		must(t, o.worker.run(t.Context(), runPayload{c.ID, models.RunStatus, rows.Today + reminderDay}))
		wantLines(t, o.events(t, c, models.EventInvoiceChargeable, models.EventNoticeCreated),
			"03-30 04:00:00 invoice.chargeable Invoice 1 with 1000.00 owed can be charged a fee",
			"03-30 04:00:00 overdue_notice.created Reminder 1 on invoice 1: 1042.60 owed, of that fee 38.00 and interest 4.60, due 2026-04-13")
	})
}

func TestE6fACreditorThatComesDuringTheDayHasItsRunsAtOnce(t *testing.T) {
	eachOffice(t, func(t *testing.T, o *office) {
		o.work(t, 2)
		o.settle(t)
		c := rows.Creditor(t, o.db)
		o.settle(t)
		if run := o.runOf(t, c, models.RunDunning, rows.Today); run.State != models.RunDone || !run.StartedAt.Equal(rows.Start) {
			t.Errorf("its run is %s, begun at %s", run.State, run.StartedAt)
		}
		if run, found, err := o.db.LastRun(t.Context(), c.ID, models.RunDunning, rows.Today); found || err != nil {
			t.Errorf("it has a run of %s, %v", run.BusinessDate, err)
		}
	})
}

// If a worker dies in the middle of a run, another one finds its row and continues, with the dates that were missed
// before it.
func TestE6fARunThatWasBrokenOffAnywhereGoesOn(t *testing.T) {
	eachOffice(t, func(t *testing.T, o *office) {
		kinds := []models.RunKind{models.RunStatus, models.RunDunning}
		for died, after := true, 0; died; after++ {
			c := o.dunned(t)
			before := rows.On(o.db, rows.Today)
			rows.Invoice(t, before, c)
			rows.Invoice(t, before, c)
			rows.Send(t, before, c)
			first, earlier := *o.worker.Runs, *o.worker
			first.Clock, earlier.Runs = clock.NewTest(rows.Start), &first
			for _, kind := range kinds { // what ran last, before the days that are missed
				must(t, earlier.run(t.Context(), runPayload{c.ID, kind, rows.Today}))
			}
			o.clock.Set(reminderDue)
			ctx, cancel := context.WithCancel(t.Context())
			broken, dying := *o.worker.Runs, *o.worker
			broken.DB = o.db.WithClock(&mortal{Clock: o.clock, left: after, die: cancel})
			dying.Runs = &broken
			died = dying.run(ctx, dunningRun(c)) != nil
			cancel()

			o.goOn(t)
			must(t, o.worker.run(t.Context(), dunningRun(c))) // which has been begun, or has not
			for _, typ := range []models.EventType{models.EventInvoiceOverdue, models.EventInvoiceChargeable, models.EventNoticeCreated} {
				if got := o.events(t, c, typ); len(got) != 2 {
					t.Errorf("broken off after %d transactions, there are %d events %s, want 2", after, len(got), typ)
				}
			}
			for day, want := range map[models.Date]models.RunState{0: models.RunDone, 1: models.RunMissed, 27: models.RunMissed, 28: models.RunDone} {
				for _, kind := range kinds {
					if run := o.runOf(t, c, kind, rows.Today+day); run.State != want {
						t.Errorf("broken off after %d transactions, the %s run of %s is %s", after, kind, run.BusinessDate, run.State)
					}
				}
			}
			if run := o.runOf(t, c, models.RunDunning, rows.Today+reminderDay); run.Done != 2 {
				t.Errorf("broken off after %d transactions, the run took %d steps, want 2", after, run.Done)
			}
			o.prove(t, c)
		}
	})
}

// Letters leave while a long run still decides: it queues the first lane of the creditor's shipments again and again. Once Redis
// is away, it goes on without it.
func TestE6fALongRunLetsItsFirstLettersLeave(t *testing.T) {
	eachOffice(t, func(t *testing.T, o *office) {
		c := o.dunned(t)
		letLeave := o.worker.whileDeciding()
		for range 2 { // a lane that is queued is not queued twice
			letLeave(t.Context(), c.ID)
			if queued, err := o.queue.Depth(t.Context()); err != nil || queued.Waiting != 1 {
				t.Errorf("%d tasks are queued, %v, want 1", queued.Waiting, err)
			}
		}
		must(t, o.redis.Close())
		letLeave(t.Context(), c.ID)
		rows.Invoice(t, o.db, c)
		rows.Send(t, o.db, c)
		o.clock.Set(reminderDue)
		must(t, o.worker.run(t.Context(), dunningRun(c)))
		if got := len(o.events(t, c, models.EventNoticeCreated)); got != 1 {
			t.Errorf("%d reminders were made, want 1", got)
		}
	})
}

// goOn makes the runs that were begun and broken off.
func (o *office) goOn(t *testing.T) {
	t.Helper()
	unfinished, err := o.db.UnfinishedRuns(t.Context())
	must(t, err)
	for _, run := range unfinished {
		must(t, o.worker.run(t.Context(), runPayload{run.CreditorID, run.Kind, run.BusinessDate}))
	}
}

// bring imports a bank file of one payment that reaches to a day.
func (o *office) bring(t *testing.T, c models.Creditor, i models.Invoice, to models.Date) {
	t.Helper()
	file := payment(t, c, giro.Payment{KID: i.KID, Amount: 1000_00, NetsDate: to})
	f, err := o.worker.Importer.Import(t.Context(), strings.NewReader(file), ocr.Source{Kind: ocr.FromAPI, OwnerID: c.ID})
	must(t, err)
	if f.State != models.FileImported {
		t.Fatalf("the file is %s: %v", f.State, f.Faults)
	}
}

func TestE6bALateBankFileHoldsTheRunBackUntilItComes(t *testing.T) {
	eachOffice(t, func(t *testing.T, o *office) {
		o.work(t, 2)
		c := o.dunned(t)
		paid, unpaid, first := rows.Invoice(t, o.db, c), rows.Invoice(t, o.db, c), rows.Invoice(t, o.db, c)
		friday := rows.Today + reminderDay - 3 // the last bank day before
		rows.Send(t, o.db, c)
		o.bring(t, c, first, rows.Today-3)
		o.sleepUntil(t, reminderDue)
		if run := o.runOf(t, c, models.RunDunning, rows.Today+reminderDay); !run.HeldBack || run.State != models.RunDone || run.Done != 0 {
			t.Errorf("the run is %+v", run)
		}

		o.bring(t, c, first, friday-1) // does not reach far enough
		o.advance(t, time.Hour)
		if got := o.events(t, c, models.EventNoticeCreated); len(got) != 0 {
			t.Errorf("while the file is late there are %q", got)
		}
		o.bring(t, c, paid, friday)
		o.advance(t, time.Hour)
		if len(o.notices(t, paid)) != 0 || len(o.notices(t, unpaid)) != 1 || len(o.events(t, c, models.EventNoticeCreated)) != 1 {
			t.Errorf("the events are %q", o.events(t, c, models.EventNoticeCreated))
		}
		run := o.runOf(t, c, models.RunDunning, rows.Today+reminderDay)
		if run.HeldBack || run.Done != 1 || !run.FinishedAt.Equal(reminderDue.Add(time.Hour)) {
			t.Errorf("the run is %+v", run)
		}
		if got := o.sweep(t); got != 0 {
			t.Errorf("%d tasks are queued when all is done", got)
		}
		o.prove(t, c)
	})
}

func TestE6bWhatWasHeldBackIsTheNextDaysWhenTheFileComesThen(t *testing.T) {
	eachOffice(t, func(t *testing.T, o *office) {
		o.work(t, 2)
		c := o.dunned(t)
		unpaid, other := rows.Invoice(t, o.db, c), rows.Invoice(t, o.db, c)
		rows.Send(t, o.db, c)
		o.bring(t, c, other, rows.Today-3)
		o.sleepUntil(t, reminderDue)
		o.clock.Set(reminderDue.Add(23 * time.Hour)) // the next day, before its run
		o.bring(t, c, other, rows.Today+reminderDay)
		o.settle(t)
		if got := o.notices(t, unpaid); len(got) != 0 {
			t.Errorf("before six there are the notices %+v", got)
		}
		o.advance(t, time.Hour)
		if got := o.notices(t, unpaid); len(got) != 1 || got[0].IssueDate != rows.Today+reminderDay+1 {
			t.Errorf("the notices are %+v", got)
		}
	})
}

// D26: each change that time makes is logged once, on its day.
func TestD26StatusEvents(t *testing.T) {
	eachOffice(t, func(t *testing.T, o *office) {
		o.work(t, 2)
		c := o.dunned(t, func(c *models.Creditor) { c.Policy.AddInterest = false })
		rows.Invoice(t, o.db, c)
		o.settle(t)
		for _, day := range []time.Time{
			time.Date(2026, 3, 17, 12, 0, 0, 0, time.UTC), time.Date(2026, 3, 18, 12, 0, 0, 0, time.UTC),
			time.Date(2026, 3, 31, 12, 0, 0, 0, time.UTC), time.Date(2026, 4, 1, 12, 0, 0, 0, time.UTC),
			time.Date(2026, 4, 15, 12, 0, 0, 0, time.UTC), time.Date(2026, 4, 16, 12, 0, 0, 0, time.UTC), // the reminder's due date is 14 April
			time.Date(2026, 4, 29, 12, 0, 0, 0, time.UTC), time.Date(2026, 5, 14, 12, 0, 0, 0, time.UTC),
		} {
			o.clock.Set(day)
			o.settle(t)
		}
		wantLines(t, o.events(t, c, models.EventInvoiceOverdue, models.EventInvoiceChargeable, models.EventNoticeCreated, models.EventNoticeOverdue),
			"03-17 12:00:00 invoice.overdue Invoice 1 is overdue with 1000.00 owed",
			"03-31 12:00:00 invoice.chargeable Invoice 1 with 1000.00 owed can be charged a fee",
			"03-31 12:00:00 overdue_notice.created Reminder 1 on invoice 1: 1038.00 owed, of that fee 38.00 and interest 0.00, due 2026-04-14",
			"04-15 12:00:00 overdue_notice.overdue The reminder on invoice 1 has run out with 1038.00 owed",
			"04-29 12:00:00 overdue_notice.created Debt-collection warning 2 on invoice 1: 1076.00 owed, of that fee 38.00 and interest 0.00, due 2026-05-13",
			"05-14 12:00:00 overdue_notice.overdue The debt-collection warning on invoice 1 has run out with 1076.00 owed")
	})
}

func TestE6fRunsAreMadeAtSixAlsoWhenTheClocksChange(t *testing.T) {
	eachOffice(t, func(t *testing.T, o *office) {
		o.work(t, 2)
		oslo := rows.Creditor(t, o.db)
		newYork := rows.Creditor(t, o.db, func(c *models.Creditor) { c.TimeZone = "America/New_York" })
		for _, change := range []struct {
			from  string
			oslo  []string
			yorks string // New York's clocks change on other days
		}{
			{"2026-03-28", []string{"05:00", "04:00"}, "10:00"},
			{"2026-10-24", []string{"04:00", "05:00"}, "10:00"},
		} {
			first, err := models.ParseDate(change.from)
			must(t, err)
			o.clock.Set(first.Time().Add(2 * time.Hour)) // in New York it is still the day before
			o.advance(t, 2*24*time.Hour)
			for i, at := range change.oslo {
				date := first + models.Date(i)
				for c, want := range map[*models.Creditor]string{&oslo: at, &newYork: change.yorks} {
					run := o.runOf(t, *c, models.RunDunning, date)
					if got := run.StartedAt.Format("2006-01-02 15:04"); got != date.String()+" "+want || run.State != models.RunDone {
						t.Errorf("the run of %s in %s was begun at %s UTC and is %s, want %s", date, c.TimeZone, got, run.State, want)
					}
				}
			}
		}
	})
}
