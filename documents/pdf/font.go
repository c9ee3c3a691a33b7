package pdf

import (
	"bytes"
	"compress/zlib"
	"fmt"
	"slices"
	"strings"
	"sync"

	"codeberg.org/go-pdf/fpdf"
	"golang.org/x/image/font"
	"golang.org/x/image/font/gofont/gobold"
	"golang.org/x/image/font/gofont/goregular"
	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"
)

// weight is one of the two fonts of a document.
type weight int

const (
	regular weight = iota
	bold
)

// face is a font of one weight.
type face struct {
	name string
	ttf  []byte
	stem int // the thickness of vertical stems, in thousandths of the size
}

var faces = [bold + 1]face{
	regular: {"Go-Regular", goregular.TTF, 87},
	bold:    {"Go-Bold", gobold.TTF, 135},
}

// alphabets are what the embedded fonts are cut to. A document gets the first alphabet that has all of its characters: a
// font of 18 kB, of 35 kB or of 66 kB for each weight. A document with other characters is drawn in the wide fonts.
var alphabets = sync.OnceValue(func() []string {
	return []string{
		// Norwegian and its neighbours.
		characters(' ', '~') + "ÆØÅæøåÄÖÜäöüßÉÈÊéèêóòôàáü«»“”‘’–—…·•§°²½×€\u00A0\u2212",
		// What else is written with Latin letters: Sami, Polish, Lithuanian and others.
		characters(' ', '~') + characters('\u00A0', 'ſ') + "ȘșȚț“”„‘’‚–—…•†‡‰‹›€™\u2212",
		// All that the fonts have, Greek and Cyrillic too.
		characters(' ', '\uFFFF'),
	}
})

// characters returns the characters from first to last.
func characters(first, last rune) string {
	var b strings.Builder
	for r := first; r <= last; r++ {
		b.WriteRune(r)
	}
	return b.String()
}

// fonts are the fonts of documents, one of each weight.
type fonts struct {
	faces     [bold + 1]face
	alphabets []string
	glyphs    map[rune]glyph
	missing   glyph                  // of a character that the fonts lack
	cuts      []func() (cut, error)  // by alphabet
	beside    *fonts                 // have what these lack; nil if they stand alone
	inks      map[rune][bold + 1]ink // where glyphs are drawn; nil if no marks are put on them
}

// cut is a file that holds the fonts, cut to an alphabet, and nothing else.
type cut struct {
	file      pdfFile
	names     string // of the fonts, as a part of a dictionary of resources
	resources int    // the object with the names alone
}

// glyph is a character of the fonts.
type glyph struct {
	widths   [bold + 1]int // by weight, in thousandths of the size
	alphabet int           // the first that has it
}

// prepared makes the fonts once in a process. Cutting and compressing takes longer than many documents, so it waits for the first
// document that needs the alphabet.
var prepared = sync.OnceValues(func() (*fonts, error) { return newFonts(faces, alphabets()) })

// newFonts returns the fonts of the faces, to be cut to alphabets.
func newFonts(faces [bold + 1]face, alphabets []string) (*fonts, error) {
	f := &fonts{faces: faces, alphabets: alphabets, glyphs: map[rune]glyph{}}
	for w := range faces {
		if err := f.read(weight(w)); err != nil {
			return nil, fmt.Errorf("font %s: %w", faces[w].name, err)
		}
	}
	f.missing.alphabet = len(alphabets)
	for a := range alphabets {
		f.cuts = append(f.cuts, sync.OnceValues(func() (cut, error) { return f.cutTo(a) }))
	}
	return f, nil
}

// read reads the glyphs of a weight.
func (f *fonts) read(w weight) error {
	parsed, err := sfnt.Parse(f.faces[w].ttf)
	if err != nil {
		return err
	}
	if f.missing.widths[w], err = advance(parsed, 0); err != nil {
		return err
	}
	for a, alphabet := range slices.Backward(f.alphabets) {
		for _, r := range alphabet {
			index, err := parsed.GlyphIndex(nil, r)
			if err != nil {
				return err
			}
			if index == 0 {
				continue
			}
			g := f.glyphs[r]
			g.alphabet = a
			if g.widths[w], err = advance(parsed, index); err != nil {
				return err
			}
			f.glyphs[r] = g
		}
	}
	return nil
}

// cutTo cuts the fonts to an alphabet. The fonts beside them follow whole.
func (f *fonts) cutTo(alphabet int) (cut, error) {
	file := begin()
	names, err := f.cutInto(&file, alphabet)
	if err != nil {
		return cut{}, err
	}
	resources := file.object("<<" + names + ">>")
	return cut{file, names, resources}, nil
}

// cutInto adds the fonts, cut to an alphabet, to a file, and returns their names, as a part of a dictionary of resources.
func (f *fonts) cutInto(file *pdfFile, alphabet int) (names string, err error) {
	names = "/Font <<"
	for w := range f.faces {
		object, err := f.embed(file, alphabet, weight(w))
		if err != nil {
			return "", fmt.Errorf("font %s: %w", f.faces[w].name, err)
		}
		names += fmt.Sprintf("/F%d %d 0 R ", w, object)
	}
	if f.beside != nil {
		for w, face := range f.beside.faces {
			object, err := f.beside.embed(file, len(f.beside.alphabets)-1, weight(w))
			if err != nil {
				return "", fmt.Errorf("font %s: %w", face.name, err)
			}
			names += fmt.Sprintf("/F%d %d 0 R ", len(f.faces)+w, object)
		}
	}
	return names + ">>", nil
}

const em = 1000 // units in the size of a font

func advance(f *sfnt.Font, index sfnt.GlyphIndex) (int, error) {
	a, err := f.GlyphAdvance(nil, index, fixed.I(em), font.HintingNone)
	if err != nil {
		return 0, err
	}
	return a.Round(), nil
}

// glyph returns the glyph of a character.
func (f *fonts) glyph(r rune) glyph {
	if g, has := f.glyphs[r]; has {
		return g
	}
	if f.beside != nil {
		return f.beside.glyph(r)
	}
	return f.missing
}

// embed adds a font, cut to an alphabet, to a file, and returns its object. Texts in it are written in UTF-16.
func (f *fonts) embed(to *pdfFile, alphabet int, w weight) (int, error) {
	face := f.faces[w]
	// UTF8CutFont can write into its input, so it gets a copy.
	cut := fpdf.UTF8CutFont(bytes.Clone(face.ttf), f.alphabets[alphabet])
	parsed, err := sfnt.Parse(cut)
	if err != nil {
		return 0, err
	}
	file, err := compressed(cut, compressor(zlib.BestCompression))
	if err != nil {
		return 0, err
	}
	var runs []run
	indexes := make([]byte, 2<<16) // the number of each character's glyph
	for r := range rune(1 << 16) {
		if g, has := f.glyphs[r]; !has || g.alphabet > alphabet {
			continue
		}
		index, err := parsed.GlyphIndex(nil, r)
		if err != nil {
			return 0, err
		}
		indexes[2*r], indexes[2*r+1] = byte(index>>8), byte(index)
		runs = extend(runs, r)
	}
	numbers, err := compressed(indexes, compressor(zlib.BestCompression))
	if err != nil {
		return 0, err
	}
	bounds, err := parsed.Bounds(nil, fixed.I(em), font.HintingNone)
	if err != nil {
		return 0, err
	}
	metrics, err := parsed.Metrics(nil, fixed.I(em), font.HintingNone)
	if err != nil {
		return 0, err
	}

	// The tag of six letters marks a cut font (ISO 32000-1, section 9.6.4).
	name := fmt.Sprintf("PURR%c%c+%s", 'A'+alphabet, 'A'+int(w), face.name)
	descriptor := to.object(fmt.Sprintf("<</Type /FontDescriptor /FontName /%s /Flags 4 /FontBBox [%d %d %d %d] /ItalicAngle 0 "+
		"/Ascent %d /Descent %d /CapHeight %d /StemV %d /MissingWidth %d /FontFile2 %d 0 R>>",
		name, bounds.Min.X.Round(), -bounds.Max.Y.Round(), bounds.Max.X.Round(), -bounds.Min.Y.Round(),
		metrics.Ascent.Round(), -metrics.Descent.Round(), metrics.CapHeight.Round(), face.stem, f.missing.widths[w],
		to.stream(fmt.Sprintf("/Filter /FlateDecode /Length1 %d", len(cut)), file)))
	mapping := to.stream("/Filter /FlateDecode", numbers)
	descendant := to.object(fmt.Sprintf("<</Type /Font /Subtype /CIDFontType2 /BaseFont /%s /CIDSystemInfo <</Registry (Adobe) "+
		"/Ordering (Identity) /Supplement 0>> /FontDescriptor %d 0 R /DW %d /W [%s] /CIDToGIDMap %d 0 R>>",
		name, descriptor, f.missing.widths[w], f.widths(runs, w), mapping))
	unicode := to.stream("", []byte(toUnicode))
	return to.object(fmt.Sprintf("<</Type /Font /Subtype /Type0 /BaseFont /%s /Encoding /Identity-H /DescendantFonts [%d 0 R] "+
		"/ToUnicode %d 0 R>>", name, descendant, unicode)), nil
}

// run is a range of characters, both inclusive.
type run struct{ first, last rune }

// extend adds a character to runs, which are in order.
func extend(runs []run, r rune) []run {
	if last := len(runs) - 1; last >= 0 && runs[last].last == r-1 {
		runs[last].last = r
		return runs
	}
	return append(runs, run{r, r})
}

// widths returns the widths of characters in the form of a PDF.
func (f *fonts) widths(of []run, w weight) string {
	var b strings.Builder
	for _, run := range of {
		fmt.Fprintf(&b, "%d [", run.first)
		for r := run.first; r <= run.last; r++ {
			fmt.Fprintf(&b, "%d ", f.glyphs[r].widths[w])
		}
		b.WriteString("] ")
	}
	return b.String()
}

// toUnicode tells readers that the code of a character in a text is its number in Unicode (ISO 32000-1, section 9.10.3).
const toUnicode = `/CIDInit /ProcSet findresource begin
12 dict begin
begincmap
/CIDSystemInfo <</Registry (Adobe) /Ordering (UCS) /Supplement 0>> def
/CMapName /Adobe-Identity-UCS def
/CMapType 2 def
1 begincodespacerange
<0000> <FFFF>
endcodespacerange
1 beginbfrange
<0000> <FFFF> <0000>
endbfrange
endcmap
CMapName currentdict /CMap defineresource pop
end
end`
