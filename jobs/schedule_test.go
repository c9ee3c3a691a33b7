package jobs

import (
	"context"
	"sync"
	"testing"
	"time"

	"purr/models"
	"purr/test/testkit/rows"
)

func TestE6fWhenARunFallsDue(t *testing.T) {
	tests := []struct {
		name   string
		zone   string
		now    string
		today  string
		fallen bool
		next   string
	}{
		{"before six nothing has fallen due", "Europe/Oslo", "2026-03-02T04:59:59Z", "2026-03-02", false, "2026-03-02T05:00:00Z"},
		{"at six the run falls due", "Europe/Oslo", "2026-03-02T05:00:00Z", "2026-03-02", true, "2026-03-03T05:00:00Z"},
		{"it stays due for the rest of the day", "Europe/Oslo", "2026-03-02T22:59:59Z", "2026-03-02", true, "2026-03-03T05:00:00Z"},
		{"after midnight in Oslo it is another day", "Europe/Oslo", "2026-03-02T23:00:00Z", "2026-03-03", false, "2026-03-03T05:00:00Z"},
		{"on the day that summer time begins six comes an hour sooner", "Europe/Oslo", "2026-03-29T04:00:00Z", "2026-03-29", true, "2026-03-30T04:00:00Z"},
		{"on the day that summer time ends six comes an hour later", "Europe/Oslo", "2026-10-25T04:30:00Z", "2026-10-25", false, "2026-10-25T05:00:00Z"},
		{"a creditor far away has its own morning", "Pacific/Auckland", "2026-03-01T17:00:00Z", "2026-03-02", true, "2026-03-02T17:00:00Z"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			now, err := time.Parse(time.RFC3339, test.now)
			if err != nil {
				t.Fatal(err)
			}
			today, at, next, err := entry{models.RunDunning, timetable("0 6 * * *")}.due(models.Creditor{TimeZone: test.zone}, now)
			if err != nil {
				t.Fatal(err)
			}
			if today.String() != test.today || !at.After(now) != test.fallen || next.UTC().Format(time.RFC3339) != test.next {
				t.Errorf("due = %s, %t, %s; want %s, %t, %s", today, !at.After(now), next.UTC().Format(time.RFC3339), test.today, test.fallen, test.next)
			}
		})
	}
}

// watched is an inbox that tells when it is polled.
type watched chan struct{}

func (w watched) Poll(ctx context.Context) error {
	select {
	case w <- struct{}{}:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func TestTheSchedulerSweepsAtOnceAndLooksIntoTheInbox(t *testing.T) {
	eachOffice(t, func(t *testing.T, o *office) {
		inbox := make(watched)
		o.scheduler.Inbox = inbox
		for _, zone := range []string{"Europe/Oslo", "Europe/Oslo", "America/New_York"} {
			rows.Creditor(t, o.db, func(c *models.Creditor) { c.TimeZone = zone })
		}
		stop := o.scheduler.Start(t.Context())
		waitFor(t, "the first sweep", func() bool {
			depth, err := o.queue.Depth(t.Context())
			return err == nil && depth.Waiting == 3*len(schedule) // at noon in Oslo it is six in New York
		})
		<-inbox
		stop()
	})
}

// waking is an inbox that tells when it should be polled.
type waking struct {
	watched
	came chan struct{}
}

func (w waking) Woken() <-chan struct{} { return w.came }

func TestR5AnInboxThatWakesIsPolledAtOnce(t *testing.T) {
	eachOffice(t, func(t *testing.T, o *office) {
		inbox := waking{make(watched), make(chan struct{})}
		ctx, cancel := context.WithCancel(t.Context())
		var watching sync.WaitGroup
		watching.Go(func() { o.scheduler.watch(ctx, "inbox", inbox, 1000*time.Hour) })
		<-inbox.watched
		for range 2 {
			inbox.came <- struct{}{}
			<-inbox.watched
		}
		cancel()
		watching.Wait()
	})
}
