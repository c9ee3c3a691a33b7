package jobs

import "sync"

// turns bounds how much of a worker one creditor may have, so that nobody's mail waits for another's (rule S5). A nil
// *turns bounds nothing.
type turns struct {
	most     map[string]int // lanes of one creditor at once, by kind of job
	stopping chan struct{}  // closed when the worker is told to stop

	mu   sync.Mutex
	busy map[lanesOf]int
}

// lanesOf are the lanes of a creditor for one kind of job.
type lanesOf struct {
	kind       string
	creditorID int64
}

func newTurns(most map[string]int) *turns {
	return &turns{most: most, stopping: make(chan struct{}), busy: map[lanesOf]int{}}
}

// enter begins a lane of a creditor, unless the creditor has as many at work as one may have. The caller calls leave when
// the lane ends.
func (t *turns) enter(kind string, creditorID int64) (leave func(), entered bool) {
	if t == nil {
		return func() {}, true
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	lane := lanesOf{kind, creditorID}
	if t.busy[lane] >= t.most[kind] {
		return nil, false
	}
	t.busy[lane]++
	return func() {
		t.mu.Lock()
		defer t.mu.Unlock()
		if t.busy[lane]--; t.busy[lane] == 0 {
			delete(t.busy, lane)
		}
	}, true
}

// over reports whether the worker was told to stop: then nothing more is taken (rule R4).
func (t *turns) over() bool {
	if t == nil {
		return false
	}
	select {
	case <-t.stopping:
		return true
	default:
		return false
	}
}
