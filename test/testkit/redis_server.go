package testkit

import (
	"net/url"
	"strings"
	"testing"

	"github.com/redis/go-redis/v9"

	"purr/test/testkit/servers"
)

// RedisProcess is a Redis server of the test's own, which the test may treat badly.
type RedisProcess struct {
	// URL is the redis:// URL of database 0. It stays the same when the server is started again.
	URL string

	t      testing.TB
	server *servers.Server
}

// RedisServer starts a Redis server that is stopped when the test ends.
func RedisServer(t testing.TB) *RedisProcess {
	t.Helper()
	server, err := servers.StartRedis(t.Context(), servers.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := server.Stop(); err != nil {
			t.Errorf("stop Redis: %v", err)
		}
	})
	return &RedisProcess{URL: server.URL, t: t, server: server}
}

// Kill ends the server at once, and all that it holds is lost.
func (p *RedisProcess) Kill() { p.server.Kill() }

// Server returns the process.
func (p *RedisProcess) Server() *servers.Server { return p.server }

// Start starts the killed server again, empty.
func (p *RedisProcess) Start() {
	p.t.Helper()
	if err := p.server.Start(p.t.Context()); err != nil {
		p.t.Fatal(err)
	}
}

// Flush removes all that the server holds.
func (p *RedisProcess) Flush() {
	p.t.Helper()
	options, err := redis.ParseURL(p.URL)
	if err != nil {
		p.t.Fatal(err)
	}
	client := redis.NewClient(options)
	defer func() { _ = client.Close() }()
	if err := client.FlushAll(p.t.Context()).Err(); err != nil {
		p.t.Fatalf("flush Redis: %v", err)
	}
}

// Sentinels starts so many Sentinels that watch the server, and are stopped when the test ends. It returns the redis+sentinel:// URL that
// names them all.
func (p *RedisProcess) Sentinels(n int) (all []*servers.Server, sentinels string) {
	p.t.Helper()
	var hosts []string
	for range n {
		sentinel, err := servers.StartSentinel(p.t.Context(), p.server, servers.Options{})
		if err != nil {
			p.t.Fatal(err)
		}
		p.t.Cleanup(func() {
			if err := sentinel.Stop(); err != nil {
				p.t.Errorf("stop the Sentinel: %v", err)
			}
		})
		u, err := url.Parse(sentinel.URL)
		if err != nil {
			p.t.Fatal(err)
		}
		all, hosts = append(all, sentinel), append(hosts, u.Host)
		sentinels = strings.Replace(sentinel.URL, "@"+u.Host, "@"+strings.Join(hosts, ","), 1)
	}
	return all, sentinels
}
