package pdf

import (
	"bytes"
	"compress/zlib"
	_ "embed" // the fonts
	"fmt"
	"io"
	"slices"
	"strconv"
	"sync"

	"golang.org/x/image/font"
	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"
	"golang.org/x/text/unicode/norm"
)

// The wide fonts are Noto Sans, cut to the Latin, Greek and Cyrillic letters of every language, with their marks (rule D111).
// internal/devtools/cutfonts has cut them; fonts/OFL.txt is their licence.
var (
	//go:embed fonts/NotoSans-Regular.ttf.z
	notoRegular []byte
	//go:embed fonts/NotoSans-Bold.ttf.z
	notoBold []byte
)

// wideFonts makes the wide fonts once in a process, when the first document needs them. A document gets the first alphabet that has
// all of its characters: fonts of 80 kB, of 130 kB or of 200 kB for each weight. The usual fonts have signs that these lack, such as arrows.
var wideFonts = sync.OnceValues(func() (*fonts, error) {
	wide := [bold + 1]face{regular: {"NotoSans-Regular", nil, 87}, bold: {"NotoSans-Bold", nil, 135}}
	for w, packed := range [][]byte{notoRegular, notoBold} {
		r, err := zlib.NewReader(bytes.NewReader(packed))
		if err != nil {
			return nil, fmt.Errorf("font %s: %w", wide[w].name, err)
		}
		if wide[w].ttf, err = io.ReadAll(r); err != nil {
			return nil, fmt.Errorf("font %s: %w", wide[w].name, err)
		}
	}
	f, err := newFonts(wide, []string{
		// Latin letters with the marks of Vietnamese, of African and of European languages.
		characters(' ', '~') + characters('\u00A0', 'ɏ') + "Əəɓɖɗɛɔɣɩɪɲŋʃʋʒʊʻʼʽˈˌ" + characters('\u0300', '\u036F') +
			characters('Ḁ', 'ỿ') + characters('\u2010', '\u2027') + "‰′″‹›€₦₫₵™\u2212",
		// Latin, Greek and Cyrillic letters.
		characters(' ', '~') + characters('\u00A0', 'ԯ') + characters('Ḁ', '῾') + characters('\u2010', '\u2027') + "‰′″‹›€№™\u2212",
		characters(' ', '\uFFFF'),
	})
	if err != nil {
		return nil, err
	}
	usual, err := prepared()
	if err != nil {
		return nil, err
	}
	var signs []rune
	for r := range usual.glyphs {
		if _, has := f.glyphs[r]; !has {
			signs = append(signs, r)
		}
	}
	slices.Sort(signs)
	if f.beside, err = newFonts(faces, []string{string(signs)}); err != nil {
		return nil, err
	}
	return f, f.readInks()
})

// ink is where a glyph is drawn, in thousandths of the size: from where the pen is, and upwards from the line. Blanks have none.
type ink struct{ left, right, bottom, top int }

// readInks reads where the glyphs are drawn.
func (f *fonts) readInks() error {
	f.inks = make(map[rune][bold + 1]ink, len(f.glyphs))
	for w, face := range f.faces {
		parsed, err := sfnt.Parse(face.ttf)
		if err != nil {
			return fmt.Errorf("font %s: %w", face.name, err)
		}
		var buffer sfnt.Buffer
		for r := range f.glyphs {
			index, err := parsed.GlyphIndex(&buffer, r)
			if err != nil {
				return fmt.Errorf("font %s: %w", face.name, err)
			}
			box, _, err := parsed.GlyphBounds(&buffer, index, fixed.I(em), font.HintingNone)
			if err != nil {
				return fmt.Errorf("font %s: %w", face.name, err)
			}
			of := f.inks[r]
			of[w] = ink{box.Min.X.Round(), box.Max.X.Round(), -box.Max.Y.Round(), -box.Min.Y.Round()}
			f.inks[r] = of
		}
	}
	return nil
}

// wideText draws one line as text does, in the wide fonts. What these lack is of the fonts beside them.
func (d *document) wideText(x, y float64, s string, st style) {
	d.draw("BT")
	d.draw(string(st.shade) + " rg")
	d.draw("Td", x/mm, pageHeight-y/mm)
	in := -1 // the number of the font
	for s != "" {
		font, n, marks := d.letters(s, st.weight)
		if font != in {
			d.font(font, st)
			in = font
		}
		if marks {
			d.marked(s[:n], font, st)
		} else {
			d.show(s[:n])
		}
		s = s[n:]
	}
	d.draw("ET")
}

// letters returns how many bytes of a text are drawn together, with the number of their font: letters without marks, or else one
// letter with its marks.
func (d *document) letters(s string, w weight) (number, n int, marks bool) {
	letter := 0 // where the last one begins
	for i, r := range s {
		of := int(w)
		if _, has := d.fonts.glyphs[r]; !has {
			of += len(d.fonts.faces)
		}
		switch {
		case i == 0:
			number = of
		case isMark(r) && letter > 0: // the letters before the one with marks
			return number, letter, false
		case !isMark(r) && (marks || of != number):
			return number, i, marks
		}
		if isMark(r) {
			marks = true
		} else {
			letter = i
		}
	}
	return number, len(s), marks
}

// font takes a font by its number.
func (d *document) font(number int, st style) {
	d.draw("/F" + strconv.Itoa(number))
	d.draw("Tf", st.size)
}

// show draws letters where the pen is.
func (d *document) show(letters string) {
	d.pages[d.page] = append(escape(append(d.pages[d.page], '('), letters), ") Tj\n"...)
}

// marked draws a letter of a font with its marks. Whoever copies it gets them as they were written (ISO 32000-1, section 14.9.4).
func (d *document) marked(s string, of int, st style) {
	d.pages[d.page] = append(d.pages[d.page], "/Span <</ActualText (\xFE\xFF"...)
	d.pages[d.page] = append(escape(d.pages[d.page], s), ")>> BDC\n"...)
	var on stack
	for _, r := range s {
		if isMark(r) {
			d.font(int(st.weight), st) // which has all marks
			d.mark(r, &on, st)
			d.font(of, st)
			continue
		}
		d.show(string(r))
		on = stack{d.fonts.inks[r][st.weight], d.fonts.glyph(r).widths[st.weight]}
	}
	d.draw("EMC")
}

// stack is a letter with the marks that stand on it so far, drawn with the pen behind the letter.
type stack struct {
	ink   ink
	width int
}

// smallLetter is about how high the marks of a font expect a letter to be, in thousandths of the size. Marks rise above that by
// highest and sink by deepest at most: a heap of them reaches no other line's words.
const smallLetter, highest, deepest = 540, 700, 450

// mark draws a mark: in the middle of its letter, above or below what is there.
func (d *document) mark(r rune, on *stack, st style) {
	m := d.fonts.inks[r][st.weight]
	aside := (on.ink.left+on.ink.right)/2 - on.width - (m.left+m.right)/2
	rise := 0
	switch class := norm.NFC.PropertiesString(string(r)).CCC(); {
	case on.ink == (ink{}): // no letter, or a blank
		aside = 0
	case class >= 224 && class != 233 && class != 240:
		rise = min(max(0, on.ink.top-smallLetter), highest)
		on.ink.top = max(on.ink.top, m.top+rise)
	case class >= 202:
		rise = max(min(0, on.ink.bottom), -deepest)
		on.ink.bottom = min(on.ink.bottom, m.bottom+rise)
	}
	d.draw("Ts", float64(rise)/em*st.size)
	back := aside + d.fonts.glyph(r).widths[st.weight]
	page := fmt.Appendf(d.pages[d.page], "[%d (", -aside)
	d.pages[d.page] = fmt.Appendf(escape(page, string(r)), ") %d] TJ\n", back)
	d.draw("Ts", 0)
}
