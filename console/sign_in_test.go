package console_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"purr/api/access"
	"purr/console"
	"purr/models"
	"purr/store"
)

func TestE10SignIn(t *testing.T) {
	t.Parallel()
	b := open(t, models.ScopeWrite, nil)
	begun := b.signIn(b.key).leads(b.base + "/today")
	if c := begun.header.Get("Set-Cookie"); !strings.HasPrefix(c, "purr-") || !strings.Contains(c, "HttpOnly; SameSite=Lax") || strings.Contains(c, b.key) {
		t.Errorf("the cookie is %s", c)
	}
	b.get("/").leads(b.base + "/today")
	b.get("invoices").is(http.StatusOK).says("Kari · may write")
	b.get("/c/4711/invoices").is(http.StatusNotFound)
	b.get("/nowhere").is(http.StatusNotFound).says("There is no such page")
	b.post("/sign-out").leads("/sign-in")
	b.get("invoices").leads("/sign-in")
	b.get("/").leads("/sign-in")
	b.post("/sign-in", "key", "wrong").is(http.StatusUnauthorized).says("This API key is not known, or was revoked")
}

func TestE10ASessionEnds(t *testing.T) {
	t.Parallel()
	b := open(t, models.ScopeWrite, nil)
	b.get("invoices").is(http.StatusOK)
	b.clock.Set(b.clock.Now().Add(access.SessionIdle - time.Minute))
	b.get("invoices").is(http.StatusOK)
	b.config.Keys.Close() // its use is noted
	b.clock.Set(b.clock.Now().Add(access.SessionIdle - time.Minute))
	b.get("invoices").is(http.StatusOK)
	b.config.Keys.Close()
	b.clock.Set(b.clock.Now().Add(access.SessionIdle))
	b.get("invoices").leads("/sign-in")

	b.signIn(b.key)
	b.write(func(ctx context.Context, tx *store.Tx) error { return tx.RevokeKey(ctx, b.creditor.ID, 1) })
	b.get("invoices").leads("/sign-in")
}

func TestE10ASessionOfSeveralCreditors(t *testing.T) {
	t.Parallel()
	b := open(t, models.ScopeWrite, nil)
	other := b.newCreditor("Fjord Rør AS")
	b.post("/sign-in", "key", b.newKey(other, models.ScopeRead)).leads("/c/2/today")
	b.get("/c/2/invoices").is(http.StatusOK).says("Fjord Rør AS", "Kari · may read")
	b.get("/c/1/invoices").is(http.StatusOK).says("Kaffe & Kake AS", "Kari · may write")
	b.get("/").leads("/c/2/today")
}

func TestD3WrongKeysOfTheConsoleCount(t *testing.T) {
	t.Parallel()
	b := open(t, models.ScopeRead, nil)
	for range 10 {
		b.post("/sign-in", "key", "wrong").is(http.StatusUnauthorized)
	}
	if refused := b.post("/sign-in", "key", "wrong").is(http.StatusTooManyRequests); refused.header.Get("Retry-After") == "" {
		t.Error("there is no Retry-After")
	}
	b.signIn(b.key).leads(b.base + "/today") // a right key is taken all the same
}

func TestO11PagesOfOtherSitesCannotAct(t *testing.T) {
	t.Parallel()
	b := open(t, models.ScopeWrite, nil)
	b.do(http.MethodPost, "/sign-out", "", "Sec-Fetch-Site", "cross-site").is(http.StatusForbidden)
	b.get("invoices").is(http.StatusOK)
}

func TestE10CookieOverHTTPS(t *testing.T) {
	t.Parallel()
	b := open(t, models.ScopeWrite, func(c *console.Config) { c.BaseURL = "https://purr.example.no/bok" })
	begun := b.signIn(b.key).leads("/bok/c/1/today")
	if c := begun.header.Get("Set-Cookie"); !strings.HasPrefix(c, "__Host-purr=") || !strings.Contains(c, "; Secure") {
		t.Errorf("the cookie is %s", c)
	}
	if begun.header.Get("Strict-Transport-Security") == "" {
		t.Error("behind a proxy that speaks https, the browser is not told to stay with it")
	}
}

func TestE10ABrowserStaysWithHTTPS(t *testing.T) {
	t.Parallel()
	b := open(t, models.ScopeWrite, nil)
	for url, want := range map[string]string{"http://purr.example.no/sign-in": "", "https://purr.example.no/sign-in": "max-age=31536000"} {
		answer := httptest.NewRecorder()
		b.http.Config.Handler.ServeHTTP(answer, httptest.NewRequest(http.MethodGet, url, nil))
		if got := answer.Header().Get("Strict-Transport-Security"); got != want {
			t.Errorf("%s: Strict-Transport-Security is %q, want %q", url, got, want)
		}
	}
}

func TestE10EveryAnswerIsGuarded(t *testing.T) {
	t.Parallel()
	b := open(t, models.ScopeWrite, nil)
	for _, path := range []string{"invoices", "/sign-in", "/nowhere", "/c/2/invoices"} {
		h := b.get(path).header
		if csp := h.Get("Content-Security-Policy"); !strings.HasPrefix(csp, "default-src 'none'") || strings.Contains(csp, "unsafe") {
			t.Errorf("%s: the policy is %q", path, csp)
		}
		if h.Get("X-Content-Type-Options") != "nosniff" || h.Get("Referrer-Policy") != "same-origin" || h.Get("Cache-Control") != "no-store" {
			t.Errorf("%s: the headers are %v", path, h)
		}
	}
}

func TestO9AStrangersFormIsShort(t *testing.T) {
	t.Parallel()
	b := open(t, models.ScopeWrite, nil)
	b.post("/sign-in", "key", strings.Repeat("x", 5000)).is(http.StatusRequestEntityTooLarge)
	b.do(http.MethodPost, "/sign-in", "key=x", "Content-Type", "text/plain").is(http.StatusUnsupportedMediaType)
	b.do(http.MethodPost, "/sign-in", "key=%ff", "Content-Type", "application/x-www-form-urlencoded").is(http.StatusBadRequest)
}

// TestE10ASignInLinkWorksOnce follows a link, which changes nothing, and presses its button, twice.
func TestE10ASignInLinkWorksOnce(t *testing.T) {
	t.Parallel()
	b := open(t, models.ScopeAdmin, func(c *console.Config) { c.Tour = true })
	link := b.http.Config.Handler.(*console.Server).SignInLink(b.key)
	b.signIn("wrong")
	for range 2 {
		b.get(link).is(200).says("This link signs you in once", "Open the console")
	}
	b.get("dunning").leads("/sign-in")
	b.post(link).leads(b.base + "/today")
	b.get("dunning").is(200).says("Day 1 of the demo", "Let a week pass")
	b.signIn("wrong")
	b.get(link).leads("/sign-in")
	b.post(link).leads("/sign-in")
}

// TestE10SigningInLeadsToThePageThatWasAskedFor lets a session run out on a page. Nobody can make the sign-in lead elsewhere.
func TestE10SigningInLeadsToThePageThatWasAskedFor(t *testing.T) {
	t.Parallel()
	b := open(t, models.ScopeWrite, nil)
	page := b.base + "/invoices?status=overdue&search=Kari+%26+Ola"
	const asHTML = "text/html,application/xhtml+xml"
	b.get(page, "Accept", asHTML).is(http.StatusOK)
	b.clock.Set(start.Add(9 * time.Hour))
	b.get(page, "Accept", asHTML).leads("/sign-in")
	b.get(b.base+"/clock", "Accept", "application/json").leads("/sign-in") // what a script asks for is no page
	b.post("/sign-in", "key", "wrong").is(http.StatusUnauthorized)
	b.post("/sign-in", "key", b.key).leads(page)
	b.get(page).is(http.StatusOK)

	b.post("/sign-out").leads("/sign-in")
	b.post("/sign-in", "key", b.key).leads(b.base + "/today")

	for _, asked := range []string{
		"https://evil.example", "//evil.example", "/c/2/today", "/c/1", "/c/1/../2/today", "/c/1/%2e%2e/2/today", "/c/1//evil.example", `/c/1/\evil.example`, "/c/1/a\r\nX: y", "%zz", "",
	} {
		b.post("/sign-out")
		got := b.do(http.MethodPost, "/sign-in", url.Values{"key": {b.key}}.Encode(), "Content-Type", "application/x-www-form-urlencoded", "Cookie", "purr_asked="+url.QueryEscape(asked))
		got.leads(b.base + "/today")
	}
}

// TestE10TwoInstallationsOnOneHost signs a browser in to two consoles on two ports of one host.
func TestE10TwoInstallationsOnOneHost(t *testing.T) {
	t.Parallel()
	one, other := open(t, models.ScopeWrite, nil), open(t, models.ScopeWrite, nil)
	other.client.Jar = one.client.Jar
	other.post("/sign-in", "key", other.key).leads(other.base + "/today")
	one.get("invoices").is(http.StatusOK)
	other.get("invoices").is(http.StatusOK)
}
