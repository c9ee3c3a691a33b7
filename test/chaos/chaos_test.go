//go:build chaos

// Package chaos_test breaks the whole program under load, round after round, and checks after each that nothing was lost
// and nothing was done twice. "make chaos" runs it.
//
// A round makes a new installation, which runs as processes of the built program. Clients make calls of all kinds to it
// while its processes, its servers, the connections between them and its disk fail, as a plan says that is drawn from the
// seed. Then all is put back, and every invariant is checked against what the clients were told. The choices of a round
// follow from the seed and the number of the round alone; what meets what in time does not.
package chaos_test

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"testing"
	"time"
)

// The arguments of "make chaos".
var (
	seed   = flag.Uint64("seed", 0, "what all random choices follow from; 0 chooses one")
	rounds = flag.Int("rounds", 0, "how many rounds to run; 0 sets no limit")
	lasts  = flag.Duration("for", 0, "how long to begin new rounds; 0 sets no limit")
	first  = flag.Int("first", 1, "the number of the first round")
	only   = flag.String("faults", "", "the kinds of faults to draw from, with commas; empty is all of them, none is no faults")
	built  = flag.String("purr", "", "the program to run, if it was built before")
	inS3   = flag.Bool("s3", false, "keep archive, outboxes and inbox on an S3 server, and let it fail too")
	on     = flag.String("setup", "", "the one setup to run: parts, serve or embedded; empty draws one for each round")
)

// TestChaos runs rounds until there are enough of them, and goes on after one with findings.
func TestChaos(t *testing.T) {
	if *seed == 0 {
		*seed = rand.Uint64N(1_000_000) + 1
	}
	if *rounds == 0 && *lasts == 0 {
		*rounds = 5
	}
	t.Logf("make chaos SEED=%d repeats the choices of this run", *seed)
	w := newWorld(t)
	began, run, failed := time.Now(), 0, []string{}
	for n := *first; (*rounds == 0 || run < *rounds) && (*lasts == 0 || time.Since(began) < *lasts); n++ {
		run++
		if !t.Run(fmt.Sprintf("round %d", n), func(t *testing.T) { newRound(t, w, *seed, n).run() }) {
			failed = append(failed, fmt.Sprint(n))
		}
	}
	t.Logf("seed %d: %d rounds in %s; %s", *seed, run, time.Since(began).Round(time.Second), w.tally)
	if len(failed) > 0 {
		t.Logf("rounds with findings: %s; their folders are kept in %s", strings.Join(failed, ", "), w.folder)
		return
	}
	if err := os.RemoveAll(w.folder); err != nil {
		t.Error(err)
	}
}
