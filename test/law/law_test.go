//go:build chaos

// Package law_test lets creditors live for years, at random, and holds all that the program does to their customers
// against the law as package test/testkit/law has it. "make law" runs it.
//
// A world is an installation on a test clock with some creditors. Their customers pay or do not, early, late, too much, by
// hand and through the bank. Letters fail, come back and wait. People match, credit, hold, close and change what can be
// changed. After each day every overdue invoice is judged by what the interface shows, and by nothing else. All choices of
// a world follow from the seed and the number of the world.
package law_test

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

// The arguments of "make law".
var (
	seed  = flag.Uint64("seed", 0, "what all random choices follow from; 0 chooses one")
	years = flag.Int("years", 300, "how many years the creditors live in all")
	first = flag.Int("first", 1, "the number of the first world")
)

// The size of a world: so many creditors live for so many days.
const (
	creditors = 8
	days      = 548
)

// tally counts what was done in all worlds.
var tally struct {
	comparisons, days, invoices, letters, withdrawn, handOvers, sheets, findings atomic.Int64
}

// TestLaw lets creditors live until they have lived the years. One world in eight is on MariaDB and Redis.
func TestLaw(t *testing.T) {
	if *seed == 0 {
		*seed = rand.Uint64N(1_000_000) + 1
	}
	t.Logf("make law SEED=%d repeats the choices of this run", *seed)
	began := time.Now()
	t.Run("worlds", func(t *testing.T) {
		for n := *first; (n-*first)*creditors*days < *years*365; n++ {
			t.Run(fmt.Sprint(n), func(t *testing.T) {
				t.Parallel()
				defer func() {
					if t.Failed() {
						t.Logf("make law SEED=%d FIRST=%d YEARS=1 lives this world again", *seed, n)
					}
				}()
				newWorld(t, *seed, n).live()
			})
		}
	})
	t.Logf("seed %d: %.0f years of creditors in %s: %s", *seed, float64(tally.days.Load())/365, time.Since(began).Round(time.Second), strings.Join([]string{
		count(&tally.comparisons, "comparisons"), count(&tally.invoices, "invoices"), count(&tally.letters, "notices"), count(&tally.withdrawn, "withdrawn notices"),
		count(&tally.handOvers, "hand-overs"), count(&tally.sheets, "sheets reckoned again"), count(&tally.findings, "findings"),
	}, ", "))
}

func count(n *atomic.Int64, of string) string { return fmt.Sprintf("%d %s", n.Load(), of) }
