package console_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"purr/console/locale"
	"purr/models"
)

// field returns the type and the value of a page's field, and whether a picker is beside it.
func (s *shown) field(name string) (kind, value string, picker bool) {
	s.t.Helper()
	page, err := html.Parse(strings.NewReader(s.body))
	must(s.t, err)
	found := false
	for n := range page.Descendants() {
		switch {
		case n.Data == "input" && attribute(n, "name") == name:
			kind, value, found = attribute(n, "type"), attribute(n, "value"), true
		case n.Data == "button" && attribute(n, "data-pick") == "f-"+name:
			picker = true
		}
	}
	if !found {
		s.t.Errorf("the page has no field %s", name)
	}
	return kind, value, picker
}

// TestN14ADayIsTypedAsNorwegiansDo types days into filters: each language shows them as it writes them, and keeps what is wrong.
func TestN14ADayIsTypedAsNorwegiansDo(t *testing.T) {
	t.Parallel()
	b := open(t, models.ScopeAdmin, nil)
	pages := []struct{ path, field string }{
		{"invoices?from_date=", "from_date"},
		{"invoices?to_date=", "to_date"},
		{"bank/statement?from_date=", "from_date"},
		{"bank/statement?to_date=", "to_date"},
		{"money/open?as_of=", "as_of"},
		{"dunning?date=", "date"},
		{"settings/policy?due_after=", "due_after"},
	}
	typed := []struct {
		text, nb, en string // what the field shows
		wrong        bool
	}{
		{"2026-03-24", "24.03.2026", "2026-03-24", false},
		{"24.03.2026", "24.03.2026", "2026-03-24", false},
		{"24.3.2026", "24.03.2026", "2026-03-24", false},
		{" 24.03.2026 ", "24.03.2026", "2026-03-24", false},
		{"31.02.2026", "31.02.2026", "31.02.2026", true},
		{"soon", "soon", "soon", true},
		{"24/3", "24/3", "24/3", true},
	}
	for _, p := range pages {
		for _, c := range typed {
			for _, language := range []string{"nb", "nn", "en"} {
				where := p.path + c.text + " in " + language
				got := b.get(p.path+strings.ReplaceAll(c.text, " ", "+"), "Accept-Language", language)
				if refused := got.status == http.StatusBadRequest; refused != c.wrong || !refused && got.status != http.StatusOK {
					t.Errorf("%s answers %d", where, got.status)
				}
				kind, value, picker := got.field(p.field)
				want, wantKind := c.nb, "text"
				if language == "en" {
					want = c.en
					if !c.wrong {
						wantKind = "date"
					}
				}
				if value != want || kind != wantKind || picker != (language != "en") {
					t.Errorf("%s: the field is of type %s, has %q, and a picker: %t", where, kind, value, picker)
				}
				says := locale.Catalogue()[language].Say("fault.invalid_date")
				if atField := strings.Contains(got.body, `id="f-`+p.field+`-fault"`) && strings.Contains(got.body, says); atField != c.wrong {
					t.Errorf("%s: a fault at the field: %t", where, atField)
				}
			}
		}
	}
	for path, field := range map[string]string{"money/month": "month", "money/ledger": "month"} {
		got := b.get(path+"?month=13.2026", "Accept-Language", "nb").is(http.StatusBadRequest)
		if kind, value, picker := got.field(field); kind != "text" || value != "13.2026" || !picker {
			t.Errorf("%s: the field is of type %s, has %q, and a picker: %t", path, kind, value, picker)
		}
		got = b.get(path+"?month=2026-03", "Accept-Language", "nb").is(http.StatusOK)
		if _, value, _ := got.field(field); value != "03.2026" {
			t.Errorf("%s shows %q", path, value)
		}
	}
	for _, file := range []string{"invoices.csv?from_date=soon", "bank/statement.csv?to_date=soon", "money/open.csv?as_of=soon"} {
		if got := b.get(file).is(http.StatusBadRequest); strings.Contains(got.body, `id="f-from_date"`) {
			t.Errorf("%s shows the page", file)
		}
	}
}

// TestN14AFormKeepsAWrongDay sends a form with days: one that is none is a fault at the field in the reader's words.
func TestN14AFormKeepsAWrongDay(t *testing.T) {
	t.Parallel()
	b := open(t, models.ScopeAdmin, nil)
	for _, language := range []string{"nb", "nn", "en"} {
		sent := url.Values{"once": {"a form in " + language}, "date": {"31.02.2026"}}.Encode()
		got := b.do(http.MethodPost, "operations/confirm-none", sent, "Content-Type", "application/x-www-form-urlencoded", "Accept-Language", language).is(http.StatusUnprocessableEntity)
		if _, value, _ := got.field("date"); value != "31.02.2026" {
			t.Errorf("in %s the field has %q", language, value)
		}
		if says := locale.Catalogue()[language].Say("fault.invalid_date"); !strings.Contains(got.body, says) {
			t.Errorf("in %s the page does not say %q", language, says)
		}
	}
}
