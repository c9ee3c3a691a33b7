package app

import (
	"context"
	"crypto/rand"
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

// announcePart tells all others that this part lives, until it is closed (rule Q9). A beat that the database does not take is left out.
func (a *App) announcePart(ctx context.Context, parts Parts) error {
	wall, b := clock.System{}, ThisBuild()
	p := store.Part{
		ID: strings.ToLower(rand.Text()), Kind: parts.String(), Version: b.Version + " " + b.Commit, SchemaMin: b.Schema, SchemaMax: b.Schema, StartedAt: wall.Now(),
	}
	p.Host, _ = os.Hostname() // a machine without a name is one too
	beat := func(ctx context.Context) error {
		p.SeenAt = wall.Now()
		return a.DB.InTx(ctx, func(ctx context.Context, tx *store.Tx) error { return tx.PutPart(ctx, &p) })
	}
	if err := beat(ctx); err != nil {
		return err
	}
	err := a.DB.InTx(ctx, func(ctx context.Context, tx *store.Tx) error {
		return tx.RemovePartsBefore(ctx, wall.Now().Add(-partStands))
	})
	if err != nil {
		return err
	}
	beating, stop := context.WithCancel(context.WithoutCancel(ctx))
	var done sync.WaitGroup
	done.Go(func() {
		tick := time.NewTicker(partBeat)
		defer tick.Stop()
		for {
			select {
			case <-beating.Done():
				return
			case <-tick.C:
				_ = beat(beating) // the next one comes soon, and readyz tells what is wrong
			}
		}
	})
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
