package e2e_test

import "sync/atomic"

// counter gives each caller a number of its own.
type counter struct{ last atomic.Int64 }

func newCounter() *counter { return &counter{} }

func (c *counter) next() int { return int(c.last.Add(1)) }
