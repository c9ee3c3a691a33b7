package camt

import (
	"cmp"
	"fmt"
	"strings"

	"purr/models"
)

// booking is what is gathered of an entry until it has been read.
type booking struct {
	amount       money
	complete     bool // what stands before the transactions was taken
	charged      bool // there are charges, of the entry or of a transaction
	transactions int
	sum          models.Amount // of what was given out of it, in øre
	text         string
	doubt        string // why a person has to look at it; empty where the transactions are what the entry says
	batch        batch
}

// batch is what an element NtryDtls says of its transactions, and what was found.
type batch struct {
	number       int // -1 where it is not said
	sum          money
	transactions int
	found        models.Amount // øre
	unknown      bool          // a transaction does not say its amount
}

func (r *Reader) startEntry() {
	r.entries++
	r.entry = &Entry{Notification: r.notification, Line: r.line, Number: r.entries}
	r.booking = booking{}
}

// ownStatus takes a status that is the bank's own: certainly not that the money is on the account.
func (r *Reader) ownStatus(status string) { r.entry.Status = "(" + clip(status) + ")" }

func (r *Reader) endStatus() {
	if r.entry.Status == "" {
		r.fault(CodeMissingElement, "Sts has neither Cd nor Prtry")
	}
}

// bankCode takes a part of the bank transaction code: domain, family, sub-family.
func (r *Reader) bankCode(part string) {
	r.entry.Code = strings.TrimPrefix(r.entry.Code+"/"+clip(part), "/")
}

// ownBankCode takes the bank's own code where there is no other.
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

// completeEntry takes what stands before the transactions of an entry, once.
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

// endDetails compares the transactions with what NtryDtls says of them.
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

// endEntry gives out what was held back until it was known whether the entry has one transaction or many.
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
	r.notification.countEntry(e)
	r.entry = nil
}

// reconcile makes the transactions of an entry add up to its amount, and notes where a person has to look.
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

// onlyAmount returns the amount of an entry's only transaction: the entry's, where the transaction does not
// say its own, or charges were taken from it. What was credited is the entry's amount in any case.
func (r *Reader) onlyAmount() models.Amount {
	if !r.held.known || r.booking.charged {
		return r.entry.Signed()
	}
	return r.held.signed
}

// doubt notes why a person has to look at an entry. The first reason will do.
func (r *Reader) doubt(format string, args ...any) {
	if r.booking.doubt == "" {
		r.booking.doubt = fmt.Sprintf(format, args...)
	}
}

// emitRest gives out what is left of the entry's amount when all its transactions are given out, so that
// they add up to the money that was booked.
func (r *Reader) emitRest(rest models.Amount) {
	direction := Credit
	if rest < 0 {
		direction = Debit
	}
	r.add(Transaction{Line: r.entry.Line, Amount: rest, Direction: direction, Text: r.booking.doubt})
}

// add gives out a transaction of the entry.
func (r *Reader) add(tx Transaction) {
	tx.Entry = r.entry
	r.booking.sum = plus(r.booking.sum, tx.Amount)
	r.notification.countTransaction(r.entry)
	if !r.entry.Ignored() {
		r.ready = append(r.ready, tx)
	}
}
