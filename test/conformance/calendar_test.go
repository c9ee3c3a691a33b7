package conformance_test

import (
	"slices"
	"sync"
	"time"
)

// calendar moves an installation's clock for all tests that wait for days of their own. As soon as every test waits or
// has ended, it moves the clock to the first of those days. So the days pass once for all tests, and no day passes while
// a test is at work on it.
type calendar struct {
	move func(to time.Time) error // moves the clock

	mu      sync.Mutex
	changed *sync.Cond
	joined  int         // tests that have not ended
	waiting []time.Time // what each of them waits for
	now     time.Time   // the last moment that was waited for
	err     error       // why the clock does not move
}

func newCalendar() *calendar {
	c := &calendar{}
	c.changed = sync.NewCond(&c.mu)
	return c
}

// join announces a test. All tests that wait for days are announced before the first of them runs.
func (c *calendar) join() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.joined++
}

// leave says that a test has ended.
func (c *calendar) leave() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.joined--
	c.turn()
}

// await returns when it is the moment, and all that fell due before it is done.
func (c *calendar) await(at time.Time) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.waiting = append(c.waiting, at)
	c.turn()
	for c.now.Before(at) && c.err == nil {
		c.changed.Wait()
	}
	return c.err
}

// over reports whether tests have waited for days, and all have ended.
func (c *calendar) over() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.joined == 0 && !c.now.IsZero()
}

// awaitEnd returns when no test waits for a day any more.
func (c *calendar) awaitEnd() {
	c.mu.Lock()
	defer c.mu.Unlock()
	for c.joined > 0 {
		c.changed.Wait()
	}
}

// turn lets the next moment come that a test waits for, when all of them wait.
func (c *calendar) turn() {
	defer c.changed.Broadcast()
	if len(c.waiting) < c.joined || c.joined == 0 || c.err != nil {
		return
	}
	first := slices.MinFunc(c.waiting, time.Time.Compare)
	c.err = c.move(first)
	c.now = first
	c.waiting = slices.DeleteFunc(c.waiting, first.Equal)
}
