package store

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"purr/internal/clock"
	"purr/models"
)

// Group joins work that several callers ask for at the same time into one transaction. While a transaction runs,
// further work waits; the next transaction does all of it. So the work shares statements, locks and the flush to
// disk. Group is safe for concurrent use.
type Group[W any] struct {
	db   *DB
	most int
	do   func(ctx context.Context, tx *Tx, works []W) error

	mu    sync.Mutex
	lines map[int64]*line[W] // by key
}

// line is the waiting work of one key.
type line[W any] struct {
	waiting   []*member[W]
	full      int         // how many members are expected
	gathering *time.Timer // ends the wait for them; nil while a transaction runs
}

// member is the work of one caller.
type member[W any] struct {
	work W
	err  error
	done chan struct{} // closed when the work is done
	lead chan struct{} // closed when this caller must do all the waiting work
}

// NewGroup returns a group that does the work of at most the given number of callers in one transaction. If do
// fails for several works, the group calls it for each work alone, and returns each caller its own error. A
// transaction may be repeated, so do may be called several times before one commits.
func NewGroup[W any](db *DB, most int, do func(ctx context.Context, tx *Tx, works []W) error) *Group[W] {
	return &Group[W]{db: db, most: most, do: do, lines: map[int64]*line[W]{}}
}

// groupLimit is the least time that a transaction of a group may take, with its repetitions, even if the context of its
// leader ends sooner.
const groupLimit = 3 * time.Second

// Do does the work, together with other work of the same key, and returns when it is committed or has failed. Work that
// waits, or is done alone, stops if its context ends. Work that is done together with others goes on until the deadline of
// the caller who came first.
func (g *Group[W]) Do(ctx context.Context, key int64, work W) error {
	m := &member[W]{work: work, done: make(chan struct{}), lead: make(chan struct{})}
	if !g.join(key, m) {
		ended := ctx.Done()
		for waits := true; waits; {
			select {
			case <-m.done:
				return m.err
			case <-m.lead:
				waits = false
			case <-ended:
				if g.leave(key, m) {
					return ctx.Err()
				}
				ended = nil // its transaction runs, or it must lead
			}
		}
	}
	members := g.take(key)
	defer g.pass(key, members)
	if len(members) > 1 {
		var cancel context.CancelFunc
		ctx, cancel = forAll(ctx)
		defer cancel()
	}
	g.run(ctx, members)
	return m.err
}

// forAll returns the context of work for several callers. It does not end when the first caller goes away, but by the
// caller's deadline, or after groupLimit if that is later.
func forAll(first context.Context) (context.Context, context.CancelFunc) {
	deadline, has := first.Deadline()
	if !has {
		return context.WithCancel(context.WithoutCancel(first))
	}
	return context.WithTimeout(context.WithoutCancel(first), max(deadline.Sub(clock.System{}.Now()), groupLimit))
}

// leave takes a member out of its line. It reports false if the member's transaction runs, or if the member must lead.
func (g *Group[W]) leave(key int64, m *member[W]) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	l := g.lines[key]
	if l == nil { // its work has just been done
		return false
	}
	select {
	case <-m.lead:
		return false
	default:
	}
	i := slices.Index(l.waiting, m)
	if i < 0 {
		return false
	}
	l.waiting = slices.Delete(l.waiting, i, i+1)
	return true
}

// join adds the member to its line, and reports whether it is the first.
func (g *Group[W]) join(key int64, m *member[W]) (first bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	l := g.lines[key]
	if first = l == nil; first {
		l = &line[W]{}
		g.lines[key] = l
	}
	l.waiting = append(l.waiting, m)
	if l.gathering != nil && len(l.waiting) >= l.full && l.gathering.Stop() {
		l.gathering = nil
		close(l.waiting[0].lead)
	}
	return first
}

// take takes the waiting members out of the line, the caller's own first.
func (g *Group[W]) take(key int64) []*member[W] {
	g.mu.Lock()
	defer g.mu.Unlock()
	l := g.lines[key]
	n := min(g.most, len(l.waiting))
	members := l.waiting[:n:n]
	l.waiting = l.waiting[n:]
	return members
}

// errBroken is the error of work whose transaction ended in a panic.
var errBroken = errors.New("store: the transaction was broken off by a panic")

// patience is the longest wait for callers who were just served and may ask again. Without the wait, they and the
// callers who waited meanwhile would take turns, in twice as many transactions. Tests lengthen it.
var patience = 500 * time.Microsecond

// pass releases the members and lets the next in line lead. The next one waits until all expected callers are in
// line, but no longer than patience. Expected are the members again and those who wait already. pass also runs if
// run panics.
func (g *Group[W]) pass(key int64, members []*member[W]) {
	g.mu.Lock()
	defer g.mu.Unlock()
	for _, m := range members {
		close(m.done)
	}
	l := g.lines[key]
	l.full = min(g.most, len(members)+len(l.waiting))
	switch {
	case len(l.waiting) >= l.full:
		close(l.waiting[0].lead)
	case l.full == 1: // nobody else is there
		delete(g.lines, key)
	default:
		l.gathering = time.AfterFunc(patience, func() { g.gathered(key) })
	}
}

// gathered lets the next in line lead, if there is one.
func (g *Group[W]) gathered(key int64) {
	g.mu.Lock()
	defer g.mu.Unlock()
	l := g.lines[key]
	l.gathering = nil
	if len(l.waiting) == 0 {
		delete(g.lines, key)
		return
	}
	close(l.waiting[0].lead)
}

// run does the work of all members together. If that fails and the database is available, it does the work of each
// alone.
func (g *Group[W]) run(ctx context.Context, members []*member[W]) {
	works := make([]W, len(members))
	for i, m := range members {
		works[i] = m.work
		m.err = errBroken
	}
	err := g.db.InTx(ctx, func(ctx context.Context, tx *Tx) error { return g.do(ctx, tx, works) })
	if err != nil && len(members) > 1 && ctx.Err() != nil {
		err = models.Unavailable("the database", err)
	}
	if err == nil || len(members) == 1 || models.KindOf(err) == models.KindUnavailable {
		for _, m := range members {
			m.err = err
		}
		return
	}
	for i, m := range members {
		m.err = g.db.InTx(ctx, func(ctx context.Context, tx *Tx) error { return g.do(ctx, tx, works[i:i+1]) })
	}
}
