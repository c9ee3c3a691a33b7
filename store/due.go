package store

import (
	"context"
	"slices"
	"time"

	"purr/models"
)

// Question asks whether any rows owe work, of all creditors. The zero question is always answered with yes.
type Question struct {
	text string // an expression that asks indexes alone, since it is asked every few seconds
	args func(by time.Time) []any
}

// Or asks whether one of two questions is answered with yes.
func (q Question) Or(other Question) Question {
	return Question{q.text + " OR " + other.text, func(by time.Time) []any { return slices.Concat(q.args(by), other.args(by)) }}
}

// Work says what work is owed at a moment, of all creditors.
type Work struct {
	There        []bool // the answers, in the order of the questions
	Held         bool   // the installation is held (rule O3)
	WorkerDeaths int64  // see reads.WorkerDeaths
}

// Ask answers questions about what is due by a moment. It asks the database once: most sweeps find nothing.
func (r reads) Ask(ctx context.Context, by time.Time, questions ...Question) (work Work, err error) {
	work.There = make([]bool, len(questions))
	text := "SELECT EXISTS (SELECT 1 FROM settings WHERE name = ? AND value <> ''), COALESCE((SELECT value FROM settings WHERE name = ?), '0')"
	args, into := []any{heldName, workerDeaths}, []any{&work.Held, &work.WorkerDeaths}
	for i, q := range questions {
		if work.There[i] = q.text == ""; !work.There[i] {
			text, args, into = text+", "+q.text, append(args, q.args(by)...), append(into, &work.There[i])
		}
	}
	err = r.each(ctx, text, args, func() {}, into...)
	return work, err
}

// these are the arguments of a question that are the same at every moment.
func these(args ...any) func(time.Time) []any { return func(time.Time) []any { return args } }

// Chores say what a creditor's dunning run does before it takes steps.
type Chores struct {
	Status   bool // the date's status run is not done
	Payments bool // suggestions were not sought yet for unmatched payments
	Queue    bool // payments are in the queue
	Waits    bool // nobody was told yet of open payments that have waited for long
	Letters  bool // letters of notices have failed
	Anew     bool // reminders that a person asked for are to be issued anew on paper (rule L22)
	Plans    bool // payment plans are to be looked at (rule L15)
	Lapses   bool // claims lapse soon of which nobody was told (rule L26)
	Drawn    bool // the day brings something to claims of AvtaleGiro (rule G3a)
}

// Chores returns what the creditor's dunning run of a date does before it takes steps. Payments have waited for long that were
// queued before the moment. It asks one question, of indexes alone: mostly there is nothing to do.
func (r reads) Chores(ctx context.Context, creditorID int64, date models.Date, before time.Time) (is Chores, err error) {
	err = r.each(ctx, `SELECT NOT EXISTS (SELECT 1 FROM runs WHERE creditor_id = ? AND kind = 'status' AND business_date = ? AND state = 'done'),
		EXISTS (SELECT 1 FROM unmatched_payments WHERE `+unsoughtPayments+`), EXISTS (SELECT 1 FROM unmatched_payments WHERE `+openPayments+`),
		EXISTS (SELECT 1 FROM unmatched_payments WHERE `+waitingPayments+`),
		EXISTS (SELECT 1 FROM shipments WHERE `+failedLetters+`), EXISTS (SELECT 1 FROM overdue_notices WHERE creditor_id = ? AND anew_from <= ?),
		EXISTS (SELECT 1 FROM payment_plans WHERE creditor_id = ? AND state = 'running' AND look_on <= ?), EXISTS (SELECT 1 FROM invoices WHERE `+untoldLapses+`),
		EXISTS (SELECT 1 FROM bank_claims WHERE creditor_id = ? AND letter_owed = TRUE) OR
			EXISTS (SELECT 1 FROM bank_claims WHERE creditor_id = ? AND state IN ('owed', 'sent', 'accepted') AND due_date < ?)`,
		[]any{creditorID, date, creditorID, creditorID, creditorID, before.UTC(), creditorID, creditorID, date, creditorID, date, creditorID, date + models.LapseNoticeDays, creditorID, creditorID, date},
		func() {}, &is.Status, &is.Payments, &is.Queue, &is.Waits, &is.Letters, &is.Anew, &is.Plans, &is.Lapses, &is.Drawn)
	return is, err
}
