package ehf

import (
	"math/big"
	"regexp"
	"strings"

	"purr/models"
)

// Finding is a rule that a document breaks.
type Finding struct {
	Rule    string `json:"rule"`    // the official rule's id, or XSD where the document's form is wrong
	Text    string `json:"text"`    // what is wrong
	Warning bool   `json:"warning"` // the document is valid all the same
}

// Said returns what is wrong, and that it is only a warning if it is.
func (f Finding) Said() string {
	if f.Warning {
		return "warning: " + f.Text
	}
	return f.Text
}

// rule is one of the official rules. breaks reports whether a document breaks it.
type rule struct {
	id     string
	says   string
	breaks func(*Document) bool
}

// warnings are the rules that only warn.
var warnings = map[string]bool{"NO-R-002": true}

// Check returns the rules that the document breaks, each once.
func (d *Document) Check() []Finding {
	var found []Finding
	for _, rules := range [][]rule{formRules, documentRules, partyRules, lineRules, sumRules, vatRules, d.ofItsKind()} {
		for _, r := range rules {
			if r.breaks(d) {
				found = append(found, Finding{Rule: r.id, Text: r.says, Warning: warnings[r.id]})
			}
		}
	}
	return found
}

// ofItsKind returns the rules that hold for a reminder alone, or for all but a reminder.
func (d *Document) ofItsKind() []rule {
	if d.kind == models.NoticeDocument {
		return reminderRules
	}
	return billingRules
}

// wants returns the check that there is an element at a path, with a text.
func wants(path string) func(*Document) bool {
	return func(d *Document) bool { return d.root.value(path) == "" }
}

// inEach returns the check that each element at a path is right.
func inEach(path string, right func(e *element) bool) func(*Document) bool {
	return func(d *Document) bool {
		for _, e := range d.root.all(path) {
			if !right(e) {
				return true
			}
		}
		return false
	}
}

// anywhere returns the check that each element with one of the names, wherever it is, is right.
func anywhere(names string, right func(e *element) bool) func(*Document) bool {
	return func(d *Document) bool {
		wrong := false
		d.root.each(func(e *element) {
			if strings.Contains(names, " "+e.name+" ") && !right(e) {
				wrong = true
			}
		})
		return wrong
	}
}

// lines returns the lines of an invoice or a credit note.
func (d *Document) lines() []*element {
	return append(d.root.all("cac:InvoiceLine"), d.root.all("cac:CreditNoteLine")...)
}

// inLines returns the check that each line is right.
func inLines(right func(line *element) bool) func(*Document) bool {
	return func(d *Document) bool {
		for _, l := range d.lines() {
			if !right(l) {
				return true
			}
		}
		return false
	}
}

// decimal is the form of a number. Its length is bound, since sums are exact.
var decimal = regexp.MustCompile(`^[+-]?([0-9]{1,40}(\.[0-9]{0,20})?|\.[0-9]{1,20})$`)

// number returns the number at a path, zero if there is none: the rule of form XSD tells of one that is no number.
func (e *element) number(path string) *big.Rat {
	return parseNumber(e.value(path))
}

func parseNumber(text string) *big.Rat {
	if !decimal.MatchString(text) {
		return new(big.Rat)
	}
	n, _ := new(big.Rat).SetString(text) // decimal has the form
	return n
}

// sum returns the sum of the numbers at a path.
func (e *element) sum(path string) *big.Rat {
	total := new(big.Rat)
	for _, found := range e.all(path) {
		total.Add(total, parseNumber(strings.TrimSpace(found.text)))
	}
	return total
}

// within reports whether two numbers differ by at most a slack.
func within(a, b, slack *big.Rat) bool {
	difference := new(big.Rat).Sub(a, b)
	return difference.Abs(difference).Cmp(slack) <= 0
}

// near reports whether two numbers differ by less than one krone: so much may the VAT of several lines be off.
func near(a, b *big.Rat) bool {
	difference := new(big.Rat).Sub(a, b)
	return difference.Abs(difference).Cmp(big.NewRat(1, 1)) < 0
}

// inØre returns a number rounded half up to hundredths.
func inØre(n *big.Rat) *big.Rat {
	hundredfold := new(big.Rat).Mul(n, big.NewRat(100, 1))
	hundredfold.Add(hundredfold, big.NewRat(1, 2))
	whole := new(big.Int).Div(hundredfold.Num(), hundredfold.Denom()) // rounds towards minus infinity
	return new(big.Rat).SetFrac(whole, big.NewInt(100))
}
