package console_test

import (
	"strings"
	"testing"
	"time"

	"purr/console"
	"purr/console/outlook"
	"purr/internal/clock"
	"purr/models"
)

// standing is a clock whose second call, and each later one, waits until it goes on.
type standing struct {
	clock.Clock
	calls chan struct{}
	goOn  chan struct{}
}

func (c standing) Now() time.Time {
	select {
	case c.calls <- struct{}{}: // the first one: what day is it?
	default:
		<-c.goOn
	}
	return c.Clock.Now()
}

// TestE10APageDoesNotWaitForWhatIsCounted shows pages while their figures are being counted, and when they are there.
func TestE10APageDoesNotWaitForWhatIsCounted(t *testing.T) {
	t.Parallel()
	for _, path := range []string{"today", "dunning", "dunning/forecast?days=30"} {
		t.Run(path, func(t *testing.T) {
			t.Parallel()
			c := standing{calls: make(chan struct{}, 1), goOn: make(chan struct{})}
			b := open(t, models.ScopeAdmin, func(cfg *console.Config) {
				slow := *cfg.Runs
				c.Clock, slow.Clock = cfg.Clock, &c
				cfg.Outlook = outlook.New(&slow, clock.System{})
			})
			b.overdue(3, 100)
			if got := b.get(path).is(200).says("Being counted …"); !strings.Contains(got.body, `<noscript><meta http-equiv="refresh"`) {
				t.Error("without scripts it does not ask again")
			}
			close(c.goOn)
			part := "?part=progress"
			if strings.Contains(path, "?") {
				part = "&part=progress"
			}
			if got := b.get(path + part); !strings.Contains(got.body, `"done":true`) {
				t.Errorf("the progress is %s", got.body)
			}
			b.get(path).is(200).says("Reminders 3")
		})
	}
}
