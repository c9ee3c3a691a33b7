package giro

import (
	"bytes"
	"fmt"
	"unicode/utf8"
)

// foreigners are the files that people take for payment files, by what they begin with.
var foreigners = []struct{ begin, what string }{
	{"\x1f\x8b", "compressed with gzip: unpack it first"},
	{"PK\x03\x04", "a ZIP archive: unpack it first"},
	{"%PDF-", "a PDF: the bank has the same as a file of OCR giro or camt.054"},
	{"\xff\xfe", "in UTF-16 instead of ISO-8859-1"},
	{"\xfe\xff", "in UTF-16 instead of ISO-8859-1"},
	{"{", "JSON instead of OCR giro or camt.054"},
}

// foreign says what a file is that begins with the line and is no OCR giro, and nothing where that is not known.
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

// wrongLength says what is wrong with a line that is not 80 bytes long.
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
