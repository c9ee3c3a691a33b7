package testkit

import (
	"flag"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"testing"
)

// seedVariable names the environment variable that fixes random choices. Package rapid reads it too.
const seedVariable = "RAPID_SEED"

// Seed returns the seed of a test's random choices: RAPID_SEED, or another number each time if that is 0 or not set.
func Seed(t testing.TB) uint64 {
	t.Helper()
	var seed uint64
	if given := os.Getenv(seedVariable); given != "" {
		var err error
		if seed, err = strconv.ParseUint(given, 0, 64); err != nil {
			t.Fatalf("%s: %v", seedVariable, err)
		}
	}
	if seed == 0 {
		seed = rand.Uint64()
	}
	t.Logf("%s=%d repeats the choices of this run", seedVariable, seed)
	return seed
}

// Tries sets how many tries rapid makes in the test, and how many steps on average (0 for rapid's default). A given
// flag or variable of rapid overrides it.
func Tries(t testing.TB, tries, steps int) {
	t.Helper()
	setRapid(t, "checks", tries)
	if steps > 0 {
		setRapid(t, "steps", steps)
	}
}

// Share has rapid make a third of its hundred tries in the test, or all if the whole is wanted. It is for what needs no more to be
// found, and costs much: acts and reads of a database, large files.
func Share(t testing.TB) {
	t.Helper()
	if !Whole {
		Tries(t, 33, 0)
	}
}

func setRapid(t testing.TB, name string, value int) {
	t.Helper()
	f := flag.Lookup("rapid." + name)
	if f == nil {
		t.Fatalf("the package does not use rapid")
	}
	given := f.Value.String()
	if given != f.DefValue || os.Getenv("RAPID_"+strings.ToUpper(name)) != "" {
		return
	}
	if err := f.Value.Set(strconv.Itoa(value)); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = f.Value.Set(given) })
}
