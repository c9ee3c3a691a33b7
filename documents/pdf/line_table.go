package pdf

import (
	"slices"

	"purr/models"
)

const (
	largest   = 9.0  // points of a table's text
	smallest  = 6.75 // to which it shrinks before the table goes on to another page
	shrinking = 0.75
	gap       = 5.0  // between columns
	widest    = 34.0 // of a column of numbers
	padding   = 1.1  // above and below the text of a row
)

// column is a column of numbers of the lines' table.
type column struct {
	title string
	cell  func(models.Line) string
}

// lineTable is the lines of an invoice or credit note, ready to be drawn.
type lineTable struct {
	style  style
	ends   []float64 // where each column of numbers ends
	widths []float64
	titles []string
	rows   []lineRow
	height float64 // of all rows, the titles included
}

// uncarried is how many lines a table may have without carrying sums from page to page: more than these are seldom on one (rule L28).
const uncarried = 8

// lineRow is one line: its text, broken, and its numbers, one for each column.
type lineRow struct {
	text    []string
	numbers []string
	net     models.Amount
}

// lineColumns returns the columns that the lines need. A creditor outside the VAT register shows no VAT.
func (d *document) lineColumns(lines []models.Line) []column {
	l := d.language
	columns := []column{
		{l.quantity, func(line models.Line) string { return l.number(line.NumItems.String()) }},
		{l.unitPrice, func(line models.Line) string { return l.number(line.UnitPrice.String()) }},
	}
	if slices.ContainsFunc(lines, func(line models.Line) bool { return line.Discount != nil && *line.Discount != 0 }) {
		columns = append(columns, column{l.discount, func(line models.Line) string {
			if line.Discount == nil {
				return ""
			}
			return l.rate(*line.Discount)
		}})
	}
	net := func(line models.Line) string { return l.money(line.Net) }
	if !d.showsVAT(lines) {
		return append(columns, column{l.amount, net})
	}
	vat := func(line models.Line) string { return l.rate(line.VATPercent) }
	return append(columns, column{l.vat, vat}, column{l.netAmount, net})
}

func (d *document) showsVAT(lines []models.Line) bool {
	return d.creditor.VATRegistered || slices.ContainsFunc(lines, func(line models.Line) bool { return line.Gross != line.Net })
}

// fitLines lays the lines out in the largest size that leaves room on the page for the totals and the note, or at
// least for the totals. If no size does, the lines continue on another page.
func (d *document) fitLines(lines []models.Line, totals, note float64) lineTable {
	columns := d.lineColumns(lines)
	least := lineTable{style: bodyStyle.sized(smallest)}.rowHeight(1)
	if d.y+float64(len(lines)+1)*least+totals > d.bottom { // no size does
		return d.layOut(lines, columns, largest)
	}
	for _, below := range []float64{totals + note, totals} {
		for size := largest; size >= smallest; size -= shrinking {
			if t := d.layOut(lines, columns, size); d.y+t.height+below <= d.bottom {
				return t
			}
		}
	}
	return d.layOut(lines, columns, largest)
}

// layOut makes the columns of numbers as wide as necessary, and breaks the lines' texts to the remaining width.
func (d *document) layOut(lines []models.Line, columns []column, size float64) lineTable {
	t := lineTable{style: bodyStyle.sized(size), rows: make([]lineRow, len(lines))}
	end := right
	t.ends, t.widths = make([]float64, len(columns)), make([]float64, len(columns))
	for i, c := range slices.Backward(columns) {
		width := d.width(c.title, t.titleStyle())
		for _, line := range lines {
			width = max(width, d.width(c.cell(line), t.style))
		}
		if i == len(columns)-1 && len(lines) > uncarried {
			width = max(width, d.width(d.language.money(netOf(lines)), style{bold, size, black}))
		}
		t.ends[i], t.widths[i] = end, min(width, widest)
		end -= t.widths[i] + gap
	}
	for _, c := range columns {
		t.titles = append(t.titles, c.title)
	}
	t.height = t.rowHeight(1)
	for i, line := range lines {
		t.rows[i].net = line.Net
		t.rows[i].text = d.wrap(line.Text, end-left, t.style)
		for _, c := range columns {
			t.rows[i].numbers = append(t.rows[i].numbers, c.cell(line))
		}
		t.height += t.rowHeight(len(t.rows[i].text))
	}
	return t
}

// netOf returns what lines come to without VAT.
func netOf(lines []models.Line) (sum models.Amount) {
	for _, line := range lines {
		sum += line.Net
	}
	return sum
}

func (t lineTable) titleStyle() style { return style{bold, t.style.size, accent} }

func (t lineTable) rowHeight(lines int) float64 {
	return float64(lines)*t.style.leading() + 2*padding
}

// draw draws the table from d.y on, with the titles on top of each page.
func (t lineTable) draw(d *document) {
	t.drawTitles(d)
	carried := models.Amount(0)
	for _, row := range t.rows {
		t.reserve(d, t.rowHeight(min(len(row.text), 3)), carried)
		d.y += padding
		for i, line := range row.text {
			if i > 0 {
				t.reserve(d, t.style.leading()+padding, carried)
			}
			d.y += t.style.leading()
			d.text(left, d.y, line, t.style)
			if i == 0 {
				t.drawNumbers(d, row.numbers, t.style)
				carried += row.net
			}
		}
		d.y += padding
		d.rule(left, d.y+padding/2, hairline)
	}
}

// reserve begins a new page with titles unless there is room for the height on this one. A table of many lines says at the end of a
// page, and on top of the next one, what the lines until there come to.
func (t lineTable) reserve(d *document, height float64, carried models.Amount) {
	if len(t.rows) <= uncarried {
		if d.need(height) {
			t.drawTitles(d)
		}
		return
	}
	if d.y+height+t.rowHeight(1) <= d.bottom {
		return
	}
	if carried != 0 {
		t.drawCarried(d, d.language.carriedForward, carried)
	}
	d.turn()
	t.drawTitles(d)
	if carried != 0 {
		t.drawCarried(d, d.language.broughtForward, carried)
	}
}

// drawCarried draws what the lines of the pages until there come to, as a row of the table.
func (t lineTable) drawCarried(d *document, name string, net models.Amount) {
	d.y += padding + t.style.leading()
	last, st := len(t.ends)-1, style{bold, t.style.size, black}
	d.text(left, d.y, name, st)
	d.textRight(t.ends[last], d.y, t.widths[last], d.language.money(net), st)
	d.y += padding
	d.rule(left, d.y+padding/2, hairline)
}

func (t lineTable) drawTitles(d *document) {
	d.y += padding + t.style.leading()
	d.text(left, d.y, d.language.description, t.titleStyle())
	t.drawNumbers(d, t.titles, t.titleStyle())
	d.y += padding
	d.rule(left, d.y+padding/2, accent)
}

// drawNumbers draws the columns of numbers beside the text at d.y.
func (t lineTable) drawNumbers(d *document, numbers []string, st style) {
	for i, s := range numbers {
		d.textRight(t.ends[i], d.y, t.widths[i], s, st)
	}
}
