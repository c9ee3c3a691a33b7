package console

import (
	"slices"

	"purr/console/locale"
	"purr/models"
)

// fields reads what was typed into a form. It collects every fault; the handler adds those of the act's own Validate.
type fields struct {
	rq     *request
	faults models.Errors
}

func (rq *request) fields() *fields { return &fields{rq: rq} }

// text returns a field of one line, as texts of one line are kept.
func (f *fields) text(name string) string { return models.OneLine(f.rq.form.Get(name)) }

// has reports whether a box is checked.
func (f *fields) has(name string) bool { return f.rq.form.Get(name) != "" }

// all returns the values of the checked boxes of one name.
func (f *fields) all(name string) []string { return f.rq.form[name] }

// amount reads kroner. An empty field is a fault.
func (f *fields) amount(name string) models.Amount {
	text := f.text(name)
	if text == "" {
		f.faults.Add("required", name, "is required")
		return 0
	}
	a, err := locale.ReadAmount(text)
	if err != nil {
		f.faults.Add("invalid_amount", name, "must be kroner with at most two decimals, such as 1250,50")
	}
	return a
}

// percent reads a percentage.
func (f *fields) percent(name string) models.Percent {
	p, err := models.ParsePercent(locale.Decimal(f.text(name)))
	if err != nil {
		f.faults.Add("invalid_percent", name, "must be a percentage with at most two decimals, such as 12,50")
	}
	return p
}

// date reads a day, zero if the field is empty.
func (f *fields) date(name string) models.Date {
	d, wrong := dayIn(name, f.text(name))
	if wrong != nil {
		f.faults = append(f.faults, models.Invalid(wrong.Code, name, "%s", wrong.Msg))
	}
	return d
}

// number reads a whole number. An empty field is a fault.
func (f *fields) number(name string) int64 {
	text := f.text(name)
	if text == "" {
		f.faults.Add("required", name, "is required")
		return 0
	}
	n, err := locale.ParseWhole(text)
	if err != nil {
		f.faults.Add("invalid_number", name, "must be a whole number")
	}
	return n
}

// done returns the faults that were found, with those of others.
func (f *fields) done(others ...error) error {
	for _, err := range others {
		for _, e := range faultsIn(err) {
			if !slices.ContainsFunc(f.faults, func(had *models.Error) bool { return f.rq.fieldOf(had) == f.rq.fieldOf(e) }) {
				f.faults = append(f.faults, e)
			}
		}
	}
	return f.faults.ErrorOrNil()
}
