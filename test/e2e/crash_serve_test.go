//go:build whole

package e2e_test

import (
	"math/rand/v2"
	"path/filepath"
	"testing"
	"time"

	"purr/test/testkit"
	"purr/test/testkit/smtpserver"
)

// serveKills lets so many days pass that the first invoices are handed over.
const serveKills = 30

// TestServeIsKilledAtAnyMoment kills purr serve at random points, also while it starts, under clients that
// invoice, pay, credit, agree on payment plans, deliver bank files and let days pass. What they were answered is there once, what is
// owed gets done once, and the books add up (rules R1, D9, D18, D33, E4, E6f).
func TestServeIsKilledAtAnyMoment(t *testing.T) {
	t.Parallel()
	s := &served{t: t, data: t.TempDir(), mails: smtpserver.Start(t), gate: newGate()}
	s.random = rand.New(rand.NewPCG(testkit.Seed(t), 0))
	ok(t, s.where(), "migrate")
	ok(t, s.where(), "creditor", "create", "--name", "Fjord Rør AS", "--bank-account", account, "--email", "post@fjord-ror.example",
		"--organisation-number", "974760673", "--address1", "Kaigaten 1", "--postal-code", "5003", "--postal-name", "Bergen", "--dunning")
	key := ok(t, s.where(), "keys", "create", "--creditor", "Fjord Rør AS", "--scope", "admin")
	s.api = newClient(t, s.gate.url, key[:len(key)-1])
	s.begin()
	s.api.Put("/api/v1/creditor", policyBody("<first_notice_days>1</first_notice_days><second_notice_days>1</second_notice_days>"+
		"<hand_over_days>1</hand_over_days><require_payment_file>0</require_payment_file><weekdays_only>0</weekdays_only>")).Shown()

	l := newLoad(t, s.api, s.random.Uint64(), filepath.Join(s.data, "inbox"))
	now := start
	for _, work := range []func(*rand.Rand) error{l.issue, l.issue, l.pay, l.credit, l.bank, l.read, l.plan} {
		l.start(work)
	}
	l.moveClock(&now)
	for i := range kills(t, serveKills) {
		if i%3 == 0 {
			l.awaitMove()
		} else {
			l.await(1 + s.random.Int64N(30))
		}
		s.crash()
	}
	l.await(50)
	l.finish()

	s.api.MoveClock(now.Add(10 * time.Minute)) // pauses between attempts
	b := books{t: t, api: s.api, db: openDatabase(t, "sqlite:"+filepath.Join(s.data, "purr.db")), data: s.data, where: s.where(), mails: s.mails, sent: s.sent}
	b.check(l)
	b.checkDays(start, now)
	b.checkCollection()
	b.checkQueue()
	equal(t, "exit code of the last one", s.process.terminate(), 0)
	t.Logf("%d kills; %d answers, %d requests made again; %d invoices, %d bank lines, days until %s",
		kills(t, serveKills), l.answers.Load(), l.repeats.Load(), len(l.invoices), len(l.lines), now.Format(time.DateOnly))
}

// served is an installation on which purr serve runs, is killed and is started again.
type served struct {
	t       *testing.T
	data    string
	mails   *smtpserver.Server
	gate    *gate
	api     *client
	random  *rand.Rand
	process *process
	sent    sightings
}

func (s *served) where() []string { return []string{"PURR_DATA=" + s.data} }

func (s *served) launch() {
	s.process = begin(s.t, s.where(), "serve", "--listen", "127.0.0.1:0", "--test-clock", start.Format(time.RFC3339), "--smtp-url", s.mails.URL())
}

func (s *served) begin() {
	s.launch()
	s.gate.open(s.process, s.process.listening())
}

// crash kills the process, and starts it again; now and then that start is killed too.
func (s *served) crash() {
	s.t.Helper()
	s.pause(50 * time.Millisecond)
	select {
	case <-s.process.exited:
		s.t.Fatalf("purr serve ended by itself: %s", s.process.stderr.Tail())
	default:
	}
	s.process.kill()
	s.gate.shut(s.process)
	db := openDatabase(s.t, "sqlite:"+filepath.Join(s.data, "purr.db"))
	s.sent.record(s.t, db, s.mails)
	must(s.t, db.Close())
	if s.random.IntN(5) == 0 {
		s.launch()
		s.pause(300 * time.Millisecond)
		s.process.kill()
	}
	s.begin()
}

// pause waits for a random while, so that a kill hits any point.
func (s *served) pause(most time.Duration) { <-time.After(time.Duration(s.random.Int64N(int64(most)))) }
