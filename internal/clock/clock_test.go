package clock_test

import (
	"testing"
	"time"

	"purr/internal/clock"
)

func TestTheTestClockStandsStillAndNeverGoesBackE8(t *testing.T) {
	start := time.Date(2026, time.March, 2, 12, 0, 0, 123_456_789, time.FixedZone("Oslo", 3600))
	c := clock.NewTest(start)
	if now := c.Now(); !now.Equal(start.Truncate(time.Microsecond)) || now.Location() != time.UTC || c.Now() != now {
		t.Errorf("it stands at %s", now)
	}
	if !c.Set(start) || !c.Set(start.Add(time.Hour)) {
		t.Error("it does not move forward")
	}
	if c.Set(start) || !c.Now().Equal(start.Add(time.Hour).Truncate(time.Microsecond)) {
		t.Errorf("it went back to %s", c.Now())
	}
}

func TestTheSystemClockTellsWhatTheStoreKeeps(t *testing.T) {
	before := time.Now()
	now := clock.System{}.Now()
	if now.Location() != time.UTC || now.Nanosecond()%1000 != 0 || now.Before(before.Truncate(time.Microsecond)) || now.After(time.Now()) {
		t.Errorf("the system's time is %s", now)
	}
}
