package e2e_test

import (
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"purr/test/testkit"
	"purr/test/testkit/servers"
	"purr/test/testkit/smtpserver"
)

// TestD90PartsEndThoughTheirSentinelsAreGone kills the Redis server and all of its Sentinels, or lets them hang, or that while a mail
// server hangs too, and ends the parts: each ends within 20 s and well, and what was owed meanwhile leaves once, as soon as there is a
// queue again.
func TestD90PartsEndThoughTheirSentinelsAreGone(t *testing.T) {
	t.Parallel()
	hang := func(t *testing.T, s *servers.Server) { must(t, s.Signal(syscall.SIGSTOP)) }
	for _, tt := range []struct {
		name      string
		leave     func(*testing.T, *servers.Server)
		mailHangs bool
	}{
		{"they are killed", func(_ *testing.T, s *servers.Server) { s.Kill() }, false},
		{"they hang", hang, false},
		{"they hang, and so does the mail server", hang, true},
	} {
		t.Run(tt.name, func(t *testing.T) { partsEnd(t, tt.leave, tt.mailHangs) })
	}
}

func partsEnd(t *testing.T, leave func(*testing.T, *servers.Server), mailHangs bool) {
	mails, redis := smtpserver.Start(t), testkit.RedisServer(t)
	gone, url := redis.Sentinels(2)
	where := []string{"PURR_DATA=" + t.TempDir(), "PURR_DATABASE_URL=" + testkit.MySQL(t), "PURR_SMTP_URL=" + mails.URL(), "PURR_LISTEN=127.0.0.1:0"}
	sentinels := append(slices.Clone(where), "PURR_REDIS_URL="+url)
	ok(t, where, "migrate")
	ok(t, where, "creditor", "create", "--name", "Fjord Rør AS", "--bank-account", account, "--email", "post@fjord-ror.example")
	key := strings.TrimSpace(ok(t, where, "keys", "create", "--creditor", "Fjord Rør AS", "--scope", "admin"))
	var processes []*process
	for _, part := range []string{"worker", "scheduler", "api"} {
		processes = append(processes, begin(t, sentinels, part))
	}
	address := processes[2].listening()
	api := newClient(t, func() string { return address }, key)
	sent := func(n int) {
		t.Helper()
		eventually(t, "the mails leave", func() (bool, any) { return len(mails.Messages()) >= n, len(mails.Messages()) })
	}
	invoice := func() {
		api.invoice(t, invoiceOf{customer: api.customer(t, "Kari Nordmann"), days: 14, net: "1000.00", method: "EMAIL"})
	}
	invoice()
	sent(1)

	if mailHangs {
		held := mails.Hold(smtpserver.Mail)
		invoice()
		<-held.Reached()
		defer held.Release()
	}
	for _, s := range append(gone, redis.Server()) {
		leave(t, s)
	}
	if !mailHangs {
		invoice() // it is owed
	}
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

	mails.Behave()
	begin(t, where, "serve").listening()
	sent(2)
	equal(t, "mails", len(mails.Messages()), 2)
}
