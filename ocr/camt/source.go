package camt

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"

	"golang.org/x/text/encoding/charmap"
)

// maxToken is how many bytes a tag, a text, a comment or whatever else XML has may be long. The decoder
// holds one of them at a time.
const maxToken = 64 << 10

var (
	errTokenTooLong = fmt.Errorf("a tag or a text is longer than %d bytes", maxToken)
	errEncoding     = errors.New("the file must be in UTF-8 or ISO-8859-1")
)

// source gives the decoder the file's bytes in UTF-8, one token's worth at a time.
type source struct {
	r    *bufio.Reader
	left int   // bytes that the current token may still have
	err  error // that reading the file ended with
}

func newSource(r io.Reader) *source {
	buffered := bufio.NewReaderSize(r, 64<<10)
	if begin, err := buffered.Peek(len(byteOrderMark)); err == nil && string(begin) == byteOrderMark {
		_, _ = buffered.Discard(len(byteOrderMark)) // they are there
	}
	return &source{r: buffered}
}

// byteOrderMark is what editors put before a text in UTF-8.
const byteOrderMark = "\xef\xbb\xbf"

// ReadByte returns the next byte. The decoder reads byte by byte where it can.
func (s *source) ReadByte() (byte, error) {
	if s.left--; s.left < 0 {
		return 0, errTokenTooLong
	}
	b, err := s.r.ReadByte()
	if err != nil {
		s.err = err
		return 0, err
	}
	return b, nil
}

// Read reads one byte, for those who cannot ReadByte.
func (s *source) Read(p []byte) (int, error) {
	if len(p) == 0 {
		return 0, nil
	}
	b, err := s.ReadByte()
	if err != nil {
		return 0, err
	}
	p[0] = b
	return 1, nil
}

// decodeAs takes the encoding that the file declares, where it is not UTF-8.
func (s *source) decodeAs(label string, _ io.Reader) (io.Reader, error) {
	if !strings.EqualFold(label, "ISO-8859-1") {
		return nil, errEncoding
	}
	s.r = bufio.NewReaderSize(charmap.ISO8859_1.NewDecoder().Reader(s.r), 64<<10)
	return s, nil
}

// Detect reports whether a file that begins so is XML rather than OCR giro: its first character is "<",
// whatever encoding it is in.
func Detect(begin []byte) bool {
	for _, mark := range []string{byteOrderMark, "\xff\xfe", "\xfe\xff\x00"} {
		begin = bytes.TrimPrefix(begin, []byte(mark))
	}
	return bytes.HasPrefix(bytes.TrimSpace(begin), []byte("<"))
}
