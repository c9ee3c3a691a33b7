package store

import (
	"context"
	"slices"
	"time"

	"purr/models"
)

// DirectToTell asks whether the debt collector is to be told of any entry that stands in no file yet.
var DirectToTell = Question{"EXISTS (SELECT 1 FROM direct_entries WHERE file_id = 0)", these()}

// Untold are the entries of one creditor of which the collector is to be told.
type Untold struct {
	CreditorID int64
	TimeZone   string
	Since      time.Time   // when the oldest of them was booked
	LastDay    models.Date // of the creditor's last file, or zero
}

// Untold returns the creditors with entries of which the collector is to be told.
func (r reads) Untold(ctx context.Context) ([]Untold, error) {
	return scan[[]Untold](r.with(ctx).Raw(`SELECT d.creditor_id, c.time_zone, d.created_at AS since,
			(SELECT MAX(f.day) FROM collector_files f WHERE f.creditor_id = d.creditor_id) AS last_day
		FROM direct_entries d JOIN creditors c ON c.id = d.creditor_id
		WHERE d.id IN (SELECT MIN(id) FROM direct_entries WHERE file_id = 0 GROUP BY creditor_id) ORDER BY d.creditor_id`))
}

// DirectEntriesBefore returns the creditor's entries that stand in no file and were booked before a moment, in the order of booking.
func (r reads) DirectEntriesBefore(ctx context.Context, creditorID int64, before time.Time) ([]models.DirectEntry, error) {
	return readAll[models.DirectEntry](r.with(ctx).Where("file_id = 0 AND creditor_id = ? AND created_at < ?", creditorID, before.UTC()).Order("id"))
}

// DirectEntriesOf returns the entries of one of the creditor's files, in the order of booking.
func (r reads) DirectEntriesOf(ctx context.Context, creditorID, fileID int64) ([]models.DirectEntry, error) {
	return readAll[models.DirectEntry](r.with(ctx).Where("file_id = ? AND creditor_id = ?", fileID, creditorID).Order("id"))
}

// CreateDirectEntries writes entries of which the collector is to be told.
func (tx *Tx) CreateDirectEntries(ctx context.Context, es []models.DirectEntry) error {
	for i := range es {
		es[i].CreatedAt = tx.Now
	}
	return tx.add(ctx, &es)
}

// ForgetDirectEntry removes what was to be told of one of the creditor's entries. It reports false if a file has told of it.
func (tx *Tx) ForgetDirectEntry(ctx context.Context, creditorID, entryID int64) (bool, error) {
	done := tx.with(ctx).Where("entry_id = ? AND creditor_id = ? AND file_id = 0", entryID, creditorID).Delete(&models.DirectEntry{})
	return done.RowsAffected > 0, classify(done.Error, "")
}

// DirectEntry returns what the collector is told of an entry of the creditor's when it is booked, and false if it is told nothing.
func (r reads) DirectEntry(ctx context.Context, creditorID, entryID int64) (models.DirectEntry, bool, error) {
	return readFirst[models.DirectEntry](r.with(ctx).Where("entry_id = ? AND deleted = ? AND creditor_id = ?", entryID, false, creditorID))
}

// DropDirectEntries removes entries of the creditor of which the collector need not be told.
func (tx *Tx) DropDirectEntries(ctx context.Context, creditorID int64, ids []int64) error {
	for some := range slices.Chunk(ids, keptAtOnce) {
		if err := tx.with(ctx).Where("id IN ? AND creditor_id = ? AND file_id = 0", some, creditorID).Delete(&models.DirectEntry{}).Error; err != nil {
			return classify(err, "")
		}
	}
	return nil
}

// PutIntoCollectorFile puts entries of the creditor into a file.
func (tx *Tx) PutIntoCollectorFile(ctx context.Context, creditorID, fileID int64, ids []int64) error {
	for some := range slices.Chunk(ids, keptAtOnce) {
		err := tx.set(ctx, &models.DirectEntry{}, map[string]any{"file_id": fileID}, "id IN ? AND creditor_id = ? AND file_id = 0", some, creditorID)
		if err != nil {
			return err
		}
	}
	return nil
}

// LeasedCollectorFiles are the files that must be delivered to the debt collector.
var LeasedCollectorFiles = Leased{
	Table: "collector_files", Name: "collector_files", Words: "files for the debt collector",
	model: func() any { return new(models.CollectorFile) }, states: anyOf(models.CollectorFileOwed), longest: func(w longestWaits) []any { return []any{w.attempt} },
}

// CollectorFileAge is since when the oldest file for the collector has been owed.
var CollectorFileAge = Age{"collector_file", "collector_files", "created_at", "state = ?", anyOf(models.CollectorFileOwed)}

// CollectorFile returns one of the creditor's files for the collector.
func (r reads) CollectorFile(ctx context.Context, creditorID, id int64) (models.CollectorFile, error) {
	return readOne[models.CollectorFile](r.with(ctx).Where("id = ? AND creditor_id = ?", id, creditorID), "file for the collector")
}

// CollectorFiles returns the creditor's files for the collector, the newest first, up to a limit.
func (r reads) CollectorFiles(ctx context.Context, creditorID int64, limit int) ([]models.CollectorFile, error) {
	return readAll[models.CollectorFile](r.with(ctx).Where("creditor_id = ?", creditorID).Order("id DESC").Limit(limit))
}

// OwedCollectorFiles returns up to limit files of all creditors that must be delivered by the moment and that nobody has in hand, the
// longest due first.
func (r reads) OwedCollectorFiles(ctx context.Context, by time.Time, limit int) ([]models.CollectorFile, error) {
	return readAll[models.CollectorFile](r.with(ctx).Where("state = ? AND next_attempt <= ? AND taken_by = ''", models.CollectorFileOwed, by).
		Order("next_attempt, id").Limit(limit))
}

// LockCollectorFile reads a file of the creditor and locks it until the transaction ends.
func (tx *Tx) LockCollectorFile(ctx context.Context, creditorID, id int64) (models.CollectorFile, error) {
	return readOne[models.CollectorFile](forUpdate(tx.with(ctx)).Where("id = ? AND creditor_id = ?", id, creditorID), "file for the collector")
}

// UpdateCollectorFile writes how far a file has come, which the caller has locked. SetCollectorSums writes what it is.
func (tx *Tx) UpdateCollectorFile(ctx context.Context, f models.CollectorFile) error {
	return tx.put(ctx, &f)
}

// collectorSeries is the setting that whoever makes a file writes first: so numbers have no gap, and none is given twice.
const collectorSeries = "collector_files_made"

// HasCollectorFile reports whether the creditor has a file of the day.
func (r reads) HasCollectorFile(ctx context.Context, creditorID int64, day models.Date) (bool, error) {
	return exists(r.with(ctx).Model(&models.CollectorFile{}).Where("creditor_id = ? AND day = ?", creditorID, day))
}

// CreateCollectorFile writes a new file with the next number of the installation, and sets its ID. It is owed at once.
func (tx *Tx) CreateCollectorFile(ctx context.Context, f *models.CollectorFile) error {
	if err := tx.SetSetting(ctx, collectorSeries, tx.Now.UTC().Format(time.RFC3339Nano)); err != nil {
		return err
	}
	last, err := scan[int64](forUpdate(tx.with(ctx)).Model(&models.CollectorFile{}).Select("COALESCE(MAX(number), 0)"))
	if err != nil {
		return err
	}
	f.Number, f.State, f.NextAttempt, f.CreatedAt = last+1, models.CollectorFileOwed, tx.Common, tx.Now
	return tx.insert(ctx, f)
}

// SetCollectorSum sets what a file is in one of its forms, a column of the table, unless it is set. It returns what it then is.
func (tx *Tx) SetCollectorSum(ctx context.Context, creditorID, id int64, asXML bool, sha256 string) (string, error) {
	column := "csv_sum"
	if asXML {
		column = "xml_sum"
	}
	err := tx.set(ctx, &models.CollectorFile{}, map[string]any{column: sha256}, "id = ? AND creditor_id = ? AND "+column+" = ''", id, creditorID)
	if err != nil {
		return "", err
	}
	f, err := tx.CollectorFile(ctx, creditorID, id)
	if err != nil || asXML {
		return f.XML, err
	}
	return f.CSV, nil
}
