package e2e_test

import (
	"context"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"purr/test/testkit"
)

// TestD9TwoAPIsAndACrashBeforeTheAnswer has one API be killed after its transaction is committed and before it
// knows. Another one says first that the request is still running, and afterwards answers what the first had
// kept: there is one invoice (rules D9, D18).
func TestD9TwoAPIsAndACrashBeforeTheAnswer(t *testing.T) {
	t.Parallel()
	database, redis := testkit.MySQL(t), testkit.Redis(t)
	held := holdCommit(t, database, "INSERT INTO `invoices`")
	data := t.TempDir()
	where := func(database string) []string {
		return []string{"PURR_DATA=" + data, "PURR_DATABASE_URL=" + database, "PURR_REDIS_URL=" + redis, "PURR_LISTEN=127.0.0.1:0"}
	}
	direct := where(database)
	ok(t, direct, "migrate")
	ok(t, direct, "creditor", "create", "--name", "A")
	key := strings.TrimSpace(ok(t, direct, "keys", "create", "--creditor", "A"))
	dying := begin(t, where(held.url), "api")
	dyingURL, otherURL := dying.listening(), begin(t, direct, "api").listening()
	first, other := newClient(t, func() string { return dyingURL }, key), newClient(t, func() string { return otherURL }, key)

	customer := pathOf(other.customer(t, "Kari Nordmann"))
	request := call{
		method: "POST", path: "/api/v1/invoices", body: invoiceOf{customer: customer, days: 14, net: "1000.00"}.xml(),
		header: map[string]string{"Idempotency-Key": "bestilling 17"},
	}
	var asking sync.WaitGroup
	asking.Go(func() {
		if r, err := first.do(t.Context(), request); err == nil {
			t.Errorf("the API that was killed answered %d: %s", r.Status, r.Body)
		}
	})
	held.await(t, held.came)
	other.send(t, request).Refused(http.StatusConflict, "idempotency_in_progress")

	close(held.forward)
	held.await(t, held.committed)
	dying.kill()
	asking.Wait()
	made := other.send(t, request).Is(http.StatusCreated).Root()
	equal(t, "number of the invoice", made.At("invoice_number"), "1")
	equal(t, "invoices", len(other.List("/api/v1/invoices")), 1)
	ok(t, direct, "verify")

	// A key that is revoked is wrong at the next request, whichever process answers (rule D3).
	ok(t, direct, "keys", "revoke", "--creditor", "A", "1")
	other.send(t, call{method: "GET", path: "/api/v1/invoices"}).Is(http.StatusUnauthorized)
}

// heldCommit carries connections to a MySQL server. The first COMMIT after a certain statement is held until
// it is to be forwarded, and what the server says to it is never delivered.
type heldCommit struct {
	url       string
	after     string
	came      chan struct{} // closed when the COMMIT has come
	forward   chan struct{} // to be closed
	committed chan struct{} // closed when the server has answered
	once      sync.Once
}

func holdCommit(t *testing.T, databaseURL, after string) *heldCommit {
	t.Helper()
	u, err := url.Parse(databaseURL)
	must(t, err)
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	server := u.Host
	u.Host = listener.Addr().String()
	h := &heldCommit{url: u.String(), after: after, came: make(chan struct{}), forward: make(chan struct{}), committed: make(chan struct{})}
	var open sync.WaitGroup
	ctx, end := context.WithCancel(context.Background())
	open.Go(func() {
		for {
			from, err := listener.Accept()
			if err != nil {
				return
			}
			open.Go(func() { h.carry(ctx, from, server) })
		}
	})
	t.Cleanup(func() {
		listener.Close()
		end()
		open.Wait()
	})
	return h
}

// await waits for one of the moments.
func (h *heldCommit) await(t *testing.T, moment chan struct{}) {
	t.Helper()
	select {
	case <-moment:
	case <-time.After(testkit.Patience):
		t.Fatal("the commit does not come, or is not answered")
	}
}

// carry carries one connection until either side ends it.
func (h *heldCommit) carry(ctx context.Context, from net.Conn, server string) {
	defer from.Close()
	to, err := net.Dial("tcp", server)
	if err != nil {
		return
	}
	defer to.Close()
	stop := context.AfterFunc(ctx, func() { from.Close(); to.Close() })
	defer stop()
	mine := make(chan struct{}) // closed when this connection's COMMIT is held
	var answers sync.WaitGroup
	defer answers.Wait()
	answers.Go(func() {
		defer from.Close()
		h.answers(from, to, mine)
	})
	h.statements(to, from, mine)
	to.Close()
}

// statements carries what the client says.
func (h *heldCommit) statements(to io.Writer, from io.Reader, mine chan struct{}) {
	const query = "\x03"
	seen := false
	for {
		packet, err := readPacket(from)
		if err != nil {
			return
		}
		said := string(packet[4:])
		seen = seen || strings.HasPrefix(said, query+h.after)
		if seen && said == query+"COMMIT" {
			h.once.Do(func() {
				close(mine)
				close(h.came)
				<-h.forward
			})
		}
		if _, err := to.Write(packet); err != nil {
			return
		}
	}
}

// answers carries what the server says, until it answers the COMMIT.
func (h *heldCommit) answers(to io.Writer, from io.Reader, mine chan struct{}) {
	for {
		packet, err := readPacket(from)
		if err != nil {
			return
		}
		select {
		case <-mine:
			close(h.committed)
			_, _ = io.Copy(io.Discard, from) // until the connection ends
			return
		default:
		}
		if _, err := to.Write(packet); err != nil {
			return
		}
	}
}

// readPacket reads a packet of MySQL's protocol: three bytes of length, one that counts, and the content.
func readPacket(from io.Reader) ([]byte, error) {
	head := make([]byte, 4)
	if _, err := io.ReadFull(from, head); err != nil {
		return nil, err
	}
	length := int(head[0]) | int(head[1])<<8 | int(head[2])<<16
	packet := make([]byte, len(head)+length)
	copy(packet, head)
	_, err := io.ReadFull(from, packet[len(head):])
	return packet, err
}
