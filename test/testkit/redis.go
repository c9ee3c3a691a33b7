package testkit

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"purr/test/testkit/servers"
)

// leaseTime outlives every test, so that only a test that crashed leaves a lease to expire.
const leaseTime = 2 * time.Hour

// Redis returns the redis:// URL of an empty database of the test's own on the server that
// PURR_TEST_REDIS names. The database is emptied when the test ends. Database 0 (but for the leases)
// and databases that hold something are never used, so the server may be one that serves others too.
//
// Published messages cross from database to database, and FLUSHALL empties those of other tests: a
// test that needs either, or a server that fails, takes RedisServer.
func Redis(t testing.TB) string {
	t.Helper()
	server := serverOf(t, servers.RedisVariable, "redis")
	options, err := redis.ParseURL(server.String())
	if err != nil {
		t.Fatalf("%s: %v", servers.RedisVariable, err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), Patience)
	defer cancel()
	l, err := takeLease(ctx, *options)
	if err != nil {
		t.Fatalf("%s: %v", servers.RedisVariable, err)
	}
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), Patience)
		defer cancel()
		if err := l.giveBack(ctx); err != nil {
			t.Errorf("give back Redis database %d: %v", l.database, err)
		}
	})
	server.Path = "/" + strconv.Itoa(l.database)
	return server.String()
}

// lease is the right to use one numbered database. A key in database 0 holds it against the tests of other processes.
type lease struct {
	server   redis.Options
	database int
}

func (l *lease) key() string { return "purr:test:lease:" + strconv.Itoa(l.database) }

// takeLease returns the lease of the first free database. It waits if none is free.
func takeLease(ctx context.Context, server redis.Options) (*lease, error) {
	server.DB = 0
	client := redis.NewClient(&server)
	defer func() { _ = client.Close() }()
	count, err := databases(ctx, client)
	if err != nil {
		return nil, err
	}
	tick := time.NewTicker(100 * time.Millisecond)
	defer tick.Stop()
	for {
		for number := 1; number < count; number++ {
			l := &lease{server, number}
			if free, err := l.take(ctx, client); err != nil || free {
				return l, err
			}
		}
		select {
		case <-ctx.Done():
			return nil, fmt.Errorf("none of the databases 1 to %d is empty and free: %w", count-1, ctx.Err())
		case <-tick.C:
		}
	}
}

func databases(ctx context.Context, client *redis.Client) (int, error) {
	config, err := client.ConfigGet(ctx, "databases").Result()
	if err != nil {
		return 0, fmt.Errorf("ask for the number of databases: %w", err)
	}
	return strconv.Atoi(config["databases"])
}

// take reports whether it got the lease and the database is empty.
func (l *lease) take(ctx context.Context, leases *redis.Client) (bool, error) {
	taken, err := leases.SetNX(ctx, l.key(), "", leaseTime).Result()
	if err != nil || !taken {
		return false, err
	}
	client := l.client(l.database)
	size, err := client.DBSize(ctx).Result()
	if err = errors.Join(err, client.Close()); err != nil || size > 0 {
		return false, errors.Join(err, leases.Del(ctx, l.key()).Err())
	}
	return true, nil
}

// giveBack empties the database and then ends the lease.
func (l *lease) giveBack(ctx context.Context) error {
	data, leases := l.client(l.database), l.client(0)
	defer func() { _, _ = data.Close(), leases.Close() }()
	if err := data.FlushDB(ctx).Err(); err != nil {
		return err
	}
	return leases.Del(ctx, l.key()).Err()
}

func (l *lease) client(database int) *redis.Client {
	options := l.server
	options.DB = database
	return redis.NewClient(&options)
}
