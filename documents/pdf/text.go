package pdf

import (
	"strconv"
	"strings"
	"unicode"

	"purr/models"
)

// mm is the length of a typographic point.
const mm = 25.4 / 72

// style is how a text looks.
type style struct {
	weight weight
	size   float64 // points
	shade  shade
}

var (
	bodyStyle      = style{regular, 9.5, black}
	boldStyle      = style{bold, 9.5, black}
	smallBodyStyle = bodyStyle.sized(8.5)
	labelStyle     = style{regular, 8.5, grey}
	smallStyle     = style{regular, 7.5, grey}
)

// leading returns the distance of lines in the style.
func (s style) leading() float64 { return s.size * 1.32 * mm }

// sized returns the style in another size.
func (s style) sized(points float64) style {
	s.size = points
	return s
}

// paragraphGap is the space after a paragraph, in lines.
const paragraphGap = 0.6

// text draws one line with its baseline at y, from x on.
func (d *document) text(x, y float64, s string, st style) {
	if s == "" {
		return
	}
	s = legible(s)
	for _, r := range s {
		d.alphabet = max(d.alphabet, d.fonts.glyph(r).alphabet)
	}
	if d.fonts.beside != nil {
		d.wideText(x, y, s, st)
		return
	}
	d.draw("BT /F" + strconv.Itoa(int(st.weight)))
	d.draw("Tf", st.size)
	d.draw(string(st.shade) + " rg")
	d.draw("Td", x/mm, pageHeight-y/mm)
	d.pages[d.page] = append(escape(append(d.pages[d.page], '('), s), ") Tj ET\n"...)
}

// textRight draws one line that ends at x with its baseline at y. A line wider than width is drawn smaller.
func (d *document) textRight(x, y, width float64, s string, st style) {
	w := d.width(s, st)
	if w > width {
		st, w = st.sized(st.size*width/w), width
	}
	d.text(x-w, y, s, st)
}

// width returns the length of a text in one line.
func (d *document) width(s string, st style) float64 {
	units := 0
	for _, r := range legible(s) {
		if !isMark(r) { // a mark stands on the letter before it
			units += d.fonts.glyph(r).widths[st.weight]
		}
	}
	return float64(units) / em * st.size * mm
}

// fit returns the style, in a smaller size if the text is wider than width.
func (d *document) fit(s string, width float64, st style) style {
	if w := d.width(s, st); w > width {
		return st.sized(st.size * width / w)
	}
	return st
}

// paragraph draws a text over the whole width, on as many pages as necessary.
func (d *document) paragraph(s string, st style) {
	if legible(s) == "" {
		return
	}
	lines := d.wrap(s, right-left, st)
	for i, line := range lines {
		together := 1 // a page neither ends with a paragraph's first line nor begins with its last one
		if i == 0 && len(lines) == 3 {
			together = 3
		} else if len(lines) > 1 && (i == 0 || i == len(lines)-2) {
			together = 2
		}
		d.need(float64(together) * st.leading())
		d.y += st.leading()
		d.text(left, d.y, line, st)
	}
	d.y += paragraphGap * st.leading()
}

// paragraphHeight returns the height that paragraph uses.
func (d *document) paragraphHeight(s string, st style) float64 {
	if legible(s) == "" {
		return 0
	}
	return (float64(len(d.wrap(s, right-left, st))) + paragraphGap) * st.leading()
}

// wrap breaks a text into lines of at most the width: at blanks, and within words that are wider. It keeps one of several
// empty lines, and returns one empty line for no text.
func (d *document) wrap(s string, width float64, st style) []string {
	s = models.Printed(s)
	var lines []string
	for paragraph := range strings.SplitSeq(strings.TrimSpace(s), "\n") {
		paragraph = strings.TrimSpace(paragraph)
		if paragraph != "" || len(lines) == 0 || lines[len(lines)-1] != "" {
			lines = append(lines, d.wrapParagraph(paragraph, width, st)...)
		}
	}
	return lines
}

func (d *document) wrapParagraph(s string, width float64, st style) []string {
	if d.width(s, st) <= width {
		return []string{s}
	}
	var lines []string
	line, used, blank := "", 0.0, d.width(" ", st)
	// Not strings.Fields, because that would break at a no-break space.
	for word := range strings.FieldsFuncSeq(s, func(r rune) bool { return r == ' ' || r == '\t' }) {
		wide := d.width(word, st)
		switch {
		case line == "":
			line, used = word, wide
		case used+blank+wide <= width:
			line, used = line+" "+word, used+blank+wide
		default:
			lines = append(lines, line)
			line, used = word, wide
		}
		for used > width {
			n := d.prefix(line, width, st)
			lines = append(lines, line[:n])
			line = line[n:]
			used = d.width(line, st)
		}
	}
	return append(lines, line)
}

// prefix returns how many bytes of a text fit in the width. It is at least one character, with its marks.
func (d *document) prefix(s string, width float64, st style) int {
	used := 0.0
	for i, r := range s {
		used += d.width(string(r), st)
		if used > width && i > 0 && !isMark(r) {
			return i
		}
	}
	return len(s)
}

// legible returns a text as it is printed, on one line. Each sign of it is in one of the fonts, and has at most 16 bits.
func legible(s string) string {
	if ascii(s) {
		return s
	}
	return blanks.Replace(models.Printed(s))
}

// isMark reports whether a character is a mark on the letter before it, such as an accent that no letter is composed with.
func isMark(r rune) bool { return r >= '\u0300' && unicode.Is(unicode.M, r) }

// blanks puts the words of lines and columns on one line.
var blanks = strings.NewReplacer("\n", " ", "\t", " ")

// ascii reports whether every byte is a printable character of ASCII.
func ascii(s string) bool {
	for i := range len(s) {
		if s[i] < ' ' || s[i] > '~' {
			return false
		}
	}
	return true
}
