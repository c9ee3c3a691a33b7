package giro

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"purr/models"
)

// records returns the payment as amount items with the transaction number.
func (p *Payment) records(txNumber int) ([]*record, error) {
	var f fieldWriter
	records := []*record{p.item1(txNumber, &f), p.item2(txNumber, &f)}
	if p.Type.HasText() {
		records = append(records, p.item3(txNumber, &f))
	}
	switch {
	case f.err != nil:
		return nil, f.err
	case !p.Type.Known():
		return nil, fmt.Errorf("giro: there is no transaction type %d", p.Type)
	case p.NetsDate == 0:
		return nil, errors.New("giro: a transaction needs a Nets date")
	case number([]byte(p.DayCode)) > 31:
		return nil, fmt.Errorf("giro: the day code %q is no day of a month", p.DayCode)
	case p.Type.HasText() && p.KID != "":
		return nil, fmt.Errorf("giro: transaction type %d has no KID", p.Type)
	case !p.Type.HasText() && p.Text != "":
		return nil, fmt.Errorf("giro: transaction type %d has no text", p.Type)
	}
	return records, nil
}

func (p *Payment) item1(txNumber int, f *fieldWriter) *record {
	rec := newItem(p.Type, "30")
	item := (*item1)(rec)
	f.number(item.number(), int64(txNumber), "transaction number")
	f.date(item.netsDate(), p.NetsDate)
	f.digits(item.centre(), p.Centre, "centre")
	f.digits(item.dayCode(), p.DayCode, "day code")
	f.digits(item.partialSettlement(), p.PartialSettlement, "partial settlement number")
	f.digits(item.serial(), p.Serial, "serial")
	if p.Negative {
		item.sign()[0] = '-'
	}
	f.number(item.amount(), int64(p.Amount), "amount")
	f.kid(item.kid(), p.KID)
	f.digits(item.cardIssuer(), p.CardIssuer, "card issuer")
	return rec
}

func (p *Payment) item2(txNumber int, f *fieldWriter) *record {
	rec := newItem(p.Type, "31")
	item := (*item2)(rec)
	f.number(item.number(), int64(txNumber), "transaction number")
	f.digits(item.formNumber(), p.FormNumber, "form number")
	f.digits(item.archiveReference(), p.ArchiveReference, "archive reference")
	f.date(item.bankDate(), p.BankDate)
	f.digits(item.debitAccount(), p.DebitAccount, "debit account")
	return rec
}

func (p *Payment) item3(txNumber int, f *fieldWriter) *record {
	rec := newItem(p.Type, "32")
	item := (*item3)(rec)
	f.number(item.number(), int64(txNumber), "transaction number")
	f.text(item.text(), p.Text)
	return rec
}

// newRecord returns a record with a tag and zeros.
func newRecord(tag string) *record {
	rec := new(record)
	for i := range rec {
		rec[i] = '0'
	}
	copy(rec.tag(), tag)
	return rec
}

func newItem(t Type, recordType string) *record {
	return newRecord(fmt.Sprintf("NY%s%02d%s", ServiceOCR, t, recordType))
}

// fieldWriter fills fields of a record that newRecord made. It keeps the first error.
type fieldWriter struct{ err error }

func (f *fieldWriter) fail(format string, args ...any) {
	if f.err == nil {
		f.err = fmt.Errorf("giro: "+format, args...)
	}
}

// digits right-aligns digits.
func (f *fieldWriter) digits(field []byte, value, name string) {
	if len(value) > len(field) || !digits([]byte(value)) {
		f.fail("the %s is %q, it must be at most %d digits", name, value, len(field))
		return
	}
	copy(field[len(field)-len(value):], value)
}

func (f *fieldWriter) number(field []byte, n int64, name string) {
	f.digits(field, strconv.FormatInt(n, 10), name)
}

func (f *fieldWriter) date(field []byte, d models.Date) {
	if d != 0 {
		copy(field, d.Time().Format("020106"))
	}
}

// kid right-aligns a KID, with blanks before it.
func (f *fieldWriter) kid(field []byte, kid string) {
	if len(kid) > len(field) || !wellFormedKID([]byte(kid)) {
		f.fail("the KID is %q, it must be at most %d digits, the last perhaps \"-\"", kid, len(field))
		return
	}
	copy(field, strings.Repeat(" ", len(field)-len(kid))+kid)
}

// text left-aligns a text in ISO-8859-1, with blanks after it.
func (f *fieldWriter) text(field []byte, text string) {
	n := 0
	for _, c := range text {
		if n == len(field) || c < ' ' || c > 0xff || c >= 0x7f && c < 0xa0 {
			f.fail("the text is %q, it must be at most %d printable characters of ISO-8859-1", text, len(field))
			return
		}
		field[n] = byte(c)
		n++
	}
	copy(field[n:], strings.Repeat(" ", len(field)-n))
}
