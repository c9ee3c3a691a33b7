package e2e_test

import (
	"errors"
	"io"
	"io/fs"
	"net"
	"net/http"
	neturl "net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"purr/app"
	"purr/test/testkit"
	"purr/test/testkit/house"
	"purr/test/testkit/smtpserver"
)

// TestR5aFirstStart: an empty installation gets a creditor and a key, which lies in a file until it is used (rule Q5); and the command
// that is printed for a first invoice works as it stands.
func TestR5aFirstStart(t *testing.T) {
	t.Parallel()
	data := t.TempDir()
	where := []string{"PURR_DATA=" + data, "PURR_LISTEN=127.0.0.1:0"}
	p := begin(t, where, "serve")
	url := p.listening()
	key := p.firstKey()
	eventually(t, "the first steps are said", func() (bool, any) {
		return strings.Contains(p.stderr.String(), "purr creditor set"), p.stderr
	})
	if said := p.stderr.String(); strings.Contains(said, key) {
		t.Errorf("what may be a log has the key: %s", said)
	}
	made := send(t, runPrinted(t, p.stderr.String())).Is(http.StatusCreated).Root()
	if left, err := filepath.Glob(filepath.Join(data, "first-key*")); err != nil || len(left) > 0 {
		t.Errorf("after its first use the key lies in %v, %v", left, err)
	}
	api := newClient(t, func() string { return url }, key)
	equal(t, "creditor", api.Get("/api/v1/creditor").Shown().At("name"), "default")
	equal(t, "gross amount of the first invoice", made.At("gross_amount"), "1250.00")
	eventually(t, "its letter", func() (bool, any) {
		sent, _ := api.Get(made.At("@uri")).Shown().Find("shipments/shipment/sent_at")
		return sent != "", sent
	})
	api.Put("/api/v1/creditor", "<creditor><name>Fjord Rør AS</name></creditor>").Shown() // an admin's key

	equal(t, "exit code", p.terminate(), 0)
	again := begin(t, where, "serve")
	again.listening()
	if said := again.stderr.String(); strings.Contains(said, "purr_") || strings.Contains(said, "first-key") {
		t.Errorf("a key is said at the second start: %s", said)
	}
}

// TestQ5TheFirstKeyWaitsInItsFile: the file is its owner's alone, outlives restarts and kills, and other keys; signing in to the console uses
// the key too.
func TestQ5TheFirstKeyWaitsInItsFile(t *testing.T) {
	t.Parallel()
	data := t.TempDir()
	where := []string{"PURR_DATA=" + data, "PURR_LISTEN=127.0.0.1:0"}
	p := begin(t, where, "serve")
	p.listening()
	key := p.firstKey()
	file := filepath.Join(data, "first-key")
	info, err := os.Stat(file)
	must(t, err)
	equal(t, "mode", info.Mode().Perm().String(), "-rw-------")
	p.kill()
	p = begin(t, where, "serve")
	url := p.listening()
	equal(t, "key after a kill", p.firstKey(), key)
	equal(t, "exit code of key create", run(t, where, "keys", "create", "--creditor", "default", "--scope", "read").code, 0)
	newClient(t, func() string { return url }, "purr_WRONG").Get("/api/v1/creditor").Is(http.StatusUnauthorized)
	equal(t, "key after others", p.firstKey(), key)
	answer, err := http.PostForm(url+"/sign-in", neturl.Values{"key": {key}})
	must(t, err)
	must(t, answer.Body.Close())
	if _, err := os.Stat(file); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("after somebody signed in with the key the file is there: %v", err)
	}
}

// runPrinted has a shell run the command that begins with curl in a text, up to the next blank line, with a
// curl that keeps what it was called with, and returns the request that curl would have made.
func runPrinted(t *testing.T, text string) *http.Request {
	t.Helper()
	folder := t.TempDir()
	fake := "#!/bin/sh\nprintf '%s\\n' \"$@\" >" + folder + "/arguments\ncat >" + folder + "/input </dev/stdin\n"
	must(t, os.WriteFile(filepath.Join(folder, "curl"), []byte(fake), 0o700))
	begin := strings.Index(text, "    curl ")
	if begin < 0 {
		t.Fatalf("no curl line is printed: %s", text)
	}
	printed, _, _ := strings.Cut(text[begin:], "\n\n")
	shell(t, folder, printed)
	return curlRequest(t, folder)
}

// TestR3ListensWhereItIsTold refuses a port that is taken, and says so.
func TestR3ListensWhereItIsTold(t *testing.T) {
	t.Parallel()
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	defer taken.Close()
	r := run(t, []string{"PURR_DATA=" + t.TempDir()}, "serve", "--listen", taken.Addr().String())
	if r.code != 1 || !strings.Contains(r.stderr, "listen") || !strings.Contains(r.stderr, "in use") || r.stdout != "" {
		t.Errorf("on a taken port: exit code %d, says %s%s", r.code, r.stdout, r.stderr)
	}
}

// TestR4RunningWorkFinishes: told to end while the mail server holds its answer back, the program waits for it,
// notes the e-mail as sent, and ends well. The next start sends nothing again.
func TestR4RunningWorkFinishes(t *testing.T) {
	t.Parallel()
	mails := smtpserver.Start(t)
	held := mails.Hold(smtpserver.Content)
	where := []string{"PURR_DATA=" + migrated(t), "PURR_LISTEN=127.0.0.1:0", "PURR_SMTP_URL=" + mails.URL()}
	ok(t, where[:1], "creditor", "create", "--name", "A", "--bank-account", account, "--email", "post@a.example")
	key := strings.TrimSpace(ok(t, where[:1], "keys", "create", "--creditor", "A"))
	p := begin(t, where, "serve")
	url := p.listening()
	api := newClient(t, func() string { return url }, key)
	invoice := api.invoice(t, invoiceOf{customer: api.customer(t, "Kari Nordmann"), days: 14, net: "1000.00", method: "EMAIL"}).At("@uri")
	testkit.Await(t, "the mail server gets the e-mail", held.Reached())
	must(t, p.command.Process.Signal(os.Interrupt))
	eventually(t, "no new work is taken", func() (bool, any) {
		conn, err := net.Dial("tcp", strings.TrimPrefix(url, "http://"))
		if err == nil {
			conn.Close()
		}
		return err != nil, err
	})
	held.Release()
	equal(t, "exit code", p.code(), 0)
	equal(t, "e-mails", len(mails.Messages()), 1)

	again := begin(t, where, "serve")
	url = again.listening()
	if sent := api.Get(invoice).Shown().At("shipments/shipment/sent_at"); sent == "" {
		t.Error("the e-mail is not recorded as sent")
	}
	equal(t, "exit code of the second", again.terminate(), 0)
	equal(t, "e-mails after a second start", len(mails.Messages()), 1)
}

// TestR4EndsInTimeWhateverHangs: neither a client that never ends its request nor a mail server that never
// answers keeps the program from ending well within 30 seconds.
func TestR4EndsInTimeWhateverHangs(t *testing.T) {
	t.Parallel()
	mails := smtpserver.Start(t)
	held := mails.Hold(smtpserver.Content)
	where := []string{"PURR_DATA=" + migrated(t), "PURR_LISTEN=127.0.0.1:0", "PURR_SMTP_URL=" + mails.URL()}
	ok(t, where[:1], "creditor", "create", "--name", "A", "--bank-account", account, "--email", "post@a.example")
	key := strings.TrimSpace(ok(t, where[:1], "keys", "create", "--creditor", "A"))
	p := begin(t, where, "serve")
	url := p.listening()
	api := newClient(t, func() string { return url }, key)
	api.invoice(t, invoiceOf{customer: api.customer(t, "Kari Nordmann"), days: 14, net: "1000.00", method: "EMAIL"})
	testkit.Await(t, "the mail server gets the e-mail", held.Reached())
	conn, err := net.Dial("tcp", strings.TrimPrefix(url, "http://"))
	must(t, err)
	defer conn.Close()
	_, err = conn.Write([]byte("POST /api/v1/customers HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer " + key + "\r\nContent-Length: 1000\r\nExpect: 100-continue\r\n\r\n"))
	must(t, err)
	answer := make([]byte, len("HTTP/1.1 100 Continue"))
	_, err = io.ReadFull(conn, answer) // the request is being handled
	must(t, err)
	equal(t, "answer", string(answer), "HTTP/1.1 100 Continue")

	asked := time.Now()
	equal(t, "exit code", p.terminate(), 0)
	if took := time.Since(asked); took > 30*time.Second {
		t.Errorf("it took %s to end", took)
	}
}

// TestR5bTestClockIsKept: the simulated time is the installation's, for every command and every start.
func TestR5bTestClockIsKept(t *testing.T) {
	t.Parallel()
	where := []string{"PURR_DATA=" + migrated(t), "PURR_LISTEN=127.0.0.1:0"}
	ok(t, where[:1], "creditor", "create", "--name", "A")
	key := strings.TrimSpace(ok(t, where[:1], "keys", "create", "--creditor", "A", "--scope", "admin", "--name", "before"))
	standsAt := func(flag, want string, do func(api *client)) {
		t.Helper()
		p := begin(t, where, "serve", "--test-clock", flag)
		url := p.listening()
		api := newClient(t, func() string { return url }, key)
		equal(t, "time after a start with "+flag, api.Get("/api/v1/test_clock").Shown().At("now"), want)
		do(api)
		equal(t, "exit code", p.terminate(), 0)
	}
	nothing := func(*client) {}
	standsAt("2026-01-05T08:00:00+01:00", "2026-01-05T07:00:00Z", func(api *client) {
		api.MoveClock(moment("2026-02-01 12:00"))
		api.send(t, call{method: "POST", path: "/api/v1/test_clock", body: house.ClockAt(moment("2026-02-01 11:59"))}).
			Refused(http.StatusUnprocessableEntity, "clock_backwards now")
	})
	standsAt("2026-01-05T08:00:00+01:00", "2026-02-01T11:00:00Z", nothing)
	standsAt("2026-03-01T08:00:00+01:00", "2026-03-01T07:00:00Z", nothing)

	if r := run(t, where, "serve"); r.code != 1 || !strings.Contains(r.stderr, "--test-clock") || !strings.Contains(r.stderr, "2026-03-01") {
		t.Errorf("a start without the flag: exit code %d, says %s", r.code, r.stderr)
	}
	ok(t, where[:1], "keys", "create", "--creditor", "A", "--name", "later")
	if list := ok(t, where[:1], "keys", "list", "--creditor", "A", "--json"); !strings.Contains(list, `"created": "2026-03-01T07:00:00Z"`) {
		t.Errorf("a command does not go by the installation's clock: %s", list)
	}
	ok(t, where[:1], "verify")
	standsAt("2026-03-01T08:00:00+01:00", "2026-03-01T07:00:00Z", nothing)
}

// TestD104ATestClockIsForAnInstallationThatBeginsWithOne: whatever names it. What releases before the note have left counts too.
func TestD104ATestClockIsForAnInstallationThatBeginsWithOne(t *testing.T) {
	t.Parallel()
	const clock = "2026-01-05T08:00:00+01:00"
	forms := map[string]struct{ variables, arguments []string }{
		"a flag":              {nil, []string{"serve", "--test-clock", clock}},
		"the environment":     {[]string{"PURR_TEST_CLOCK=" + clock}, []string{"serve"}},
		"a part's flag":       {nil, []string{"worker", "--test-clock", clock}},
		"a part in a compose": {[]string{"PURR_TEST_CLOCK=" + clock}, []string{"api"}},
	}
	refused := func(t *testing.T, where []string) {
		t.Helper()
		for name, form := range forms {
			variables := append(slices.Clone(where), form.variables...)
			if form.arguments[0] != "serve" {
				variables = append(variables, "PURR_REDIS_URL="+testkit.Redis(t))
			}
			if r := run(t, variables, form.arguments...); r.code != 64 || !strings.Contains(r.stderr, "clock") || strings.Contains(r.stdout, "listening") {
				t.Errorf("%s: exit code %d, says %s", name, r.code, r.stderr)
			}
		}
		p := begin(t, where, "serve")
		p.listening() // it goes on as before
		equal(t, "exit code", p.terminate(), 0)
	}
	t.Run("that has run", func(t *testing.T) {
		t.Parallel()
		where := []string{"PURR_DATA=" + t.TempDir(), "PURR_LISTEN=127.0.0.1:0"}
		p := begin(t, where, "serve")
		p.listening()
		equal(t, "exit code", p.terminate(), 0)
		refused(t, where)
	})
	t.Run("of a former release", func(t *testing.T) {
		t.Parallel()
		in := install(t)
		c := in.another("A")
		c.invoice(t, invoiceOf{customer: c.customer(t, "Kari Nordmann"), days: 14, net: "1000.00", method: "PAPER"})
		must(t, in.Stop())
		db := openDatabase(t, in.Config.Database.URL)
		query(t, db, "DELETE FROM settings WHERE name = 'test_clock' RETURNING name")
		refused(t, []string{"PURR_DATA=" + in.Config.Data, "PURR_LISTEN=127.0.0.1:0"})
	})
}

// TestD106FilesWithoutADatabaseAreNoNewInstallation: kept files tell that the database is lost, or is another one.
func TestD106FilesWithoutADatabaseAreNoNewInstallation(t *testing.T) {
	t.Parallel()
	traces := map[string]string{"archive": "archive/ab/abcd", "outbox": "outbox/email/invoice-10001-shipment-17.eml", "marks": "workers/1"}
	for name, trace := range traces {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			data := t.TempDir()
			must(t, errors.Join(os.MkdirAll(filepath.Dir(filepath.Join(data, trace)), 0o700), os.WriteFile(filepath.Join(data, trace), []byte(" {} \n"), 0o600)))
			for _, setup := range house.Setups {
				var cfg app.Settings
				cfg.Database.URL = "sqlite:" + filepath.Join(data, "purr.db")
				setup.Change(t, &cfg)
				where := []string{"PURR_DATA=" + data, "PURR_LISTEN=127.0.0.1:0", "PURR_DATABASE_URL=" + cfg.Database.URL}
				beginsOnlyAnew(t, where, cfg.Database.Embedded())
			}
		})
	}
	t.Run("nothing", func(t *testing.T) {
		t.Parallel()
		data := t.TempDir()
		for _, nothing := range []string{"outbox/email/.draft.tmp", "archive/incoming/put-1", "inbox/from-the-bank.txt", "workers/1"} {
			path := filepath.Join(data, nothing)
			must(t, errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, []byte("    \n"), 0o600)))
		}
		begin(t, []string{"PURR_DATA=" + data, "PURR_LISTEN=127.0.0.1:0"}, "serve").listening()
	})
}

// beginsOnlyAnew fails the test unless an installation is refused that has kept files and no database, or an empty one, and is
// made with --new.
func beginsOnlyAnew(t *testing.T, where []string, embedded bool) {
	t.Helper()
	commands := [][]string{{"migrate"}}
	if file := filepath.Join(strings.TrimPrefix(where[0], "PURR_DATA="), "purr.db"); embedded {
		commands = append(commands, []string{"serve"})
		defer func() { must(t, os.Remove(file)) }() // for the next set-up
		for _, c := range commands {
			refusesAnew(t, where, c)
			if _, err := os.Lstat(file); !errors.Is(err, fs.ErrNotExist) {
				t.Errorf("purr %s has left a database: %v", c[0], err)
			}
		}
		must(t, os.WriteFile(file, nil, 0o600)) // an empty file is no database
	}
	for _, c := range commands {
		refusesAnew(t, where, c)
	}
	ok(t, where, "migrate", "--new")
	p := begin(t, where, "serve")
	p.listening()
	if strings.Contains(p.stderr.String(), "held") {
		t.Errorf("the new installation is held for what the former one has left: %s", p.stderr)
	}
	equal(t, "exit code", p.terminate(), 0)
}

func refusesAnew(t *testing.T, where, command []string) {
	t.Helper()
	if r := run(t, where, command...); r.code != 1 || !strings.Contains(r.stderr, "purr restore") || !strings.Contains(r.stderr, "--new") {
		t.Errorf("purr %s: exit code %d, says %s", command[0], r.code, r.stderr)
	}
}

// TestE8NoTestClockWithoutTheFlag: the path is not there.
func TestE8NoTestClockWithoutTheFlag(t *testing.T) {
	t.Parallel()
	where := []string{"PURR_DATA=" + migrated(t), "PURR_LISTEN=127.0.0.1:0"}
	ok(t, where[:1], "creditor", "create", "--name", "A")
	key := strings.TrimSpace(ok(t, where[:1], "keys", "create", "--creditor", "A", "--scope", "admin"))
	url := begin(t, where, "serve").listening()
	api := newClient(t, func() string { return url }, key)
	api.send(t, call{method: "GET", path: "/api/v1/test_clock"}).Is(http.StatusNotFound)
	api.send(t, call{method: "POST", path: "/api/v1/test_clock", body: house.ClockAt(start)}).Is(http.StatusNotFound)
}

// TestD3Keys creates keys of each scope while the server runs, lists them without saying them, and revokes one:
// it is wrong at once.
func TestD3Keys(t *testing.T) {
	t.Parallel()
	where := []string{"PURR_DATA=" + migrated(t), "PURR_LISTEN=127.0.0.1:0"}
	ok(t, where[:1], "creditor", "create", "--name", "Fjord Rør AS")
	url := begin(t, where, "serve").listening()
	api := newClient(t, func() string { return url }, "")
	keys := map[string]string{}
	for _, scope := range []string{"read", "write", "admin"} {
		said := ok(t, where[:1], "keys", "create", "--creditor", "Fjord Rør AS", "--scope", scope, "--name", "til "+scope)
		if !regexp.MustCompile(`^purr_[A-Z2-7]+\n$`).MatchString(said) {
			t.Errorf("purr keys create says %q, not the key alone", said)
		}
		keys[scope] = strings.TrimSpace(said)
	}
	const customer = `<customer><name1>Ola</name1><postal_code>0155</postal_code><postal_name>Oslo</postal_name></customer>`
	for scope, want := range map[string][3]int{"read": {200, 403, 403}, "write": {200, 201, 403}, "admin": {200, 201, 200}} {
		c := api.as(keys[scope])
		got := [3]int{
			c.send(t, call{method: "GET", path: "/api/v1/customers"}).Status,
			c.send(t, call{method: "POST", path: "/api/v1/customers", body: customer}).Status,
			c.send(t, call{method: "PUT", path: "/api/v1/creditor", body: "<creditor/>"}).Status,
		}
		equal(t, "what a key of scope "+scope+" may do", got, want)
	}
	list := ok(t, where[:1], "keys", "list", "--creditor", "1")
	for scope, key := range keys {
		if strings.Contains(list, key) || !regexp.MustCompile(`til `+scope+` +`+scope+` +20\d\d-`).MatchString(list) {
			t.Errorf("purr keys list says %s", list)
		}
	}
	ok(t, where[:1], "keys", "revoke", "--creditor", "1", "2")
	api.as(keys["write"]).send(t, call{method: "GET", path: "/api/v1/customers"}).Is(http.StatusUnauthorized)
	api.as(keys["read"]).send(t, call{method: "GET", path: "/api/v1/customers"}).Is(http.StatusOK)
	if r := run(t, where[:1], "keys", "revoke", "--creditor", "1", "99"); r.code != 1 {
		t.Errorf("revoking a key that is not there: exit code %d, says %s", r.code, r.stderr)
	}
}
