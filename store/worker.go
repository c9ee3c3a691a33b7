package store

import (
	"context"
	"strconv"
	"time"

	"gorm.io/gorm"
)

// Worker is a process that does jobs, as all others see it. What it has taken is its own until it is buried (rule S6).
type Worker struct {
	ID        string
	Machine   string // the kernel that it runs on
	Beats     int64  // it lives as long as they grow
	Ways      string // the kinds of ways by which it hands over (see models.Ways)
	CreatedAt time.Time
}

// workerDeaths is the setting that counts the burials.
const workerDeaths = "worker_deaths"

// Workers returns all workers that are not buried.
func (r reads) Workers(ctx context.Context) ([]Worker, error) {
	return readAll[Worker](r.with(ctx).Order("id"))
}

// HasWorker reports whether a worker is not buried.
func (r reads) HasWorker(ctx context.Context, id string) (bool, error) {
	_, there, err := readFirst[Worker](r.with(ctx).Where("id = ?", id))
	return there, err
}

// WorkerDeaths returns how many workers were buried since the installation began.
func (r reads) WorkerDeaths(ctx context.Context) (int64, error) {
	value, err := r.Setting(ctx, workerDeaths)
	if err != nil || value == "" {
		return 0, err
	}
	return strconv.ParseInt(value, 10, 64)
}

// AddWorker writes a new worker.
func (tx *Tx) AddWorker(ctx context.Context, w *Worker) error {
	w.CreatedAt = tx.Now
	return tx.insert(ctx, w)
}

// Beat says that a worker lives. It reports false if the worker was buried.
func (tx *Tx) Beat(ctx context.Context, id string) (bool, error) {
	n, err := tx.setSome(ctx, &Worker{}, map[string]any{"beats": gorm.Expr("beats + 1")}, "id = ?", id)
	if err != nil {
		return false, err
	}
	return n == 1, nil
}

// RemoveWorker deletes a worker that has nothing in hand.
func (tx *Tx) RemoveWorker(ctx context.Context, id string) error {
	return classify(tx.with(ctx).Where("id = ?", id).Delete(&Worker{}).Error, "")
}

// Bury deletes a worker whose beats are still the given ones, counts the death, and frees those of the rows that are taken by nobody
// who lives. It reports false if the worker has beaten since, or is buried already.
func (tx *Tx) Bury(ctx context.Context, w Worker, all []Leased) (bool, error) {
	g := tx.with(ctx).Where("id = ? AND beats = ?", w.ID, w.Beats).Delete(&Worker{})
	if g.Error != nil || g.RowsAffected == 0 {
		return false, classify(g.Error, "")
	}
	deaths, err := tx.WorkerDeaths(ctx)
	if err != nil {
		return false, err
	}
	if err := tx.SetSetting(ctx, workerDeaths, strconv.FormatInt(deaths+1, 10)); err != nil {
		return false, err
	}
	return true, tx.FreeOfNobody(ctx, all)
}
