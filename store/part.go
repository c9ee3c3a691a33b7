package store

import (
	"context"
	"time"

	"gorm.io/gorm/clause"
)

// Part is a process that does purr's work: all of it, or as an API, a worker or a scheduler. Its times are real ones, also on a
// simulated clock.
type Part struct {
	ID        string
	Kind      string // what it does: api, scheduler, worker, with blanks between
	Host      string
	Version   string
	SchemaMin int64 // the versions of the schema that it can work on, both inclusive
	SchemaMax int64
	StartedAt time.Time
	SeenAt    time.Time // when it said last that it lives
}

// Parts returns the parts that said after a moment that they live, the oldest first.
func (r reads) Parts(ctx context.Context, after time.Time) ([]Part, error) {
	return readAll[Part](r.with(ctx).Where("seen_at > ?", after).Order("started_at, id"))
}

// PutPart says that a part lives.
func (tx *Tx) PutPart(ctx context.Context, p *Part) error {
	return tx.insertOr(ctx, p, clause.OnConflict{DoUpdates: clause.AssignmentColumns([]string{"seen_at"})})
}

// RemovePart deletes a part that ends.
func (tx *Tx) RemovePart(ctx context.Context, id string) error {
	return classify(tx.with(ctx).Where("id = ?", id).Delete(&Part{}).Error, "")
}

// RemovePartsBefore deletes the parts that have not said since a moment that they live.
func (tx *Tx) RemovePartsBefore(ctx context.Context, moment time.Time) error {
	return classify(tx.with(ctx).Where("seen_at < ?", moment).Delete(&Part{}).Error, "")
}

// lastBackup is the setting with the moment of the last backup that was made whole.
const lastBackup = "last_backup"

// LastBackup returns when the last backup was made, the zero time if none is known.
func (r reads) LastBackup(ctx context.Context) (time.Time, error) {
	value, err := r.Setting(ctx, lastBackup)
	if err != nil || value == "" {
		return time.Time{}, err
	}
	return time.Parse(time.RFC3339, value)
}

// NoteBackup keeps when a backup was made.
func (tx *Tx) NoteBackup(ctx context.Context, at time.Time) error {
	return tx.SetSetting(ctx, lastBackup, at.UTC().Format(time.RFC3339))
}

// OwedWork is how much is owed of a kind, and since when the oldest of it is.
type OwedWork struct {
	Kind  string
	N     int64
	Since time.Time
}

// OwedWork counts what is owed of each age, and leaves out what nothing is owed of.
func (r reads) OwedWork(ctx context.Context, ages ...Age) (owed []OwedWork, err error) {
	oldest, err := r.OldestOwed(ctx, ages...)
	if err != nil {
		return nil, err
	}
	for _, a := range ages {
		if oldest[a.Name].IsZero() {
			continue
		}
		n, err := scan[int64](r.with(ctx).Table(a.table).Select("COUNT(*)").Where(a.where, a.args...))
		if err != nil {
			return nil, err
		}
		owed = append(owed, OwedWork{a.Name, n, oldest[a.Name]})
	}
	return owed, nil
}

// newestShipments is how many of the newest shipments LastSent looks at.
const newestShipments = 20_000

// LastSent returns when a shipment last left by each method, of the newest ones of the installation.
func (r reads) LastSent(ctx context.Context) (map[string]time.Time, error) {
	type last struct {
		Method string
		ID     int64
	}
	rows, err := scan[[]last](r.with(ctx).Table("shipments").Select("method, MAX(id) AS id").
		Where("id > (SELECT COALESCE(MAX(id), 0) FROM shipments) - ? AND sent_at IS NOT NULL", newestShipments).Group("method"))
	if err != nil {
		return nil, err
	}
	sent := make(map[string]time.Time, len(rows))
	for _, row := range rows {
		if sent[row.Method], err = scan[time.Time](r.with(ctx).Table("shipments").Select("sent_at").Where("id = ?", row.ID)); err != nil {
			return nil, err
		}
	}
	return sent, nil
}
