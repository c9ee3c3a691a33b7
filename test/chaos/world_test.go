//go:build chaos

package chaos_test

import (
	"context"
	"database/sql"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/redis/go-redis/v9"

	"purr/test/testkit/servers"
)

// world is what all rounds share: the program, and a MariaDB and a Redis of their own. Its MariaDB is as durable as in
// production, its Redis forgets everything when it is killed.
type world struct {
	folder  string
	binary  string
	mariadb *servers.Server
	redis   *servers.Server
	s3      *servers.Server // nil where files lie in a folder
	tally   *tally
}

func newWorld(t *testing.T) *world {
	t.Helper()
	folder, err := os.MkdirTemp("", "purr-chaos-") //nolint:usetesting // it is kept if there is a finding
	must(t, err)
	w := &world{folder: folder, binary: filepath.Join(folder, "purr"), tally: &tally{}}
	if *built != "" {
		w.binary = *built
	} else {
		must(t, buildWithShiftedClock(t.Context(), folder, w.binary))
	}
	w.mariadb, err = servers.StartMariaDB(t.Context(), servers.Options{Dir: folder, Durable: true})
	must(t, err)
	t.Cleanup(func() { must(t, w.mariadb.Stop()) })
	w.redis, err = servers.StartRedis(t.Context(), servers.Options{Dir: folder})
	must(t, err)
	t.Cleanup(func() { must(t, w.redis.Stop()) })
	if *inS3 {
		w.s3, err = servers.StartS3(t.Context(), servers.Options{Dir: folder})
		must(t, err)
		t.Cleanup(func() { must(t, w.s3.Stop()) })
	}
	return w
}

// database makes an empty database, which is dropped when the test ends.
func (w *world) database(t *testing.T, name string) string {
	t.Helper()
	db, err := servers.OpenMySQL(w.mariadb.URL)
	must(t, err)
	_, err = db.ExecContext(t.Context(), "CREATE DATABASE "+name+" CHARACTER SET utf8mb4 COLLATE utf8mb4_bin")
	must(t, err)
	t.Cleanup(func() {
		_, err := db.ExecContext(context.Background(), "DROP DATABASE "+name)
		must(t, err)
		must(t, db.Close())
	})
	u, err := url.Parse(w.mariadb.URL)
	must(t, err)
	u.Path = "/" + name
	return u.String()
}

// redisDo makes a command of Redis, past the proxies.
func (w *world) redisDo(ctx context.Context, command ...any) error {
	client, err := w.redisClient()
	if err != nil {
		return err
	}
	defer func() { _ = client.Close() }()
	return client.Do(ctx, command...).Err()
}

// redisClient returns a client of Redis, past the proxies. The caller closes it.
func (w *world) redisClient() (*redis.Client, error) {
	options, err := redis.ParseURL(w.redis.URL)
	if err != nil {
		return nil, err
	}
	return redis.NewClient(options), nil
}

// open opens a round's database, past the proxies.
func open(databaseURL string) (*sql.DB, error) {
	if path, is := strings.CutPrefix(databaseURL, "sqlite:"); is {
		return sql.Open("sqlite", path+"?_pragma=busy_timeout(30000)") // package store has brought the driver
	}
	return servers.OpenMySQL(databaseURL)
}

// tally counts over all rounds.
type tally struct {
	mu    sync.Mutex
	count map[string]int
	names []string
}

func (t *tally) add(name string, n int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.count == nil {
		t.count = map[string]int{}
	}
	if _, known := t.count[name]; !known {
		t.names = append(t.names, name)
	}
	t.count[name] += n
}

func (t *tally) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	var texts []string
	for _, name := range t.names {
		texts = append(texts, fmt.Sprintf("%s %d", name, t.count[name]))
	}
	return strings.Join(texts, ", ")
}
