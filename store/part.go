package store

import (
	"context"
	"time"

	"gorm.io/gorm/clause"

	"purr/internal/clock"
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

// PartLives is for how long a part counts as living after it has said so.
const PartLives = time.Minute

// Present is what the rows say of the installation as it stands.
type Present struct {
	Parts    []Part    // that live, the oldest first
	Backup   time.Time // when the last one was made; zero if none is known
	Accounts int64     // bank accounts and IBANs that wait for the operator (rule D101)
}

// Present asks one question: which parts live at a moment of real time, and what else the whole installation has.
func (r reads) Present(ctx context.Context, now time.Time) (p Present, err error) {
	type row struct {
		ID, Kind, Host, Version string
		SchemaMin, SchemaMax    int64
		StartedAt, SeenAt       *time.Time // nil if no part lives
		Backup                  string
		Accounts                int64
	}
	rows, err := scan[[]row](r.with(ctx).Raw(`SELECT COALESCE(p.id, '') AS id, COALESCE(p.kind, '') AS kind, COALESCE(p.host, '') AS host, COALESCE(p.version, '') AS version,
		COALESCE(p.schema_min, 0) AS schema_min, COALESCE(p.schema_max, 0) AS schema_max, p.started_at, p.seen_at,
		COALESCE((SELECT value FROM settings WHERE name = ?), '') AS backup,
		(SELECT COUNT(*) FROM creditors WHERE waiting_account > '') + (SELECT COUNT(*) FROM creditors WHERE waiting_iban > '') AS accounts
		FROM (SELECT 1 AS n) one LEFT JOIN parts p ON p.seen_at > ? ORDER BY p.started_at, p.id`, lastBackup, now.Add(-PartLives)))
	if err != nil {
		return p, err
	}
	for _, r := range rows {
		p.Accounts = r.Accounts
		if r.Backup != "" {
			if p.Backup, err = time.Parse(time.RFC3339, r.Backup); err != nil {
				return p, err
			}
		}
		if r.ID != "" && r.StartedAt != nil && r.SeenAt != nil {
			p.Parts = append(p.Parts, Part{r.ID, r.Kind, r.Host, r.Version, r.SchemaMin, r.SchemaMax, *r.StartedAt, *r.SeenAt})
		}
	}
	return p, nil
}

// Beat says that a part lives, at the moment of the database's clock, and sets its SeenAt; the first time its StartedAt too. It fails with a
// GateError, and says nothing, if the gate does not let the part write (rule K3a).
func (db *DB) Beat(ctx context.Context, p *Part) error {
	begun := clock.Steady()
	err := db.InTx(ctx, func(ctx context.Context, tx *Tx) error {
		gate, now, err := tx.lockGate(ctx)
		if err != nil {
			return err
		}
		if err := gate.lets(p.SchemaMin); err != nil {
			return err
		}
		if p.SeenAt = now; p.StartedAt.IsZero() {
			p.StartedAt = now
		}
		return tx.PutPart(ctx, p)
	})
	if err == nil {
		db.guard.beat.Store(int64(begun))
	}
	return err
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

// NoteBackup keeps when a backup was made.
func (tx *Tx) NoteBackup(ctx context.Context, at time.Time) error {
	return tx.SetSetting(ctx, lastBackup, at.UTC().Format(time.RFC3339))
}

// LastBackup returns when the last backup that is whole was made, by real time; zero if none is known.
func (r reads) LastBackup(ctx context.Context) (time.Time, error) {
	kept, err := r.Setting(ctx, lastBackup)
	if err != nil || kept == "" {
		return time.Time{}, err
	}
	return time.Parse(time.RFC3339, kept)
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
