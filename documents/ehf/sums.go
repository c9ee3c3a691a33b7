package ehf

import (
	"cmp"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"purr/models"
)

// VAT categories of UNCL 5305, as far as purr has them.
const (
	standardRated = "S"
	zeroRated     = "Z"
	exempt        = "E"
	notSubject    = "O" // the seller is not registered for VAT
)

// reasons say why categories are without VAT. The others must not say it.
var reasons = map[string]string{exempt: "Uten merverdiavgift", notSubject: "Ikke merverdiavgiftspliktig"}

// breakdown is what is taxed and what the tax is, by category and rate, in the order in which they came.
type breakdown []subtotal

type subtotal struct {
	category string
	percent  models.Percent
	net, tax models.Amount
}

func (v *breakdown) add(category string, percent models.Percent, net, tax models.Amount) {
	i := slices.IndexFunc(*v, func(s subtotal) bool { return s.category == category && s.percent == percent })
	if i < 0 {
		*v, i = append(*v, subtotal{category: category, percent: percent}), len(*v)
	}
	(*v)[i].net += net
	(*v)[i].tax += tax
}

// totals are the sums of a document that its lines do not have.
type totals struct {
	charges models.Amount // fees and interest
	prepaid models.Amount // what was paid or credited
	payable models.Amount // the ledger's
}

// categoryOf returns the VAT category of a line. A line without VAT is what it says itself, or else what the creditor
// says, or else exempt (rule L8).
func (b *builder) categoryOf(l models.Line) string {
	switch {
	case l.VATPercent > 0:
		return standardRated
	case !b.creditor.VATRegistered:
		return notSubject
	case cmp.Or(l.VATExemption, b.creditor.VATExemption) == models.VATZero:
		return zeroRated
	}
	return exempt
}

// lines adds the VAT, the totals and the lines, in this order. What the lines add up to is the ledger's to the øre: nothing
// is reckoned anew.
func (b *builder) lines(name, quantity string, lines []models.Line, t totals) {
	var net models.Amount
	var elements []*element
	for i, l := range lines {
		category := b.categoryOf(l)
		b.vat.add(category, l.VATPercent, l.Net, l.Gross-l.Net)
		net += l.Net
		elements = append(elements, lineOf(name, quantity, strconv.Itoa(i+1), category, l))
	}
	var tax models.Amount
	subtotals := make([]*element, len(b.vat))
	for i, s := range b.vat {
		tax += s.tax
		subtotals[i] = group("cac:TaxSubtotal", amount("cbc:TaxableAmount", s.net), amount("cbc:TaxAmount", s.tax),
			category("cac:TaxCategory", s.category, s.percent, reasons[s.category]))
	}
	b.root.add(group("cac:TaxTotal", append([]*element{amount("cbc:TaxAmount", tax)}, subtotals...)...))
	b.root.add(group("cac:LegalMonetaryTotal",
		amount("cbc:LineExtensionAmount", net), amount("cbc:TaxExclusiveAmount", net+t.charges), amount("cbc:TaxInclusiveAmount", net+t.charges+tax),
		amountUnlessZero("cbc:ChargeTotalAmount", t.charges), amountUnlessZero("cbc:PrepaidAmount", t.prepaid), amount("cbc:PayableAmount", t.payable)))
	b.root.add(elements...)
}

// lineOf returns a line. A price must not be negative, a quantity may: a negative price turns both. A discount is an
// allowance of the line.
func lineOf(name, quantity, id, vat string, l models.Line) *element {
	if l.UnitPrice < 0 {
		l.UnitPrice, l.NumItems = -l.UnitPrice, -l.NumItems
	}
	return group(name, leaf("cbc:ID", id), leaf(quantity, l.NumItems.String(), "unitCode", "C62"), amount("cbc:LineExtensionAmount", l.Net), discount(l),
		group("cac:Item", leaf("cbc:Name", oneLine(l.Text)), category("cac:ClassifiedTaxCategory", vat, l.VATPercent, "")),
		group("cac:Price", leaf("cbc:PriceAmount", l.UnitPrice.String(), "currencyID", currency)))
}

// discount returns the discount of a line as the difference of its net to what it would be without, or nil if it has none.
// That may be beyond what purr's amounts hold, where the discount is large.
func discount(l models.Line) *element {
	if l.Discount == nil || *l.Discount == 0 {
		return nil
	}
	// In ten-millionths of a krone, rounded half away from zero to øre.
	product := new(big.Int).Mul(big.NewInt(int64(l.UnitPrice)), big.NewInt(int64(l.NumItems)))
	base := new(big.Rat).SetFrac(product, big.NewInt(10_000_000)).FloatString(2)
	rounded, _ := new(big.Rat).SetString(base) // FloatString writes what SetString reads
	off := rounded.Sub(rounded, big.NewRat(int64(l.Net), 100)).FloatString(2)
	return group("cac:AllowanceCharge", leaf("cbc:ChargeIndicator", "false"), leaf("cbc:AllowanceChargeReasonCode", "95"),
		leaf("cbc:AllowanceChargeReason", "Rabatt"), leaf("cbc:MultiplierFactorNumeric", l.Discount.String()),
		leaf("cbc:Amount", off, "currencyID", currency), leaf("cbc:BaseAmount", base, "currencyID", currency))
}

// category returns a VAT category. What is not subject to VAT has no percent.
func category(name, id string, percent models.Percent, reason string) *element {
	rate := percent.String()
	if id == notSubject {
		rate = ""
	}
	return group(name, leaf("cbc:ID", id), leaf("cbc:Percent", rate), leaf("cbc:TaxExemptionReason", reason), group("cac:TaxScheme", leaf("cbc:ID", "VAT")))
}

func amount(name string, a models.Amount) *element {
	return leaf(name, a.String(), "currencyID", currency)
}

func amountUnlessZero(name string, a models.Amount) *element {
	if a == 0 {
		return nil
	}
	return amount(name, a)
}

// charges adds a notice's fees and interest, and returns their sum and what was paid or credited (rule H2a). A fee that was
// reversed is not there, of one that was reversed in part the rest. Interest is one charge of all that is left of it.
func (b *builder) charges(in ReminderInput) totals {
	var t totals
	charge := func(reasonCode, reason string, a models.Amount) {
		c := exempt
		if !b.creditor.VATRegistered {
			c = notSubject
		}
		t.charges += a
		b.vat.add(c, 0, a, 0)
		b.root.add(group("cac:AllowanceCharge", leaf("cbc:ChargeIndicator", "true"), leaf("cbc:AllowanceChargeReasonCode", reasonCode),
			leaf("cbc:AllowanceChargeReason", reason), amount("cbc:Amount", a), category("cac:TaxCategory", c, 0, "")))
	}
	owed := chargesOf(in.Notice, in.NoticeLines)
	for _, fee := range owed.fees {
		charge("REM", fee.reason, fee.amount)
	}
	if owed.interest.amount > 0 {
		charge("", owed.interest.reason, owed.interest.amount)
	}
	t.prepaid = in.Invoice.Gross + t.charges - in.Notice.Gross
	return t
}

// charge is a fee or interest, and what the notice calls it.
type charge struct {
	reason string
	amount models.Amount
}

type chargesLeft struct {
	fees     []charge
	interest charge
}

// chargesOf returns the fees and the interest in the lines of a notice, less what was reversed. The lines of an old release
// do not say what they stand for: then it is what the notice itself charged.
func chargesOf(n models.Notice, lines []models.NoticeLine) chargesLeft {
	if slices.ContainsFunc(lines, func(l models.NoticeLine) bool { return l.Type == "" }) {
		lines = []models.NoticeLine{
			{Type: models.EntryOverdueCharge, Text: "Purregebyr", Gross: n.Fee}, {Type: models.EntryInterest, Text: "Forsinkelsesrente", Gross: n.Interest},
		}
	}
	var left chargesLeft
	for _, l := range lines {
		reason := oneLine(strings.TrimSuffix(l.Text, l.TransactionDate.String()))
		switch {
		case l.Type == models.EntryInterest:
			if left.interest.amount += l.Gross; l.Gross > 0 {
				left.interest.reason = reason
			}
		case l.Type == models.EntryOverdueCharge && l.Gross > 0:
			left.fees = append(left.fees, charge{reason, l.Gross})
		case l.Type == models.EntryOverdueCharge:
			left.reverse(-l.Gross)
		}
	}
	return left
}

// reverse takes an amount off the newest fee that is just as much, or else off the newest fees.
func (left *chargesLeft) reverse(a models.Amount) {
	for i := range slices.Backward(left.fees) {
		if left.fees[i].amount == a {
			left.fees = slices.Delete(left.fees, i, i+1)
			return
		}
	}
	for i := range slices.Backward(left.fees) {
		off := min(a, left.fees[i].amount)
		left.fees[i].amount -= off
		a -= off
	}
	left.fees = slices.DeleteFunc(left.fees, func(f charge) bool { return f.amount == 0 })
}
