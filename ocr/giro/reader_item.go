package giro

import (
	"math"

	"purr/models"
)

// item1 reads amount item 1, which starts a transaction.
func (r *Reader) item1(rec *item1) {
	r.finishTransaction()
	a := r.needAssignment("amount item 1")
	r.countRecord()
	tx := &r.tx
	before, number := tx.Number, int(eightDigitNumber(rec[7:])) // from position 7, the 0 of the record type 30, so that eight digits are read
	if tx.Assignment == a && number <= before {
		r.warn(CodeTransactionOrder, "transaction number %d comes after %d", number, before)
	}
	tx.Assignment, tx.Line, tx.Number, tx.first = a, r.lines.line, number, *rec
	tx.Type = r.transactionType((*record)(rec))
	date, is := r.date(&r.netsDates, rec.netsDate(), "Nets date")
	if is && date == 0 {
		r.fault(CodeBadDate, "there is no Nets date")
	}
	tx.NetsDate = date
	tx.Negative = rec.sign()[0] == '-'
	tx.Amount = rec.amountValue()
	r.checkKID(rec)
	a.count(tx.Type, tx.NetsDate, tx.Signed())
	if !rec.plain() && !r.checkItem1(rec) {
		a.damage.sum, a.Transmission.damage.sum = true, true
	} else {
		r.tally(tx.Amount)
	}
	r.position = afterItem1
}

// tally counts an amount. It ends the reading where the amounts of the file are beyond int64 øre: from there on no sum can be
// trusted, whatever the signs are (rule D110).
func (r *Reader) tally(amount models.Amount) {
	if amount > math.MaxInt64-r.counted {
		r.stop(CodeSumTooLarge, "the amounts of the file add up to more than %s", models.Amount(math.MaxInt64))
		return
	}
	r.counted += amount
}

// checkItem1 checks the fields that item1.plain checks. It reports whether the amount can be added up.
func (r *Reader) checkItem1(rec *item1) bool {
	r.digits(rec.number(), "transaction number")
	r.digits(rec.centre(), "centre")
	r.digits(rec.partialSettlement(), "partial settlement number")
	r.digits(rec.serial(), "serial")
	if day := rec.dayCode(); r.digits(day, "day code") && number(day) > 31 {
		r.fault(CodeBadNumber, "the day code is %s, which is no day of a month", day)
	}
	if issuer := rec.cardIssuer(); r.digits(issuer, "card issuer") && r.tx.Type < TypeCardReversal {
		r.filler(issuer)
	}
	r.filler(rec.filler())
	sign := string(rec.sign())
	if sign != "0" && sign != "-" {
		r.fault(CodeBadSign, "the sign is %q instead of 0 or \"-\"", latin1(rec.sign()))
		return false
	}
	return r.digits(rec.amount(), "amount")
}

// checkKID checks the form of the KID. Its length and check digit depend on the creditor's agreement, so callers check
// those.
func (r *Reader) checkKID(rec *item1) {
	field := rec.kid()
	if before := len(field) - r.kidLength; string(field[:before]) == blanks[:before] && digits(field[before:]) && !r.tx.Type.HasText() {
		return
	}
	kid := rec.trimmedKID()
	switch {
	case len(kid) == 0:
	case !wellFormedKID(kid):
		r.fault(CodeBadKID, "the KID is %q instead of digits, and perhaps a final \"-\"", latin1(field))
	case r.tx.Type.HasText():
		r.warn(CodeKIDNotExpected, "type %d has a KID, %s", r.tx.Type, kid)
	case field[len(field)-1] == ' ':
		r.warn(CodeKIDAlignment, "the KID %s is not right-aligned", kid)
	default:
		r.kidLength = len(kid)
	}
}

// blanks are as many as a KID has characters at most.
const blanks = "                         "

// item2 reads amount item 2, and reports whether it completes the transaction.
func (r *Reader) item2(rec *item2) bool {
	r.needAssignment("amount item 2")
	r.countRecord()
	if r.position != afterDamage {
		if r.position != afterItem1 {
			r.fault(CodeUnpairedItem, "amount item 2 without an amount item 1 before it")
			return false
		}
		r.position = betweenTransactions
		if !pair((*record)(rec), (*record)(&r.tx.first)) {
			r.unpaired((*record)(rec), "amount item 2")
		}
	}
	tx := &r.tx
	tx.second = *rec
	tx.BankDate, _ = r.date(&r.bankDates, rec.bankDate(), "bank date")
	if !rec.plain() {
		r.checkItem2(rec)
	}
	if r.position == betweenTransactions && tx.Type.HasText() {
		r.position = afterItem2
	}
	return r.position == betweenTransactions
}

// checkItem2 checks the fields that item2.plain checks, except for the date.
func (r *Reader) checkItem2(rec *item2) {
	r.digits(rec.formNumber(), "form number")
	r.digits(rec.archiveReference(), "archive reference")
	r.digits(rec.debitAccount(), "debit account")
	r.filler(rec.filler1())
	r.filler(rec.filler2())
}

// item3 reads amount item 3, and reports whether it completes the transaction.
func (r *Reader) item3(rec *item3) bool {
	r.needAssignment("amount item 3")
	r.countRecord()
	if r.position == afterDamage {
		return false
	}
	if r.position != afterItem2 {
		r.finishTransaction()
		r.fault(CodeUnpairedItem, "amount item 3 does not follow amount item 2 of a transaction of type 20 or 21")
		return false
	}
	r.position = betweenTransactions
	if !pair((*record)(rec), (*record)(&r.tx.first)) {
		r.unpaired((*record)(rec), "amount item 3")
	}
	r.tx.third = *rec
	r.filler(rec.filler())
	return true
}

// pair reports whether two amount items are of one type and of one transaction.
func pair(a, b *record) bool {
	return string(a.kind()) == string(b.kind()) && string(a.transaction()) == string(b.transaction())
}

// unpaired reports in what an amount item differs from amount item 1.
func (r *Reader) unpaired(rec *record, what string) {
	first := (*record)(&r.tx.first)
	if kind, of := rec.kind(), first.kind(); string(kind) != string(of) {
		r.fault(CodeUnpairedItem, "%s is of type %q, amount item 1 in line %d of type %q", what, latin1(kind), r.tx.Line, latin1(of))
	}
	if number, of := rec.transaction(), first.transaction(); string(number) != string(of) {
		r.fault(CodeUnpairedItem, "%s is of transaction %q, amount item 1 in line %d of transaction %q",
			what, latin1(number), r.tx.Line, latin1(of))
	}
}

// finishTransaction reports amount items that the current transaction lacks.
func (r *Reader) finishTransaction() {
	switch r.position {
	case afterItem1:
		r.fault(CodeUnpairedItem, "amount item 2 of the transaction in line %d is missing", r.tx.Line)
	case afterItem2:
		r.fault(CodeUnpairedItem, "amount item 3 of the transaction in line %d is missing", r.tx.Line)
	case betweenTransactions, afterDamage:
	}
	r.position = betweenTransactions
}

func (r *Reader) transactionType(rec *record) Type {
	tens, ones := rec.kind()[0]-'0', rec.kind()[1]-'0'
	if t := Type(10*tens + ones); tens <= 9 && ones <= 9 && t.Known() {
		return t
	}
	r.fault(CodeUnknownType, "the transaction type is %q instead of 10 to 21", latin1(rec.kind()))
	return 0
}

// digits checks a field of digits.
func (r *Reader) digits(field []byte, name string) bool {
	if digits(field) {
		return true
	}
	r.fault(CodeBadNumber, "the %s is %q, which is no number", name, latin1(field))
	return false
}

// number reads a field of digits.
func (r *Reader) number(field []byte, name string) (int64, bool) {
	if !r.digits(field, name) {
		return 0, false
	}
	return number(field), true
}

func (r *Reader) amount(field []byte) (models.Amount, bool) {
	if !digits(field) {
		return 0, r.digits(field, "amount")
	}
	return models.Amount(number(field)), true
}

// date reads a date, or zero for zeros.
func (r *Reader) date(f *dateField, field []byte, name string) (models.Date, bool) {
	d, ok := f.read(field)
	if !ok {
		r.fault(CodeBadDate, "the %s is %q, which is no date of the form DDMMYY", name, latin1(field))
	}
	return d, ok
}

func (r *Reader) filler(field []byte) {
	if !zeros(field) {
		r.warn(CodeFiller, "a filler is %q instead of zeros", latin1(field))
	}
}
