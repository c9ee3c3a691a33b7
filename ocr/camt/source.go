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

// maxToken is the most bytes of an XML token, such as a tag or a text. The decoder holds one token at a time.
const maxToken = 64 << 10

var (
	errTokenTooLong = fmt.Errorf("a tag or a text is longer than %d bytes", maxToken)
	errEncoding     = errors.New("the file must be in UTF-8 or ISO-8859-1")
)

// source gives the decoder the file's bytes in UTF-8. It fails if a token is too long.
type source struct {
	r    *bufio.Reader
	left int   // bytes that the current token may still have
	err  error // of reading the file
}

func newSource(r io.Reader) *source {
	buffered := bufio.NewReaderSize(r, 64<<10)
	if begin, err := buffered.Peek(len(byteOrderMark)); err == nil && string(begin) == byteOrderMark {
		_, _ = buffered.Discard(len(byteOrderMark)) // the bytes are buffered
	}
	return &source{r: buffered}
}

// byteOrderMark is written by some editors at the beginning of a UTF-8 file.
const byteOrderMark = "\xef\xbb\xbf"

// ReadByte returns the next byte. The decoder calls only this method, because it prefers an io.ByteReader.
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

// Read reads one byte. It exists because the decoder takes an io.Reader.
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

// decodeAs switches to the encoding that the file declares, if it is not UTF-8.
func (s *source) decodeAs(label string, _ io.Reader) (io.Reader, error) {
	if !strings.EqualFold(label, "ISO-8859-1") {
		return nil, errEncoding
	}
	s.r = bufio.NewReaderSize(charmap.ISO8859_1.NewDecoder().Reader(s.r), 64<<10)
	return s, nil
}

// Detect reports whether a file with this beginning is XML rather than OCR giro: its first character is "<", in any
// encoding.
func Detect(begin []byte) bool {
	for _, mark := range []string{byteOrderMark, "\xff\xfe", "\xfe\xff\x00"} {
		begin = bytes.TrimPrefix(begin, []byte(mark))
	}
	return bytes.HasPrefix(bytes.TrimSpace(begin), []byte("<"))
}
