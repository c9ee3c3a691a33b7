package console_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	_ "modernc.org/sqlite" // reads the database beside the program

	"purr/app"
	"purr/console"
	"purr/models"
	"purr/test/testkit/browser"
	"purr/test/testkit/house"
	"purr/test/testkit/servers"
)

const policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; frame-src 'self'; " +
	"form-action 'self'; frame-ancestors 'none'; base-uri 'none'; require-trusted-types-for 'script'; trusted-types 'none'"

// areas are the links of the navigation, in English.
var areas = []string{"Today", "Bank", "Invoices", "Customers", "Dunning", "Money", "Letters", "Log", "Operations", "Settings"}

// unlinked are paths that no page of the town need link to: it has no invoice of another system (see TestL17AnInvoiceOfAnotherSystemIsFollowed).
var unlinked = []string{"/sign-in", "/sign-in/{token}", "/c/{creditor}/invoices/{number}/told-balance"}

// everyPage holds what must hold for the answers that the links of a town lead to.
func everyPage(t *testing.T, c *crawl) {
	c.mustLeadSomewhere()
	c.mustShowEveryPage()
	c.mustAskLittle()
	for _, v := range c.found {
		v.mustBeProper(t, c.d)
	}
}

// mustLeadSomewhere fails the test if a link or a form leads nowhere.
func (c *crawl) mustLeadSomewhere() {
	for to, from := range c.stray {
		c.d.T.Errorf("%s leads nowhere; %s has it", to, from)
	}
	for _, v := range c.found {
		if v.status != http.StatusOK && v.status != http.StatusSeeOther && (!v.sent || v.status != http.StatusUnprocessableEntity) {
			c.d.T.Errorf("%s, which %s links to, answers %d", v.url, v.from, v.status)
		}
		if strings.HasPrefix(v.header.Get("Location"), c.prefix+"/sign-in") {
			c.d.T.Errorf("%s, which %s links to, leads to %s", v.url, v.from, v.header.Get("Location"))
		}
	}
}

// mustShowEveryPage fails the test if no link leads to one of the console's pages.
func (c *crawl) mustShowEveryPage() {
	found := map[string]bool{}
	for _, v := range c.found {
		found[v.path] = true
	}
	shown, _ := console.Paths()
	for _, path := range shown {
		if !found[path] && !slices.Contains(unlinked, path) {
			c.d.T.Errorf("no link leads to %s", path)
		}
	}
}

// examples returns one page of each path.
func (c *crawl) examples() []*visited {
	one := map[string]*visited{}
	for _, v := range c.found {
		if before := one[v.path]; v.isPage() && v.status == http.StatusOK && (before == nil || len(v.body) > len(before.body)) {
			one[v.path] = v
		}
	}
	var all []*visited
	for _, path := range slices.Sorted(maps.Keys(one)) {
		all = append(all, one[path])
	}
	return all
}

// faults of a page that its text shows.
var (
	unsafe  = regexp.MustCompile(`(?i)\sstyle="|\son[a-z]+="|<style|javascript:|<script(?: [^>]*)?>[^<]`)
	garbled = regexp.MustCompile(`ZgotmplZ|>\[|map\[|<no value>|%!|\{[a-z_]+\}|&amp;(?:lt|amp|#)`)
)

// mustBeProper tests what holds for every answer of the console.
func (v *visited) mustBeProper(t *testing.T, d *desk) {
	t.Helper()
	if strings.HasPrefix(v.path, "/api/") {
		return
	}
	fail := func(format string, values ...any) {
		t.Helper()
		t.Errorf("%s: %s", v.url, fmt.Sprintf(format, values...))
	}
	if v.header.Get("X-Content-Type-Options") != "nosniff" || v.header.Get("Referrer-Policy") != "same-origin" {
		fail("the headers are %v", v.header)
	}
	if csp := v.header.Get("Content-Security-Policy"); !strings.HasPrefix(csp, "default-src 'none'") || strings.Contains(csp, "unsafe") {
		fail("the Content-Security-Policy is %q", csp)
	}
	if strings.HasPrefix(v.path, "/assets/") {
		return
	}
	if v.header.Get("Cache-Control") != "no-store" {
		fail("Cache-Control is %q", v.header.Get("Cache-Control"))
	}
	if strings.Contains(v.body, "Nabo") || strings.Contains(v.body, "nobody-of-nabo") {
		fail("it shows what is another creditor's")
	}
	if strings.Contains(v.body, d.key) {
		fail("it shows the key")
	}
	if !v.isPage() {
		return
	}
	if v.header.Get("Content-Security-Policy") != policy {
		fail("the Content-Security-Policy is %q", v.header.Get("Content-Security-Policy"))
	}
	if n := strings.Count(v.body, "<h1"); n != 1 {
		fail("it has %d h1", n)
	}
	if !strings.Contains(v.body, `<html lang="en">`) {
		fail("its language is not English")
	}
	if found := unsafe.FindString(v.body); found != "" {
		fail("it has %q", found)
	}
	if found := garbled.FindString(v.body); found != "" {
		fail("its text has %q", found)
	}
	if strings.Contains(v.body, "<script>alert") {
		fail("a name is taken for HTML")
	}
}

// asked finds in the log of requests which page it was, and how often the database was asked for it.
var asked = regexp.MustCompile(` method=GET route=(\S+) status=200 took=\S+ queries=(\d+) `)

// mostQueries is how often the database is asked for a page at most, the session included. Where payments wait in the queue, the pages of
// an invoice and of a customer ask once for them and five times whose they may be (rules D95, N6).
const (
	mostQueries   = 10
	whosePayments = 6
	// ofALetter is how many further questions the copy of a notice may ask that shares a letter: which letter, and with whom.
	ofALetter = 2
	// ofEachTable is how many further questions the page before a customer is forgotten may ask: of each table with rows of the
	// customer's, what is open, what would go and what would stay (rule O14).
	ofEachTable = 55
	// ofAProof is how many further questions the page may ask that proves a letter: each table whose rows say that it was lawful (rule U5).
	ofAProof = 30
)

// mustAskLittle fails the test if the database was asked more often for a page than the bound allows.
func (c *crawl) mustAskLittle() {
	c.d.T.Helper()
	most, pages := map[string]int{}, 0
	for _, line := range c.d.in.Log.Lines("msg=console") {
		found := asked.FindStringSubmatch(line)
		if found == nil {
			continue
		}
		queries, err := strconv.Atoi(found[2])
		must(c.d.T, err)
		most[found[1]] = max(most[found[1]], queries)
		pages++
	}
	if pages < len(c.examples()) {
		c.d.T.Errorf("the log has %d pages", pages)
	}
	for _, route := range slices.Sorted(maps.Keys(most)) {
		may := mostQueries
		if route == "/c/{creditor}/invoices/{number}" || route == "/c/{creditor}/customers/{id}" {
			may += whosePayments
		}
		if route == "/c/{creditor}/invoices/{number}/notices/{notice}/copy" {
			may += ofALetter
		}
		if route == "/c/{creditor}/invoices/{number}/notices/{notice}/proof" {
			may += ofAProof
		}
		if route == "/c/{creditor}/customers/{id}/forget" {
			may += ofEachTable
		}
		whole := strings.HasSuffix(route, "/pdf") || strings.HasSuffix(route, "/customers/{id}/export") // they read all that documents show
		if most[route] > may && !whole {
			c.d.T.Errorf("the database is asked %d times for %s", most[route], route)
		}
	}
}

// lookAt looks at a page in the browser.
func (d *desk) lookAt(v *visited) {
	d.T.Helper()
	d.Look(browser.Light, browser.Screen, browser.Size(1280, 800))
	d.Visit(v.url)
	if d.Status() != http.StatusOK {
		d.T.Errorf("%s answers %d", v.url, d.Status())
		return
	}
	d.FocusStart()
	d.Keys("Tab")
	if first := d.Focused(); first == nil || first.Role != "link" || first.Name != "Skip to content" {
		d.T.Errorf("%s: first in the tab order is %+v", v.url, first)
	}
	d.checkNavigation(v)
	d.MustBeAccessible()
	d.Look(browser.Dark)
	d.MustHaveContrast()
	d.Look(browser.Narrow)
	if over := d.Overflow(); over > 0 {
		d.T.Errorf("%s: at 320 px it is %d px wider than the window", v.url, over)
	}
	d.Look(browser.Light, browser.Print, browser.Size(794, 1123)) // A4
	if d.Has("navigation", "Main") || !d.Has("heading", "*") {
		d.T.Errorf("%s: printed it has the navigation, or nothing", v.url)
	}
	if over := d.Overflow(); over > 198 { // a browser prints what is a quarter too wide a little smaller
		d.T.Errorf("%s: printed it is %d px wider than the paper", v.url, over)
	}
}

func (d *desk) checkNavigation(v *visited) {
	d.T.Helper()
	if v.path == "/sign-in" {
		return
	}
	var names, present []string
	for _, link := range d.Find("navigation", "Main").All("link") {
		if name, known := area(link.Name); known {
			names = append(names, name)
		}
		if link.Attribute("aria-current") == "page" {
			present = append(present, link.Name)
		}
	}
	if !slices.Equal(names, areas) {
		d.T.Errorf("%s: the navigation has %q", v.url, names)
	}
	free := strings.HasSuffix(v.path, "/clock") || strings.HasSuffix(v.path, "/start") || strings.HasSuffix(v.path, "/search")
	if free != (len(present) == 0) || len(present) > 1 {
		d.T.Errorf("%s: present in the navigation is %q", v.url, present)
	}
}

// area returns the link of the navigation that a name begins with; a count may follow.
func area(name string) (string, bool) {
	for _, a := range areas {
		if name == a || strings.HasPrefix(name, a+" ") {
			return a, true
		}
	}
	return "", false
}

// still waits until the program has nothing more to do, and returns how many rows each table has.
func (d *desk) still() map[string]int {
	d.T.Helper()
	d.api.MoveClock(d.in.App.Clock.Now().Add(time.Second))
	d.api.Get("/events?per_page=1").Shown() // numbers those that are new
	return d.tables()
}

// tables returns how many rows each table has. A GET may change none of them.
func (d *desk) tables() map[string]int {
	d.T.Helper()
	db, names, err := d.openTables()
	must(d.T, err)
	defer func() { must(d.T, db.Close()) }()
	counts := map[string]int{}
	for _, name := range names {
		var n int
		must(d.T, db.QueryRowContext(d.T.Context(), "SELECT COUNT(*) FROM "+name).Scan(&n)) //nolint:gosec // the name is the database's own
		counts[name] = n
	}
	return counts
}

func (d *desk) openTables() (db *sql.DB, names []string, err error) {
	query := "SELECT table_name FROM information_schema.tables WHERE table_schema = DATABASE()"
	if d.in.Config.Database.URL == "" || strings.HasPrefix(d.in.Config.Database.URL, "sqlite") {
		query = "SELECT name FROM sqlite_master WHERE type = 'table'"
		db, err = sql.Open("sqlite", d.in.Path("purr.db")+"?_pragma=busy_timeout(30000)")
	} else {
		db, err = servers.OpenMySQL(d.in.Config.Database.URL)
	}
	if err != nil {
		return nil, nil, err
	}
	names, err = namesOf(d.T.Context(), db, query)
	return db, names, err
}

func namesOf(ctx context.Context, db *sql.DB, query string) (names []string, err error) {
	rows, err := db.QueryContext(ctx, query)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		var name string
		if err := rows.Scan(&name); err != nil {
			return nil, err
		}
		names = append(names, name)
	}
	return names, rows.Err()
}

// mustBe fails the test unless the tables have as many rows as before.
func (d *desk) mustBe(before map[string]int) {
	d.T.Helper()
	for name, n := range d.tables() {
		if n != before[name] {
			d.T.Errorf("reading has changed table %s from %d rows to %d", name, before[name], n)
		}
	}
}

// TestConsole05BehindAProxy follows every link of a console that a proxy shows below a path of another host.
func TestConsole05BehindAProxy(t *testing.T) {
	t.Parallel()
	var in *house.Installation
	proxy := httptest.NewServer(http.StripPrefix("/bok", http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		target, err := url.Parse(in.App.URL)
		if err != nil {
			w.WriteHeader(http.StatusBadGateway)
			return
		}
		httputil.NewSingleHostReverseProxy(target).ServeHTTP(w, r)
	})))
	defer proxy.Close()
	in = house.Start(t, begins, func(_ testing.TB, cfg *app.Settings) { cfg.API.BaseURL = proxy.URL + "/bok" })
	d := &desk{in: in, creditor: in.NewCreditor(t, "Fjord Rør AS")}
	d.base = "/c/" + d.creditor
	d.api = in.Client(t, d.creditor, models.ScopeAdmin)
	d.key = d.newKey(t, models.ScopeAdmin)
	d.Page = browser.Open(t, proxy.URL)
	d.invoices(d.customer("Kari Nordmann", "kari@example.no"), 1000, 14)
	d.Visit("/bok/")
	d.Find("textbox", "API key").Type(d.key)
	d.Find("button", "Sign in").Follow()
	if d.URL() != "/bok"+d.base+"/today" {
		t.Errorf("the browser is at %s", d.URL())
	}
	d.Visit("/bok" + d.base + "/invoices")
	d.Find("link", "Customers*").Follow()
	if d.Status() != http.StatusOK {
		t.Errorf("%s answers %d", d.URL(), d.Status())
	}
	c := d.crawl("/bok")
	c.mustLeadSomewhere()
}
