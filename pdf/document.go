// Package pdf draws invoices, credit notes and notices as PDF files with embedded fonts. The same input gives the same
// bytes, in any process and at any time. It knows no database, no queue, no clock and no rule of dunning: it shows the
// amounts, dates and lines that it gets.
package pdf

import (
	"bytes"
	"fmt"

	"codeberg.org/go-pdf/fpdf"

	"purr/models"
)

// The page is A4; all lengths are millimetres from its upper left corner.
const (
	left       = 20.0
	right      = 190.0
	firstTop   = 92.0  // where the content of the first page begins at the earliest, below the window of the envelope
	otherTop   = 30.0  // where it begins on the other pages
	lowest     = 274.0 // where it ends
	footerLine = 281.0
)

// shade is a grey or a colour.
type shade struct{ r, g, b int }

var (
	black    = shade{20, 24, 31}
	grey     = shade{96, 103, 115}
	accent   = shade{24, 62, 108}
	hairline = shade{196, 202, 211}
	ground   = shade{240, 243, 247}
)

// heading is what the pages and the file's properties show about a document.
type heading struct {
	creditor models.Creditor
	title    string // "Faktura"
	term     string // the Norwegian term, where another language needs it
	name     string // "Faktura 1001"; a notice has the number of its invoice
	date     models.Date
	language *language
}

// numbered returns the name of a document that has a number.
func numbered(title string, number int64) string { return fmt.Sprintf("%s %d", title, number) }

// document is a document while it is drawn.
type document struct {
	heading

	pdf     *fpdf.Fpdf
	wide    bool    // its fonts have all of Unicode, not just the code page
	lacking bool    // the document needs a character that the code page lacks
	y       float64 // where the next block begins
	bottom  float64 // where the content of this page ends
	style   style   // the style set last
}

// render draws a document with the fonts of the code page. If these lack a character, it draws the document again
// with Unicode fonts.
func render(h heading, draw func(*document)) ([]byte, error) {
	faces, err := fonts()
	if err != nil {
		return nil, fmt.Errorf("pdf: %w", err)
	}
	d := newDocument(h, faces, false)
	d.draw(draw)
	if d.lacking {
		d = newDocument(h, faces, true)
		d.draw(draw)
	}
	var out bytes.Buffer
	if err := d.pdf.Output(&out); err != nil {
		return nil, fmt.Errorf("pdf: %s: %w", h.name, err)
	}
	return out.Bytes(), nil
}

func newDocument(h heading, faces []font, wide bool) *document {
	p := fpdf.New("P", "mm", "A4", "")
	p.SetAutoPageBreak(false, 0)
	p.SetCatalogSort(true)
	p.SetCreationDate(h.date.Time())
	p.SetModificationDate(h.date.Time())
	p.SetLang(h.language.tag)
	p.SetTitle(h.name, true)
	p.SetAuthor(legible(h.creditor.Name), true)
	p.SetProducer("purr", true)
	for _, f := range faces {
		f.embed(p, wide)
	}
	return &document{heading: h, pdf: p, wide: wide, y: firstTop, bottom: lowest}
}

// draw draws the content and then the footers, which show the number of pages.
func (d *document) draw(content func(*document)) {
	d.pdf.AddPage()
	content(d)
	d.footers()
}

// rule draws a horizontal line from x to the right margin.
func (d *document) rule(x, y float64, s shade) {
	d.pdf.SetDrawColor(s.r, s.g, s.b)
	d.pdf.SetLineWidth(0.2)
	d.pdf.Line(x, y, right, y)
}

// area fills a rectangle.
func (d *document) area(x, y, width, height float64, s shade) {
	d.pdf.SetFillColor(s.r, s.g, s.b)
	d.pdf.Rect(x, y, width, height, "F")
}

// need begins a new page if this one lacks room for the height. It reports whether it did.
func (d *document) need(height float64) bool {
	if d.y+height <= d.bottom {
		return false
	}
	d.pdf.AddPage()
	d.y, d.bottom = otherTop, lowest
	head := d.name + " · " + d.creditor.Name
	d.text(left, 19, head, d.fit(head, right-left, labelStyle))
	d.rule(left, 22, hairline)
	return true
}
