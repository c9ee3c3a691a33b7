package jobs_test

import (
	"database/sql"
	"log/slog"
	"strings"
	"testing"

	"purr/internal/clock"
	"purr/jobs"
	"purr/models"
	"purr/store"
	"purr/test/testkit"
	"purr/test/testkit/rows"
	"purr/test/testkit/servers"
)

// beyondPlaceholders is more than a statement on SQLite can have parameters.
const beyondPlaceholders = 33_000

// TestD113TheSweepAsksForManyCreditorsAtOnce: no statement grows with their number. A creditor whose run is not begun is found among them,
// and the next sweeps ask for nobody.
func TestD113TheSweepAsksForManyCreditorsAtOnce(t *testing.T) {
	t.Parallel()
	testkit.EachDatabase(t, func(t *testing.T, databaseURL string) {
		t.Parallel()
		now := clock.NewTest(rows.Start)
		db := rows.Open(t, databaseURL).WithClock(now)
		bare, dialect := pastTheProgram(t, databaseURL)
		client := newRedis(t)
		log := slog.New(slog.DiscardHandler)
		s := &jobs.Scheduler{DB: db, Queue: jobs.NewQueue(client, log), Inbox: quietInbox{}, Bounces: quietInbox{}, Clock: now, Log: log}
		rows.Creditor(t, db)
		rows.ManyCreditors(t, bare, dialect, beyondPlaceholders, rows.Today)
		sweep := func(want int) {
			t.Helper()
			if n, err := s.Sweep(t.Context()); n != want || err != nil {
				t.Errorf("the sweep queued %d tasks, %v; want %d", n, err, want)
			}
		}
		sweep(0)
		var asked store.Queries
		if n, err := s.Sweep(asked.Counting(t.Context())); n != 0 || err != nil || asked.Count() > 20 {
			t.Errorf("an idle sweep queued %d with %d statements, %v", n, asked.Count(), err)
		}
		rows.Creditor(t, db)
		sweep(len(models.RunKinds))
		n := 0
		testkit.Must(t, db.EachCreditor(t.Context(), func(_ models.Creditor, unreadable error) error {
			n++
			return unreadable
		}))
		if n != beyondPlaceholders+1 {
			t.Errorf("there are %d creditors", n)
		}
	})
}

// pastTheProgram opens the database for statements that the program has not.
func pastTheProgram(t *testing.T, databaseURL string) (bare *sql.DB, dialect string) {
	t.Helper()
	var err error
	if path, is := strings.CutPrefix(databaseURL, "sqlite:"); is {
		dialect = "sqlite"
		bare, err = sql.Open("sqlite", strings.TrimPrefix(path, "//")+"?_pragma=busy_timeout(30000)")
	} else {
		dialect = "mysql"
		bare, err = servers.OpenMySQL(databaseURL)
	}
	testkit.Must(t, err)
	t.Cleanup(func() { testkit.Must(t, bare.Close()) })
	return bare, dialect
}
