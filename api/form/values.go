package form

import (
	"errors"
	"strconv"
	"strings"

	"purr/models"
)

// Parsed reads the value of a child. It returns false if there is no such child. If the value cannot be parsed, it
// adds a fault with the code and the text, and returns false.
func Parsed[T any](e *Element, name string, parse func(string) (T, error), code, fault string) (T, bool) {
	var none T
	text, sent := e.Token(name)
	if !sent {
		return none, false
	}
	v, err := parse(text)
	if err != nil {
		e.Fault(name, code, "%s", fault)
		return none, false
	}
	return v, true
}

// Amount reads money with up to two decimals (rule D13).
func (e *Element) Amount(name string) (models.Amount, bool) {
	return Parsed(e, name, models.ParseAmount, "invalid_amount", "must be a number with at most 2 decimals, such as -1250.00, up to "+models.MaxAmount.String())
}

// Price reads a unit price with up to four decimals.
func (e *Element) Price(name string) (models.Price, bool) {
	return Parsed(e, name, models.ParsePrice, "invalid_number", "must be a number with at most 4 decimals")
}

// Quantity reads a number of items with up to three decimals.
func (e *Element) Quantity(name string) (models.Quantity, bool) {
	return Parsed(e, name, models.ParseQuantity, "invalid_number", "must be a number with at most 3 decimals")
}

// Percent reads a percentage with up to two decimals.
func (e *Element) Percent(name string) (models.Percent, bool) {
	return Parsed(e, name, models.ParsePercent, "invalid_number", "must be a percentage with at most 2 decimals")
}

// Integer reads a whole number, such as a number of days or characters.
func (e *Element) Integer(name string) (int, bool) {
	n, sent := Parsed(e, name, func(s string) (int64, error) { return parseWhole(s, 32) }, "invalid_number", "must be a whole number")
	return int(n), sent
}

// Number reads a whole number of any size.
func (e *Element) Number(name string) (int64, bool) {
	return Parsed(e, name, func(s string) (int64, error) { return parseWhole(s, 64) }, "invalid_number", "must be a whole number")
}

func parseWhole(s string, bits int) (int64, error) {
	if strings.HasPrefix(s, "+") {
		return 0, strconv.ErrSyntax
	}
	return strconv.ParseInt(s, 10, bits)
}

// Date reads a day, yyyy-mm-dd.
func (e *Element) Date(name string) (models.Date, bool) {
	return Parsed(e, name, models.ParseDate, "invalid_date", "must be a date of the form yyyy-mm-dd")
}

// Flag reads 1 or 0.
func (e *Element) Flag(name string) (bool, bool) {
	return Parsed(e, name, parseFlag, "invalid_flag", "must be 1 or 0")
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

// Set returns a function that stores a value if the request holds one: Set(&c.Name)(e.Text("name")).
func Set[T any](to *T) func(v T, sent bool) {
	return func(v T, sent bool) {
		if sent {
			*to = v
		}
	}
}

// Clearable reads a value that may be none. An empty element, or the word for none, makes it nil.
func Clearable[T any](e *Element, name, none string, to **T, take func(name string) (T, bool)) {
	text, sent := e.Token(name)
	if !sent {
		return
	}
	if text == "" || text == none {
		*to = nil
		return
	}
	if v, good := take(name); good {
		*to = &v
	}
}
