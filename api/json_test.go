package api_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"purr/api/openapi"
	"purr/api/schema"
	"purr/test/testkit"
	"purr/test/testkit/twoforms"
)

// ofXML are codes of what only XML can do wrong, and of what JSON does otherwise.
var ofXML = regexp.MustCompile(`code="(malformed_xml|doctype_not_allowed|unexpected_text|unsupported_encoding|too_many_attributes|too_many_elements|too_deep|body_incomplete|too_large|unsupported_media_type|invalid_xml|unsupported_charset|idempotency_\w+)"`)

// TestJ1ConversationsInJSON holds each conversation in JSON, and compares it with the one in XML: the same status and headers, the same
// facts, the same faults in the same order (rules J1, J2). The examples of the OpenAPI document are taken from them (rule J3).
func TestJ1ConversationsInJSON(t *testing.T) {
	t.Parallel()
	told := examples{found: map[string]openapi.Example{}, from: map[string]string{}}
	t.Run("all", func(t *testing.T) {
		for _, s := range readScripts(t) {
			if s.onMySQLAlone() || s.twins || strings.HasPrefix(s.name, "idempotency") {
				continue // they are about what lies below the form
			}
			t.Run(s.name, func(t *testing.T) {
				t.Parallel()
				s.holdInJSON(t, &told)
			})
		}
	})
	testkit.Reference(t, "../api/openapi/examples.json", told.text(t))
}

func (s script) holdInJSON(t *testing.T, told *examples) {
	t.Helper()
	st := s.setUp(t, testkit.SQLite(t))
	st.json = true
	for i, x := range s.exchanges {
		st.last = nil
		st.see = func(x exchange, r reply) { told.add(s.name, i, x, r) }
		st.perform(x)
		if st.last != nil {
			st.compare(t, x)
		}
	}
}

// inJSON returns a request as it is in JSON. It reports false for one whose form is what it is about.
func (x exchange) inJSON() (exchange, bool) {
	root := twoforms.Root(x.method, x.path)
	special := ofXML.MatchString(x.answer) || slices.ContainsFunc(x.header, func(h [2]string) bool {
		return h[0] == "Content-Type" && root != nil || h[0] == "Accept" || h[0] == "Idempotency-Key" || h[0] == "Content-Encoding"
	})
	if special || strings.Contains(x.body, "<uri>") || strings.Contains(x.body, "xmlns:x") || strings.Contains(x.body, "<navn>") || strings.Contains(x.told, "(the last of its faults") || strings.Contains(x.told, "(the body is in") || strings.Contains(x.told, "(the connection breaks") {
		return x, false
	}
	x.header = append(slices.Clone(x.header), [2]string{"Accept", "application/json"})
	if x.body == "" || root == nil {
		return x, true
	}
	e, err := twoforms.Parse(x.body)
	if err != nil || e.XMLName.Local != root.Name {
		return x, false
	}
	if x.body = e.JSON(root, schema.Answer(root.Name), true); root.Type.IsLeaf() && len(e.Nodes) == 0 {
		x.body = "{}"
	}
	x.header = append(x.header, [2]string{"Content-Type", "application/json"})
	return x, true
}

// compare holds an answer in JSON against the golden one in XML.
func (st *stage) compare(t *testing.T, x exchange) {
	t.Helper()
	title, _, _ := strings.Cut(x.told, "\n")
	status, rest, _ := strings.Cut(strings.TrimPrefix(x.answer, answerBegins), "\n")
	if got := fmt.Sprintf("%d %s", st.last.status, http.StatusText(st.last.status)); got != status {
		t.Errorf("%s (%s): answered %s, want %s: %s", title, x.body, got, status, st.last.body)
		return
	}
	_, document, _ := strings.Cut(rest, "\n\n")
	if !strings.HasPrefix(document, "<?xml") || strings.Contains(rest, "Content-Disposition") || strings.Contains(document, "…") || strings.Contains(x.path, ".xsd") {
		return
	}
	want, err := twoforms.Parse(written(unindented(document)))
	must(t, err)
	if want.XMLName.Local == "errors" {
		st.compareFaults(t, title, want)
		return
	}
	if got := st.last.header.Get("Content-Type"); got != "application/json" {
		t.Errorf("%s: the Content-Type is %s", title, got)
	}
	root := schema.Answer(want.XMLName.Local)
	var got, wanted any
	must(t, json.Unmarshal([]byte(st.last.body), &got))
	text := want.JSON(root, nil, false)
	if root.Name == "events" {
		text = st.eventsAsJSON(t, want)
	}
	must(t, json.Unmarshal([]byte(text), &wanted))
	if !reflect.DeepEqual(got, wanted) {
		t.Errorf("%s:\n%s\nwant\n%s", title, st.last.body, text)
	}
}

// eventsAsJSON writes the list of events as rule J4 has it.
func (st *stage) eventsAsJSON(t *testing.T, list *twoforms.Tree) string {
	t.Helper()
	creditor, err := st.db.Creditor(t.Context(), st.creditor.ID)
	must(t, err)
	texts := make([]string, len(list.Nodes))
	for i, e := range list.Nodes {
		var actor, data, timestamp, kind string
		for _, c := range e.Nodes {
			switch name := c.XMLName.Local; name {
			case "at":
				at, err := time.ParseInLocation(time.DateTime, c.Text, creditor.DisplayZone())
				must(t, err)
				timestamp = at.Format(time.RFC3339)
			case "type":
				kind = c.Text
			case "actor":
				actor = `,"actor":` + twoforms.Quote(c.Text)
			case "text":
				data += `,"text":` + twoforms.Quote(c.Text)
			case "data":
				data += `,"facts":` + c.Text
			case "subject_id":
				data += `,"subject_id":` + c.Text
			default:
				data += `,` + twoforms.Quote(name) + `:{"uri":` + twoforms.Quote(c.Attrs[0].Value) + `}`
			}
		}
		texts[i] = fmt.Sprintf(`{"type":%q,"timestamp":%q,"id":%s,"creditor":{"organisation_number":%q,"name":%s}%s,"data":{%s}}`,
			kind, timestamp, e.Attrs[0].Value, creditor.OrganisationNumber, twoforms.Quote(creditor.Name), actor, data[1:])
	}
	var page []string
	for _, a := range list.Attrs {
		page = append(page, fmt.Sprintf("%q:%s", a.Name.Local, a.Value))
	}
	return "{" + strings.Join(page, ",") + `,"events":[` + strings.Join(texts, ",") + "]}"
}

// unindented removes the blanks that a script adds between elements.
func unindented(document string) string {
	return regexp.MustCompile(`>\n *<`).ReplaceAllString(document, "><")
}

func (st *stage) compareFaults(t *testing.T, title string, want *twoforms.Tree) {
	t.Helper()
	if got := st.last.header.Get("Content-Type"); got != "application/problem+json" {
		t.Errorf("%s: the Content-Type is %s", title, got)
	}
	var problem struct {
		Type, Title string
		Status      int
		RequestID   string `json:"request_id"`
		Errors      []map[string]string
	}
	must(t, json.Unmarshal([]byte(st.last.body), &problem))
	if problem.Type != "about:blank" || problem.Title != http.StatusText(st.last.status) || problem.Status != st.last.status || problem.RequestID == "" {
		t.Errorf("%s: %s", title, st.last.body)
	}
	var got, wanted []string
	for _, e := range problem.Errors {
		_, placed := e["pointer"]
		placed = placed || e["parameter"] != "" || e["field"] != ""
		got = append(got, fmt.Sprint(e["code"], " ", placed, " ", e["detail"]))
		for name := range maps.Keys(e) {
			if !slices.Contains([]string{"code", "detail", "pointer", "parameter", "field"}, name) {
				t.Errorf("%s: a fault has the member %s", title, name)
			}
		}
	}
	for _, e := range want.Nodes {
		code, field := "", ""
		for _, a := range e.Attrs {
			switch a.Name.Local {
			case "code":
				code = a.Value
			case "field":
				field = a.Value
			}
		}
		wanted = append(wanted, fmt.Sprint(code, " ", field != "", " ", e.Text))
	}
	if !slices.Equal(got, wanted) {
		t.Errorf("%s: the faults are\n%s\nwant\n%s\n%s", title, strings.Join(got, "\n"), strings.Join(wanted, "\n"), st.last.body)
	}
}

// shownRequest is an indented example of docs/interface.md: a POST with its Content-Type and body.
var shownRequest = regexp.MustCompile(`(?m)^    POST (\S+)\n    Content-Type: (\S+)\n\n((?:    .*\n)+)`)

// TestJ5ThePageShowsOneRequestInBothForms: what docs/interface.md shows in XML and in JSON is the same.
func TestJ5ThePageShowsOneRequestInBothForms(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile(filepath.Join("testdata", "interface.md"))
	must(t, err)
	in := onSQLite(t, nil)
	var answers []string
	for _, shown := range shownRequest.FindAllStringSubmatch(string(page), -1) {
		r := in.send(http.MethodPost, shown[1], shown[3], header("Content-Type", shown[2]), header("Accept", "application/json"))
		r.is(t, http.StatusCreated)
		answers = append(answers, strings.ReplaceAll(r.body, r.header.Get("Location"), ""))
	}
	if len(answers) != 2 || answers[0] != answers[1] {
		t.Errorf("the examples make\n%s", strings.Join(answers, ""))
	}
}
