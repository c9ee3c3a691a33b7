package form

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"

	"purr/models"
)

// charsets are the encodings of bodies, by the names that clients use (rules D4, L20). Nil is UTF-8.
var charsets = map[string]encoding.Encoding{
	"utf-8": nil, "utf8": nil, "us-ascii": nil, "ascii": nil,
	"iso-8859-1": charmap.ISO8859_1, "iso8859-1": charmap.ISO8859_1, "iso_8859-1": charmap.ISO8859_1, "latin1": charmap.ISO8859_1, "latin-1": charmap.ISO8859_1,
	"windows-1252": charmap.Windows1252, "cp1252": charmap.Windows1252,
}

func charsetOf(name string) (encoding.Encoding, error) {
	e, known := charsets[strings.ToLower(strings.TrimSpace(name))]
	if !known {
		return nil, models.Malformed("unsupported_encoding", "", "the body must be in UTF-8, ISO-8859-1 or windows-1252")
	}
	return e, nil
}

// InUTF8 returns a body in UTF-8 if the Content-Type names its charset. It then takes away the XML declaration, which
// the charset overrules (RFC 7303). It returns the body as it is if the charset is empty, or if it is UTF-8 and the body
// is not: then the declaration decides.
func InUTF8(body []byte, charset string) ([]byte, error) {
	if charset == "" {
		return body, nil
	}
	e, err := charsetOf(charset)
	if err != nil {
		return nil, err
	}
	if e == nil {
		if !utf8.Valid(body) {
			return body, nil
		}
		return withoutDeclaration(body), nil
	}
	text, err := e.NewDecoder().Bytes(body)
	if err != nil {
		return nil, fmt.Errorf("decode a body in %s: %w", charset, err)
	}
	return withoutDeclaration(text), nil
}

// withoutDeclaration returns a body without its XML declaration.
func withoutDeclaration(body []byte) []byte {
	body = bytes.TrimPrefix(body, []byte("\ufeff"))
	rest, is := bytes.CutPrefix(body, []byte("<?xml"))
	if !is || len(rest) == 0 || !strings.ContainsRune(" \t\r\n", rune(rest[0])) {
		return body
	}
	if _, after, ended := bytes.Cut(rest, []byte("?>")); ended {
		return after
	}
	return body
}

// charsetReader decodes a body that declares an encoding other than UTF-8.
func charsetReader(label string, input io.Reader) (io.Reader, error) {
	e, err := charsetOf(label)
	if err != nil || e == nil {
		return input, err
	}
	return e.NewDecoder().Reader(input), nil
}
