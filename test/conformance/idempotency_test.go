package conformance_test

import (
	"fmt"
	"net/http"
	"net/http/httptrace"
	"strings"
	"testing"
	"time"

	"purr/test/testkit"
	"purr/test/testkit/house"
)

// TestD9TheSameKeyAndBodyAreAnsweredTheSame sends every kind of POST twice: the second answer is the first, byte
// by byte, and nothing more was created. Refusals are repeated as well.
func TestD9TheSameKeyAndBodyAreAnsweredTheSame(t *testing.T) {
	overTime(t, func(t *testing.T, in *installation) {
		c := in.common.on(t)
		customer := c.customer()
		invoice := c.invoices(order{to: customer.URI(), days: "0"})
		in.at(t, "2023-12-09 00:01")
		calls := 0
		twice := func(path, body string, status int, more ...option) *answer {
			t.Helper()
			calls++
			key := header("Idempotency-Key", fmt.Sprintf("%s %s %d", t.Name(), path, calls))
			first := c.Post(path, body, append(more, key)...).Is(status)
			second := c.Post(path, body, append(more, key)...).Is(status)
			if string(first.Body) != string(second.Body) || first.Header.Get("Location") != second.Header.Get("Location") ||
				first.Header.Get("Content-Type") != second.Header.Get("Content-Type") {
				t.Errorf("%s: answered first\n%s %s\nthen\n%s %s", path, first.Header.Get("Location"), first.Body, second.Header.Get("Location"), second.Body)
			}
			return first
		}
		made := twice("/customers", tag("customer", named("Idar Potens")), 201).Root()
		equal(t, "number of customers", len(c.List("/customers?search=idar+potens")), 1)
		twice("/invoices", order{to: made.URI()}.xml(), 201)
		equal(t, "number of invoices", len(c.List(made.URI()+"/invoices")), 1)
		twice(invoice.URI()+"/ar_transactions", entry("-10", in.Today()), 201)
		twice(invoice.URI()+"/overdue_notices", notice(false, false, true), 201)
		twice(invoice.URI()+"/overdue_notices", notice(false, false, true), 409)
		note := twice(invoice.URI()+"/credit_notes", creditNote(), 201).Root()
		twice(note.URI()+"/ar_transactions", entry("10", in.Today()), 201)
		c.account(invoice, "INVOICE 1250.00", "PAYMENT -10.00", "CREDIT_NOTE -1240.00")
		c.account(note, "CREDIT_NOTE -1250.00", "CREDIT_NOTE 1240.00", "PAYMENT 10.00")
		other := c.invoices(order{to: customer.URI()})
		twice(other.URI()+"/close", tag("close", tag("reason", "lost")), 200)
		twice(other.URI()+"/reopen", "", 200)
		twice(other.URI()+"/debt_collection", "", 409)
		hook := twice("/webhooks", tag("webhook", tag("url", "http://127.0.0.1:1/"), tag("enabled", "0")), 201).Root()
		twice(hook.URI()+"/secret", "", 200)
		twice("/customers", tag("customer"), 422)
		twice("/payment_files", "no bank's", 422, contentType("text/plain"))
		twice("/test_clock", house.ClockAt(moment(beginning).AddDate(0, 0, -1)), 422)
	})
}

// TestD9AKeyOfAnotherRequest cannot be used again, and is a creditor's own.
func TestD9AKeyOfAnotherRequest(t *testing.T) {
	eachDatabase(t, func(t *testing.T, in *installation) {
		c := in.creditor(t)
		key := header("Idempotency-Key", "k")
		first := c.Post("/customers", tag("customer", kari), key).Created()
		c.Post("/customers", tag("customer", kari)+" ", key).Refused(422, "idempotency_mismatch")
		c.Post("/invoices", tag("customer", kari), key).Refused(422, "idempotency_mismatch")
		other := in.creditor(t).Post("/customers", tag("customer", kari), key).Created()
		if other.URI() == first.URI() {
			t.Error("another creditor was answered with this one's customer")
		}
		for _, long := range []string{strings.Repeat("k", 255), strings.Repeat("ø", 255)} {
			c.Post("/customers", tag("customer", kari), header("Idempotency-Key", long)).Created()
		}
		empty := func(r *http.Request) { r.Header["Idempotency-Key"] = []string{""} }
		for _, wrong := range []option{empty, header("Idempotency-Key", strings.Repeat("k", 256))} {
			c.Post("/customers", tag("customer", kari), wrong).Refused(400, "invalid_idempotency_key")
		}
	})
}

// TestD9AKeyIsForgottenAfterADay repeats a request just before and after 24 hours.
func TestD9AKeyIsForgottenAfterADay(t *testing.T) {
	overTime(t, func(t *testing.T, in *installation) {
		c := in.common.on(t)
		key := header("Idempotency-Key", t.Name())
		first := c.Post("/customers", tag("customer", kari), key).Created()
		in.at(t, "2023-12-08 23:59")
		equal(t, "within the day", c.Post("/customers", tag("customer", kari), key).Created().URI(), first.URI())
		in.at(t, "2023-12-09 00:02")
		if again := c.Post("/customers", tag("customer", kari), key).Created(); again.URI() == first.URI() {
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
			slow := c.Request(http.MethodPost, "/payment_files", body, key, contentType("text/plain"), header("Expect", "100-continue"))
			slow = slow.WithContext(httptrace.WithClientTrace(slow.Context(), trace))
			transport := &http.Transport{ExpectContinueTimeout: testkit.Patience}
			defer transport.CloseIdleConnections()
			got, err := transport.RoundTrip(slow)
			if err != nil {
				return
			}
			if a, err := c.Read(slow, got); err == nil {
				first <- a
			}
		}()
		select {
		case <-begun:
		case <-time.After(testkit.Patience):
			t.Fatal("the first request was not read")
		}
		c.Post("/payment_files", "no bank's", key, contentType("text/plain")).Refused(409, "idempotency_in_progress")
		close(body.goOn)
		answered := <-first
		if answered == nil {
			t.Fatal("the first request was not answered")
		}
		again := c.Post("/payment_files", "no bank's", key, contentType("text/plain")).Is(answered.Is(422).Status)
		equal(t, "the answer to the second", string(again.Body), string(answered.Body))

		uris := map[string]bool{}
		for _, a := range c.AtOnce(5, func() *answer {
			return c.Post("/customers", tag("customer", kari), header("Idempotency-Key", "at once"))
		}) {
			if a.Status == http.StatusCreated {
				uris[a.Created().URI()] = true
			} else {
				a.Refused(409, "idempotency_in_progress")
			}
		}
		equal(t, "number of addresses that were answered", len(uris), 1)
		equal(t, "number of customers", len(c.List("/customers")), 1)
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
