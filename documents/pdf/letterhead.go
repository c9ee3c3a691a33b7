package pdf

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"purr/models"
)

// Both windows of Norwegian envelopes show the strip from 44 to 70 mm: that of E65 from 40 mm on, that of C5 until 79 mm.
// They begin 15 mm from the left edge and end at 110 and at 120 mm. What else stands there keeps some millimetres away,
// because a sheet moves in its envelope.
const (
	senderTop     = 12.0
	senderBottom  = 36.0 // 4 mm above the windows
	senderWidth   = 100.0
	addressTop    = 46.0
	addressBottom = 70.0
	addressWidth  = 80.0 // from the left margin
	factsLeft     = 125.0
	factsTop      = 36.0
	factStep      = 5.2
)

// previewTop is where a page says that it is a preview: above the title, and above the head of later pages.
const previewTop = 13.0

// fact is a labelled value beside the address.
type fact struct{ label, value string }

// letterhead draws the top of the first page: the sender, the recipient, the title and the facts. It skips facts without
// a value. The content begins below.
func (d *document) letterhead(to models.Recipient, facts ...fact) {
	x, width := d.drawLogo()
	d.stack(x, senderTop, senderBottom, width, 1.32, d.sender()...)
	d.stack(left, addressTop, addressBottom, addressWidth, 1.2, addressLines(to)...)
	d.foldMarks()
	d.text(factsLeft, 23, d.title, d.fit(d.title, right-factsLeft, style{bold, 22, accent}))
	if d.term != "" {
		d.text(factsLeft, 29, "("+d.term+")", style{regular, 11, accent})
	}
	y := factsTop
	for _, f := range facts {
		if legible(f.value) == "" {
			continue
		}
		d.text(factsLeft, y, f.label, labelStyle)
		room := right - factsLeft - d.width(f.label, labelStyle) - 3
		if d.width(f.value, bodyStyle) <= room {
			d.textRight(right, y, room, f.value, bodyStyle)
		} else { // lines of its own are better than smaller letters
			for _, line := range d.wrap(f.value, right-factsLeft, bodyStyle) {
				y += bodyStyle.leading()
				d.text(factsLeft, y, line, bodyStyle)
			}
		}
		y += factStep
	}
	d.y = max(firstTop, y+5)
}

// piece is a text with its style.
type piece struct {
	text  string
	style style
}

// sender returns the creditor's name, address and organisation number. MVA follows the number of a creditor that is
// registered for VAT (bokføringsforskriften § 5-1-2).
func (d *document) sender() []piece {
	c := d.creditor
	pieces := []piece{{c.Name, style{bold, 13, black}}}
	for _, line := range postal(c.Address1, c.Address2, c.PostalCode, c.PostalName) {
		pieces = append(pieces, piece{line, labelStyle})
	}
	var register []string
	if c.OrganisationNumber != "" {
		number := d.language.organisationNumber + " " + organisation(c.OrganisationNumber)
		if c.VATRegistered {
			number += "\u00A0MVA"
		}
		register = append(register, number)
	}
	if c.InBusinessRegister() {
		register = append(register, "Foretaksregisteret")
	}
	if len(register) > 0 {
		pieces = append(pieces, piece{strings.Join(register, "  "), labelStyle})
	}
	return pieces
}

// stack draws texts from x and top on, smaller if they would not end above bottom. The spacing is the height
// of a line in sizes of its letters.
func (d *document) stack(x, top, bottom, width, spacing float64, pieces ...piece) {
	var lines []piece
	for scale := 1.0; ; {
		lines = lines[:0]
		height := 0.0
		for _, p := range pieces {
			p.style.size *= scale
			for _, line := range d.wrap(p.text, width, p.style) {
				lines = append(lines, piece{line, p.style})
				height += p.style.size * mm * spacing
			}
		}
		if height <= bottom-top {
			break
		}
		scale *= min(0.98, math.Sqrt((bottom-top)/height)) // smaller letters need less height and fewer lines
	}
	for _, line := range lines {
		size := line.style.size * mm
		top += size * spacing
		d.text(x, top-size*(descent+(spacing-ascent-descent)/2), line.text, line.style)
	}
}

// How far letters reach above and below their line, in sizes.
const ascent, descent = 0.71, 0.21

// folds are where the sheet is folded: the upper of two folds for E65, and the one for C5.
var folds = []float64{99, 148.5}

// foldMarks draws short lines at the folds.
func (d *document) foldMarks() {
	for _, y := range folds {
		d.line(6, y, 9, hairline)
	}
}

// addressLines returns the recipient as written on an envelope.
func addressLines(r models.Recipient) []piece {
	lines := append([]string{r.Name1, r.Name2}, postal(r.Address1, r.Address2, r.PostalCode, r.PostalName)...)
	var pieces []piece
	for _, line := range append(lines, country(r.CountryCode)) {
		if legible(line) != "" {
			pieces = append(pieces, piece{line, bodyStyle.sized(10.5)})
		}
	}
	return pieces
}

func postal(address1, address2, postalCode, place string) []string {
	var lines []string
	for _, line := range []string{address1, address2, strings.TrimSpace(postalCode + " " + place)} {
		if legible(line) != "" {
			lines = append(lines, line)
		}
	}
	return lines
}

// contact returns where a customer reaches the creditor: the e-mail address, or else the postal address, and the
// telephone.
func (d *document) contact() string {
	c := d.creditor
	ways := []string{c.Email}
	if c.Email == "" {
		ways = append([]string{c.Name}, postal(c.Address1, c.Address2, c.PostalCode, c.PostalName)...)
	}
	if c.Phone != "" {
		ways = append(ways, d.language.telephone+"\u00A0"+strings.ReplaceAll(c.Phone, " ", "\u00A0"))
	}
	return strings.Join(ways, ", ")
}

// footers draws the footer of every page.
func (d *document) footers() {
	parts := slices.DeleteFunc([]string{d.creditor.Name, d.creditor.Email, d.creditor.Phone, d.creditor.Website}, func(s string) bool { return legible(s) == "" })
	from := strings.Join(parts, "  ·  ")
	for d.page = range d.pages {
		if d.preview {
			d.text(factsLeft, previewTop, d.language.preview, d.fit(d.language.preview, right-factsLeft, style{bold, 10, warningShade}))
		}
		d.rule(left, footerLine-d.lift, hairline)
		for i, line := range d.foot {
			d.text(left, footerLine-d.lift+1.7+float64(i+1)*smallStyle.leading(), line, smallStyle)
		}
		d.stack(left, footerLine+1.7, footerLine+8.5, 140, 1.25, piece{from, smallStyle})
		d.textRight(right, footerLine+4, 28, fmt.Sprintf(d.language.page, d.page+1, len(d.pages)), smallStyle)
	}
}

// country returns the last line of an address abroad: the country's name in English and in capital letters, as the
// Universal Postal Union recommends, or else the code. It is empty for Norway.
func country(of string) string {
	switch of {
	case "", "NO":
		return ""
	}
	if name, ok := countries[of]; ok {
		return name
	}
	return of
}

// countries are the countries to which Norwegian creditors mostly write.
var countries = map[string]string{
	"AT": "AUSTRIA", "AU": "AUSTRALIA", "AX": "ÅLAND", "BE": "BELGIUM", "BG": "BULGARIA", "BR": "BRAZIL", "CA": "CANADA",
	"CH": "SWITZERLAND", "CN": "CHINA", "CY": "CYPRUS", "CZ": "CZECH REPUBLIC", "DE": "GERMANY", "DK": "DENMARK",
	"EE": "ESTONIA", "ES": "SPAIN", "FI": "FINLAND", "FO": "FAROE ISLANDS", "FR": "FRANCE", "GB": "UNITED KINGDOM",
	"GL": "GREENLAND", "GR": "GREECE", "HR": "CROATIA", "HU": "HUNGARY", "IE": "IRELAND", "IN": "INDIA", "IS": "ICELAND",
	"IT": "ITALY", "JP": "JAPAN", "LI": "LIECHTENSTEIN", "LT": "LITHUANIA", "LU": "LUXEMBOURG", "LV": "LATVIA",
	"MT": "MALTA", "NL": "NETHERLANDS", "NZ": "NEW ZEALAND", "PL": "POLAND", "PT": "PORTUGAL", "RO": "ROMANIA",
	"RS": "SERBIA", "SE": "SWEDEN", "SG": "SINGAPORE", "SI": "SLOVENIA", "SK": "SLOVAKIA", "TH": "THAILAND",
	"TR": "TURKEY", "UA": "UKRAINE", "US": "UNITED STATES OF AMERICA",
}
