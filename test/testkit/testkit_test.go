package testkit

import (
	"database/sql"
	"errors"
	"strings"
	"testing"

	"github.com/redis/go-redis/v9"

	"purr/test/testkit/servers"
)

func TestMySQLIsAnEmptyDatabaseOfTheTestsOwnAndIsDroppedWithIt(t *testing.T) {
	var names []string
	for range 2 {
		if !t.Run("test", func(t *testing.T) {
			db := openMySQL(t, MySQL(t))
			names = append(names, queryText(t, db, "SELECT DATABASE()"))
			if got := queryText(t, db, "SELECT @@collation_database"); got != "utf8mb4_bin" {
				t.Errorf("collation = %s, want utf8mb4_bin", got)
			}
			if _, err := db.ExecContext(t.Context(), "CREATE TABLE invoices (id BIGINT)"); err != nil {
				t.Errorf("the database is not empty: %v", err)
			}
		}) {
			return
		}
	}
	if names[0] == names[1] {
		t.Errorf("both tests got %s", names[0])
	}
	left := queryText(t, openMySQL(t, serverOf(t, servers.MySQLVariable, "mysql").String()),
		"SELECT COUNT(*) FROM information_schema.schemata WHERE schema_name IN (?, ?)", names[0], names[1])
	if left != "0" {
		t.Errorf("%s of the databases %v were left", left, names)
	}
}

func TestEachDatabaseRunsTheTestOnBoth(t *testing.T) {
	var schemes []string
	EachDatabase(t, func(_ *testing.T, databaseURL string) {
		scheme, _, _ := strings.Cut(databaseURL, "/")
		schemes = append(schemes, scheme)
	})
	if got := strings.Join(schemes, " "); got != "sqlite: mysql:" {
		t.Errorf("ran on %q", got)
	}
}

func TestRedisIsADatabaseOfTheTestsOwnAndIsEmptiedWithIt(t *testing.T) {
	var used string
	t.Run("test", func(t *testing.T) {
		used = Redis(t)
		if other := Redis(t); other == used || strings.HasSuffix(other, "/0") {
			t.Errorf("got %s while %s was in use", other, used)
		}
		set(t, openRedis(t, used), "task", "1")
	})
	if keys := openRedis(t, used).DBSize(t.Context()).Val(); keys != 0 {
		t.Errorf("%d keys were left", keys)
	}
}

func TestRedisLeavesADatabaseAloneThatHoldsSomething(t *testing.T) {
	own := RedisServer(t)
	t.Setenv(servers.RedisVariable, own.URL)
	set(t, openRedis(t, strings.TrimSuffix(own.URL, "/0")+"/1"), "somebody's", "data")
	if got := Redis(t); !strings.HasSuffix(got, "/2") {
		t.Errorf("got %s, want database 2", got)
	}
}

func TestRedisServerCanBeKilledStartedAndFlushed(t *testing.T) {
	server := RedisServer(t)
	client := openRedis(t, server.URL)

	set(t, client, "task", "1")
	server.Kill()
	server.Start()
	if err := client.Get(t.Context(), "task").Err(); !errors.Is(err, redis.Nil) {
		t.Errorf("started again: %v, want no such key", err)
	}
	set(t, client, "task", "2")
	server.Flush()
	if err := client.Get(t.Context(), "task").Err(); !errors.Is(err, redis.Nil) {
		t.Errorf("flushed: %v, want no such key", err)
	}
}

func TestWhatIsWrongWithAServersURL(t *testing.T) {
	for _, tc := range []struct{ name, value, want string }{
		{"a missing one says how to run the tests", "", `PURR_TEST_MYSQL is not set: run the tests with "make test"`},
		{"another scheme", "redis://localhost", "PURR_TEST_MYSQL must have the form mysql://USER:PASSWORD@HOST:PORT"},
		{"a driver's DSN, its password unsaid", "root:secret@tcp(localhost:3306)/", "PURR_TEST_MYSQL must have the form"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			_, err := parseServer(servers.MySQLVariable, tc.value, "mysql")
			if err == nil || !strings.HasPrefix(err.Error(), tc.want) || strings.Contains(err.Error(), "secret") {
				t.Errorf("error %v, want %s", err, tc.want)
			}
		})
	}
}

func openMySQL(t *testing.T, url string) *sql.DB {
	t.Helper()
	db, err := servers.OpenMySQL(url)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	return db
}

func queryText(t *testing.T, db *sql.DB, query string, args ...any) (text string) {
	t.Helper()
	if err := db.QueryRowContext(t.Context(), query, args...).Scan(&text); err != nil {
		t.Fatal(err)
	}
	return text
}

func openRedis(t *testing.T, url string) *redis.Client {
	t.Helper()
	options, err := redis.ParseURL(url)
	if err != nil {
		t.Fatal(err)
	}
	client := redis.NewClient(options)
	t.Cleanup(func() { _ = client.Close() })
	return client
}

func set(t *testing.T, client *redis.Client, key, value string) {
	t.Helper()
	if err := client.Set(t.Context(), key, value, 0).Err(); err != nil {
		t.Fatal(err)
	}
}
