package testkit

import (
	"context"
	"testing"
	"time"
)

// Patience is how long a test waits for what must happen. What is right needs a small part of it, also on a machine that
// is ten times as slow as ours; only a test that fails waits for all of it.
const Patience = 5 * time.Minute

// Eventually asks every few milliseconds until the condition holds. It fails the test with what was seen last.
func Eventually(t testing.TB, what string, holds func() (ok bool, seen any)) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), Patience)
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
