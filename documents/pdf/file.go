package pdf

import (
	"bytes"
	"compress/zlib"
	"errors"
	"fmt"
	"io"
	"sync"
)

// pdfFile is a PDF file while it is written (ISO 32000-1, section 7.5). A document needs little of what a PDF can be, and
// the PDF libraries of Go prepare fonts and allocate compressors for each document: a page with one text takes them several
// times as long as an invoice takes here.
type pdfFile struct {
	content []byte
	offsets []int // of each object, the first of which has the number before + 1
	before  int   // the last number of the file that this one continues, or 0
}

// begin begins a file. The second line tells those who copy it that it is no text.
func begin() pdfFile { return pdfFile{content: []byte("%PDF-1.4\n%\xE6\xF8\xE5\xD8\n")} }

// with returns a copy of the file with room for so many bytes more.
func (f pdfFile) with(more int) pdfFile {
	return pdfFile{append(make([]byte, 0, len(f.content)+more), f.content...), append(make([]int, 0, len(f.offsets)+16), f.offsets...), f.before}
}

// object adds an object, and returns its number.
func (f *pdfFile) object(content string) int {
	number := f.next()
	f.content = fmt.Appendf(f.content, "%d 0 obj\n%s\nendobj\n", number, content)
	return number
}

// next begins an object, and returns its number.
func (f *pdfFile) next() int {
	f.offsets = append(f.offsets, len(f.content))
	return f.before + len(f.offsets)
}

// stream adds an object of bytes, with what its dictionary says beside their number.
func (f *pdfFile) stream(dictionary string, content []byte) int {
	number := f.next()
	f.content = fmt.Appendf(f.content, "%d 0 obj\n<<%s /Length %d>>\nstream\n%s\nendstream\nendobj\n",
		number, dictionary, len(content), content)
	return number
}

// end ends the file with the table of its objects.
func (f *pdfFile) end(catalog, info int) []byte {
	table := len(f.content)
	f.content = fmt.Appendf(f.content, "xref\n0 %d\n0000000000 65535 f \n", len(f.offsets)+1)
	for _, offset := range f.offsets {
		f.content = fmt.Appendf(f.content, "%010d 00000 n \n", offset)
	}
	return fmt.Appendf(f.content, "trailer\n<</Size %d /Root %d 0 R /Info %d 0 R>>\nstartxref\n%d\n%%%%EOF\n",
		len(f.offsets)+1, catalog, info, table)
}

// property returns a text as a string of a PDF, outside of pages.
func property(s string) string { return "(" + string(escape([]byte("\xFE\xFF"), legible(s))) + ")" }

// escape appends a legible text to a string of a PDF, in UTF-16.
func escape(to []byte, legible string) []byte {
	for _, r := range legible {
		for _, b := range [...]byte{byte(r >> 8), byte(r)} {
			switch b {
			case '\\', '(', ')':
				to = append(to, '\\', b)
			case '\r': // readers take it for a line feed
				to = append(to, '\\', 'r')
			default:
				to = append(to, b)
			}
		}
	}
	return to
}

// compressors of pages are kept, because a new one allocates ten times as much as a document.
var compressors = sync.Pool{New: func() any { return compressor(zlib.BestSpeed) }}

// compressor returns what compresses at a level of package zlib.
func compressor(level int) *zlib.Writer {
	w, err := zlib.NewWriterLevel(io.Discard, level)
	if err != nil {
		panic(err)
	}
	return w
}

// compressed returns the content in the shorter form. The same content gives the same bytes.
func compressed(content []byte, by *zlib.Writer) ([]byte, error) {
	var b bytes.Buffer
	b.Grow(len(content) / 2)
	by.Reset(&b)
	_, err := by.Write(content)
	if err = errors.Join(err, by.Close()); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}
