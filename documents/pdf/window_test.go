package pdf

import (
	"fmt"
	"strings"
	"testing"

	"purr/models"
)

// box is a rectangle on the page, in millimetres from its upper left corner.
type box struct{ left, top, right, bottom float64 }

func (b box) meets(o box) bool {
	return b.left < o.right && o.left < b.right && b.top < o.bottom && o.top < b.bottom
}

func (b box) contains(o box) bool {
	return b.left <= o.left && o.right <= b.right && b.top <= o.top && o.bottom <= b.bottom
}

// windows are those of envelopes that Norwegian letters go in, measured from the envelope's edges.
var windows = map[string]box{
	"E65": {15, 40, 110, 70},
	"C5":  {15, 44, 120, 79},
}

// shift is how far a sheet may lie lower or farther right in its envelope without a sign of anything else in the window.
const shift = 3.0

// extent returns the room that a text takes, with its accents and what reaches below the line. It takes all letters for
// bold ones, which are wider.
func (d drawnText) extent(measure *document) box {
	high := d.size * mm
	return box{d.x, d.y - 0.95*high, d.x + measure.width(d.text, style{bold, d.size, black}), d.y + 0.22*high}
}

// ruler returns a document that measures texts.
func ruler(t testing.TB) *document {
	t.Helper()
	d, err := newDocument(heading{language: &bokmaal}, prepared)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// TestL13TheWindowsShowTheRecipientAlone measures the place of the address of every sample: in the windows of E65 and C5
// stands the whole address, and nothing else, also when the sheet lies a bit lower or farther right.
func TestL13TheWindowsShowTheRecipientAlone(t *testing.T) {
	t.Parallel()
	measure := ruler(t)
	for _, s := range samples {
		if s.name == "audit" {
			continue // it is handed over, and is no letter
		}
		for _, language := range s.languages {
			file, err := s.draw(language)
			if err != nil {
				t.Fatal(err)
			}
			inWindows(t, measure, s.name+"_"+language, file)
		}
	}
}

// TestL13AddressesOfEveryLength draws addresses of up to seven lines, and the longest that there can be.
func TestL13AddressesOfEveryLength(t *testing.T) {
	t.Parallel()
	measure, in := ruler(t), plainInvoice("nb")
	in.Creditor = longInvoice("nb").Creditor
	all := models.Recipient{
		Name1: "Stiftelsen for bevaring av kulturlandskapet på Jæren og i Ryfylke", Name2: "att. økonomiavdelingen", Address1: "Ålgårdsveien 7 B, inngang Åsgata", Address2: "Postboks 4711 Øvre Bjørkåsen",
		PostalCode: "SE-411 05", PostalName: "GÖTEBORG", CountryCode: "SE",
	}
	for lines, r := range map[int]models.Recipient{
		3:  {Name1: "Ærlig Næss", Address1: all.Address1, PostalCode: "4330", PostalName: "ÅLGÅRD"},
		5:  {Name1: all.Name2, Name2: all.Name2, Address1: all.Address1, Address2: all.Address2, PostalCode: "4330", PostalName: "ÅLGÅRD"},
		7:  all,
		10: longRecipient(),
	} {
		in.Invoice.Recipient = r
		file, err := Invoice(in)
		if err != nil {
			t.Fatal(err)
		}
		if got := inWindows(t, measure, fmt.Sprint(lines, " lines"), file); got < lines {
			t.Errorf("the address has %d lines, want %d", got, lines)
		}
	}
}

// inWindows checks the first page and returns the number of lines in the windows.
func inWindows(t *testing.T, measure *document, name string, file []byte) (lines int) {
	t.Helper()
	var size float64
	for _, d := range texts(t, file) {
		if d.page != 1 {
			break
		}
		if strings.TrimSpace(d.text) == "" {
			continue
		}
		at, isAddress := d.extent(measure), false
		for envelope, window := range windows {
			moved := box{window.left - shift, window.top - shift, window.right, window.bottom}
			if !at.meets(moved) {
				continue
			}
			isAddress = true
			if d.x < left-0.01 || d.x > left+0.01 || !window.contains(at) {
				t.Errorf("%s: %q takes %.1f of the window of %s, %.1f", name, d.text, at, envelope, window)
			}
		}
		if isAddress {
			lines++
			if size != 0 && d.size != size {
				t.Errorf("%s: %q has %.2f points, the line above %.2f", name, d.text, d.size, size)
			}
			size = d.size
		}
	}
	if lines < 3 {
		t.Errorf("%s: %d lines of address", name, lines)
	}
	return lines
}
