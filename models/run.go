package models

import "time"

// RunKind names a job that is made once for each creditor and business date.
type RunKind string

// The kinds of runs.
const (
	RunStatus  RunKind = "status"
	RunDunning RunKind = "dunning"
	RunVerify  RunKind = "verify"
)

// RunState is how far a run has come.
type RunState string

// The states of a run.
const (
	RunStarted RunState = "started"
	RunDone    RunState = "done"
	RunMissed  RunState = "missed" // nothing ran that day; a later run did what was due
)

// Run is one run of a creditor's business date (rule E6f).
type Run struct {
	ID           int64
	CreditorID   int64
	Kind         RunKind
	BusinessDate Date
	State        RunState
	CaughtUpBy   Date // of a missed date: the date whose run did its work
	HeldBack     bool // a dunning run that left invoices alone because the bank's files were late
	Done         int  // how many things it did: events, notices, differences found
	StartedAt    time.Time
	FinishedAt   *time.Time
}
