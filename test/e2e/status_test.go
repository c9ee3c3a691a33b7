package e2e_test

import (
	"encoding/json"
	"strings"
	"testing"

	"purr/test/testkit"
)

// TestQ9Status asks where an installation is: while nothing runs, while it runs by itself, and after a backup. Each answer has ten lines
// at most, and the exit code says whether anything is wrong.
func TestQ9Status(t *testing.T) {
	t.Parallel()
	where := []string{"PURR_DATA=" + migrated(t), "PURR_LISTEN=127.0.0.1:0"}
	ok(t, where[:1], "creditor", "create", "--name", "A", "--bank-account", account, "--email", "post@a.example")
	said, code := status(t, where)
	equal(t, "exit code while nothing runs", code, 1)
	contains(t, said, "parts               none", "no worker runs", "no scheduler runs", "no api runs")

	p := begin(t, where, "serve")
	p.listening()
	said, code = status(t, where)
	equal(t, "exit code while it runs", code, 0)
	contains(t, said, "api scheduler worker on ", "nothing is owed", "last bank file      none yet", "last backup         none yet", "wrong               nothing")
	if n := strings.Count(said, "\n"); n > 10 {
		t.Errorf("status says %d lines:\n%s", n, said)
	}

	ok(t, where[:1], "backup", t.TempDir()+"/backup")
	var object struct {
		Parts      []struct{ Kind, Host, Version, Since string }
		LastBackup string   `json:"last_backup"`
		Wrong      []string `json:"wrong"`
	}
	said, code = status(t, where, "--json")
	must(t, json.Unmarshal([]byte(said), &object))
	if code != 0 || len(object.Parts) != 1 || object.Parts[0].Kind != "api scheduler worker" || object.LastBackup == "" || len(object.Wrong) > 0 {
		t.Errorf("after a backup status exits with %d and says %+v", code, object)
	}
	equal(t, "exit code of the program", p.terminate(), 0)
	said, code = status(t, where)
	equal(t, "exit code after its end", code, 1)
	contains(t, said, "parts               none")
}

// TestQ9StatusOfParts asks of an installation on MariaDB and Redis whose worker is missing.
func TestQ9StatusOfParts(t *testing.T) {
	t.Parallel()
	where := []string{"PURR_DATA=" + t.TempDir(), "PURR_DATABASE_URL=" + testkit.MySQL(t), "PURR_REDIS_URL=" + testkit.RedisServer(t).URL}
	ok(t, where, "migrate")
	begin(t, append(where, "PURR_LISTEN=127.0.0.1:0"), "api").listening()
	begin(t, append(where, "PURR_LISTEN=127.0.0.1:0"), "scheduler").listening()
	said, code := status(t, where)
	equal(t, "exit code", code, 1)
	contains(t, said, "api on ", "scheduler on ", "no worker runs")
	if strings.Contains(said, "no api runs") || strings.Contains(said, "no scheduler runs") {
		t.Errorf("what runs is said not to run:\n%s", said)
	}
}

// status returns what purr status says, and its exit code.
func status(t *testing.T, where []string, arguments ...string) (string, int) {
	t.Helper()
	r := run(t, where, append([]string{"status"}, arguments...)...)
	return r.stdout, r.code
}

func contains(t *testing.T, said string, wants ...string) {
	t.Helper()
	for _, want := range wants {
		if !strings.Contains(said, want) {
			t.Errorf("status does not say %q:\n%s", want, said)
		}
	}
}
