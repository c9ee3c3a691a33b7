package api_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"regexp"
	"strings"
	"testing"
	"time"

	"purr/api"
	"purr/api/guard"
	"purr/models"
	"purr/store"
	"purr/test/testkit"
)

// inJSON asks for an answer in JSON.
func inJSON(r *http.Request) { r.Header.Set("Accept", "application/json") }

// sentAsJSON says that the body is in JSON.
func sentAsJSON(r *http.Request) { r.Header.Set("Content-Type", "application/json") }

// refusedInJSON fails the test unless the answer is a problem document with the status, the request's ID, and exactly the faults, each
// code or code@place.
func (r reply) refusedInJSON(t *testing.T, status int, want ...string) {
	t.Helper()
	r.is(t, status)
	var got []string
	for _, e := range r.problems(t) {
		name := e.Code
		if at := e.Pointer + e.Parameter; at != "" {
			name += "@" + at
		}
		if got = append(got, name); e.Detail == "" {
			t.Errorf("%s says nothing", name)
		}
	}
	if strings.Join(got, " ") != strings.Join(want, " ") {
		t.Errorf("refused with %s, want %s", strings.Join(got, " "), strings.Join(want, " "))
	}
}

// problem is an error as a client reads it in JSON.
type problem struct{ Code, Pointer, Parameter, Detail string }

// problems returns the errors of a refusal, and fails the test unless the answer is a problem document.
func (r reply) problems(t *testing.T) []problem {
	t.Helper()
	var document struct {
		Type, Title string
		Status      int
		RequestID   string `json:"request_id"`
		Errors      []problem
	}
	if err := json.Unmarshal([]byte(r.body), &document); err != nil || r.header.Get("Content-Type") != "application/problem+json" || len(document.Errors) == 0 {
		t.Fatalf("the refusal is no problem document: %v: %s: %s", err, r.header.Get("Content-Type"), r.body)
	}
	if document.Type != "about:blank" || document.Status != r.status || document.Title != http.StatusText(r.status) || document.RequestID == "" {
		t.Errorf("the refusal is %s", r.body)
	}
	return document.Errors
}

// TestJ2WhatIsRefusedBeforeAHandlerIsRefusedInJSON: whatever the reason is, the Accept says in which form it is told.
func TestJ2WhatIsRefusedBeforeAHandlerIsRefusedInJSON(t *testing.T) {
	t.Parallel()
	in := onSQLite(t, nil)
	customer := in.customer()
	for _, test := range []struct {
		why, method, path, body string
		with                    []option
		status                  int
		want                    string
	}{
		{"no such path", "GET", "/api/v1/nothing", "", nil, 404, "not_found"},
		{"no such path outside of the interface", "GET", "/nothing", "", []option{noKey}, 404, "not_found"},
		{"a path that is not clean", "GET", "//api/v1/invoices", "", nil, 404, "not_found"},
		{"no such resource", "GET", "/api/v1/invoice/99", "", nil, 404, "not_found"},
		{"an ID that is none", "GET", "/api/v1/invoice/x", "", nil, 404, "not_found"},
		{"no such method", "PATCH", customer, "{}", []option{sentAsJSON}, 405, "method_not_allowed"},
		{"no key", "GET", customer, "", []option{noKey}, 401, "key_required"},
		{"a wrong key", "GET", customer, "", []option{header("Authorization", "Bearer guess")}, 401, "key_wrong"},
		{"a scope that does not suffice", "PUT", "/api/v1/creditor", "{}", []option{sentAsJSON}, 403, "scope_insufficient"},
		{"a page of another site", "POST", "/api/v1/customers", "{}", []option{sentAsJSON, header("Sec-Fetch-Site", "cross-site")}, 403, "cross_origin"},
		{"an unknown parameter", "GET", "/api/v1/invoices?colour=red", "", nil, 400, "unknown_parameter@colour"},
		{"a query that cannot be read", "GET", "/api/v1/invoices?a=%zz", "", nil, 400, "malformed_query"},
		{"another media type", "POST", "/api/v1/customers", "name1: x", []option{header("Content-Type", "application/yaml")}, 415, "unsupported_media_type"},
		{"a compressed body", "POST", "/api/v1/customers", "{}", []option{sentAsJSON, header("Content-Encoding", "gzip")}, 415, "unsupported_media_type"},
		{"a long body", "POST", "/api/v1/customers", strings.Repeat(" ", 1<<20+1), []option{sentAsJSON}, 413, "too_large"},
		{"a long key", "POST", "/api/v1/customers", "{}", []option{sentAsJSON, header("Idempotency-Key", strings.Repeat("k", 256))}, 400, "invalid_idempotency_key"},
		{"no body", "POST", "/api/v1/customers", "", []option{sentAsJSON}, 400, "malformed_json"},
		{"a file that is none", "POST", "/api/v1/payment_files?filename=x", "x", []option{header("Content-Type", "text/plain")}, 422, "bad_length"},
	} {
		t.Run(test.why, func(t *testing.T) {
			r := in.send(test.method, test.path, test.body, append(test.with, inJSON)...)
			r.refusedInJSON(t, test.status, test.want)
			if test.status == 405 && r.header.Get("Allow") != "DELETE, GET, PUT" || test.status == 401 && len(r.header.Values("Www-Authenticate")) != 2 {
				t.Errorf("the headers are %v", r.header)
			}
		})
	}
}

// TestJ2LimitsAndFailuresInJSON: so is what the server cannot do now.
func TestJ2LimitsAndFailuresInJSON(t *testing.T) {
	t.Parallel()
	limited := onSQLite(t, func(c *api.Config) { c.RateLimit = guard.RateLimit{PerSecond: 0.5, Burst: 1} })
	limited.get("/api/v1/invoices", inJSON).is(t, http.StatusOK)
	r := limited.get("/api/v1/invoices", inJSON)
	if r.refusedInJSON(t, http.StatusTooManyRequests, "rate_limited"); r.header.Get("Retry-After") != "2" {
		t.Errorf("Retry-After is %q", r.header.Get("Retry-After"))
	}
	for range 10 {
		limited.get("/api/v1/invoices", header("Authorization", "Bearer guess"), inJSON).is(t, http.StatusUnauthorized)
	}
	limited.get("/api/v1/invoices", header("Authorization", "Bearer guess"), inJSON).refusedInJSON(t, http.StatusTooManyRequests, "too_many_wrong_keys")

	wire := cutWire(t, testkit.MySQL(t))
	cut := install(t, wire.url, nil)
	cut.get("/api/v1/invoices", inJSON).is(t, http.StatusOK)
	wire.cut()
	if r := cut.get("/api/v1/invoices", inJSON); r.header.Get("Retry-After") == "" {
		t.Error("no Retry-After")
	} else {
		r.refusedInJSON(t, http.StatusServiceUnavailable, "unavailable")
	}

	broken := onSQLite(t, func(c *api.Config) { c.TestClock = brokenClock{} }).admin()
	r = broken.get("/api/v1/test_clock", inJSON, header("X-Request-Id", "mine"))
	if r.refusedInJSON(t, http.StatusInternalServerError, "internal"); !strings.Contains(r.body, `"request_id":"mine"`) || strings.Contains(r.body, "secret cause") {
		t.Errorf("answered %s", r.body)
	}
	away := onSQLite(t, func(c *api.Config) {
		c.Checks = []api.Check{{Name: "queue", Ask: func(context.Context) error { return models.Unavailable("the queue", nil) }}}
	})
	away.get("/readyz", inJSON).refusedInJSON(t, http.StatusServiceUnavailable, "unavailable@queue")
}

// TestJ1HeadersOfJSON: HEAD says what GET would answer; a list as CSV, and what is a file, stay what they are.
func TestJ1HeadersOfJSON(t *testing.T) {
	t.Parallel()
	in := onSQLite(t, nil)
	invoice := in.invoice("14")
	for _, path := range []string{invoice, "/api/v1/invoices", "/api/v1/invoice/99", "/api/v1/nothing", "/api/v1/events"} {
		full, head := in.get(path, inJSON), in.send("HEAD", path, "", inJSON)
		if head.status != full.status || head.body != "" || full.header.Get("Content-Type") != head.header.Get("Content-Type") || !strings.HasSuffix(head.header.Get("Content-Type"), "json") {
			t.Errorf("%s: HEAD is answered %d %v", path, head.status, head.header)
		}
		if id := regexp.MustCompile(`"request_id":"\w+"`); head.header.Get("Content-Length") != full.header.Get("Content-Length") && !id.MatchString(full.body) {
			t.Errorf("%s: HEAD has the length %s, GET %s", path, head.header.Get("Content-Length"), full.header.Get("Content-Length"))
		}
	}
	was, is := in.get("/api/v1/receivables?format=csv"), in.get("/api/v1/receivables?format=csv", inJSON)
	if is.body != was.body || is.header.Get("Content-Type") != was.header.Get("Content-Type") || !strings.HasPrefix(is.header.Get("Content-Type"), "text/csv") {
		t.Errorf("a list as CSV is answered %v %s", is.header, is.body)
	}
	in.get("/api/v1/receivables?format=pdf", inJSON).refusedInJSON(t, http.StatusBadRequest, "unknown_format@format")
	if pdf := in.get(invoice+"/pdf", inJSON); pdf.status != http.StatusOK || pdf.header.Get("Content-Type") != "application/pdf" {
		t.Errorf("a PDF is answered %d %v", pdf.status, pdf.header)
	}
	in.get("/api/v1/invoice/99/pdf", inJSON).refusedInJSON(t, http.StatusNotFound, "not_found")
}

// TestJ1ARepeatedRequestIsAnsweredAsBefore: byte for byte, whether it was done or refused. The request_id in a kept refusal is that of
// the request that was refused; the header has that of the repeated one.
func TestJ1ARepeatedRequestIsAnsweredAsBefore(t *testing.T) {
	t.Parallel()
	eachDatabase(t, func(t *testing.T, in *installation) {
		const good, wrong = `{"name1": "Ola", "postal_code": "1", "postal_name": "Oslo"}`, `{"name1": "Ola"}`
		send := func(key, body, id string) reply {
			return in.send("POST", "/api/v1/customers", body, sentAsJSON, header("Idempotency-Key", key), header("X-Request-Id", id))
		}
		for body, want := range map[string]int{good: http.StatusCreated, wrong: http.StatusUnprocessableEntity} {
			first := send(body, body, "first")
			first.is(t, want)
			again := send(body, body, "again")
			if again.status != want || again.body != first.body || again.header.Get("Content-Type") != first.header.Get("Content-Type") || again.header.Get("X-Request-Id") != "again" {
				t.Errorf("the repeated one is answered %d %v %s, the first one was %s", again.status, again.header, again.body, first.body)
			}
		}
		if refused := send(wrong, wrong, "third"); !strings.Contains(refused.body, `"request_id":"first"`) {
			t.Errorf("the refusal is %s", refused.body)
		}
		send(good, wrong, "other").refusedInJSON(t, http.StatusUnprocessableEntity, "idempotency_mismatch")
	})
}

// TestJ1WhatWasKeptBeforeAnUpgradeIsXML: an answer that a version without JSON has kept is given again as it was.
func TestJ1WhatWasKeptBeforeAnUpgradeIsXML(t *testing.T) {
	t.Parallel()
	eachDatabase(t, func(t *testing.T, in *installation) {
		const body = `<customer><name1>Ola</name1><postal_code>1</postal_code><postal_name>Oslo</postal_name></customer>`
		for _, sent := range []string{body, `<customer/>`} {
			key := header("Idempotency-Key", sent)
			first := in.send("POST", "/api/v1/customers", sent, key)
			in.write(func(ctx context.Context, tx *store.Tx) error {
				kept := store.Reservation{Answer: store.Answer{CreditorID: in.creditor.ID, IdempotencyKey: sent}}
				if err := tx.ReserveKeys(ctx, []*store.Reservation{&kept}); err != nil || kept.Fresh {
					return fmt.Errorf("the answer is not kept: %w", err)
				}
				kept.MediaType = ""
				return tx.FinishAnswers(ctx, []store.Answer{kept.Answer})
			})
			again := in.send("POST", "/api/v1/customers", sent, key)
			if again.status != first.status || again.body != first.body || again.header.Get("Content-Type") != "application/xml; charset=utf-8" {
				t.Errorf("answered %d %v %s", again.status, again.header, again.body)
			}
			in.send("POST", "/api/v1/customers", sent, key, inJSON).refusedInJSON(t, http.StatusUnprocessableEntity, "idempotency_key_reused")
		}
	})
}

// TestJ4AWebhookSaysItsFormatWhereItIsJSON: one that says nothing is XML, and its answers are what they were.
func TestJ4AWebhookSaysItsFormatWhereItIsJSON(t *testing.T) {
	t.Parallel()
	eachDatabase(t, func(t *testing.T, in *installation) {
		uri := in.make("/api/v1/webhooks", hookBody)
		plain := in.get(uri).body
		if strings.Contains(plain, "format") || strings.Contains(in.get(uri, inJSON).body, "format") {
			t.Errorf("a webhook shows a format that nobody has set: %s", plain)
		}
		for _, test := range []struct{ put, want string }{
			{`<webhook><format> json </format></webhook>`, "json"},
			{`<webhook><description/></webhook>`, "json"},
			{`<webhook><format>xml</format></webhook>`, "-"},
			{`<webhook><format>json</format></webhook>`, "json"},
			{`<webhook><format/></webhook>`, "-"},
		} {
			r := in.send("PUT", uri, test.put)
			if r.is(t, http.StatusOK); r.xml(t).at("format") != test.want {
				t.Errorf("%s: it is %s", test.put, r.body)
			}
		}
		if got := in.get(uri).body; got != plain {
			t.Errorf("it is %s, want %s", got, plain)
		}
		in.send("PUT", uri, `<webhook><format>JSON</format></webhook>`).refused(t, http.StatusUnprocessableEntity, "invalid_format@format")
		must(t, in.db.NumberEvents(t.Context()))
		events, err := in.db.NewestEvents(t.Context(), in.creditor.ID, store.EventFilter{Type: models.EventWebhookChanged}, 0, 5)
		if must(t, err); len(events) != 5 || events[4].Data != `{"changed":["format"]}` || events[3].Data != `{"changed":[]}` {
			t.Errorf("the events are %+v", events)
		}
		made := in.get(in.make("/api/v1/webhooks", `{"url": "https://a.no", "format": "json"}`, sentAsJSON), inJSON)
		if !strings.Contains(made.body, `"format":"json"`) {
			t.Errorf("it is %s", made.body)
		}
	})
}

// TestJ6OtherSystemsFollowCustomers: each change of a customer by the interface has an event with the old and the new values.
func TestJ6OtherSystemsFollowCustomers(t *testing.T) {
	t.Parallel()
	eachDatabase(t, func(t *testing.T, in *installation) {
		customer := in.customer()
		put := func(body string) { in.send("PUT", customer, body).is(t, http.StatusOK) }
		put(`<customer><name1>Kari Å</name1><email/><dunning_policy><hand_over_days>never</hand_over_days><minimum_balance>80</minimum_balance></dunning_policy></customer>`)
		put(`<customer><dunning_policy><hand_over_days>30</hand_over_days></dunning_policy></customer>`)
		put(`<customer><dunning_policy/></customer>`)
		put(`<customer/>`)
		in.make("/api/v1/invoices", strings.Replace(invoiceBody("x", "14"), `<recipient uri="x"/>`,
			`<recipient><name1>Ny</name1><address1>A 1</address1><postal_code>0155</postal_code><postal_name>Oslo</postal_name></recipient>`, 1))
		in.send("DELETE", customer, "").is(t, http.StatusNoContent)
		var list struct {
			Events []struct {
				Type, Timestamp string
				Data            struct {
					Customer map[string]string
					Facts    json.RawMessage
				}
			}
		}
		must(t, json.Unmarshal([]byte(in.get("/api/v1/events", inJSON).body), &list))
		var got []string
		for _, e := range list.Events {
			if strings.HasPrefix(e.Type, "customer.") {
				got = append(got, strings.TrimPrefix(e.Data.Customer["uri"], in.http.URL)+" "+e.Type+" "+string(e.Data.Facts))
			}
		}
		want := []string{
			`/api/v1/customer/1 customer.created `,
			`/api/v1/customer/1 customer.changed {"changed":["name1","email","dunning_policy"],"dunning_policy/hand_over_days":{"was":null,"is":"never"},` +
				`"dunning_policy/minimum_balance":{"was":null,"is":"80.00"},"email":{"was":"kari@example.no","is":""},"name1":{"was":"Kari Nordmann","is":"Kari Å"}}`,
			`/api/v1/customer/1 customer.changed {"changed":["dunning_policy"],"dunning_policy/hand_over_days":{"was":"never","is":30}}`,
			`/api/v1/customer/1 customer.changed {"changed":["dunning_policy"],"dunning_policy/hand_over_days":{"was":30,"is":null},"dunning_policy/minimum_balance":{"was":"80.00","is":null}}`,
			`/api/v1/customer/1 customer.changed {"changed":[]}`,
			`/api/v1/customer/2 customer.created `,
			`/api/v1/customer/1 customer.deleted `,
		}
		if strings.Join(got, "\n") != strings.Join(want, "\n") {
			t.Errorf("the events are\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
		if at, err := time.Parse(time.RFC3339, list.Events[0].Timestamp); err != nil || !at.Equal(start) {
			t.Errorf("the first was at %s", list.Events[0].Timestamp)
		}
	})
}
