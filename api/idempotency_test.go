package api_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"purr/api"
	"purr/models"
	"purr/store"
	"purr/test/testkit"
	"purr/test/testkit/rows"
)

func TestD9SameRequestIsAnsweredTheSameAndDoneOnce(t *testing.T) {
	t.Parallel()
	eachDatabase(t, func(t *testing.T, in *installation) {
		body := invoiceBody(in.customer(), "14")
		key := header("Idempotency-Key", "bestilling 17 æ")
		first := in.send("POST", "/api/v1/invoices", body, key)
		first.is(t, http.StatusCreated)
		for _, path := range []string{"/api/v1/invoices", "/api/v1/invoices/"} {
			again := in.send("POST", path, body, key)
			if again.status != first.status || again.body != first.body || again.header.Get("Location") != first.header.Get("Location") {
				t.Errorf("the second answer is %d %s %s", again.status, again.header.Get("Location"), again.body)
			}
		}
		if got := in.get("/api/v1/invoices").xml(t).find("invoice"); len(got) != 1 {
			t.Errorf("there are %d invoices", len(got))
		}
		must(t, in.server.Close())
		if made := in.queue.all(); len(made) != 1 {
			t.Errorf("the queue was told of %v", made)
		}
		in.send("POST", "/api/v1/invoices", body+" ", key).refused(t, http.StatusUnprocessableEntity, "idempotency_mismatch")
		in.send("POST", "/api/v1/customers", body, key).refused(t, http.StatusUnprocessableEntity, "idempotency_mismatch")
	})
}

func TestD9KeyIsOfOneCreditorAnd24Hours(t *testing.T) {
	t.Parallel()
	eachDatabase(t, func(t *testing.T, in *installation) {
		const body = `<customer><name1>Ola</name1><postal_code>1</postal_code><postal_name>Oslo</postal_name></customer>`
		key := header("Idempotency-Key", "k")
		first := in.make("/api/v1/customers", body, key)
		if other := in.another("Annen AS").make("/api/v1/customers", body, key); other == first {
			t.Error("another creditor's request was answered with this one's")
		}
		in.clock.Set(start.Add(24*time.Hour - time.Second))
		if again := in.make("/api/v1/customers", body, key); again != first {
			t.Error("within 24 hours a second customer was made")
		}
		in.clock.Set(start.Add(24 * time.Hour))
		if later := in.make("/api/v1/customers", body, key); later == first {
			t.Error("after 24 hours the key was still known")
		}
	})
}

func TestD9RefusalsAreKeptToo(t *testing.T) {
	t.Parallel()
	eachDatabase(t, func(t *testing.T, in *installation) {
		invoice := in.invoice("0")
		for i, test := range []struct {
			path, body string
			status     int
			code       string
		}{
			{invoice + "/overdue_notices", `<overdue_notice/>`, http.StatusConflict, "not_overdue"},
			{"/api/v1/invoice/99/overdue_notices", `<overdue_notice/>`, http.StatusNotFound, "not_found"},
			{invoice + "/overdue_notices", `<overdue_notice>`, http.StatusBadRequest, "malformed_xml"},
			{invoice + "/overdue_notices", `<overdue_notice><x/></overdue_notice>`, http.StatusUnprocessableEntity, "unknown_element@x"},
		} {
			key := header("Idempotency-Key", strings.Repeat("k", i+1))
			in.send("POST", test.path, test.body, key).refused(t, test.status, test.code)
			if i == 0 {
				in.clock.Set(start.Add(23*time.Hour + 59*time.Minute))
			}
			in.send("POST", test.path, test.body, key).refused(t, test.status, test.code)
		}
		rows.Send(t, in.db, in.creditor)
		in.make(invoice+"/overdue_notices", `<overdue_notice/>`)
		in.send("POST", invoice+"/overdue_notices", `<overdue_notice><add_interest>1</add_interest></overdue_notice>`, header("Idempotency-Key", "k")).
			refused(t, http.StatusUnprocessableEntity, "idempotency_mismatch")
	})
}

func TestD9Keys(t *testing.T) {
	t.Parallel()
	in := onSQLite(t, nil)
	const body = `<customer><name1>Ola</name1><postal_code>1</postal_code><postal_name>Oslo</postal_name></customer>`
	for _, test := range []struct {
		values []string
		want   int
	}{
		{[]string{"k"}, http.StatusCreated},
		{[]string{strings.Repeat("ø", 255)}, http.StatusCreated},
		{[]string{strings.Repeat("k", 256)}, http.StatusBadRequest},
		{[]string{""}, http.StatusBadRequest},
		{[]string{"a", "b"}, http.StatusBadRequest},
		{[]string{"\xff"}, http.StatusBadRequest},
	} {
		r := in.send("POST", "/api/v1/customers", body, func(r *http.Request) { r.Header["Idempotency-Key"] = test.values })
		if r.status != test.want {
			t.Errorf("%q: answered %d, want %d", test.values, r.status, test.want)
		}
	}
}

func TestD9FirstRequestStillRunning(t *testing.T) {
	t.Parallel()
	slow := &slowClock{began: make(chan struct{}), release: make(chan struct{})}
	in := onSQLite(t, func(c *api.Config) { c.TestClock = slow }).admin()
	const body = `<test_clock><now>2026-04-01T12:00:00Z</now></test_clock>`
	key := header("Idempotency-Key", "k")
	first := make(chan reply)
	go func() { first <- in.send("POST", "/api/v1/test_clock", body, key) }()
	<-slow.began
	in.send("POST", "/api/v1/test_clock", body, key).refused(t, http.StatusConflict, "idempotency_in_progress")
	close(slow.release)
	done := <-first
	done.is(t, http.StatusOK)
	again := in.send("POST", "/api/v1/test_clock", body, key)
	if again.status != http.StatusOK || again.body != done.body || slow.moves != 1 {
		t.Errorf("answered %d %s; the clock was moved %d times", again.status, again.body, slow.moves)
	}
	in.send("POST", "/api/v1/test_clock", body+"\n", key).refused(t, http.StatusUnprocessableEntity, "idempotency_mismatch")
}

// slowClock is a test clock that moves when the test lets it.
type slowClock struct {
	began, release chan struct{}
	moves          int
}

func (c *slowClock) Now() time.Time { return start }

func (c *slowClock) Advance(context.Context, time.Time) error {
	c.moves++
	close(c.began)
	<-c.release
	return nil
}

// Two processes get the same request at once, each many times. One invoice is made, and every answer is the first
// one or says that the request is in progress.
func TestD9SameRequestAtOnceInSeveralProcesses(t *testing.T) {
	t.Parallel()
	testkit.EachDatabase(t, func(t *testing.T, databaseURL string) {
		in := install(t, databaseURL, nil)
		body := invoiceBody(strings.TrimPrefix(in.customer(), in.http.URL), "14")
		db, err := store.Open(databaseURL, in.clock)
		must(t, err)
		second := api.New(api.Config{DB: db, Queue: in.queue, Clock: in.clock, Log: discard()})
		other := httptest.NewServer(second)
		t.Cleanup(func() {
			other.Close()
			must(t, second.Close())
			must(t, db.Close())
		})
		answers := make([]reply, 64)
		var asking sync.WaitGroup
		for i := range answers {
			base := in.http.URL
			if i%2 == 1 {
				base = other.URL
			}
			asking.Go(func() {
				answers[i] = in.send("POST", base+"/api/v1/invoices", body, header("Idempotency-Key", "k"))
			})
		}
		asking.Wait()
		created := map[string]bool{}
		for _, r := range answers {
			switch r.status {
			case http.StatusCreated:
				created[r.header.Get("Location")+r.body] = true
			case http.StatusConflict:
				r.refused(t, http.StatusConflict, "idempotency_in_progress")
			default:
				t.Errorf("answered %d: %s", r.status, r.body)
			}
		}
		_, total, err := in.db.Invoices(t.Context(), in.creditor.ID, store.InvoiceFilter{}, store.Page{Number: 1, Size: 10})
		must(t, err)
		if total != 1 || len(created) != 1 {
			t.Errorf("%d invoices, %d different answers of 201", total, len(created))
		}
	})
}

func TestD9NothingIsKeptOfAFaultOfOurs(t *testing.T) {
	t.Parallel()
	in := onSQLite(t, func(c *api.Config) { c.TestClock = &failingClock{} }).admin()
	const body = `<test_clock><now>2026-04-01T12:00:00Z</now></test_clock>`
	in.send("POST", "/api/v1/test_clock", body, header("Idempotency-Key", "k")).refused(t, http.StatusServiceUnavailable, "unavailable")
	in.send("POST", "/api/v1/test_clock", body, header("Idempotency-Key", "k")).is(t, http.StatusOK)
}

// failingClock is a test clock that moves at the second try.
type failingClock struct{ tried bool }

func (c *failingClock) Now() time.Time { return start }

func (c *failingClock) Advance(context.Context, time.Time) error {
	if c.tried {
		return nil
	}
	c.tried = true
	return models.Unavailable("the queue", nil)
}

// TestO9ALongRefusalIsNotKept sends what is refused now and accepted later, once short and once longer than a refusal is kept for. It
// does so on each way on which a POST is refused: before its transaction, in it, and in one that also issues other invoices.
func TestO9ALongRefusalIsNotKept(t *testing.T) {
	t.Parallel()
	eachDatabase(t, func(t *testing.T, in *installation) {
		customer, invoice := in.customer(), in.invoice("0")
		admin := in.admin()
		vat := func(registered string) {
			admin.send("PUT", "/api/v1/creditor", `<creditor><vat_registered>`+registered+`</vat_registered></creditor>`).is(t, http.StatusOK)
		}
		vat("0")
		long := strings.Repeat(" ", 64<<10)
		for path, test := range map[string]struct {
			body   string
			status int
			code   string
		}{
			"/api/v1/invoices":           {invoiceBody(customer, "14"), http.StatusUnprocessableEntity, "vat_not_registered@lines/line[1]"},
			invoice + "/overdue_notices": {`<overdue_notice></overdue_notice>`, http.StatusConflict, "not_overdue"},
		} {
			end := strings.LastIndex(test.body, "</")
			in.send("POST", path, test.body, header("Idempotency-Key", "short "+path)).refused(t, test.status, test.code)
			in.send("POST", path, test.body[:end]+long+test.body[end:], header("Idempotency-Key", "long "+path)).refused(t, test.status, test.code)
			for key, want := range map[string]bool{"short " + path: true, "long " + path: false} {
				if _, kept, err := in.db.AnswerTo(t.Context(), in.creditor.ID, key, in.clock.Now()); err != nil || kept != want {
					t.Errorf("the refusal of %q is kept: %t, %v", key, kept, err)
				}
			}
		}
		vat("1")
		order := invoiceBody(customer, "14")
		end := strings.LastIndex(order, "</")
		in.send("POST", "/api/v1/invoices", order, header("Idempotency-Key", "short /api/v1/invoices")).refused(t, http.StatusUnprocessableEntity, "vat_not_registered@lines/line[1]")
		in.send("POST", "/api/v1/invoices", order[:end]+long+order[end:], header("Idempotency-Key", "long /api/v1/invoices")).is(t, http.StatusCreated)
	})
}

// TestO9ALongPaymentFilesRefusalIsNotKept: a repeated request finds the file that was refused, and is answered the same.
func TestO9ALongPaymentFilesRefusalIsNotKept(t *testing.T) {
	t.Parallel()
	eachDatabase(t, func(t *testing.T, in *installation) {
		for i, length := range []int{64 << 10, 64<<10 + 1} {
			key := strings.Repeat("k", i+1)
			post := func() reply {
				return in.send("POST", "/api/v1/payment_files", strings.Repeat("x", length), header("Content-Type", "text/plain"), header("Idempotency-Key", key))
			}
			first := post()
			first.is(t, http.StatusUnprocessableEntity)
			row, found, err := in.db.AnswerTo(t.Context(), in.creditor.ID, key, in.clock.Now())
			if kept := row.Status != 0; err != nil || !found || kept != (i == 0) {
				t.Errorf("the refusal of %d bytes is kept: %t, %v", length, kept, err)
			}
			if again := post(); again.status != first.status || again.body != first.body {
				t.Errorf("the second answer is %d %s", again.status, again.body)
			}
			in.send("POST", "/api/v1/payment_files", "another", header("Content-Type", "text/plain"), header("Idempotency-Key", key)).
				refused(t, http.StatusUnprocessableEntity, "idempotency_mismatch")
		}
		files, total, err := in.db.PaymentFiles(t.Context(), in.creditor.ID, store.Page{Number: 1, Size: 10})
		if err != nil || total != 2 {
			t.Errorf("%d files came: %+v, %v", total, files, err)
		}
	})
}

// TestD9AnAnswerIsGivenAgainInItsForm keeps an answer's form beside it. What was kept before that is XML.
func TestD9AnAnswerIsGivenAgainInItsForm(t *testing.T) {
	t.Parallel()
	eachDatabase(t, func(t *testing.T, in *installation) {
		const body = `<customer><name1>Ola</name1><postal_code>1</postal_code><postal_name>Oslo</postal_name></customer>`
		const xml = "application/xml; charset=utf-8"
		post := func(key string) reply {
			return in.send("POST", "/api/v1/customers", body, header("Idempotency-Key", key))
		}
		first := post("first")
		first.is(t, http.StatusCreated)
		row, _, err := in.db.AnswerTo(t.Context(), in.creditor.ID, "first", in.clock.Now())
		if err != nil || row.MediaType != xml {
			t.Errorf("XML is kept as %q, %v", row.MediaType, err)
		}
		for given, want := range map[string]string{"": xml, xml: xml, "application/xml": "application/xml"} {
			again := store.Answer{CreditorID: in.creditor.ID, IdempotencyKey: "k" + given, RequestHash: row.RequestHash}
			in.write(func(ctx context.Context, tx *store.Tx) error {
				if _, err := tx.ReserveKey(ctx, &again); err != nil {
					return err
				}
				again.Status, again.Location, again.MediaType, again.Body = row.Status, row.Location, given, row.Body
				return tx.FinishAnswers(ctx, []store.Answer{again})
			})
			r := post(again.IdempotencyKey)
			if got := r.header.Get("Content-Type"); got != want || r.body != first.body || r.header.Get("Location") != first.header.Get("Location") {
				t.Errorf("what was kept as %q is answered as %s: %s", given, got, r.body)
			}
		}
	})
}
