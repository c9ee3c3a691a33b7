package pdf

import (
	"fmt"
	"strings"

	"purr/models"
)

const (
	addressTop    = 50.0  // the window of the envelope, measured from the top of the page
	addressBottom = 86.0  // where it ends
	addressWidth  = 88.0  // from the left margin
	factsLeft     = 122.0 // the column of the title and the facts
)

// fact is a labelled value beside the address.
type fact struct{ label, value string }

// letterhead draws the top of the first page: the sender, the recipient, the title and the facts. It skips facts without
// a value.
func (d *document) letterhead(to models.Recipient, facts ...fact) {
	d.sender()
	d.block(addressLines(to), addressTop, addressBottom, bodyStyle.sized(10.5))
	d.text(factsLeft, 23, d.title, d.fit(d.title, right-factsLeft, style{bold, 22, accent}))
	y := 36.0
	for _, f := range facts {
		if f.value == "" {
			continue
		}
		d.text(factsLeft, y, f.label, labelStyle)
		room := right - factsLeft - d.width(f.label, labelStyle) - 3
		if d.width(f.value, bodyStyle) > room { // a line of its own is better than smaller letters
			y, room = y+4.4, right-factsLeft
		}
		d.textRight(right, y, room, f.value, bodyStyle)
		y += 5.4
	}
}

// sender draws the creditor's name, address and organisation number. MVA follows the number of a creditor that is
// registered for VAT (bokføringsforskriften § 5-1-2).
func (d *document) sender() {
	c := d.creditor
	end := d.block([]string{c.Name}, 14, 26, style{bold, 13, black})
	lines := postal(c.Address1, c.Address2, c.PostalCode, c.PostalName)
	if c.OrganisationNumber != "" {
		number := d.language.organisationNumber + " " + organisation(c.OrganisationNumber)
		if c.VATRegistered {
			number += "\u00A0MVA"
		}
		if registered(c.Name) {
			number += "  Foretaksregisteret"
		}
		lines = append(lines, number)
	}
	d.block(lines, end+0.8, addressTop-3, labelStyle)
}

// block draws lines in the address column from top on, in a size that makes them end above bottom. It returns the
// position of their end.
func (d *document) block(lines []string, top, bottom float64, st style) float64 {
	var broken []string
	for ; ; st.size-- {
		broken = broken[:0]
		for _, line := range lines {
			broken = append(broken, d.wrap(line, addressWidth, st)...)
		}
		if top+float64(len(broken))*st.leading() <= bottom || st.size < 6 {
			break
		}
	}
	for _, line := range broken {
		top += st.leading()
		d.text(left, top, line, st)
	}
	return top
}

// addressLines returns the recipient as written on an envelope.
func addressLines(r models.Recipient) []string {
	lines := []string{r.Name1}
	if r.Name2 != "" {
		lines = append(lines, r.Name2)
	}
	lines = append(lines, postal(r.Address1, r.Address2, r.PostalCode, r.PostalName)...)
	if name := country(r.CountryCode); name != "" {
		lines = append(lines, name)
	}
	return lines
}

func postal(address1, address2, code, place string) []string {
	var lines []string
	for _, line := range []string{address1, address2, strings.TrimSpace(code + " " + place)} {
		if line != "" {
			lines = append(lines, line)
		}
	}
	return lines
}

// registered reports whether a business of this name is in the Register of Business Enterprises. It must then have the
// register's name on its documents (bokføringsforskriften § 5-1-2).
func registered(name string) bool {
	for _, word := range strings.Fields(name) {
		switch strings.ToUpper(word) {
		case "AS", "ASA", "NUF":
			return true
		}
	}
	return false
}

// contact returns where a customer can write to the creditor: the e-mail address, or else the postal address.
func contact(c models.Creditor) string {
	if c.Email != "" {
		return c.Email
	}
	return strings.Join(append([]string{c.Name}, postal(c.Address1, c.Address2, c.PostalCode, c.PostalName)...), ", ")
}

// footers draws the footer of every page.
func (d *document) footers() {
	pages := d.pdf.PageCount()
	for n := 1; n <= pages; n++ {
		d.pdf.SetPage(n)
		d.style = style{} // the page's last style is not known
		d.rule(left, footerLine, hairline)
		from := d.creditor.Name
		if d.creditor.Email != "" {
			from += "  ·  " + d.creditor.Email
		}
		d.text(left, footerLine+4, from, d.fit(from, 140, smallStyle))
		d.textRight(right, footerLine+4, 28, fmt.Sprintf(d.language.page, n, pages), smallStyle)
	}
}

// country returns the last line of an address abroad: the country's name in English and in capital letters, as the
// Universal Postal Union recommends, or else the code. It is empty for Norway.
func country(code string) string {
	switch code {
	case "", "NO":
		return ""
	}
	if name, ok := countries[code]; ok {
		return name
	}
	return code
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
