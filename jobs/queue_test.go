package jobs

import (
	"fmt"
	"log/slog"
	"strings"
	"testing"

	"purr/jobs/tasks"
	"purr/models"
	"purr/test/testkit"
	"purr/test/testkit/forge"
	"purr/test/testkit/rows"
)

// TestO12ForgedTasksChangeNothing puts tasks into Redis that purr would never put there. Each is dropped with a line in
// the log, and no row is changed.
func TestO12ForgedTasksChangeNothing(t *testing.T) {
	eachOffice(t, func(t *testing.T, o *office) {
		logged := &testkit.Log{}
		o.worker.Log = slog.New(slog.NewTextHandler(logged, nil))
		c := rows.Creditor(t, o.db)
		o.work(t, 2)
		today := models.DateOf(o.clock.Now())
		for n, forged := range []struct{ kind, payload string }{
			{kindShip, `not JSON`},
			{kindShip, `{"CreditorID":"1"}`},
			{kindShip, `{"CreditorID":` + strings.Repeat("9", 100_000) + `}`},
			{kindCollect, fmt.Sprintf(`{"CreditorID":%d,"HandOverID":-7}`, c.ID)},
			{kindImport, `{"FileID":12345}`},
			{kindSuggest, `{"CreditorID":-1}`},
			{kindRun, fmt.Sprintf(`{"CreditorID":%d,"Kind":"dunning","Date":%d}`, c.ID, today+1)},
			{kindRun, fmt.Sprintf(`{"CreditorID":%d,"Kind":"laundry","Date":%d}`, c.ID, today)},
			{kindRun, fmt.Sprintf(`{"CreditorID":0,"Kind":"dunning","Date":%d}`, today)},
		} {
			forge.Task(t, o.redis, queueName, forged.kind, forged.payload)
			waitFor(t, "the task to be dropped: "+logged.String(), func() bool {
				return strings.Count(logged.String(), "a task was dropped") == n+1
			})
		}
		// A lane of shipments finds nothing to do, whatever it is.
		for _, payload := range []string{`{"CreditorID":-1}`, fmt.Sprintf(`{"CreditorID":%d,"Lane":-1}`, c.ID), fmt.Sprintf(`{"CreditorID":%d,"Lane":9223372036854775807}`, c.ID)} {
			forge.Task(t, o.redis, shipQueue, kindShip, payload)
		}
		waitFor(t, "the queue to be empty", func() bool {
			depth, err := o.queue.Depth(t.Context())
			return err == nil && depth == tasks.Depth{}
		})
		if len(logged.String()) > 20_000 {
			t.Error("the log repeats a huge payload")
		}
		if _, made, err := o.db.LastRun(t.Context(), c.ID, models.RunDunning, today+100); made || err != nil {
			t.Errorf("there is a run (%v)", err)
		}
		if sent := o.sent(t); len(sent) != 0 {
			t.Errorf("sent were %v", sent)
		}
	})
}

// TestK3ATaskOfAKindThatIsNotKnownWaits: a newer scheduler queues it while this worker is still there, and a newer worker does it.
func TestK3ATaskOfAKindThatIsNotKnownWaits(t *testing.T) {
	eachOffice(t, func(t *testing.T, o *office) {
		o.work(t, 2)
		forge.Task(t, o.redis, queueName, "laundry", `{}`)
		waitFor(t, "the task to wait for another try", func() bool {
			depth, err := o.queue.Depth(t.Context())
			return err == nil && depth.Retrying == 1
		})
	})
}
