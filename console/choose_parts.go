package console

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"purr/console/locale"
	"purr/models"
	"purr/ocr/unmatched"
)

// paidPart is an open invoice and what it gets of the payment.
type paidPart struct {
	models.Invoice
	Checked bool
	Part    models.Amount
	Field   input
	Left    models.Amount // what is owed after it
	Over    models.Amount // what is paid too much; then Left is zero
	AtMost  bool          // less than Left may be owed, because a notice may have charged too much (rule L4)
}

// propose divides the payment: on the one invoice that owes just this, or else from the one that fell due first.
func (p *choosePage) propose() {
	just := slices.IndexFunc(p.Parts, func(s paidPart) bool { return s.claim() == p.Payment.Amount })
	rest := p.Payment.Amount
	for n := range p.Parts {
		s := &p.Parts[n]
		if just >= 0 && n != just || min(rest, s.claim()) <= 0 {
			continue
		}
		s.Checked, s.Part = true, min(rest, s.claim())
		rest -= s.Part
	}
	p.reckon()
}

// claim returns what letters ask for, and all that is owed where they ask for nothing.
func (s paidPart) claim() models.Amount {
	if s.Claimed() > 0 {
		return s.Claimed()
	}
	return s.Balance
}

// partField is how the fields begin that say what an invoice gets.
const partField = "amount-"

func (s paidPart) fieldName() string { return partField + toPath(s.ID) }

// field returns the field with what the invoice gets.
func (p *choosePage) field(s paidPart) input {
	in := p.Input(s.fieldName(), "choose.part", nil, "inputmode=decimal")
	if in.Label = p.rq.words.Say("choose.part", "number", numberOf(s.Invoice)); p.Reckoned != "" || p.rq.form == nil {
		if in.Value = ""; s.Checked {
			in.Value = p.rq.words.Typed(s.Part)
		}
	}
	return in
}

// readTyped reads which invoices are ticked and what each gets. One without an amount gets what is left, and at most what it owes.
func (p *choosePage) readTyped() error {
	f := p.rq.fields()
	ticked, rest := f.all("invoice"), p.Payment.Amount
	var checked int
	var empty []*paidPart
	for n := range p.Parts {
		s := &p.Parts[n]
		if s.Checked = slices.Contains(ticked, toPath(s.ID)); s.Checked {
			checked++
		}
		if f.text(s.fieldName()) == "" {
			if s.Checked {
				empty = append(empty, s)
			}
			continue
		}
		if amount := f.positive(s.fieldName()); s.Checked {
			s.Part = amount
			rest -= amount
		}
	}
	for _, s := range empty {
		if s.Part = max(0, min(rest, s.claim())); s.Part == 0 {
			f.faults.Add("nothing_of_payment_left", s.fieldName(), "nothing of the payment is left for it")
		}
		rest -= s.Part
	}
	switch {
	case checked < len(ticked): // one is open no more
		return models.ChangedMeanwhile(nil)
	case checked == 0:
		f.faults = append(f.faults, models.Invalid("nothing_chosen", "", "choose the invoices that the payment is for"))
	case rest < 0:
		f.faults = append(f.faults, models.Invalid("parts_too_much", "", "the payment is of %s, and its parts are %s too much", p.Payment.Amount, -rest))
	}
	return f.done()
}

// positive reads kroner above zero.
func (f *fields) positive(name string) models.Amount {
	faults := len(f.faults)
	a := f.amount(name)
	if a <= 0 && len(f.faults) == faults {
		f.faults.Add("not_positive", name, "must be above zero")
	}
	return a
}

// reckon says what is left on each invoice. The rest goes to one that is paid in full, if there is one, where it is free credit.
func (p *choosePage) reckon() {
	p.Rest = p.Payment.Amount
	for n := range p.Parts {
		s := &p.Parts[n]
		if !s.Checked {
			continue
		}
		p.Divided += s.Part
		if p.RestOn == nil || s.Part >= s.Balance || p.RestOn.Part < p.RestOn.Balance {
			p.RestOn = s
		}
	}
	p.Rest -= p.Divided
	var parts []string
	for n := range p.Parts {
		s := &p.Parts[n]
		paid := s.Part
		if s == p.RestOn {
			paid += p.Rest
		}
		s.Left, s.Over = max(0, s.Balance-paid), max(0, paid-s.Balance)
		if s.AtMost = s.Checked && s.Notices > 0 && s.Left > 0; s.Checked && s != p.RestOn {
			parts = append(parts, partValue(*s))
		}
	}
	if p.RestOn != nil {
		p.Reckoned = strings.Join(append(parts, partValue(*p.RestOn)), " ") // MatchParts gives the last one the rest
	}
}

// Credit reports whether the rest is free credit, and not a part of what is owed.
func (p *choosePage) Credit() bool { return p.RestOn.Part >= p.RestOn.Balance }

// partValue writes a part into the form, with what is owed now: 17=500.00/1250.00.
func partValue(s paidPart) string { return fmt.Sprintf("%d=%s/%s", s.ID, s.Part, s.Balance) }

// partsIn reads what partValue wrote, each followed by a blank.
func partsIn(value string) (parts []unmatched.Part, err error) {
	for text := range strings.FieldsSeq(value) {
		id, amounts, _ := strings.Cut(text, "=")
		amount, seen, _ := strings.Cut(amounts, "/")
		var part unmatched.Part
		if part.InvoiceID, err = strconv.ParseInt(id, 10, 64); err != nil {
			return nil, errBadForm()
		}
		if part.Amount, err = models.ParseAmount(amount); err != nil {
			return nil, errBadForm()
		}
		balance, err := models.ParseAmount(seen)
		if err != nil {
			return nil, errBadForm()
		}
		part.Seen = &balance
		parts = append(parts, part)
	}
	return parts, nil
}

// asReckoned reports whether just those parts are ticked and typed that the page has shown.
func (rq *request) asReckoned(parts []unmatched.Part) bool {
	ticked := rq.form["invoice"]
	if len(parts) == 0 || len(ticked) != len(parts) {
		return false
	}
	typed := map[string]string{}
	for name := range rq.form {
		if id, is := strings.CutPrefix(name, partField); is && rq.form.Get(name) != "" {
			typed[id] = rq.form.Get(name)
		}
	}
	for _, part := range parts {
		id := toPath(part.InvoiceID)
		if amount, err := locale.ReadAmount(models.OneLine(typed[id])); err != nil || amount != part.Amount || !slices.Contains(ticked, id) {
			return false
		}
	}
	return len(typed) == len(parts)
}
