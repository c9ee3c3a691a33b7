package pdf

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	qr "github.com/piglig/go-qr"
)

const (
	codeWidth  = 20.0 // the least width of a QR code
	moduleSize = 0.5  // the least width of each of its modules
	light      = 4    // modules around it, in which nothing is drawn (ISO/IEC 18004, section 6.3.8)
	hanging    = 0.8  // how far the last line above a strip reaches below its baseline
)

// pageStrip is what a document says of the debtor's page: an offer, with the page's address as a QR code and in letters (rule W1).
type pageStrip struct {
	address string     // without https://
	code    *qr.QrCode // nil if there is no page
	module  float64    // points
	offer   pageOffer
}

// pageOffer is the words of a strip: a title, and what can be done on the page.
type pageOffer struct{ title, what string }

// stripOf returns the strip with the page's address; for no address one without a code, which draws nothing. It fails if no QR code can hold the address.
func stripOf(page string, offer pageOffer) (pageStrip, error) {
	if page == "" {
		return pageStrip{}, nil
	}
	code, err := encoded(page)
	if err != nil {
		return pageStrip{}, fmt.Errorf("pdf: the address of the debtor's page: %w", err)
	}
	module := max(codeWidth/float64(code.Size()), moduleSize) / mm
	module = math.Ceil(module*100) / 100 // as exactly as draw writes it
	return pageStrip{strings.TrimPrefix(page, "https://"), code, module, offer}, nil
}

// encoded returns an address as a QR code. Of the eight masks it takes one for all: a token is random, so that no mask suits it much better, and to
// try all of them takes half as long as to draw an invoice.
func encoded(address string) (*qr.QrCode, error) {
	const mask = 2
	segments, err := qr.MakeSegments(address)
	if err != nil {
		return nil, err
	}
	return qr.EncodeSegments(segments, qr.Medium, qr.MinVersion, qr.MaxVersion, mask, true)
}

// strip draws the strip close above the payment box, or where that would end, and keeps other content above it. It must be called while the
// first page is drawn, after the payment box. It takes no more height than it must: many letters have just room for it.
func (d *document) strip(s pageStrip) {
	if s.code == nil {
		return
	}
	width, edge := s.module*float64(s.code.Size())*mm, s.module*light*mm
	top := d.bottom + boxGap - edge - width
	d.code(left, top, s)
	x := left + width + edge + 3
	y := top + (width-codeWidth)/2 + 5.5
	title := boldStyle.sized(10.5)
	title.shade = accent
	d.text(x, y, s.offer.title, d.fit(s.offer.title, right-x, title))
	d.text(x, y+5, s.offer.what, d.fit(s.offer.what, right-x, bodyStyle))
	d.text(x, y+11, s.address, d.fit(s.address, right-x, bodyStyle.sized(11)))
	d.bottom = top - edge - hanging
}

// code draws a QR code as one shape: a rectangle for each run of dark modules in a row.
func (d *document) code(x, y float64, s pageStrip) {
	d.draw("q")
	d.draw("0 0 0 rg")
	d.draw("cm", s.module, 0, 0, -s.module, x/mm, pageHeight-y/mm) // a module is one unit, downwards
	size := s.code.Size()
	page := d.pages[d.page]
	for row := range size {
		for first := 0; first < size; first++ {
			end := first
			for end < size && s.code.Module(end, row) {
				end++
			}
			if end == first {
				continue
			}
			for _, n := range [...]int{first, row, end - first} {
				page = append(strconv.AppendInt(page, int64(n), 10), ' ')
			}
			page = append(page, "1 re\n"...)
			first = end
		}
	}
	d.pages[d.page] = page
	d.draw("f")
	d.draw("Q")
}
