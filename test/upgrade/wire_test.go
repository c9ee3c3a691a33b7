//go:build upgrade

package upgrade_test

import (
	"io"
	"net"
	"net/url"
	"regexp"
	"sync"
	"testing"

	"purr/test/testkit"
)

// wire carries a migration's connections to the server, and cuts the migration off at one of its statements.
type wire struct {
	server string

	mu    sync.Mutex
	seen  int
	at    int    // the statement to cut off at, counted from 1; 0 for none
	after bool   // the server gets the statement first
	cut   func() // kills the program
}

// step matches what a migration sends that changes the schema or what is known of it.
var step = regexp.MustCompile(`(?i)(CREATE TABLE|ALTER TABLE|DROP TABLE|INSERT INTO goose|UPDATE .schema_gate|INSERT INTO .schema_gate)`)

func newWire(t *testing.T, databaseURL string) (*wire, string) {
	t.Helper()
	u, err := url.Parse(databaseURL)
	testkit.Must(t, err)
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	testkit.Must(t, err)
	t.Cleanup(func() { _ = listener.Close() })
	w := &wire{server: u.Host}
	go func() {
		for {
			client, err := listener.Accept()
			if err != nil {
				return
			}
			go w.carry(client)
		}
	}()
	u.Host = listener.Addr().String()
	return w, u.String()
}

func (w *wire) carry(client net.Conn) {
	defer func() { _ = client.Close() }()
	server, err := net.Dial("tcp", w.server)
	if err != nil {
		return
	}
	defer func() { _ = server.Close() }()
	go func() { _, _ = io.Copy(client, server) }()
	buffer := make([]byte, 64<<10)
	for {
		n, err := client.Read(buffer)
		if err != nil {
			return
		}
		cut, after := w.isCut(buffer[:n])
		if cut && !after {
			w.cut()
			return
		}
		if _, err := server.Write(buffer[:n]); err != nil {
			return
		}
		if cut {
			w.cut()
			_, _ = io.Copy(io.Discard, client) // until the program is gone
			return
		}
	}
}

func (w *wire) isCut(sent []byte) (cut, after bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if !step.Match(sent) {
		return false, false
	}
	w.seen++
	return w.seen == w.at, w.after
}

// arm has the program be killed at a statement.
func (w *wire) arm(at int, after bool, kill func()) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.seen, w.at, w.after, w.cut = 0, at, after, kill
}

// steps returns how many statements there were since arm.
func (w *wire) steps() int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.seen
}
