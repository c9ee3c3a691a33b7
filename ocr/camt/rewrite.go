package camt

import (
	"bufio"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strings"

	"purr/models"
)

// Editor says what becomes of what a file tells about somebody. It is never asked for what is empty or zero.
type Editor interface {
	Account(digits string) string      // a Norwegian account, 11 digits
	KID(kid string) string             // as it stands
	Reference(reference string) string // any identification, other accounts' included
	Text(text string) string           // a name, an address, a message
	// Amount is in øre, and not negative. With down it is deducted from others: where none of those grows and no
	// other amount shrinks, no payment comes to be less than nothing.
	Amount(amount models.Amount, down bool) models.Amount
}

// Rewrite copies a file in which Check finds no faults, with what the editor makes of it, and with the sums made
// right: what adds up still does, and what did not still does not. The elements, their order, the white
// space, the encoding, all dates and codes stay as they are; attributes and processing instructions that the
// message does not have are left out. It reads the file twice, because sums stand before what they are of.
func Rewrite(w io.Writer, r io.ReadSeeker, e Editor) error {
	start, err := r.Seek(0, io.SeekCurrent)
	if err != nil {
		return err
	}
	plan := &plan{editor: e}
	if err := walkFile(io.Discard, r, plan); err != nil {
		return err
	}
	if _, err := r.Seek(start, io.SeekStart); err != nil {
		return err
	}
	return walkFile(w, r, &editing{editor: e, plan: plan})
}

// Show asks the editor for all that Rewrite will ask it for, in one reading, and makes nothing of the answers.
func Show(r io.Reader, e Editor) error { return walkFile(io.Discard, r, &editing{editor: e}) }

// visitor is asked for the text of each element that has no others in it, and told where all begin and end.
type visitor interface {
	start(at *place)
	leaf(at *place, text string) string // without blanks around it; not empty
	words(text string) string           // of what stands between elements
	end(at *place)
	failure() error
}

// place is where in a file the walker is.
type place struct {
	path     []string // names of the elements from the message down; a name of another vocabulary is "?"
	currency string   // the attribute Ccy of the innermost one
}

func (p *place) name() string { return p.up(0) }

// up returns the name of the element so many above the innermost.
func (p *place) up(n int) string {
	if n >= len(p.path) {
		return ""
	}
	return p.path[len(p.path)-1-n]
}

// is reports whether the innermost elements have these names, the last one being the innermost.
func (p *place) is(path string) bool {
	rest := len(p.path)
	for {
		cut := strings.LastIndexByte(path, '/')
		if rest--; rest < 0 || p.path[rest] != path[cut+1:] {
			return false
		}
		if cut < 0 {
			return true
		}
		path = path[:cut]
	}
}

// within reports whether an element of the name is open.
func (p *place) within(name string) bool {
	for _, n := range p.path {
		if n == name {
			return true
		}
	}
	return false
}

// walker reads a file token by token and writes it again byte for byte, but for what the visitor changes.
type walker struct {
	src   *source
	xml   *xml.Decoder
	w     *bufio.Writer
	read  []byte // by the decoder, and not yet written
	base  int64  // offset of read in what the decoder reads
	space string // namespace of the message
	at    place
	text  []byte // of the innermost element so far
	raw   []byte // the same as it stands
	leaf  bool   // that element has no other in it so far
	do    visitor
}

func walkFile(out io.Writer, r io.Reader, do visitor) error {
	buffered := bufio.NewReaderSize(r, 64<<10)
	w := &walker{w: bufio.NewWriterSize(out, 64<<10), do: do}
	if begin, err := buffered.Peek(len(byteOrderMark)); err == nil && string(begin) == byteOrderMark {
		w.w.WriteString(byteOrderMark) //nolint:errcheck // Flush returns the first error of a bufio.Writer
	}
	w.src = newSource(buffered)
	w.xml = xml.NewDecoder(w)
	w.xml.CharsetReader = func(label string, r io.Reader) (io.Reader, error) {
		_, err := w.src.decodeAs(label, r)
		return w, err
	}
	for {
		err := w.token()
		if errors.Is(err, io.EOF) {
			w.between()
			return errors.Join(do.failure(), w.w.Flush())
		}
		if err = errors.Join(err, do.failure()); err != nil {
			line, _ := w.xml.InputPos()
			return fmt.Errorf("line %d: %w", line, err)
		}
	}
}

// ReadByte keeps what the decoder reads.
func (w *walker) ReadByte() (byte, error) {
	b, err := w.src.ReadByte()
	if err == nil {
		w.read = append(w.read, b)
	}
	return b, err
}

// Read is never called by a decoder that can ReadByte.
func (w *walker) Read(p []byte) (int, error) {
	if len(p) == 0 {
		return 0, nil
	}
	b, err := w.ReadByte()
	if err != nil {
		return 0, err
	}
	p[0] = b
	return 1, nil
}

// token reads and writes one token.
func (w *walker) token() error {
	w.src.left = maxToken
	token, err := w.xml.Token()
	if err != nil {
		return err
	}
	length := w.xml.InputOffset() - w.base
	raw := w.read[:length]
	switch t := token.(type) {
	case xml.StartElement:
		w.start(t, raw)
	case xml.EndElement:
		w.end(raw)
	case xml.CharData:
		w.text, w.raw = append(w.text, t...), append(w.raw, raw...)
	case xml.Comment:
		w.comment("<!--" + w.do.words(string(t)) + "-->")
	case xml.ProcInst:
		if t.Target == "xml" {
			w.put(raw)
		}
	}
	w.base += length
	w.read = append(w.read[:0], w.read[length:]...)
	return nil
}

func (w *walker) start(t xml.StartElement, raw []byte) {
	w.between()
	if len(w.at.path) == 0 {
		w.space = t.Name.Space
	}
	name := t.Name.Local
	if t.Name.Space != w.space {
		name = "?"
	}
	w.at.path = append(w.at.path, name)
	w.at.currency = ""
	strange := false
	for _, a := range t.Attr {
		switch {
		case a.Name.Local == "Ccy":
			w.at.currency = a.Value
		case a.Name.Space != "xmlns" && a.Name.Local != "xmlns" && a.Name.Space != "http://www.w3.org/2001/XMLSchema-instance":
			strange = true
		}
	}
	if strange {
		raw = withoutAttributes(t, raw)
	}
	w.put(raw)
	w.leaf = true
	w.do.start(&w.at)
}

// withoutAttributes returns a tag with the attributes of the message alone.
func withoutAttributes(t xml.StartElement, raw []byte) []byte {
	name, _, _ := strings.Cut(strings.Trim(strings.Join(strings.Fields(string(raw)), " "), "</>"), " ")
	tag := "<" + name
	for _, a := range t.Attr {
		switch {
		case a.Name.Space == "xmlns":
			tag += " xmlns:" + a.Name.Local
		case a.Name.Space == "" && (a.Name.Local == "xmlns" || a.Name.Local == "Ccy"):
			tag += " " + a.Name.Local
		default:
			continue
		}
		tag += `="` + escaped(a.Value) + `"`
	}
	if strings.HasSuffix(string(raw), "/>") {
		tag += "/"
	}
	return []byte(tag + ">")
}

// comment writes a comment where it stands: within a text it stays with that, as long as that stays.
func (w *walker) comment(comment string) {
	if strings.TrimSpace(string(w.text)) != "" {
		w.raw = append(w.raw, comment...)
		return
	}
	w.between()
	w.put([]byte(comment))
}

// between writes what stands between elements: white space, and words where there should be none.
func (w *walker) between() {
	if text := string(w.text); strings.TrimSpace(text) != "" {
		w.putText(text, w.do.words(text))
	} else {
		w.put(w.raw)
	}
	w.text, w.raw = w.text[:0], w.raw[:0]
}

func (w *walker) end(raw []byte) {
	if text := strings.TrimSpace(string(w.text)); w.leaf && text != "" {
		w.putText(text, w.do.leaf(&w.at, text))
		w.text, w.raw = w.text[:0], w.raw[:0]
	} else {
		w.between()
	}
	w.put(raw)
	w.do.end(&w.at)
	w.at.path = w.at.path[:len(w.at.path)-1]
	w.leaf = false
}

// putText writes the element's text as it stands, or where it became another one the new one between the same blanks.
func (w *walker) putText(old, fresh string) {
	if old == fresh {
		w.put(w.raw)
		return
	}
	all := string(w.text)
	begin := strings.Index(all, old)
	w.put([]byte(escaped(all[:begin]) + escaped(fresh) + escaped(all[begin+len(old):])))
}

// put writes what is in UTF-8 in the file's encoding.
func (w *walker) put(text []byte) {
	if w.src.latin1 {
		for _, c := range string(text) {
			w.w.WriteByte(byte(c)) //nolint:errcheck // Flush returns the first error of a bufio.Writer
		}
		return
	}
	w.w.Write(text) //nolint:errcheck // as above
}

var escapes = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;", "\r", "&#xD;")

// escaped returns a text as XML has it, white space as it is.
func escaped(text string) string { return escapes.Replace(text) }
