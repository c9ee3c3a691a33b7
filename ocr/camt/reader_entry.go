package camt

import (
	"cmp"
	"fmt"
	"math"
	"strings"

	"purr/models"
)

// booking collects the data of an entry while it is read.
type booking struct {
	amount       money
	complete     bool // completeEntry has run
	charged      bool // there are charges, of the entry or of a transaction
	transactions int
	sum          models.Amount // of the emitted transactions, in øre
	text         string
	doubt        string // why a person must look at the entry; empty if the transactions agree with it
	batch        batch
}

// batch compares the totals of an element NtryDtls with the transactions that were read.
type batch struct {
	number       int // -1 if absent
	sum          money
	transactions int
	found        models.Amount // øre
	unknown      bool          // a transaction has no amount
}

func (r *Reader) startEntry() {
	r.entries++
	r.entry = &Entry{Notification: r.notification, Line: r.line, Number: r.entries}
	r.booking = booking{}
}

// ownStatus reads a status of the bank's own. Such a status never means that the money is on the account.
func (r *Reader) ownStatus(status string) { r.entry.Status = "(" + clip(status) + ")" }

func (r *Reader) endStatus() {
	if r.entry.Status == "" {
		r.fault(CodeMissingElement, "Sts has neither Cd nor Prtry")
	}
}

// bankCode adds a part of the bank transaction code: domain, family, sub-family.
func (r *Reader) bankCode(part string) {
	r.entry.Code = strings.TrimPrefix(r.entry.Code+"/"+clip(part), "/")
}

// ownBankCode uses the bank's own code if there is no other.
func (r *Reader) ownBankCode(code string) {
	if r.entry.Code == "" {
		r.entry.Code = clip(code)
	}
}

func (r *Reader) charge() { r.booking.charged = true }

func (r *Reader) entryText(text string) { r.booking.text = text }

func (r *Reader) startDetails() {
	r.completeEntry()
	r.booking.batch = batch{number: -1}
}

// completeEntry sets the fields of an entry that its transactions need. Only the first call has an effect.
func (r *Reader) completeEntry() {
	if r.booking.complete {
		return
	}
	r.booking.complete = true
	e := r.entry
	e.Amount, e.Currency = r.booking.amount.amount, r.booking.amount.currency
	if e.Booked == 0 {
		e.Booked = cmp.Or(e.Value, r.summary.Created)
		if !e.Ignored() {
			r.warnAt(e.Line, CodeNoBookingDate, "there is no booking date: %s is taken for it", e.Booked)
		}
	}
	if e.Status == StatusBooked && e.Ignored() {
		r.warnAt(e.Line, CodeOtherCurrency, "%s %s are not in %s: the entry is ignored", e.Signed(), clip(e.Currency), Currency)
	}
}

// endDetails compares the transactions of NtryDtls with its totals.
func (r *Reader) endDetails() {
	b := &r.booking.batch
	if b.transactions == 0 {
		return
	}
	if b.number >= 0 && b.number != b.transactions {
		r.doubt("the batch says %d transactions, there are %d", b.number, b.transactions)
	}
	found := max(b.found, -b.found)
	if b.sum.in(r.entry.Currency) && !b.unknown && b.sum.amount != found {
		r.doubt("the batch says %s, its transactions add up to %s", b.sum.amount, found)
	}
}

// endEntry emits the last transaction. The reader holds it back until it is known whether the entry has one or many.
func (r *Reader) endEntry() {
	r.completeEntry()
	e, b := r.entry, &r.booking
	switch b.transactions {
	case 0:
		*r.tx = details{line: e.Line}
		r.tx.addText(b.text)
		r.emit(r.tx, e.Signed())
	case 1:
		r.emit(r.held, r.onlyAmount())
	default:
		r.emit(r.held, r.held.signed)
	}
	if !e.Ignored() && !r.unsure {
		r.reconcile()
	}
	r.tally(&r.counted, e.Line, e.Amount)
	r.notification.countEntry(e)
	r.entry = nil
}

// reconcile makes the transactions of an entry add up to its amount. It marks an entry that a person must look at.
func (r *Reader) reconcile() {
	e, b := r.entry, &r.booking
	if rest := e.Signed() - b.sum; rest != 0 {
		r.doubt("the transactions add up to %s, the entry says %s", b.sum, e.Signed())
		r.emitRest(rest)
	}
	if b.doubt != "" {
		e.Doubtful, r.summary.doubtful[e.Number] = true, true
		r.warnAt(e.Line, CodeDoubtful, "%s", b.doubt)
	}
}

// onlyAmount returns the amount of an entry's only transaction. If the transaction has no amount, or charges were
// deducted, that is the entry's amount, which was credited.
func (r *Reader) onlyAmount() models.Amount {
	if !r.held.known || r.booking.charged {
		return r.entry.Signed()
	}
	return r.held.signed
}

// doubt records why a person must look at the entry. Only the first reason is kept.
func (r *Reader) doubt(format string, args ...any) {
	if r.booking.doubt == "" {
		r.booking.doubt = fmt.Sprintf(format, args...)
	}
}

// emitRest emits the difference between the entry and its transactions, so that they add up to the money that was booked.
func (r *Reader) emitRest(rest models.Amount) {
	direction := Credit
	if rest < 0 {
		direction = Debit
	}
	r.add(Transaction{Line: r.entry.Line, Amount: rest, Direction: direction, Text: r.booking.doubt})
}

// tally counts an amount. It ends the reading where the amounts of the file are beyond int64 øre: from there on no sum can be
// trusted, whatever the directions are (rule D110).
func (r *Reader) tally(sum *models.Amount, line int, amount models.Amount) {
	amount = max(amount, -amount)
	if amount > math.MaxInt64-*sum {
		r.faultAt(line, CodeSumTooLarge, "the amounts of the file add up to more than %s", models.Amount(math.MaxInt64))
		r.giveUp()
		return
	}
	*sum += amount
}

// add emits a transaction of the entry.
func (r *Reader) add(tx Transaction) {
	tx.Entry = r.entry
	r.tally(&r.emitted, tx.Line, tx.Amount)
	r.booking.sum = plus(r.booking.sum, tx.Amount)
	r.notification.countTransaction(r.entry)
	if !r.entry.Ignored() {
		r.ready = append(r.ready, tx)
	}
}
