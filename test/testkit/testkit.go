// Package testkit gives each test a database and a queue of its own, on real servers. It knows nothing
// of the program's tables: a database that it hands out is empty.
//
// A test that cannot have its server fails and says what to do. None is skipped.
package testkit

import (
	"context"
	"crypto/rand"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"purr/test/testkit/servers"
)

// EachDatabase runs the test on an empty SQLite and an empty MySQL (or MariaDB) database, as the
// subtests "sqlite" and "mysql", with the URL as --database-url takes it (rule R2).
func EachDatabase(t *testing.T, test func(t *testing.T, databaseURL string)) {
	t.Helper()
	t.Run("sqlite", func(t *testing.T) { test(t, SQLite(t)) })
	t.Run("mysql", func(t *testing.T) { test(t, MySQL(t)) })
}

// SQLite returns the sqlite:// URL of a database file of the test's own, which does not exist yet.
func SQLite(t testing.TB) string {
	t.Helper()
	return "sqlite://" + filepath.ToSlash(filepath.Join(t.TempDir(), "purr.db"))
}

// MySQL returns the mysql:// URL of an empty database of the test's own on the server that
// PURR_TEST_MYSQL names. The database is dropped when the test ends.
func MySQL(t testing.TB) string {
	t.Helper()
	server := serverOf(t, servers.MySQLVariable, "mysql")
	db, err := servers.OpenMySQL(server.String())
	if err != nil {
		t.Fatalf("%s: %v", servers.MySQLVariable, err)
	}
	name := "purr_test_" + strings.ToLower(rand.Text())
	_, err = db.ExecContext(t.Context(), "CREATE DATABASE "+name+" CHARACTER SET utf8mb4 COLLATE utf8mb4_bin")
	if err != nil {
		t.Fatalf("%s: %v", servers.MySQLVariable, err)
	}
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), Patience)
		defer cancel()
		if _, err := db.ExecContext(ctx, "DROP DATABASE "+name); err != nil {
			t.Errorf("drop the test's database: %v", err)
		}
		if err := db.Close(); err != nil {
			t.Errorf("close the test's database: %v", err)
		}
	})
	server.Path = "/" + name
	return server.String()
}

// Must fails the test if there is an error.
func Must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// serverOf returns the URL in the environment variable.
func serverOf(t testing.TB, variable, scheme string) *url.URL {
	t.Helper()
	u, err := parseServer(variable, os.Getenv(variable), scheme)
	if err != nil {
		t.Fatal(err)
	}
	return u
}

func parseServer(variable, value, scheme string) (*url.URL, error) {
	if value == "" {
		return nil, fmt.Errorf("%s is not set: run the tests with \"make test\", or let \"make servers\" run and set what it prints",
			variable)
	}
	u, err := url.Parse(value)
	if err != nil || u.Scheme != scheme || u.Host == "" {
		return nil, fmt.Errorf("%s must have the form %s://USER:PASSWORD@HOST:PORT", variable, scheme)
	}
	return u, nil
}
