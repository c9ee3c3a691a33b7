package store

import (
	"context"

	"purr/models"
)

// LastRun returns the creditor's latest run of a kind before a business date, and false where there is none.
func (r reads) LastRun(ctx context.Context, creditorID int64, kind models.RunKind, before models.Date) (models.Run, bool, error) {
	var runs []models.Run
	err := r.with(ctx).Where("creditor_id = ? AND kind = ? AND business_date < ?", creditorID, kind, before).
		Order("business_date DESC").Limit(1).Find(&runs).Error
	if err != nil || len(runs) == 0 {
		return models.Run{}, false, classify(err, "")
	}
	return runs[0], true, nil
}

// RunOf returns the creditor's run of a kind and business date, and false where there is none.
func (r reads) RunOf(ctx context.Context, creditorID int64, kind models.RunKind, date models.Date) (models.Run, bool, error) {
	var runs []models.Run
	err := r.with(ctx).Where("creditor_id = ? AND kind = ? AND business_date = ?", creditorID, kind, date).Find(&runs).Error
	if err != nil || len(runs) == 0 {
		return models.Run{}, false, classify(err, "")
	}
	return runs[0], true, nil
}

// UnfinishedRuns returns the runs that were begun and not finished, oldest first.
func (r reads) UnfinishedRuns(ctx context.Context) ([]models.Run, error) {
	var runs []models.Run
	err := r.with(ctx).Where("state = ?", models.RunStarted).Order("business_date, id").Find(&runs).Error
	return runs, classify(err, "")
}

// BeginRun writes a run as started, and reports false, writing nothing, where the creditor has one of
// its kind and date already: of two schedulers one begins it (rule E6f).
func (tx *Tx) BeginRun(ctx context.Context, run *models.Run) (bool, error) {
	run.State, run.StartedAt = models.RunStarted, tx.Now
	return tx.insertIgnoring(ctx, run)
}

// CreateRuns writes runs as they are: the missed dates.
func (tx *Tx) CreateRuns(ctx context.Context, runs []models.Run) error {
	if len(runs) == 0 {
		return nil
	}
	for i := range runs {
		runs[i].StartedAt = tx.Now
	}
	return tx.insert(ctx, &runs)
}

// LockRun reads a run and locks it until the transaction ends.
func (tx *Tx) LockRun(ctx context.Context, id int64) (models.Run, error) {
	var run models.Run
	err := forUpdate(tx.with(ctx)).Where("id = ?", id).Take(&run).Error
	return run, classify(err, "run")
}

// UpdateRun writes all fields of a run, which the caller has locked.
func (tx *Tx) UpdateRun(ctx context.Context, run models.Run) error {
	return classify(tx.with(ctx).Save(&run).Error, "")
}
