package browser

import (
	"io"
	"net/http"
	"net/url"
	"strings"

	"github.com/chromedp/cdproto/network"

	"purr/test/testkit"
)

// Answer is an answer to Ask.
type Answer struct {
	Status int
	Header http.Header
	Body   string
}

// Cookies returns the cookies that the server at Base would get.
func (p *Page) Cookies() []*network.Cookie {
	p.T.Helper()
	return call(p, network.GetCookies, network.GetCookiesParams{URLs: []string{p.Base}}).Cookies
}

// Ask makes a request with the page's cookies beside the browser, and follows no redirect: for downloads, for headers, and
// for what a page would not send. Without a form the body is empty. Headers are name and value by turns.
func (p *Page) Ask(method, path string, form url.Values, headers ...string) *Answer {
	p.T.Helper()
	request, err := http.NewRequestWithContext(p.T.Context(), method, p.Base+path, strings.NewReader(form.Encode()))
	testkit.Must(p.T, err)
	if form != nil {
		request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	request.Header.Set("Accept-Language", p.look.language)
	for i := 0; i < len(headers); i += 2 {
		request.Header.Set(headers[i], headers[i+1])
	}
	if p.cookies == nil {
		p.cookies = p.Cookies()
	}
	for _, c := range p.cookies {
		request.AddCookie(&http.Cookie{Name: c.Name, Value: c.Value}) //nolint:gosec // sent, not set
	}
	got, err := http.DefaultTransport.RoundTrip(request)
	testkit.Must(p.T, err)
	defer got.Body.Close()
	body, err := io.ReadAll(got.Body)
	testkit.Must(p.T, err)
	return &Answer{Status: got.StatusCode, Header: got.Header, Body: string(body)}
}
