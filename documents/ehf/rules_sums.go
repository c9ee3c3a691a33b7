package ehf

import (
	"math/big"
	"slices"
	"strings"
)

// total returns one of the document's totals.
func (d *Document) total(name string) *big.Rat {
	return d.root.number("cac:LegalMonetaryTotal/" + name)
}

// missums reports whether a total is not the sum of the document's charges, or of its allowances, or is missing beside some.
func (d *Document) missums(charges bool, total string) bool {
	sum, some := new(big.Rat), false
	for _, a := range d.root.all("cac:AllowanceCharge") {
		if isCharge(a) == charges {
			sum, some = sum.Add(sum, a.number("cbc:Amount")), true
		}
	}
	return inØre(sum).Cmp(d.total(total)) != 0 || some && !d.root.has("cac:LegalMonetaryTotal/"+total)
}

// tax returns the tax total that has the breakdown, or else the first, or else an empty element.
func (d *Document) tax() *element {
	found := append(d.root.all("cac:TaxTotal"), &element{})
	return found[max(0, slices.IndexFunc(found, func(t *element) bool { return t.has("cac:TaxSubtotal") }))]
}

// sumRules hold of the totals.
var sumRules = []rule{
	{"BR-12", "it has no sum of its lines", wants("cac:LegalMonetaryTotal/cbc:LineExtensionAmount")},
	{"BR-13", "it has no total without VAT", wants("cac:LegalMonetaryTotal/cbc:TaxExclusiveAmount")},
	{"BR-14", "it has no total with VAT", wants("cac:LegalMonetaryTotal/cbc:TaxInclusiveAmount")},
	{"BR-15", "it does not say what is to be paid", wants("cac:LegalMonetaryTotal/cbc:PayableAmount")},
	{"BR-CO-10", "the sum of the lines is not LineExtensionAmount", func(d *Document) bool {
		sum := new(big.Rat)
		for _, l := range d.lines() {
			sum.Add(sum, l.number("cbc:LineExtensionAmount"))
		}
		return inØre(sum).Cmp(d.total("cbc:LineExtensionAmount")) != 0
	}},
	{"BR-CO-11", "the sum of the allowances is not AllowanceTotalAmount", func(d *Document) bool { return d.missums(false, "cbc:AllowanceTotalAmount") }},
	{"BR-CO-12", "the sum of the charges is not ChargeTotalAmount", func(d *Document) bool { return d.missums(true, "cbc:ChargeTotalAmount") }},
	{"BR-CO-13", "TaxExclusiveAmount is not the lines with charges and less allowances", func(d *Document) bool {
		want := new(big.Rat).Add(d.total("cbc:LineExtensionAmount"), d.total("cbc:ChargeTotalAmount"))
		want.Sub(want, d.total("cbc:AllowanceTotalAmount"))
		return inØre(want).Cmp(d.total("cbc:TaxExclusiveAmount")) != 0
	}},
	{"BR-CO-14", "the VAT is not the sum of its breakdown", func(d *Document) bool {
		return d.tax().has("cac:TaxSubtotal") && inØre(d.tax().sum("cac:TaxSubtotal/cbc:TaxAmount")).Cmp(d.tax().number("cbc:TaxAmount")) != 0
	}},
	{"BR-CO-15", "TaxInclusiveAmount is not TaxExclusiveAmount with VAT", func(d *Document) bool {
		want := new(big.Rat).Add(d.total("cbc:TaxExclusiveAmount"), d.tax().number("cbc:TaxAmount"))
		return inØre(want).Cmp(d.total("cbc:TaxInclusiveAmount")) != 0
	}},
	{"BR-CO-16", "PayableAmount is not TaxInclusiveAmount less what was paid", func(d *Document) bool {
		want := new(big.Rat).Sub(d.total("cbc:TaxInclusiveAmount"), d.total("cbc:PrepaidAmount"))
		want.Add(want, d.total("cbc:PayableRoundingAmount"))
		return inØre(want).Cmp(d.total("cbc:PayableAmount")) != 0
	}},
	{"BR-CO-17", "the VAT of a rate is not its percent of what it is charged on", inEach("cac:TaxTotal/cac:TaxSubtotal", func(s *element) bool {
		percent, tax := s.number("cac:TaxCategory/cbc:Percent"), s.number("cbc:TaxAmount")
		if percent.Cmp(big.NewRat(1, 2)) < 0 {
			return tax.Cmp(big.NewRat(-1, 2)) >= 0 && tax.Cmp(big.NewRat(1, 2)) < 0
		}
		return taxFits(s)
	})},
	{"BR-CO-18", "it has no breakdown of its VAT", func(d *Document) bool { return !d.root.has("cac:TaxTotal/cac:TaxSubtotal") }},
	{"PEPPOL-EN16931-R053", "it has more than one breakdown of its VAT", func(d *Document) bool {
		return len(slices.DeleteFunc(d.root.all("cac:TaxTotal"), func(t *element) bool { return !t.has("cac:TaxSubtotal") })) > 1
	}},
	decimals("BR-DEC-05", "cac:AllowanceCharge/cbc:Amount"),
	decimals("BR-DEC-09", "cac:LegalMonetaryTotal/cbc:LineExtensionAmount"),
	decimals("BR-DEC-11", "cac:LegalMonetaryTotal/cbc:ChargeTotalAmount"),
	decimals("BR-DEC-12", "cac:LegalMonetaryTotal/cbc:TaxExclusiveAmount"),
	decimals("BR-DEC-14", "cac:LegalMonetaryTotal/cbc:TaxInclusiveAmount"),
	decimals("BR-DEC-16", "cac:LegalMonetaryTotal/cbc:PrepaidAmount"),
	decimals("BR-DEC-18", "cac:LegalMonetaryTotal/cbc:PayableAmount"),
	decimals("BR-DEC-19", "cac:TaxTotal/cac:TaxSubtotal/cbc:TaxableAmount"),
	decimals("BR-DEC-20", "cac:TaxTotal/cac:TaxSubtotal/cbc:TaxAmount"),
	{"BR-DEC-23", "a line's net amount has more than two decimals", inLines(func(l *element) bool { return inØreWritten(l.value("cbc:LineExtensionAmount")) })},
	{"BR-DEC-24", "a discount has more than two decimals", inLines(func(l *element) bool {
		return !slices.ContainsFunc(l.all("cac:AllowanceCharge"), func(a *element) bool { return !isCharge(a) && !inØreWritten(a.value("cbc:Amount")) })
	})},
}

// decimals returns the rule that amounts at a path have at most two decimals.
func decimals(id, path string) rule {
	name := path[strings.LastIndex(path, ":")+1:]
	return rule{id, name + " has more than two decimals", inEach(path, func(e *element) bool { return inØreWritten(strings.TrimSpace(e.text)) })}
}

func inØreWritten(text string) bool {
	_, decimals, _ := strings.Cut(text, ".")
	return len(decimals) <= 2
}

// taxFits reports whether the VAT of a subtotal is its percent of what it is charged on, to within a krone, in absolute
// figures.
func taxFits(s *element) bool {
	want := new(big.Rat).Mul(s.number("cbc:TaxableAmount"), s.number("cac:TaxCategory/cbc:Percent"))
	want.Abs(want.Quo(want, big.NewRat(100, 1)))
	return near(new(big.Rat).Abs(s.number("cbc:TaxAmount")), inØre(want))
}

// vatRules hold of the categories of VAT.
var vatRules = slices.Concat(
	[]rule{
		{"BR-45", "a rate does not say what it is charged on", inEach("cac:TaxTotal/cac:TaxSubtotal", func(s *element) bool { return s.has("cbc:TaxableAmount") })},
		{"BR-46", "a rate does not say what its VAT is", inEach("cac:TaxTotal/cac:TaxSubtotal", func(s *element) bool { return s.has("cbc:TaxAmount") })},
		{"BR-47", "a part of the VAT has no category", inEach("cac:TaxTotal/cac:TaxSubtotal", func(s *element) bool { return s.has("cac:TaxCategory/cbc:ID") })},
		{"BR-48", "a part of the VAT has no percent", inEach("cac:TaxTotal/cac:TaxSubtotal", func(s *element) bool {
			return s.has("cac:TaxCategory/cbc:Percent") || s.value("cac:TaxCategory/cbc:ID") == notSubject
		})},
	},
	categoryRules(standardRated, "with VAT"), categoryRules(zeroRated, "zero-rated"), categoryRules(exempt, "exempt"), categoryRules(notSubject, "not subject to VAT"),
	[]rule{
		{"BR-O-11", "what is not subject to VAT stands beside another part of the VAT", func(d *Document) bool {
			return d.breaksDown(notSubject) && len(d.subtotals(func(c string) bool { return c != notSubject })) > 0
		}},
		{"BR-O-12", "what is not subject to VAT stands beside another line", func(d *Document) bool {
			return d.breaksDown(notSubject) && len(d.linesOf(func(c *element) bool { return c.value("cbc:ID") != notSubject })) > 0
		}},
		{"BR-O-14", "what is not subject to VAT stands beside another charge", func(d *Document) bool {
			return d.breaksDown(notSubject) && len(d.chargesOf(func(c *element) bool { return c.value("cbc:ID") != notSubject })) > 0
		}},
	},
)

// categoryRules returns the rules of one category of VAT. Their numbers are the same in each.
func categoryRules(id, words string) []rule {
	is := func(c *element) bool { return c.value("cbc:ID") == id }
	in := "BR-" + id + "-"
	rules := []rule{
		{in + "01", "lines or charges " + words + " and the breakdown of the VAT do not fit", func(d *Document) bool {
			used := len(d.linesOf(is))+len(d.chargesOf(is)) > 0
			parts := len(d.subtotals(func(c string) bool { return c == id }))
			return used && parts == 0 || id != standardRated && parts > 1 || id == standardRated && !used && parts > 0
		}},
		{in + "02", "lines " + words + ", and the seller " + map[bool]string{true: "or the buyer has a VAT number", false: "has no VAT number"}[id == notSubject], func(d *Document) bool {
			return len(d.linesOf(is)) > 0 && d.misidentified(id)
		}},
		{in + "05", "the percent of a line " + words + " is wrong", func(d *Document) bool {
			return slices.ContainsFunc(d.linesOf(is), wrongPercent(id, "cac:Item/cac:ClassifiedTaxCategory/"))
		}},
		{in + "07", "the percent of a charge " + words + " is wrong", func(d *Document) bool {
			return slices.ContainsFunc(d.chargesOf(is), wrongPercent(id, "cac:TaxCategory/"))
		}},
		{in + "08", "what is " + words + " is not the sum of its lines and charges", func(d *Document) bool {
			return slices.ContainsFunc(d.subtotals(func(c string) bool { return c == id }), func(s *element) bool { return !d.addsUp(id, s) })
		}},
		{in + "09", "the VAT of what is " + words + " is wrong", func(d *Document) bool {
			return slices.ContainsFunc(d.subtotals(func(c string) bool { return c == id }), func(s *element) bool {
				if id == standardRated {
					return !taxFits(s)
				}
				return s.number("cbc:TaxAmount").Sign() != 0
			})
		}},
		{in + "10", "the reason for being without VAT is missing, or is there where none may be", func(d *Document) bool {
			return slices.ContainsFunc(d.subtotals(func(c string) bool { return c == id }), func(s *element) bool {
				reason := s.has("cac:TaxCategory/cbc:TaxExemptionReason") || s.has("cac:TaxCategory/cbc:TaxExemptionReasonCode")
				return reason != (id == exempt || id == notSubject)
			})
		}},
	}
	return rules
}

// wrongPercent returns whether the percent below a prefix does not suit the category.
func wrongPercent(category, prefix string) func(*element) bool {
	return func(e *element) bool {
		switch percent := e.number(prefix + "cbc:Percent"); category {
		case notSubject:
			return e.has(prefix + "cbc:Percent")
		case standardRated:
			return percent.Sign() <= 0
		default:
			return percent.Sign() != 0 || !e.has(prefix+"cbc:Percent")
		}
	}
}

// misidentified reports whether the seller lacks the number that a category needs, or a party has the VAT number that it
// must not have.
func (d *Document) misidentified(category string) bool {
	if category == notSubject {
		return d.vatNumber(seller)+d.vatNumber(buyers) != ""
	}
	return !d.root.has(seller + "/cac:PartyTaxScheme/cbc:CompanyID")
}

// linesOf returns the lines with such a VAT category.
func (d *Document) linesOf(such func(category *element) bool) []*element {
	return slices.DeleteFunc(d.lines(), func(l *element) bool {
		c := l.at("cac:Item/cac:ClassifiedTaxCategory")
		return c == nil || !such(c)
	})
}

// chargesOf returns the document's charges with such a VAT category.
func (d *Document) chargesOf(such func(category *element) bool) []*element {
	return slices.DeleteFunc(d.root.all("cac:AllowanceCharge"), func(a *element) bool {
		c := a.at("cac:TaxCategory")
		return !isCharge(a) || c == nil || !such(c)
	})
}

// subtotals returns the parts of the VAT whose category is such.
func (d *Document) subtotals(such func(category string) bool) []*element {
	return slices.DeleteFunc(d.root.all("cac:TaxTotal/cac:TaxSubtotal"), func(s *element) bool { return !such(s.value("cac:TaxCategory/cbc:ID")) })
}

func (d *Document) breaksDown(category string) bool {
	return len(d.subtotals(func(c string) bool { return c == category })) > 0
}

// addsUp reports whether what a part of the VAT is charged on is the sum of its lines and charges less allowances. At a rate,
// the official rule lets it be off by less than a krone.
func (d *Document) addsUp(category string, s *element) bool {
	want := d.taxed()[taxedAs(s.at("cac:TaxCategory"))]
	if want == nil {
		want = new(big.Rat)
	}
	if category == standardRated {
		return near(s.number("cbc:TaxableAmount"), want)
	}
	return s.number("cbc:TaxableAmount").Cmp(want) == 0
}

// taxed returns what is taxed by lines, charges and allowances, by category and rate.
func (d *Document) taxed() map[string]*big.Rat {
	if d.sums != nil {
		return d.sums
	}
	d.sums = map[string]*big.Rat{}
	add := func(category *element, amount *big.Rat) {
		if category == nil {
			return
		}
		key := taxedAs(category)
		if d.sums[key] == nil {
			d.sums[key] = new(big.Rat)
		}
		d.sums[key].Add(d.sums[key], amount)
	}
	for _, l := range d.lines() {
		add(l.at("cac:Item/cac:ClassifiedTaxCategory"), l.number("cbc:LineExtensionAmount"))
	}
	for _, a := range d.root.all("cac:AllowanceCharge") {
		amount := a.number("cbc:Amount")
		if !isCharge(a) {
			amount.Neg(amount)
		}
		add(a.at("cac:TaxCategory"), amount)
	}
	return d.sums
}

// taxedAs returns the key of a VAT category: its rate counts where there is VAT.
func taxedAs(category *element) string {
	id := category.value("cbc:ID")
	if id != standardRated {
		return id
	}
	return id + category.number("cbc:Percent").RatString()
}
