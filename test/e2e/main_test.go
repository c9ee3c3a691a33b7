// Package e2e_test runs the whole program and looks at it from outside: through the API, the command line,
// the folders, the mail server. Its tests are named after the flows of ARCHITECTURE.md and the rules of
// the interface. The database is opened behind the program's back only to prove what the API cannot show,
// or to play the years between two versions.
package e2e_test

import (
	"context"
	"fmt"
	"os"
	"testing"
	"time"
)

// patience is how long a test waits for what must happen. A loaded machine may need some of it; what is
// right never needs all.
const patience = 3 * time.Minute

func TestMain(m *testing.M) {
	code := m.Run()
	if err := removeBinary(); err != nil {
		fmt.Fprintln(os.Stderr, "e2e:", err)
		code = 1
	}
	os.Exit(code)
}

// eventually polls until the condition holds, and fails the test with what it last said.
func eventually(t *testing.T, what string, holds func() (ok bool, seen any)) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	for {
		ok, seen := holds()
		if ok {
			return
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			t.Fatalf("%s: did not happen; last seen: %v", what, seen)
		}
	}
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func equal[T comparable](t *testing.T, what string, got, want T) {
	t.Helper()
	if got != want {
		t.Errorf("%s is %v, want %v", what, got, want)
	}
}
