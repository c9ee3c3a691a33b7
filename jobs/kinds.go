package jobs

import (
	"context"
	"log/slog"
	"slices"
	"time"

	"purr/jobs/tasks"
	"purr/store"
)

// kind is a kind of work that rows owe: all that is known of it outside of its file. The worker, the sweep, the test clock, the burial
// of a dead worker and the metrics range over kinds.
type kind struct {
	name   string // of its tasks and marks, which may wait while the program is replaced: it stays
	queue  string
	within time.Duration // the longest that one task may take

	// do returns what does a task.
	do func(w *Worker) handler
	// lanes is how many tasks of one creditor a worker with so many hands does at once; nil if that is not bounded.
	lanes func(concurrency int) int
	// rows are the rows that a worker takes by its name, and that are freed when it is buried; nil if it takes none.
	rows *store.Leased
	// accepted notes what a dead worker's channel has accepted, if that worker still has it in hand; nil if no marks are kept.
	accepted func(ctx context.Context, tx *store.Tx, log *slog.Logger, worker string, m mark) error

	// owes asks whether any row owes such work. The zero question is for work that is always looked for.
	owes store.Question
	// due returns what finds the tasks that rows make due.
	due func(s *Scheduler, is owing) []owed
	// next returns when more falls due; nil if rows say it, or nothing falls due by itself.
	next func(ctx context.Context, s *Scheduler) (time.Time, bool, error)
	// atOnce: it is asked for each second, not only by the sweep.
	atOnce bool
	// sendsNone: it sends nothing, so it goes on while the installation is held (rule O3).
	sendsNone bool
	// oldest is the age that the metrics tell of; nil if they tell of none.
	oldest *store.Age
}

// kinds lists the kinds of work, in the order in which a sweep asks for them. A kind that is not here is never done: a test holds that
// each table whose rows are taken belongs to one.
func kinds() []kind {
	return []kind{
		pollKind(),      // a due poll of the bank's folder
		runKind(),       // a business date without its run
		importKind(),    // a payment file that is not completely imported
		suggestKind(),   // an unmatched payment without suggestions
		shipKind(),      // due shipments of a creditor
		collectKind(),   // a hand-over with a bundle or message due to the debt collector
		directKind(),    // what came on claims without the debt collector, at 16:00 of a bank day
		tellKind(),      // a file for the debt collector that is due
		claimsKind(),    // claims of AvtaleGiro to look at, at 13:00 of a bank day
		claimFileKind(), // a file of claims that is due to the bank
		answersKind(),   // what the bank answers in receipts
		forgetKind(),    // what files still say of customers who were forgotten
		auditKind(),     // audits that persons asked for
		batchKind(),     // a creditor's letters due to the print shop
		receiptsKind(),  // what a print shop tells of its letters, or an access point of its e-invoices
		reportsKind(),   // what the debt collector tells in files
		foldersKind(),   // what both tell in the folders of single creditors
		deliverKind(),   // due deliveries of a webhook
	}
}

// kindOf returns a kind by its name, and false if there is none.
func kindOf(name string) (kind, bool) {
	all := kinds()
	i := slices.IndexFunc(all, func(k kind) bool { return k.name == name })
	if i < 0 {
		return kind{}, false
	}
	return all[i], true
}

// task returns a task of the kind.
func (k kind) task(key string, payload any) tasks.Task {
	return tasks.Task{Queue: k.queue, Kind: k.name, Key: key, Payload: payload, Timeout: k.within}
}

// falls returns when more of the work falls due, and false if none does.
func (k kind) falls(ctx context.Context, s *Scheduler) (time.Time, bool, error) {
	switch {
	case k.next != nil:
		return k.next(ctx, s)
	case k.rows != nil:
		return s.DB.NextAttempt(ctx, *k.rows)
	}
	return time.Time{}, false, nil
}

// leasedRows are the rows that workers take.
func leasedRows() (all []store.Leased) {
	for _, k := range kinds() {
		if k.rows != nil {
			all = append(all, *k.rows)
		}
	}
	return all
}

// OldestOwed returns since when the oldest shipment, hand-over, payment file, webhook delivery and run has been owed. The time
// of a kind of which none is owed is zero (rule O6).
func OldestOwed(ctx context.Context, db *store.DB) (map[string]time.Time, error) {
	return db.OldestOwed(ctx, ages()...)
}

// Owed returns how many of each kind are owed, and since when. It leaves out a kind of which none is.
func Owed(ctx context.Context, db *store.DB) ([]store.OwedWork, error) {
	return db.OwedWork(ctx, ages()...)
}

func ages() (all []store.Age) {
	for _, k := range kinds() {
		if k.oldest != nil {
			all = append(all, *k.oldest)
		}
	}
	return all
}

// owing is what some kinds owe.
type owing struct {
	store.Work
	kinds []kind
	lane  int64 // of each creditor's shipments that is to be queued
}

// there reports whether work of a kind is owed.
func (is owing) there(name string) bool {
	i := slices.IndexFunc(is.kinds, func(k kind) bool { return k.name == name })
	return i >= 0 && is.There[i]
}

// ask asks what some kinds owe by a moment.
func (s *Scheduler) ask(ctx context.Context, by time.Time, some []kind) (owing, error) {
	questions := make([]store.Question, len(some))
	for i, k := range some {
		questions[i] = k.owes
	}
	work, err := s.DB.Ask(ctx, by, questions...)
	if err != nil {
		return owing{}, err
	}
	return owing{Work: work, kinds: some}, nil
}
