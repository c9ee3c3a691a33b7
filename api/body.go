package api

import (
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"slices"
	"strings"

	"purr/models"
)

// maxBody is how many bytes of XML a request may send (rule D4).
const maxBody = 1 << 20

// readXML returns the request's body as it was sent (rule D4).
func (rq *request) readXML() ([]byte, error) {
	if err := rq.accepts("application/xml", "text/xml"); err != nil {
		return nil, err
	}
	body, err := rq.body(maxBody)
	if err != nil {
		return nil, err
	}
	raw, err := io.ReadAll(body)
	if err != nil {
		return nil, bodyBroken(err)
	}
	return raw, nil
}

// body returns the request's body, of which no more than the most bytes can be read.
func (rq *request) body(most int64) (io.Reader, error) {
	if rq.r.ContentLength > most {
		return nil, bodyBroken(&http.MaxBytesError{Limit: most})
	}
	return http.MaxBytesReader(rq.w, rq.r.Body, most), nil
}

// accepts fails when the body is declared to be of another media type than those. None at all is fine.
func (rq *request) accepts(types ...string) error {
	declared := rq.r.Header.Get("Content-Type")
	if declared == "" {
		return nil
	}
	media, _, err := mime.ParseMediaType(declared)
	if (err == nil || errors.Is(err, mime.ErrInvalidMediaParameter)) && slices.Contains(types, media) {
		return nil
	}
	return &models.Error{
		Kind: models.KindMediaType, Code: "unsupported_media_type",
		Msg: "the Content-Type must be " + strings.Join(types, " or "),
	}
}

// form is a request body that is being read. The elements that the reads ask for are the ones that the
// request takes; what nobody asked for is a fault in the end (rule D4). It collects the faults of the
// content, the first of each place.
type form struct {
	*element

	faults  models.Errors
	faulted map[string]bool // by field
}

// add notes a fault of the content at a place, unless the place has one.
func (f *form) add(code, field, format string, args ...any) {
	f.merge(models.Errors{models.Invalid(code, field, format, args...)})
}

// merge adds the faults at places that have none yet.
func (f *form) merge(faults models.Errors) {
	for _, fault := range faults {
		if !f.faulted[fault.Field] {
			f.faulted[fault.Field] = true
			f.faults = append(f.faults, fault)
		}
	}
}

// done returns every fault, nil where there is none: those of the reads, of what no read asked for, and
// the further ones that the content turned out to have.
func (f *form) done(further models.Errors) error {
	f.rest()
	f.merge(further)
	return f.faults.ErrorOrNil()
}

// element is one element of a form. Reads on a nil element find nothing, so that what an absent element
// would hold reads as absent too.
type element struct {
	form     *form
	parent   *element // nil for the root
	name     string
	index    int // among the siblings of its name, from 1; 0 where it is alone
	attrs    map[string]string
	text     string
	children []*element
	taken    bool
	leaf     bool // its text was asked for
}

// path returns the element's place below the root: lines/line[2]/vat_rate (rule D5).
func (e *element) path() string {
	if e.parent == nil {
		return ""
	}
	name := e.name
	if e.index > 0 {
		name = fmt.Sprintf("%s[%d]", e.name, e.index)
	}
	return e.parent.pathOf(name)
}

// pathOf returns the place of a child, there or not.
func (e *element) pathOf(name string) string {
	if at := e.path(); at != "" {
		return at + "/" + name
	}
	return name
}

// child takes the element's child of the name, nil where it has none.
func (e *element) child(name string) *element {
	if e == nil {
		return nil
	}
	for _, c := range e.children {
		if c.name == name {
			c.taken = true
			return c
		}
	}
	return nil
}

// each takes all children of the name.
func (e *element) each(name string) []*element {
	if e == nil {
		return nil
	}
	var found []*element
	for _, c := range e.children {
		if c.name == name {
			found = append(found, c)
			c.taken, c.index = true, len(found)
		}
	}
	return found
}

// attr returns the element's attribute, and reports false where it has none of the name.
func (e *element) attr(name string) (string, bool) {
	if e == nil {
		return "", false
	}
	value, sent := e.attrs[name]
	return value, sent
}

// string takes the child's text as it was sent, and reports false where there is no such child.
func (e *element) string(name string) (string, bool) {
	c := e.child(name)
	if c == nil {
		return "", false
	}
	c.leaf = true
	return c.text, true
}

// token takes the child's text without the blanks around it.
func (e *element) token(name string) (string, bool) {
	text, sent := e.string(name)
	return strings.TrimSpace(text), sent
}

// value takes the element's own text without the blanks around it.
func (e *element) value() string {
	e.leaf = true
	return strings.TrimSpace(e.text)
}

// require notes which of the children are absent or blank.
func (e *element) require(names ...string) {
	for _, name := range names {
		if text, _ := e.token(name); text == "" {
			e.form.add("required", e.pathOf(name), "is required")
		}
	}
}

// rest notes the elements below that no read took, and text where only elements belong.
func (e *element) rest() {
	seen := map[string]bool{}
	for _, c := range e.children {
		switch {
		case c.taken:
			c.rest()
		case seen[c.name]:
			e.form.add("duplicate_element", c.path(), "must come once only")
		default:
			e.form.add("unknown_element", c.path(), "is not taken here")
		}
		seen[c.name] = seen[c.name] || c.taken
	}
	if !e.leaf && strings.TrimSpace(e.text) != "" {
		e.form.add("unexpected_text", e.path(), "must hold no text of its own")
	}
}
