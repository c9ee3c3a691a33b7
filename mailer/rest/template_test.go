package rest

import (
	"encoding/json"
	"encoding/xml"
	"errors"
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"
)

// template is a file of a template.
func template(contentType, body, receipt string) []byte {
	f := file{Method: "POST", Body: body, Receipt: receipt, Headers: map[string]string{"Authorization": "Bearer {{secret}}", "X-Name": "{{name}}"}}
	if contentType != "" {
		f.Headers["content-type"] = contentType
	}
	text, err := json.Marshal(f)
	if err != nil {
		panic(err)
	}
	return text
}

const (
	home   = "https://print.example.no/letters"
	asJSON = "application/json"
)

// nasty is a recipient's name that would break each form if it were not escaped.
const nasty = `Å & "B" <c>]]>--%7B/../?x=1#\` + "\u2028"

func TestS4cWordsAreEscapedAsTheBodyWants(t *testing.T) {
	t.Parallel()
	words := Words{"name": "invoice-1-shipment-7", "id": "7", "pages": "2", "name1": nasty}
	for _, tt := range []struct {
		contentType, body, want string
		read                    func(body string) (string, error)
	}{
		{asJSON, `{"id":{{id}},"to":{"name":"{{name1}}"}}`, nasty, func(body string) (string, error) {
			var v struct {
				ID int
				To struct{ Name string }
			}
			err := json.Unmarshal([]byte(body), &v)
			return v.To.Name, err
		}},
		{"application/vnd.api+json; charset=utf-8", `["{{ name1 }}"]`, nasty, func(body string) (string, error) {
			var v [1]string
			err := json.Unmarshal([]byte(body), &v)
			return v[0], err
		}},
		{"application/xml", `<letter name="{{name1}}"/>`, nasty, func(body string) (string, error) {
			var v struct {
				Name string `xml:"name,attr"`
			}
			err := xml.Unmarshal([]byte(body), &v)
			return v.Name, err
		}},
		{"application/soap+xml", `<e><name>{{name1}}</name></e>`, nasty, func(body string) (string, error) {
			var v struct {
				Name string `xml:"name"`
			}
			err := xml.Unmarshal([]byte(body), &v)
			return v.Name, err
		}},
		{"application/x-www-form-urlencoded", "to={{name1}}&id={{id}}", nasty, func(body string) (string, error) {
			v, err := url.ParseQuery(body)
			if err != nil {
				return "", err
			}
			return v.Get("to"), nil
		}},
		{"text/plain", "{{name1}}", nasty, func(body string) (string, error) { return body, nil }},
		{"application/pdf", "no word", "no word", func(body string) (string, error) { return body, nil }},
	} {
		parsed, err := Parse(home+"/{{name}}?to={{name1}}", template(tt.contentType, tt.body, "body"), "s3cret", Form{})
		if err != nil {
			t.Errorf("%s: %v", tt.contentType, err)
			continue
		}
		r, err := parsed.Fill(words)
		if err != nil {
			t.Errorf("%s: %v", tt.contentType, err)
			continue
		}
		if got, err := tt.read(r.Body); err != nil || got != tt.want {
			t.Errorf("%s: the body %s is read as %q, %v", tt.contentType, r.Body, got, err)
		}
		u, err := url.Parse(r.URL)
		if err != nil || u.Host != "print.example.no" || u.Path != "/letters/invoice-1-shipment-7" || u.Query().Get("to") != nasty || u.Fragment != "" {
			t.Errorf("the URL is %s, %v", r.URL, err)
		}
		if r.Headers.Get("Authorization") != "Bearer s3cret" || r.Headers.Get("X-Name") != words["name"] {
			t.Errorf("the headers are %v", r.Headers)
		}
	}
}

func TestS4cATemplateThatCannotWorkIsRefused(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ name, url, template, want string }{
		{"no JSON", home, `method: POST`, "is no JSON object"},
		{"another key", home, `{"method":"POST","verb":"POST"}`, `unknown field "verb"`},
		{"something behind it", home, `{"method":"POST"} {}`, "after its JSON object"},
		{"no method", home, `{}`, "method: must be"},
		{"a word as method", home, `{"method":"{{name}}"}`, "method: must be"},
		{"an unknown word in the body", home, string(template(asJSON, `"{{nome}}"`, "")), "body: there is no word {{nome}}; the words are name,"},
		{"an unknown word in the URL", home + "/{{nome}}", `{"method":"POST"}`, "URL: there is no word {{nome}}"},
		{"an unknown word in the query", home + "?a={{nome}}", `{"method":"POST"}`, "URL: there is no word {{nome}}"},
		{"an unknown word in a header", home, `{"method":"POST","headers":{"X-A":"{{nome}}"}}`, "headers: X-A: there is no word {{nome}}"},
		{"an open word", home, string(template(asJSON, `"{{name"`, "")), "body: a {{ has no }}"},
		{"a header that is none", home, `{"method":"POST","headers":{"X A":"1"}}`, `headers: "X A" is no header`},
		{"a header with a word as its name", home, `{"method":"POST","headers":{"{{name}}":"1"}}`, "is no header"},
		{"a header of the connection", home, `{"method":"POST","headers":{"host":"example.no"}}`, `headers: "host" is no header`},
		{"a header twice", home, `{"method":"POST","headers":{"x-a":"1","X-A":"2"}}`, "headers: X-A stands there twice"},
		{"a line break in a header", home, `{"method":"POST","headers":{"X-A":"1\r\nX-B: 2"}}`, "X-A would hold a control character"},
		{"a body of no type", home, string(template("", "{{name}}", "")), "body: the headers must hold its Content-Type"},
		{"a body of a strange type", home, string(template("image/png", "{{name}}", "")), "body: words in it can be escaped for JSON"},
		{"a body in Latin 1", home, string(template("application/xml; charset=iso-8859-1", "<a/>", "")), "body: must be in UTF-8"},
		{"a body that is no JSON", home, string(template(asJSON, `{"a":}`, "")), "body: is no JSON"},
		{"a text without quotation marks", home, string(template(asJSON, `{"a":{{name1}}}`, "")), "body: is no JSON, or a word"},
		{"a body that is no XML", home, string(template("text/xml", `<a>`, "")), "body: is no XML"},
		{"a text in a tag", home, string(template("text/xml", `<a {{name1}}="1"/>`, "")), "body: is no XML"},
		{"a text in a comment", home, string(template("text/xml", `<a><!-- {{name1}} --></a>`, "")), "body: is no XML"},
		{"a body that is no form", home, string(template("application/x-www-form-urlencoded", "a=%zz", "")), "body: is no form"},
		{"a receipt of no form", home, string(template(asJSON, "1", "xml:a")), "receipt: must be json:NAME.NAME"},
		{"a receipt without a name", home, string(template(asJSON, "1", "json:")), "receipt: must be"},
		{"a receipt with an empty name", home, string(template(asJSON, "1", "json:a..b")), "receipt: must be"},
		{"a receipt in a header that is none", home, string(template(asJSON, "1", "header:a b")), "receipt: must be"},
		{"a body of some form", home, string(template(asJSON, "1", "body:x")), "receipt: must be"},
		{"no host", "https:///letters", `{"method":"POST"}`, "URL: must be like"},
		{"a word as host", "https://{{name}}/letters", `{"method":"POST"}`, "URL: must be like"},
		{"a word in the host", "https://a{{name}}.example.no/", `{"method":"POST"}`, "URL: must be like"},
		{"a word right after the host", "https://example.no{{id}}", `{"method":"POST"}`, "URL: the words {{…}} must stand after the host"},
		{"a password", "https://purr:s3cret@example.no/", `{"method":"POST"}`, "URL: must hold no password"},
		{"a fragment", home + "#a", `{"method":"POST"}`, "URL: must be like"},
		{"an unprotected way", "http://print.example.no/", `{"method":"POST"}`, "URL: must begin with https://"},
		{"a host that looks like this machine", "http://127.0.0.1.example.no/", `{"method":"POST"}`, "URL: must begin with https://"},
		{"another scheme", "ftp://127.0.0.1/", `{"method":"POST"}`, "URL: must begin with https://"},
	} {
		_, err := Parse(tt.url, []byte(tt.template), "s3cret", Form{})
		if err == nil || !strings.Contains(err.Error(), tt.want) || strings.Contains(err.Error(), "s3cret") {
			t.Errorf("%s: the error is %v, want %q", tt.name, err, tt.want)
		}
	}
	for _, own := range []string{"http://127.0.0.1:8080/x", "http://[::1]/x", "http://localhost/x?a={{id}}", home} {
		if _, err := Parse(own, []byte(`{"method":"PUT"}`), "", Form{}); err != nil {
			t.Errorf("%s: %v", own, err)
		}
	}
	if _, err := Parse(home, template(asJSON, `{}`, ""), "a\r\nb", Form{}); err == nil || strings.Contains(err.Error(), "a\r") {
		t.Errorf("a secret with a line break: %v", err)
	}
}

func TestS4cNoWordLeadsElsewhere(t *testing.T) {
	t.Parallel()
	parsed, err := Parse(home+"/{{name1}}/x", template(asJSON, `{}`, ""), "", Form{})
	if err != nil {
		t.Fatal(err)
	}
	for name, may := range map[string]bool{"Kari": true, "...": true, "..": false, ".": false, "a/../b": false, "": true, "?a": true, "#": true} {
		r, err := parsed.Fill(Words{"name1": name})
		if (err == nil) != may {
			t.Errorf("%q makes %s, %v", name, r.URL, err)
		}
	}
	parsed, err = Parse(home, []byte(`{"method":"POST","headers":{"X-To":"{{name1}}"}}`), "", Form{})
	if err != nil {
		t.Fatal(err)
	}
	if r, err := parsed.Fill(Words{"name1": "a\r\nX-Admin: 1"}); err == nil {
		t.Errorf("the headers are %v", r.Headers)
	}
}

func TestS4cReceipts(t *testing.T) {
	t.Parallel()
	const answer = `{"data":{"id":12345678901234567890,"state":"ok","none":null},"list":[{"id":"a"}]}`
	headers := http.Header{"Location": {"/letters/7"}}
	for _, tt := range []struct {
		receipt, body, want string
		fails               bool
	}{
		{"json:data.id", answer, "12345678901234567890", false},
		{"json:data.state", answer, "ok", false},
		{"json:list.0.id", answer, "a", false},
		{"json:list.1.id", answer, "", true},
		{"json:list.x.id", answer, "", true},
		{"json:data", answer, "", true},
		{"json:data.none", answer, "", true},
		{"json:data.state.more", answer, "", true},
		{"json:id", "<html>", "", true},
		{"json:id", "", "", true},
		{"header:location", answer, "/letters/7", false},
		{"header:X-None", answer, "", false},
		{"body", "L-7", "L-7", false},
		{"", answer, "", false},
	} {
		parsed, err := parsePlace(tt.receipt)
		if err != nil {
			t.Fatal(err)
		}
		got, err := parsed.of(headers, []byte(tt.body))
		if got != tt.want || (err != nil) != tt.fails {
			t.Errorf("%s of %s is %q, %v", tt.receipt, tt.body, got, err)
		}
	}
}

// FuzzTemplate lets what Parse takes be filled with any text. The text comes out as it went in, and changes nothing else.
func FuzzTemplate(f *testing.F) {
	for _, seed := range []string{`{"a":"{{name1}}","b":"end"}`, `<a b="{{name1}}">end</a>`, "a={{name1}}&b=end", `{"{{name1}}":1}`, "<!-- {{name1}} -->", "{{name1}}", `"\{{name1}}"`} {
		f.Add(seed, nasty)
		f.Add(seed, `","b":"`)
		f.Add(seed, "..")
	}
	f.Fuzz(func(t *testing.T, body, name string) {
		for _, contentType := range []string{asJSON, "text/xml", "application/x-www-form-urlencoded"} {
			parsed, err := Parse(home+"/{{name1}}?n={{name1}}", template(contentType, body, "json:id"), "", Form{})
			if err != nil {
				continue
			}
			r, err := parsed.Fill(Words{"name1": name})
			if err != nil {
				continue
			}
			u, err := url.Parse(r.URL)
			if err != nil || u.Host != "print.example.no" || u.Query().Get("n") != name || u.Path != "/letters/"+name {
				t.Fatalf("%q makes the URL %s, %v", name, r.URL, err)
			}
			harmless, err := parsed.Fill(Words{"name1": "x"})
			if err != nil {
				t.Fatal(err)
			}
			if got, want := shape(t, contentType, r.Body), shape(t, contentType, harmless.Body); got != want {
				t.Fatalf("%q changes the shape of the %s body from %s to %s", name, contentType, want, got)
			}
			if _, err := parsed.receipt.of(nil, []byte(name)); err == nil && name == "" {
				t.Fatal("an empty answer has a receipt")
			}
		}
	})
}

// shape returns a body without its texts: what is left must be the same whatever a word says.
func shape(t *testing.T, contentType, body string) string {
	var b strings.Builder
	switch contentType {
	case asJSON:
		dec := json.NewDecoder(strings.NewReader(body))
		for {
			token, err := dec.Token()
			if err != nil {
				if !json.Valid([]byte(body)) {
					t.Fatalf("the body is no JSON: %s", body)
				}
				return b.String()
			}
			if _, text := token.(string); text {
				token = "text"
			}
			b.WriteString(strings.TrimSpace(strings.Join([]string{"", jsonToken(token)}, " ")))
		}
	case "text/xml":
		dec := xml.NewDecoder(strings.NewReader(body))
		for {
			token, err := dec.Token()
			if errors.Is(err, io.EOF) {
				return b.String()
			}
			if err != nil {
				t.Fatalf("the body is no XML: %s: %v", body, err)
			}
			switch e := token.(type) {
			case xml.StartElement:
				b.WriteString("<" + e.Name.Local)
				for _, a := range e.Attr {
					b.WriteString(" " + a.Name.Local)
				}
			case xml.EndElement:
				b.WriteString(">")
			}
		}
	}
	return strings.Repeat("&", strings.Count(body, "&")) + strings.Repeat("=", strings.Count(body, "="))
}

func jsonToken(token json.Token) string {
	if d, is := token.(json.Delim); is {
		return d.String()
	}
	if token == "text" {
		return "text"
	}
	return "value"
}
