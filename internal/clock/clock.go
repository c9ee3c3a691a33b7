// Package clock gives the time to the rest of the program. It is the only package that asks the operating system what
// time it is, and it knows nothing of invoices.
package clock

import (
	"sync"
	"time"
)

// Clock tells the time in UTC, to the microsecond, which is the precision of the store.
type Clock interface {
	Now() time.Time
}

// System is the clock of the operating system.
type System struct{}

// Now returns the system's time.
func (System) Now() time.Time { return trim(time.Now()) }

// Test is a clock that stands still until it is moved. It moves forward only.
type Test struct {
	mu  sync.Mutex
	now time.Time
}

// NewTest returns a test clock that stands at a moment.
func NewTest(now time.Time) *Test { return &Test{now: trim(now)} }

// Now returns the moment at which the clock stands.
func (c *Test) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

// Set moves the clock to a moment. If the moment is before the clock's own, Set reports false and does not move
// the clock (rule E8).
func (c *Test) Set(now time.Time) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	now = trim(now)
	if now.Before(c.now) {
		return false
	}
	c.now = now
	return true
}

// Move is a move of a test clock in the background (rule E8).
type Move struct {
	From, To time.Time // both zero if the clock was never moved in the background
	Ended    bool
	Err      error // why it ended before To
}

func trim(t time.Time) time.Time { return t.UTC().Truncate(time.Microsecond) }

var begun = time.Now()

// Steady returns for how long this process has had a clock. It grows evenly, whatever is done to the time of day, and also while the process is
// stopped.
func Steady() time.Duration { return time.Since(begun) }
