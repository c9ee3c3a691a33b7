package console_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"purr/app"
	"purr/models"
	"purr/test/testkit/browser"
	"purr/test/testkit/house"
)

func TestConsole01TheFirstPageAsksForAKey(t *testing.T) {
	t.Parallel()
	in := house.Start(t, begins)
	p := browser.Open(t, in.App.URL)
	if got := p.Ask(http.MethodGet, "/", nil); got.Status != http.StatusSeeOther || got.Header.Get("Location") != "/sign-in" {
		t.Errorf("/ answers %d to %q", got.Status, got.Header.Get("Location"))
	}
	p.Visit("/")
	if p.URL() != "/sign-in" {
		t.Errorf("the browser is at %s", p.URL())
	}
	if h1 := p.All("heading"); len(h1) == 0 || h1[0].Name != "Sign in to purr" {
		t.Errorf("the heading is %v", h1)
	}
	if key := p.Find("textbox", "API key"); key.Attribute("type") != "password" {
		t.Error("others can read the key over one's shoulder")
	}
	p.Find("button", "Sign in")
}

func TestConsole02ARightKeyBeginsASession(t *testing.T) {
	eachSetup(t, func(t *testing.T, setup house.Change) {
		d := open(t, models.ScopeWrite, setup)
		if want := d.base + "/today"; d.URL() != want {
			t.Errorf("the browser is at %s, want %s", d.URL(), want)
		}
		cookies := d.Cookies()
		if len(cookies) != 1 || !strings.HasPrefix(cookies[0].Name, "purr-") || !cookies[0].HTTPOnly || cookies[0].SameSite != "Lax" || cookies[0].Path != "/" {
			t.Errorf("the cookies are %+v", cookies)
		}
		for _, c := range cookies {
			if strings.Contains(c.Value, d.key) || strings.Contains(c.Value, strings.TrimPrefix(d.key, "purr_")) {
				t.Errorf("cookie %s has the key", c.Name)
			}
		}
		if strings.Contains(d.HTML(), d.key) {
			t.Error("the page has the key")
		}
		if strings.Contains(d.in.Log.Tail(), d.key) {
			t.Error("the log has the key")
		}
	})
}

func TestConsole02TheCookieIsSecureOverHTTPS(t *testing.T) {
	t.Parallel()
	in := house.Start(t, begins, func(_ testing.TB, cfg *app.Settings) { cfg.API.BaseURL = "https://purr.example.no/bok" })
	key, err := in.App.CreateKey(t.Context(), in.NewCreditor(t, ""), models.ScopeRead, "Kari")
	must(t, err)
	got := browser.Open(t, in.App.URL).Ask(http.MethodPost, "/sign-in", url.Values{"key": {key}})
	cookie := got.Header.Get("Set-Cookie")
	if got.Status != http.StatusSeeOther || got.Header.Get("Location") != "/bok/c/1/today" {
		t.Errorf("answered %d to %s", got.Status, got.Header.Get("Location"))
	}
	for _, want := range []string{"__Host-purr=", "; Path=/;", "; Secure", "; HttpOnly", "; SameSite=Lax"} {
		if !strings.Contains(cookie, want) {
			t.Errorf("the cookie lacks %q: %s", want, cookie)
		}
	}
	if strings.Contains(cookie, "Domain") || strings.Contains(cookie, key) {
		t.Errorf("the cookie is %s", cookie)
	}
}

func TestConsole03AWrongKeyIsRefused(t *testing.T) {
	eachSetup(t, func(t *testing.T, setup house.Change) {
		in := house.Start(t, begins, setup)
		p := browser.Open(t, in.App.URL)
		wrong := func() *browser.Answer {
			return p.Ask(http.MethodPost, "/sign-in", url.Values{"key": {"purr_wrong"}})
		}
		p.Visit("/sign-in")
		p.Find("textbox", "API key").Type("purr_wrong")
		p.Find("button", "Sign in").Follow()
		if p.Status() != http.StatusUnauthorized || p.URL() != "/sign-in" {
			t.Errorf("answered %d at %s", p.Status(), p.URL())
		}
		if alert := p.Find("alert", "*"); alert.Text() != "This API key is not known, or was revoked" {
			t.Errorf("the alert says %q", alert.Text())
		}
		if typed := p.Find("textbox", "API key").Value(); typed != "" {
			t.Errorf("the wrong key is on the page: %s", typed)
		}
		for range 5 {
			in.ClientWithKey(t, "purr_wrong").Get("/invoices").Is(http.StatusUnauthorized)
		}
		for range 4 {
			if got := wrong(); got.Status != http.StatusUnauthorized {
				t.Fatalf("answered %d", got.Status)
			}
		}
		if got := wrong(); got.Status != http.StatusTooManyRequests || got.Header.Get("Retry-After") == "" {
			t.Errorf("the eleventh answers %d, Retry-After %q", got.Status, got.Header.Get("Retry-After"))
		}
		in.ClientWithKey(t, "purr_wrong").Get("/invoices").Is(http.StatusTooManyRequests)
		p.Visit("/sign-in")
		p.Find("textbox", "API key").Type("purr_wrong")
		p.Find("button", "Sign in").Follow()
		if p.Status() != http.StatusTooManyRequests || !p.Has("alert", "*") {
			t.Errorf("the page answers %d:\n%s", p.Status(), p.Text())
		}
	})
}

func TestConsole04ASessionEnds(t *testing.T) {
	eachSetup(t, func(t *testing.T, setup house.Change) {
		d := open(t, models.ScopeWrite, setup)
		d.Visit(d.base + "/invoices")
		before := d.Cookies()[0]
		d.Find("button", "Sign out").Follow()
		if d.URL() != "/sign-in" || len(d.Cookies()) != 0 {
			t.Errorf("at %s with cookies %v", d.URL(), d.Cookies())
		}
		d.Back() // must not show what it had
		if d.URL() != "/sign-in" {
			t.Errorf("Back leads to %s", d.URL())
		}
		shown, acting := consolePaths(d.base)
		for _, path := range shown {
			got := d.Ask(http.MethodGet, path, nil, "Cookie", before.Name+"="+before.Value)
			if path != "/sign-in" && !leadsToSignIn(got) {
				t.Errorf("with the old cookie %s answers %d to %q", path, got.Status, got.Header.Get("Location"))
			}
		}
		for _, path := range acting {
			got := d.Ask(http.MethodPost, path, url.Values{"amount": {"1"}}, "Cookie", before.Name+"="+before.Value)
			if path != "/sign-in" && !leadsToSignIn(got) {
				t.Errorf("with the old cookie a POST to %s answers %d to %q", path, got.Status, got.Header.Get("Location"))
			}
		}

		d.signIn(d.key)
		d.Visit(d.base + "/invoices")
		d.revoke("Kari")
		d.Reload()
		if d.URL() != "/sign-in" {
			t.Errorf("with a revoked key the browser is at %s", d.URL())
		}
	})
}
