package e2e_test

import (
	"encoding/json"
	"net"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"purr/test/testkit"
	"purr/test/testkit/smtpserver"
)

// wrongSettings are wrong in themselves, or with those that stand after them. NONE is a file that is not there.
var wrongSettings = []string{
	"database-url=postgres://u:hemmelig@db/purr", "redis-url=http://u:hemmelig@redis", "rules=NONE", "log-format=yaml", "log-level=loud", "listen=nonsense",
	"base-url=faktura.example.no", "tls-certificate=NONE tls-key=NONE", "tls-key=NONE tls-certificate=NONE", "inbox=DATA", "keep-rejected=ever", "min-free-disk=much",
	"smtp-url=ftp://u:hemmelig@mail.example.no", "smtp-plain=maybe", "mail-from=nobody", "bounce-address=example.no", "dkim-key=NONE dkim-domain=example.no dkim-selector=purr",
	"mail-rate=often", "rate-limit=x", "trusted-proxies=10.0.0.0/33", "console-idle=400h", "webhook-private-addresses=maybe", "concurrency=0", "database-connections=1",
	"sftp-url=http://x", "sftp-after=burn", "sftp-every=5s",
	"collection-sftp-host-key=garbage collection-sftp-url=sftp://u@127.0.0.1:1/f collection-sftp-password=hemmelig", "collector-every=5s",
	"avtalegiro-key-file=KEYLESS avtalegiro-url=sftp://u@127.0.0.1:1/f", "avtalegiro-every=5s", "avtalegiro-columns=x",
	"letters-url=gopher://u:hemmelig@h", "letters-every=1s", "letters-template=NONE", "letters-host-key=x",
	"ehf-url=gopher://u:hemmelig@h", "ehf-every=1s", "ehf-envelope=paper", "ehf-template=NONE",
	"efaktura-url=gopher://u:hemmelig@h", "efaktura-template=NONE", "efaktura-secret=hemmelig",
	"peppol-lookup=ask", "audit-before-sending=perhaps", "test-clock=yesterday",
}

// TestQ2EverythingThatIsWrongIsSaidInOneRun gives purr config check more than forty wrong settings at once, by flags and by variables.
// Then purr serve refuses to start with each of them.
func TestQ2EverythingThatIsWrongIsSaidInOneRun(t *testing.T) {
	t.Parallel()
	data := migrated(t)
	where := []string{"PURR_DATA=" + data, "PURR_LISTEN=127.0.0.1:0"}
	fill := strings.NewReplacer("NONE", filepath.Join(data, "none"), "DATA", data, "KEYLESS", "")
	arguments, variables := []string{"config", "check"}, []string{"PURR_DATA=" + data, "PURR_SMPT_URL=x", "PURR_LETTERS_PASSWORD_FILE=" + data + "/none", "PURR_EHF_SECRET=hemmelig", "PURR_EHF_SECRET_FILE=x"}
	given := map[string]bool{}
	for i, line := range wrongSettings {
		for _, s := range strings.Fields(fill.Replace(line)) {
			key, value, _ := strings.Cut(s, "=")
			switch {
			case given[key]:
			case i%2 == 0:
				arguments = append(arguments, "--"+key+"="+value)
			default:
				variables = append(variables, "PURR_"+strings.ToUpper(strings.ReplaceAll(key, "-", "_"))+"="+value)
			}
			given[key] = true
		}
	}
	r := run(t, variables, arguments...)
	if r.code != 64 || r.stderr != "" {
		t.Errorf("exit code %d, says %s", r.code, r.stderr)
	}
	named := func(name string) {
		if !regexp.MustCompile(`(?m)^` + name + ` .*[^k]$|^` + name + ` .*[^o]k$`).MatchString(r.stdout) {
			t.Errorf("nothing is said of %s", name)
		}
	}
	for _, line := range wrongSettings {
		key, _, _ := strings.Cut(line, "=")
		named("--" + key)
	}
	named("--letters-password +PURR_LETTERS_PASSWORD_FILE")
	named("--ehf-secret +PURR_EHF_SECRET")
	named(" +PURR_SMPT_URL")
	if strings.Contains(r.stdout, "hemm") {
		t.Error("a password is in it")
	}
	if t.Failed() {
		t.Log(r.stdout)
	}
	for _, line := range wrongSettings {
		alone := []string{"serve"}
		for s := range strings.FieldsSeq(fill.Replace(line)) {
			alone = append(alone, "--"+s)
		}
		if r := run(t, where, alone...); r.code == 0 || strings.Contains(r.stderr, "purr has started") {
			t.Errorf("%s starts with exit code %d", strings.Join(alone, " "), r.code)
		}
	}
}

// TestQ2WhatIsRightIsOKAndNothingIsMade checks an installation that does not exist yet, and servers that answer.
func TestQ2WhatIsRightIsOKAndNothingIsMade(t *testing.T) {
	t.Parallel()
	data := filepath.Join(t.TempDir(), "data")
	server, folder, bank := smtpserver.Start(t, smtpserver.WithLogin("kari", "hemmelig")), t.TempDir(), testkit.SFTPServer(t)
	where := []string{
		"PURR_DATA=" + data, "PURR_LISTEN=127.0.0.1:0", "PURR_SMTP_URL=" + server.URL(), "PURR_SFTP_URL=" + bank.Folder(folder), "PURR_SFTP_KEY_FILE=" + bank.KeyFile, "PURR_SFTP_HOST_KEY=" + bank.HostKey,
		"PURR_COLLECTION_SFTP_URL=" + bank.Folder(folder), "PURR_COLLECTION_SFTP_KEY_FILE=" + bank.KeyFile, "PURR_COLLECTION_SFTP_HOST_KEY=" + bank.HostKey,
	}
	if said := run(t, where, "config", "check"); said.code != 64 || !strings.Contains(said.stdout, "smtp-plain") || strings.Contains(said.stdout, "hemmelig") {
		t.Errorf("a password that would go without encryption: exit code %d: %s", said.code, said.stdout)
	}
	where = append(where, "PURR_SMTP_PLAIN=on")
	var rows []map[string]string
	must(t, json.Unmarshal([]byte(ok(t, where, "config", "check", "--json")), &rows))
	for _, r := range rows {
		if r["check"] != "ok" {
			t.Errorf("%v is not ok", r)
		}
	}
	if _, err := os.Stat(data); err == nil {
		t.Error("the check has made the data folder")
	}
	if left, err := os.ReadDir(folder); err != nil || len(left) > 0 {
		t.Errorf("the check left %v on the server (%v)", left, err)
	}
	if r := run(t, []string{"PURR_DATA=" + data}, "config", "check", "--as", "worker"); r.code != 64 || !strings.Contains(r.stdout, "no installation in") || !strings.Contains(r.stdout, "redis-url is needed") {
		t.Errorf("a worker without an installation: exit code %d: %s", r.code, r.stdout)
	}

	server.Down()
	bank.Kill()
	busy, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	must(t, err)
	defer busy.Close()
	r := run(t, append(where, "PURR_LISTEN="+busy.Addr().String()), "config", "check")
	for _, want := range []string{`--listen .*in use`, `--smtp-url .*refused`, `--sftp-url .*refused`, `--collection-sftp-url .*refused`} {
		if !regexp.MustCompile(`(?m)^`+want).MatchString(r.stdout) || r.code != 64 {
			t.Errorf("exit code %d: %s is not in %s", r.code, want, r.stdout)
		}
	}
	for arguments, want := range map[string]string{"config check --as all": "--as", "config check --bogus": "--bogus", "config check --as api --new": "--new"} {
		refused(t, 64, where, arguments, want)
	}
}

// TestQ2TheExampleIsRight takes the example as it is, and with every line that sets something.
func TestQ2TheExampleIsRight(t *testing.T) {
	t.Parallel()
	example := ok(t, nil, "config", "example")
	where := []string{"PURR_DATA=" + filepath.Join(t.TempDir(), "data"), "PURR_LISTEN=127.0.0.1:0"}
	all := where
	for _, line := range strings.Split(example, "\n") {
		if line != "" && !strings.HasPrefix(line, "#") {
			where = append(where, line)
		}
		if s, is := strings.CutPrefix(line, "# PURR_"); is && !strings.HasPrefix(s, "DATA=") && !strings.HasPrefix(s, "LISTEN=") {
			all = append(all, "PURR_"+s)
		}
	}
	ok(t, where, "config", "check")
	ok(t, all, "config", "check")
	if len(all) < 60 {
		t.Errorf("the example has %d settings", len(all))
	}
}
