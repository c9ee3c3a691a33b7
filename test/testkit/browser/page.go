package browser

import (
	"context"
	"encoding/json"
	"fmt"
	"net/url"
	"os"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/audits"
	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"

	"purr/test/testkit"
)

// Page is a tab of Chromium. Its methods fail the test if what they are to do cannot be done. It is for one goroutine.
type Page struct {
	T    testing.TB
	Base string // scheme, host and port of the server; Visit's paths are below it

	ctx     context.Context
	look    look
	agent   string // how Chromium names itself
	events  *events
	cookies []*network.Cookie // as Chromium last told them; nil since it was told to do something else
}

// Open opens an empty page with cookies of its own. Base is the server's scheme, host and port: a request to any other host
// is a problem. When the test ends the page is closed, and the test fails if there were problems (see Problems).
func Open(t testing.TB, base string, looks ...Look) *Page {
	t.Helper()
	tab, err := emptyTab()
	testkit.Must(t, err)
	t.Cleanup(func() { tab.leave(base, t.Failed()) })
	return open(tab.context, t, base, looks)
}

// Another opens an empty page beside this one, which shares its cookies: a second tab.
func (p *Page) Another(looks ...Look) *Page {
	p.T.Helper()
	of := chromedp.WithExistingBrowserContext(chromedp.FromContext(p.ctx).BrowserContextID)
	ctx, cancel := chromedp.NewContext(p.ctx, of)
	p.T.Cleanup(cancel)
	testkit.Must(p.T, chromedp.Do(ctx))
	return open(ctx, p.T, p.Base, looks)
}

// open makes a page of an empty tab, and listens to it until the test ends.
func open(tab context.Context, t testing.TB, base string, looks []Look) *Page {
	t.Helper()
	ctx, cancel := context.WithCancel(tab)
	t.Cleanup(cancel)
	address, err := url.Parse(base)
	testkit.Must(t, err)
	p := &Page{T: t, Base: base, ctx: ctx, look: usual, events: &events{host: address.Host, changed: make(chan struct{})}}
	p.events.dismiss = func() { p.dismissDialog() }
	tree := call(p, page.GetFrameTree, cdp.Empty{})
	p.events.frame = tree.FrameTree.Frame.ID
	testkit.Must(t, chromedp.Listen(ctx, p.events.take))
	call(p, audits.Enable, cdp.Empty{})
	p.Look(looks...)
	t.Cleanup(func() {
		for _, problem := range p.Problems() {
			t.Errorf("%s", problem)
		}
	})
	return p
}

// call runs a command of Chromium's protocol.
func call[P, R any](p *Page, command cdp.Command[P, R], params P) R {
	p.T.Helper()
	p.cookies = nil
	result, err := try(p.ctx, command, params)
	if err != nil {
		p.T.Fatalf("%s: %s: %v", p.events.address(), command.Method, err)
	}
	return result
}

// try runs a command that may fail because the page is just changing.
func try[P, R any](ctx context.Context, command cdp.Command[P, R], params P) (R, error) {
	ctx, cancel := context.WithTimeout(ctx, testkit.Patience)
	defer cancel()
	return chromedp.Call(ctx, command, params)
}

// Evaluate runs JavaScript in the page, and reads its result into a value. A promise is awaited. It works with scripts off
// too.
func Evaluate[T any](p *Page, script string) T {
	p.T.Helper()
	p.cookies = nil
	ctx, cancel := context.WithTimeout(p.ctx, testkit.Patience)
	defer cancel()
	result, err := chromedp.Run(ctx, chromedp.Evaluate[T](script, chromedp.EvalAwaitPromise))
	if err != nil {
		p.T.Fatalf("%s: evaluate %.100s: %v", p.events.address(), script, err)
	}
	return result
}

// Loads does what must load a page, and returns when that page has loaded: a click, a key. If that page loads another by
// itself before it has loaded, Loads returns when the other has.
func (p *Page) Loads(do func()) {
	p.T.Helper()
	before := p.events.shown()
	do()
	ctx, cancel := context.WithTimeout(p.ctx, testkit.Patience)
	defer cancel()
	if e := p.events; !e.await(ctx, func() bool { return e.document != before && e.complete() }) {
		p.T.Fatalf("%s: no page was loaded", p.events.address())
	}
}

// Visit loads the page at a path below Base, or at a whole URL. It returns the status of the answer, after redirects.
func (p *Page) Visit(path string) (status int) {
	p.T.Helper()
	address := path
	if strings.HasPrefix(path, "/") {
		address = p.Base + path
	}
	p.Loads(func() {
		p.T.Helper()
		if got := call(p, page.Navigate, page.NavigateParams{URL: address}); got.ErrorText != "" {
			p.T.Fatalf("%s: %s", address, got.ErrorText)
		}
	})
	return p.Status()
}

// Reload loads the page again, as F5 does. A form that was posted is posted again.
func (p *Page) Reload() {
	p.T.Helper()
	p.Loads(func() { call(p, page.Reload, page.ReloadParams{}) })
}

// Back goes to the page before, which is loaded again.
func (p *Page) Back() {
	p.T.Helper()
	history := call(p, page.GetNavigationHistory, cdp.Empty{})
	if history.CurrentIndex == 0 {
		p.T.Fatal("there is no page before")
	}
	p.Loads(func() {
		call(p, page.NavigateToHistoryEntry, page.NavigateToHistoryEntryParams{EntryID: history.Entries[history.CurrentIndex-1].ID})
	})
}

// URL returns the page's path with its query, as the address bar shows it.
func (p *Page) URL() string {
	p.T.Helper()
	address, _ := strings.CutPrefix(Evaluate[string](p, "location.href"), p.Base)
	return address
}

// Status returns the status of the answer that the page is.
func (p *Page) Status() int {
	status, _ := p.events.answer()
	return status
}

// Header returns a header of the answer that the page is.
func (p *Page) Header(name string) string {
	_, header := p.events.answer()
	return header.Get(name)
}

// Text returns the text of the page as a person sees it.
func (p *Page) Text() string {
	p.T.Helper()
	return plain(Evaluate[string](p, "document.body.innerText"))
}

// HTML returns the page's elements as they are now.
func (p *Page) HTML() string {
	p.T.Helper()
	return Evaluate[string](p, "document.documentElement.outerHTML")
}

// Contains fails the test unless the page's text has all of the words.
func (p *Page) Contains(words ...string) {
	p.T.Helper()
	text := p.Text()
	for _, w := range words {
		if !strings.Contains(text, plain(w)) {
			p.T.Errorf("%s does not say %q; it says\n%s", p.events.address(), w, text)
		}
	}
}

// plain writes apostrophes as keyboards do.
func plain(text string) string { return strings.ReplaceAll(text, "’", "'") }

// Overflow returns by how many pixels the document is wider than the window.
func (p *Page) Overflow() int {
	p.T.Helper()
	return Evaluate[int](p, "document.documentElement.scrollWidth - document.documentElement.clientWidth")
}

// Picture writes a picture of the page to a PNG file: of the whole page, or of what the window shows.
func (p *Page) Picture(file string, whole bool) {
	p.T.Helper()
	params := page.CaptureScreenshotParams{Format: page.CaptureScreenshotFormatPng}
	if whole {
		params.CaptureBeyondViewport = &whole
		size := call(p, page.GetLayoutMetrics, cdp.Empty{}).CSSContentSize
		params.Clip = &page.Viewport{Width: size.Width, Height: size.Height, Scale: 1}
	}
	shot := call(p, page.CaptureScreenshot, params)
	testkit.Must(p.T, os.WriteFile(file, shot.Data, 0o600))
}

// PDF writes the page to a PDF file as a browser prints it, on the paper that the page asks for.
func (p *Page) PDF(file string) {
	p.T.Helper()
	asPageAsks := true
	printed := call(p, page.PrintToPDF, page.PrintToPDFParams{PreferCSSPageSize: &asPageAsks})
	testkit.Must(p.T, os.WriteFile(file, printed.Data, 0o600))
}

// quote writes a string as JavaScript reads it.
func quote(s string) string {
	quoted, err := json.Marshal(s)
	if err != nil {
		panic(fmt.Sprintf("quote %q: %v", s, err)) // a string can always be written
	}
	return string(quoted)
}
