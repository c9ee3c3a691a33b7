package console

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"net/http"
	"strings"

	"purr/api"
	"purr/api/guard"
	"purr/api/openapi"
)

// apiPage lists what the interface can be asked, with an example of each (rule J3).
type apiPage struct {
	view
	API      string // what its paths begin with
	Sections []apiSection
}

// Tabs returns the tabs of the settings.
func (p *apiPage) Tabs() []link { return p.settingsTabs("api") }

// apiSection is some operations under one heading.
type apiSection struct {
	Title      string
	Operations []apiOperation
}

// apiOperation is an operation as a person reads and tries it.
type apiOperation struct {
	openapi.Operation
	At     string // its path
	Curl   string // a command line that asks for it
	Answer string // what a test was answered; empty for documents
}

// apiPage shows the interface's operations. Their names, and what is said of them, are in English, as in the documents for developers.
func (s *Server) apiPage(_ context.Context, rq *request) (reply, error) {
	p := &apiPage{view: rq.view("settings.title"), API: cmp.Or(s.cfg.BaseURL, guard.OwnBase(rq.r))}
	for _, o := range api.Operations() {
		if n := len(p.Sections); n == 0 || p.Sections[n-1].Title != o.Section {
			p.Sections = append(p.Sections, apiSection{Title: o.Section})
		}
		last := &p.Sections[len(p.Sections)-1]
		last.Operations = append(last.Operations, apiOperation{o, strings.ReplaceAll(o.Path, "{id}", "ID"), curl(p.API, o), indented(openapi.ExampleOf(o.Name).Answer)})
	}
	return show("settings_api", p)
}

// curl returns a command line that asks for an operation, with the key in $KEY.
func curl(base string, o openapi.Operation) string {
	parts := []string{"curl"}
	if o.Scope != "" {
		parts = append(parts, `-H "Authorization: Bearer $KEY"`)
	}
	if o.Method != http.MethodGet && o.Method != http.MethodPost {
		parts = append(parts, "-X "+o.Method)
	}
	if len(o.Media) == 0 {
		parts = append(parts, `-H "Accept: application/json"`)
	}
	if o.Method == http.MethodPost {
		parts = append(parts, `-H "Idempotency-Key: $(uuidgen)"`)
	}
	switch request := openapi.ExampleOf(o.Name).Request; {
	case request != nil:
		parts = append(parts, `-H "Content-Type: application/json"`, "--data "+quoted(string(request)))
	case o.Method == http.MethodPost:
		parts = append(parts, "-X POST")
	}
	return strings.Join(append(parts, quoted(base+strings.ReplaceAll(o.Path, "{id}", "1"))), " ")
}

// quoted returns a text as a word of a shell.
func quoted(text string) string { return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'" }

// indented returns JSON on several lines.
func indented(text json.RawMessage) string {
	var b bytes.Buffer
	if err := json.Indent(&b, text, "", "  "); err != nil {
		return ""
	}
	return b.String()
}
