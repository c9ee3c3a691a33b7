package models

import "time"

// DunningHour is the hour, in the creditor's time zone, at which the dunning run of a day falls due (rule E6f).
const DunningHour = 6

// RunKind names automatic work that is done once for each creditor and business date.
type RunKind string

// The kinds of runs.
const (
	RunStatus  RunKind = "status"
	RunDunning RunKind = "dunning"
	RunVerify  RunKind = "verify"
)

// RunKinds are all kinds of runs.
var RunKinds = []RunKind{RunStatus, RunDunning, RunVerify}

// RunState is how far a run has come.
type RunState string

// The states of a run.
const (
	RunStarted RunState = "started"
	RunDone    RunState = "done"
	RunMissed  RunState = "missed"  // no run was made that day; a later run did its work
	RunWaiting RunState = "waiting" // it would take more steps than the ceiling allows, and waits for a person's approval
)

// MaxCeiling is the highest ceiling that a creditor can set on its runs.
const MaxCeiling = 1_000_000

// RunSteps are the steps that a dunning run has taken, and what its notices charge. They are zero for a run that was made
// before they were kept; Run.Done is not.
type RunSteps struct {
	Reminders int
	Warnings  int
	HandOvers int
	Fees      Amount // øre
	Interest  Amount // øre
}

// Steps returns the number of notices and hand-overs.
func (s RunSteps) Steps() int { return s.Reminders + s.Warnings + s.HandOvers }

// Run is one run of a creditor's business date (rule E6f).
type Run struct {
	ID           int64
	CreditorID   int64
	Kind         RunKind
	BusinessDate Date
	State        RunState
	CaughtUpBy   Date // of a missed date: the date of the run that did its work
	FilesLate    bool // of a dunning run: the bank's files were late, and the creditor was told
	HeldBack     bool // of a dunning run: it skipped invoices because the bank's files were late
	Done         int  // how much it did: events, steps, or differences found
	RunSteps
	Ceiling    int    // of a run that waits or waited: the most steps that it could take without approval
	ApprovedBy string // who approved a run that waited
	ApprovedAt *time.Time
	StartedAt  time.Time
	FinishedAt *time.Time
}
