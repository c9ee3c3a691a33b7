package api_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net/http"
	"strconv"
	"strings"
	"testing"

	"purr/models"
	"purr/store"
	"purr/test/testkit"
)

// follower reads the event list to its end, again and again, and goes on from the last ID each time.
type follower struct {
	in    *installation
	after int64
	seen  []string // the texts
}

func (f *follower) read(t *testing.T) {
	t.Helper()
	for {
		r := f.in.get("/api/v1/events?per_page=7&after=" + strconv.FormatInt(f.after, 10))
		r.is(t, http.StatusOK)
		events := r.xml(t).find("event")
		if len(events) == 0 {
			return
		}
		for _, e := range events {
			id, err := strconv.ParseInt(e.at("@id"), 10, 64)
			must(t, err)
			if id <= f.after {
				t.Errorf("event %d is listed after event %d", id, f.after)
			}
			f.after = id
			if text := e.at("text"); strings.HasPrefix(text, "Nr. ") {
				f.seen = append(f.seen, text)
			}
		}
	}
}

// TestO15WhoFollowsTheEventListSeesEveryEventOnce has transactions write events in one order and commit in another.
// After each commit two followers read on. A webhook gets the same events in the same order.
func TestO15WhoFollowsTheEventListSeesEveryEventOnce(t *testing.T) {
	t.Parallel()
	testkit.EachDatabase(t, func(t *testing.T, databaseURL string) {
		in := install(t, databaseURL, nil)
		const transactions, undone = 12, 5
		uri := in.make("/api/v1/webhooks", `<webhook><url>https://a.no</url><event_types><event_type>hold.set</event_type></event_types></webhook>`)
		eager, late := &follower{in: in}, &follower{in: in}
		eager.read(t)

		write := func(n int, tx *store.Tx) error {
			return tx.Log(t.Context(),
				models.Event{CreditorID: in.creditor.ID, Type: models.EventHoldSet, InvoiceID: int64(n + 1), Text: fmt.Sprintf("Nr. %d a", n)},
				models.Event{CreditorID: in.creditor.ID, Type: models.EventHoldSet, InvoiceID: int64(n + 1), Text: fmt.Sprintf("Nr. %d b", n)})
		}
		finish := make([]func() error, transactions)
		for n := range transactions {
			finish[n] = func() error {
				return in.db.InTx(t.Context(), func(_ context.Context, tx *store.Tx) error { return write(n, tx) })
			}
			if strings.HasPrefix(databaseURL, "mysql:") { // SQLite has one writer at a time, who commits before the next one writes
				finish[n] = heldOpen(t, in.db, func(tx *store.Tx) error { return write(n, tx) })
			}
		}
		var want []string
		for _, n := range rand.New(rand.NewPCG(15, 15)).Perm(transactions) {
			must(t, finish[n]())
			want = append(want, fmt.Sprintf("Nr. %d a", n), fmt.Sprintf("Nr. %d b", n))
			eager.read(t)
			if n == undone {
				late.read(t)
			}
		}
		late.read(t)
		for _, f := range []*follower{eager, late} {
			if got := strings.Join(f.seen, ", "); got != strings.Join(want, ", ") {
				t.Errorf("seen was %s\nwant     %s", got, strings.Join(want, ", "))
			}
		}
		last := int64(0)
		for _, d := range in.get(uri + "/deliveries").xml(t).find("webhook_delivery") {
			id, err := strconv.ParseInt(d.at("event_id"), 10, 64)
			must(t, err)
			if id <= last {
				t.Errorf("the webhook gets event %d after event %d", id, last)
			}
			last = id
			want = want[1:]
		}
		if len(want) > 0 {
			t.Errorf("the webhook does not get %d events", len(want))
		}
	})
}

// heldOpen has a transaction write, and returns what commits it.
func heldOpen(t *testing.T, db *store.DB, write func(tx *store.Tx) error) (commit func() error) {
	t.Helper()
	wrote, may, ended := make(chan struct{}), make(chan struct{}), make(chan error, 1)
	go func() {
		ended <- db.InTx(t.Context(), func(_ context.Context, tx *store.Tx) error {
			if err := write(tx); err != nil {
				return err
			}
			close(wrote)
			<-may
			return nil
		})
	}()
	select {
	case <-wrote:
	case err := <-ended:
		t.Fatal(err)
	}
	return func() error {
		close(may)
		return <-ended
	}
}
