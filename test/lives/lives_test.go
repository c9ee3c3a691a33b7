//go:build whole

// Package lives_test lets creditors live for two simulated years, at random, and proves from the rows of the database that nobody
// was dunned before his day and nobody owes more than he was invoiced (rules D94 to D98).
//
// A world is an installation on a test clock with some creditors. Their customers owe like amounts. They pay parts, too much, and
// without KID. The bank takes money back. People match, unmatch, settle, repay, delete, credit, hold, hand over and reopen. Letters
// turn out to have left late, to have come back or to have failed, and are sent again.
//
// The judge knows the rows, and the days on which letters really left, which the world told the program. It reckons with an
// arithmetic of its own, by what is known in the end: what was taken before something was told is judged again afterwards. Package
// test/law judges each step on its day instead.
//
// All choices of a world follow from the seed and the number of the world.
package lives_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"runtime/debug"
	"strconv"
	"testing"

	"purr/test/testkit"
	"purr/test/testkit/house"
)

// The words of package house that tests use all the time.
var (
	moment = house.Moment
	must   = testkit.Must
	tag    = house.Tag
	kroner = house.Kroner
)

// The size of a world: so many creditors live for so many years.
const (
	creditors = 1
	years     = 2
	year      = 365
)

// worldsVariable names the environment variable that asks for another number of worlds, and for more customers of the firm.
const worldsVariable = "PURR_TEST_LIVES"

// TestMain makes the garbage collector run less often: the program is small here, and simulates many days.
func TestMain(m *testing.M) {
	if runLife() {
		os.Exit(1)
	}
	debug.SetGCPercent(800)
	os.Exit(m.Run())
}

// TestD94ToD98NobodyIsDunnedBeforeHisDay lets four worlds live for two years, or as many as PURR_TEST_LIVES says: the first one in
// four on MariaDB and Redis, the others by themselves (rules D94, D95, D96, D97, D98). Its -run may name the number of one world.
func TestD94ToD98NobodyIsDunnedBeforeHisDay(t *testing.T) {
	t.Parallel()
	worlds := 4
	if given := os.Getenv(worldsVariable); given != "" {
		var err error
		worlds, err = strconv.Atoi(given)
		must(t, err)
	}
	seed := testkit.Seed(t)
	for n := range worlds {
		setup := house.Setups[0]
		if n%4 == 0 {
			setup = house.Setups[1]
		}
		t.Run(fmt.Sprintf("%d %s", n+1, setup.Name), func(t *testing.T) {
			t.Parallel()
			newWorld(t, rand.New(rand.NewPCG(seed, uint64(n))), setup).live()
		})
	}
}
