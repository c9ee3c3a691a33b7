package e2e_test

import (
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"testing"
	"time"

	"purr/test/testkit"
	"purr/test/testkit/smtpserver"
)

// partKills are enough for Redis to be flushed twice and killed once. "make chaos" goes on killing.
const partKills = 15

// TestPartsAreKilledAndRedisIsFlushed runs two APIs, three workers and two schedulers on MariaDB and Redis, kills any
// of them at random points, flushes Redis in the middle and kills it too. Redis holds hints only: nothing
// is lost, and nothing is done twice (rules R2, D9, D18, E4, R5).
func TestPartsAreKilledAndRedisIsFlushed(t *testing.T) {
	t.Parallel()
	p := &parts{t: t, data: t.TempDir(), database: testkit.MySQL(t), redis: testkit.RedisServer(t), mails: smtpserver.Start(t), gate: newGate()}
	p.random = rand.New(rand.NewPCG(testkit.Seed(t), 0))
	ok(t, p.where(), "migrate")
	ok(t, p.where(), "creditor", "create", "--name", "Fjord Rør AS", "--bank-account", account, "--email", "post@fjord-ror.example")
	key := ok(t, p.where(), "keys", "create", "--creditor", "Fjord Rør AS")
	p.api = newClient(t, p.gate.url, key[:len(key)-1])
	for _, part := range []string{"scheduler", "scheduler", "worker", "worker", "worker", "api", "api"} {
		p.begin(part)
	}
	l := newLoad(t, p.api, p.random.Uint64(), filepath.Join(p.data, "inbox"))
	for _, work := range []func(*rand.Rand) error{l.issue, l.issue, l.issue, l.pay, l.credit, l.bank, l.read} {
		l.start(work)
	}
	flushes := 0
	for i := range kills(t, partKills) {
		l.await(1 + p.random.Int64N(30))
		switch i % 10 {
		case 4:
			p.redis.Flush()
			flushes++
		case 9:
			p.redis.Kill()
			l.await(1 + p.random.Int64N(10)) // the API does without
			p.redis.Start()
		}
		p.crash()
	}
	l.await(20)
	l.finish()
	p.restAndGoOn()

	b := books{t: t, api: p.api, db: openDatabase(t, p.database), data: p.data, where: p.where(), mails: p.mails, sent: p.sent}
	p.awaitAllDone(b)
	b.check(l)
	b.checkQueue()
	p.terminate()
	t.Logf("%d kills, %d flushes; %d answers, %d requests made again; %d invoices, %d bank lines",
		kills(t, partKills), flushes, l.answers.Load(), l.repeats.Load(), len(l.invoices), len(l.lines))
}

// parts is an installation that runs as separate processes.
type parts struct {
	t         *testing.T
	data      string
	database  string
	redis     *testkit.RedisProcess
	mails     *smtpserver.Server
	gate      *gate
	api       *client
	random    *rand.Rand
	processes []*part
	sent      sightings
}

type part struct {
	name string
	*process
}

func (p *parts) where() []string {
	return []string{"PURR_DATA=" + p.data, "PURR_DATABASE_URL=" + p.database, "PURR_REDIS_URL=" + p.redis.URL}
}

func (p *parts) begin(name string) {
	p.t.Helper()
	s := &part{name, begin(p.t, p.where(), name, "--listen", "127.0.0.1:0", "--smtp-url", p.mails.URL())}
	if name == "api" {
		p.gate.open(s.process, s.listening())
	}
	p.processes = append(p.processes, s)
}

// crash kills any of the processes, and starts another one in its place.
func (p *parts) crash() {
	p.t.Helper()
	<-time.After(time.Duration(p.random.Int64N(int64(50 * time.Millisecond))))
	i := p.random.IntN(len(p.processes))
	victim := p.processes[i]
	select {
	case <-victim.exited:
		p.t.Fatalf("purr %s ended by itself: %s", victim.name, victim.stderr.Tail())
	default:
	}
	victim.kill()
	p.gate.shut(victim.process)
	p.processes = append(p.processes[:i], p.processes[i+1:]...)
	db := openDatabase(p.t, p.database)
	p.sent.record(p.t, db, p.mails)
	must(p.t, db.Close())
	p.begin(victim.name)
}

// terminate asks all processes to end, as an operator does. All must end well (rule R4).
func (p *parts) terminate() {
	p.t.Helper()
	for _, s := range p.processes {
		p.gate.shut(s.process)
		equal(p.t, "exit code of purr "+s.name, s.terminate(), 0)
	}
	p.processes = nil
}

// restAndGoOn ends everything, and starts everything again on an empty Redis. What a dead worker had in hand goes on
// (rule S6).
func (p *parts) restAndGoOn() {
	p.t.Helper()
	p.terminate()
	p.redis.Flush()
	for _, name := range []string{"scheduler", "scheduler", "worker", "worker", "worker", "api"} {
		p.begin(name)
	}
}

// awaitAllDone waits until the rows owe nothing more.
func (p *parts) awaitAllDone(b books) {
	p.t.Helper()
	eventually(p.t, "everything that is owed", func() (bool, any) {
		owed := query(p.t, b.db, "SELECT (SELECT COUNT(*) FROM shipments WHERE state = 'owed'), "+
			"(SELECT COUNT(*) FROM payment_files WHERE state IN ('received', 'importing')), (SELECT COUNT(*) FROM runs WHERE state = 'started')")[0]
		inInbox := len(readFolder(p.t, filepath.Join(p.data, "inbox"))) + len(readFolder(p.t, filepath.Join(p.data, "inbox", "processing")))
		return owed == "0 0 0" && inInbox == 0, fmt.Sprintf("shipments, files, runs: %s; in the inbox %d", owed, inInbox)
	})
}
