package api_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"purr/api"
	"purr/models"
	"purr/ocr/giro"
)

func TestE1CreditorThatIsWrong(t *testing.T) {
	t.Parallel()
	in := onSQLite(t, nil).admin()
	put := func(elements string) reply {
		return in.send("PUT", "/api/v1/creditor", `<creditor>`+elements+`</creditor>`)
	}
	policy := func(elements string) string { return `<dunning_policy>` + elements + `</dunning_policy>` }
	for _, test := range []struct{ name, elements, want string }{
		{"no name", `<name/>`, "required@name"},
		{
			"numbers that are wrong", `<organisation_number>1</organisation_number><bank_account>12345678901</bank_account><kid_length>3</kid_length><kid_modulus>12</kid_modulus><first_number>0</first_number>`,
			"invalid_organisation_number@organisation_number invalid_bank_account@bank_account out_of_range@kid_length out_of_range@kid_modulus out_of_range@first_number",
		},
		{"a zone that is not", `<time_zone>Europe/Bergen</time_zone><vat_registered>ja</vat_registered>`, "invalid_flag@vat_registered invalid_time_zone@time_zone"},
		{
			"rates that are none", `<vat_rates><vat_rate name="LOW" percent="12" from="2018-01-01"/><vat_rate name="LOW" percent="11" from="2018-01-01"/>` +
				`<vat_rate name="low" percent="12" from="2018-01-01"/><vat_rate name="HIGH" percent="101" from="2018-01-01"/><vat_rate name="HIGH" percent="25"/>` +
				`<vat_rate name="NONE" percent="1" from="2018-01-01"/></vat_rates>`,
			"invalid_vat_rate@vat_rates/vat_rate[2] invalid_vat_rate@vat_rates/vat_rate[3] invalid_vat_rate@vat_rates/vat_rate[4] invalid_vat_rate@vat_rates/vat_rate[5] invalid_vat_rate@vat_rates/vat_rate[6]",
		},
		{
			"a policy outside the law", policy(`<fee>38.01</fee><days_to_pay>13</days_to_pay><hand_over_days>0</hand_over_days><debt_collection_notice>third</debt_collection_notice>`),
			"illegal_policy@dunning_policy/days_to_pay illegal_policy@dunning_policy/fee illegal_policy@dunning_policy/hand_over_days illegal_policy@dunning_policy/debt_collection_notice",
		},
		{
			"a policy of words", policy(`<enabled>on</enabled><fee>some</fee><first_notice_days/><pause>1</pause>`),
			"invalid_flag@dunning_policy/enabled invalid_number@dunning_policy/first_notice_days invalid_amount@dunning_policy/fee unknown_element@dunning_policy/pause",
		},
		{"something unknown", `<mascot/>`, "unknown_element@mascot"},
	} {
		t.Run(test.name, func(t *testing.T) {
			put(test.elements).refused(t, http.StatusUnprocessableEntity, strings.Fields(test.want)...)
		})
	}
	const day = "<due_after>2026-03-01</due_after>"
	for _, step := range []struct {
		element string
		shown   bool
	}{{day, true}, {"<enabled>0</enabled>", true}, {"<due_after/>", false}} {
		if got := put(policy(step.element)); got.status != http.StatusOK || strings.Contains(got.body, day) != step.shown {
			t.Errorf("after %s it answers %d: %s", step.element, got.status, got.body)
		}
	}
	in.another("Opptatt AS")
	put(`<name>Opptatt AS</name>`).refused(t, http.StatusConflict, "name_in_use@name")
}

func TestE1FirstNumberUntilTheFirstInvoice(t *testing.T) {
	t.Parallel()
	eachDatabase(t, func(t *testing.T, in *installation) {
		in = in.admin()
		put := func(elements string) reply {
			return in.send("PUT", "/api/v1/creditor", `<creditor>`+elements+`</creditor>`)
		}
		put(`<first_number>5000</first_number>`).is(t, http.StatusOK)
		if got := in.get(in.invoice("14")).xml(t).at("invoice_number"); got != "5000" {
			t.Errorf("the first invoice has number %s", got)
		}
		put(`<first_number>6000</first_number><email>a@b.no</email>`).refused(t, http.StatusConflict, "series_in_use@first_number")
		put(`<first_number>5000</first_number><email>a@b.no</email>`).is(t, http.StatusOK)
		if got := in.get("/api/v1/creditor").xml(t).at("email"); got != "a@b.no" {
			t.Errorf("the e-mail address is %q", got)
		}
	})
}

func TestD14RatesOfTheCreditor(t *testing.T) {
	t.Parallel()
	in := onSQLite(t, nil).admin()
	in.customer()
	body := order(in, "lines", `<lines>`+line("vat_rate", "LOW")+`</lines>`)
	before := in.make("/api/v1/invoices", body)
	in.send("PUT", "/api/v1/creditor", `<creditor><vat_rates><vat_rate name="LOW" percent="12" from="2018-01-01"/></vat_rates></creditor>`).is(t, http.StatusOK)
	after := in.make("/api/v1/invoices", body)
	for uri, want := range map[string]string{before: "8 108.00", after: "12 112.00"} {
		detail := in.get(uri).xml(t)
		if got := detail.at("lines/line/vat_rate/@percent") + " " + detail.at("gross_amount"); got != want {
			t.Errorf("%s has percent and amount %s, want %s", uri, got, want)
		}
	}
	in.send("PUT", "/api/v1/creditor", `<creditor><vat_rates/></creditor>`).is(t, http.StatusOK)
	if got := in.get("/api/v1/creditor").xml(t).find("vat_rates")[0].Children; len(got) != 0 {
		t.Errorf("rates that were taken away: %v", got)
	}
}

func TestE4PaymentFileTypesAndSizes(t *testing.T) {
	t.Parallel()
	in := onSQLite(t, nil)
	for contentType, want := range map[string]int{
		"text/plain": http.StatusUnprocessableEntity, "application/octet-stream": http.StatusUnprocessableEntity,
		"application/xml": http.StatusUnprocessableEntity, "application/json": http.StatusUnsupportedMediaType,
		"multipart/form-data; boundary=x": http.StatusUnsupportedMediaType,
	} {
		if r := in.send("POST", "/api/v1/payment_files", "no file", header("Content-Type", contentType)); r.status != want {
			t.Errorf("Content-Type %s: answered %d, want %d: %s", contentType, r.status, want, r.body)
		}
	}
	in.send("POST", "/api/v1/payment_files?name=x", "x").refused(t, http.StatusBadRequest, "unknown_parameter@name")

	// A file may be larger than other bodies, and too large a one is refused before it is sent.
	in.send("POST", "/api/v1/payment_files", strings.Repeat("x", 2<<20), header("Content-Type", "text/plain")).is(t, http.StatusUnprocessableEntity)
	conn, err := (&net.Dialer{}).DialContext(t.Context(), "tcp", strings.TrimPrefix(in.http.URL, "http://"))
	must(t, err)
	defer conn.Close()
	_, err = io.WriteString(conn, "POST /api/v1/payment_files HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer "+in.key+"\r\nContent-Length: 268435457\r\n\r\n")
	must(t, err)
	answered := make([]byte, 12)
	_, err = io.ReadFull(conn, answered)
	must(t, err)
	if string(answered) != "HTTP/1.1 413" {
		t.Errorf("answered %s", answered)
	}
}

func TestE4PaymentFileWithIdempotencyKey(t *testing.T) {
	t.Parallel()
	eachDatabase(t, func(t *testing.T, in *installation) {
		in = in.admin()
		in.send("PUT", "/api/v1/creditor", `<creditor><bank_account>86011117947</bank_account></creditor>`).is(t, http.StatusOK)
		in.invoice("14")
		file := in.ocrFile()
		post := func(body, key string) reply {
			return in.send("POST", "/api/v1/payment_files", body, header("Content-Type", "text/plain"), header("Idempotency-Key", key))
		}
		first := post(file, "a")
		first.is(t, http.StatusCreated)
		if again := post(file, "a"); again.status != http.StatusCreated || again.body != first.body {
			t.Errorf("the second answer is %d %s", again.status, again.body)
		}
		post(file+"\n", "a").refused(t, http.StatusUnprocessableEntity, "idempotency_mismatch")
		for range 2 {
			other := post(file, "b")
			other.refused(t, http.StatusConflict, "duplicate_file")
			if got := other.header.Get("Location"); got != first.header.Get("Location") {
				t.Errorf("Location is %q", got)
			}
		}
		if files := in.get("/api/v1/payment_files").xml(t).find("payment_file"); len(files) != 2 {
			t.Errorf("%d files were received, want the first and its duplicate", len(files))
		}
		in.another("Fremmed AS").get("/api/v1/payment_file/1").refused(t, http.StatusNotFound, "not_found")
		in.another("Ukjent AS").get("/api/v1/unmatched_payment/1").refused(t, http.StatusNotFound, "not_found")
	})
}

func TestE7EventsAfterAnID(t *testing.T) {
	t.Parallel()
	in := onSQLite(t, nil)
	for range 5 {
		in.customer()
	}
	list := in.get("/api/v1/events?after=2&per_page=2").xml(t)
	var ids []string
	for _, e := range list.find("event") {
		ids = append(ids, e.at("@id"))
	}
	if got := strings.Join(ids, " ") + " of " + list.at("@total_pages"); got != "3 4 of 2" {
		t.Errorf("events after 2 are %s pages", got)
	}
}

func TestE8TestClock(t *testing.T) {
	t.Parallel()
	in := onSQLite(t, func(c *api.Config) { c.TestClock = &forwardClock{stillClock{start}} }).admin()
	post := func(now string) reply {
		return in.send("POST", "/api/v1/test_clock", `<test_clock><now>`+now+`</now></test_clock>`)
	}
	if got := in.get("/api/v1/test_clock").xml(t).at("now"); got != "2026-03-02T11:00:00Z" {
		t.Errorf("the clock stands at %s", got)
	}
	r := post("2026-04-01T06:00:00+02:00")
	r.is(t, http.StatusOK)
	if got := r.xml(t).at("now"); got != "2026-04-01T04:00:00Z" {
		t.Errorf("the clock stands at %s", got)
	}
	post("2026-03-01T00:00:00Z").refused(t, http.StatusUnprocessableEntity, "clock_backwards@now")
	post("tomorrow").refused(t, http.StatusUnprocessableEntity, "invalid_time@now")
	post("").refused(t, http.StatusUnprocessableEntity, "required@now")
}

// forwardClock is a test clock that moves forward only.
type forwardClock struct{ stillClock }

func (c *forwardClock) Advance(ctx context.Context, to time.Time) error {
	if to.Before(c.now) {
		return models.Invalid("clock_backwards", "now", "the clock moves forward only")
	}
	return c.stillClock.Advance(ctx, to.UTC())
}

// TestE9Health: readyz names what does not work, warns of the clock whatever the status, and does not let callers wear out
// the database (rules O6, O16).
func TestE9Health(t *testing.T) {
	t.Parallel()
	var asked atomic.Int32
	checked := func(queue, clock error) *installation {
		return onSQLite(t, func(c *api.Config) {
			c.Checks = []api.Check{
				{Name: "database", Ask: func(context.Context) error { asked.Add(1); return nil }},
				{Name: "queue", Ask: func(context.Context) error { return queue }},
				{Name: "clock", Ask: func(context.Context) error { return clock }, Warn: true},
			}
		})
	}
	in := checked(nil, nil)
	for _, path := range []string{"/healthz", "/readyz"} {
		r := in.get(path, noKey)
		r.is(t, http.StatusOK)
		if r.body != "ok\n" {
			t.Errorf("%s answers %q", path, r.body)
		}
	}
	for range 20 {
		in.get("/readyz", noKey).is(t, http.StatusOK)
	}
	if asked.Load() != 1 {
		t.Errorf("the checks were asked %d times, want once a second at most", asked.Load())
	}
	wrong := errors.New("the clock of this machine is 5m0s ahead of that of the database")
	r := checked(nil, wrong).get("/readyz", noKey)
	r.is(t, http.StatusOK)
	if r.body != "ok\n"+wrong.Error()+"\n" {
		t.Errorf("/readyz warns with %q", r.body)
	}
	r = checked(errors.New("the password is hunter2"), wrong).get("/readyz", noKey)
	if !strings.Contains(r.body, wrong.Error()) {
		t.Errorf("/readyz does not warn of the clock: %s", r.body)
	}
	r.refused(t, http.StatusServiceUnavailable, "unavailable@queue", "unavailable")
	if strings.Contains(r.body, "hunter2") || r.header.Get("Retry-After") == "" {
		t.Errorf("/readyz answers %s with Retry-After %q", r.body, r.header.Get("Retry-After"))
	}
	in.get("/healthz", noKey).is(t, http.StatusOK)
}

func TestE9Metrics(t *testing.T) {
	t.Parallel()
	registry := prometheus.NewRegistry()
	in := onSQLite(t, func(c *api.Config) {
		c.Registry, c.Metrics = registry, promhttp.HandlerFor(registry, promhttp.HandlerOpts{})
	})
	in.get("/api/v1/invoice/17")
	in.send("BREW", "/api/v1/invoices", "")
	page := in.get("/metrics", noKey).body
	for _, want := range []string{
		`purr_http_request_duration_seconds_count{method="GET",route="/api/v1/invoice/{id}",status="404"} 1`,
		`purr_http_request_duration_seconds_count{method="other",route="/api/v1/invoices/",status="405"} 1`,
	} {
		if !strings.Contains(page, want) {
			t.Errorf("the metrics lack %s", want)
		}
	}
}

// ocrFile is a file with three payments: of 1000 on invoice 1, with an unknown KID, and without a KID.
func (in *installation) ocrFile() string {
	in.t.Helper()
	invoice, err := in.db.Invoice(in.t.Context(), in.creditor.ID, 1)
	must(in.t, err)
	return in.bankFile("86011117947", invoice.KID)
}

// bankFile is a file for an account with three payments: of 1000 with the KID, with an unknown KID, and without a KID.
func (in *installation) bankFile(account, kid string) string {
	in.t.Helper()
	var file bytes.Buffer
	w := giro.NewWriter(&file)
	must(in.t, w.StartTransmission(giro.TransmissionHeader{Number: "17", Recipient: "12345678"}))
	must(in.t, w.StartAssignment(giro.AssignmentHeader{AgreementID: "1", Number: "1", Account: account}))
	day := models.NewDate(2026, 3, 2)
	for _, p := range []giro.Payment{
		{Type: 10, NetsDate: day, Amount: 1000_00, KID: kid, DebitAccount: "12345678903"},
		{Type: 10, NetsDate: day, Amount: 2_00, KID: models.NewKID("123456789", 10), DebitAccount: "12345678903"},
		{Type: 21, NetsDate: day, Amount: 3_50, Text: "Fra Ola for sykkelen", DebitAccount: "12345678903"},
	} {
		must(in.t, w.Write(p))
	}
	must(in.t, w.Close())
	return file.String()
}
