package store

import (
	"context"
	"slices"
	"time"

	"gorm.io/gorm"

	"purr/models"
)

// LastRun returns the creditor's latest run of a kind before a business date, and false if there is none.
func (r reads) LastRun(ctx context.Context, creditorID int64, kind models.RunKind, before models.Date) (models.Run, bool, error) {
	return lastRun.first(ctx, r, creditorID, kind, before)
}

// RunOf returns the creditor's run of a kind and business date, and false if there is none.
func (r reads) RunOf(ctx context.Context, creditorID int64, kind models.RunKind, date models.Date) (models.Run, bool, error) {
	return runOf.first(ctx, r, creditorID, kind, date)
}

// RunsAround are a creditor's runs of one kind around a business date.
type RunsAround struct {
	Before models.Run // the latest one before the date; without ID if there is none
	On     models.Run // the date's own; without ID if there is none
	After  bool       // there are some after the date that are not recorded as missed
}

// RunsAround returns the creditor's runs of a kind around a business date.
func (r reads) RunsAround(ctx context.Context, creditorID int64, kind models.RunKind, date models.Date) (RunsAround, error) {
	runs, err := runsAround.all(ctx, r, creditorID, kind, creditorID, kind, date, date)
	if err != nil {
		return RunsAround{}, err
	}
	var around RunsAround
	for _, run := range runs {
		switch {
		case run.BusinessDate < date:
			around.Before = run
		case run.BusinessDate == date:
			around.On = run
		case run.State != models.RunMissed:
			around.After = true
		}
	}
	return around, nil
}

var (
	runOf      = selecting[models.Run]("FROM runs WHERE creditor_id = ? AND kind = ? AND business_date = ?")
	lastRun    = selecting[models.Run]("FROM runs WHERE creditor_id = ? AND kind = ? AND business_date < ? ORDER BY business_date DESC LIMIT 1")
	runsAround = selecting[models.Run](`FROM runs WHERE creditor_id = ? AND kind = ? AND business_date >= COALESCE(
		(SELECT MAX(b.business_date) FROM runs b WHERE b.creditor_id = ? AND b.kind = ? AND b.business_date < ?), ?)`)
)

// CreditorsWithoutRun returns the IDs of up to limit creditors who live in a time zone and whose run of a kind and business date must
// still be begun, oldest first: there is none, it is recorded as missed by a clock that was wrong, or it is a dunning run that a
// person had made before it fell due.
func (r reads) CreditorsWithoutRun(ctx context.Context, zone string, kind models.RunKind, date models.Date, due time.Time, limit int) (ids []int64, err error) {
	var id int64
	err = r.each(ctx, limited(`SELECT c.id FROM creditors c WHERE c.time_zone = ? AND NOT EXISTS (SELECT 1 FROM runs r
		WHERE r.creditor_id = c.id AND r.kind = ? AND r.business_date = ? AND r.state <> ? AND NOT (r.kind = ? AND r.state = ? AND r.finished_at < ?))
		ORDER BY c.id`, limit),
		[]any{zone, kind, date, models.RunMissed, models.RunDunning, models.RunDone, due.UTC()}, func() { ids = append(ids, id) }, &id)
	return ids, err
}

// RunsHeldBack returns up to limit dunning runs, from a business date on, of creditors with higher IDs, that are done and skipped
// invoices for a bank file (rule E6b), by creditor.
func (r reads) RunsHeldBack(ctx context.Context, from models.Date, after int64, limit int) ([]models.Run, error) {
	return readAll[models.Run](r.with(ctx).
		Where("held_back = ? AND business_date >= ? AND kind = ? AND state = ? AND creditor_id > ?", true, from, models.RunDunning, models.RunDone, after).
		Order("creditor_id, business_date").Limit(limit))
}

// Run returns one run of the creditor.
func (r reads) Run(ctx context.Context, creditorID, id int64) (models.Run, error) {
	return readOne[models.Run](r.with(ctx).Where("id = ? AND creditor_id = ?", id, creditorID), "run")
}

// Runs returns a page of the creditor's runs of a kind, and the number of all of them.
func (r reads) Runs(ctx context.Context, creditorID int64, kind models.RunKind, p Page) ([]models.Run, int64, error) {
	return find[models.Run](ctx, r.with(ctx).Where("creditor_id = ? AND kind = ?", creditorID, kind), p)
}

// RunsBefore returns up to limit runs of a kind whose business date is before the date, the latest first.
func (r reads) RunsBefore(ctx context.Context, creditorID int64, kind models.RunKind, before models.Date, limit int) ([]models.Run, error) {
	return readAll[models.Run](r.with(ctx).Where("creditor_id = ? AND kind = ? AND business_date < ?", creditorID, kind, before).
		Order("business_date DESC").Limit(limit))
}

// RunsAndProof returns the latest dunning runs whose business date is before the date, the latest first, up to limit, and the
// latest proof of the books that is done, without ID if there is none. It asks one question.
func (r reads) RunsAndProof(ctx context.Context, creditorID int64, before models.Date, limit int) (latest []models.Run, proof models.Run, err error) {
	of := func(kind models.RunKind) *gorm.DB {
		return r.with(ctx).Model(&models.Run{}).Where("creditor_id = ? AND kind = ? AND business_date < ?", creditorID, kind, before).Order("business_date DESC")
	}
	all, err := scan[[]models.Run](r.with(ctx).Raw("SELECT * FROM (?) AS latest UNION ALL SELECT * FROM (?) AS proof",
		of(models.RunDunning).Limit(limit), of(models.RunVerify).Where("state = ?", models.RunDone).Limit(1)))
	if err != nil {
		return nil, models.Run{}, err
	}
	for _, run := range all {
		if run.Kind == models.RunVerify {
			proof = run
		} else {
			latest = append(latest, run)
		}
	}
	slices.SortFunc(latest, func(a, b models.Run) int { return int(b.BusinessDate - a.BusinessDate) })
	return latest, proof, nil
}

// LastSteps returns how many steps the creditor's latest dunning runs before a business date took, for up to limit runs.
// It skips runs without steps.
func (r reads) LastSteps(ctx context.Context, creditorID int64, before models.Date, limit int) ([]int, error) {
	return scan[[]int](r.with(ctx).Model(&models.Run{}).Select("done").Where("creditor_id = ? AND kind = ? AND business_date < ? AND done > 0", creditorID, models.RunDunning, before).
		Order("business_date DESC").Limit(limit))
}

// UnfinishedRuns returns the runs that have begun and are not finished, oldest first.
func (r reads) UnfinishedRuns(ctx context.Context) ([]models.Run, error) {
	return readAll[models.Run](r.with(ctx).Where("state = ?", models.RunStarted).Order("business_date, id"))
}

// BeginRun writes a run as started. If the creditor has a run of that kind and date, it writes nothing and reports
// false. So only one of two schedulers begins the run (rule E6f).
func (tx *Tx) BeginRun(ctx context.Context, run *models.Run) (bool, error) {
	run.State, run.StartedAt = models.RunStarted, tx.Now
	return tx.insertIgnoring(ctx, run)
}

// CreateRuns writes the runs of missed dates.
func (tx *Tx) CreateRuns(ctx context.Context, runs []models.Run) error {
	if len(runs) == 0 {
		return nil
	}
	for i := range runs {
		runs[i].StartedAt = tx.Now
	}
	return tx.insert(ctx, &runs)
}

// BeginMissedRun writes a run that is recorded as missed as started, and returns it. It reports false if the run is not missed.
func (tx *Tx) BeginMissedRun(ctx context.Context, id int64) (models.Run, bool, error) {
	run, err := tx.LockRun(ctx, id)
	if err != nil || run.State != models.RunMissed {
		return run, false, err
	}
	run.State, run.CaughtUpBy, run.StartedAt, run.FinishedAt = models.RunStarted, 0, tx.Now, nil
	return run, true, tx.UpdateRun(ctx, run)
}

// MissFutureRuns records the creditor's runs of a kind that are dated after today as missed, and returns how many there
// were. They were made while a clock was wrong (rule O12).
func (tx *Tx) MissFutureRuns(ctx context.Context, creditorID int64, kind models.RunKind, today models.Date) (int64, error) {
	return tx.setSome(ctx, &models.Run{}, map[string]any{"state": models.RunMissed, "caught_up_by": gorm.Expr("business_date")},
		"creditor_id = ? AND kind = ? AND business_date > ? AND state <> ?", creditorID, kind, today, models.RunMissed)
}

// LockRun reads a run and locks it until the transaction ends.
func (tx *Tx) LockRun(ctx context.Context, id int64) (models.Run, error) {
	return readOne[models.Run](forUpdate(tx.with(ctx)).Where("id = ?", id), "run")
}

// AddSteps adds to the steps of the creditor's dunning run of a business date. The caller takes the steps
// in the same transaction, so an interrupted run keeps its count. AddSteps does nothing if the run has not begun.
func (tx *Tx) AddSteps(ctx context.Context, creditorID int64, date models.Date, s models.RunSteps) error {
	return tx.set(ctx, &models.Run{}, map[string]any{
		"done":      gorm.Expr("done + ?", s.Steps()),
		"reminders": gorm.Expr("reminders + ?", s.Reminders), "warnings": gorm.Expr("warnings + ?", s.Warnings),
		"hand_overs": gorm.Expr("hand_overs + ?", s.HandOvers),
		"fees":       gorm.Expr("fees + ?", s.Fees), "interest": gorm.Expr("interest + ?", s.Interest),
	}, "creditor_id = ? AND kind = ? AND business_date = ?", creditorID, models.RunDunning, date)
}

// UpdateRun writes all fields of a run, which the caller has locked.
func (tx *Tx) UpdateRun(ctx context.Context, run models.Run) error {
	return tx.put(ctx, &run)
}

// UnfinishedRuns asks whether runs were begun that are not done.
var UnfinishedRuns = Question{"EXISTS (SELECT 1 FROM runs WHERE state = ?)", these(models.RunStarted)}
