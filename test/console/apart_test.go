package console_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"testing"

	"purr/console"
	"purr/models"
	"purr/test/testkit/browser"
	"purr/test/testkit/house"
)

// TestConsole07PagesOfOtherSitesCannotAct posts to every path as a page of another site would.
func TestConsole07PagesOfOtherSitesCannotAct(t *testing.T) {
	t.Parallel()
	d := open(t, models.ScopeAdmin)
	d.invoices(d.customer("Kari Nordmann", "kari@example.no"), 1000, 14)
	before := d.still()
	_, acting := consolePaths(d.base)
	for _, path := range acting {
		for _, site := range []string{"cross-site", "same-site"} {
			if got := d.Ask(http.MethodPost, path, url.Values{"amount": {"1"}}, "Sec-Fetch-Site", site); got.Status != http.StatusForbidden {
				t.Errorf("a %s POST to %s answers %d", site, path, got.Status)
			}
		}
		if got := d.Ask(http.MethodPost, path, url.Values{"amount": {"1"}}, "Origin", "http://evil.example"); got.Status != http.StatusForbidden {
			t.Errorf("a POST to %s from http://evil.example answers %d", path, got.Status)
		}
	}
	d.api.WithKey("").Post("/payment_files", "x", house.Header("Sec-Fetch-Site", "cross-site"), house.ContentType("text/plain"), basic(d.key)).Is(http.StatusForbidden)
	d.mustBe(before)

	evil := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprintf(w, `<!doctype html><html lang=en><title>Win</title><form method=post action="%s/sign-out"><button>Win a prize</button></form>`, d.in.App.URL)
	}))
	defer evil.Close()
	d.Visit(strings.Replace(evil.URL, "127.0.0.1", "localhost", 1))
	d.Find("button", "Win a prize").Follow()
	if d.Status() != http.StatusForbidden {
		t.Errorf("a form of another site answers %d:\n%s", d.Status(), d.Text())
	}
	d.Problems() // the other site is another host
	d.Visit(d.base + "/invoices")
	if d.URL() != d.base+"/invoices" {
		t.Errorf("another site has ended the session; the browser is at %s", d.URL())
	}
}

func basic(key string) house.Option {
	return func(r *http.Request) { r.SetBasicAuth(key, "") }
}

// leadsToSignIn reports whether an answer leads to the sign-in, which says of a form that it was not sent.
func leadsToSignIn(got *browser.Answer) bool {
	return got.Status == http.StatusSeeOther && strings.TrimSuffix(got.Header.Get("Location"), "?unsent=1") == "/sign-in"
}

// TestConsole07WithoutASessionThereIsOnlyTheSignIn asks for every path without a cookie, and with one that nobody gave.
func TestConsole07WithoutASessionThereIsOnlyTheSignIn(t *testing.T) {
	t.Parallel()
	d := open(t, models.ScopeAdmin)
	stranger := browser.Open(t, d.in.App.URL)
	before := d.still()
	shown, acting := consolePaths(d.base)
	session := "purr-" + d.in.App.URL[strings.LastIndexByte(d.in.App.URL, ':')+1:]
	for _, cookie := range []string{"", session + "=0123456789abcdef", session + "=" + strings.Repeat("x", 4000)} {
		for method, paths := range map[string][]string{http.MethodGet: shown, http.MethodPost: acting} {
			for _, path := range slices.DeleteFunc(slices.Clone(paths), func(p string) bool { return strings.HasPrefix(p, "/sign-in") }) {
				got := stranger.Ask(method, path, url.Values{}, "Cookie", cookie)
				if !leadsToSignIn(got) {
					t.Errorf("with cookie %.20q, %s %s answers %d to %q: %.200s", cookie, method, path, got.Status, got.Header.Get("Location"), got.Body)
				}
			}
		}
	}
	d.mustBe(before)
}

// creditorsAreApart asks at the desk of one creditor for all that the pages of another link to.
func creditorsAreApart(t *testing.T, mine, others *crawl) {
	ours, theirs := mine.d, others.d
	before := ours.still()
	for _, v := range others.found {
		below, of := strings.CutPrefix(v.url, theirs.base+"/")
		if !of {
			continue
		}
		if got := ours.Ask(http.MethodGet, v.url, nil); got.Status != http.StatusNotFound {
			t.Errorf("%s answers %d", v.url, got.Status)
		}
		got := ours.Ask(http.MethodGet, ours.base+"/"+below, nil)
		if named := strings.Count(v.path, "{") > 1; named && got.Status != http.StatusNotFound && !mine.seen[ours.base+"/"+below] {
			t.Errorf("%s answers %d", ours.base+"/"+below, got.Status)
		}
		if strings.Contains(got.Body, "Nabo") {
			t.Errorf("%s shows what is another creditor's", ours.base+"/"+below)
		}
	}
	for path, page := range others.actions {
		below, of := strings.CutPrefix(path, theirs.base+"/")
		if !of {
			continue
		}
		if got := ours.Ask(http.MethodPost, path, url.Values{}); got.Status != http.StatusNotFound {
			t.Errorf("a POST to %s answers %d", path, got.Status)
		}
		pattern := others.pattern(others.acts, path)
		if strings.Count(pattern, "{") > 1 && mine.actions[ours.base+"/"+below] == "" {
			// An empty form may be refused before anything is looked for.
			got := ours.Ask(http.MethodPost, ours.base+"/"+below, url.Values{})
			if got.Status != http.StatusNotFound && got.Status != http.StatusUnprocessableEntity || strings.Contains(got.Body, "Nabo") {
				t.Errorf("a POST to %s, of which %s is the other creditor's, answers %d", ours.base+"/"+below, page, got.Status)
			}
		}
	}
	ours.mustBe(before)
	if got := ours.Ask(http.MethodGet, "/c/4711/today", nil); got.Status != http.StatusNotFound {
		t.Errorf("a creditor that does not exist answers %d", got.Status)
	}

	waiting := len(ours.api.List("/unmatched_payments?status=open"))
	theirs.bankReports(paid{kid: "7777777777", kroner: 11}, paid{kid: "7777777776", kroner: 12}, paid{kid: "7777777775", kroner: 13})
	ours.show("today")
	for _, item := range ours.Find("region", "Waiting for you").All("listitem") {
		if item.Has("link", "Match payments") && firstNumber(item.Text()) != waiting {
			t.Errorf("%d payments wait, Today says %q", waiting, item.Text())
		}
	}
}

// firstNumber returns the first number in a text; -1 without any.
func firstNumber(text string) int {
	for _, word := range strings.Fields(text) {
		if n, err := strconv.Atoi(word); err == nil {
			return n
		}
	}
	return -1
}

// aKeyThatMayReadReads posts every form of the pages with a key that does not allow it.
func aKeyThatMayReadReads(t *testing.T, pages *crawl) {
	d := pages.d
	reader := d.sit(t, models.ScopeRead)
	reader.show("bank")
	reader.Contains("Kari · may read")
	if match := reader.Find("button", "Match"); match.Attribute("aria-disabled") != "true" || match.Description != "This needs a key that may write. Such keys have: admin, Kari" {
		t.Errorf("the button Match is %+v", match)
	}
	reader.Find("button", "Match").Click() // does nothing
	before := d.still()
	_, acting := console.Paths()
	for _, path := range acting {
		if !strings.HasPrefix(path, "/c/{creditor}/") || strings.HasSuffix(path, "/settings/console") { // the browser's own
			continue
		}
		for action := range pages.actions {
			if pages.pattern(pages.acts, action) != path {
				continue
			}
			if got := reader.Ask(http.MethodPost, action, url.Values{"once": {"x"}}); got.Status != http.StatusForbidden {
				t.Errorf("with a key that may read, a POST to %s answers %d", action, got.Status)
			}
		}
		path = braces.ReplaceAllString(strings.Replace(path, "/c/{creditor}", d.base, 1), "1")
		if got := reader.Ask(http.MethodPost, path, url.Values{}); got.Status != http.StatusForbidden {
			t.Errorf("with a key that may read, a POST to %s answers %d", path, got.Status)
		}
	}
	d.mustBe(before)
}
