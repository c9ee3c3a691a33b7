package store

import (
	"context"
	"database/sql"
	"fmt"
	"time"

	"purr/models"
)

// DueRemovals asks whether something is to be removed since a customer was forgotten (rule O14).
var DueRemovals = Question{"EXISTS (SELECT 1 FROM removals WHERE next_attempt <= ?)", func(by time.Time) []any { return []any{by} }}

// NextRemoval returns when the next removal is due, and false if none will be.
func (r reads) NextRemoval(ctx context.Context) (time.Time, bool, error) {
	next, found, err := readFirst[models.Removal](r.with(ctx).Order("next_attempt, id"))
	if err != nil {
		return time.Time{}, false, err
	}
	return next.NextAttempt, found, nil
}

// RemovalsDue returns up to limit removals that are due by a moment, of all creditors.
func (r reads) RemovalsDue(ctx context.Context, by time.Time, limit int) ([]models.Removal, error) {
	all, err := readAll[models.Removal](r.with(ctx).Where("next_attempt <= ?", by).Order("id").Limit(limit))
	if err != nil {
		return nil, err
	}
	models.InOrder(all)
	return all, nil
}

// RemovalsOf returns what is still to be removed since a customer of the creditor was forgotten, in order of ID.
func (r reads) RemovalsOf(ctx context.Context, creditorID, customerID int64) ([]models.Removal, error) {
	return readAll[models.Removal](r.with(ctx).Where("customer_id = ? AND creditor_id = ?", customerID, creditorID).Order("id"))
}

func (tx *Tx) addRemovals(ctx context.Context, all []models.Removal) error {
	if len(all) == 0 {
		return nil
	}
	return tx.add(ctx, &all)
}

// RemovalsDone notes that removals are done.
func (tx *Tx) RemovalsDone(ctx context.Context, ids []int64) error {
	return some(ids, func(part []int64) error {
		return classify(tx.with(ctx).Where("id IN ?", part).Delete(&models.Removal{}).Error, "")
	})
}

// PutRemovalOff has a removal tried again at a later moment.
func (tx *Tx) PutRemovalOff(ctx context.Context, id int64, until time.Time) error {
	return tx.set(ctx, &models.Removal{}, map[string]any{"next_attempt": until}, "id = ?", id)
}

// sharedTables are the tables of files that several customers share, by kind of removal.
var sharedTables = map[models.RemovalKind]string{ //nolint:exhaustive // of the others nobody asks
	models.RemovePaymentFile: "payment_files", models.RemoveAccounts: "account_export_files", models.RemoveClaims: "claim_files",
}

// NoteRemoved notes that the bytes of a file that several customers share are kept no longer, and returns the SHA-256 under which they
// were kept; empty if there is no such file, or it is still being read. Of payment files, all that have the same bytes are noted.
func (tx *Tx) NoteRemoved(ctx context.Context, r models.Removal) (string, error) {
	table := sharedTables[r.Kind]
	type row struct{ SHA256 string }
	found, err := scan[[]row](tx.with(ctx).Raw("SELECT sha256 FROM "+table+" WHERE id = ?", r.Subject))
	if err != nil || len(found) == 0 {
		return "", err
	}
	where, arg, set := "id = ?", any(r.Subject), map[string]any{"removed_at": tx.Now}
	if r.Kind == models.RemovePaymentFile { // what was found in it quotes it
		where, arg, set["faults"], set["warnings"] = "sha256 = ?", found[0].SHA256, "", ""
	}
	g := tx.with(ctx).Table(table).Where(where+" AND removed_at IS NULL", arg).UpdateColumns(set)
	return found[0].SHA256, classify(g.Error, "")
}

// IsKept reports whether a row of any creditor names the kept file.
func (r reads) IsKept(ctx context.Context, sum string) (bool, error) {
	named, err := r.KeptBesides(ctx, []models.PaymentFile{{SHA256: sum}})
	if err != nil || named[sum] {
		return named[sum], err
	}
	return exists(r.with(ctx).Table("sellers").Where("logo = ?", sum))
}

// ShipmentsOfCustomer returns the IDs of the shipments of a customer's documents, of any creditor's.
func (r reads) ShipmentsOfCustomer(ctx context.Context, customerID int64) ([]int64, error) {
	rows := his{}
	for _, kind := range models.DocumentKinds() {
		table := documentTables[kind].name
		ids, err := idsOf(r.with(ctx).Table(table).Where("customer_id = ?", customerID))
		if err != nil {
			return nil, err
		}
		rows[table] = ids
	}
	return r.shipmentsOf(ctx, rows)
}

// HandOversOfCustomer returns the IDs of the hand-overs of a customer's invoices, of any creditor's.
func (r reads) HandOversOfCustomer(ctx context.Context, customerID int64) ([]int64, error) {
	return scan[[]int64](r.with(ctx).Raw("SELECT h.id FROM hand_overs h JOIN invoices i ON i.id = h.invoice_id WHERE i.customer_id = ? ORDER BY h.id", customerID))
}

// RewritePages writes an SQLite file anew, so that nothing is left in it of rows that were changed or deleted, and empties its log. Writers
// wait meanwhile. It fails with models.KindUnavailable if readers hold the log: then it is to be tried again. On a server it does nothing:
// what its files and logs hold is the server's own.
func (db *DB) RewritePages(ctx context.Context) error {
	if !db.IsSQLite() {
		return nil
	}
	writer, err := db.writer.DB()
	if err != nil {
		return err
	}
	conn, err := writer.Conn(ctx)
	if err != nil {
		return classify(err, "")
	}
	defer func() { _ = conn.Close() }() // it goes back to the pool
	if _, err := conn.ExecContext(ctx, "VACUUM"); err != nil {
		return classify(err, "")
	}
	var busy, log, moved sql.NullInt64
	if err := conn.QueryRowContext(ctx, "PRAGMA wal_checkpoint(TRUNCATE)").Scan(&busy, &log, &moved); err != nil {
		return classify(err, "")
	}
	if busy.Int64 != 0 {
		return models.Unavailable("the database's log", fmt.Errorf("readers hold %d pages of it", log.Int64))
	}
	return nil
}

// FileWaits reports whether a bank's file is still being read, or a payment of it waits for a person, or for a creditor with its account.
func (r reads) FileWaits(ctx context.Context, fileID int64) (bool, error) {
	underWay, err := exists(r.with(ctx).Model(&models.PaymentFile{}).Where("id = ? AND state IN ?", fileID, []models.FileState{models.FileReceived, models.FileImporting}))
	if err != nil || underWay {
		return underWay, err
	}
	return exists(r.with(ctx).Model(&models.UnmatchedPayment{}).Where("payment_file_id = ? AND (status = ? OR creditor_id = 0)", fileID, models.PaymentOpen))
}
