package e2e_test

import (
	"strings"
	"syscall"
	"testing"
	"time"

	"purr/internal/testkit"
	"purr/internal/testkit/smtpserver"
)

// TestD90PartsEndThoughTheirSentinelsAreGone kills the Redis server and all of its Sentinels, or lets them hang, and ends the
// parts: each ends in time and well, and what was owed meanwhile leaves once, as soon as there is a queue again.
func TestD90PartsEndThoughTheirSentinelsAreGone(t *testing.T) {
	t.Parallel()
	mails := smtpserver.Start(t)
	redis := testkit.RedisServer(t)
	first, killFirst := redis.Sentinel()
	second, killSecond := redis.Sentinel()
	at := func(url string) string { return strings.Split(strings.Split(url, "@")[1], "/")[0] }
	where := []string{"PURR_DATA=" + t.TempDir(), "PURR_DATABASE_URL=" + testkit.MySQL(t), "PURR_SMTP_URL=" + mails.URL(), "PURR_LISTEN=127.0.0.1:0"}
	sentinels := append(where[:len(where):len(where)], "PURR_REDIS_URL="+first)
	_ = at(second)
	ok(t, where, "migrate")
	ok(t, where, "creditor", "create", "--name", "Fjord Rør AS", "--bank-account", account, "--email", "post@fjord-ror.example")
	key := strings.TrimSpace(ok(t, where, "keys", "create", "--creditor", "Fjord Rør AS", "--scope", "admin"))
	var processes []*process
	for _, part := range []string{"worker", "scheduler", "api"} {
		processes = append(processes, begin(t, sentinels, part))
	}
	urls := processes[2].listening()
	api := newClient(t, func() string { return urls }, key)
	sent := func(n int) {
		t.Helper()
		eventually(t, "the mails leave", func() (bool, any) { return len(mails.Messages()) >= n, len(mails.Messages()) })
	}
	invoice := func() {
		api.invoice(t, invoiceOf{customer: api.customer(t, "Kari Nordmann"), days: 14, net: "1000.00", method: "EMAIL"})
	}
	invoice()
	sent(1)

	killFirst()
	killSecond()
	redis.Kill()
	invoice() // it is owed
	asked := time.Now()
	for _, p := range processes {
		must(t, p.command.Process.Signal(syscall.SIGTERM))
	}
	for _, p := range processes {
		equal(t, "exit code", p.code(), 0)
		if took := time.Since(asked); took > 20*time.Second {
			t.Errorf("%s took %s to end", p.command.Args[1], took)
		}
	}

	begin(t, where, "serve").listening()
	sent(2)
	equal(t, "mails", len(mails.Messages()), 2)
}
