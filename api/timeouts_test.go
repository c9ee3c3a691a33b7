package api_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
	"time"

	"purr/api"
	"purr/api/guard"
	"purr/models"
	"purr/store"
)

// impatient are timeouts that soon cut off a client that keeps the server waiting.
var impatient = guard.Timeouts{Header: 100 * time.Millisecond, Idle: 100 * time.Millisecond, Body: 100 * time.Millisecond, Answer: 100 * time.Millisecond, Rate: 1 << 40}

// overTLS is the same server, spoken to over TLS.
func (in *installation) overTLS() *installation {
	in.t.Helper()
	as := *in
	as.http = httptest.NewUnstartedServer(nil)
	as.http.Config = in.server.HTTP()
	as.http.EnableHTTP2 = true
	as.http.StartTLS()
	in.t.Cleanup(as.http.Close)
	return &as
}

// dial opens a connection that does nothing by itself.
func (in *installation) dial() net.Conn {
	in.t.Helper()
	conn, err := net.Dial("tcp", in.http.Listener.Addr().String())
	must(in.t, err)
	in.t.Cleanup(func() { conn.Close() })
	return conn
}

// request writes the beginning of a request: its first line and further headers.
func (in *installation) request(w io.Writer, line string, headers ...string) {
	in.t.Helper()
	headers = append([]string{line, "Host: x", "Authorization: Bearer " + in.key}, headers...)
	_, err := io.WriteString(w, strings.Join(headers, "\r\n")+"\r\n\r\n")
	must(in.t, err)
}

// hangsUp fails the test unless the server answers with the status, or not at all where that is zero, and ends
// the connection by itself.
func hangsUp(t *testing.T, what string, conn net.Conn, status int) {
	t.Helper()
	must(t, conn.SetReadDeadline(time.Now().Add(time.Minute)))
	said, err := io.ReadAll(conn)
	if errors.Is(err, os.ErrDeadlineExceeded) {
		t.Fatalf("%s: the connection is held; said was %q", what, said)
	}
	if status == 0 && len(said) > 0 || status != 0 && !strings.HasPrefix(string(said), fmt.Sprintf("HTTP/1.1 %d ", status)) {
		t.Errorf("%s: answered %q, want %d", what, said, status)
	}
}

func TestClientsThatSendNothingAreHungUpOn(t *testing.T) {
	in := onSQLite(t, func(c *api.Config) {
		c.Timeouts = impatient
		c.Timeouts.Answer = time.Minute // they do take the answer
		c.Metrics = http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, "# metrics\n") })
	})
	hangsUp(t, "nothing is sent", in.dial(), 0)
	hangsUp(t, "nothing is sent where TLS is spoken", in.overTLS().dial(), 0)

	half := in.dial()
	_, err := io.WriteString(half, "GET /api/v1/invoices HTTP/1.1\r\nHost: x\r\n")
	must(t, err)
	hangsUp(t, "half of the headers is sent", half, 0)

	idle := in.dial()
	in.request(idle, "GET /healthz HTTP/1.1")
	hangsUp(t, "no second request is sent", idle, http.StatusOK)

	for path, status := range map[string]int{
		"POST /api/v1/customers": http.StatusBadRequest, "POST /api/v1/payment_files": http.StatusBadRequest, "GET /api/v1/customers": http.StatusOK,
		"POST /api/v1/nothing": http.StatusNotFound, "POST /": http.StatusNotFound, "GET /healthz": http.StatusOK, "GET /metrics": http.StatusOK,
	} {
		conn := in.dial()
		in.request(conn, path+" HTTP/1.1", "Content-Length: 1000")
		_, err := io.WriteString(conn, "<customer>")
		must(t, err)
		hangsUp(t, path+" and no more of the body", conn, status)
	}
	unasked := in.dial()
	in.request(unasked, "POST /nothing HTTP/1.1", "Content-Length: 1000", "Expect: 100-continue")
	hangsUp(t, "a body that nobody asks for", unasked, http.StatusNotFound)
	wrong := in.dial()
	_, err = io.WriteString(wrong, "POST /api/v1/customers HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer wrong\r\nContent-Length: 1000\r\n\r\n")
	must(t, err)
	hangsUp(t, "a wrong key and no body", wrong, http.StatusUnauthorized)
	if list := in.get("/api/v1/customers").xml(t).Children; len(list) != 0 {
		t.Errorf("%d customers were made", len(list))
	}
}

// A body that never ends comes byte by byte. It is cut off when its time is over, however many bytes come.
func TestABodyThatDripsIsGivenUp(t *testing.T) {
	in := onSQLite(t, func(c *api.Config) {
		c.Timeouts = impatient
		c.Timeouts.Answer = time.Minute
	})
	for _, path := range []string{"/api/v1/customers", "/api/v1/payment_files"} {
		conn := in.dial()
		in.request(conn, "POST "+path+" HTTP/1.1", "Transfer-Encoding: chunked")
		go func() {
			for err := error(nil); err == nil; {
				_, err = io.WriteString(conn, "1\r\n \r\n")
			}
		}()
		answer, err := http.ReadResponse(bufio.NewReader(conn), nil)
		must(t, err)
		if answer.StatusCode != http.StatusBadRequest || !answer.Close {
			t.Errorf("%s: answered %d, to be closed %t", path, answer.StatusCode, answer.Close)
		}
	}
}

func TestHeadersAboveTheLimitAreRefused(t *testing.T) {
	in := onSQLite(t, nil)
	in.get("/api/v1/invoices", header("X-Large", strings.Repeat("x", 60<<10))).is(t, http.StatusOK)
	conn := in.dial()
	in.request(conn, "GET /api/v1/invoices HTTP/1.1", "X-Large: "+strings.Repeat("x", 70<<10))
	hangsUp(t, "70 KiB of headers", conn, http.StatusRequestHeaderFieldsTooLarge)
}

// overHTTP2 posts a body over HTTP/2 and returns how it is answered; zero where it is not.
func (in *installation) overHTTP2(path string, body io.Reader) int {
	in.t.Helper()
	secure := in.overTLS()
	r, err := http.NewRequestWithContext(in.t.Context(), http.MethodPost, secure.http.URL+path, body)
	must(in.t, err)
	r.Header.Set("Authorization", "Bearer "+in.key)
	answer, err := secure.http.Client().Do(r)
	if err != nil {
		in.t.Log(err)
		return 0
	}
	defer answer.Body.Close()
	if answer.ProtoMajor != 2 {
		in.t.Errorf("answered by %s", answer.Proto)
	}
	_, err = io.Copy(io.Discard, answer.Body)
	must(in.t, err)
	return answer.StatusCode
}

func TestABodyThatStopsOverHTTP2IsGivenUp(t *testing.T) {
	in := onSQLite(t, func(c *api.Config) { c.Timeouts = impatient })
	body, stops := io.Pipe()
	defer stops.Close()
	go io.WriteString(stops, "<customer>")
	if status := in.overHTTP2("/api/v1/customers", body); status != http.StatusBadRequest {
		t.Errorf("answered %d", status)
	}
}

// A client asks and asks and reads no answer.
func TestAClientThatReadsNothingIsHungUpOn(t *testing.T) {
	in := onSQLite(t, func(c *api.Config) { c.Timeouts = impatient })
	in.write(func(ctx context.Context, tx *store.Tx) error {
		for range 200 {
			c := models.Customer{CreditorID: in.creditor.ID, Recipient: models.Recipient{Name1: strings.Repeat("Å", 100), CountryCode: "NO"}}
			if err := tx.CreateCustomer(ctx, &c); err != nil {
				return err
			}
		}
		return nil
	})
	conn := in.dial()
	for err := error(nil); err == nil; { // ends when the server has ended the connection
		must(t, conn.SetWriteDeadline(time.Now().Add(time.Minute)))
		_, err = io.WriteString(conn, "GET /api/v1/customers?per_page=1000 HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer "+in.key+"\r\n\r\n")
		if errors.Is(err, os.ErrDeadlineExceeded) {
			t.Fatal("the connection is held")
		}
	}
}

// Our own work may take longer than a client may to read the answer, in either version of HTTP.
func TestOurOwnWorkHasItsTime(t *testing.T) {
	in := onSQLite(t, func(c *api.Config) {
		c.Timeouts = guard.DefaultTimeouts
		c.Timeouts.Answer = impatient.Answer
		c.TestClock = &longClock{stillClock{start}}
	}).admin()
	const body = `<test_clock><now>2026-04-01T12:00:00Z</now></test_clock>`
	in.send("POST", "/api/v1/test_clock", body).is(t, http.StatusOK)
	if status := in.overHTTP2("/api/v1/test_clock", strings.NewReader(body)); status != http.StatusOK {
		t.Errorf("over HTTP/2: answered %d", status)
	}
}

// longClock is a test clock that takes its time to move.
type longClock struct{ stillClock }

func (c *longClock) Advance(ctx context.Context, to time.Time) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(3 * impatient.Answer):
		return c.stillClock.Advance(ctx, to)
	}
}

func TestTLSIsSaidInURIsAndHeaders(t *testing.T) {
	in := onSQLite(t, nil)
	r := in.get("/api/v1/invoices")
	if r.header.Get("Strict-Transport-Security") != "" {
		t.Error("HSTS is set without TLS")
	}
	secure := in.overTLS()
	uri := secure.customer()
	r = secure.get(uri)
	if !strings.HasPrefix(uri, "https://") || !strings.HasPrefix(r.xml(t).at("@uri"), "https://") {
		t.Errorf("the uri is %s", uri)
	}
	for _, r := range []reply{r, secure.get("/healthz", noKey), secure.get("/nothing"), secure.get("/api/v1/invoices", noKey)} {
		if got := r.header.Get("Strict-Transport-Security"); got != "max-age=31536000" {
			t.Errorf("answer %d: HSTS is %q", r.status, got)
		}
	}
	secure.make("/api/v1/invoices", invoiceBody(uri, "14"))
}

// A client goes away while its request waits for the database: the request changes nothing.
func TestAClientThatGoesAwayHasItsWorkBrokenOff(t *testing.T) {
	eachDatabase(t, func(t *testing.T, in *installation) {
		invoice := in.invoice("14")
		const body = `<ar_transaction><amount>-1</amount><transaction_date>2026-03-02</transaction_date></ar_transaction>`
		conn := in.dial()
		in.write(func(ctx context.Context, tx *store.Tx) error {
			if _, err := tx.LockInvoice(ctx, in.creditor.ID, 1); err != nil {
				return err
			}
			in.request(conn, "POST "+strings.TrimPrefix(invoice, in.http.URL)+"/ar_transactions HTTP/1.1", fmt.Sprintf("Content-Length: %d", len(body)), "X-Request-Id: gone")
			_, err := io.WriteString(conn, body)
			must(t, err)
			must(t, conn.Close())
			in.awaitLog("id=gone method=POST route=/api/v1/invoice/{id}/ar_transactions/ status=500")
			return nil
		})
		if balance := in.get(invoice).xml(t).at("ar_transactions/@balance"); balance != "1250.00" {
			t.Errorf("%s is owed: the payment was posted", balance)
		}
	})
}

// A client goes away before it is answered, but after the commit: what was made stays, once.
func TestAClientThatGoesAwayAfterTheCommitFindsWhatItMade(t *testing.T) {
	eachDatabase(t, func(t *testing.T, in *installation) {
		body := invoiceBody(strings.TrimPrefix(in.customer(), in.http.URL), "14")
		conn := in.dial()
		in.request(conn, "POST /api/v1/invoices HTTP/1.1", fmt.Sprintf("Content-Length: %d", len(body)), "Idempotency-Key: k", "X-Request-Id: gone")
		_, err := io.WriteString(conn, body)
		must(t, err)
		in.awaitLog("id=gone method=POST route=/api/v1/invoices/ status=201") // it is answered, and nobody has read that
		must(t, conn.Close())
		in.make("/api/v1/invoices", body, header("Idempotency-Key", "k"))
		if list := in.get("/api/v1/invoices").xml(t).find("invoice"); len(list) != 1 {
			t.Errorf("%d invoices were made", len(list))
		}
	})
}

// awaitLog waits until the server's log holds a text.
func (in *installation) awaitLog(text string) {
	in.t.Helper()
	ctx, cancel := context.WithTimeout(in.t.Context(), time.Minute)
	defer cancel()
	tick := time.NewTicker(time.Millisecond)
	defer tick.Stop()
	for !strings.Contains(in.logged.String(), text) {
		select {
		case <-tick.C:
		case <-ctx.Done():
			in.t.Fatalf("the log does not come to hold %q", text)
		}
	}
}
