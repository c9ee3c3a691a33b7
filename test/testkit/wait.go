package testkit

import (
	"context"
	"sync"
	"testing"
	"time"
)

// Patience is the longest that a test waits for a condition. A correct program needs a small part of it, even on a
// machine that is ten times slower than ours. Only a failing test waits for all of it.
const Patience = 5 * time.Minute

// Eventually tests the condition until it holds: every few milliseconds at first, and less often the longer it waits, for most
// conditions are questions to a busy program. If it never does, the test fails with the last state.
func Eventually(t testing.TB, what string, holds func() (ok bool, seen any)) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), Patience)
	defer cancel()
	pause := 5 * time.Millisecond
	for {
		ok, seen := holds()
		if ok {
			return
		}
		select {
		case <-time.After(pause):
			pause = min(pause+pause/20, 100*time.Millisecond)
		case <-ctx.Done():
			t.Fatalf("%s: did not happen; last seen: %v", what, seen)
		}
	}
}

// Await waits until something is told on the channel. If it never is, the test fails.
func Await[T any](t testing.TB, what string, told <-chan T) (said T) {
	t.Helper()
	select {
	case said = <-told:
	case <-time.After(Patience):
		t.Fatalf("%s: did not happen", what)
	}
	return said
}

// AtOnce runs all functions concurrently. None may fail.
func AtOnce(t testing.TB, all ...func() error) {
	t.Helper()
	var wg sync.WaitGroup
	start := make(chan struct{})
	for _, do := range all {
		wg.Go(func() {
			<-start
			if err := do(); err != nil {
				t.Error(err)
			}
		})
	}
	close(start)
	wg.Wait()
}
