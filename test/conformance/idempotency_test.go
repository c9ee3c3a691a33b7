package conformance_test

import (
	"fmt"
	"net/http"
	"net/http/httptrace"
	"strings"
	"testing"
	"time"
)

// TestD9TheSameKeyAndBodyAreAnsweredTheSame sends every kind of POST twice: the second answer is the first, byte
// by byte, and nothing more was created. Refusals are repeated as well.
func TestD9TheSameKeyAndBodyAreAnsweredTheSame(t *testing.T) {
	overTime(t, func(t *testing.T, in *installation) {
		c := in.common.on(t)
		customer := c.customer()
		invoice := c.invoices(order{to: customer.uri(), days: "0"})
		in.at(t, "2023-12-09 00:01")
		calls := 0
		twice := func(path, body string, status int, more ...change) *answer {
			t.Helper()
			calls++
			key := header("Idempotency-Key", fmt.Sprintf("%s %s %d", t.Name(), path, calls))
			first := c.post(path, body, append(more, key)...).is(status)
			second := c.post(path, body, append(more, key)...).is(status)
			if string(first.body) != string(second.body) || first.header.Get("Location") != second.header.Get("Location") ||
				first.header.Get("Content-Type") != second.header.Get("Content-Type") {
				t.Errorf("%s: answered first\n%s %s\nthen\n%s %s", path, first.header.Get("Location"), first.body, second.header.Get("Location"), second.body)
			}
			return first
		}
		made := twice("/customers", tag("customer", named("Idar Potens")), 201).node()
		equal(t, "number of customers", len(c.list("/customers?search=idar+potens")), 1)
		twice("/invoices", order{to: made.uri()}.xml(), 201)
		equal(t, "number of invoices", len(c.list(made.uri()+"/invoices")), 1)
		twice(invoice.uri()+"/ar_transactions", entry("-10", in.today()), 201)
		twice(invoice.uri()+"/overdue_notices", notice(false, false, true), 201)
		twice(invoice.uri()+"/overdue_notices", notice(false, false, true), 409)
		note := twice(invoice.uri()+"/credit_notes", creditNote(), 201).node()
		twice(note.uri()+"/ar_transactions", entry("10", in.today()), 201)
		c.account(invoice, "INVOICE 1250.00", "PAYMENT -10.00", "CREDIT_NOTE -1240.00")
		c.account(note, "CREDIT_NOTE -1250.00", "CREDIT_NOTE 1240.00", "PAYMENT 10.00")
		other := c.invoices(order{to: customer.uri()})
		twice(other.uri()+"/close", tag("close", tag("reason", "lost")), 200)
		twice(other.uri()+"/reopen", "", 200)
		twice(other.uri()+"/debt_collection", "", 409)
		hook := twice("/webhooks", tag("webhook", tag("url", "http://127.0.0.1:1/"), tag("enabled", "0")), 201).node()
		twice(hook.uri()+"/secret", "", 200)
		twice("/customers", tag("customer"), 422)
		twice("/payment_files", "no bank's", 422, contentType("text/plain"))
		twice("/test_clock", clockAt(moment(beginning).AddDate(0, 0, -1)), 422)
	})
}

// TestD9AKeyOfAnotherRequest cannot be used again, and is a creditor's own.
func TestD9AKeyOfAnotherRequest(t *testing.T) {
	eachDatabase(t, func(t *testing.T, in *installation) {
		c := in.creditor(t)
		key := header("Idempotency-Key", "k")
		first := c.post("/customers", tag("customer", kari), key).created()
		c.post("/customers", tag("customer", kari)+" ", key).refused(422, "idempotency_mismatch")
		c.post("/invoices", tag("customer", kari), key).refused(422, "idempotency_mismatch")
		other := in.creditor(t).post("/customers", tag("customer", kari), key).created()
		if other.uri() == first.uri() {
			t.Error("another creditor was answered with this one's customer")
		}
		for _, long := range []string{strings.Repeat("k", 255), strings.Repeat("ø", 255)} {
			c.post("/customers", tag("customer", kari), header("Idempotency-Key", long)).created()
		}
		empty := func(r *http.Request) { r.Header["Idempotency-Key"] = []string{""} }
		for _, wrong := range []change{empty, header("Idempotency-Key", strings.Repeat("k", 256))} {
			c.post("/customers", tag("customer", kari), wrong).refused(400, "invalid_idempotency_key")
		}
	})
}

// TestD9AKeyIsForgottenAfterADay repeats a request just before and after 24 hours.
func TestD9AKeyIsForgottenAfterADay(t *testing.T) {
	overTime(t, func(t *testing.T, in *installation) {
		c := in.common.on(t)
		key := header("Idempotency-Key", t.Name())
		first := c.post("/customers", tag("customer", kari), key).created()
		in.at(t, "2023-12-08 23:59")
		equal(t, "within the day", c.post("/customers", tag("customer", kari), key).created().uri(), first.uri())
		in.at(t, "2023-12-09 00:02")
		if again := c.post("/customers", tag("customer", kari), key).created(); again.uri() == first.uri() {
			t.Error("after more than a day the key was still known")
		}
	})
}

// TestD9WhileTheFirstIsRunning repeats a request whose first body is still on its way, and sends one many times
// at once: it is done once.
func TestD9WhileTheFirstIsRunning(t *testing.T) {
	eachDatabase(t, func(t *testing.T, in *installation) {
		c := in.creditor(t)
		key := header("Idempotency-Key", "slow")
		body := &slowBody{rest: strings.NewReader("no bank's"), goOn: make(chan struct{})}
		begun := make(chan struct{})
		first := make(chan *answer)
		go func() {
			defer close(first)
			trace := &httptrace.ClientTrace{Got100Continue: func() { close(begun) }} // the server has begun to read
			slow := c.request(http.MethodPost, "/payment_files", body, key, contentType("text/plain"), header("Expect", "100-continue"))
			slow = slow.WithContext(httptrace.WithClientTrace(slow.Context(), trace))
			transport := &http.Transport{ExpectContinueTimeout: patience}
			defer transport.CloseIdleConnections()
			if got, err := transport.RoundTrip(slow); err == nil {
				first <- c.answered(slow, got)
			}
		}()
		select {
		case <-begun:
		case <-time.After(patience):
			t.Fatal("the first request was not read")
		}
		c.post("/payment_files", "no bank's", key, contentType("text/plain")).refused(409, "idempotency_in_progress")
		close(body.goOn)
		answered := <-first
		if answered == nil {
			t.Fatal("the first request was not answered")
		}
		again := c.post("/payment_files", "no bank's", key, contentType("text/plain")).is(answered.is(422).status)
		equal(t, "the answer to the second", string(again.body), string(answered.body))

		uris := map[string]bool{}
		for _, a := range c.atOnce(5, func(c *client) *answer {
			return c.post("/customers", tag("customer", kari), header("Idempotency-Key", "at once"))
		}) {
			if a.status == http.StatusCreated {
				uris[a.created().uri()] = true
			} else {
				a.refused(409, "idempotency_in_progress")
			}
		}
		equal(t, "number of addresses that were answered", len(uris), 1)
		equal(t, "number of customers", len(c.list("/customers")), 1)
	})
}

// slowBody is a body that lets its reader wait.
type slowBody struct {
	rest *strings.Reader
	goOn chan struct{}
}

func (b *slowBody) Read(p []byte) (int, error) {
	<-b.goOn
	return b.rest.Read(p)
}
