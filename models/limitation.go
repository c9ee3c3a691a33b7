package models

import (
	"slices"
	"time"
)

// LapseNoticeDays is for how many days before a claim lapses it is told that it does (rule L26).
const LapseNoticeDays = 180

// limitationMonths is after how many months a claim lapses: three years (foreldelsesloven, LOV-1979-05-18-18, § 2).
const limitationMonths = 36

// LapsesOn returns the day on which a claim lapses (rule L26): three years after it fell due, the first day on which it could be demanded
// (foreldelsesloven §§ 2, 3), or after the day on which it was last acknowledged (§ 14) or taken to court (§ 15), if that was later. acknowledged
// is zero if it never was. From 29 February it is 28 February. The last day of all is that of the year 9999.
func LapsesOn(due, acknowledged Date) Date {
	return min(max(due, acknowledged).monthsLater(limitationMonths), NewDate(9999, time.December, 31))
}

// LastPaid returns the day of the debtor's last payment on an invoice that was not taken back, zero if there is none (rule L26). entries are
// those of the invoice itself, oldest first. Paying a part acknowledges the rest (foreldelsesloven § 14). So what is not the debtor's act is no
// payment: credit notes, credit that was moved here from another document, what was paid out, and how an invoice stood when it was
// adopted. What its own system told later is one, of the day on which it was told (rules L17, L29).
func LastPaid(entries []Entry) (last Date) {
	var standing []Entry
	for _, e := range entries {
		switch {
		case e.Type != EntryPayment && e.Type != EntryOCR, e.CreditNoteID != 0, e.MovedFrom != 0, e.Adopted == Opening, e.Amount == 0:
		case e.Amount < 0:
			standing = append(standing, e)
		case e.Type == EntryOCR || e.Adopted == Told:
			standing = lessTakenBack(standing, e)
		}
	}
	for _, e := range standing {
		last = max(last, e.TransactionDate)
	}
	return last
}

// lessTakenBack returns payments that stand without what an entry takes back: the newest payment of its amount, else as much of the newest ones.
// What the bank takes back was the bank's, or else registered by a person. What the other system takes back was told by it.
func lessTakenBack(standing []Entry, back Entry) []Entry {
	same := func(e Entry) bool { return e.Type == back.Type && e.Adopted == back.Adopted }
	for n := len(standing) - 1; n >= 0; n-- {
		if same(standing[n]) && standing[n].Amount == -back.Amount {
			return slices.Delete(standing, n, n+1)
		}
	}
	for _, takes := range []func(e Entry) bool{same, func(e Entry) bool { return e.Adopted == back.Adopted }} {
		for n := len(standing) - 1; n >= 0 && back.Amount > 0; n-- {
			if !takes(standing[n]) {
				continue
			}
			part := min(back.Amount, -standing[n].Amount)
			back.Amount -= part
			if standing[n].Amount += part; standing[n].Amount == 0 {
				standing = slices.Delete(standing, n, n+1)
			}
		}
	}
	return standing
}

// Lapses returns the day on which what is claimed on an invoice lapses, zero if nothing is claimed on it any more: it is paid or closed. Who has
// handed it over still owns the claim.
func (i Invoice) Lapses() Date {
	if i.Closed != NotClosed || i.Claimed() <= 0 {
		return 0
	}
	return i.LapsesOn
}

// LapseShown returns what Lapses does, if the interface shows it on a day (rule L30): from LapseNoticeDays before, or once a person has set
// the day on which the claim was acknowledged. Otherwise it returns zero.
func (i Invoice) LapseShown(today Date) Date {
	if i.Acknowledged == 0 && today < i.LapsesOn-LapseNoticeDays {
		return 0
	}
	return i.Lapses()
}

// Acknowledgement is what a person says who knows that a claim was acknowledged, or taken to court (rule L26).
type Acknowledgement struct {
	Date Date
}

// Validate returns the faults of the acknowledgement that can be found without the invoice.
func (a Acknowledgement) Validate(today Date) (faults Errors) {
	switch {
	case a.Date == 0:
		faults.Add("required", "date", "is required")
	case a.Date > today:
		faults.Add("date_in_future", "date", "must not be after today, %s", today)
	}
	return faults
}

// ValidateFor returns every fault of the acknowledgement of an invoice.
func (a Acknowledgement) ValidateFor(i Invoice, today Date) Errors {
	faults := a.Validate(today)
	if len(faults) == 0 && a.Date < i.IssueDate {
		faults.Add("before_issue", "date", "must not be before %s, when the invoice was issued", i.IssueDate)
	}
	return faults
}
