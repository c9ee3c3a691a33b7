package jobs

import (
	"context"
	"testing"

	"purr/internal/testkit/rows"
	"purr/models"
)

// watched is an inbox that says when it is looked into.
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
