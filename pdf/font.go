package pdf

import (
	"bytes"
	"compress/zlib"
	"encoding/json"
	"fmt"
	"sync"

	"codeberg.org/go-pdf/fpdf"
	"golang.org/x/image/font/gofont/gobold"
	"golang.org/x/image/font/gofont/goregular"
)

// family is the name under which fpdf knows the fonts of a document.
const family = "go"

// The styles of the family, as fpdf names them.
const (
	regular = ""
	bold    = "B"
)

// font is one style, in the two forms that a document can embed.
type font struct {
	style      string
	unicode    []byte // the whole TrueType file, cut by fpdf to the characters of each document
	definition []byte // fpdf's definition of the code-page font, in JSON
	file       []byte // the TrueType file cut to the code page, compressed
}

// fonts are prepared once in a process, because cutting and compressing takes longer than a hundred documents.
var fonts = sync.OnceValues(func() ([]font, error) {
	r, err := newFont(regular, "PURRAA+Go-Regular", goregular.TTF)
	if err != nil {
		return nil, err
	}
	b, err := newFont(bold, "PURRAB+Go-Bold", gobold.TTF)
	if err != nil {
		return nil, err
	}
	return []font{r, b}, nil
})

// newFont cuts a TrueType file to the code page and describes it to fpdf under a PostScript name. The name begins with
// the tag of six letters that marks a cut font (ISO 32000-1, section 9.6.4).
func newFont(style, name string, ttf []byte) (font, error) {
	cut := fpdf.UTF8CutFont(bytes.Clone(ttf), string(codePage[' ':]))
	var file bytes.Buffer
	w, err := zlib.NewWriterLevel(&file, zlib.BestCompression)
	if err != nil {
		return font{}, fmt.Errorf("font %s: %w", name, err)
	}
	if _, err := w.Write(cut); err != nil {
		return font{}, fmt.Errorf("font %s: %w", name, err)
	}
	if err := w.Close(); err != nil {
		return font{}, fmt.Errorf("font %s: %w", name, err)
	}
	definition, err := json.Marshal(define(name, ttf, len(cut)))
	if err != nil {
		return font{}, fmt.Errorf("font %s: %w", name, err)
	}
	return font{style: style, unicode: ttf, definition: definition, file: file.Bytes()}, nil
}

// definition is fpdf's definition of a code-page font.
type definition struct {
	Tp           string
	Name         string
	Desc         fpdf.FontDescType
	Cw           [256]int // the width of each code, in thousandths of the font size
	Diff         string
	File         string
	OriginalSize int
}

func define(name string, ttf []byte, size int) definition {
	measure := fpdf.New("P", "mm", "A4", "")
	measure.AddUTF8FontFromBytes(family, regular, bytes.Clone(ttf))
	measure.SetFont(family, regular, 10)
	def := definition{
		Tp: "TrueType", Name: name, Desc: measure.GetFontDesc(family, regular), Diff: differences(),
		File: name + ".z", OriginalSize: size,
	}
	def.Desc.Flags = fpdf.FontFlagNonsymbolic
	for code := ' '; code < 0x100; code++ {
		def.Cw[code] = measure.GetStringSymbolWidth(string(codePage[code]))
	}
	return def
}

// embed adds the font to a document: in the code page or, if wide, with all its characters.
func (f font) embed(to *fpdf.Fpdf, wide bool) {
	if wide {
		// fpdf can write into its input, so it gets a copy.
		to.AddUTF8FontFromBytes(family, f.style, bytes.Clone(f.unicode))
		return
	}
	to.AddFontFromBytes(family, f.style, f.definition, f.file)
}
