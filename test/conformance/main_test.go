// Package conformance_test proves the interface rule by rule, as somebody who writes a client sees it: over
// HTTP, against the whole program, on the embedded default and on MySQL and Redis. It knows how the program is
// started and how a creditor gets a key, and nothing else of its inside; what it expects it reckons by itself.
//
// A test has in its name the rule that it proves, or the section of the description. docs/RULES.md is made
// from these names, and from those of all other tests.
package conformance_test

import (
	"context"
	"flag"
	"fmt"
	"os"
	"testing"
	"time"
)

// patience is how long a test waits for what must happen. What is right never needs all of it.
const patience = time.Minute

func TestMain(m *testing.M) {
	flag.Parse()
	// The tests that live through simulated days wait for one another, so all of them must be running.
	if err := flag.Set("test.parallel", "1000"); err != nil {
		panic(err)
	}
	for _, s := range setups {
		s.shared = newInstallation(s, beginning)
	}
	code := m.Run()
	for _, s := range setups {
		if err := s.shared.end(code != 0); err != nil {
			fmt.Fprintln(os.Stderr, s.name, "installation:", err)
			code = 1
		}
	}
	os.Exit(code)
}

// eventually polls until the condition holds, and fails the test with what it last saw.
func eventually(t *testing.T, what string, holds func() (ok bool, seen string)) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for {
		ok, seen := holds()
		if ok {
			return
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			t.Fatalf("%s: did not happen; last seen: %s", what, seen)
		}
	}
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
