package models

import (
	"database/sql/driver"
	"slices"
	"time"
)

// AuditState says how far an audit is.
type AuditState string

// The states.
const (
	AuditRunning AuditState = "running"
	AuditDone    AuditState = "done"
	AuditFailed  AuditState = "failed" // rows could not be read: see Failure
)

// AuditStates are all states.
var AuditStates = []AuditState{AuditRunning, AuditDone, AuditFailed}

// FindingClass says how grave a finding of an audit is.
type FindingClass string

// The classes (rule U4).
const (
	FindingLaw   FindingClass = "law"   // somebody was dunned or charged unlawfully
	FindingRule  FindingClass = "rule"  // a rule of purr's was not kept
	FindingDoubt FindingClass = "doubt" // the law is silent, or the rows do not say enough
)

// FindingClasses are all classes, the gravest first.
var FindingClasses = []FindingClass{FindingLaw, FindingRule, FindingDoubt}

// Audit is an audit that a person asked for, or that a night made, and how far it is (rules U5, U7). It is done by a task, some invoices at a
// time, and goes on where it was when that is broken off.
type Audit struct {
	ID         int64
	CreditorID int64
	CustomerID int64  // only this customer's letters; zero for all
	From       Date   `gorm:"column:from_date"` // only letters of these days, both inclusive; zero is no limit
	To         Date   `gorm:"column:to_date"`
	AskedBy    string // the actor; empty for a night's
	Night      Date   // the business date of a night's audit (rule U7); zero for one that a person asked for
	State      AuditState
	Failure    string     // why it failed
	InAll      int64      `gorm:"column:in_all"` // how many letters there were when it began
	Letters    int64      // that were looked at
	Checks     int64      // questions that were answered
	Unknown    int64      `gorm:"column:unanswered"` // questions that the rows do not answer
	Kinds      AuditKinds `gorm:"type:text"`
	Findings   int64
	Back       Amount // what is to be paid back by all findings, in øre
	LastID     int64  // the last invoice that was looked at
	CreatedAt  time.Time
	DoneAt     *time.Time // when it was done, or failed
}

// AuditKinds are the codes of the kinds of questions that were answered, in order.
type AuditKinds []string

// With returns the kinds with some more.
func (k AuditKinds) With(more []string) AuditKinds {
	all := append(slices.Clone(k), more...)
	slices.Sort(all)
	return slices.Compact(all)
}

// Value gives the kinds to a database: JSON, NULL if there are none.
func (k AuditKinds) Value() (driver.Value, error) { return jsonValue(k, len(k) == 0) }

// Scan takes the kinds from a database.
func (k *AuditKinds) Scan(src any) error {
	*k = nil
	return scanJSON(src, k)
}

// AuditFinding is a finding of an audit that is kept (rule U4).
type AuditFinding struct {
	ID           int64
	AuditID      int64
	CreditorID   int64
	CustomerID   int64
	InvoiceID    int64
	Invoice      int64 // its number
	NoticeID     int64 // zero if it is of no notice
	HandOverID   int64 // zero if it is of no hand-over
	Class        FindingClass
	Code         string
	Rows         AuditRows  `gorm:"column:row_names;type:text"`
	Expected     string     // what should have been
	Found        string     // what was
	BackFee      Amount     // of a fee or of standard compensation, in øre: what was charged unlawfully when the audit looked
	BackInterest Amount     // of interest, in øre
	Night        Date       // of the night that found it first; zero if a person's audit found it
	HeldFor      HoldReason // why its invoice was on hold from then on; empty if it was not (rule U7)
	CreatedAt    time.Time
}

// Back returns what is to be paid back.
func (f AuditFinding) Back() Amount { return f.BackFee + f.BackInterest }

// AuditRepayment is what was booked to put a finding right (rule U6). It never changes.
type AuditRepayment struct {
	ID         int64
	AuditID    int64
	CreditorID int64
	CustomerID int64
	InvoiceID  int64
	NoticeID   int64 // zero if the finding is of no notice
	Code       string
	Expected   string // what should have been
	Found      string // what was
	Fee        Amount // in øre, that was taken off the invoice's fees and compensation
	Interest   Amount // in øre, that was taken off its interest
	CreatedAt  time.Time
}

// AuditRows name rows, as in "overdue_notices 17".
type AuditRows []string

// Value gives the names to a database: JSON, NULL if there are none.
func (r AuditRows) Value() (driver.Value, error) { return jsonValue(r, len(r) == 0) }

// Scan takes the names from a database.
func (r *AuditRows) Scan(src any) error {
	*r = nil
	return scanJSON(src, r)
}
