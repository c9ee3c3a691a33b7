package api

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"purr/models"
)

// TestO7AllWorkOnARequestHasOneLimit lets a database fall silent after a request was admitted, and again when its refusal is
// to be kept.
func TestO7AllWorkOnARequestHasOneLimit(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		rq, began := &request{}, time.Now()
		slow := func(took time.Duration) func(context.Context) error {
			return func(ctx context.Context) error {
				select {
				case <-time.After(took):
					return nil
				case <-ctx.Done():
					return ctx.Err()
				}
			}
		}
		if err := rq.inTime(t.Context(), slow(6*time.Second)); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Minute) // the body comes slowly
		if err := rq.inTime(t.Context(), slow(8*time.Second)); err != nil {
			t.Fatal(err)
		}
		if err := rq.inTime(t.Context(), slow(time.Hour)); models.KindOf(err) != models.KindUnavailable {
			t.Errorf("the third piece of work: %v", err)
		}
		if took := time.Since(began); took != time.Minute+workLimit {
			t.Errorf("it took %s", took)
		}
	})
}
