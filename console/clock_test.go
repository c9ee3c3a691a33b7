package console_test

import (
	"context"
	"sync/atomic"
	"testing"
	"time"

	"purr/console"
	"purr/internal/clock"
	"purr/models"
	"purr/store"
	"purr/test/testkit/rows"
)

// mover moves a clock at once, or keeps it on its way.
type mover struct {
	clock *clock.Test
	slow  atomic.Bool
	move  clock.Move
	begun int
}

func (m *mover) Now() time.Time { return m.clock.Now() }

func (m *mover) Begin(to time.Time) error {
	m.begun++
	m.move = clock.Move{From: m.clock.Now(), To: to, Ended: !m.slow.Load()}
	if m.move.Ended {
		m.clock.Set(to)
	}
	return nil
}

func (m *mover) LastMove() clock.Move { return m.move }

func (m *mover) NextDue(_ context.Context, latest time.Time) (time.Time, error) {
	return latest.Add(-300 * 24 * time.Hour), nil
}

// TestE8TheConsoleMovesTheTestClock moves it by a day, to the next event and to a date, once for each form.
func TestE8TheConsoleMovesTheTestClock(t *testing.T) {
	t.Parallel()
	m := &mover{}
	b := open(t, models.ScopeAdmin, func(c *console.Config) { m.clock = c.Clock.(*clock.Test); c.TestClock = m })
	page := b.get("clock").is(200).says("Simulated time", "One day on", "02.03.2026 12:00", "To the next event")
	from := start.Format(time.RFC3339Nano)
	for range 2 { // clicked twice; the sessions of the harness end by the same clock
		b.signIn(b.key)
		b.post(b.base+"/clock", "once", page.once(), "from", from, "move", "day").leads(b.base + "/clock")
	}
	if now := m.Now(); !now.Equal(start.Add(24 * time.Hour)) {
		t.Errorf("it was moved %d times, to %s", m.begun, now)
	}
	b.signIn(b.key)
	b.post(b.base+"/clock", "once", "a", "from", from, "move", "day").leads(b.base + "/clock") // a second tab
	b.post(b.base+"/clock", "once", "b", "from", from, "move", "to", "to", "2026-03-01").is(422).says("forward only")
	b.post(b.base+"/clock", "once", "c", "from", from, "move", "to", "to", "").is(422)
	b.post(b.base+"/clock", "once", "d", "from", "now", "move", "day").is(400)
	b.get("clock").is(200).says("Nothing happened.")
	for _, at := range []time.Duration{24, 48, 48, 72} {
		rows.Write(t, b.db.WithClock(clock.NewTest(start.Add(at*time.Hour))), func(tx *store.Tx) error {
			return tx.Log(t.Context(), models.Event{CreditorID: b.creditor.ID, Type: models.EventLettersReleased, Text: "x"})
		})
	}
	b.get("clock").is(200).says("What happened, day by day", "Tuesday 3 March 2026 1 Letters released", "Wednesday 4 March 2026 2 Letters released", "Thursday 5 March 2026 1 Letters released")
	m.slow.Store(true)
	b.post(b.base+"/clock", "once", "e", "from", from, "move", "to", "to", "2026-03-09").leads(b.base + "/clock")
	b.get("clock").says("The clock moves to 09.03.2026 12:00")
	if got := b.get("clock?part=progress"); got.body != `{"done":false,"max":8640,"text":"It stands at 03.03.2026 12:00","value":0}` {
		t.Errorf("the progress is %s", got.body)
	}
}

func TestE8WithoutATestClockThereIsNoPage(t *testing.T) {
	t.Parallel()
	b := open(t, models.ScopeAdmin, func(c *console.Config) { c.Simulated = false })
	b.get("clock").is(404)
}
