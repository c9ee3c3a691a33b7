package asked_test

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"

	"purr/audit/asked"
	"purr/dunning"
	"purr/law"
	"purr/models"
	"purr/store"
	"purr/test/testkit"
	"purr/test/testkit/rows"
)

var must = testkit.Must

// world is a creditor who has reminded of five invoices, and has charged 3.00 too much on two of them.
type world struct {
	testing.TB

	db       *store.DB
	creditor models.Creditor
	invoices []models.Invoice
}

func newWorld(t *testing.T, databaseURL string) *world {
	t.Helper()
	w := &world{TB: t, db: rows.Open(t, databaseURL)}
	w.creditor = rows.Creditor(t, w.db)
	for range 5 {
		w.invoices = append(w.invoices, rows.Invoice(t, w.db, w.creditor))
	}
	rows.Send(t, w.db, w.creditor)
	w.db = rows.On(w.db, rows.Today+30)
	for n, i := range w.invoices {
		var notice models.Notice
		rows.Write(t, w.db, func(tx *store.Tx) (err error) {
			notice, err = dunning.IssueNotice(t.Context(), tx, law.Default(), w.creditor, i.ID, dunning.Request{Actor: "Kari", AddFee: true, AddInterest: true})
			return err
		})
		if n == 1 || n == 3 {
			rows.Overcharge(t, databaseURL, notice.ID)
		}
	}
	return w
}

// start starts an audit.
func (w *world) start(r asked.Request) models.Audit {
	w.Helper()
	var a models.Audit
	rows.Write(w, w.db, func(tx *store.Tx) (err error) {
		a, err = asked.Start(w.Context(), tx, w.creditor.ID, r)
		return err
	})
	return a
}

// refused is why an audit is not started.
func (w *world) refused(creditorID int64, r asked.Request) string {
	w.Helper()
	return rows.Faults(w.db.InTx(w.Context(), func(ctx context.Context, tx *store.Tx) error {
		_, err := asked.Start(ctx, tx, creditorID, r)
		return err
	}))
}

// state is all that there is to see of an audit, but its own ID.
func (w *world) state(id int64) string {
	w.Helper()
	a, err := w.db.Audit(w.Context(), w.creditor.ID, id)
	must(w, err)
	found, err := w.db.AuditFindingsAfter(w.Context(), w.creditor.ID, id, 0, 100)
	must(w, err)
	var b strings.Builder
	fmt.Fprintf(&b, "%s %d of %d letters, %d checks of %d kinds, %d unknown, %d findings, %s back, done %v\n", a.State, a.Letters, a.InAll, a.Checks, len(a.Kinds), a.Unknown, a.Findings, a.Back, a.DoneAt != nil)
	for _, f := range found {
		fmt.Fprintf(&b, "%s %s %d %d %d %s %s %s\n", f.Class, f.Code, f.CustomerID, f.Invoice, f.NoticeID, f.Expected, f.Found, f.Back())
	}
	return b.String()
}

// TestU5AnAuditThatIsBrokenOffGoesOn: an audit that is done by another after some of its invoices, or by two at the same time, is the one that is
// done at once, and has nothing twice.
func TestU5AnAuditThatIsBrokenOffGoesOn(t *testing.T) {
	t.Parallel()
	testkit.EachDatabase(t, func(t *testing.T, databaseURL string) {
		w := newWorld(t, databaseURL)
		whole := w.start(asked.Request{Actor: "Kari"})
		must(t, asked.Do(t.Context(), w.db, law.Default(), w.creditor.ID, whole.ID))
		want := w.state(whole.ID)
		if !strings.HasPrefix(want, "done 5 of 5 letters, ") || !strings.Contains(want, " 6 findings, 6.00 back, done true") || strings.Count(want, "law fee_above_cap") != 2 {
			t.Fatalf("it is\n%s", want)
		}

		broken := w.start(asked.Request{})
		for range 3 {
			a, err := w.db.Audit(t.Context(), w.creditor.ID, broken.ID)
			must(t, err)
			after, err := asked.Step(t.Context(), w.db, law.Default(), a, 1)
			must(t, err)
			again, err := asked.Step(t.Context(), w.db, law.Default(), a, 1) // another who was as far
			must(t, err)
			if again.LastID != after.LastID || again.Findings != after.Findings {
				t.Errorf("a part that was done twice is kept twice: %+v, then %+v", after, again)
			}
		}
		if got := w.state(broken.ID); !strings.HasPrefix(got, "running 3 of 5 letters, ") || strings.Count(got, "fee_above_cap") != 1 {
			t.Errorf("after three invoices it is\n%s", got)
		}
		gone, stop := context.WithCancel(t.Context())
		stop()
		if err := asked.Do(gone, w.db, law.Default(), w.creditor.ID, broken.ID); err == nil {
			t.Error("it is done by a worker who is stopped")
		}
		must(t, asked.Do(t.Context(), w.db, law.Default(), w.creditor.ID, broken.ID))
		if got := w.state(broken.ID); got != want {
			t.Errorf("an audit that was broken off is\n%s\nwant\n%s", got, want)
		}

		both := w.start(asked.Request{})
		var doing sync.WaitGroup
		for range 2 {
			doing.Go(func() {
				if err := asked.DoSome(t.Context(), w.db, law.Default(), w.creditor.ID, both.ID, 1); err != nil {
					t.Error(err)
				}
			})
		}
		doing.Wait()
		if got := w.state(both.ID); got != want {
			t.Errorf("an audit that two did is\n%s\nwant\n%s", got, want)
		}
	})
}

// TestU12OneAuditAtATime: who may start which.
func TestU12OneAuditAtATime(t *testing.T) {
	t.Parallel()
	testkit.EachDatabase(t, func(t *testing.T, databaseURL string) {
		w := newWorld(t, databaseURL)
		other := rows.Creditor(t, w.db)
		theirs := rows.Customer(t, w.db, other)
		for _, test := range []struct {
			of   int64
			r    asked.Request
			want string
		}{
			{w.creditor.ID, asked.Request{From: rows.Today + 1, To: rows.Today}, "to invalid_period"},
			{w.creditor.ID, asked.Request{CustomerID: theirs.ID}, "customer_id not_found"},
			{w.creditor.ID, asked.Request{CustomerID: 1 << 40}, "customer_id not_found"},
		} {
			if got := w.refused(test.of, test.r); got != test.want {
				t.Errorf("%+v: %q, want %s", test.r, got, test.want)
			}
		}
		one := w.start(asked.Request{CustomerID: w.invoices[1].CustomerID, From: rows.Today + 30, To: rows.Today + 30})
		if one.InAll != 1 {
			t.Errorf("there are %d letters in it", one.InAll)
		}
		if got := w.refused(w.creditor.ID, asked.Request{}); !strings.Contains(got, "audit_running") {
			t.Errorf("a second one: %q", got)
		}
		if got := w.refused(other.ID, asked.Request{}); got != "" {
			t.Errorf("one of another creditor's: %q", got)
		}
		must(t, asked.Do(t.Context(), w.db, law.Default(), w.creditor.ID, one.ID))
		if got := w.state(one.ID); !strings.Contains(got, "done 1 of 1 letters") || strings.Count(got, "fee_above_cap") != 1 {
			t.Errorf("it is\n%s", got)
		}
		before := w.start(asked.Request{To: rows.Today + 29})
		must(t, asked.Do(t.Context(), w.db, law.Default(), w.creditor.ID, before.ID))
		if got := w.state(before.ID); !strings.HasPrefix(got, "done 0 of 0 letters, ") {
			t.Errorf("of the days before it is\n%s", got)
		}
	})
}

// TestU5AnAuditThatCannotBeDoneFails: it says why, and the next one may begin.
func TestU5AnAuditThatCannotBeDoneFails(t *testing.T) {
	t.Parallel()
	testkit.EachDatabase(t, func(t *testing.T, databaseURL string) {
		w := newWorld(t, databaseURL)
		a := w.start(asked.Request{})
		w.creditor.TimeZone = "Nowhere/At_All"
		rows.Write(t, w.db, func(tx *store.Tx) error { return tx.UpdateCreditor(t.Context(), &w.creditor) })
		if err := asked.Do(t.Context(), w.db, law.Default(), w.creditor.ID, a.ID); err == nil {
			t.Error("it is done")
		}
		a, err := w.db.Audit(t.Context(), w.creditor.ID, a.ID)
		must(t, err)
		if a.State != models.AuditFailed || a.Failure == "" || a.DoneAt == nil {
			t.Errorf("it is %+v", a)
		}
		w.start(asked.Request{})
	})
}
