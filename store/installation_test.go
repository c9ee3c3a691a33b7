package store_test

import (
	"sync"
	"testing"

	"purr/store"
	"purr/test/testkit"
	"purr/test/testkit/rows"
)

func TestS3aAllProcessesGetOneKey(t *testing.T) {
	t.Parallel()
	testkit.EachDatabase(t, func(t *testing.T, databaseURL string) {
		t.Parallel()
		db, other := rows.Open(t, databaseURL), rows.Open(t, databaseURL)
		var asking sync.WaitGroup
		keys := make([]string, 8)
		for i := range keys {
			asking.Go(func() {
				var err error
				if keys[i], err = []*store.DB{db, other}[i%2].BounceKey(t.Context()); err != nil {
					t.Error(err)
				}
			})
		}
		asking.Wait()
		for _, key := range keys {
			if key == "" || key != keys[0] {
				t.Errorf("the keys are %q", keys)
			}
		}
	})
}
