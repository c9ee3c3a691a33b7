package app

import (
	"context"
	"crypto/rand"
	"errors"
	"os"
	"strings"
	"sync"
	"time"

	"purr/internal/clock"
	"purr/store"
)

// How often a part says that it lives, some times in store.PartLives. What has not for a day is forgotten.
const (
	partBeat   = 15 * time.Second
	partStands = 24 * time.Hour
)

// livingParts are the kinds of work that must be done by somebody (rule Q9).
var livingParts = []string{"api", "scheduler", "worker"}

// While the gate is raised a part tries more often, and gives up after a while: purr migrate --finish looks shorter, unless it was cut off.
const (
	gateBeat  = time.Second
	gateLimit = time.Minute
)

// announcePart tells all others that this part lives, until it is closed (rule Q9), and from then on lets this process write only what
// the gate of the schema lets it (rule K3a). A beat that the database does not take is left out. When the gate is closed to this program, the
// program ends.
func (a *App) announcePart(ctx context.Context, parts Parts) error {
	b := ThisBuild()
	p := &store.Part{ID: strings.ToLower(rand.Text()), Kind: parts.String(), Version: b.Version + " " + b.Commit, SchemaMin: b.Schema, SchemaMax: b.Schema + 1}
	p.Host, _ = os.Hostname() // a machine without a name is one too
	if err := a.DB.Beat(ctx, p); err != nil {
		return err
	}
	err := a.DB.InTx(ctx, func(ctx context.Context, tx *store.Tx) error {
		return tx.RemovePartsBefore(ctx, p.SeenAt.Add(-partStands))
	})
	if err != nil {
		return err
	}
	beating, stop := context.WithCancel(context.WithoutCancel(ctx))
	var done sync.WaitGroup
	done.Go(func() { a.keepBeating(beating, p) })
	a.onClose("part", func(ctx context.Context) error {
		stop()
		done.Wait()
		within, cancel := context.WithTimeout(ctx, time.Second)
		defer cancel()
		_ = a.DB.InTx(within, func(ctx context.Context, tx *store.Tx) error { return tx.RemovePart(ctx, p.ID) }) // else it counts as living a minute more
		return nil
	})
	return nil
}

// keepBeating says that a part lives until the context ends, or the program must.
func (a *App) keepBeating(ctx context.Context, p *store.Part) {
	tick := time.NewTicker(partBeat)
	defer tick.Stop()
	var kept time.Duration // by the gate, since when
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		var gate store.GateError
		if !errors.As(a.DB.Beat(ctx, p), &gate) { // any other fault: the next one comes soon, and readyz tells what is wrong
			kept = 0
			tick.Reset(partBeat)
			continue
		}
		if kept == 0 {
			kept = clock.Steady()
			tick.Reset(gateBeat)
		}
		if !gate.Passing || clock.Steady()-kept > gateLimit {
			select {
			case a.failed <- gate:
			default: // the program ends already
			}
			return
		}
	}
}
