package pdf

import (
	"bytes"
	"compress/zlib"
	"fmt"
	"io"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"unicode/utf16"
)

// drawnText is one text of a page: where its baseline begins, in millimetres from the upper left corner, and the size of
// its letters in points.
type drawnText struct {
	page int
	x, y float64
	text string
	size float64
}

var (
	contentStream = regexp.MustCompile(`/Contents \d+ 0 R(?:\n/Resources [^\n]*)?>>\nendobj\n\d+ 0 obj\n<</Filter /FlateDecode /Length (\d+)>>\nstream\n`)
	showText      = regexp.MustCompile(`(?s)BT /F\d\n([\d.]+) Tf\n[\d. ]+ rg\n([\d.-]+) ([\d.-]+) Td\n\(((?:[^\\)]|\\.)*)\) Tj ET`)
	wideText      = regexp.MustCompile(`(?s)BT\n[\d. ]+ rg\n([\d.-]+) ([\d.-]+) Td\n(/F\d\n([\d.]+) Tf\n.*?)ET\n`) // in the wide fonts
	shown         = regexp.MustCompile(`(?s)\(((?:[^\\)]|\\.)*)\)(?: Tj| -?\d+\] TJ)`)
	showPicture   = regexp.MustCompile(`q\n([\d.]+) 0\.00 0\.00 ([\d.]+) ([\d.]+) ([\d.]+) cm\n/Logo Do Q`)
	escaped       = regexp.MustCompile(`(?s)\\(.)`)
)

// texts reads the texts of a file of this package in the order in which they were drawn.
func texts(t testing.TB, file []byte) []drawnText {
	t.Helper()
	var all []drawnText
	for i, m := range contentStream.FindAllSubmatchIndex(file, -1) {
		content := inflate(t, file[m[1]:])
		number := func(s []byte) float64 {
			n, err := strconv.ParseFloat(string(s), 64)
			if err != nil {
				t.Fatal(err)
			}
			return n
		}
		for _, m := range showText.FindAllSubmatch(content, -1) {
			all = append(all, drawnText{i + 1, number(m[2]) * mm, 297 - number(m[3])*mm, decode(m[4]), number(m[1])})
		}
		for _, m := range wideText.FindAllSubmatch(content, -1) {
			var text strings.Builder
			for _, part := range shown.FindAllSubmatch(m[3], -1) {
				text.WriteString(decode(part[1]))
			}
			all = append(all, drawnText{i + 1, number(m[1]) * mm, 297 - number(m[2])*mm, text.String(), number(m[4])})
		}
	}
	return all
}

// inflate returns the content of a stream that begins here.
func inflate(t testing.TB, file []byte) []byte {
	t.Helper()
	r, err := zlib.NewReader(bytes.NewReader(file))
	if err != nil {
		t.Fatal(err)
	}
	content, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	return content
}

// decode reads a string of a content stream, in UTF-16.
func decode(s []byte) string {
	s = escaped.ReplaceAllFunc(s, func(e []byte) []byte {
		if e[1] == 'r' {
			return []byte{'\r'}
		}
		return e[1:]
	})
	units := make([]uint16, len(s)/2)
	for i := range units {
		units[i] = uint16(s[2*i])<<8 | uint16(s[2*i+1])
	}
	return string(utf16.Decode(units))
}

// plain joins the texts of a file with single blanks, no-break spaces turned into blanks.
func plain(t testing.TB, file []byte) string {
	t.Helper()
	var b strings.Builder
	for _, d := range texts(t, file) {
		b.WriteString(d.text + " ")
	}
	return strings.ReplaceAll(b.String(), "\u00A0", " ")
}

// listing writes the texts of a file one a line, with page and place.
func listing(t testing.TB, file []byte) string {
	t.Helper()
	var b strings.Builder
	for _, d := range texts(t, file) {
		fmt.Fprintf(&b, "%d %6.1f %6.1f  %s\n", d.page, d.x, d.y, strings.ReplaceAll(d.text, "\u00A0", " "))
	}
	for _, c := range codes(t, file) {
		fmt.Fprintf(&b, "QR code on page %d: %d modules of %.2f mm, at %.1f, %.1f\n", c.page, c.modules, c.module, c.box.left, c.box.top)
	}
	for _, m := range contentStream.FindAllSubmatchIndex(file, -1) {
		for _, p := range showPicture.FindAllSubmatch(inflate(t, file[m[1]:]), -1) {
			fmt.Fprintf(&b, "picture: %s points wide, %s high, at %s, %s from the lower left corner\n", p[1], p[2], p[3], p[4])
		}
	}
	return b.String()
}

func pages(file []byte) int { return len(contentStream.FindAllIndex(file, -1)) }
