package giro

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"unicode/utf8"
)

// bufferSize is the longest line that can be read as a whole, in bytes.
const bufferSize = 64 << 10

// byteOrderMark is written by some editors at the beginning of a UTF-8 file.
var byteOrderMark = []byte("\xef\xbb\xbf")

// lineReader splits a file into lines. It removes what real files have around the records: CR, a byte order mark,
// Ctrl-Z, and blank lines.
type lineReader struct {
	r     *bufio.Reader
	ahead []byte // what r has read ahead, from the next line on
	line  int    // number of the last line that next returned, from 1
	long  bool   // the rest of that line is unread
}

func newLineReader(r io.Reader) lineReader {
	l := lineReader{r: bufio.NewReaderSize(r, bufferSize)} // r itself if it has such a buffer, in which something may be already
	l.ahead, _ = l.r.Peek(l.r.Buffered())                  // never fails
	return l
}

// next returns the next line that is not blank. Of a line that is longer than bufferSize it returns the beginning. The
// line is valid until the next call. At the end of the file next returns io.EOF.
func (l *lineReader) next() ([]byte, error) {
	for {
		line, err := l.read()
		if err != nil {
			return nil, err
		}
		l.line++
		if len(line) == recordLen+1 && line[0] == 'N' && line[recordLen] == '\n' && line[recordLen-1] >= ' ' {
			return line[:recordLen], nil
		}
		if line = stripped(line); len(line) > 0 {
			return line, nil
		}
	}
}

// read returns the next line with its line end, as next does.
func (l *lineReader) read() ([]byte, error) {
	if end := bytes.IndexByte(l.ahead, '\n') + 1; end > 0 {
		line := l.ahead[:end]
		l.ahead = l.ahead[end:]
		return line, nil
	}
	if _, err := l.r.Discard(l.r.Buffered() - len(l.ahead)); err != nil { // the lines that were taken from it
		return nil, err
	}
	if err := l.skipRest(); err != nil {
		return nil, err
	}
	line, err := l.r.ReadSlice('\n')
	if err != nil {
		l.long = errors.Is(err, bufio.ErrBufferFull)
		if !l.long && (len(line) == 0 || !errors.Is(err, io.EOF)) {
			return nil, err
		}
	}
	l.ahead, err = l.r.Peek(l.r.Buffered())
	return line, err
}

// skipRest reads to the end of a line that is longer than the buffer.
func (l *lineReader) skipRest() error {
	for l.long {
		_, err := l.r.ReadSlice('\n')
		l.long = errors.Is(err, bufio.ErrBufferFull)
		if err != nil && !l.long {
			return err
		}
	}
	return nil
}

// stripped returns the record in a line, without line end, byte order mark and Ctrl-Z. It is empty for a blank line.
func stripped(line []byte) []byte {
	line = bytes.TrimSuffix(line, []byte("\n"))
	line = bytes.TrimSuffix(line, []byte("\r"))
	if len(line) == recordLen && line[0] == 'N' && line[recordLen-1] >= ' ' {
		return line
	}
	const ctrlZ = "\x1a"
	line = bytes.TrimPrefix(bytes.Trim(line, ctrlZ+"\r"), byteOrderMark)
	if len(bytes.TrimSpace(line)) == 0 {
		return nil
	}
	return line
}

// foreigners are other kinds of files that people send by mistake, by their first bytes.
var foreigners = []struct{ begin, what string }{
	{"\x1f\x8b", "compressed with gzip: unpack it first"},
	{"PK\x03\x04", "a ZIP archive: unpack it first"},
	{"%PDF-", "a PDF: the bank has the same as a file of OCR giro or camt.054"},
	{"\xff\xfe", "in UTF-16 instead of ISO-8859-1"},
	{"\xfe\xff", "in UTF-16 instead of ISO-8859-1"},
	{"{", "JSON instead of OCR giro or camt.054"},
}

// foreign names the other kind of file that begins with the line, empty if it is unknown.
func foreign(line []byte) string {
	for _, f := range foreigners {
		if bytes.HasPrefix(line, []byte(f.begin)) {
			return f.what
		}
	}
	if bytes.IndexByte(line, 0) >= 0 {
		return "no text"
	}
	return ""
}

// wrongLength says why a line is not 80 bytes long.
func wrongLength(line []byte) string {
	switch {
	case len(line) >= bufferSize:
		return fmt.Sprintf("the record is more than %d characters long instead of %d", bufferSize, recordLen)
	case len(line) > recordLen && utf8.RuneCount(line) == recordLen:
		return "the record is in UTF-8 instead of ISO-8859-1, and so longer than 80 bytes"
	}
	said := fmt.Sprintf("the record is %d characters long instead of %d", len(line), recordLen)
	if !bytes.HasPrefix(line, []byte("NY")) {
		said += fmt.Sprintf(", and begins with %q instead of NY", latin1(line[:min(len(line), 10)]))
	}
	return said
}
