package console

import (
	"strconv"

	"purr/console/locale"
	"purr/models"
	"purr/register"
)

// setting is where an element of a creditor stands in a form, and what the form says of it besides its kind.
type setting struct {
	name, label string
	options     []string // see view.Input
	choices     []string // of an element with a few values: values and the names of their labels
}

// section is some settings under one heading.
type section struct {
	title    string
	settings []setting
}

func typedIn(name, label string, options ...string) setting {
	return setting{name: name, label: label, options: options}
}

func chosenFrom(name, label string, choices ...string) setting {
	return setting{name: name, label: label, choices: choices}
}

// settings returns the fields of a form with what they show of a creditor. says has the hints that are texts already, by element.
func (v *view) settings(form []section, c models.Creditor, says map[string]string) []group {
	elements, groups := settingsOf(&c), make([]group, len(form))
	for i, section := range form {
		groups[i].Title = v.rq.words.Say(section.title)
		for _, s := range section.settings {
			value, options := typed(v.rq.words, elements[s.name])
			if len(s.choices) > 0 {
				groups[i].Fields = append(groups[i].Fields, v.SettingChoice(s.name, s.label, value, s.choices...))
				continue
			}
			options = append(options, s.options...)
			if text := says[s.name]; text != "" { // it takes the place of the hint
				options = append(options, "says="+text)
			}
			groups[i].Fields = append(groups[i].Fields, v.Setting(s.name, s.label, value, options...))
		}
	}
	return groups
}

// settingsOf returns the elements of a creditor by their names.
func settingsOf(c *models.Creditor) map[string]register.Element {
	elements := map[string]register.Element{}
	for _, e := range register.Settings(c) {
		elements[e.Name] = e
	}
	return elements
}

// typed returns the value of an element as a person types it, and the options of a field of its kind.
func typed(w *locale.Words, e register.Element) (value string, options []string) {
	whole, decimal := []string{"inputmode=numeric"}, []string{"inputmode=decimal"}
	switch at := e.At.(type) {
	case *string:
		return *at, nil
	case *models.WarningStep:
		return string(*at), nil
	case *models.Remainder:
		return string(*at), nil
	case *models.ShipmentMethod:
		return string(*at), nil
	case *models.DayList:
		return string(*at), nil
	case *bool:
		return w.Typed(*at), []string{"type=checkbox"}
	case **bool:
		return triState(*at), nil
	case register.Said:
		if e.Value() == nil {
			return "", nil
		}
		return triState(at.Flag), nil
	case *int:
		return strconv.Itoa(*at), whole
	case **int:
		return shown(*at, strconv.Itoa), whole
	case *int64:
		return strconv.FormatInt(*at, 10), whole
	case *models.Amount:
		return showAmount(*at), decimal
	case **models.Amount:
		return shown(*at, showAmount), decimal
	case **models.Percent:
		return shown(*at, showPercent), decimal
	case *models.Date:
		return at.String(), []string{"type=date"}
	}
	return "", nil
}

// change changes the elements of a creditor that a form has by what was typed. A text that was not sent stays.
func (f *fields) change(form []section, c *models.Creditor) {
	elements := settingsOf(c)
	for _, section := range form {
		for _, s := range section.settings {
			f.changeOne(elements[s.name])
		}
	}
}

func (f *fields) changeOne(e register.Element) {
	switch to := e.At.(type) {
	case *string:
		if _, sent := f.rq.form[e.Name]; sent {
			*to = f.text(e.Name)
		}
	case *models.WarningStep:
		*to = models.WarningStep(f.text(e.Name))
	case *models.Remainder:
		*to = models.Remainder(f.text(e.Name))
	case *models.ShipmentMethod:
		if _, sent := f.rq.form[e.Name]; sent {
			*to = models.ShipmentMethod(f.text(e.Name))
		}
	case *models.DayList:
		if _, sent := f.rq.form[e.Name]; sent {
			*to, _ = models.ParseDayList(f.text(e.Name)) // Validate says what is wrong with it
		}
	case *bool:
		*to = f.has(e.Name)
	case **bool:
		*to = f.yesOrNo(e.Name)
	case register.Said:
		if said := f.yesOrNo(e.Name); said != nil {
			*to.Flag, *to.Known = *said, true
		}
	case *int:
		if _, sent := f.rq.form[e.Name]; sent {
			*to = int(f.number(e.Name))
		}
	case **int:
		*to = optional(f, e.Name, func(name string) int { return int(f.number(name)) })
	case *int64:
		*to = f.number(e.Name)
	case *models.Amount:
		*to = f.amount(e.Name)
	case **models.Amount:
		*to = optional(f, e.Name, f.amount)
	case **models.Percent:
		*to = optional(f, e.Name, f.percent)
	case *models.Date:
		*to = f.date(e.Name)
	}
}

// optional reads a value, nil if the field is empty.
func optional[T any](f *fields, name string, read func(name string) T) *T {
	if f.text(name) == "" {
		return nil
	}
	return new(read(name))
}

// seenOfSettings names the settings of a kind as a creditor has them.
func seenOfSettings(c models.Creditor, kind models.ThingKind) string {
	c = c.Asked()
	values := map[string]any{}
	for _, e := range register.Settings(&c) {
		if models.SettingKind(e.Name) == kind {
			values[e.Name] = e.Value()
		}
	}
	return seenOf(values)
}
