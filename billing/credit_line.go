package billing

import (
	"fmt"
	"slices"
	"strings"

	"purr/models"
)

// CreditLine is a line of a request for a partial credit note (rule L27).
type CreditLine struct {
	Text string
	Net  models.Amount // above zero, without VAT
	VAT  models.VATName
}

// faults returns what is wrong with a line that can be found without the invoice.
func (l CreditLine) faults() (faults models.Errors) {
	if strings.TrimSpace(l.Text) == "" {
		faults.Add("required", "line_text", "is required")
	}
	faults.Prose("line_text", l.Text, models.MaxLineText)
	if l.Net <= 0 {
		faults.Add("amount_not_positive", "net_amount", "must be above zero")
	}
	if _, known := (models.VATRates{}).At(l.VAT, 1); !known {
		faults.Add("invalid_vat_rate", "vat_rate", "must be HIGH, MEDIUM, LOW or NONE")
	}
	return faults
}

// rest is what no credit note of an invoice credits: one line for each of its VAT rates, in the order in which the invoice has them.
type rest []models.CreditNoteLine

// restOf returns what is left of an invoice after what its partial credit notes credit.
func restOf(invoice []models.Line, credited []models.CreditNoteLine) (left rest) {
	for _, l := range invoice {
		r := left.at(l.VAT)
		if r == nil {
			left = append(left, models.CreditNoteLine{VAT: l.VAT, VATPercent: l.VATPercent, VATExemption: l.VATExemption})
			r = &left[len(left)-1]
		}
		r.Net, r.Gross = r.Net+l.Net, r.Gross+l.Gross
	}
	for _, l := range credited {
		if r := left.at(l.VAT); r != nil {
			r.Net, r.Gross = r.Net-l.Net, r.Gross-l.Gross
		}
	}
	return left
}

// at returns what is left at a VAT rate, nil if the invoice has none.
func (left rest) at(vat models.VATName) *models.CreditNoteLine {
	n := slices.IndexFunc(left, func(r models.CreditNoteLine) bool { return r.VAT == vat })
	if n < 0 {
		return nil
	}
	return &left[n]
}

// gross returns how much is left, with VAT.
func (left rest) gross() (sum models.Amount) {
	for _, r := range left {
		sum += r.Gross
	}
	return sum
}

// lines returns the lines that credit all that is left.
func (left rest) lines(text string) (lines []models.CreditNoteLine) {
	for _, r := range left {
		if r.Net != 0 || r.Gross != 0 {
			r.Text = text
			lines = append(lines, r)
		}
	}
	return lines
}

// credit takes the lines that a request asks for from what is left. VAT is what the invoice has: its percent of the line, but never
// more than is left of it, and all that is left with the last of the net amount. It fails with a fault for each line of which less is
// left, and where less is left in all, since the invoice has a discount at another rate.
func (left rest) credit(asked []CreditLine) ([]models.CreditNoteLine, error) {
	var faults models.Errors
	before, lines := left.gross(), make([]models.CreditNoteLine, len(asked))
	for i, l := range asked {
		r := left.at(l.VAT)
		switch {
		case r == nil:
			faults = append(faults, models.Invalid("invalid_vat_rate", "vat_rate", "the invoice has no line at %s", l.VAT).Under(atLine(i)))
			continue
		case l.Net > r.Net:
			faults = append(faults, models.Invalid("more_than_left", "net_amount", "is more than what is left to credit at %s, which is %s", l.VAT, max(0, r.Net)).Under(atLine(i)))
			continue
		}
		gross := min(l.Net+r.VATPercent.Of(l.Net), max(l.Net, r.Gross))
		if l.Net == r.Net {
			gross = r.Gross
		}
		lines[i] = models.CreditNoteLine{Text: l.Text, VAT: l.VAT, VATPercent: r.VATPercent, VATExemption: r.VATExemption, Net: l.Net, Gross: gross}
		r.Net, r.Gross = r.Net-l.Net, r.Gross-gross
	}
	if len(faults) == 0 && left.gross() < 0 {
		faults.Add("more_than_left", "lines", "credit more than what is left of the invoice, which is %s", before)
	}
	return lines, faults.ErrorOrNil()
}

// restText is the text of the lines that credit what is left of an invoice.
func restText(invoice models.Invoice, language string) string {
	if language == "en" {
		return fmt.Sprintf("The rest of invoice %d", invoice.Number)
	}
	return fmt.Sprintf("Resten av faktura %d", invoice.Number)
}
