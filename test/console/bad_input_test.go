package console_test

import (
	"fmt"
	"html"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var (
	fieldTags  = regexp.MustCompile(`(?s)<input[^>]*>|<textarea[^>]*>.*?</textarea>|<button[^>]*>`)
	textOfArea = regexp.MustCompile(`(?s)<textarea[^>]*>(.*?)</textarea>`)
	alerts     = regexp.MustCompile(`(?s)<div[^>]* role="alert".*?</div>`)
	toFields   = regexp.MustCompile(`<a href="#([^"]+)">`)
)

// faultsAt returns the fields of a page that are marked as wrong, by name. It fails the test unless each of them is described by
// its fault, and each fault in the alert that names a field leads to such a one.
func faultsAt(t *testing.T, where, page string) (wrong []string) {
	t.Helper()
	described := map[string]bool{}
	for _, tag := range openingTags.FindAllString(page, -1) {
		if attribute(tag, "aria-invalid") != "true" {
			continue
		}
		id, name := attribute(tag, "id"), attribute(tag, "name")
		described[id] = slices.ContainsFunc(strings.Fields(attribute(tag, "aria-describedby")), func(of string) bool {
			return strings.HasSuffix(of, "-fault") && strings.Contains(page, `id="`+of+`"`)
		})
		if !described[id] {
			t.Errorf("%s: the field %s is wrong, and not described by its fault", where, name)
		}
		wrong = append(wrong, name)
	}
	for _, link := range toFields.FindAllStringSubmatch(alerts.FindString(page), -1) {
		id, err := url.PathUnescape(link[1])
		must(t, err)
		if _, is := described[id]; !is {
			t.Errorf("%s: a fault leads to %s, where none is said", where, id)
		}
	}
	return wrong
}

var openingTags = regexp.MustCompile(`(?s)<(?:input|textarea|select|fieldset)\b[^>]*>`)

// filled is a form of a page as a person might send it: what stands in it, and what can be typed.
type filled struct {
	action string
	values url.Values
	typed  []string // the fields that a person types into
	exact  []string // those of them that take a date, an amount or a number
	must   bool     // one of them must not be empty
}

// formsOf returns the forms of a page that a person types into, but for files.
func formsOf(v *visited) (all []filled) {
	for _, form := range forms.FindAllStringSubmatch(v.body, -1) {
		if attribute(form[1], "method") != "post" || attribute(form[1], "enctype") != "" {
			continue
		}
		f := filled{action: resolve(v.url, attribute(form[1], "action")), values: url.Values{}}
		for _, tag := range fieldTags.FindAllString(form[2], -1) {
			name, value := attribute(tag, "name"), attribute(tag, "value")
			if name == "" || strings.Contains(tag, "readonly") {
				continue
			}
			if area := textOfArea.FindStringSubmatch(tag); area != nil {
				value = html.UnescapeString(area[1])
			}
			switch kind := attribute(tag, "type"); kind {
			case "hidden", "radio": // of several, the last: the one with a field beside it
			case "checkbox":
				continue
			case "submit": // the main one, which has no name, unless one is there for a field
				if !slices.Contains(f.typed, value) {
					continue
				}
			default:
				f.typed = append(f.typed, name)
				if mode := attribute(tag, "inputmode"); kind == "date" || mode == "decimal" {
					f.exact = append(f.exact, name)
				}
				f.must = f.must || strings.Contains(tag, " required")
			}
			f.values.Set(name, value)
		}
		for _, list := range selects.FindAllStringSubmatch(form[2], -1) {
			if option := options.FindStringSubmatch(list[2]); option != nil {
				f.values.Set(list[1], html.UnescapeString(option[1]))
			}
		}
		if len(f.typed) > 0 {
			all = append(all, f)
		}
	}
	return all
}

// with returns the form with a text in some of its fields.
func (f filled) with(text string, in []string) url.Values {
	values := url.Values{}
	for name, had := range f.values {
		values[name] = slices.Clone(had)
	}
	for _, name := range in {
		values.Set(name, text)
	}
	values.Del("once")
	return values
}

// badInput sends each form of the pages with what nobody should type: it is refused at the field that is wrong with what was
// typed, and never fails. What is merely odd may be taken.
func badInput(t *testing.T, c *crawl) {
	sent := 0
	for _, page := range c.examples() {
		if page.path == "/sign-in" {
			continue
		}
		for _, f := range formsOf(page) {
			sent++
			check := func(what, text string, in []string, odd bool) {
				got := c.d.Ask(http.MethodPost, f.action, f.with(text, in))
				switch {
				case odd && (got.Status == http.StatusSeeOther || got.Status == http.StatusConflict):
				case got.Status != http.StatusUnprocessableEntity:
					t.Errorf("%s of %s answers %d to %s in %s", f.action, page.url, got.Status, what, in)
				case !strings.Contains(got.Body, `role="alert"`):
					t.Errorf("%s of %s does not say what is wrong with %s", f.action, page.url, what)
				case text != "" && !odd && !strings.Contains(got.Body, html.EscapeString(text)):
					t.Errorf("%s of %s does not keep %s", f.action, page.url, what)
				default:
					wrong := faultsAt(t, fmt.Sprintf("%s of %s after %s", f.action, page.url, what), got.Body)
					if !odd && !slices.ContainsFunc(wrong, func(name string) bool { return slices.Contains(in, name) }) {
						t.Errorf("%s of %s marks %s after %s in %s", f.action, page.url, wrong, what, in)
					}
				}
			}
			if f.must {
				check("nothing", "", f.typed, false)
			}
			if len(f.exact) > 0 {
				check("a wrong date or amount", "31.02.2026 & more", f.exact, false)
			}
			// A form of many fields is not to be larger than forms may be.
			check("too long a text", strings.Repeat("langt ", min(5000, 100_000/len(f.typed))), f.typed, false)
			check("control characters", "a\x01\x7f\u202eb", f.typed, true)
		}
	}
	if sent < 15 {
		t.Errorf("the pages have %d forms", sent)
	}
}
