package jobs

import (
	"slices"
	"strings"
	"testing"

	"purr/test/testkit"
	"purr/test/testkit/rows"
)

// TestS6EveryTableWhoseRowsAreTakenBelongsToAKind: what a dead worker has taken is free again, and what a clock has put off is taken up,
// in every table that has the column for it.
func TestS6EveryTableWhoseRowsAreTakenBelongsToAKind(t *testing.T) {
	t.Parallel()
	testkit.EachDatabase(t, func(t *testing.T, databaseURL string) {
		db := rows.Open(t, databaseURL)
		taken := rows.TablesWith(t, databaseURL, "taken_by")
		var known []string
		for _, l := range leasedRows() {
			known = append(known, l.Table)
			if _, _, err := db.NextAttempt(t.Context(), l); err != nil {
				t.Errorf("when the next of %s is due: %v", l.Table, err)
			}
			if l.Name == "" || l.Words == "" {
				t.Errorf("%s have no name", l.Table)
			}
		}
		slices.Sort(known)
		if len(taken) == 0 || !slices.Equal(taken, known) {
			t.Errorf("rows are taken in the tables %s, and kinds of work say so of %s: give the kind its rows (store.Leased)", strings.Join(taken, ", "), strings.Join(known, ", "))
		}
	})
}

// TestEachKindOfWorkIsWhole: each has its own name, a queue that a worker serves, and what is done and found of it.
func TestEachKindOfWorkIsWhole(t *testing.T) {
	t.Parallel()
	names := map[string]bool{}
	for _, k := range kinds() {
		if names[k.name] || !slices.Contains(queues, k.queue) || k.within <= 0 || k.do == nil || k.due == nil {
			t.Errorf("the kind %q has no name of its own, or lacks its queue, limit, handler, or how it is found", k.name)
		}
		names[k.name] = true
	}
	for _, h := range handsFor(1) {
		if !slices.Contains(queues, h.Queue) || h.Most < 1 {
			t.Errorf("%d hands serve %s", h.Most, h.Queue)
		}
	}
	if len(handsFor(1)) != len(queues) {
		t.Errorf("%d queues are served of %v", len(handsFor(1)), queues)
	}
}
