//go:build upgrade

package upgrade_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"purr/test/testkit"
	"purr/test/testkit/servers"
)

// house is an installation on a server or on the nodes of a cluster, with Redis.
type house struct {
	t         *testing.T
	data      string
	database  string   // where what is no part works
	databases []string // where parts work, in turn
	begun     int      // parts so far
	redis     *testkit.RedisProcess
	key       string
}

// open makes an installation of the older program, with a creditor, on a server.
func open(t *testing.T) *house {
	t.Helper()
	return openOn(t, testkit.MySQL(t))
}

// eachKind tests on one server, and on a Galera cluster whose nodes all take writes: the parts are spread over them.
func eachKind(t *testing.T, test func(t *testing.T, h *house)) {
	t.Helper()
	t.Run("server", func(t *testing.T) { test(t, open(t)) })
	t.Run("galera", func(t *testing.T) {
		_, databases := testkit.Galera(t)
		test(t, openOn(t, databases...))
	})
}

func openOn(t *testing.T, databases ...string) *house {
	t.Helper()
	h := &house{t: t, data: t.TempDir(), database: databases[len(databases)-1], databases: databases, redis: testkit.RedisServer(t)}
	older.ok(t, h.where(), "migrate")
	older.ok(t, h.where(), "creditor", "create", "--name", "Fjord Rør AS", "--bank-account", "12345678903", "--email", "post@fjord-ror.example")
	h.key = older.ok(t, h.where(), "keys", "create", "--creditor", "Fjord Rør AS")
	return h
}

func (h *house) where() []string {
	return []string{"PURR_DATA=" + h.data, "PURR_DATABASE_URL=" + h.database, "PURR_REDIS_URL=" + h.redis.URL}
}

// begin starts a part, on the next node.
func (h *house) begin(t *testing.T, by program, kind string) *process {
	t.Helper()
	where := append(h.where(), "PURR_DATABASE_URL="+h.databases[h.begun%len(h.databases)])
	h.begun++
	return by.begin(t, where, kind)
}

// part is what purr parts --json says of one.
type part struct {
	ID        string
	Kind      string
	SchemaMin int64 `json:"schema_min"`
	SchemaMax int64 `json:"schema_max"`
}

func (h *house) parts(by program) (parts []part) {
	h.t.Helper()
	testkit.Must(h.t, json.Unmarshal([]byte(by.ok(h.t, h.where(), "parts", "--json")), &parts))
	return parts
}

// ask returns a number that the database knows.
func (h *house) ask(query string) (n int64) {
	h.t.Helper()
	db, err := servers.OpenMySQL(h.database)
	testkit.Must(h.t, err)
	defer func() { _ = db.Close() }()
	testkit.Must(h.t, db.QueryRowContext(h.t.Context(), query).Scan(&n))
	return n
}

// issues waits until so many more invoices are acknowledged.
func (h *house) issues(l *load, what string, more int) {
	h.t.Helper()
	want := l.count() + more
	testkit.Eventually(h.t, what, func() (bool, any) { n := l.count(); return n >= want, n })
}

// holdsUp runs purr migrate --finish, which must name each of the parts that hold it up, and end with 1.
func (h *house) holdsUp(what string, old ...part) {
	h.t.Helper()
	code, said := newer.run(h.where(), "migrate", "--finish")
	if code != 1 {
		h.t.Errorf("%s: --finish ends with %d: %s", what, code, said)
	}
	for _, p := range old {
		if !strings.Contains(said, p.ID) || !strings.Contains(said, p.Kind) {
			h.t.Errorf("%s: --finish does not name the %s %s: %s", what, p.Kind, p.ID, said)
		}
	}
}

// slowest is how long one of a hundred POSTs may take while a migration runs, and while parts are replaced.
const slowest = time.Second

// TestK3PartsAreReplacedOneAfterTheOther while invoices are issued all the time: nothing that was acknowledged is lost, no letter leaves twice,
// and no answer is worse than 503 with Retry-After.
func TestK3PartsAreReplacedOneAfterTheOther(t *testing.T) { eachKind(t, replaceAll) }

func replaceAll(t *testing.T, h *house) {
	running := map[string][]*process{}
	for _, kind := range []string{"scheduler", "worker", "api"} {
		running[kind] = []*process{h.begin(t, older, kind), h.begin(t, older, kind)}
	}
	apis := func() []string { return []string{running["api"][0].url(), running["api"][1].url()} }
	l := startLoad(t, h.key, 4, apis()...)
	h.issues(l, "the older parts work", 50)
	took, posts := l.p99()
	t.Logf("before, 99 of 100 of %d POSTs took %s or less", posts, took)
	h.holdsUp("before the schema is migrated, with older parts") // the older schema: migrate first

	l.mark()
	newer.ok(t, h.where(), "migrate")
	h.issues(l, "the older parts work on the next schema", 50)
	took, posts = l.p99()
	t.Logf("while the schema was migrated, and just after, 99 of 100 of %d POSTs took %s or less", posts, took)
	if took > slowest {
		t.Errorf("while the schema was migrated one of a hundred POSTs took %s", took)
	}
	l.mark()
	h.holdsUp("with older parts alone", h.parts(newer)...)
	h.issues(l, "the refusal disturbs nobody", 50)

	replace := func(kind string, i int, by program) {
		t.Helper()
		out := running[kind][i]
		if kind == "api" { // as a load balancer does
			l.use(running[kind][1-i].url())
			time.Sleep(100 * time.Millisecond) // for requests that have the address already
		}
		out.end()
		running[kind][i] = h.begin(t, by, kind)
		running[kind][i].url() // it has started
		l.use(apis()...)
		h.issues(l, fmt.Sprintf("after %s %d was replaced", kind, i+1), 20)
	}
	for _, kind := range []string{"api", "worker", "scheduler"} {
		for i := range 2 {
			replace(kind, i, newer)
		}
		if kind == "worker" { // one is put back
			replace(kind, 0, older)
			var old []part
			for _, p := range h.parts(older) {
				if p.SchemaMin == older.schema {
					old = append(old, p)
				}
			}
			h.holdsUp("with one worker that was put back", old...)
			replace(kind, 0, newer)
		}
	}
	t.Log(newer.ok(t, h.where(), "migrate", "--finish"))
	h.issues(l, "after the upgrade is finished", 50)
	l.finish()
	took, posts = l.p99()
	t.Logf("while the parts were replaced and the upgrade was finished, 99 of 100 of %d POSTs took %s or less", posts, took)
	if took > slowest {
		t.Errorf("while the parts were replaced one of a hundred POSTs took %s", took)
	}

	begun := h.begin(t, older, "api")
	begun.refused()
	if code, said := older.run(h.where(), "keys", "list"); code != 1 || !strings.Contains(said, "install the newer program") {
		t.Errorf("a command of the older program ended with %d: %s", code, said)
	}
	h.check(l)
	t.Logf("%d invoices; answers by status (0: none): %v", l.count(), l.statuses)
}

var letter = regexp.MustCompile(`^invoice-(\d+)-shipment-\d+\.pdf$`)

// check compares what was acknowledged with the books and with what was sent.
func (h *house) check(l *load) {
	h.t.Helper()
	numbers := map[string]bool{}
	for path, number := range l.acknowledged {
		if numbers[number] {
			h.t.Errorf("%s has a number that another invoice has", path)
		}
		numbers[number] = true
	}
	testkit.Eventually(h.t, "all letters leave", func() (bool, any) {
		owed := h.ask("SELECT COUNT(*) FROM shipments WHERE state <> 'sent'")
		return owed == 0, owed
	})
	invoices := h.ask("SELECT COUNT(*) FROM invoices")
	if invoices < int64(len(l.acknowledged)) || invoices > int64(len(l.acknowledged)+len(l.apis)*4) {
		h.t.Errorf("%d invoices were acknowledged, and there are %d", len(l.acknowledged), invoices)
	}
	files, err := os.ReadDir(filepath.Join(h.data, "outbox", "paper"))
	testkit.Must(h.t, err)
	letters := map[string]int{}
	for _, f := range files {
		if of := letter.FindStringSubmatch(f.Name()); of != nil {
			letters[of[1]]++
		}
	}
	if int64(len(letters)) != invoices {
		h.t.Errorf("%d invoices have letters, of %d", len(letters), invoices)
	}
	for number, n := range letters {
		if n > 1 {
			h.t.Errorf("invoice %s left %d times", number, n)
		}
	}
	for _, database := range h.databases {
		newer.ok(h.t, append(h.where(), "PURR_DATABASE_URL="+database), "verify")
	}
}
