package models

import (
	"slices"
	"strings"
	"time"
)

// BookkeepingYears is for how many years after the end of an accounting year its documents are kept (bokføringsloven § 13).
const BookkeepingYears = 5

// KeptUntil returns the last day on which a document of a day must be kept: 31 December of the fifth year after its own. purr reckons
// with calendar years; a firm with another accounting year keeps its documents some months longer than it must, or asks for D later.
func KeptUntil(day Date) Date { return NewDate(day.Year()+BookkeepingYears, time.December, 31) }

// FreeBefore returns the day before which no document must be kept any more, as of a day (see KeptUntil).
func FreeBefore(today Date) Date { return NewDate(today.Year()-BookkeepingYears, time.January, 1) }

// Affairs are what decides whether a customer can be forgotten (rule O14).
type Affairs struct {
	Open   []string // what is not closed, in words and numbers, such as "invoice 10001"; at most MostOpenTold
	Newest Date     // of the newest document or entry; zero if there is none
}

// MostOpenTold is how many open things are told of.
const MostOpenTold = 10

// Refusal returns why the customer cannot be forgotten on a day: the conflict documents_open, or bookkeeping unless a person insists
// (despite). It returns nil if it can.
func (a Affairs) Refusal(today Date, despite bool) error {
	if len(a.Open) > 0 {
		return Conflict("documents_open", "not all is closed: %s", strings.Join(a.Open, ", "))
	}
	if a.Newest != 0 && !despite && today <= KeptUntil(a.Newest) {
		return Conflict("bookkeeping", "the newest document or entry is of %s and must be kept until %s (bokføringsloven § 13)", a.Newest, KeptUntil(a.Newest))
	}
	return nil
}

// ErrForgotten is returned for what cannot be done with a customer who was forgotten (rule O14).
var ErrForgotten error = Conflict("customer_forgotten", "the customer was forgotten: make a new one")

// ErrBytesRemoved is returned for a document or a file whose bytes named customers who were forgotten (rule O14).
var ErrBytesRemoved error = &Error{Kind: KindNotFound, Code: "file_removed", Msg: "it named customers who were forgotten, and is kept no longer"}

// ForgottenNumber returns what is left of the customer number that a creditor gave: digits, which the books name. Eleven digits are a
// national identity number, and anything else may be a name or an address: these go.
func ForgottenNumber(number string) string {
	const nationalIdentity = 11
	digits := func(r rune) bool { return r >= '0' && r <= '9' }
	if len(number) == nationalIdentity || strings.ContainsFunc(number, func(r rune) bool { return !digits(r) }) {
		return ""
	}
	return number
}

// RemovalKind says what is still to be removed outside of the rows.
type RemovalKind string

// The kinds of removals. Those of a file that several customers share name its row, whose ID is the subject.
const (
	RemoveKept        RemovalKind = "kept_file"      // a kept file that was the customer's alone, by its SHA-256
	RemoveFolders     RemovalKind = "folders"        // what lies of the customer in outboxes and folders of reports
	RemovePaymentFile RemovalKind = "payment_file"   // the raw bytes of a bank's file, with its copies in the inbox
	RemoveAccounts    RemovalKind = "account_export" // the file of an export to the accounts
	RemoveClaims      RemovalKind = "claim_file"     // a file of claims of AvtaleGiro
	RemovePages       RemovalKind = "pages"          // what the database's own file still holds of rows that were changed
)

// RemovalKinds are all kinds, in the order in which they are done: the database's pages last, since each other one changes rows.
var RemovalKinds = []RemovalKind{RemoveKept, RemoveFolders, RemovePaymentFile, RemoveAccounts, RemoveClaims, RemovePages}

// Removal is owed since a customer was forgotten: what a file, and not a row, still says of it.
type Removal struct {
	ID          int64
	CreditorID  int64
	CustomerID  int64
	Kind        RemovalKind
	Subject     int64
	SHA256      string    `gorm:"column:sha256"`
	NextAttempt time.Time // not before this moment, in common time
	CreatedAt   time.Time
}

// Forgetting is an act of forgetting a customer: what a person says besides who it is.
type Forgetting struct {
	Cut     Date // what several customers share, such as a bank's file, goes now if it is of an earlier day; zero for what need not be kept any more
	Despite bool // although the bookkeeping years are not over
	Again   bool // it was forgotten before, in a database that is lost: nothing refuses it
}

// SharedGoes returns the first day on which a file that several customers share, and that is of a day, may go. Without a person's word
// that is once it need not be kept any more (rule O14).
func (f Forgetting) SharedGoes(day, today Date) Date {
	if day < f.Cut && (f.Despite || today > KeptUntil(day)) {
		return today
	}
	return KeptUntil(day) + 1
}

// InOrder sorts removals into the order in which they are done.
func InOrder(all []Removal) {
	slices.SortStableFunc(all, func(a, b Removal) int {
		return slices.Index(RemovalKinds, a.Kind) - slices.Index(RemovalKinds, b.Kind)
	})
}
