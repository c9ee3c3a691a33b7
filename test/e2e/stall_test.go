package e2e_test

import (
	"context"
	"database/sql"
	"errors"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	_ "modernc.org/sqlite" // opens the file behind the program's back

	"purr/internal/clock"
	"purr/store"
	"purr/test/testkit"
	"purr/test/testkit/house"
)

// The bounds of rules O6 and O7.
const (
	answerWithin = 20 * time.Second // any call, whatever the database does
	silentWithin = 30 * time.Second // others, after a client machine is gone
	goesOnWithin = 60 * time.Second // the scheduler's work, after its connections died
	toldWithin   = 10 * time.Second // by readyz
)

// cable is what connects the program with its MySQL server. It can stop carrying anything without breaking a connection.
type cable struct {
	url    string
	server string
	dumb   atomic.Bool // nothing is carried
	mu     sync.Mutex
	ends   []*atomic.Bool // for each connection: nothing is carried on it any more
}

func plug(t *testing.T, databaseURL string) *cable {
	t.Helper()
	u, err := url.Parse(databaseURL)
	must(t, err)
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	t.Cleanup(func() { _ = listener.Close() })
	c := &cable{server: u.Host}
	u.Host = listener.Addr().String()
	c.url = u.String()
	go func() {
		for {
			client, err := listener.Accept()
			if err != nil {
				return
			}
			go c.carry(t, client)
		}
	}()
	return c
}

func (c *cable) carry(t *testing.T, client net.Conn) {
	server, err := net.Dial("tcp", c.server)
	if err != nil {
		_ = client.Close()
		return
	}
	t.Cleanup(func() { _, _ = client.Close(), server.Close() })
	dead := &atomic.Bool{}
	c.mu.Lock()
	c.ends = append(c.ends, dead)
	c.mu.Unlock()
	copyWhole := func(to, from net.Conn) {
		buffer := make([]byte, 64<<10)
		for {
			n, err := from.Read(buffer)
			if c.dumb.Load() || dead.Load() {
				if err != nil {
					return // the other side hears nothing of the end either
				}
				continue
			}
			if _, wrong := to.Write(buffer[:n]); err != nil || wrong != nil {
				_, _ = to.Close(), from.Close()
				return
			}
		}
	}
	go copyWhole(server, client)
	copyWhole(client, server)
}

// die makes every connection that there is carry nothing any more. New ones work.
func (c *cable) die() {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, dead := range c.ends {
		dead.Store(true)
	}
}

// stalled is a program that runs on a database, with a creditor and a customer.
type stalled struct {
	*client
	url, customer string
}

func (s *stalled) order() string {
	return invoiceOf{customer: s.customer, days: 14, net: "1000.00"}.xml()
}

// stallable starts the program on a database; direct is the same database without a cable.
func stallable(t *testing.T, data, databaseURL, direct string) *stalled {
	t.Helper()
	where := []string{"PURR_DATA=" + data, "PURR_LISTEN=127.0.0.1:0", "PURR_DATABASE_URL="}
	ok(t, append(where, "PURR_DATABASE_URL="+direct), "migrate")
	ok(t, append(where, "PURR_DATABASE_URL="+direct), "creditor", "create", "--name", "A")
	key := strings.TrimSpace(ok(t, append(where, "PURR_DATABASE_URL="+direct), "keys", "create", "--creditor", "A", "--scope", "admin"))
	base := begin(t, append(where, "PURR_DATABASE_URL="+databaseURL), "serve").listening()
	s := &stalled{newClient(t, func() string { return base }, key), base, ""}
	s.customer = pathOf(s.client.customer(t, "Kari Nordmann"))
	s.Post("/api/v1/invoices", s.order()).Created()
	s.Get("//readyz").Is(http.StatusOK)
	return s
}

// refuses makes calls of every form at once. Each must end in time with 503 and Retry-After.
func (s *stalled) refuses(t *testing.T, calls ...call) {
	t.Helper()
	testkit.AtOnce(t, func() error {
		var all sync.WaitGroup
		for _, c := range calls {
			all.Go(func() {
				begun := time.Now()
				a, err := s.do(t.Context(), c)
				took := time.Since(begun)
				switch {
				case err != nil:
					t.Errorf("%s %s: %v", c.method, c.path, err)
				case a.Status != http.StatusServiceUnavailable || a.Header.Get("Retry-After") == "":
					t.Errorf("%s %s: %d, Retry-After %q: %s", c.method, c.path, a.Status, a.Header.Get("Retry-After"), a.Body)
				case took > answerWithin:
					t.Errorf("%s %s: 503 after %s", c.method, c.path, took)
				}
				t.Logf("%s %s: after %s", c.method, c.path, took.Round(100*time.Millisecond))
			})
		}
		all.Wait()
		return nil
	})
}

// unready waits until readyz names what does not work.
func (s *stalled) unready(t *testing.T, name string) {
	t.Helper()
	begun := time.Now()
	eventually(t, "readyz names what does not work", func() (bool, any) {
		a := s.Get("//readyz")
		return a.Status == http.StatusServiceUnavailable && strings.Contains(string(a.Body), `field="`+name+`"`), string(a.Body)
	})
	if took := time.Since(begun); took > toldWithin {
		t.Errorf("readyz told of it after %s", took)
	}
}

// everyForm are calls that read, and calls that write.
func (s *stalled) everyForm() []call {
	calls := []call{
		{method: "GET", path: "/api/v1/invoices"},
		{method: "GET", path: "/api/v1/invoice/1"},
		{method: "PUT", path: s.customer, body: customerBody("Ola Nordmann")},
		{method: "POST", path: "/api/v1/payment_files", body: "NY000010", header: map[string]string{"Content-Type": "text/plain"}},
	}
	for i := range 8 {
		calls = append(calls, call{method: "POST", path: "/api/v1/invoices", body: s.order(), header: map[string]string{"Idempotency-Key": strconv.Itoa(i)}})
	}
	return calls
}

// recovers waits until an invoice can be issued.
func (s *stalled) recovers(t *testing.T) {
	t.Helper()
	begun := time.Now()
	eventually(t, "an invoice is issued again", func() (bool, any) {
		a := s.Post("/api/v1/invoices", s.order())
		return a.Status == http.StatusCreated, string(a.Body)
	})
	t.Logf("an invoice was issued again after %s", time.Since(begun).Round(100*time.Millisecond))
}

// TestO7ADatabaseThatSwallowsEverything lets the connections to the database be open and dumb, as behind a firewall that
// forgot them (rules O6, O7).
func TestO7ADatabaseThatSwallowsEverything(t *testing.T) {
	t.Parallel()
	direct := testkit.MySQL(t)
	c := plug(t, direct)
	s := stallable(t, t.TempDir(), c.url, direct)
	c.dumb.Store(true)
	s.unready(t, "database")
	s.refuses(t, s.everyForm()...)
	s.refuses(t, s.everyForm()...) // now no connection is left from before
	c.dumb.Store(false)
	s.recovers(t)
}

// TestO7ConnectionsThatDieWithoutAWord: calls end in time, and the scheduler and the workers go on, on new connections.
func TestO7ConnectionsThatDieWithoutAWord(t *testing.T) {
	t.Parallel()
	direct, data := testkit.MySQL(t), t.TempDir()
	c := plug(t, direct)
	s := stallable(t, data, c.url, direct)
	letters := func() int { return len(house.Files(t, filepath.Join(data, "outbox", "paper"))) }
	eventually(t, "the first letter", func() (bool, any) { return letters() == 1, letters() })

	c.die()
	died := time.Now()
	eventually(t, "an invoice is issued on a new connection", func() (bool, any) {
		begun := time.Now()
		a := s.Post("/api/v1/invoices", s.order())
		if took := time.Since(begun); took > answerWithin {
			t.Errorf("POST: %d after %s", a.Status, took)
		}
		return a.Status == http.StatusCreated, string(a.Body)
	})
	eventually(t, "its letter", func() (bool, any) { return letters() == 2, letters() })
	took := time.Since(died)
	if took > goesOnWithin {
		t.Errorf("the work went on after %s", took)
	}
	t.Logf("the work went on after %s", took.Round(100*time.Millisecond))
}

// TestO7AClientThatFallsSilentInATransaction: a machine that is gone in the middle of a transaction, with the number series
// locked, holds nobody up for long.
func TestO7AClientThatFallsSilentInATransaction(t *testing.T) {
	t.Parallel()
	direct := testkit.MySQL(t)
	s := stallable(t, t.TempDir(), direct, direct)
	c := plug(t, direct)
	gone, err := store.Open(c.url, clock.System{})
	must(t, err)
	t.Cleanup(func() { _ = gone.Close() })
	over := make(chan struct{})
	t.Cleanup(func() { <-over })
	locked := make(chan struct{})
	go func() {
		defer close(over)
		_ = gone.InTx(context.Background(), func(_ context.Context, tx *store.Tx) error {
			if _, err := tx.NextNumbers(context.Background(), 1, 1); err != nil {
				t.Error(err)
			}
			c.dumb.Store(true)
			close(locked)
			<-t.Context().Done()
			return t.Context().Err()
		})
	}()
	<-locked
	silent := time.Now()
	s.recovers(t)
	took := time.Since(silent)
	if took > silentWithin {
		t.Errorf("others were held up for %s", took)
	}
	t.Logf("others were held up for %s", took.Round(100*time.Millisecond))
}

// TestO7SQLiteLockedByAnotherProgram: calls that write end in time; those that read are answered.
func TestO7SQLiteLockedByAnotherProgram(t *testing.T) {
	t.Parallel()
	data := t.TempDir()
	file := filepath.Join(data, "purr.db")
	s := stallable(t, data, "sqlite:"+file, "sqlite:"+file)
	other, err := sql.Open("sqlite", file+"?_pragma=busy_timeout(30000)") // the program writes by itself, too
	must(t, err)
	t.Cleanup(func() { _ = other.Close() })
	other.SetMaxOpenConns(1)
	_, err = other.ExecContext(t.Context(), "BEGIN EXCLUSIVE")
	must(t, err)
	s.unready(t, "database")
	var writes []call
	for _, c := range s.everyForm() {
		if c.method != "GET" {
			writes = append(writes, c)
		}
	}
	s.refuses(t, writes...)
	s.Get("/api/v1/invoices").Is(http.StatusOK)
	_, err = other.ExecContext(t.Context(), "ROLLBACK")
	must(t, err)
	s.recovers(t)
}

// TestO7AFullDisk fills the disk of the data folder: a small tmpfs that the program sees in a mount namespace of its own.
// What writes is refused as unavailable, readyz says so, and all is well when there is room again (rules O6, O7).
func TestO7AFullDisk(t *testing.T) {
	t.Parallel()
	data := t.TempDir()
	path, err := binary()
	must(t, err)
	args := []string{"--mount", "sh", "-c", `mount -t tmpfs -o size=24m tmpfs "$PURR_DATA" && exec "$0" serve`, path}
	if os.Getuid() != 0 {
		args = append([]string{"--map-root-user"}, args...)
	}
	p := &process{t: t, command: exec.Command("unshare", args...), stdout: &testkit.Log{}, stderr: &testkit.Log{}, exited: make(chan struct{})}
	p.command.Env = append(os.Environ(), "PURR_DATA="+data, "PURR_LISTEN=127.0.0.1:0", "PURR_MIN_FREE_DISK=0")
	p.command.Stdout, p.command.Stderr = p.stdout, p.stderr
	p.command.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	must(t, p.command.Start())
	go func() {
		_ = p.command.Wait()
		close(p.exited)
	}()
	t.Cleanup(p.kill)
	base := p.listening()
	key := p.firstKey(filepath.Join("/proc", strconv.Itoa(p.command.Process.Pid), "root"))
	s := &stalled{newClient(t, func() string { return base }, key), base, ""}
	s.customer = pathOf(s.client.customer(t, "Kari Nordmann"))
	s.Post("/api/v1/invoices", s.order()).Created()

	balloon := filepath.Join("/proc", strconv.Itoa(p.command.Process.Pid), "root", data, "balloon")
	f, err := os.Create(balloon)
	must(t, err)
	_, err = io.Copy(f, zeros{})
	if !errors.Is(err, syscall.ENOSPC) {
		t.Fatalf("the disk takes everything: %v", err)
	}
	must(t, f.Close())
	s.unready(t, "store")
	eventually(t, "the log of the database has no room left either", func() (bool, any) {
		a := s.Post("/api/v1/invoices", s.order())
		if a.Status != http.StatusCreated && (a.Status != http.StatusServiceUnavailable || a.Header.Get("Retry-After") == "") {
			t.Fatalf("on a full disk: %d: %s", a.Status, a.Body)
		}
		return a.Status == http.StatusServiceUnavailable, a.Status
	})
	s.refuses(t, call{method: "POST", path: "/api/v1/payment_files", body: "NY000010", header: map[string]string{"Content-Type": "text/plain"}})
	must(t, os.Remove(balloon))
	s.recovers(t)
	eventually(t, "ready", func() (bool, any) { a := s.Get("//readyz"); return a.Status == http.StatusOK, string(a.Body) })
}

// TestD114AReadOnlyDataFolderIsCalledSo starts the program on a disk that takes nothing: a tmpfs that was made read-only with an
// installation on it. It says so, and neither that the disk is full nor SQLite's number.
func TestD114AReadOnlyDataFolderIsCalledSo(t *testing.T) {
	t.Parallel()
	path, err := binary()
	must(t, err)
	script := `mount -t tmpfs -o size=24m tmpfs "$PURR_DATA" && "$0" migrate && mount -o remount,ro "$PURR_DATA" && exec "$0" "$@"`
	for _, command := range []string{"serve", "verify", "backup"} {
		args := []string{"--mount", "sh", "-c", script, path, command}
		if command == "backup" {
			args = append(args, filepath.Join(t.TempDir(), "backup"))
		}
		if os.Getuid() != 0 {
			args = append([]string{"--map-root-user"}, args...)
		}
		c := exec.Command("unshare", args...)
		c.Dir = t.TempDir()
		c.Env = append(os.Environ(), "PURR_DATA="+c.Dir, "PURR_LISTEN=127.0.0.1:0")
		c.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
		if said, err := c.CombinedOutput(); err == nil || !strings.Contains(string(said), "read-only file system") {
			t.Errorf("purr %s: %v: %s", command, err, said)
		}
	}
}

type zeros struct{}

func (zeros) Read(p []byte) (int, error) { return len(p), nil }
