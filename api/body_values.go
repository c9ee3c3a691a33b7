package api

import (
	"errors"
	"strconv"
	"strings"

	"purr/models"
)

// parsed takes a child's value, and reports false where there is no such child or its value is wrong,
// which it notes as a fault.
func parsed[T any](e *element, name string, parse func(string) (T, error), code, fault string) (T, bool) {
	text, sent := e.token(name)
	if !sent {
		var none T
		return none, false
	}
	v, err := parse(text)
	if err != nil {
		e.form.add(code, e.pathOf(name), "%s", fault)
	}
	return v, err == nil
}

// amount takes money with up to two decimals (rule D13).
func (e *element) amount(name string) (models.Amount, bool) {
	return parsed(e, name, models.ParseAmount, "invalid_amount", "must be a number with at most 2 decimals, such as -1250.00, up to "+models.MaxAmount.String())
}

// price takes a unit price with up to four decimals.
func (e *element) price(name string) (models.Price, bool) {
	return parsed(e, name, models.ParsePrice, "invalid_number", "must be a number with at most 4 decimals")
}

// quantity takes a number of items with up to three decimals.
func (e *element) quantity(name string) (models.Quantity, bool) {
	return parsed(e, name, models.ParseQuantity, "invalid_number", "must be a number with at most 3 decimals")
}

// percent takes a percentage with up to two decimals.
func (e *element) percent(name string) (models.Percent, bool) {
	return parsed(e, name, models.ParsePercent, "invalid_number", "must be a percentage with at most 2 decimals")
}

// optionalPercent takes a percentage where one was sent, nil where the element is absent or empty.
func (e *element) optionalPercent(name string) *models.Percent {
	if text, _ := e.token(name); text == "" {
		return nil
	}
	p, ok := e.percent(name)
	if !ok {
		return nil
	}
	return &p
}

// integer takes a whole number of days, characters and the like.
func (e *element) integer(name string) (int, bool) {
	n, sent := parsed(e, name, func(s string) (int64, error) { return parseWhole(s, 32) }, "invalid_number", "must be a whole number")
	return int(n), sent
}

// number takes a whole number of any size.
func (e *element) number(name string) (int64, bool) {
	return parsed(e, name, func(s string) (int64, error) { return parseWhole(s, 64) }, "invalid_number", "must be a whole number")
}

func parseWhole(s string, bits int) (int64, error) {
	if strings.HasPrefix(s, "+") {
		return 0, strconv.ErrSyntax
	}
	return strconv.ParseInt(s, 10, bits)
}

// date takes a day, yyyy-mm-dd.
func (e *element) date(name string) (models.Date, bool) {
	return parsed(e, name, models.ParseDate, "invalid_date", "must be a date of the form yyyy-mm-dd")
}

// flag takes 1 or 0.
func (e *element) flag(name string) (bool, bool) {
	return parsed(e, name, parseFlag, "invalid_flag", "must be 1 or 0")
}

func parseFlag(s string) (bool, error) {
	switch s {
	case "1":
		return true, nil
	case "0":
		return false, nil
	}
	return false, errors.New("neither 1 nor 0")
}
