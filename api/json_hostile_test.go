package api_test

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"
)

// TestJ1HostileBodies: what is not JSON as RFC 8259 has it, and numbers that a float would change, are refused with their place, and
// soon.
func TestJ1HostileBodies(t *testing.T) {
	t.Parallel()
	in := onSQLite(t, nil)
	customer := in.customer()
	of := func(line string) string {
		return `{"num_due_days": 14, "recipient": {"uri": "` + customer + `"}, "shipments": [{"type": "original", "shipment_method": "PAPER"}], "lines": [{"line_text": "Kaffe", "num_items": 1, "vat_rate": "HIGH", ` + line + `}]}`
	}
	price := func(text string) string { return of(`"unit_price": ` + text) }
	long := strings.Repeat("n", 100_000)
	for _, test := range []struct {
		why, body string
		status    int
		want      string
	}{
		{"an exponent", price("1e2"), 422, "invalid_number@/lines/0/unit_price"},
		{"a negative zero, which is zero", price("-0"), 422, "amount_not_positive@/lines"},
		{"what a float makes of 0.1 and 0.2", price("0.30000000000000004"), 422, "invalid_number@/lines/0/unit_price"},
		{"what no float can count", price("9007199254740993"), 422, "invalid_number@/lines/0/unit_price"},
		{"a number of 1000 digits", price(strings.Repeat("9", 1000)), 422, "invalid_number@/lines/0/unit_price"},
		{"days with an exponent", strings.Replace(price("1"), "14", "1e1", 1), 422, "invalid_number@/num_due_days"},
		{"days that no float can count", strings.Replace(price("1"), "14", "9007199254740993", 1), 422, "invalid_number@/num_due_days"},
		{"a leading zero", price("01"), 400, "malformed_json@/lines/0/unit_price"},
		{"a plus", price("+1"), 400, "malformed_json@/lines/0/unit_price"},
		{"no number", price("NaN"), 400, "malformed_json@/lines/0/unit_price"},
		{"a member twice", of(`"unit_price": 1, "unit_price": 2`), 422, "duplicate_element@/lines/0/unit_price"},
		{"an array twice", strings.Replace(price("1"), `"lines"`, `"lines": [], "lines"`, 1), 422, "duplicate_element@/lines"},
		{"an object for an array", strings.NewReplacer("[{\"line", "{\"line", "}]}", "}}").Replace(price("1")), 422, "invalid_type@/lines"},
		{"a byte order mark", "\ufeff" + price("1"), 400, "malformed_json"},
		{"half a sign", of(`"unit_price": 1, "line_text": "\ud800"`), 400, "malformed_json@/lines/0/line_text"},
		{"the other half", of(`"unit_price": 1, "line_text": "\udc00x"`), 400, "malformed_json@/lines/0/line_text"},
		{"broken UTF-8", of("\"unit_price\": 1, \"line_text\": \"\xff\""), 400, "malformed_json@/lines/0/line_text"},
		{"NUL", of(`"unit_price": "\u0000"`), 400, "malformed_json@/lines/0/unit_price"},
		{"a control character that is not escaped", of("\"unit_price\": \"\x01\""), 400, "malformed_json@/lines/0/unit_price"},
		{"depth", price(strings.Repeat("[", 10_000) + strings.Repeat("]", 10_000)), 422, "too_deep@/lines/0/unit_price"},
		{"depth in what nothing knows", of(`"x": ` + strings.Repeat(`{"a":`, 10_000)), 422, "too_deep@/lines/0/x"},
		{"a megabyte of beginnings", strings.Repeat("[", 1<<20), 400, "malformed_json"},
		{"a megabyte of objects", strings.Repeat(`{"x":`, 1<<20/5), 422, "too_deep@/x"},
		{"a megabyte of members", `{"x":[` + strings.Repeat("1,", 1<<19-10) + `1]}`, 422, "unknown_element@/x"},
		{"many lines", `{"lines":[` + strings.Repeat("{},", 1<<20/3-10) + `{}]}`, 422, "too_many_elements@/lines"},
		{"a long name", `{"` + long + `": 1}`, 422, "unknown_element@/nnn"},
		{"a name with slashes", `{"a/b~c": 1}`, 422, "unknown_element@/a~1b~0c"},
		{"a trailing comma", of(`"unit_price": 1,`), 400, "malformed_json@/lines/0"},
		{"a comment", strings.Replace(price("1"), "{", "{ // an invoice\n", 1), 400, "malformed_json"},
		{"single quotes", strings.ReplaceAll(price("1"), `"`, `'`), 400, "malformed_json"},
		{"two objects", price("1") + price("1"), 400, "malformed_json"},
		{"an object that does not end", strings.TrimSuffix(price("1"), "}"), 400, "malformed_json"},
		{"null alone", "null", 400, "malformed_json"},
		{"a string alone", `"x"`, 400, "malformed_json"},
		{"nothing", "", 400, "malformed_json"},
	} {
		t.Run(test.why, func(t *testing.T) {
			begun := time.Now()
			r := in.send("POST", "/api/v1/invoices", test.body, sentAsJSON)
			if took := time.Since(begun); took > 5*time.Second {
				t.Errorf("it took %s", took)
			}
			r.is(t, test.status)
			told := slices.ContainsFunc(r.problems(t), func(e problem) bool {
				return strings.HasPrefix(strings.TrimSuffix(e.Code+"@"+e.Pointer, "@"), test.want)
			})
			if len(r.body) > 20_000 || !told {
				t.Errorf("refused with %.1000s, want %s", r.body, test.want)
			}
		})
	}
}

// endless is a body that does not end, and counts what was read of it.
type endless struct {
	begins string
	read   int
}

func (e *endless) Read(p []byte) (int, error) {
	if e.read > 64<<20 {
		return 0, errors.New("a body is read without end")
	}
	n := 0
	if e.read < len(e.begins) {
		n = copy(p, e.begins[e.read:])
	}
	for i := n; i < len(p); i++ {
		p[i] = ' '
	}
	e.read += len(p)
	return len(p), nil
}

// TestJ1ABodyBeyondTheLimitIsReadNoFurther: of one whose length is told nothing is read, and of another no more than the limit and a byte.
func TestJ1ABodyBeyondTheLimitIsReadNoFurther(t *testing.T) {
	t.Parallel()
	const most = 1 << 20
	in := onSQLite(t, nil)
	for _, form := range []struct{ media, begins string }{{"application/json", `{"lines": `}, {"application/xml", "<invoice>"}} {
		for _, told := range []bool{true, false} {
			t.Run(fmt.Sprintf("%s, told %v", form.media, told), func(t *testing.T) {
				body := &endless{begins: form.begins}
				r := httptest.NewRequest(http.MethodPost, "/api/v1/invoices", io.NopCloser(body))
				r.Header.Set("Authorization", "Bearer "+in.key)
				r.Header.Set("Content-Type", form.media)
				r.ContentLength = -1
				mostRead := most + 1
				if told {
					r.ContentLength, mostRead = most+1, 0
				}
				got := httptest.NewRecorder()
				in.server.ServeHTTP(got, r)
				if got.Code != http.StatusRequestEntityTooLarge || !strings.Contains(got.Body.String(), "too_large") {
					t.Errorf("answered %d %s", got.Code, got.Body)
				}
				if body.read > mostRead {
					t.Errorf("%d bytes were read, more than %d", body.read, mostRead)
				}
			})
		}
	}
}

// TestJ1ACompressedBodyIsNotTaken: nothing is unpacked, so that a small body cannot become a large one.
func TestJ1ACompressedBodyIsNotTaken(t *testing.T) {
	t.Parallel()
	in := onSQLite(t, nil)
	for _, media := range []string{"application/json", "application/xml"} {
		r := in.send("POST", "/api/v1/customers", "\x1f\x8b", header("Content-Type", media), header("Content-Encoding", "gzip"))
		r.is(t, http.StatusUnsupportedMediaType)
	}
}

// TestJ3AnEmptyObjectIsABodyThatMayBeAbsent asks each operation whose body may be absent with the document's example, an empty object:
// what it says against it is the same as without a body.
func TestJ3AnEmptyObjectIsABodyThatMayBeAbsent(t *testing.T) {
	t.Parallel()
	in := onSQLite(t, nil).admin()
	in.invoice("14")
	in.send("POST", "/api/v1/audits", "").is(t, http.StatusAccepted) // so that each other one is refused
	spec, err := theSpec()
	must(t, err)
	tried := 0
	for path, item := range spec.Paths.Map() {
		for method, op := range item.Operations() {
			if op.RequestBody == nil || op.RequestBody.Value.Required || op.RequestBody.Value.Content["application/json"] == nil {
				continue
			}
			tried++
			at := strings.Replace(path, "{id}", "1", 1)
			without := in.send(method, at, "", header("Accept", "application/json"))
			with := in.send(method, at, "{}", sentAsJSON)
			if without.status != with.status || strings.Contains(with.body, "malformed") || strings.Contains(with.body, "required") {
				t.Errorf("%s %s is answered %d without a body, and %d with an empty object: %s", method, at, without.status, with.status, with.body)
			}
		}
	}
	if tried < 5 {
		t.Errorf("only %d operations were tried", tried)
	}
}
