package camt

import (
	"cmp"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"purr/models"
)

// Reader reads a file transaction by transaction and checks everything. Its memory grows only with the Summary.
type Reader struct {
	src     *source
	xml     *xml.Decoder
	content *contentHash // nil unless Check reads

	space   string // XML namespace of the message
	open    []frame
	skipped int    // number of open elements that are not in the grammar
	text    []byte // of the innermost element
	line    int    // the current one, from 1
	begun   bool   // something was read

	notification *Notification // open, or nil
	entry        *Entry        // open, or nil
	booking      booking       // what was read of the entry
	tx, held     *details      // the current transaction, and the one before it
	document     document      // the current one
	unsure       bool          // an amount of the notification could not be read
	entries      int           // number of entries that were started
	counted      models.Amount // øre, of all entries so far, whatever their direction and currency
	emitted      models.Amount // øre, of all transactions so far, likewise

	ready    []Transaction // transactions that were read; Next has returned the first of them
	returned int

	summary  *Summary
	warnings map[string]int // number by code, dropped ones included
	faults   models.FileFaults
	err      error
}

// frame is an element that is open.
type frame struct {
	*element
	line     int    // of its start
	reached  int    // position of the last child so far, -1 before the first
	currency string // the attribute Ccy
}

// NewReader returns a reader of the file.
func NewReader(r io.Reader) *Reader {
	src := newSource(r)
	decoder := xml.NewDecoder(src)
	decoder.CharsetReader = src.decodeAs
	return &Reader{
		src: src, xml: decoder, tx: &details{}, held: &details{},
		summary: &Summary{doubtful: map[int]bool{}}, warnings: map[string]int{},
	}
}

// Next returns the next transaction, valid until the next call. At the end of a file without faults it returns io.EOF.
// After the first fault it returns no further transaction: it reads on to find all faults, and returns
// models.FileFaults. Faults may be at the end of a file. So a caller posts transactions only after Check has read the
// whole file.
func (r *Reader) Next() (*Transaction, error) {
	for r.returned == len(r.ready) || len(r.faults) > 0 {
		if r.err != nil {
			return nil, r.err
		}
		r.ready, r.returned = r.ready[:0], 0
		r.readToken()
	}
	r.returned++
	return &r.ready[r.returned-1], nil
}

// Summary returns what has been read so far. It is complete when Next has returned an error.
func (r *Reader) Summary() *Summary { return r.summary }

// readToken reads the next tag, text, or other token of XML.
func (r *Reader) readToken() {
	r.src.left = maxToken
	token, err := r.xml.Token()
	r.line, _ = r.xml.InputPos()
	if err != nil {
		r.finish(err)
		return
	}
	switch t := token.(type) {
	case xml.StartElement:
		r.startElement(t)
	case xml.EndElement:
		r.endElement()
	case xml.CharData:
		r.charData(t)
	case xml.Directive:
		r.stop(CodeDoctype, "a document type declaration is not allowed")
	case xml.ProcInst:
		if t.Target == "xml" && r.begun {
			r.stop(CodeMalformed, "an XML declaration stands within the file: one file is one message")
		}
	}
	r.begun = true
}

func (r *Reader) startElement(t xml.StartElement) {
	if r.content != nil {
		r.content.start(t, len(r.open)+r.skipped)
	}
	switch {
	case len(r.open)+r.skipped == maxDepth:
		r.stop(CodeTooDeep, "elements are nested more than %d deep", maxDepth)
	case r.skipped > 0:
		r.skipped++
	case len(r.open) == 0:
		r.startDocument(t)
	default:
		r.startChild(t)
	}
}

// startDocument reads the root element, whose namespace tells the version.
func (r *Reader) startDocument(t xml.StartElement) {
	version := Version(strings.TrimPrefix(t.Name.Space, namespace))
	grammar := grammars[version]
	switch {
	case r.summary.Version != "":
		r.stop(CodeMalformed, "there is a second element %s: one file is one message", t.Name.Local)
	case t.Name.Local != grammarRoot:
		r.stop(CodeUnknownMessage, "the element is %s instead of %s", clip(t.Name.Local), grammarRoot)
	case grammar == nil || t.Name.Space == string(version):
		r.stop(CodeUnknownMessage, "the namespace is %q instead of %s%s or %s", clip(t.Name.Space), namespace, Version02, Version08)
	default:
		r.space, r.summary.Version = t.Name.Space, version
		r.open = append(r.open, frame{element: grammar, line: r.line, reached: -1})
	}
}

// startChild opens an element of the grammar, and skips any other.
func (r *Reader) startChild(t xml.StartElement) {
	parent := &r.open[len(r.open)-1]
	child := parent.children[t.Name.Local]
	if child == nil || t.Name.Space != r.space || !r.inPlace(parent, child) {
		r.skipped = 1
		return
	}
	f := frame{element: child, line: r.line, reached: -1}
	for _, a := range t.Attr {
		if a.Name.Local == "Ccy" {
			f.currency = a.Value
		}
	}
	r.open = append(r.open, f)
	r.text = r.text[:0]
	if child.start != nil {
		child.start(r)
	}
}

// inPlace reports whether a child may follow the children before it. It reports required children that are missing
// between them.
func (r *Reader) inPlace(parent *frame, child *element) bool {
	switch {
	case child.position == parent.reached && !child.many:
		r.fault(CodeRepeatedElement, "%s has a second %s", parent.name, child.name)
		return false
	case child.position < parent.reached:
		r.fault(CodeMisplacedElement, "%s stands after %s in %s", child.name, parent.order[parent.reached].name, parent.name)
		return false
	}
	r.missing(parent, child.position)
	parent.reached = child.position
	return true
}

// missing reports the required children before a position that are absent.
func (r *Reader) missing(parent *frame, position int) {
	for _, sibling := range parent.order[parent.reached+1 : max(position, parent.reached+1)] {
		if sibling.needed {
			r.faultAt(parent.line, CodeMissingElement, "%s has no %s, or not where it belongs", parent.name, sibling.name)
		}
	}
}

func (r *Reader) endElement() {
	if r.content != nil {
		r.content.end(len(r.open) + r.skipped - 1)
	}
	if r.skipped > 0 {
		r.skipped--
		return
	}
	last := len(r.open) - 1
	f := &r.open[last]
	r.missing(f, len(f.order))
	if f.value != nil {
		r.readValue(f)
	}
	if f.end != nil {
		f.end(r)
	}
	r.open = r.open[:last]
}

// readValue handles the text of an element. It reports faults with the line where the element began.
func (r *Reader) readValue(f *frame) {
	here := r.line
	r.line = f.line
	if text := oneLine(string(r.text)); text == "" && f.needed {
		r.fault(CodeMissingElement, "%s is empty", r.name())
	} else {
		f.value(r, value{text, f.currency})
	}
	r.line = here
}

func (r *Reader) charData(t xml.CharData) {
	if r.content != nil {
		if said := strings.TrimSpace(string(t)); said != "" {
			r.content.add("", said)
		}
	}
	switch {
	case len(r.open) == 0:
		if strings.TrimSpace(string(t)) != "" {
			r.stop(CodeMalformed, "there is text outside the message")
		}
	case r.skipped > 0 || r.open[len(r.open)-1].value == nil:
	case len(r.text)+len(t) > maxToken:
		r.stop(CodeTooLong, "%s", errTokenTooLong)
	default:
		r.text = append(r.text, t...)
	}
}

// name returns the names of the current element and of its parent.
func (r *Reader) name() string {
	last := len(r.open) - 1
	return r.open[last-1].name + "/" + r.open[last].name
}

// finish ends the reading, at the end of the file or after an error.
func (r *Reader) finish(err error) {
	switch {
	case r.src.err != nil && !errors.Is(r.src.err, io.EOF):
		r.err = fmt.Errorf("reading line %d: %w", r.line, r.src.err)
	case errors.Is(err, errTokenTooLong):
		r.stop(CodeTooLong, "%s", errTokenTooLong)
	case errors.Is(err, errEncoding):
		r.stop(CodeEncoding, "%s", errEncoding)
	case !errors.Is(err, io.EOF):
		r.stop(CodeMalformed, "%s", syntax(err))
	case r.summary.Version == "" && len(r.faults) == 0:
		r.stop(CodeEmptyFile, "the file holds no message")
	case len(r.faults) > 0:
		r.giveUp()
	default:
		r.sortNotes()
		r.err = io.EOF
	}
}

// syntax explains an error of the XML decoder.
func syntax(err error) string {
	msg := strings.TrimPrefix(err.Error(), "xml: ")
	var found *xml.SyntaxError
	if errors.As(err, &found) {
		msg = found.Msg
	}
	switch msg {
	case "unexpected EOF":
		return "the file ends before the message does: it has been cut off"
	case "invalid UTF-8":
		return "this is not UTF-8, and the file declares no other encoding that is read"
	}
	return clip(msg)
}

// stop reports a fault and ends the reading.
func (r *Reader) stop(code, format string, args ...any) {
	r.fault(code, format, args...)
	r.giveUp()
}

func (r *Reader) giveUp() {
	if r.err == nil {
		r.sortNotes()
		r.err = r.faults
	}
}

// sortNotes sorts faults and warnings by line. They need sorting, because a missing element is found late.
func (r *Reader) sortNotes() {
	byLine := func(a, b models.FileFinding) int { return cmp.Compare(a.Line, b.Line) }
	slices.SortStableFunc(r.faults, byLine)
	slices.SortStableFunc(r.summary.Warnings, byLine)
}

// fault reports what is wrong with the current line. It ends the reading after MaxFaults.
func (r *Reader) fault(code, format string, args ...any) { r.faultAt(r.line, code, format, args...) }

func (r *Reader) faultAt(line int, code, format string, args ...any) {
	if len(r.faults) == MaxFaults {
		return
	}
	r.faults = append(r.faults, models.FileFinding{Line: line, Code: code, Text: r.entryPrefix() + fmt.Sprintf(format, args...)})
	if len(r.faults) == MaxFaults {
		r.giveUp()
	}
}

// warn reports an oddity of the current line.
func (r *Reader) warn(code, format string, args ...any) { r.warnAt(r.line, code, format, args...) }

func (r *Reader) warnAt(line int, code, format string, args ...any) {
	if r.warnings[code]++; r.warnings[code] <= MaxWarnings {
		note := models.FileFinding{Line: line, Code: code, Text: r.entryPrefix() + fmt.Sprintf(format, args...)}
		r.summary.Warnings = append(r.summary.Warnings, note)
	}
}

// entryPrefix names the current entry, for a message. The line alone may be ambiguous, because a whole file may be one
// line.
func (r *Reader) entryPrefix() string {
	if r.entry == nil {
		return ""
	}
	return fmt.Sprintf("entry %d: ", r.entry.Number)
}

// clip returns the beginning of a text, for a message.
func clip(s string) string {
	const most = 60
	if utf8.RuneCountInString(s) <= most {
		return s
	}
	return string([]rune(s)[:most]) + "…"
}
