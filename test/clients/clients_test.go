package clients_test

import (
	"fmt"
	"net/http/cgi"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"purr/internal/clock"
	"purr/test/testkit"
)

// language is one of the programs of docs/clients.
type language struct {
	name    string
	command func(t *testing.T) []string // the words that start it
	address []string                    // what "webhook" is told to listen on; a program of the shell is a web server's
}

var languages = []language{
	{"curl", func(t *testing.T) []string {
		found(t, "curl", "jq", "openssl")
		return []string{found(t, "sh"), filepath.Join(programs, "client.sh")}
	}, nil},
	{"go", func(*testing.T) []string { return []string{filepath.Join(binaries, "client")} }, []string{"127.0.0.1:0"}},
	{"python", func(t *testing.T) []string {
		return []string{found(t, "python3"), filepath.Join(programs, "client.py")}
	}, []string{"127.0.0.1", "0"}},
	{"typescript", typescript, []string{"127.0.0.1", "0"}},
}

// found returns the path of the last of the programs, all of which must be there.
func found(t *testing.T, names ...string) (path string) {
	t.Helper()
	for _, name := range names {
		var err error
		if path, err = exec.LookPath(name); err != nil {
			t.Fatalf(`there is no %s: test/scripts/install-test-servers, which "make test" runs, installs it`, name)
		}
	}
	return path
}

// typescript has Node run client.ts as it stands, or, where Node is too old to leave types out (before 22.18), what is left without them.
func typescript(t *testing.T) []string {
	t.Helper()
	node, source := found(t, "node"), filepath.Join(programs, "client.ts")
	if exec.Command(node, "--input-type=module", "--eval", `process.exit(process.features.typescript ? 0 : 1)`).Run() == nil {
		return []string{node, source}
	}
	plain := filepath.Join(t.TempDir(), "client.mjs")
	must(t, goRun("tool", "esbuild", source, "--outfile="+plain, "--log-level=warning"))
	return []string{node, plain}
}

// client is one of the programs, in the folder of its user.
type client struct {
	language
	t      *testing.T
	words  []string
	folder string
	in     *installation
	way    *way
	key    string
}

// eachLanguage tests a client of each language, each with a purr of its own.
func eachLanguage(t *testing.T, test func(t *testing.T, c *client)) {
	t.Parallel()
	for _, l := range languages {
		t.Run(l.name, func(t *testing.T) {
			t.Parallel()
			c := &client{language: l, t: t, words: l.command(t), folder: t.TempDir(), in: newInstallation(t)}
			c.way, c.key = newWay(t, c.in), c.in.newKey()
			test(t, c)
		})
	}
}

// begin starts the program.
func (c *client) begin(words ...string) *process {
	c.t.Helper()
	return begin(c.t, c.folder, []string{"PURR=" + c.way.url, "KEY=" + c.key}, append(c.words[:len(c.words):len(c.words)], words...)...)
}

// run runs the program to its end, and returns what it says.
func (c *client) run(code int, words ...string) (stdout, stderr string) {
	c.t.Helper()
	p := c.begin(words...)
	if got := p.code(); got != code {
		c.t.Fatalf("%s ended with %d: %s%s", strings.Join(words, " "), got, p.stdout, p.stderr)
	}
	return p.stdout.String(), p.stderr.String()
}

func (c *client) write(name, text string) {
	c.t.Helper()
	must(c.t, os.WriteFile(filepath.Join(c.folder, name), []byte(text), 0o600))
}

// kept returns a file of the folder, empty if there is none.
func (c *client) kept(name string) string {
	c.t.Helper()
	text, err := os.ReadFile(filepath.Join(c.folder, name))
	if !os.IsNotExist(err) {
		must(c.t, err)
	}
	return string(text)
}

// anOrder is an invoice in JSON.
const anOrder = `{
  "num_due_days": 14,
  "recipient": {"name1": "Kari Nordmann", "address1": "Storgata 1", "postal_code": "0155", "postal_name": "Oslo"},
  "lines": [{"line_text": "Rørleggerarbeid", "unit_price": 950, "num_items": 2.5, "vat_rate": "HIGH"}],
  "shipments": [{"type": "original", "shipment_method": "PAPER"}]
}
`

// TestJ5OrdersOnce: whatever is lost, and whoever is killed, an order makes one invoice.
func TestJ5OrdersOnce(t *testing.T) {
	eachLanguage(t, func(t *testing.T, c *client) {
		c.write("order.json", anOrder)
		c.way.will(busy, held)
		killed := c.begin("order", "order.json")
		testkit.Await(t, "purr has made the invoice", c.way.took)
		killed.kill()
		key := c.kept("order.json.key")
		first := c.way.came()
		c.in.restart()
		c.way.will(half)
		said, _ := c.run(0, "order", "order.json")

		came := slices.Concat(first, c.way.came())
		if len(came) != 4 || key == "" {
			t.Fatalf("with the key %q came %+v", key, came)
		}
		for _, p := range came {
			if p.what != "POST /invoices" || p.key != strings.TrimSpace(key) {
				t.Errorf("with the key %q came %+v", key, p)
			}
		}
		waited(t, came[1], time.Second)
		waited(t, came[3], time.Second/2)
		if invoices := c.in.ask("GET", "/invoices", "")["invoices"].([]any); len(invoices) != 1 || !strings.HasPrefix(said, "invoice 1 http") {
			t.Errorf("it said %s; there are %v", said, invoices)
		}

		c.way.will()
		if again, _ := c.run(0, "order", "order.json"); again != said || len(c.way.came()) != 0 {
			t.Errorf("run again it says %s, and asks %+v", again, c.way.came())
		}
		c.refused(key)
	})
}

// waited fails the test unless the client waited before a request.
func waited(t *testing.T, p passed, least time.Duration) {
	t.Helper()
	if p.after < least-50*time.Millisecond {
		t.Errorf("%s came %s after the one before, want %s", p.what, p.after, least)
	}
}

// refused tests orders that make no invoice.
func (c *client) refused(key string) {
	c.t.Helper()
	c.write("bad.json", strings.Replace(anOrder, `, "vat_rate": "HIGH"`, "", 1))
	if _, why := c.run(1, "order", "bad.json"); !strings.Contains(why, "required /lines/0/vat_rate: ") || c.kept("bad.json.key") != "" {
		c.t.Errorf("refused it says %s, and keeps the key %s", why, c.kept("bad.json.key"))
	}
	c.write("changed.json", strings.Replace(anOrder, "14", "15", 1))
	c.write("changed.json.key", key)
	if _, why := c.run(1, "order", "changed.json"); !strings.Contains(why, "idempotency_mismatch") || c.kept("changed.json.key") != key {
		c.t.Errorf("with a key that is taken it says %s, and keeps the key %s", why, c.kept("changed.json.key"))
	}
	c.write("late.json", anOrder)
	c.write("late.json.key", "late")
	yesterday := clock.System{}.Now().Add(-24 * time.Hour)
	must(c.t, os.Chtimes(filepath.Join(c.folder, "late.json.key"), yesterday, yesterday))
	c.way.will()
	if _, why := c.run(1, "order", "late.json"); !strings.Contains(why, "a day old") || len(c.way.came()) != 0 {
		c.t.Errorf("with a key that purr has forgotten it says %s, and asks %+v", why, c.way.came())
	}
	if invoices := c.in.ask("GET", "/invoices", "")["invoices"].([]any); len(invoices) != 1 {
		c.t.Errorf("there are %v", invoices)
	}
}

// TestJ5FollowsTheEvents: every event is told once and in order, from where the client stood, with waits as purr asks for.
func TestJ5FollowsTheEvents(t *testing.T) {
	eachLanguage(t, func(t *testing.T, c *client) {
		c.way.will(limited, busy)
		told, _ := c.run(0, "events")
		came := c.way.came()
		if len(came) < 4 || came[0].status != 429 || came[1].status != 503 {
			t.Fatalf("there came %+v", came)
		}
		waited(t, came[1], time.Second)
		waited(t, came[2], time.Second)

		c.write("order.json", anOrder)
		c.run(0, "order", "order.json")
		more, _ := c.run(0, "events")
		if told == "" || !strings.Contains(more, " invoice.created\n") {
			t.Errorf("it told %q, and then %q", told, more)
		}
		var want strings.Builder
		for _, e := range c.in.ask("GET", "/events", "")["events"].([]any) {
			line := fmt.Sprintf("event %v %v\n", e.(map[string]any)["id"], e.(map[string]any)["type"])
			if want.Len() < len(told+more) { // later ones came since
				want.WriteString(line)
			}
		}
		if want.String() != told+more {
			t.Errorf("it told\n%s%s\nwant\n%s", told, more, &want)
		}
	})
}

// listen starts what takes webhooks, with a secret. It returns its address, and where it tells of events.
func (c *client) listen(secret string) (address string, said *testkit.Log, stop func()) {
	c.t.Helper()
	if c.address == nil {
		said = &testkit.Log{}
		server := httptest.NewServer(&cgi.Handler{
			Path: c.words[0], Args: append(c.words[1:len(c.words):len(c.words)], "webhook"), Dir: c.folder, Env: []string{"SECRET=" + secret},
			InheritEnv: []string{"PATH", "TMPDIR"}, Stderr: said,
		})
		c.t.Cleanup(server.Close)
		return server.URL, said, server.Close
	}
	words := append(append(c.words[:len(c.words):len(c.words)], "webhook"), c.address...)
	p := begin(c.t, c.folder, []string{"SECRET=" + secret}, words...)
	return p.listening(), p.stdout, p.kill
}
