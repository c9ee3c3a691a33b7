package e2e_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"purr/test/testkit"
)

// TestHelpLeavesNothingBehind asks the program and one command for help. Package cmd/purr asks every command.
func TestHelpLeavesNothingBehind(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, words := range [][]string{{"--help"}, {"ocr", "unmatched", "match", "--help"}} {
		if help := ok(t, nil, words...); !strings.Contains(help, "Usage:") {
			t.Errorf("purr %s says: %s", strings.Join(words, " "), help)
		}
	}
	if left, err := os.ReadDir("."); err != nil || len(left) > 0 {
		t.Errorf("help left %v behind (%v)", left, err)
	}
}

// TestR3WrongConfigurationNamesItsKey starts the program with values that cannot be right. It says which one
// and ends with exit code 1, and no password is said.
func TestR3WrongConfigurationNamesItsKey(t *testing.T) {
	t.Parallel()
	data := migrated(t)
	where := []string{"PURR_DATA=" + data, "PURR_LISTEN=127.0.0.1:0"}
	for _, tc := range []struct {
		variables []string
		arguments string
		want      []string // on standard error
	}{
		{nil, "serve --rate-limit often", []string{"--rate-limit: must be a number"}},
		{nil, "serve --concurrency 0", []string{"--concurrency: must be a whole number from 1"}},
		{nil, "serve --log-format yaml", []string{"--log-format: must be text or json"}},
		{nil, "verify --log-level loud", []string{"--log-level: must be debug, info, warn or error"}},
		{nil, "serve --base-url faktura.example.no", []string{"--base-url: must be a URL"}},
		{nil, "serve --test-clock yesterday", []string{"--test-clock: must be a time"}},
		{nil, "serve --listen nonsense", []string{"listen: "}},
		{nil, "serve --rate-limit x --concurrency y", []string{"--rate-limit: ", "--concurrency: "}},
		{[]string{"PURR_RATE_LIMIT=often"}, "serve", []string{"PURR_RATE_LIMIT: must be a number"}},
		{[]string{"PURR_SMTP_URL=ftp://u:hemmelig@mail.example.no"}, "serve", []string{"smtp-url: "}},
		{[]string{"PURR_SMTP_URL=smtp://mail.example.no:99999?tls=none"}, "serve", []string{"smtp-url: "}},
		{[]string{"PURR_REDIS_URL=http://u:hemmelig@redis"}, "serve", []string{"redis-url: "}},
		{[]string{"PURR_REDIS_URL=redis://:hemmelig@127.0.0.1:port"}, "serve", []string{"redis-url: "}},
		{[]string{"PURR_REDIS_URL=redis+sentinel://:hemmelig@127.0.0.1:1/0"}, "serve", []string{"redis-url: ", "master"}},
		{[]string{"PURR_DATABASE_URL=postgres://u:hemmelig@db/purr"}, "serve", []string{"database-url: ", "mysql://"}},
		{[]string{"PURR_DATABASE_URL=mysql://u:hemmelig@db"}, "verify", []string{"database-url: ", "database name"}},
		{[]string{"PURR_DATABASE_URL=mysql://u:hemmelig@127.0.0.1:1/purr"}, "verify", []string{"database-url: ", "127.0.0.1:1", "refused"}},
		{[]string{"PURR_DATABASE_URL=mysql://u:hemm%zzelig@127.0.0.1:1/purr"}, "migrate", []string{"database-url: "}},
		{[]string{"PURR_DATABASE_URL_FILE=" + data + "/none"}, "verify", []string{"PURR_DATABASE_URL_FILE: ", "no such file"}},
		{[]string{"PURR_DATABASE_URL=sqlite:x", "PURR_DATABASE_URL_FILE=y"}, "verify", []string{"PURR_DATABASE_URL: ", "PURR_DATABASE_URL_FILE"}},
		{nil, "keys create", []string{"purr creditor create"}},
		{nil, "keys create --creditor nobody", []string{"nobody"}},
		{nil, "creditor create --name A --bank-account 12345678901", []string{"bank_account: "}},
		{nil, "creditor create --name A --organisation-number 123456789", []string{"organisation_number: "}},
		{nil, "creditor create --name A --time-zone Mars", []string{"time_zone: "}},
		{nil, "creditor create --name A --email nobody", []string{"email: "}},
		{nil, "dunning run --creditor nobody", []string{"nobody"}},
		{nil, "shipments retry 99", []string{"shipment"}},
		{nil, "shipments show invoice-1-shipment-99", []string{"no such shipment"}},
		{nil, "shipments report 99 returned", []string{"there is no shipment 99"}},
		{nil, "shipments report none.xml", []string{"none.xml"}},
		{nil, "ocr import none.txt", []string{"none.txt"}},
		{nil, "ocr inspect none.txt", []string{"none.txt"}},
	} {
		refused(t, 1, append(where, tc.variables...), tc.arguments, tc.want...)
	}
}

// TestD92ShipmentsShowSaysToWhom at the command line, in words and in JSON.
func TestD92ShipmentsShowSaysToWhom(t *testing.T) {
	t.Parallel()
	in := install(t)
	c := in.another("A")
	c.invoice(t, invoiceOf{customer: c.customer(t, "Kari Nordmann"), days: 14, net: "1000.00", method: "EMAIL"})
	c.invoice(t, invoiceOf{customer: c.customer(t, "Ola Nordmann"), days: 14, net: "1000.00", method: "PAPER"})
	var mail, letter struct{ Recipient map[string]string }
	must(t, json.Unmarshal([]byte(ok(t, in.where(), "shipments", "show", "1", "--json")), &mail))
	must(t, json.Unmarshal([]byte(ok(t, in.where(), "shipments", "show", "2", "--json")), &letter))
	if to := mail.Recipient; len(to) != 2 || to["name1"] != "Kari Nordmann" || !strings.Contains(to["email"], "@") {
		t.Errorf("the e-mail goes to %v", to)
	}
	if to := letter.Recipient; to["name1"] != "Ola Nordmann" || to["address1"] == "" || to["postal_code"] == "" || to["email"] != "" {
		t.Errorf("the letter goes to %v", to)
	}
	for name, value := range letter.Recipient {
		if said := ok(t, in.where(), "shipments", "show", "2"); !regexp.MustCompile(`(?m)^` + name + ` +` + value + `$`).MatchString(said) {
			t.Errorf("the letter's %s %s is not in\n%s", name, value, said)
		}
	}
}

// TestO4WrongUse ends with exit code 64 whatever cannot be a command line of the program.
func TestO4WrongUse(t *testing.T) {
	t.Parallel()
	where := []string{"PURR_DATA=" + t.TempDir()}
	ok(t, where, "migrate")
	for arguments, want := range map[string]string{
		"serve extra":     "extra",
		"serve --bogus":   "--bogus",
		"bogus":           "bogus",
		"creditor create": "name the creditor: purr creditor create NAME",
		"creditor set":    "1 arg",
		"keys create --creditor nobody --scope all": "--scope: must be read, write or admin",
		"keys revoke --creditor nobody first":       `"first" is not a key's ID; purr keys list`,
		"ocr unmatched dismiss 1":                   "comment",
		"ocr checks --last many":                    "--last",
	} {
		refused(t, 64, where, arguments, want)
	}
}

// refused runs the program with arguments that it does not take: it says why on standard error, and no password.
func refused(t *testing.T, code int, variables []string, arguments string, wanted ...string) {
	t.Helper()
	r := run(t, variables, strings.Fields(arguments)...)
	said := strings.Join(variables, " ") + " purr " + arguments + " says " + r.stderr
	if r.code != code || r.stdout != "" {
		t.Errorf("%s: exit code %d, want %d, standard output %q", said, r.code, code, r.stdout)
	}
	for _, want := range wanted {
		if !strings.Contains(r.stderr, want) {
			t.Errorf("%s: %q is not in it", said, want)
		}
	}
	if strings.Contains(r.stderr, "hemm") {
		t.Errorf("%s: the password is in it", said)
	}
}

// TestAMisspeltCommandFails keeps a timetable from calling for months what does nothing.
func TestAMisspeltCommandFails(t *testing.T) {
	t.Parallel()
	for arguments, want := range map[string]string{
		"ocr imprt OCR.txt":     "purr: there is no purr ocr imprt: do you mean import?\n",
		"ocr unmatched settle":  "purr: there is no purr ocr unmatched settle: see purr ocr unmatched --help\n",
		"dunning rules chekc x": "purr: there is no purr dunning rules chekc: do you mean check?\n",
	} {
		r := run(t, nil, strings.Fields(arguments)...)
		if r.code != 64 || r.stdout != "" || r.stderr != want {
			t.Errorf("purr %s: exit code %d, says %q and %q, want %q", arguments, r.code, r.stdout, r.stderr, want)
		}
	}
}

// TestR3ConfigurationFromTheEnvironment gives everything by variables, the secret one by a file.
func TestR3ConfigurationFromTheEnvironment(t *testing.T) {
	t.Parallel()
	data := t.TempDir()
	secret := filepath.Join(t.TempDir(), "database-url")
	must(t, os.WriteFile(secret, []byte("sqlite:"+filepath.Join(data, "elsewhere.db")+"\n"), 0o600))
	where := []string{"PURR_DATA=" + data, "PURR_DATABASE_URL_FILE=" + secret}
	p := begin(t, append(where, "PURR_LISTEN=127.0.0.1:0", "PURR_BASE_URL=https://faktura.example.no/purr/", "PURR_LOG_FORMAT=json",
		"PURR_TEST_CLOCK=2026-01-05T08:00:00+01:00"), "serve")
	url := p.listening()
	equal(t, "lines on standard output", strings.Count(p.stdout.String(), "\n"), 1)
	if !regexp.MustCompile(`^http://127\.0\.0\.1:\d+$`).MatchString(url) {
		t.Errorf("it listens on %q", url)
	}
	api := newClient(t, func() string { return url }, strings.TrimSpace(ok(t, where, "keys", "create", "--creditor", "default", "--scope", "admin")))
	equal(t, "uri", api.Get("/api/v1/creditor").Shown().At("@uri"), "https://faktura.example.no/purr/api/v1/creditor")
	equal(t, "time", api.Get("/api/v1/test_clock").Shown().At("now"), "2026-01-05T07:00:00Z")
	if _, err := os.Stat(filepath.Join(data, "elsewhere.db")); err != nil {
		t.Errorf("the database is not where the file says: %v", err)
	}
	equal(t, "exit code", p.terminate(), 0)
	if log := p.stderr.String(); !strings.Contains(log, `"route":"/api/v1/creditor"`) {
		t.Errorf("the log is not JSON on standard error: %s", log)
	}
	for _, line := range []string{`"msg":"purr has started"`, `"msg":"purr has stopped"`} {
		about := regexp.MustCompile(line + `,"version":"[^"]+","commit":"[^"]+","schema":\d+,.*"data":"` + data + `","database":"sqlite","mail":"folder","ehf":"folder","peppol_lookup":"off","efaktura":"off","letters":"folder"`)
		if log := p.stderr.String(); len(about.FindAllString(log, -1)) != 1 {
			t.Errorf("the log does not say %s once, and what runs: %s", line, log)
		}
	}
}

// TestR2PartsNeedTheirServersAndTheirSchema: a part says what is missing, and refuses a schema that is older
// or newer than it is.
func TestR2PartsNeedTheirServersAndTheirSchema(t *testing.T) {
	t.Parallel()
	database, data := testkit.MySQL(t), filepath.Join(t.TempDir(), "data")
	where := []string{"PURR_DATA=" + data, "PURR_DATABASE_URL=" + database, "PURR_REDIS_URL=" + testkit.Redis(t), "PURR_LISTEN=127.0.0.1:0"}
	refused := func(variables []string, want string) {
		t.Helper()
		for _, part := range []string{"api", "worker", "scheduler"} {
			if r := run(t, variables, part); r.code != 1 || !strings.Contains(r.stderr, want) {
				t.Errorf("purr %s: exit code %d, says %s, want %q in it", part, r.code, r.stderr, want)
			}
		}
	}
	refused([]string{"PURR_DATA=" + data}, "redis-url is needed")
	if _, err := os.Stat(data); err == nil {
		t.Error("a part that lacks its Redis left a data folder behind")
	}
	refused(where, "purr migrate")
	for range 2 {
		if said := ok(t, where, "migrate"); !strings.Contains(said, "version") {
			t.Errorf("purr migrate says %s", said)
		}
	}
	p := begin(t, where, "api")
	p.listening()
	equal(t, "exit code of the api", p.terminate(), 0)

	newer(t, database)
	refused(where, "newer than this program")
	if r := run(t, where, "migrate"); r.code != 1 || !strings.Contains(r.stderr, "newer than this program") {
		t.Errorf("purr migrate on a newer schema: exit code %d, says %s%s", r.code, r.stdout, r.stderr)
	}
	if r := run(t, where, "verify"); r.code != 1 || !strings.Contains(r.stderr, "newer than this program") {
		t.Errorf("purr verify on a newer schema: exit code %d, says %s%s", r.code, r.stdout, r.stderr)
	}
}

// TestR2EmbeddedRefusesANewerSchema: an older program does not write into what a newer one has made.
func TestR2EmbeddedRefusesANewerSchema(t *testing.T) {
	t.Parallel()
	data := migrated(t)
	ok(t, nil, "creditor", "create", "--name", "A", "--data", data)
	newer(t, "sqlite:"+filepath.Join(data, "purr.db"))
	for _, command := range []string{"serve", "verify", "migrate"} {
		if r := run(t, []string{"PURR_LISTEN=127.0.0.1:0"}, command, "--data", data); r.code != 1 || !strings.Contains(r.stderr, "newer than this program") {
			t.Errorf("purr %s: exit code %d, says %s%s", command, r.code, r.stdout, r.stderr)
		}
	}
}

// newer has a newer program migrate the database.
func newer(t *testing.T, database string) {
	t.Helper()
	_, err := openDatabase(t, database).ExecContext(t.Context(), "INSERT INTO goose_db_version (version_id, is_applied) VALUES (9999, 1)")
	must(t, err)
}

// TestR6Creditors makes, lists, shows and changes creditors.
func TestR6Creditors(t *testing.T) {
	t.Parallel()
	where := []string{"PURR_DATA=" + migrated(t)}
	equal(t, "number", ok(t, where, "creditor", "create", "--name", "Fjord Rør AS", "--organisation-number", "974760673", "--bank-account", account), "1\n")
	equal(t, "number of the second", ok(t, where, "creditor", "create", "--name", "Kaffe & Kake AS"), "2\n")
	for _, wrong := range [][]string{{"--name", "Fjord Rør AS"}, {"--name", "Andre AS", "--bank-account", account}} {
		if r := run(t, where, append([]string{"creditor", "create"}, wrong...)...); r.code != 1 || r.stderr == "" {
			t.Errorf("creating %v: exit code %d, says %s", wrong, r.code, r.stderr)
		}
	}
	list := ok(t, where, "creditor", "list")
	for _, want := range []string{"Fjord Rør AS", "Kaffe & Kake AS", account, "974760673"} {
		if !strings.Contains(list, want) {
			t.Errorf("purr creditor list says %s: %s is not in it", list, want)
		}
	}
	if r := run(t, where, "creditor", "set", "2", "--email", "post@kake.example", "--dunning"); r.code != 1 || !strings.Contains(r.stderr, "bank_account: dunning needs") {
		t.Errorf("dunning for whom nothing is known of (L8): exit code %d, says %s", r.code, r.stderr)
	}
	ok(t, where, "creditor", "set", "2", "--email", "post@kake.example", "--dunning", "--organisation-number", "923609016", "--address1", "Torget 1",
		"--postal-code", "5003", "--postal-name", "Bergen", "--bank-account", "97104133219")
	ok(t, where, "creditor", "set", "2", "--address1", "")
	shown := ok(t, where, "creditor", "show", "Kaffe & Kake AS")
	for _, want := range []string{"post@kake.example", "Bergen", "Europe/Oslo", "missing", "address1"} {
		if !strings.Contains(shown, want) {
			t.Errorf("purr creditor show says %s: %s is not in it", shown, want)
		}
	}
	if r := run(t, where, "creditor", "set", "2", "--bank-account", "1"); r.code != 1 || !strings.Contains(r.stderr, "bank_account") {
		t.Errorf("setting a wrong account: exit code %d, says %s", r.code, r.stderr)
	}
	equal(t, "the creditor after a refused change", ok(t, where, "creditor", "show", "2"), shown)
}
