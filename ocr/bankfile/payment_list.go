package bankfile

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"iter"
	"slices"
	"strconv"
	"strings"

	"purr/models"
	"purr/ocr/giro"
)

// Columns returns the columns of a list of payments, in their order in a list without a heading.
func Columns() []string {
	return []string{"account", "kid", "amount", "date", "type", "from_account", "name", "text", "bank_date", "reference"}
}

// ReadPayments reads a list of payments in CSV. The first line may name the columns. It skips lines that begin with #.
// An empty value means the default.
func ReadPayments(r io.Reader, usual Payment) iter.Seq2[Payment, error] {
	return func(yield func(Payment, error) bool) {
		list := csv.NewReader(r)
		list.Comment, list.FieldsPerRecord, list.TrimLeadingSpace, list.ReuseRecord = '#', -1, true, true
		columns, lump := Columns(), 0
		before := usual
		for first := true; ; first = false {
			values, err := list.Read()
			if errors.Is(err, io.EOF) {
				return
			}
			if err != nil {
				yield(Payment{}, err)
				return
			}
			if first && isHeading(values) {
				columns = slices.Clone(values)
				continue
			}
			p, err := readPayment(columns, values, usual)
			if err != nil {
				line, _ := list.FieldPos(0)
				yield(Payment{}, fmt.Errorf("line %d: %w", line, err))
				return
			}
			if lump == 0 || p.Account != before.Account || p.Date != before.Date {
				lump++
			}
			p.lump, before = lump, p
			if !yield(p, nil) {
				return
			}
		}
	}
}

// isHeading reports whether a line names columns: it has no digits, as accounts and amounts have.
func isHeading(values []string) bool {
	return !slices.ContainsFunc(values, func(v string) bool { return strings.ContainsAny(v, "0123456789") })
}

func readPayment(columns, values []string, usual Payment) (Payment, error) {
	p := usual
	for i, value := range values {
		value = strings.TrimSpace(value)
		switch {
		case i >= len(columns):
			return p, fmt.Errorf("there are %d values instead of %d", len(values), len(columns))
		case value == "":
			continue
		}
		if err := p.set(strings.TrimSpace(columns[i]), value); err != nil {
			return p, fmt.Errorf("%s: %w", columns[i], err)
		}
	}
	switch {
	case p.Account == "":
		return p, errors.New("account: there is none; give one in the line, or --account for all")
	case p.Amount == 0:
		return p, errors.New("amount: there is none")
	}
	return p, nil
}

// set sets the value of a column.
func (p *Payment) set(column, value string) error {
	var err error
	switch column {
	case "account":
		p.Account, err = value, account(value)
	case "kid":
		p.KID = value
	case "amount":
		p.Amount, err = models.ParseAmount(value)
	case "date":
		p.Date, err = models.ParseDate(value)
	case "type":
		p.Type, err = transactionType(value)
	case "from_account":
		p.FromAccount = value
	case "name":
		p.Name = value
	case "text":
		p.Text = value
	case "bank_date":
		p.BankDate, err = models.ParseDate(value)
	case "reference":
		p.Reference = value
	default:
		err = fmt.Errorf("there is no such column; there are %s", strings.Join(Columns(), ", "))
	}
	return err
}

func account(value string) error {
	if !models.ValidBankAccount(value) {
		return fmt.Errorf("%q is not a bank account number", value)
	}
	return nil
}

func transactionType(value string) (giro.Type, error) {
	if n, err := strconv.Atoi(value); err == nil && giro.Type(n).Known() {
		return giro.Type(n), nil
	}
	return 0, fmt.Errorf("%q is not a transaction type; they are 10 to 21", value)
}
