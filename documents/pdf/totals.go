package pdf

import (
	"slices"

	"purr/models"
)

const totalsLeft = 118.0 // where the sums begin, right of the VAT table

// vatSum is the totals of the lines of one VAT rate (bokføringsforskriften § 5-1-5).
type vatSum struct {
	percent  models.Percent
	net, vat models.Amount
}

// vatSums adds up the lines by VAT rate, highest rate first.
func vatSums(lines []models.Line) []vatSum {
	var sums []vatSum
	for _, line := range lines {
		i := slices.IndexFunc(sums, func(s vatSum) bool { return s.percent == line.VATPercent })
		if i < 0 {
			i = len(sums)
			sums = append(sums, vatSum{percent: line.VATPercent})
		}
		sums[i].net += line.Net
		sums[i].vat += line.Gross - line.Net
	}
	slices.SortFunc(sums, func(a, b vatSum) int { return int(b.percent - a.percent) })
	return sums
}

// totals are the totals below the lines: on the left for each VAT rate, on the right for all lines.
type totals struct {
	rates []vatSum // empty if VAT is not shown
	net   models.Amount
	gross models.Amount
	name  string // of the gross amount
}

const totalsStep = 5.0

func (t totals) height() float64 {
	if len(t.rates) == 0 {
		return 14
	}
	return max(24, 6+totalsStep*float64(len(t.rates)+1))
}

func (t totals) draw(d *document) {
	d.need(t.height())
	top := d.y + 4
	y := top
	if len(t.rates) > 0 {
		t.drawRates(d, top)
		for _, sum := range []fact{
			{d.language.netTotal, d.language.money(t.net)},
			{d.language.vat, d.language.money(t.gross - t.net)},
		} {
			y += totalsStep
			d.sum(y, sum.label, sum.value)
		}
		y += 2
		d.rule(totalsLeft, y, accent)
	}
	d.grandTotal(y+totalsStep+1, t.name, t.gross)
	d.y += t.height() + 4
}

// sum draws one total at y.
func (d *document) sum(y float64, name, amount string) {
	d.text(totalsLeft, y, name, bodyStyle)
	d.textRight(right, y, 40, amount, bodyStyle)
}

// grandTotal draws the amount to pay or credited at y.
func (d *document) grandTotal(y float64, name string, amount models.Amount) {
	strong := style{bold, 11.5, black}
	d.text(totalsLeft, y, name, strong)
	d.textRight(right, y, 48, "NOK "+d.language.money(amount), strong)
}

// drawRates draws the table of VAT rates. VAT is in NOK, whatever the currency of the sale (§ 5-1-1 number 6).
func (t totals) drawRates(d *document, y float64) {
	cells := func(rate, net, vat string, st style) {
		y += totalsStep
		d.text(left, y, rate, st)
		d.textRight(left+46, y, 28, net, st)
		d.textRight(left+76, y, 28, vat, st)
	}
	cells(d.language.vatRate, d.language.vatBase, d.language.vat+" (NOK)", labelStyle)
	for _, sum := range t.rates {
		cells(d.language.rate(sum.percent), d.language.money(sum.net), d.language.money(sum.vat), smallBodyStyle)
	}
}
