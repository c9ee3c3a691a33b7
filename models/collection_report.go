package models

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
)

// CollectionState is what the debt collector tells of a claim (rule C1).
type CollectionState string

// The states that a collector reports.
const (
	CollectionReceived  CollectionState = "received"      // the collector works on the claim
	CollectionRejected  CollectionState = "rejected"      // the collector does not take it: a person decides what becomes of it
	CollectionPaid      CollectionState = "paid"          // the collector was paid, and pays the creditor
	CollectionWithdrawn CollectionState = "withdrawn"     // the collector gives the claim back
	CollectionUnpaid    CollectionState = "closed_unpaid" // the collector has ended its work, and the claim is not paid
)

// CollectionStates are all states that a collector reports.
var CollectionStates = []CollectionState{CollectionReceived, CollectionRejected, CollectionPaid, CollectionWithdrawn, CollectionUnpaid}

// CollectorComment is the comment of a payment that a debt collector reported. Its reference follows, if it gave one.
const CollectorComment = "debt collector"

// CollectionReport is what a debt collector told of a hand-over. It never changes.
type CollectionReport struct {
	ID         int64
	CreditorID int64
	HandOverID int64
	InvoiceID  int64
	State      CollectionState
	Reference  string // the collector's; may be empty
	Identity   string // of the report among those of its hand-over and state: the same one is kept once
	At         Date   // the day of which it tells
	Amount     Amount // of a payment, above zero; else zero
	Divided    bool   // the collector said how it divides the amount: the three below add up to it
	Principal  Amount
	Interest   Amount
	Fees       Amount
	Reason     string
	Actor      string // who brought it
	EntryID    int64  // the payment that it booked, or zero
	CreatedAt  time.Time
}

// Same reports whether another report of the same identity says the same.
func (r CollectionReport) Same(other CollectionReport) bool {
	return r.At == other.At && r.Amount == other.Amount && r.Divided == other.Divided &&
		r.Principal == other.Principal && r.Interest == other.Interest && r.Fees == other.Fees && r.Reason == other.Reason
}

// Comment returns the comment of the payment that the report books.
func (r CollectionReport) Comment() string {
	return strings.TrimSpace(CollectorComment + " " + r.Reference)
}

// CollectorTold is a report in the collector's words (rule C4), each by the name that it has in a file. What is empty was not told.
type CollectorTold struct {
	Invoice   string // an invoice's number
	Bundle    string // a hand-over's name or ID
	State     string
	At        string // yyyy-mm-dd
	Amount    string
	Principal string
	Interest  string
	Fees      string
	Reference string
	Reason    string
}

// CollectorWords are the names of what a report tells, in the order of their columns.
var CollectorWords = []string{"invoice", "bundle", "state", "at", "amount", "principal", "interest", "fees", "reference", "reason"}

// Word returns where the word with one of the CollectorWords is kept, nil for any other name.
func (t *CollectorTold) Word(name string) *string {
	words := []*string{&t.Invoice, &t.Bundle, &t.State, &t.At, &t.Amount, &t.Principal, &t.Interest, &t.Fees, &t.Reference, &t.Reason}
	if i := slices.Index(CollectorWords, name); i >= 0 {
		return words[i]
	}
	return nil
}

// Named returns what the report is of: the invoice's number and the hand-over's ID, each zero if it is not named. It adds the faults of
// both. A hand-over is named by its ID or by the name of its bundle (HandOver.Name), with the ending of the file or without.
func (t *CollectorTold) Named(faults *Errors) (number, handOverID int64) {
	invoice, bundle := strings.TrimSpace(t.Invoice), strings.TrimSuffix(strings.TrimSpace(t.Bundle), ".zip")
	if invoice == "" && bundle == "" {
		faults.Add("required", "invoice", "is required: the invoice's number, or the bundle's name")
		return 0, 0
	}
	if invoice != "" {
		n, err := strconv.ParseInt(invoice, 10, 64)
		if err != nil || n <= 0 {
			faults.Add("invalid_number", "invoice", "must be an invoice's number")
		} else {
			number = n
		}
	}
	if bundle == "" {
		return number, 0
	}
	named, id, is := ParseHandOverName(bundle)
	switch {
	case !is:
		faults.Add("invalid_bundle", "bundle", "must be a bundle's name, such as invoice-10001-hand-over-17, or the hand-over's number")
	case named != 0 && number != 0 && named != number:
		faults.Add("other_invoice", "bundle", "is the bundle of invoice %d, and not of %d", named, number)
	case named != 0:
		return named, id
	}
	return number, id
}

// ParseHandOverName reads a hand-over's name, or its ID alone; the invoice's number is then zero.
func ParseHandOverName(name string) (number, id int64, is bool) {
	if n, err := strconv.ParseInt(name, 10, 64); err == nil {
		return 0, n, n > 0
	}
	_, err := fmt.Sscanf(name, "invoice-%d-hand-over-%d", &number, &id)
	return number, id, err == nil && (HandOver{ID: id}).Name(number) == name && number > 0 && id > 0
}

// Report returns what the words say, without what they are of, and adds every fault that can be found without the rows (rules C1, C4).
// today is the creditor's.
func (t *CollectorTold) Report(today Date, faults *Errors) CollectionReport {
	r := CollectionReport{State: CollectionState(strings.TrimSpace(t.State)), Reference: OneLine(t.Reference), Reason: strings.TrimSpace(t.Reason)}
	switch {
	case r.State == "":
		faults.Add("required", "state", "is required")
	case !slices.Contains(CollectionStates, r.State):
		faults.Add("invalid_state", "state", "must be received, rejected, paid, withdrawn or closed_unpaid")
	}
	r.At = t.day(today, faults)
	faults.text("reference", r.Reference, MaxReference)
	faults.Prose("reason", r.Reason, MaxReason)
	t.money(&r, faults)
	r.Identity = "reference " + r.Reference
	if r.Reference == "" {
		r.Identity = fmt.Sprintf("of %s %s", r.At, r.Amount)
	}
	return r
}

func (t *CollectorTold) day(today Date, faults *Errors) Date {
	at := strings.TrimSpace(t.At)
	day, err := ParseDate(at)
	switch {
	case at == "":
		faults.Add("required", "at", "is required")
	case err != nil:
		faults.Add("invalid_date", "at", "must be a date of the form yyyy-mm-dd")
	case day > today:
		faults.Add("date_in_future", "at", "must not be after today, %s", today)
	default:
		return day
	}
	return 0
}

// money reads the amount of a payment, and how the collector divides it.
func (t *CollectorTold) money(r *CollectionReport, faults *Errors) {
	before := len(*faults)
	read := func(name, text string, to *Amount) bool {
		text = strings.TrimSpace(text)
		if text == "" {
			return false
		}
		amount, err := ParseAmount(text)
		switch {
		case err != nil:
			faults.Add("invalid_amount", name, "must be a number with at most 2 decimals, such as 1250.00, up to %s", MaxAmount)
		case r.State != CollectionPaid && slices.Contains(CollectionStates, r.State):
			faults.Add("not_paid", name, "only a report with the state paid has an amount")
		case amount < 0:
			faults.Add("out_of_range", name, "must not be below zero")
		}
		*to = amount
		return true
	}
	sent := read("amount", t.Amount, &r.Amount)
	for _, part := range []struct {
		name, text string
		to         *Amount
	}{{"principal", t.Principal, &r.Principal}, {"interest", t.Interest, &r.Interest}, {"fees", t.Fees, &r.Fees}} {
		if read(part.name, part.text, part.to) {
			r.Divided = true
		}
	}
	if r.State != CollectionPaid || len(*faults) > before {
		return
	}
	switch sum := r.Principal + r.Interest + r.Fees; {
	case !sent:
		faults.Add("required", "amount", "is required of a payment")
	case r.Amount == 0:
		faults.Add("amount_not_positive", "amount", "must be above zero")
	case r.Divided && sum != r.Amount:
		faults.Add("parts_differ", "amount", "is %s, and principal, interest and fees add up to %s", r.Amount, sum)
	}
}
