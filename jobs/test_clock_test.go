package jobs

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"purr/internal/clock"
	"purr/models"
	"purr/ocr/giro"
	"purr/store"
	"purr/test/testkit"
	"purr/test/testkit/rows"
)

// A month of everything that happens automatically is the same on either database and in whatever order the jobs run
// (rule E8).
func TestE8ASimulatedMonth(t *testing.T) {
	eachOffice(t, func(t *testing.T, o *office) {
		o.work(t, 4)
		c := o.dunned(t, func(c *models.Creditor) { c.BankAccount = "12345678903" })
		paidInTime := rows.Invoice(t, o.db, c, byEmail("per@example.no"))
		rows.Invoice(t, o.db, c, byEmail(), rows.DueIn(0))
		paidLate := rows.Invoice(t, o.db, c, rows.DueIn(1))

		o.advance(t, 14*24*time.Hour)
		o.drop(t, "OCR-1", payment(t, c, giro.Payment{KID: paidInTime.KID, Amount: 1000_00, NetsDate: rows.Today + 13}))
		o.advance(t, 4*24*time.Hour)
		o.drop(t, "OCR-2", payment(t, c, giro.Payment{KID: paidLate.KID, Amount: 700_00, NetsDate: rows.Today + 17}))
		o.advance(t, 13*24*time.Hour)

		testkit.Golden(t, "testdata/month.txt", strings.Join(sorted(o.events(t, c)), "\n")+"\n") // sorted by time first
		o.prove(t, c)
	})
}

// drop puts a complete file into the inbox.
func (o *office) drop(t *testing.T, name, content string) {
	t.Helper()
	path := filepath.Join(o.inbox, name)
	must(t, os.WriteFile(path, []byte(content), 0o600))
	must(t, os.Chtimes(path, rows.Start, rows.Start))
}

func TestE8TheClockMovesForwardOnly(t *testing.T) {
	eachOffice(t, func(t *testing.T, o *office) {
		o.work(t, 2)
		o.advance(t, time.Hour)
		err := o.mover.Advance(t.Context(), rows.Start.Add(time.Hour-time.Microsecond))
		if models.KindOf(err) != models.KindInvalid || !o.mover.Now().Equal(rows.Start.Add(time.Hour)) {
			t.Errorf("it stands at %s, %v", o.mover.Now(), err)
		}
		must(t, o.mover.Advance(t.Context(), rows.Start.Add(time.Hour)))
	})
}

func TestR5bTheClockIsKeptInTheInstallation(t *testing.T) {
	eachOffice(t, func(t *testing.T, o *office) {
		if _, kept, err := SavedTestClock(t.Context(), o.db); kept || err != nil {
			t.Errorf("a clock is kept that never moved: %v", err)
		}
		o.work(t, 2)
		c := o.dunned(t)
		rows.Invoice(t, o.db, c)
		o.sleepUntil(t, reminderDue.Add(123456*time.Microsecond))
		saved, kept, err := SavedTestClock(t.Context(), o.db)
		if err != nil || !kept || !saved.Equal(o.clock.Now()) {
			t.Errorf("it is kept as %s, %t, %v; it stands at %s", saved, kept, err, o.clock.Now())
		}
		before := o.events(t, c)

		// The program is started again.
		restarted := clock.NewTest(saved)
		db := o.db.WithClock(restarted)
		s := &Scheduler{DB: db, Queue: o.queue, Inbox: o.scheduler.Inbox, Clock: restarted, Log: o.scheduler.Log}
		must(t, NewTestClock(restarted, s).Advance(t.Context(), saved.Add(time.Hour)))
		if after := o.events(t, c); len(after) != len(before) {
			t.Errorf("starting again did more: %q", after[len(before):])
		}
	})
}

func TestE8TwoWhoMoveTheClockTakeTurns(t *testing.T) {
	eachOffice(t, func(t *testing.T, o *office) {
		begun, goOn := make(chan struct{}), make(chan struct{})
		var letters atomic.Int64
		o.worker.Dispatch.Channels[models.ByPaper] = &channel{take: func(context.Context, string) error {
			if letters.Add(1) == 1 {
				close(begun)
				<-goOn
			}
			return nil
		}}
		o.work(t, 2)
		rows.Invoice(t, o.db, rows.Creditor(t, o.db))
		first := make(chan error, 1)
		go func() { first <- o.mover.Advance(t.Context(), rows.Start.Add(time.Hour)) }()
		<-begun
		ctx, cancel := context.WithCancel(t.Context())
		second := make(chan error, 1)
		go func() { second <- o.mover.Advance(ctx, rows.Start.Add(2*time.Hour)) }()
		cancel()
		if err := <-second; !errors.Is(err, context.Canceled) {
			t.Errorf("who waits for a turn and is told to stop gets %v", err)
		}
		close(goOn)
		must(t, <-first)
		if !o.mover.Now().Equal(rows.Start.Add(time.Hour)) {
			t.Errorf("it stands at %s", o.mover.Now())
		}
	})
}

// E8: what falls due on the way is done at its own time, even if it only follows from what was done there.
func TestE8WhatFollowsIsDoneAtItsOwnTime(t *testing.T) {
	eachOffice(t, func(t *testing.T, o *office) {
		failures := int64(2)
		var attempts atomic.Int64
		o.worker.Dispatch.Channels[models.ByPaper] = &channel{take: func(context.Context, string) error {
			if attempts.Add(1) <= failures {
				return errors.New("out of paper")
			}
			return nil
		}}
		o.work(t, 2)
		c := o.dunned(t)
		rows.Invoice(t, o.db, c)
		rows.Send(t, o.db, c)
		o.clock.Set(reminderDue.Add(-time.Minute))
		rows.Invoice(t, o.db, c, byEmail())
		o.advance(t, 24*time.Hour)
		wantLines(t, o.events(t, c, models.EventNoticeCreated, models.EventShipmentSent),
			"03-30 03:59:00 shipment.sent Invoice 2 by e-mail sent",
			"03-30 04:00:00 overdue_notice.created Reminder 1 on invoice 1: 1042.60 owed, of that fee 38.00 and interest 4.60, due 2026-04-13",
			"03-30 04:00:15 shipment.sent Reminder on invoice 1 on paper sent")
	})
}

func TestE8AFileThatCannotBeImportedStopsNoClock(t *testing.T) {
	eachOffice(t, func(t *testing.T, o *office) {
		o.work(t, 2)
		c := rows.Creditor(t, o.db)
		invoice := rows.Invoice(t, o.db, c)
		o.drop(t, "processing/stray", "?")
		o.drop(t, "OCR.txt", payment(t, c, giro.Payment{KID: invoice.KID, Amount: 1000_00, NetsDate: rows.Today}))
		o.advance(t, time.Hour)
		now, err := o.db.Invoice(t.Context(), c.ID, invoice.ID)
		must(t, err)
		if now.Balance != 0 {
			t.Errorf("%s is owed", now.Balance)
		}
	})
}

func TestE8WithoutRedisTheClockDoesNotMove(t *testing.T) {
	eachOffice(t, func(t *testing.T, o *office) {
		must(t, o.redis.Close())
		if err := o.mover.Advance(t.Context(), rows.Start.Add(time.Hour)); err == nil || !o.mover.Now().Equal(rows.Start) {
			t.Errorf("it stands at %s, %v", o.mover.Now(), err)
		}
	})
}

func TestR5bAnUnreadableClockIsSaid(t *testing.T) {
	eachOffice(t, func(t *testing.T, o *office) {
		rows.Write(t, o.db, func(tx *store.Tx) error { return tx.SetSetting(t.Context(), testClockSetting, "noon") })
		if _, _, err := SavedTestClock(t.Context(), o.db); err == nil {
			t.Error("it was read")
		}
	})
}

// TestE8TheClockMovesInTheBackground begins a move and asks how far it has come until it has ended.
func TestE8TheClockMovesInTheBackground(t *testing.T) {
	eachOffice(t, func(t *testing.T, o *office) {
		begun, goOn := make(chan struct{}), make(chan struct{})
		o.worker.Dispatch.Channels[models.ByPaper] = &channel{take: func(context.Context, string) error {
			close(begun)
			<-goOn
			return nil
		}}
		o.work(t, 2)
		defer o.mover.Close()
		rows.Invoice(t, o.db, rows.Creditor(t, o.db))
		if m := o.mover.LastMove(); m.Ended || !m.To.IsZero() {
			t.Errorf("a clock that was never moved tells of %+v", m)
		}
		to := rows.Start.Add(48 * time.Hour)
		due, err := o.mover.NextDue(t.Context(), to)
		if err != nil || !due.After(rows.Start) || due.After(to) {
			t.Errorf("the next work falls due at %s, %v", due, err)
		}
		must(t, o.mover.Begin(to))
		<-begun
		if m := o.mover.LastMove(); m.Ended || !m.From.Equal(rows.Start) || !m.To.Equal(to) {
			t.Errorf("on its way it tells of %+v", m)
		}
		close(goOn)
		testkit.Eventually(t, "the move ends", func() (bool, any) { m := o.mover.LastMove(); return m.Ended, m })
		if m := o.mover.LastMove(); m.Err != nil || !o.mover.Now().Equal(to) {
			t.Errorf("it ended at %s with %v", o.mover.Now(), m.Err)
		}
		if err := o.mover.Begin(rows.Start); models.KindOf(err) != models.KindInvalid {
			t.Errorf("backwards: %v", err)
		}
		o.mover.Close()
		must(t, o.mover.Begin(to.Add(time.Hour)))
		testkit.Eventually(t, "the move ends", func() (bool, any) { m := o.mover.LastMove(); return m.Ended, m })
		if m := o.mover.LastMove(); m.Err == nil || !o.mover.Now().Equal(to) {
			t.Errorf("after the end of the program it moved: %+v", m)
		}
	})
}
