package browser

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/page"
)

func TestMain(m *testing.M) { Main(m) }

// shop is a page with what the harness must find.
const shop = `<!doctype html><html lang="en"><title>Shop</title>
<meta name=viewport content="width=device-width">
<style>body { background: Canvas; color: CanvasText; color-scheme: light dark } a { display: block; padding: 12px } @media print { nav { display: none } }</style>
<a href="#main">Skip to content</a>
<nav aria-label="Main"><a href="/">Home</a> <a href="/slow">Bank 7</a></nav>
<main id=main><h1>It’s a shop</h1>
<p id=language>%s</p><p id=posted>%s</p><p id=script></p>
<form method=post action="/?posted">
<label>Amount <input name=amount aria-describedby=hint aria-invalid=true value=17></label><p id=hint>in kroner</p>
<label>API key <input type=password name=key></label>
<label>Until <input type=date name=until></label>
<label>Payment file <input type=file name=file></label>
<label>Kind <select name=kind><option value=a>Apples<option value=b>Bananas</select></label>
<fieldset><legend>It is meant for</legend>
<label><input type=radio name=for value=1 checked> Invoice 1 Kari</label> <label><input type=radio name=for value=2> Invoice 2 Ola</label></fieldset>
<button>Buy</button> <button type=button aria-disabled=true aria-describedby=why>Sell</button><p id=why>needs a key that may write</p>
</form>
<section aria-labelledby=waiting><h2 id=waiting>Waiting for you</h2><ul><li>1 order<li>2 letters</ul></section>
<table><caption>Totals</caption><tr><th>What<th>Amount<tr aria-selected=true><td>Matched<td>1 250,00<tr><td>Ignored<td>0,00</table>
<p role=status>Saved.</p>
</main><script src=/script.js></script></html>`

// server serves the shop, and whatever pages a test adds.
func server(t *testing.T, pages map[string]string) string {
	t.Helper()
	mux := http.NewServeMux()
	mux.HandleFunc("/{$}", func(w http.ResponseWriter, r *http.Request) {
		http.SetCookie(w, &http.Cookie{Name: "seen", Value: "yes", HttpOnly: true})
		posted := ""
		if r.Method == http.MethodPost {
			posted = strings.Join(strings.Fields(r.PostFormValue("amount")+" "+r.PostFormValue("until")+" "+r.PostFormValue("kind")+" "+r.PostFormValue("for")), " ")
			w.WriteHeader(http.StatusUnprocessableEntity)
		}
		fmt.Fprintf(w, shop, r.Header.Get("Accept-Language"), posted)
	})
	mux.HandleFunc("/script.js", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/javascript")
		fmt.Fprint(w, `document.querySelector("#script").textContent = "scripts work"
			addEventListener("keydown", e => { if (e.key === "b") document.forms[0].requestSubmit() })
			addEventListener("keydown", e => { if (e.key === "2") document.querySelectorAll("input[type=radio]")[1].checked = true })`)
	})
	mux.HandleFunc("/favicon.ico", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNoContent) })
	for path, page := range pages {
		mux.HandleFunc(path, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Security-Policy", "default-src 'none'; img-src 'self'; script-src 'self' 'nonce-ours'")
			fmt.Fprint(w, page)
		})
	}
	s := httptest.NewServer(mux)
	t.Cleanup(s.Close)
	return s.URL
}

func TestPeopleFindWhatTheyNeedByRoleAndName(t *testing.T) {
	p := Open(t, server(t, nil))
	if status := p.Visit("/"); status != http.StatusOK || p.URL() != "/" || !strings.HasPrefix(p.Header("Content-Type"), "text/html") {
		t.Errorf("status %d, URL %q, Content-Type %q", status, p.URL(), p.Header("Content-Type"))
	}
	p.Contains("It's a shop", "scripts work")
	for role, name := range map[string]string{
		"heading": "It's a shop", "navigation": "Main", "link": "Bank*", "textbox": "API key", "date": "Until", "file": "Payment file",
		"combobox": "Kind", "group": "It is meant for", "radio": "Invoice 1*", "region": "Waiting for you", "table": "Totals", "button": "Buy",
	} {
		if !p.Has(role, name) {
			t.Errorf("there is no %s %q; there is %s", role, name, names(p.All("")))
		}
	}
	if p.Has("button", "Bu") || p.Has("link", "Buy") {
		t.Error("what is not there was found")
	}
	if got := names(p.Find("region", "Waiting for you").All("listitem")); strings.Count(got, "listitem") != 2 {
		t.Errorf("the region has %s", got)
	}
	if sell := p.Find("button", "Sell"); !sell.Disabled() || sell.Description != "needs a key that may write" {
		t.Errorf("the button is %+v", sell)
	}
	if amount := p.Find("textbox", "Amount"); !amount.Invalid() || amount.Description != "in kroner" || amount.Value() != "17" {
		t.Errorf("the textbox is %+v", amount)
	}
	if !p.Find("radio", "Invoice 1*").Checked() || p.Find("radio", "Invoice 2*").Checked() {
		t.Error("not the first radio is checked")
	}
	totals := p.Find("table", "Totals")
	if got := totals.Row("Matched"); !slices.Equal(got, []string{"Matched", "1 250,00"}) {
		t.Errorf("the row is %q", got)
	}
	if !totals.All("row")[1].Selected() {
		t.Error("the row is not selected")
	}
	if got := p.All("status")[0].Text(); got != "Saved." {
		t.Errorf("the status says %q", got)
	}
}

func TestPeopleFillAForm(t *testing.T) {
	for name, looks := range map[string][]Look{"with scripts": nil, "without scripts": {WithoutScripts}, "on a telephone": {Narrow}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := Open(t, server(t, nil), looks...)
			p.Visit("/")
			p.Find("textbox", "Amount").Type("1 250,50 <æ>")
			p.Find("date", "Until").Type("2026-11-22")
			p.Find("combobox", "Kind").Choose("Bananas")
			p.Find("radio", "Invoice 2 Ola").Click()
			p.Find("button", "Buy").Follow()
			p.Contains("1 250,50 <æ> 2026-11-22 b 2")
			if p.Status() != http.StatusUnprocessableEntity || p.URL() != "/?posted" {
				t.Errorf("status %d of %s", p.Status(), p.URL())
			}
			p.Back()
			if p.URL() != "/" || strings.Contains(p.Text(), "Bananas") && strings.Contains(p.Text(), "2026-11-22 b 2") {
				t.Errorf("back at %s", p.URL())
			}
			if on := strings.Contains(p.Text(), "scripts work"); on != (name != "without scripts") {
				t.Errorf("scripts work: %v", on)
			}
		})
	}
}

func TestKeysAndFocus(t *testing.T) {
	p := Open(t, server(t, nil))
	p.Visit("/")
	order := p.TabOrder()
	if got := names(order); len(order) != 11 || !strings.HasPrefix(got, `link "Skip to content", link "Home", link "Bank 7", textbox "Amount"`) {
		t.Errorf("the key Tab goes to %s", got)
	}
	p.Keys("2")
	if !p.Find("radio", "Invoice 2 Ola").Checked() {
		t.Error("the key 2 does nothing")
	}
	p.Loads(func() { p.Keys("b") })
	p.Contains("17 a 2")
	p.Find("link", "Home").Focus()
	if p.Focused().Name != "Home" {
		t.Errorf("the focus is on %+v", p.Focused())
	}
	p.Loads(func() { p.Keys("Enter") })
}

func TestLooks(t *testing.T) {
	p := Open(t, server(t, nil), Language("nb"))
	background := func() string { return Evaluate[string](p, "getComputedStyle(document.body).backgroundColor") }
	p.Visit("/")
	if light := background(); light != "rgb(255, 255, 255)" {
		t.Errorf("light is %s", light)
	}
	if p.Find("heading", "It's a shop"); !strings.Contains(p.Text(), "nb") {
		t.Errorf("not in Norwegian:\n%s", p.Text())
	}
	p.Look(Dark, Narrow)
	if dark := background(); dark == "rgb(255, 255, 255)" {
		t.Errorf("dark is %s", dark)
	}
	if inner := Evaluate[int](p, "innerWidth"); inner != 320 {
		t.Errorf("the window is %d wide", inner)
	}
	p.Look(Print)
	if Evaluate[string](p, "getComputedStyle(document.querySelector('nav')).display") != "none" {
		t.Error("it does not look as printed")
	}
	Evaluate[bool](p, "document.body.append(Object.assign(document.createElement('pre'), {textContent: 'x'.repeat(900)})), true")
	if p.Overflow() < 100 {
		t.Errorf("the document is wider than the window by %d", p.Overflow())
	}
	file := filepath.Join(t.TempDir(), "picture.png")
	p.Picture(file, true)
	if picture, err := os.ReadFile(file); err != nil || !strings.HasPrefix(string(picture), "\x89PNG") {
		t.Errorf("the picture begins with %.8q, %v", picture, err)
	}
}

func TestEachPageHasItsOwnCookiesAndASecondTabShares(t *testing.T) {
	base := server(t, nil)
	p, other := Open(t, base), Open(t, base)
	p.Visit("/")
	if got := p.Cookies(); len(got) != 1 || !got[0].HTTPOnly || len(other.Cookies()) != 0 || len(p.Another().Cookies()) != 1 {
		t.Errorf("cookies %v and %v", got, other.Cookies())
	}
	if got := p.Ask(http.MethodPost, "/", map[string][]string{"amount": {"5"}}); got.Status != http.StatusUnprocessableEntity || !strings.Contains(got.Body, ">5<") {
		t.Errorf("answered %d: %s", got.Status, got.Body)
	}
}

func TestProblemsOfAPage(t *testing.T) {
	const page = `<!doctype html><html lang=en><title>T</title><h1>T</h1>`
	base := server(t, map[string]string{
		"/fine":      page,
		"/inline":    page + `<script>1</script>`,
		"/style":     page + `<p style="color:red">`,
		"/elsewhere": page + `<a href="http://example.com/">away</a>`,
		"/image":     page + `<img alt=x src="http://example.com/x.png">`,
		"/error":     page + `<script nonce=ours>console.error("oh no", 7)</script>`,
		"/throws":    page + `<script nonce=ours>nothing.at.all()</script>`,
		"/dialog":    page + `<script nonce=ours>alert("sure?")</script>`,
		"/missing":   page + `<script nonce=ours src="/nothing.js"></script>`,
		"/quirks":    `<title>T</title>`,
	})
	for path, want := range map[string]string{
		"/fine": "", "/no-such-page": "",
		"/inline": "Content-Security-Policy: script-src", "/style": "Content-Security-Policy: ", "/image": "Content-Security-Policy: ",
		"/error": "oh no 7", "/throws": "ReferenceError", "/dialog": "sure?", "/missing": "404", "/quirks": "doctype",
	} {
		t.Run(path, func(t *testing.T) {
			t.Parallel()
			p := Open(t, base)
			p.Visit(path)
			problems := p.Problems()
			if want == "" && len(problems) > 0 || want != "" && !strings.Contains(strings.Join(problems, "\n"), want) {
				t.Errorf("the problems are %q, want %q", problems, want)
			}
		})
	}
	t.Run("another host", func(t *testing.T) {
		p := Open(t, base)
		p.Visit("/elsewhere")
		p.Find("link", "away").Follow()
		if problems := p.Problems(); len(problems) == 0 || !strings.Contains(problems[0], "another host: http://example.com/") {
			t.Errorf("the problems are %q", problems)
		}
	})
}

// TestATestGetsNothingOfTheOneBefore leaves something of every kind in a page: the next test's page has none of it.
func TestATestGetsNothingOfTheOneBefore(t *testing.T) {
	base := server(t, nil)
	const stored = `[localStorage.length, sessionStorage.length, innerWidth, matchMedia("(prefers-color-scheme: dark)").matches].join()`
	t.Run("before", func(t *testing.T) {
		p := Open(t, base, Dark, Narrow, Language("nb"))
		p.Visit("/")
		if got := Evaluate[string](p, `localStorage.a = sessionStorage.a = "b", `+stored); got != "1,1,320,true" || len(p.Cookies()) != 1 {
			t.Errorf("it leaves %s and cookies %v", got, p.Cookies())
		}
		p.MustBeAccessible()
		p.Look(WithoutScripts)
	})
	t.Run("after", func(t *testing.T) {
		p := Open(t, base)
		if p.URL() != "about:blank" || len(p.Cookies()) != 0 || p.Ask(http.MethodGet, "/", nil).Status != http.StatusOK {
			t.Errorf("the page begins at %s with cookies %v", p.URL(), p.Cookies())
		}
		if history := call(p, page.GetNavigationHistory, cdp.Empty{}); len(history.Entries) != 1 {
			t.Errorf("there are %d pages in its past", len(history.Entries))
		}
		p.Visit("/")
		p.Contains("scripts work")
		if got := Evaluate[string](p, stored); got != "0,0,1280,false" || !strings.Contains(p.Text(), "\nen\n") {
			t.Errorf("it has %s:\n%s", got, p.Text())
		}
	})
}

func TestAwaitSeesWhatComesLater(t *testing.T) {
	p := Open(t, server(t, map[string]string{
		"/later": `<!doctype html><html lang=en><title>T</title>
			<script nonce=ours>setTimeout(() => { document.body.innerHTML = "<h1>Imported</h1>" }, 100)</script>`,
	}))
	p.Visit("/later")
	p.Await("heading", "Imported")
}

// TestAwaitOutlivesReloads awaits what a page shows after it has loaded itself again forty times, as fast as it can.
func TestAwaitOutlivesReloads(t *testing.T) {
	const enough = 40
	var loads atomic.Int64
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/" {
			w.WriteHeader(http.StatusNoContent) // its icon
			return
		}
		heading, script := "Under way", `addEventListener("load", () => setTimeout(() => location.reload(), Math.random() * 20))`
		if loads.Add(1) == enough {
			heading, script = "Imported", ""
		}
		fmt.Fprintf(w, `<!doctype html><html lang=en><title>T</title><style>@view-transition { navigation: auto }</style>
			<h1>%s</h1>%s<script>%s</script>`, heading, strings.Repeat("<button>Wait</button>", 50), script)
	}))
	defer s.Close()
	p := Open(t, s.URL)
	p.Visit("/")
	p.Await("heading", "Imported")
	if n := loads.Load(); n != enough {
		t.Errorf("found after %d loads", n)
	}
}

func TestAxeFindsWhatIsWrong(t *testing.T) {
	p := Open(t, server(t, map[string]string{
		"/wrong": `<!doctype html><html><title>T</title><h1>T</h1><input>`,
		"/pale":  `<!doctype html><html><title>T</title><body bgcolor="#ffffff" text="#dddddd"><h1>Too pale</h1><input>`,
	}))
	p.Visit("/")
	p.MustBeAccessible()
	p.MustHaveContrast()
	p.Visit("/pale")
	if found := p.Axe(colours...); len(found) != 1 || found[0].ID != "color-contrast" {
		t.Errorf("of the colours axe finds %v", found)
	}
	p.Visit("/wrong")
	var rules []string
	for _, v := range p.Axe(AA...) {
		rules = append(rules, v.ID)
	}
	if !slices.Equal(rules, []string{"html-has-lang", "label"}) {
		t.Errorf("axe finds %q", rules)
	}
}
