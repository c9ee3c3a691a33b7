//go:build chaos

package chaos_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"purr/test/testkit"
	"purr/test/testkit/smtpserver"
)

// fault is one thing that goes wrong in a round.
type fault struct {
	kind  *faultKind
	at    time.Duration // after the load began
	lasts time.Duration
	who   int // which part, for faults of one part; connections of all parts fail together if it is negative
}

func (f fault) String() string {
	return fmt.Sprintf("%s at %s for %s (%d)", f.kind.name, f.at.Round(time.Millisecond), f.lasts.Round(time.Millisecond), f.who)
}

// faultKind is a way in which things go wrong. Its function begins the fault, waits while it lasts, and puts all back.
type faultKind struct {
	name    string
	weight  int // how often it is drawn, against the others
	least   time.Duration
	most    time.Duration
	servers bool   // it needs MariaDB and Redis
	on      string // what it happens to: two faults of the same do not overlap
	do      func(*round, fault)
}

var faultKinds = []*faultKind{
	{"kill", 12, 0, 500 * time.Millisecond, false, "part", (*round).killPart},
	{"stop", 6, 100 * time.Millisecond, 4 * time.Second, false, "part", (*round).stopPart},
	{"term", 5, 0, 100 * time.Millisecond, false, "part", (*round).terminatePart},
	{"clocks", 3, 0, 0, true, "clocks", func(*round, fault) {}}, // those of workers and schedulers, from their start on

	{"db-kill", 5, 0, 2 * time.Second, true, "mariadb", (*round).killDatabase},
	{"db-stop", 4, 200 * time.Millisecond, 5 * time.Second, true, "mariadb", (*round).stopDatabase},
	{"db-lock", 4, 200 * time.Millisecond, 4 * time.Second, false, "mariadb", (*round).lockDatabase},
	{"db-kick", 4, 0, 2 * time.Second, true, "mariadb", (*round).kickConnections},
	{"db-refuse", 4, 200 * time.Millisecond, 4 * time.Second, true, "database net", network(database, proxyState{refuse: true}, true)},
	{"db-hole", 4, 200 * time.Millisecond, 5 * time.Second, true, "database net", network(database, proxyState{silent: true}, false)},
	{"db-dead", 4, 200 * time.Millisecond, 5 * time.Second, true, "database net", network(database, proxyState{silent: true}, true)},
	{"db-slow", 3, time.Second, 4 * time.Second, true, "database net", network(database, proxyState{delay: 100 * time.Millisecond}, false)},
	{"db-reset", 4, 100 * time.Millisecond, time.Second, true, "database net", network(database, proxyState{cut: true}, false)},
	{"db-desert", 3, 500 * time.Millisecond, 4 * time.Second, true, "database net", (*round).desertDatabase},
	{"db-long-hole", 1, 22 * time.Second, 30 * time.Second, true, "database net", network(database, proxyState{silent: true}, true)},
	{"db-away", 1, 55 * time.Second, 80 * time.Second, true, "database net", network(database, proxyState{refuse: true}, true)},

	{"redis-kill", 4, 0, 3 * time.Second, true, "redis", (*round).killRedis},
	{"redis-flush", 4, 0, 0, true, "redis", (*round).flushRedis},
	{"redis-full", 4, 500 * time.Millisecond, 4 * time.Second, true, "redis", (*round).fillRedis},
	{"redis-stop", 3, 200 * time.Millisecond, 4 * time.Second, true, "redis", (*round).stopRedis},
	{"redis-refuse", 3, 200 * time.Millisecond, 4 * time.Second, true, "redis net", network(queue, proxyState{refuse: true}, true)},
	{"redis-hole", 3, 200 * time.Millisecond, 5 * time.Second, true, "redis net", network(queue, proxyState{silent: true}, true)},
	{"redis-slow", 2, time.Second, 4 * time.Second, true, "redis net", network(queue, proxyState{delay: 100 * time.Millisecond}, false)},
	{"redis-reset", 3, 100 * time.Millisecond, time.Second, true, "redis net", network(queue, proxyState{cut: true}, false)},

	{"s3-kill", 8, 0, 3 * time.Second, false, "s3", (*round).killStorage},
	{"s3-stop", 6, 200 * time.Millisecond, 5 * time.Second, false, "s3", (*round).stopStorage},
	{"s3-refuse", 5, 200 * time.Millisecond, 4 * time.Second, false, "s3 net", network(storage, proxyState{refuse: true}, true)},
	{"s3-hole", 5, 200 * time.Millisecond, 5 * time.Second, false, "s3 net", network(storage, proxyState{silent: true}, true)},
	{"s3-slow", 4, time.Second, 4 * time.Second, false, "s3 net", network(storage, proxyState{delay: 100 * time.Millisecond}, false)},
	{"s3-reset", 6, 100 * time.Millisecond, time.Second, false, "s3 net", network(storage, proxyState{cut: true}, false)},

	{"smtp-4xx", 4, 200 * time.Millisecond, 3 * time.Second, false, "smtp", (*round).refuseMail},
	{"smtp-relay", 4, 200 * time.Millisecond, 3 * time.Second, false, "smtp", (*round).refuseRelaying},
	{"smtp-cut", 4, 200 * time.Millisecond, 3 * time.Second, false, "smtp", (*round).cutMail},
	{"smtp-bye", 2, 200 * time.Millisecond, 3 * time.Second, false, "smtp", (*round).cutAfterMail},
	{"smtp-slow", 4, 200 * time.Millisecond, 4 * time.Second, false, "smtp", (*round).slowMail},
	{"receipts-late", 3, 500 * time.Millisecond, 3 * time.Second, false, "receipts", (*round).tellLate},
	{"hook-500", 2, 500 * time.Millisecond, 3 * time.Second, false, "hook", (*round).failWebhooks},
	{"hook-slow", 2, 500 * time.Millisecond, 4 * time.Second, false, "hook", (*round).hangWebhooks},

	{"disk-full", 4, 500 * time.Millisecond, 4 * time.Second, false, "disk", (*round).fillDisk},
}

// chosenKinds returns the kinds that the arguments allow and the round can have.
func (r *round) chosenKinds(t *testing.T) []*faultKind {
	t.Helper()
	var chosen []*faultKind
	names := strings.Split(*only, ",")
	for _, k := range faultKinds {
		if r.suits(k) {
			if *only == "" || slices.Contains(names, k.name) {
				chosen = append(chosen, k)
			}
		}
		names = slices.DeleteFunc(names, func(n string) bool { return n == k.name })
	}
	if *only != "" && *only != "none" && len(names) > 0 {
		t.Fatalf("there are no faults called %s", strings.Join(names, ", "))
	}
	return chosen
}

// drawPlan draws the faults of a round.
func drawPlan(r *rand.Rand, kinds []*faultKind, parts int) []fault {
	sum := 0
	for _, k := range kinds {
		sum += k.weight
	}
	var plan []fault
	if sum == 0 {
		return plan
	}
	for range 2 + r.IntN(3) {
		at := r.IntN(sum)
		i := 0
		for ; at >= kinds[i].weight; i++ {
			at -= kinds[i].weight
		}
		k := kinds[i]
		f := fault{kind: k, at: 200*time.Millisecond + time.Duration(r.Int64N(int64(3*time.Second))), who: r.IntN(parts)}
		f.lasts = k.least + time.Duration(r.Int64N(int64(k.most-k.least)+1))
		if k.on != "part" && r.IntN(3) > 0 {
			f.who = -1
		}
		plan = append(plan, f)
	}
	return plan
}

// suffer lets the faults of the plan happen, and returns when all are put back.
func (r *round) suffer() {
	var faults sync.WaitGroup
	for _, f := range r.plan {
		r.world.tally.add(f.kind.name, 1)
		faults.Go(func() {
			<-time.After(f.at)
			on := f.kind.on
			if on == "part" {
				on = r.parts[f.who].name
			}
			lock := r.lockOf(on)
			lock.Lock()
			defer lock.Unlock()
			r.note("%s begins", f)
			f.kind.do(r, f)
			r.note("%s is over", f)
		})
	}
	faults.Wait()
}

func (r *round) killPart(f fault) {
	p := r.parts[f.who]
	if p.sends() {
		r.mu.Lock()
		r.kills = append(r.kills, death{at: time.Now(), alive: r.answered})
		r.mu.Unlock()
	}
	p.kill()
	<-time.After(f.lasts)
}

func (r *round) stopPart(f fault) {
	p := r.parts[f.who]
	p.signal(syscall.SIGSTOP)
	<-time.After(f.lasts)
	p.signal(syscall.SIGCONT)
}

func (r *round) terminatePart(f fault) { r.parts[f.who].terminate() }

func (r *round) killDatabase(f fault) {
	r.world.mariadb.Kill()
	<-time.After(f.lasts)
	if err := r.world.mariadb.Start(context.Background()); err != nil {
		r.t.Errorf("MariaDB does not start again: %v", err)
	}
}

func (r *round) stopDatabase(f fault) {
	_ = r.world.mariadb.Signal(syscall.SIGSTOP)
	<-time.After(f.lasts)
	_ = r.world.mariadb.Signal(syscall.SIGCONT)
}

// lockDatabase lets another program lock the whole database against writers, as a careless backup does.
func (r *round) lockDatabase(f fault) {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	conn, err := r.db.Conn(ctx)
	if err != nil {
		return // MariaDB is away
	}
	defer conn.Close()
	lock, unlock := "FLUSH TABLES WITH READ LOCK", "UNLOCK TABLES"
	if !r.setup.servers() {
		lock, unlock = "BEGIN EXCLUSIVE", "ROLLBACK"
	}
	if r.setup.servers() {
		_, _ = conn.ExecContext(ctx, "SET lock_wait_timeout = 5") // seconds; where it fails, so does the next statement
	}
	if _, err := conn.ExecContext(ctx, lock); err != nil {
		r.note("lock the database: %v", err)
		return
	}
	<-time.After(f.lasts)
	_, _ = conn.ExecContext(ctx, unlock) // the end of the connection unlocks too
}

// kickConnections ends connections inside of MariaDB, over and over.
func (r *round) kickConnections(f fault) {
	for until := time.Now().Add(f.lasts); time.Now().Before(until); <-time.After(100 * time.Millisecond) {
		for _, id := range r.query("SELECT id FROM information_schema.processlist WHERE db = DATABASE() AND id <> CONNECTION_ID() AND id % 3 = 0") {
			_, _ = r.db.ExecContext(context.Background(), "KILL "+id) // it may be gone
		}
	}
}

// network returns a fault of the connections of one part, or of all, to a server. At its end all of them may be reset.
func network(of func(*part) *proxy, s proxyState, reset bool) func(*round, fault) {
	return func(r *round, f fault) {
		proxies := r.proxies(f, of)
		for _, p := range proxies {
			p.set(s)
			if s.refuse {
				p.reset()
			}
		}
		<-time.After(f.lasts)
		for _, p := range proxies {
			if reset {
				p.reset()
			}
			p.set(proxyState{})
		}
	}
}

func database(p *part) *proxy { return p.database }
func queue(p *part) *proxy    { return p.redis }

func (r *round) proxies(f fault, of func(*part) *proxy) []*proxy {
	if f.who >= 0 {
		return []*proxy{of(r.parts[f.who])}
	}
	var all []*proxy
	for _, p := range r.parts {
		all = append(all, of(p))
	}
	return all
}

// desertDatabase lets clients of the database vanish without a word, whatever they hold locked. They stay so until the
// round is over.
func (r *round) desertDatabase(f fault) {
	for _, p := range r.proxies(f, database) {
		r.atEnd(p.desert())
	}
}

func (r *round) killRedis(f fault) {
	r.world.redis.Kill()
	<-time.After(f.lasts)
	if err := r.world.redis.Start(context.Background()); err != nil {
		r.t.Errorf("Redis does not start again: %v", err)
	}
}

func (r *round) redisDo(command ...any) {
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	if err := r.world.redisDo(ctx, command...); err != nil {
		r.note("redis %v: %v", command, err)
	}
}

func (r *round) flushRedis(fault) { r.redisDo("FLUSHALL") }

func (r *round) fillRedis(f fault) {
	r.redisDo("CONFIG", "SET", "maxmemory", "1")
	<-time.After(f.lasts)
	r.redisDo("CONFIG", "SET", "maxmemory", "0")
}

func (r *round) stopRedis(f fault) {
	_ = r.world.redis.Signal(syscall.SIGSTOP)
	<-time.After(f.lasts)
	_ = r.world.redis.Signal(syscall.SIGCONT)
}

// often is more often than a mail server is asked while a fault lasts.
const often = 1000

func (r *round) refuseMail(f fault) {
	step := []smtpserver.Step{smtpserver.Connect, smtpserver.Mail, smtpserver.Rcpt, smtpserver.Content}[f.lasts/time.Microsecond%4]
	r.mails.Reject(step, 451, "try again later", often)
	<-time.After(f.lasts)
	r.mails.Behave()
}

// refuseRelaying has the mail server refuse all for a fault of the settings: nothing may be given up for that (rule D107).
func (r *round) refuseRelaying(f fault) {
	step := []smtpserver.Step{smtpserver.Mail, smtpserver.Rcpt, smtpserver.Data, smtpserver.Content}[f.lasts/time.Microsecond%4]
	r.mails.Reject(step, 554, "5.7.1 relay access denied", often)
	<-time.After(f.lasts)
	r.mails.Behave()
}

// letterName finds the names of shipments in what the command line lists.
var letterName = regexp.MustCompile(`"name": ?"([a-z0-9-]+-shipment-[0-9]+)"`)

// tellLate tells by a file that letters were sent which have left a while ago, each twice.
func (r *round) tellLate(f fault) {
	<-time.After(f.lasts)
	ctx, cancel := context.WithTimeout(context.Background(), testkit.Patience)
	defer cancel()
	listed, err := r.command(ctx, "shipments", "list", "--method", "PAPER", "--state", "sent", "--limit", "20", "--json").Output()
	if err != nil {
		r.note("list letters: %v", err)
		return
	}
	var reports strings.Builder
	for _, name := range letterName.FindAllSubmatch(listed, -1) {
		fmt.Fprintf(&reports, `<report shipment="%s" state="sent" at="%s"/>`, name[1], time.Now().UTC().Format(time.RFC3339))
	}
	file := filepath.Join(r.folder, fmt.Sprintf("receipts-%d.xml", f.at))
	if err := os.WriteFile(file, []byte("<reports>"+reports.String()+"</reports>"), 0o600); err != nil {
		r.note("write receipts: %v", err)
		return
	}
	for range 2 {
		if out, err := r.command(ctx, "shipments", "report", file).CombinedOutput(); err != nil {
			r.note("report letters: %v %s", err, out)
		}
	}
}

// cutMail ends connections after the whole e-mail has come, which is not accepted.
func (r *round) cutMail(f fault) {
	r.mails.HangUp(smtpserver.Content, often)
	<-time.After(f.lasts)
	r.mails.Behave()
}

// cutAfterMail ends connections right after an e-mail was accepted, and the client was told so.
func (r *round) cutAfterMail(f fault) {
	r.mails.HangUpAfter(smtpserver.Content, often)
	<-time.After(f.lasts)
	r.mails.Behave()
}

// slowMail lets the mail server fall silent where it is asked for its word on an e-mail, or before.
func (r *round) slowMail(f fault) {
	step := []smtpserver.Step{smtpserver.Connect, smtpserver.Mail, smtpserver.Content}[f.lasts/time.Microsecond%3]
	var held []*smtpserver.Held
	for range 64 {
		held = append(held, r.mails.Hold(step))
	}
	<-time.After(f.lasts)
	r.mails.Behave()
	for _, h := range held {
		h.Release()
	}
}

func (r *round) failWebhooks(f fault) {
	r.sink.set(500, 0)
	<-time.After(f.lasts)
	r.sink.set(204, 0)
}

func (r *round) hangWebhooks(f fault) {
	r.sink.set(204, f.lasts)
	<-time.After(f.lasts)
	r.sink.set(204, 0)
}

// fillDisk takes all room of the data folder's disk, which is one of its own.
func (r *round) fillDisk(f fault) {
	if !r.ownDisk {
		r.note("no disk of its own: only root can have one")
		return
	}
	path := filepath.Join(r.data, "ballast")
	for until := time.Now().Add(f.lasts); time.Now().Before(until); <-time.After(50 * time.Millisecond) {
		file, err := os.OpenFile(path, os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600)
		if err != nil {
			continue // not even its name has room
		}
		for _, piece := range []int{1 << 20, 1 << 10} {
			for err = nil; err == nil; {
				_, err = file.Write(make([]byte, piece))
			}
		}
		_ = file.Close()
	}
	if err := os.Remove(path); err != nil && !os.IsNotExist(err) {
		r.t.Error(err)
	}
}
