//go:build upgrade

package upgrade_test

import (
	"strings"
	"sync"
	"syscall"
	"testing"

	"purr/test/testkit"
)

// TestK3aAPartThatSleptThroughItWritesNothing: a part that is stopped holds --finish up for a minute. Then it counts as gone, and when it wakes it writes
// nothing, also not what it was asked while it slept, and ends with a sentence.
func TestK3aAPartThatSleptThroughItWritesNothing(t *testing.T) { eachKind(t, sleepThroughIt) }

func sleepThroughIt(t *testing.T, h *house) {
	var asleep []*process
	for _, kind := range []string{"api", "worker", "scheduler"} {
		asleep = append(asleep, h.begin(t, older, kind))
	}
	api := asleep[0].url()
	l := startLoad(t, h.key, 2, api)
	h.issues(l, "the older parts work", 20)
	newer.ok(t, h.where(), "migrate")
	old := h.parts(newer)
	for _, p := range asleep {
		p.signal(syscall.SIGSTOP)
	}
	h.holdsUp("while they are stopped", old...)
	testkit.Eventually(t, "the parts count as gone", func() (bool, any) { parts := h.parts(newer); return len(parts) == 0, parts })
	t.Log(newer.ok(t, h.where(), "migrate", "--finish"))
	const state = "SELECT (SELECT COUNT(*) FROM invoices) + (SELECT COUNT(*) FROM new_events) * 1000000 + (SELECT COALESCE(MAX(id), 0) FROM events) * 7 + (SELECT COUNT(*) FROM shipments WHERE state = 'sent') * 11"
	before, seen := h.ask(state), h.ask("SELECT CAST(UNIX_TIMESTAMP(MAX(seen_at)) AS SIGNED) FROM parts")
	for _, p := range asleep {
		p.signal(syscall.SIGCONT)
	}
	for _, p := range asleep {
		p.refused()
	}
	l.finish()
	if after := h.ask(state); after != before {
		t.Errorf("what woke has written: %d, before %d", after, before)
	}
	if after := h.ask("SELECT CAST(UNIX_TIMESTAMP(MAX(seen_at)) AS SIGNED) FROM parts"); after != seen {
		t.Errorf("what woke has beaten")
	}
	t.Logf("answers by status (0: none): %v", l.statuses)
}

// TestK3aAPartThatBeginsWhileTheGateIsRaised either holds --finish up, or ends with a sentence; never do both programs work after it.
func TestK3aAPartThatBeginsWhileTheGateIsRaised(t *testing.T) {
	h := open(t)
	newer.ok(t, h.where(), "migrate")
	finish := newer.command(h.where(), "migrate", "--finish")
	testkit.Must(t, finish.Start())
	testkit.Eventually(t, "the gate is raised", func() (bool, any) {
		raising := h.ask("SELECT COALESCE(MAX(raising), 0) FROM schema_gate")
		return raising == newer.schema, raising
	})
	code, said := older.run(h.where(), "worker")
	if code != 1 || !strings.Contains(said, "purr migrate --finish") {
		t.Errorf("a worker that begins just then ends with %d: %s", code, said)
	}
	testkit.Must(t, finish.Wait())
	older.begin(t, h.where(), "worker").refused()
}

// TestK3aAMigrationIsKilledAtEachStatement, before and after the server has it. It is made again.
func TestK3aAMigrationIsKilledAtEachStatement(t *testing.T) {
	for _, arguments := range [][]string{{"migrate"}, {"migrate", "--finish"}} {
		t.Run(strings.Join(arguments, " "), func(t *testing.T) {
			steps := killedAt(t, arguments, 0, false)
			const least = 3 // a version at least, and what the trial makes or takes away
			if steps < least {
				t.Fatalf("it has only %d statements", steps)
			}
			for at := 1; at <= steps; at++ {
				killedAt(t, arguments, at, false)
				killedAt(t, arguments, at, true)
			}
		})
	}
}

// killedAt kills a migration at a statement, with 0 at none, makes it again, and returns how many statements it had until then.
func killedAt(t *testing.T, arguments []string, at int, after bool) (steps int) {
	t.Helper()
	h := open(t)
	if len(arguments) > 1 {
		newer.ok(t, h.where(), "migrate")
	}
	w, database := newWire(t, h.database)
	killed := newer.command(append(h.where(), "PURR_DATABASE_URL="+database), arguments...)
	w.arm(at, after, func() { _ = killed.Process.Kill() })
	if err := killed.Run(); (err == nil) != (at == 0) {
		t.Errorf("%v, to be killed at statement %d, ended with %v", arguments, at, err)
	}
	steps = w.steps()
	newer.ok(t, h.where(), arguments...)
	if made := h.ask("SELECT MAX(version_id) FROM goose_db_version"); made != newer.schema {
		t.Errorf("killed at statement %d of %v the schema is %d", at, arguments, made)
	}
	newer.ok(t, h.where(), "verify")
	t.Logf("%v, killed at statement %d (the server had it: %t), is made again", arguments, at, after)
	return steps
}

// TestK3aTwoMigrationsAtOnce wait for each other.
func TestK3aTwoMigrationsAtOnce(t *testing.T) {
	h := open(t)
	for _, arguments := range [][]string{{"migrate"}, {"migrate", "--finish"}} {
		var both sync.WaitGroup
		for range 2 {
			both.Go(func() {
				if code, said := newer.run(h.where(), arguments...); code != 0 {
					t.Errorf("%v ended with %d: %s", arguments, code, said)
				}
			})
		}
		both.Wait()
	}
}

// TestK3aTwoSchemasApart: a program two schemas behind is refused, and the schema goes no two ahead of a part that lives.
func TestK3aTwoSchemasApart(t *testing.T) {
	h := open(t)
	worker := older.begin(t, h.where(), "worker")
	worker.url()
	code, said := newest.run(h.where(), "migrate")
	if code != 1 || !strings.Contains(said, h.parts(older)[0].ID) {
		t.Errorf("two schemas ahead of a part that lives, migrate ends with %d: %s", code, said)
	}
	worker.end()
	newest.ok(t, h.where(), "migrate")
	for _, arguments := range [][]string{{"worker"}, {"migrate"}, {"keys", "list"}} {
		if code, said := older.run(h.where(), arguments...); code != 1 || !strings.Contains(said, "install the newer program") {
			t.Errorf("purr %v two schemas behind ends with %d: %s", arguments, code, said)
		}
	}
	begun := newer.begin(t, h.where(), "worker")
	begun.url()
	begun.end()
}
