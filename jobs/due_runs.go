package jobs

import (
	"context"
	"slices"
	"time"

	"purr/internal/clock"
	"purr/jobs/runs"
	"purr/models"
	"purr/store"
)

// dueRuns returns the runs of today that have fallen due and are not made, up to sweepMost of them. It asks for all creditors of a
// time zone at once. A creditor whose days cannot be reckoned is told, and holds up no other (rule D102). busy says that payment files are
// read or runs are made at this moment.
func (s *Scheduler) dueRuns(ctx context.Context, busy bool) (due []models.Run, err error) {
	s.asking.Lock()
	defer s.asking.Unlock()
	zones, err := s.DB.CreditorZones(ctx)
	if err != nil {
		return nil, err
	}
	now := s.Clock.Now()
	if !s.allBegun.holds(zones, now) {
		if due, err = s.unbegun(ctx, zones, now); err != nil {
			return nil, err
		}
	}
	back, err := s.filesCame(ctx, now, busy)
	if err != nil {
		return nil, err
	}
	return append(due, back...), nil
}

// unbegun returns the runs that must still be begun. It remembers if there are none.
func (s *Scheduler) unbegun(ctx context.Context, zones []store.CreditorZone, now time.Time) (due []models.Run, err error) {
	began := clock.System{}.Now()
	var next time.Time
	var lost []store.CreditorZone // zones that are unknown
	for _, zone := range zones {
		falls, err := fallsAt(now, zone.TimeZone)
		if err != nil {
			lost = append(lost, zone)
			continue
		}
		for _, f := range falls {
			if next.IsZero() || f.next.Before(next) {
				next = f.next
			}
			if f.at.After(now) || len(due) >= sweepMost {
				continue
			}
			ids, err := s.DB.CreditorsWithoutRun(ctx, zone.TimeZone, f.kind, f.today, f.at, sweepMost-len(due))
			if err != nil {
				return nil, err
			}
			for _, id := range ids {
				due = append(due, models.Run{CreditorID: id, Kind: f.kind, BusinessDate: f.today})
			}
		}
	}
	if err := s.tellOfDays(ctx, lost); err != nil {
		return nil, err
	}
	s.allBegun = begun{}
	if len(due) == 0 {
		s.allBegun = begun{zones: zones, from: now, next: next, asked: clock.System{}.Now()}
	} else if ended := (clock.System{}).Now(); ended.Sub(began) > longAsk && !s.simulated() {
		s.allBegun = begun{pause: ended.Add(askPause * ended.Sub(began))}
	}
	return due, nil
}

// simulated reports whether the clock is a test clock, which does not go on before everything is done.
func (s *Scheduler) simulated() bool {
	_, is := s.Clock.(*clock.Test)
	return is
}

// begun remembers that all runs that have fallen due are begun, so that most sweeps need not ask for each creditor (rule D113).
type begun struct {
	zones []store.CreditorZone // as they were
	from  time.Time            // when it was so, by the program's clock
	next  time.Time            // when the next run falls due; zero if none does
	asked time.Time            // by the wall
	pause time.Time            // by the wall: until then nobody asks, because asking took long
}

// beginAgain is how often the runs are asked for in any case: somebody may have changed rows by hand.
const beginAgain = 15 * time.Minute

// While runs are to be begun, asking for them takes a part of the time only.
const (
	longAsk  = 200 * time.Millisecond // asking that took less is no burden
	askPause = 9                      // times as long as it took to ask
)

// holds reports whether nobody need be asked. A creditor who came, or moved to another zone, changes how many live there.
func (b begun) holds(zones []store.CreditorZone, now time.Time) bool {
	wall := clock.System{}.Now()
	if wall.Before(b.pause) {
		return true
	}
	return !b.asked.IsZero() && slices.Equal(b.zones, zones) && !now.Before(b.from) && (b.next.IsZero() || now.Before(b.next)) &&
		!wall.Before(b.asked) && wall.Sub(b.asked) < beginAgain
}

// filesMost is the most creditors whose bank files one sweep asks for.
const filesMost = 500

// awaited is how far the sweep has come with the runs that skipped invoices for a bank file.
type awaited struct {
	mark  store.BankMark // what the bank had told when it began with the first
	after int64          // the creditor who was asked last
	again bool           // it begins anew when it has come to the end
	open  bool           // it has not come to the end
}

// filesCame returns the runs of today that skipped invoices for a bank file that has come since (rule E6b). It looks at those runs only
// if the bank has told something since, or while payment files are read and runs are made.
func (s *Scheduler) filesCame(ctx context.Context, now time.Time, busy bool) (due []models.Run, err error) {
	mark, err := s.DB.BankMark(ctx)
	if err != nil {
		return nil, err
	}
	if a := &s.awaited; a.mark != mark || busy {
		a.mark, a.again, a.open = mark, a.open, true
	}
	if !s.awaited.open {
		return nil, nil
	}
	held, err := s.DB.RunsHeldBack(ctx, models.DateOf(now)-1, s.awaited.after, filesMost)
	if err != nil {
		return nil, err
	}
	for _, r := range held {
		s.awaited.after = r.CreditorID
		came, err := runs.FilesCame(ctx, s.DB, r, now)
		if err != nil && !s.alone(ctx, r.CreditorID, models.RunDunning.Work(), err) {
			return nil, err
		}
		if came {
			due = append(due, r)
		}
	}
	if len(held) < filesMost {
		s.awaited.after, s.awaited.open, s.awaited.again = 0, s.awaited.again, false
	}
	return due, nil
}
