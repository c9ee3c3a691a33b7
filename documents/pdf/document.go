// Package pdf draws invoices, credit notes and notices as PDF files with embedded fonts. The same input gives the same
// bytes, in any process and at any time. It knows no database, no queue, no clock and no rule of dunning: it shows the
// amounts, dates and lines that it gets.
package pdf

import (
	"compress/zlib"
	"fmt"
	"strconv"

	"purr/models"
)

// The page is A4; all lengths are millimetres from its upper left corner. A PDF has points from the lower left one.
const (
	pageWidth  = 595.28 // points
	pageHeight = 841.89 // points
	left       = 20.0
	right      = 190.0
	firstTop   = 92.0  // where the content of the first page begins at the earliest, below the window of the envelope
	otherTop   = 30.0  // where it begins on the other pages
	lowest     = 274.0 // where it ends
	footerLine = 281.0
	footGap    = 1.2 // below the creditor's text, above its name and how it is reached
)

// shade is a grey or a colour, as the operands of a PDF's operator for colours.
type shade string

var (
	black    = colour(20, 24, 31)
	grey     = colour(96, 103, 115)
	accent   = colour(24, 62, 108)
	hairline = colour(196, 202, 211)
	ground   = colour(240, 243, 247)

	warningShade = colour(178, 34, 34)
)

func colour(red, green, blue float64) shade {
	return shade(fmt.Sprintf("%.3f %.3f %.3f", red/255, green/255, blue/255))
}

// heading is what the pages and the file's properties show about a document.
type heading struct {
	creditor models.Creditor
	logo     *Logo  // nil if there is none
	title    string // "Faktura"
	term     string // the Norwegian term, where another language needs it
	name     string // "Faktura 1001"; a notice has the number of its invoice
	date     models.Date
	language *language
	preview  bool // it was not issued, and each page says so
}

// numbered returns the name of a document that has a number.
func numbered(title string, number int64) string { return fmt.Sprintf("%s %d", title, number) }

// document is a document while it is drawn.
type document struct {
	heading

	fonts    *fonts
	alphabet int      // the first that has the characters of all texts so far
	pages    [][]byte // what is drawn on each, as operators of a PDF (ISO 32000-1, annex A)
	page     int      // of pages, the one that is drawn on
	y        float64  // where the next block begins
	bottom   float64  // where the content of this page ends
	foot     []string // the lines of the creditor's text at the foot of every page
	lift     float64  // their height, by which all that stands above them is higher
}

// render draws a document: the content and then the footers, which show the number of pages. If the usual fonts lack a
// character of it, it is drawn again in the wide ones.
func render(h heading, draw func(*document)) ([]byte, error) {
	d, err := drawn(h, prepared, draw)
	if err == nil && d.alphabet == d.fonts.missing.alphabet {
		d, err = drawn(h, wideFonts, draw)
	}
	if err != nil {
		return nil, fmt.Errorf("pdf: %w", err)
	}
	file, err := d.file()
	if err != nil {
		return nil, fmt.Errorf("pdf: %s: %w", h.name, err)
	}
	return file, nil
}

// drawn returns a document that is drawn in some fonts.
func drawn(h heading, in func() (*fonts, error), draw func(*document)) (*document, error) {
	d, err := newDocument(h, in)
	if err != nil {
		return nil, err
	}
	draw(d)
	d.footers()
	return d, nil
}

// newDocument returns a document with an empty first page.
func newDocument(h heading, in func() (*fonts, error)) (*document, error) {
	f, err := in()
	if err != nil {
		return nil, err
	}
	d := &document{heading: h, fonts: f, pages: [][]byte{nil}, y: firstTop}
	if legible(h.creditor.FooterText) != "" {
		d.foot = d.wrap(h.creditor.FooterText, right-left, smallStyle)
		d.lift = float64(len(d.foot))*smallStyle.leading() + footGap
	}
	d.bottom = lowest - d.lift
	return d, nil
}

// file returns the document as a file.
func (d *document) file() ([]byte, error) {
	compressor := compressors.Get().(*zlib.Writer) //nolint:errcheck // the pool holds no others
	defer compressors.Put(compressor)
	const frame = 1 << 10 // about the bytes of a page, and of the end of the file, beside what is drawn
	contents, size := make([][]byte, len(d.pages)), frame
	for i, page := range d.pages {
		var err error
		if contents[i], err = compressed(page, compressor); err != nil {
			return nil, err
		}
		size += len(contents[i]) + frame
	}
	cut, err := d.fonts.cuts[d.alphabet]()
	if err != nil {
		return nil, err
	}
	f := cut.file.with(size)
	first := "" // what the first page names itself, where it has the logo
	if d.logo != nil {
		first = "\n/Resources <<" + d.logo.resources(&f, cut.names) + ">>"
	}
	tree := len(f.offsets) + 2*len(contents) + 1 // the object that follows those of the pages
	kids := ""
	for _, content := range contents {
		page := f.object(fmt.Sprintf("<</Type /Page\n/Parent %d 0 R\n/Contents %d 0 R%s>>", tree, len(f.offsets)+2, first))
		first = ""
		f.stream("/Filter /FlateDecode", content)
		kids += fmt.Sprintf("%d 0 R ", page)
	}
	f.object(fmt.Sprintf("<</Type /Pages\n/Kids [%s]\n/Count %d\n/MediaBox [0 0 %.2f %.2f]\n/Resources %d 0 R>>",
		kids, len(contents), pageWidth, pageHeight, cut.resources))
	day := "(D:" + d.date.Time().Format("20060102150405") + ")"
	info := f.object(fmt.Sprintf("<</Producer %s\n/Title %s\n/Author %s\n/CreationDate %s\n/ModDate %s>>",
		property("purr"), property(d.name), property(d.creditor.Name), day, day))
	catalog := f.object(fmt.Sprintf("<</Type /Catalog\n/Pages %d 0 R\n/Lang (%s)>>", tree, d.language.tag))
	return f.end(catalog, info), nil
}

// draw draws on the page: an operator, after its operands.
func (d *document) draw(operator string, operands ...float64) {
	page := d.pages[d.page]
	for _, o := range operands {
		page = append(strconv.AppendFloat(page, o, 'f', 2, 64), ' ')
	}
	d.pages[d.page] = append(append(page, operator...), '\n')
}

// line draws a horizontal line.
func (d *document) line(x, y, end float64, s shade) {
	d.draw(string(s) + " RG")
	d.draw("w", 0.2/mm)
	d.draw("m", x/mm, pageHeight-y/mm)
	d.draw("l S", end/mm, pageHeight-y/mm)
}

// rule draws a horizontal line from x to the right margin.
func (d *document) rule(x, y float64, s shade) { d.line(x, y, right, s) }

// area fills a rectangle.
func (d *document) area(x, y, width, height float64, s shade) {
	d.draw(string(s) + " rg")
	d.draw("re f", x/mm, pageHeight-y/mm, width/mm, -height/mm)
}

// need begins a new page if this one lacks room for the height. It reports whether it did.
func (d *document) need(height float64) bool {
	if d.y+height <= d.bottom {
		return false
	}
	d.turn()
	return true
}

// turn begins a new page.
func (d *document) turn() {
	d.pages, d.page = append(d.pages, nil), len(d.pages)
	d.y, d.bottom = otherTop, lowest-d.lift
	head := d.name + " · " + d.creditor.Name
	d.text(left, 19, head, d.fit(head, right-left, labelStyle))
	d.rule(left, 22, hairline)
}
