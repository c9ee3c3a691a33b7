// Package rest hands documents to a provider's REST interface, which a template of the operator's describes: a print
// house's for letters, an access point's for EHF (rule S4c), an eFaktura operator's (rule E20). It knows nothing of shipments, the database or the queue. Its
// callers decide by the kind of an error when to try again: models.KindUnavailable is worth another attempt,
// models.KindInvalid is final.
package rest

import (
	"bytes"
	"cmp"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"maps"
	"mime"
	"net/http"
	"net/netip"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"unicode"
)

// Words are what a template may ask for: the texts of one document, by name. One that is missing is empty.
type Words map[string]string

// known are the names of all words. The words of a recipient are those of the interface.
var known = []string{
	"name", "id", "instance_id", "document_number", "creditor", "sha256", "pages", "pdf_base64",
	"document_base64", "document_type", "process", "sender", "receiver", "secret",
	"name1", "name2", "address1", "address2", "postal_code", "postal_name", "country_code", "email",
}

// Form is what the templates of one way of sending may hold besides what all may.
type Form struct {
	Words map[string]string // further words, each with a sample of what it is; an empty sample is that of a text
	Asks  bool              // no_recipient, reference and status
}

// Template describes the requests of a provider's interface: what they look like, and what the answers say. It is safe for concurrent
// use.
type Template struct {
	call
	words   []string
	samples Words
	receipt place
	secret  string
	answers
}

// call is a request of a template.
type call struct {
	method  string
	path    text // the URL up to its query
	query   text // with its question mark; empty without one
	headers map[string]text
	body    text
	escape  func(string) string // of the words in the body
}

// file is the file of a template.
type file struct {
	Method  string            `json:"method"`
	Headers map[string]string `json:"headers"`
	Body    string            `json:"body"`
	Receipt string            `json:"receipt"`
	answersFile
}

// Parse reads a template: its URL, its JSON file and the text of {{secret}}. It fails for what could not work with any
// document: an unknown word, a body that a word would break, a receipt of no known form, an unprotected URL.
func Parse(rawURL string, template []byte, secret string, form Form) (*Template, error) {
	var f file
	dec := json.NewDecoder(bytes.NewReader(template))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&f); err != nil {
		return nil, fmt.Errorf("the template is no JSON object of %s: %w", form.keys(), err)
	}
	if _, err := dec.Token(); !errors.Is(err, io.EOF) {
		return nil, errors.New("the template has something after its JSON object")
	}
	t := &Template{words: slices.Concat(known, slices.Sorted(maps.Keys(form.Words))), samples: samples(form), secret: secret}
	t.method = f.Method
	if !slices.Contains([]string{http.MethodPost, http.MethodPut, http.MethodPatch}, f.Method) {
		return nil, fmt.Errorf("method: must be POST, PUT or PATCH, not %q", f.Method)
	}
	if err := t.call.set(t, rawURL, f.Headers); err != nil {
		return nil, err
	}
	if err := t.setBody(f.Body, f.Headers); err != nil {
		return nil, fmt.Errorf("body: %w", err)
	}
	var err error
	if t.receipt, err = parsePlace(f.Receipt); err != nil {
		return nil, fmt.Errorf("receipt: %w", err)
	}
	if err := t.setAnswers(f.answersFile, form); err != nil {
		return nil, err
	}
	_, err = t.Fill(t.samples)
	return t, err
}

// set sets the URL and the headers.
func (c *call) set(t *Template, rawURL string, headers map[string]string) error {
	if err := c.setURL(t, rawURL); err != nil {
		return fmt.Errorf("URL: %w", err)
	}
	return c.setHeaders(t, headers)
}

// samples returns words with all characters that have a meaning somewhere, which recipients may have in their names. The
// numbers are numbers.
func samples(form Form) Words {
	const hard = `1"'<&>%#?/\ --]]>æ` // a word that stands where it cannot be escaped breaks its surroundings
	w := Words{}
	for _, name := range known {
		w[name] = hard
	}
	for name, sample := range form.Words {
		w[name] = cmp.Or(sample, hard)
	}
	for _, number := range []string{"id", "document_number", "pages"} {
		w[number] = "1"
	}
	delete(w, "secret")
	return w
}

func (c *call) setURL(t *Template, raw string) error {
	before, query, asks := strings.Cut(raw, "?")
	if asks {
		query = "?" + query
	}
	var err error
	if c.path, err = t.parseText(before); err != nil {
		return err
	}
	if c.query, err = t.parseText(query); err != nil {
		return err
	}
	u, err := url.Parse(c.path.fill(t.samples, url.PathEscape))
	static, parseErr := url.Parse(c.path[0].literal)
	switch {
	case err != nil || parseErr != nil || u.Host == "" || strings.Contains(raw, "#"):
		return errors.New("must be like https://HOST/PATH")
	case u.User != nil:
		return errors.New("must hold no password: write a header with {{secret}}")
	case static.Host != u.Host || (len(c.path) > 1 && static.Path == ""):
		return errors.New("the words {{…}} must stand after the host")
	case u.Scheme != "https" && (u.Scheme != "http" || !isLoopback(u.Hostname())):
		return errors.New("must begin with https://; http:// is for this machine's own addresses alone")
	}
	return nil
}

func isLoopback(host string) bool {
	address, err := netip.ParseAddr(host)
	return host == "localhost" || err == nil && address.IsLoopback()
}

// headerName is the form of a header's name (RFC 9110, section 5.6.2).
var headerName = regexp.MustCompile("^[A-Za-z0-9!#$%&'*+.^_`|~-]+$")

// ofTheConnection are headers that the program itself writes.
var ofTheConnection = []string{"Host", "Content-Length", "Transfer-Encoding", "Connection", "Upgrade", "Te", "Trailer", "Expect"}

func (c *call) setHeaders(t *Template, headers map[string]string) error {
	c.headers = map[string]text{}
	for _, name := range slices.Sorted(maps.Keys(headers)) {
		canonical := http.CanonicalHeaderKey(name)
		_, twice := c.headers[canonical]
		switch {
		case !headerName.MatchString(name) || slices.Contains(ofTheConnection, canonical):
			return fmt.Errorf("headers: %q is no header that a template can set", name)
		case twice:
			return fmt.Errorf("headers: %s stands there twice", canonical)
		}
		value, err := t.parseText(headers[name])
		if err != nil {
			return fmt.Errorf("headers: %s: %w", canonical, err)
		}
		c.headers[canonical] = value
	}
	return nil
}

// setBody sets the body, and how its words are escaped. It tries them out with every character that could break it.
func (t *Template) setBody(body string, headers map[string]string) (err error) {
	if t.body, err = t.parseText(body); err != nil {
		return err
	}
	contentType := ""
	for name, value := range headers {
		if strings.EqualFold(name, "Content-Type") {
			contentType = value
		}
	}
	media, parameters, err := mime.ParseMediaType(contentType)
	if body != "" && err != nil {
		return errors.New("the headers must hold its Content-Type, which says how words in it are escaped")
	}
	if charset := parameters["charset"]; charset != "" && !strings.EqualFold(charset, "utf-8") {
		return fmt.Errorf("must be in UTF-8, not in %s", charset)
	}
	var check func(string) error
	switch {
	case media == "application/json" || strings.HasSuffix(media, "+json"):
		t.escape, check = escapeJSON, checkJSON
	case media == "application/xml" || media == "text/xml" || strings.HasSuffix(media, "+xml"):
		t.escape, check = escapeXML, checkXML
	case media == "application/x-www-form-urlencoded":
		t.escape, check = url.QueryEscape, checkForm
	case media == "text/plain" || !t.body.hasWords():
		t.escape, check = asItIs, func(string) error { return nil }
	default:
		return fmt.Errorf("words in it can be escaped for JSON, XML and application/x-www-form-urlencoded, not for %s", media)
	}
	return check(t.body.fill(t.samples, t.escape))
}

func asItIs(s string) string { return s }

func escapeJSON(s string) string {
	quoted, err := json.Marshal(s)
	if err != nil {
		panic(err) // every string can be written
	}
	return string(quoted[1 : len(quoted)-1])
}

func checkJSON(body string) error {
	if !json.Valid([]byte(body)) {
		return errors.New("is no JSON, or a word with a text in it stands outside of quotation marks")
	}
	return nil
}

func escapeXML(s string) string {
	var b strings.Builder
	_ = xml.EscapeText(&b, []byte(s)) // a Builder takes everything
	return b.String()
}

func checkXML(body string) error {
	dec := xml.NewDecoder(strings.NewReader(body))
	for {
		_, err := dec.Token()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("is no XML in UTF-8, or a word stands where no text may be: %w", err)
		}
	}
}

func checkForm(body string) error {
	if _, err := url.ParseQuery(body); err != nil {
		return fmt.Errorf("is no form: %w", err)
	}
	return nil
}

// Request is a filled template.
type Request struct {
	Method  string
	URL     string
	Headers http.Header
	Body    string
}

// Fill returns the request for a document. The same words always make the same request. It fails if a word would lead to
// another URL, or bring a line break into a header.
func (t *Template) Fill(document Words) (Request, error) { return t.fill(t.call, document) }

func (t *Template) fill(c call, document Words) (Request, error) {
	words := Words{}
	maps.Copy(words, document)
	words["secret"] = t.secret
	r := Request{
		Method: c.method, URL: c.path.fill(words, url.PathEscape) + c.query.fill(words, url.QueryEscape),
		Headers: http.Header{}, Body: c.body.fill(words, c.escape),
	}
	u, err := url.Parse(r.URL)
	if err != nil {
		return Request{}, errors.New("the URL cannot be read") // without the URL, which may hold the secret
	}
	for part := range strings.SplitSeq(u.Path, "/") {
		if part == "." || part == ".." {
			return Request{}, errors.New("a word would lead to another URL")
		}
	}
	for name, value := range c.headers {
		filled := value.fill(words, asItIs)
		if strings.ContainsFunc(filled, unicode.IsControl) {
			return Request{}, fmt.Errorf("the header %s would hold a control character", name)
		}
		r.Headers[name] = []string{filled}
	}
	return r, nil
}

// text is a text with words in it, as the literal texts and the words in turn.
type text []piece

// piece is a literal text and the word that follows it, or none at the end.
type piece struct{ literal, word string }

// parseText reads a text with words in it. It fails if it does not know one of them.
func (t *Template) parseText(raw string) (text, error) {
	var parsed text
	for {
		literal, rest, opened := strings.Cut(raw, "{{")
		if !opened {
			return append(parsed, piece{literal, ""}), nil
		}
		word, after, closed := strings.Cut(rest, "}}")
		word = strings.TrimSpace(word)
		switch {
		case !closed:
			return nil, errors.New("a {{ has no }}")
		case !slices.Contains(t.words, word):
			return nil, fmt.Errorf("there is no word {{%.40s}}; the words are %s", word, strings.Join(t.words, ", "))
		}
		parsed, raw = append(parsed, piece{literal, word}), after
	}
}

func (t text) hasWords() bool { return len(t) > 1 }

func (t text) fill(words Words, escape func(string) string) string {
	var b strings.Builder
	for _, p := range t {
		b.WriteString(p.literal)
		if p.word != "" {
			b.WriteString(escape(words[p.word]))
		}
	}
	return b.String()
}
