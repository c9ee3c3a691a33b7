package kept

import (
	"bytes"
	"compress/zlib"
	"errors"
	"fmt"
	"io"
	"strconv"
	"unicode/utf16"
)

// What a letter's PDF may be at most. What is more is no letter of purr's.
const (
	maxPages  = 1000
	maxStream = 16 << 20 // bytes of a page, unpacked
)

// errNoText is the error of a PDF in a form that purr's letters do not have.
var errNoText = errors.New("the PDF has no text that can be read")

// Texts returns the texts of a PDF, in the order in which its pages show them: one for each that is shown at a place of its own. It reads
// what purr writes (ISO 32000-1): pages whose content is one packed stream, in fonts whose codes are Unicode in two bytes. Of another PDF, such as one
// of another system, it returns an error.
func Texts(file []byte) ([]string, error) {
	var texts []string
	for pages := 0; ; pages++ {
		content, rest, err := nextPage(file)
		if err != nil {
			return nil, err
		}
		if content == nil {
			break
		}
		if pages == maxPages {
			return nil, fmt.Errorf("the PDF has more than %d pages", maxPages)
		}
		page, err := textsOf(content)
		if err != nil {
			return nil, err
		}
		texts, file = append(texts, page...), rest
	}
	if len(texts) == 0 {
		return nil, errNoText
	}
	return texts, nil
}

// nextPage returns the content of the next page and what follows it in the file, or nothing where no page follows. A page names its content, and the content is
// the object behind it.
func nextPage(file []byte) (content, rest []byte, err error) {
	at := bytes.Index(file, []byte("<</Type /Page\n"))
	if at < 0 {
		return nil, nil, nil
	}
	file = file[at:]
	number := reference(file, "/Contents ")
	at = bytes.Index(file, fmt.Appendf(nil, "\n%d 0 obj\n", number))
	if number == 0 || at < 0 {
		return nil, nil, errNoText
	}
	file = file[at:]
	at = bytes.Index(file, []byte("\nstream\n"))
	if at < 0 || !bytes.Contains(file[:at], []byte("/FlateDecode")) {
		return nil, nil, errNoText
	}
	file = file[at+len("\nstream\n"):]
	packed, err := zlib.NewReader(bytes.NewReader(file))
	if err != nil {
		return nil, nil, fmt.Errorf("a page of the PDF: %w", err)
	}
	content, err = io.ReadAll(io.LimitReader(packed, maxStream+1))
	if err != nil {
		return nil, nil, fmt.Errorf("a page of the PDF: %w", err)
	}
	if len(content) > maxStream {
		return nil, nil, fmt.Errorf("a page of the PDF has more than %d MiB", maxStream>>20)
	}
	return content, file, nil
}

// reference returns the number of the object that a key of a dictionary names, zero if there is none.
func reference(dictionary []byte, key string) int {
	dictionary, _, _ = bytes.Cut(dictionary, []byte("endobj"))
	_, after, found := bytes.Cut(dictionary, []byte(key))
	if !found {
		return 0
	}
	digits, _, _ := bytes.Cut(after, []byte(" "))
	number, err := strconv.Atoi(string(digits))
	if err != nil {
		return 0
	}
	return number
}

// textsOf returns the texts of a page's content: what stands between BT and ET is one text, in parts.
func textsOf(content []byte) (texts []string, err error) {
	var text []byte // UTF-16
	inside := false
	for len(content) > 0 {
		switch c := content[0]; {
		case c == '(':
			part, rest, err := literal(content[1:])
			if err != nil {
				return nil, err
			}
			text, content = append(text, part...), rest
			continue
		case c == 'B' && operator(content, "BT"):
			inside, text = true, text[:0]
		case c == 'E' && inside && operator(content, "ET"):
			shown, err := unicode(text)
			if err != nil {
				return nil, err
			}
			inside, texts = false, append(texts, shown)
		}
		content = content[1:]
	}
	return texts, nil
}

// operator reports whether content begins with an operator.
func operator(content []byte, name string) bool {
	return bytes.HasPrefix(content, []byte(name)) && (len(content) == len(name) || bytes.IndexByte([]byte(" \n\r\t/("), content[len(name)]) >= 0)
}

// literal reads a string behind its opening bracket (ISO 32000-1, section 7.3.4.2).
func literal(content []byte) (value, rest []byte, err error) {
	depth := 1
	for i := 0; i < len(content); i++ {
		switch c := content[i]; c {
		case '\\':
			i++
			if i == len(content) {
				return nil, nil, errNoText
			}
			c = content[i]
			if at := bytes.IndexByte([]byte("nrtbf"), c); at >= 0 {
				c = "\n\r\t\b\f"[at]
			} else if c >= '0' && c <= '7' {
				return nil, nil, errNoText // purr writes no number of a byte
			}
			value = append(value, c)
			continue
		case '(':
			depth++
		case ')':
			if depth--; depth == 0 {
				return value, content[i+1:], nil
			}
		}
		value = append(value, content[i])
	}
	return nil, nil, errNoText
}

// unicode reads codes of two bytes.
func unicode(codes []byte) (string, error) {
	if len(codes)%2 != 0 {
		return "", errNoText
	}
	units := make([]uint16, len(codes)/2)
	for i := range units {
		units[i] = uint16(codes[2*i])<<8 | uint16(codes[2*i+1])
	}
	return string(utf16.Decode(units)), nil
}
