package ocr

import (
	"bytes"
	"errors"
	"io"
	"regexp"

	"purr/ocr/camt"
)

// MaxFile is the most bytes that a payment file may have (rules E4, O13).
const MaxFile = 256 << 20

var (
	endOfGiro = regexp.MustCompile(`NY000089.{72}$`) // the end record of a transmission
	endOfXML  = regexp.MustCompile(`</([\w.-]+:)?Document\s*>$`)
)

// EndsEarly reports whether a payment file seems to be cut off: it is empty, or it begins as OCR giro or camt.054 and does
// not end so. It reads only both ends. A file of neither kind does not end early.
func EndsEarly(raw io.ReaderAt, size int64) (bool, error) {
	const most = 512 // bytes of each end
	begin, end := make([]byte, min(size, most)), make([]byte, min(size, most))
	if _, err := raw.ReadAt(begin, 0); err != nil && !errors.Is(err, io.EOF) {
		return false, err
	}
	if _, err := raw.ReadAt(end, size-int64(len(end))); err != nil && !errors.Is(err, io.EOF) {
		return false, err
	}
	begin = bytes.TrimSpace(bytes.TrimPrefix(begin, []byte("\xef\xbb\xbf"))) // without a byte order mark
	end = bytes.TrimRight(end, " \t\r\n\x00\x1a")                            // editors and old programs add such bytes
	switch {
	case camt.Detect(begin):
		return !endOfXML.Match(end), nil
	case bytes.HasPrefix(begin, []byte("NY")):
		return !endOfGiro.Match(end), nil
	}
	return len(begin) < 2, nil
}
