package bankfile

import (
	"bufio"
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/transform"

	"purr/ocr/camt"
)

const byteOrderMark = "\xef\xbb\xbf"

// declaredLatin1 matches the beginning of a file in ISO-8859-1. All other readable files are in UTF-8.
var declaredLatin1 = regexp.MustCompile(`(?i)^<\?xml[^>]*encoding\s*=\s*["']ISO-8859-1["']`)

// anonymiseCamt copies a file without faults token by token. It changes nothing but the texts.
func anonymiseCamt(w io.Writer, r io.Reader, key Key) error {
	in, out := buffered(r), bufio.NewWriterSize(w, bufferSize)
	if mark, err := in.Peek(len(byteOrderMark)); err == nil && string(mark) == byteOrderMark {
		out.WriteString(byteOrderMark)        //nolint:errcheck // Flush returns the first error of a bufio.Writer
		_, _ = in.Discard(len(byteOrderMark)) // the bytes are buffered
	}
	begin, _ := in.Peek(1024) // the next read returns the error again
	if !declaredLatin1.Match(begin) {
		return errors.Join(newCamtCopy(out, in, key).run(), out.Flush())
	}
	latin1 := transform.NewWriter(out, encoding.HTMLEscapeUnsupported(charmap.ISO8859_1.NewEncoder()))
	copying := newCamtCopy(latin1, charmap.ISO8859_1.NewDecoder().Reader(in), key)
	return errors.Join(copying.run(), latin1.Close(), out.Flush())
}

// camtCopy copies a message in UTF-8.
type camtCopy struct {
	key    Key
	w      io.Writer
	xml    *xml.Decoder
	read   bytes.Buffer // read by the decoder, not yet taken
	taken  int64        // number of bytes taken
	space  string       // XML namespace of the message
	path   []string     // names of the open elements; one of another vocabulary is "?"
	isLeaf bool         // the innermost element has no child so far
	text   []byte       // since the last tag
	raw    []byte       // the same text with its escapes, as in the file
	err    error        // of writing
}

func newCamtCopy(w io.Writer, r io.Reader, key Key) *camtCopy {
	c := &camtCopy{key: key, w: w}
	c.xml = xml.NewDecoder(io.TeeReader(r, &c.read))
	c.xml.CharsetReader = func(_ string, r io.Reader) (io.Reader, error) { return r, nil } // the source has converted it to UTF-8
	return c
}

func (c *camtCopy) run() error {
	for c.err == nil {
		token, err := c.xml.Token()
		if errors.Is(err, io.EOF) {
			c.putText(c.key.text)
			return c.err
		}
		if err != nil {
			return fmt.Errorf("reading the file again: %w", err)
		}
		raw := c.read.Next(int(c.xml.InputOffset() - c.taken))
		c.taken = c.xml.InputOffset()
		c.token(token, raw)
	}
	return c.err
}

func (c *camtCopy) token(token xml.Token, raw []byte) {
	switch t := token.(type) {
	case xml.StartElement:
		c.putText(c.key.text)
		c.put(withoutAttributes(raw))
		c.start(t.Name)
	case xml.EndElement:
		if c.isLeaf {
			c.putText(c.value)
		} else {
			c.putText(c.key.text)
		}
		c.put(raw)
		c.path, c.isLeaf = c.path[:len(c.path)-1], false
	case xml.CharData:
		c.text, c.raw = append(c.text, t...), append(c.raw, raw...)
	case xml.Comment:
		if len(bytes.TrimSpace(c.text)) == 0 {
			c.putText(c.key.text)
		} // a comment inside a text is written before the text
		c.put([]byte("<!--" + c.key.text(string(t)) + "-->"))
	case xml.ProcInst:
		if t.Target == "xml" { // other processing instructions are dropped
			c.put(raw)
		}
	}
}

func (c *camtCopy) start(name xml.Name) {
	if len(c.path) == 0 {
		c.space = name.Space
	}
	if name.Space != c.space {
		name.Local = "?"
	}
	c.path, c.isLeaf = append(c.path, name.Local), true
}

func (c *camtCopy) put(text []byte) {
	if c.err == nil {
		_, c.err = c.w.Write(text)
	}
}

var escapes = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", "\r", "&#xD;")

// putText writes the text since the last tag. It keeps the blanks around the text, and a text that needs no
// replacement.
func (c *camtCopy) putText(replace func(string) string) {
	all := string(c.text)
	text := strings.TrimSpace(all)
	fresh := text
	if text != "" {
		fresh = replace(text)
	}
	if fresh == text {
		c.put(c.raw)
	} else {
		before, after, _ := strings.Cut(all, text)
		c.put([]byte(before + escapes.Replace(fresh) + after))
	}
	c.text, c.raw = c.text[:0], c.raw[:0]
}

var attribute = regexp.MustCompile(`\s+([^\s=]+)\s*=\s*("[^"]*"|'[^']*')`)

// withoutAttributes removes all attributes from a tag, except those that the message itself defines.
func withoutAttributes(tag []byte) []byte {
	if bytes.IndexByte(tag, '=') < 0 {
		return tag
	}
	return attribute.ReplaceAllFunc(tag, func(found []byte) []byte {
		name := string(attribute.FindSubmatch(found)[1])
		if name == "Ccy" || name == "xmlns" || strings.HasPrefix(name, "xmlns:") || strings.HasPrefix(name, "xsi:") {
			return found
		}
		return nil
	})
}

// keptElements hold codes and counts, which stay. Elements that end in Dt, DtTm, Ccy or Ind hold dates, currencies and
// yes or no; they stay too.
var keptElements = map[string]bool{
	"Cd": true, "SubFmlyCd": true, "BIC": true, "BICFI": true, "AnyBIC": true, "BICOrBEI": true, "Ctry": true, "CtryOfRes": true,
	"Sts": true, "Sts/Prtry": true, "CdOrPrtry/Prtry": true, "Prtry/Issr": true, "Tp/Issr": true, "NtryRef": true, "PgNb": true,
	"NbOfNtries": true, "NbOfTxs": true, "XchgRate": true, "SeqNb": true,
}

// up returns the name of an ancestor, the given number of steps above the innermost element.
func (c *camtCopy) up(n int) string {
	if n >= len(c.path) {
		return ""
	}
	return c.path[len(c.path)-1-n]
}

// value returns the new text of an element. It treats the text of an unknown element as free text.
func (c *camtCopy) value(text string) string {
	name, parent := c.up(0), c.up(1)
	ends := func(suffixes ...string) bool {
		return slices.ContainsFunc(suffixes, func(s string) bool { return strings.HasSuffix(name, s) })
	}
	switch {
	case name == "BirthDt":
		return "1970-01-01"
	case keptElements[name], keptElements[parent+"/"+name], ends("Dt", "DtTm", "Ccy", "Ind"), text == "NOTPROVIDED":
		return text
	case ends("Amt", "Sum") && strings.Trim(text, "+.0123456789") == "":
		return text
	case name == "IBAN", name == "Id" && parent == "Othr" && strings.HasSuffix(c.up(3), "Acct"):
		return c.key.account(text)
	case parent == "CdtrRefInf" && strings.HasPrefix(text, "RF"):
		return "RF" + c.key.reference(text[2:]) // an ISO 11649 reference is no KID
	case ends("Ref", "Id", "UETR"), parent == "RfrdDocInf":
		return c.key.reference(text)
	}
	return c.key.text(text)
}

// account replaces an IBAN or another identification of an account. It replaces a Norwegian account by the same number
// as in OCR giro, in the old form. The new IBAN has right check digits if the old one had.
func (k Key) account(text string) string {
	bare := strings.NewReplacer(" ", "", ".", "").Replace(text)
	switch bban, isIBAN := strings.CutPrefix(strings.ToUpper(bare), "NO"); {
	case isIBAN && len(bban) == 13 && allDigits(bban):
		fresh := camt.IBAN(k.number(bban[2:]))
		if camt.IBAN(bban[2:])[2:] != bban {
			fresh = "NO00" + fresh[4:] // wrong for every account
		}
		return fillForm(text, bare[:2]+fresh[2:])
	case len(bare) == 11 && allDigits(bare):
		return fillForm(text, k.number(bare))
	case len(bare) > 2 && !allDigits(bare[:1]):
		return text[:2] + k.reference(text[2:]) // the country stays
	}
	return k.reference(text)
}

// fillForm returns the characters with the blanks and points of the form.
func fillForm(form, characters string) string {
	filled, n := []byte(form), 0
	for i, c := range filled {
		if c != ' ' && c != '.' {
			filled[i] = characters[n]
			n++
		}
	}
	return string(filled)
}
