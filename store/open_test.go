package store_test

import (
	"context"
	"io"
	"net"
	"net/url"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"purr/internal/clock"
	"purr/models"
	"purr/store"
	"purr/test/testkit"
	"purr/test/testkit/rows"
)

func TestOpenRefusesURLsClearlyAndKeepsThePassword(t *testing.T) {
	free := closedPort(t)
	wrongPassword, err := url.Parse(testkit.MySQL(t))
	must(t, err)
	wrongPassword.User = url.UserPassword(wrongPassword.User.Username(), "hunter2")
	missing := *wrongPassword
	mine, err := url.Parse(testkit.MySQL(t))
	must(t, err)
	missing.User, missing.Path = mine.User, "/purr_hunter2_is_not_here"

	tests := []struct{ url, want, why string }{
		{"", "must begin with sqlite: or mysql://", "nothing"},
		{"postgres://purr:hunter2@localhost/purr", "must begin with sqlite: or mysql://", "another database"},
		{"purr:hunter2@tcp(localhost:3306)/purr", "must begin with sqlite: or mysql://", "the driver's own form"},
		{"mysql:purr:hunter2@localhost/purr", "must begin with sqlite: or mysql://", "no slashes"},
		{"mysql://purr:hunter2%zz@localhost/purr", "the form is mysql://USER:PASSWORD@HOST:PORT/NAME", "a password that is not escaped"},
		{"mysql://purr:hunter2@localhost:port/purr", "the form is mysql://USER:PASSWORD@HOST:PORT/NAME", "a port that is none"},
		{"mysql://purr:hunter2@localhost", "needs a host and a database name", "no database"},
		{"mysql://purr:hunter2@localhost/", "needs a host and a database name", "no database after the slash"},
		{"mysql:///purr", "needs a host and a database name", "no host"},
		{"mysql://purr:hunter2@localhost/purr?ssl=true", `parameter "ssl" is unknown`, "a parameter that would do nothing"},
		{"mysql://purr:hunter2@localhost/purr?tls=perhaps", "perhaps", "a way of encryption that there is not"},
		{"mysql://purr:hunter2@" + free + "/purr", "connection refused", "nobody there"},
		{wrongPassword.String(), "Access denied", "a wrong password"},
		{missing.String(), "Unknown database", "a database that there is not"},
		{"sqlite:", "takes the path of a file", "no path"},
		{"sqlite://", "takes the path of a file", "no path after slashes"},
		{"sqlite::memory:", "takes the path of a file", "a database that each connection has for itself"},
		{"sqlite:purr.db?mode=ro", "takes the path of a file", "the driver's parameters"},
		{"sqlite:" + filepath.Join(t.TempDir(), "nowhere", "purr.db"), "unable to open", "a folder that there is not"},
	}
	for _, tt := range tests {
		t.Run(tt.why, func(t *testing.T) {
			db, err := store.Open(tt.url, clock.NewTest(rows.Start))
			if err == nil {
				t.Fatalf("it was opened; closing says %v", db.Close())
			}
			if !strings.Contains(err.Error(), tt.want) {
				t.Errorf("the error is %q, want %q", err, tt.want)
			}
			password, _ := mine.User.Password()
			if said := strings.ReplaceAll(err.Error(), missing.Path[1:], ""); strings.Contains(said, "hunter2") || strings.Contains(said, password) {
				t.Errorf("the error tells the password: %v", err)
			}
		})
	}
}

// closedPort returns an address of this machine on which nobody listens.
func closedPort(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	must(t, l.Close())
	return l.Addr().String()
}

func TestPing(t *testing.T) {
	testkit.EachDatabase(t, func(t *testing.T, databaseURL string) {
		db, err := store.Open(databaseURL, clock.NewTest(rows.Start))
		must(t, err)
		if err := db.Ping(t.Context()); err != nil {
			t.Errorf("an open database: %v", err)
		}
		must(t, db.Close())
		if err := db.Ping(t.Context()); err == nil {
			t.Error("a closed database answers")
		}
	})
}

// TestR4ConnectionsThatWereLostAreNoErrorAtTheEnd cuts the connections as a firewall does, and closes them then.
func TestR4ConnectionsThatWereLostAreNoErrorAtTheEnd(t *testing.T) {
	t.Parallel()
	at, err := url.Parse(testkit.MySQL(t))
	must(t, err)
	wire := &wire{target: at.Host}
	at.Host = wire.listen(t)
	db, err := store.Open(at.String(), clock.NewTest(rows.Start))
	must(t, err)
	must(t, db.InTx(t.Context(), func(context.Context, *store.Tx) error { return nil }))
	wire.cut(t)
	must(t, db.Close())
}

// wire carries connections to a server.
type wire struct {
	target string
	mu     sync.Mutex
	ends   []*net.TCPConn
}

// listen returns the address to which the connections are made.
func (w *wire) listen(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	t.Cleanup(func() { must(t, l.Close()) })
	go func() {
		for {
			client, err := l.Accept()
			if err != nil {
				return
			}
			server, err := net.Dial("tcp", w.target)
			if err != nil {
				_ = client.Close()
				continue
			}
			w.mu.Lock()
			w.ends = append(w.ends, client.(*net.TCPConn), server.(*net.TCPConn))
			w.mu.Unlock()
			go func() { _, _ = io.Copy(server, client) }()
			go func() { _, _ = io.Copy(client, server) }()
		}
	}()
	return l.Addr().String()
}

// cut resets all connections, on both sides.
func (w *wire) cut(t *testing.T) {
	t.Helper()
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, end := range w.ends {
		must(t, end.SetLinger(0))
		must(t, end.Close())
	}
}

func TestOpenTakesBothFormsOfAPath(t *testing.T) {
	path := filepath.Join(t.TempDir(), "blå data #1%.db")
	first := rows.Open(t, "sqlite:"+path)
	c := rows.Creditor(t, first)
	second := rows.Open(t, "sqlite://"+path)
	if found, err := second.Creditor(t.Context(), c.ID); err != nil || found.Name != c.Name {
		t.Errorf("found %q, %v, want %q", found.Name, err, c.Name)
	}
}

func TestADatabaseThatGoesAwayIsUnavailable(t *testing.T) {
	db := rows.Open(t, testkit.MySQL(t))
	err := db.InTx(t.Context(), func(_ context.Context, tx *store.Tx) error {
		_ = tx.Exec(t.Context(), "KILL CONNECTION_ID()")
		_, err := tx.Creditors(t.Context())
		return err
	})
	wantKind(t, err, models.KindUnavailable)
	if _, err := db.Creditors(t.Context()); err != nil {
		t.Errorf("on another connection: %v", err)
	}
}
