//go:build chaos

package chaos_test

import (
	"context"
	"database/sql"
	"fmt"
	"maps"
	"math/rand/v2"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	_ "purr/store" // the driver of SQLite
	"purr/test/testkit"
	"purr/test/testkit/servers"
	"purr/test/testkit/smtpserver"
)

// settleWithin is how long clients go on to ask after all is put back.
const settleWithin = time.Minute

// planLasts returns how long each fault of a plan lasts.
func planLasts(plan []fault) (all []time.Duration) {
	for _, f := range plan {
		all = append(all, f.lasts)
	}
	return all
}

// setup is a way to run the program.
type setup struct {
	name      string
	weight    int
	parts     []string
	testClock bool // one process can let days pass
}

func (s setup) servers() bool { return s.name != "embedded" }

var setups = []setup{
	{"parts", 6, []string{"api", "api", "worker", "worker", "scheduler", "scheduler"}, false},
	{"serve", 2, []string{"serve"}, true},
	{"embedded", 2, []string{"serve"}, true},
}

// round is one installation, its load and its faults.
type round struct {
	t         *testing.T
	world     *world
	number    int
	seed      uint64 // of this round alone
	setup     setup
	plan      []fault
	folder    string
	data      string
	ownDisk   bool
	url       string // of the database, past the proxies
	db        *sql.DB
	parts     []*part
	gate      *gate
	creditors []*creditor
	told      *told
	mails     *smtpserver.Server
	sink      *sink
	http      *http.Client
	now       time.Time // of the test clock
	patience  context.Context
	giveUp    context.CancelFunc

	calls, repeats atomic.Int64

	mu       sync.Mutex
	findings []string
	notes    []string
	kills    []death   // of processes that send
	answered time.Time // when a call was last answered
	locks    map[string]*sync.Mutex
	ends     []func()
}

func newRound(t *testing.T, w *world, seed uint64, number int) *round {
	t.Helper()
	random := rand.New(rand.NewPCG(seed, uint64(number)))
	r := &round{
		t: t, world: w, number: number, seed: random.Uint64(), told: newTold(), gate: &gate{urls: map[*process]string{}},
		locks: map[string]*sync.Mutex{}, folder: filepath.Join(w.folder, fmt.Sprintf("round-%d", number)),
		http: &http.Client{Timeout: 2 * time.Minute, Transport: &http.Transport{MaxIdleConnsPerHost: 32}},
	}
	r.data = filepath.Join(r.folder, "data")
	r.patience, r.giveUp = context.WithCancel(context.Background())
	r.setup = drawSetup(t, random)
	r.plan = drawPlan(random, r.chosenKinds(t), len(r.setup.parts))
	return r
}

func drawSetup(t *testing.T, random *rand.Rand) setup {
	t.Helper()
	var drawn []setup
	for _, s := range setups {
		for range s.weight {
			drawn = append(drawn, s)
		}
	}
	s := drawn[random.IntN(len(drawn))]
	if i := slices.IndexFunc(setups, func(s setup) bool { return s.name == *on }); i >= 0 {
		s = setups[i]
	} else if *on != "" {
		t.Fatalf("there is no set-up %s", *on)
	}
	return s
}

// run runs the round, checks what is left, and tells of its findings.
func (r *round) run() {
	began := time.Now()
	defer r.tearDown()
	r.setUp()
	loaded := time.Now()
	l := r.startLoad()
	r.suffer()
	<-time.After(time.Until(loaded.Add(4 * time.Second)))
	r.note("all is put back")
	time.AfterFunc(settleWithin, r.giveUp)
	l.finish()
	r.note("the load has ended")
	if r.setup.testClock {
		r.advance(24 * time.Hour)
	}
	r.checkDisk()
	r.check(l)
	var ending sync.WaitGroup
	for _, p := range r.parts {
		ending.Go(p.end)
	}
	ending.Wait()
	r.report(time.Since(began))
}

// setUp makes the installation: two creditors with customers and overdue invoices, and all parts running.
func (r *round) setUp() {
	t := r.t
	must(t, os.MkdirAll(r.data, 0o700))
	r.ownDisk = syscall.Mount("chaos", r.data, "tmpfs", 0, diskSize(planLasts(r.plan)...)) == nil
	r.mails, r.sink = smtpserver.Start(t), startSink(t)
	r.url = "sqlite:" + filepath.Join(r.data, "purr.db")
	if r.setup.servers() {
		r.url = r.world.database(t, fmt.Sprintf("round_%d", r.number))
		must(t, r.world.redisDo(t.Context(), "FLUSHALL")) // tasks of the last round have the names of this one's
	}
	r.purr("migrate")
	db, err := open(r.url)
	must(t, err)
	r.db = db
	for i, c := range []*creditor{{name: "Fjord Rør AS", account: "12345678903"}, {name: "Nordlys Bad AS", account: "97104133219"}} {
		r.purr("creditor", "create", c.name, "--bank-account", c.account, "--email", "post@fjord-ror.example", "--organisation-number", []string{"974760673", "923609016"}[i],
			"--address1", "Kaigaten 1", "--postal-code", "5003", "--postal-name", "Bergen", "--dunning")
		c.id, c.key = fmt.Sprint(i+1), r.purr("keys", "create", "--creditor", c.name, "--scope", "admin")
		r.creditors = append(r.creditors, c)
	}
	shifts := rand.New(rand.NewPCG(r.seed, 1))
	for n, command := range r.setup.parts {
		r.parts = append(r.parts, r.newPart(n, command, shifts))
	}
	r.parts[0].begin()
	r.awaitAPI()
	for _, c := range r.creditors {
		r.fill(c)
	}
	if r.setup.testClock {
		r.advance(10 * 24 * time.Hour)
	} else {
		r.backdate(40)
	}
	for _, p := range r.parts[1:] {
		p.begin()
	}
}

// newPart makes a part with connections of its own. Its clock is set apart if the plan says so.
func (r *round) newPart(n int, command string, shifts *rand.Rand) *part {
	p := &part{round: r, name: fmt.Sprintf("%s-%d", command, n+1), arguments: []string{command, "--listen", "127.0.0.1:0"}}
	if r.setup.servers() {
		p.database, p.redis = startProxy(r.t, hostOf(r.url)), startProxy(r.t, hostOf(r.world.redis.URL))
		p.variables = []string{"PURR_DATABASE_URL=" + through(r.url, p.database), "PURR_REDIS_URL=" + through(r.world.redis.URL, p.redis)}
	}
	if r.inBucket() {
		p.storage = startProxy(r.t, hostOf(r.world.s3.URL))
		data := filepath.Join(r.data, p.name)
		if !r.setup.servers() { // its database lies there
			data = r.data
		}
		p.variables = append(p.variables, append(r.storageVariables(p.storage.address()), "PURR_DATA="+data)...)
	}
	if r.setup.testClock {
		r.now = time.Date(2026, time.January, 5, 8, 0, 0, 0, time.FixedZone("", 3600))
		p.arguments = append(p.arguments, "--test-clock", r.now.Format(time.RFC3339))
	}
	// The API keeps its clock: it sets deadlines of connections by it, and the network does not see the shift.
	if shift := shifts.IntN(601) - 300; command != "api" && command != "serve" && slices.ContainsFunc(r.plan, func(f fault) bool { return f.kind.name == "clocks" }) {
		p.variables = append(p.variables, fmt.Sprintf("%s=%d", clockVariable, shift))
	}
	return p
}

func hostOf(serverURL string) string {
	u, err := url.Parse(serverURL)
	if err != nil {
		panic(err)
	}
	return u.Host
}

// through returns the URL of a server by way of a proxy.
func through(serverURL string, p *proxy) string {
	return strings.Replace(serverURL, hostOf(serverURL), p.address(), 1)
}

// environment returns the variables of a process: ours, and none of the program's that are set outside.
func (r *round) environment(more ...string) []string {
	variables := slices.DeleteFunc(os.Environ(), func(v string) bool { return strings.HasPrefix(v, "PURR_") })
	variables = append(variables, "PURR_DATA="+r.data, "PURR_SMTP_URL="+r.mails.URL(), "PURR_WEBHOOK_PRIVATE_ADDRESSES=1", "PURR_MIN_FREE_DISK=64KiB")
	if r.setup.servers() {
		variables = append(variables, "PURR_DATABASE_URL="+r.url, "PURR_REDIS_URL="+r.world.redis.URL)
	}
	if r.inBucket() {
		variables = append(variables, r.storageVariables(hostOf(r.world.s3.URL))...)
	}
	return append(variables, more...)
}

// purr runs a command to its end. It must succeed.
func (r *round) purr(arguments ...string) string {
	r.t.Helper()
	out, err := r.command(r.t.Context(), arguments...).Output()
	if err != nil {
		r.t.Fatalf("purr %s: %v\n%s", strings.Join(arguments, " "), err, out)
	}
	return strings.TrimSpace(string(out))
}

// command returns a command of the program, past the proxies.
func (r *round) command(ctx context.Context, arguments ...string) *exec.Cmd {
	c := exec.CommandContext(ctx, r.world.binary, arguments...)
	c.Env, c.SysProcAttr = r.environment(), servers.DieWithParent()
	return c
}

func (r *round) awaitAPI() {
	testkit.Eventually(r.t, "the API listens", func() (bool, any) { return r.gate.url() != "", "see its log in " + r.folder })
}

// policy lets every step be taken soon.
const policy = "<creditor><dunning_policy><enabled>1</enabled><first_notice_days>1</first_notice_days><second_notice_days>1</second_notice_days>" +
	"<hand_over_days>1</hand_over_days><require_payment_file>0</require_payment_file><weekdays_only>0</weekdays_only></dunning_policy></creditor>"

// fill gives a creditor customers, a webhook, and invoices that will be overdue.
func (r *round) fill(c *creditor) {
	random := rand.New(rand.NewPCG(r.seed, 2))
	r.mustDo(c, "PUT", "/creditor", policy)
	r.mustDo(c, "POST", "/webhooks", "<webhook><url>"+r.sink.URL+"</url></webhook>")
	for n := range 4 {
		c.customers = append(c.customers, below(get(r.root(r.mustDo(c, "POST", "/customers", customerBody(fmt.Sprintf("Kunde %d", n)))), "@uri")))
	}
	for range 6 {
		if i, made := r.issueFor(random, c); made {
			i.overdue = true
		}
	}
}

func (r *round) mustDo(c *creditor, method, path, body string) answer {
	r.t.Helper()
	a, answered := r.insist(c.key, call{method: method, path: path, body: body})
	if !answered || !a.done() {
		r.t.Fatalf("%s %s was answered %d: %s", method, path, a.status, code(a.body))
	}
	return a
}

// backdate makes all invoices so many days older, as time would have done: the parts have no test clock.
func (r *round) backdate(days int) {
	for _, change := range []string{
		"UPDATE invoices SET lapses_on = lapses_on - INTERVAL 3 YEAR - INTERVAL %[1]d DAY + INTERVAL 3 YEAR", // of the due date or the last payment
		"UPDATE invoices SET issue_date = issue_date - INTERVAL %[1]d DAY, due_date = due_date - INTERVAL %[1]d DAY, deadline = deadline - INTERVAL %[1]d DAY",
		"UPDATE entries SET transaction_date = transaction_date - INTERVAL %[1]d DAY",
	} {
		_, err := r.db.ExecContext(r.t.Context(), fmt.Sprintf(change, days))
		must(r.t, err)
	}
}

// tearDown puts everything away that a round has left, whatever became of it.
func (r *round) tearDown() {
	for _, p := range r.parts {
		p.mu.Lock()
		if p.process != nil {
			p.stopping = true
			_ = p.process.command.Process.Kill() // it has ended in a good round
		}
		p.mu.Unlock()
		if p.ended != nil {
			<-p.ended
		}
	}
	for _, end := range r.ends {
		end()
	}
	r.giveUp()
	if r.t.Failed() {
		r.keep()
	}
	if r.db != nil {
		must(r.t, r.db.Close())
	}
	if r.ownDisk {
		must(r.t, syscall.Unmount(r.data, syscall.MNT_DETACH))
	}
	if !r.t.Failed() {
		must(r.t, os.RemoveAll(r.folder))
	}
}

// keep writes what is worth to be looked at beside the logs of the processes.
func (r *round) keep() {
	text := strings.Join(slices.Concat(r.findings, []string{""}, r.notes), "\n")
	if err := os.WriteFile(filepath.Join(r.folder, "findings.txt"), []byte(text+"\n"), 0o600); err != nil {
		r.t.Error(err)
	}
	for _, table := range []string{"hand_overs", "invoices", "credit_notes", "entries", "overdue_notices", "shipments", "events", "webhook_deliveries", "payment_files", "payment_file_parts", "runs"} {
		if r.db == nil {
			break
		}
		rows := strings.Join(r.query("SELECT * FROM "+table), "\n")
		if err := os.WriteFile(filepath.Join(r.folder, table+".txt"), []byte(rows+"\n"), 0o600); err != nil {
			r.t.Error(err)
		}
	}
	if r.ownDisk {
		if out, err := exec.Command("cp", "-a", r.data, r.data+"-kept").CombinedOutput(); err != nil {
			r.t.Logf("keep the data folder: %v %s", err, out)
		}
	}
}

// checkDisk notes how full the disk has become, and finds it if it was a fault of its own: then the findings of the round say
// nothing of the program.
func (r *round) checkDisk() {
	var s syscall.Statfs_t
	if !r.ownDisk {
		return
	}
	if err := syscall.Statfs(r.data, &s); err != nil {
		r.t.Errorf("ask for the room of the disk: %v", err)
		return
	}
	const percent = 100
	used := percent - percent*s.Bavail/s.Blocks
	r.t.Logf("%d %% of the disk are used, of %s", used, diskSize(planLasts(r.plan)...))
	if used > percent/2 {
		r.t.Errorf("the load has used %d %% of the disk: diskPerSecond is too small", used)
	}
}

// report tells of the round.
func (r *round) report(took time.Duration) {
	r.mu.Lock()
	defer r.mu.Unlock()
	plan := []string{}
	for _, f := range r.plan {
		plan = append(plan, f.String())
	}
	r.t.Logf("%s, %s: %d calls answered, %d made again; %d invoices, %d bank lines, %d mails; faults: %s",
		r.setup.name, took.Round(100*time.Millisecond), r.calls.Load(), r.repeats.Load(), len(r.told.invoices), len(r.told.lines), len(r.mails.Messages()), strings.Join(plan, ", "))
	r.world.tally.add("calls", int(r.calls.Load()))
	r.world.tally.add("findings", len(r.findings))
	times := map[string]int{}
	for _, finding := range r.findings {
		times[finding]++
	}
	for _, finding := range slices.Sorted(maps.Keys(times)) {
		r.t.Errorf("%s (%d times)", finding, times[finding])
	}
	if len(r.findings) > 0 {
		r.t.Logf("make chaos SEED=%d FIRST=%d ROUNDS=1 runs this round again; its logs are in %s", *seed, r.number, r.folder)
	}
}

// find notes something that must not be.
func (r *round) find(format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	r.note("finding: %s", text)
	r.mu.Lock()
	defer r.mu.Unlock()
	r.findings = append(r.findings, text)
}

// note notes what happens, with its time.
func (r *round) note(format string, args ...any) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.notes = append(r.notes, time.Now().Format("15:04:05.000 ")+fmt.Sprintf(format, args...))
}

// atEnd has something done when the round is over.
func (r *round) atEnd(do func()) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.ends = append(r.ends, do)
}

func (r *round) lockOf(name string) *sync.Mutex {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.locks[name] == nil {
		r.locks[name] = &sync.Mutex{}
	}
	return r.locks[name]
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
