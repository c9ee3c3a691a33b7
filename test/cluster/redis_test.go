//go:build cluster

package cluster_test

import (
	"fmt"
	"net/http"
	"os"
	"testing"
	"time"

	"purr/test/testkit"
	"purr/test/testkit/servers"
	"purr/test/testkit/smtpserver"
)

// onRedis runs a purr in parts on one MariaDB and the Redis, and returns it with a load of invoices that has begun.
func onRedis(t *testing.T, redisURL string) (c *cluster, worker *process, l *load) {
	t.Helper()
	db, err := servers.StartMariaDB(t.Context(), servers.Options{Dir: os.TempDir()}) //nolint:usetesting // sockets need a short path
	testkit.Must(t, err)
	t.Cleanup(func() { testkit.Must(t, db.Stop()) })
	bare, err := servers.OpenMySQL(db.URL)
	testkit.Must(t, err)
	_, err = bare.ExecContext(t.Context(), "CREATE DATABASE purr CHARACTER SET utf8mb4 COLLATE utf8mb4_bin")
	testkit.Must(t, err)
	testkit.Must(t, bare.Close())
	c = &cluster{t: t, nodes: []*servers.Server{db}, data: t.TempDir(), redis: redisURL, mails: smtpserver.Start(t)}
	run(t, c.on(0), "migrate")
	run(t, c.on(0), "creditor", "create", "--name", "Fjord Rør AS", "--bank-account", "12345678903", "--email", "post@fjord-ror.example")
	key := run(t, c.on(0), "keys", "create", "--creditor", "Fjord Rør AS")
	api := begin(t, c.on(0), "api", "--listen", "127.0.0.1:0")
	worker = begin(t, c.on(0), "worker", "--listen", "127.0.0.1:0")
	c.parts = []*process{api, worker, begin(t, c.on(0), "worker"), begin(t, c.on(0), "scheduler"), begin(t, c.on(0), "scheduler")}
	l = startLoad(t, "load", []string{api.url()}, key, 3)
	c.awaits(l, "at first", 50)
	c.sends("at first")
	return c, worker, l
}

// sends waits until so many more e-mails have left, and tells how long that took.
func (c *cluster) sends(when string) {
	c.t.Helper()
	const more = 20
	began, from := time.Now(), len(c.mails.Messages())
	testkit.Eventually(c.t, "e-mails leave "+when, func() (bool, any) { n := len(c.mails.Messages()) - from; return n >= more, n })
	c.t.Logf("%s: %d e-mails have left after %s", when, more, time.Since(began).Round(10*time.Millisecond))
}

// ends ends the load and all parts, and checks that nothing was lost and nothing was sent twice.
func (c *cluster) ends(l *load) {
	c.t.Helper()
	l.finish()
	c.check(l)
	for _, p := range c.parts {
		p.end()
	}
	c.t.Logf("%d invoices; the slowest answer took %s", l.count(), l.slowest)
}

// TestK4SentinelsFailOver kills the master that three Sentinels watch, with users, passwords and TLS, and later the new one.
func TestK4SentinelsFailOver(t *testing.T) {
	master, replica, redisURL := newRedisHouse(t).sentinels()
	c, _, l := onRedis(t, redisURL)
	master.kill()
	c.awaits(l, "when the master has died", 50)
	replica.takesOver()
	c.sends("when the master has died")
	master.begin()
	master.says("master_link_status:up", ours, "INFO", "replication") // it follows the other one now
	replica.kill()
	c.awaits(l, "when the new master has died", 50)
	master.takesOver()
	c.sends("when the new master has died")
	c.ends(l)
}

// TestK4AClusterFailsOver kills each master of a Cluster of three, with users, passwords and TLS.
func TestK4AClusterFailsOver(t *testing.T) {
	masters, replicas, redisURL := newRedisHouse(t).clustered()
	c, _, l := onRedis(t, redisURL)
	for i, m := range masters {
		when := fmt.Sprintf("when master %d has died", i+1)
		m.kill()
		c.awaits(l, when, 50)
		replicas[i].takesOver()
		c.sends(when)
		m.begin()
		m.says("role:slave", ours, "INFO", "replication")
		m.says("master_link_status:up", ours, "INFO", "replication")
	}
	c.ends(l)
}

// TestK4ARedisThatRefusesWrites has a Redis whose memory is full, and then one that lacks the replicas which it must have:
// invoices are issued, workers say within ten seconds that they are not ready, and what was delayed is sent afterwards.
func TestK4ARedisThatRefusesWrites(t *testing.T) {
	h := newRedisHouse(t)
	n := h.start(users)
	n.says("PONG", ours, "PING")
	c, worker, l := onRedis(t, fmt.Sprintf("rediss://%s:%s@%s/0?ca=%s", ours, password, n.address(), h.authority()))
	for _, refusal := range []struct{ setting, on, off string }{{"maxmemory", "1", "0"}, {"min-replicas-to-write", "1", "0"}} {
		n.must("CONFIG", "SET", refusal.setting, refusal.on)
		began := time.Now()
		testkit.Eventually(t, "the worker is not ready: "+refusal.setting, func() (bool, any) { s := readyz(t, worker); return s == http.StatusServiceUnavailable, s })
		took := time.Since(began)
		if t.Logf("%s: the worker says so after %s", refusal.setting, took.Round(10*time.Millisecond)); took > 10*time.Second {
			t.Errorf("%s: the worker says that it is not ready after %s", refusal.setting, took)
		}
		c.awaits(l, "while Redis refuses writes", 50)
		n.must("CONFIG", "SET", refusal.setting, refusal.off)
		testkit.Eventually(t, "the worker is ready again", func() (bool, any) { s := readyz(t, worker); return s == http.StatusOK, s })
		c.sends("when Redis takes writes again")
	}
	c.ends(l)
}

// readyz returns the status that a part answers for its health.
func readyz(t *testing.T, p *process) int {
	t.Helper()
	got, err := http.Get(p.url() + "/readyz")
	testkit.Must(t, err)
	testkit.Must(t, got.Body.Close())
	return got.StatusCode
}
