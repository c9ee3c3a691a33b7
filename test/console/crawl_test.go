package console_test

import (
	"html"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"purr/console"
	"purr/test/testkit"
)

// consolePaths returns the console's paths for a creditor, with 1 for each other number.
func consolePaths(base string) (shown, acting []string) {
	shown, acting = console.Paths()
	for _, paths := range [][]string{shown, acting} {
		for i, path := range paths {
			paths[i] = braces.ReplaceAllString(strings.Replace(path, "/c/{creditor}", base, 1), "1")
		}
	}
	return shown, acting
}

var braces = regexp.MustCompile(`\{[^}]*\}`)

// crawl follows the links of a creditor's pages, as far as they lead.
type crawl struct {
	d       *desk
	prefix  string // of the base URL; the server does not see it
	enough  int    // URLs of a path with the same parameters
	paths   *http.ServeMux
	acts    *http.ServeMux
	seen    map[string]bool
	alike   map[string]int // how many URLs there were of a path and names of parameters
	found   []*visited
	actions map[string]string // what forms post to, and where one was found
	stray   map[string]string // what leads nowhere, and what leads there
}

// visited is an answer of a crawl.
type visited struct {
	url, from string
	sent      bool   // a form without anything chosen
	path      string // as the console names it, with braces
	status    int
	header    http.Header
	body      string
}

// isPage reports whether it is HTML.
func (v *visited) isPage() bool { return strings.HasPrefix(v.header.Get("Content-Type"), "text/html") }

// How many URLs of a path with the same parameters a crawl follows: with the tag "whole" more of them.
const (
	enough         = 10
	enoughForWhole = 25
)

// crawl follows all links from Today, with the desk's cookies. The prefix is the path of the base URL.
func (d *desk) crawl(prefix string) *crawl {
	d.T.Helper()
	c := &crawl{d: d, prefix: prefix, enough: enough, paths: http.NewServeMux(), acts: http.NewServeMux(), seen: map[string]bool{}, alike: map[string]int{}, actions: map[string]string{}, stray: map[string]string{}}
	if testkit.Whole {
		c.enough = enoughForWhole
	}
	shown, acting := console.Paths()
	if clock := "/c/{creditor}/clock"; !slices.Contains(shown, clock) { // it is there with a test clock alone
		shown, acting = append(shown, clock), append(acting, clock)
	}
	for mux, paths := range map[*http.ServeMux][]string{c.paths: shown, c.acts: acting} {
		for _, path := range paths {
			mux.Handle(path, http.NotFoundHandler())
		}
	}
	c.follow(prefix+d.base+"/today", "the sign-in", false)
	c.followFrom(0)
	links := len(c.found)
	for _, typed := range []string{"nordmann", "foretaket", "xyzzy"} { // which the field in the header takes
		c.follow(prefix+d.base+"/search?q="+typed, "the header", true)
	}
	c.followFrom(links)
	return c
}

// followFrom follows the links of what was found, from one on.
func (c *crawl) followFrom(first int) {
	c.d.T.Helper()
	for i := first; i < len(c.found); i++ { // c.found grows meanwhile
		v := c.found[i]
		if location := v.header.Get("Location"); location != "" {
			c.follow(location, v.url, false)
		}
		if v.isPage() {
			for _, link := range linksOf(v.body) {
				c.follow(resolve(v.url, link), v.url, false)
			}
			c.readForms(v)
		}
	}
}

// follow asks for a link, if it is new, or sends a form that asks.
func (c *crawl) follow(link, from string, sent bool) {
	c.d.T.Helper()
	u, err := url.Parse(link)
	if err != nil || u.Host != "" || u.Scheme != "" {
		if err != nil || u.Scheme != "https" && u.Scheme != "mailto" && u.Scheme != "tel" {
			c.stray[link] = from
		}
		return
	}
	u.Fragment = ""
	link = u.String()
	inside, below := strings.CutPrefix(u.Path, c.prefix)
	path := c.pattern(c.paths, inside)
	if strings.HasPrefix(inside, "/assets/") || strings.HasPrefix(inside, "/api/") {
		path = inside
	}
	if path == "" || !below {
		c.stray[digits.ReplaceAllString(u.Path, "N")] = from
		return
	}
	kind := path + " " + strings.Join(slices.Sorted(parameters(u)), " ")
	if c.seen[link] || c.alike[kind] >= c.enough {
		return
	}
	c.seen[link] = true
	c.alike[kind]++
	got := c.d.Ask(http.MethodGet, link, nil)
	c.found = append(c.found, &visited{url: link, from: from, sent: sent, path: path, status: got.Status, header: got.Header, body: got.Body})
}

// parameters yields the names of a URL's parameters that say something.
func parameters(u *url.URL) func(func(string) bool) {
	return func(yield func(string) bool) {
		for name, values := range u.Query() {
			if values[0] != "" && !yield(name) {
				return
			}
		}
	}
}

func (c *crawl) pattern(mux *http.ServeMux, path string) string {
	r, err := http.NewRequestWithContext(c.d.T.Context(), http.MethodGet, path, nil)
	if err != nil {
		return ""
	}
	_, pattern := mux.Handler(r)
	return pattern
}

var (
	digits     = regexp.MustCompile(`[0-9]+`)
	attributes = regexp.MustCompile(`\s(?:href|src|data-progress)="([^"]*)"`)
	forms      = regexp.MustCompile(`(?s)<form([^>]*)>(.*?)</form>`)
	selects    = regexp.MustCompile(`(?s)<select[^>]*\sname="([^"]*)"[^>]*>(.*?)</select>`)
	options    = regexp.MustCompile(`<option[^>]*\svalue="([^"]*)"`)
	inputs     = regexp.MustCompile(`<input[^>]*\sname="([^"]*)"[^>]*>`)
	refresh    = regexp.MustCompile(`http-equiv="refresh" content="[^"]*url=([^"]*)"`)
)

// linksOf returns what a page links to, loads, and asks again.
func linksOf(page string) []string {
	var links []string
	for _, found := range append(attributes.FindAllStringSubmatch(page, -1), refresh.FindAllStringSubmatch(page, -1)...) {
		links = append(links, html.UnescapeString(found[1]))
	}
	return links
}

// readForms notes what a page's forms post to, and follows those that only ask: empty, and with each choice.
func (c *crawl) readForms(v *visited) {
	c.d.T.Helper()
	for _, form := range forms.FindAllStringSubmatch(v.body, -1) {
		action := attribute(form[1], "action")
		switch attribute(form[1], "method") {
		case "post":
			u, err := url.Parse(resolve(v.url, action))
			if err == nil {
				inside := strings.TrimPrefix(u.Path, c.prefix)
				if c.pattern(c.acts, inside) == "" {
					c.stray["POST "+digits.ReplaceAllString(u.Path, "N")] = v.url
				}
				c.actions[inside] = v.url
			}
		case "dialog":
		default:
			query := url.Values{}
			for _, input := range inputs.FindAllStringSubmatch(form[2], -1) {
				query.Set(input[1], attribute(input[0], "value"))
			}
			base := resolve(v.url, action)
			base, _, _ = strings.Cut(base, "?")
			c.follow(base+"?"+query.Encode(), v.url, true)
			for _, list := range selects.FindAllStringSubmatch(form[2], -1) {
				for _, option := range options.FindAllStringSubmatch(list[2], -1) {
					chosen := url.Values{list[1]: {html.UnescapeString(option[1])}}
					c.follow(base+"?"+chosen.Encode(), v.url, true)
				}
			}
		}
	}
}

// attribute returns the value of an attribute in a tag.
func attribute(tag, name string) string {
	found := regexp.MustCompile(`\s` + name + `="([^"]*)"`).FindStringSubmatch(tag)
	if found == nil {
		return ""
	}
	return html.UnescapeString(found[1])
}

// resolve returns a link as a browser understands it on a page.
func resolve(page, link string) string {
	base, err := url.Parse(page)
	if err != nil {
		return link
	}
	u, err := base.Parse(link)
	if err != nil {
		return link
	}
	return u.String()
}
