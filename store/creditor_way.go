package store

import (
	"context"
	"slices"
	"time"

	"purr/models"
)

// CreditorWays returns the ways that are the creditor's own, at most one for each method, and those that were and by which something may still
// have to leave, or be asked after (rule Q7).
func (r reads) CreditorWays(ctx context.Context, creditorID int64) ([]models.CreditorWay, error) {
	return readAll[models.CreditorWay](r.with(ctx).Where("creditor_id = ?", creditorID).Order("id"))
}

// EveryCreditorWay returns the ways of all creditors that are their own now, by creditor.
func (r reads) EveryCreditorWay(ctx context.Context) ([]models.CreditorWay, error) {
	return readAll[models.CreditorWay](r.with(ctx).Where("replaced_at IS NULL").Order("creditor_id, id"))
}

// CreditorsWithOwn returns the creditors that have, or had, a way of their own for the method.
func (r reads) CreditorsWithOwn(ctx context.Context, m models.ShipmentMethod) ([]int64, error) {
	return scan[[]int64](r.with(ctx).Model(&models.CreditorWay{}).Distinct("creditor_id").Where("method = ?", m).Order("creditor_id"))
}

// FirstCreditor returns the number of the oldest creditor, or 0 if there is none.
func (r reads) FirstCreditor(ctx context.Context) (int64, error) {
	return scan[int64](r.with(ctx).Raw("SELECT COALESCE(MIN(id), 0) FROM creditors"))
}

// CreditorsWay is a way by which something of a creditor's has left, or may have.
type CreditorsWay struct {
	CreditorID int64
	Way        models.WayID
}

// AnyFolders reports whether WaysOfBatches or WaysOfHandOvers returns any.
func (r reads) AnyFolders(ctx context.Context) (bool, error) {
	return scan[bool](r.with(ctx).Raw(`SELECT EXISTS (SELECT 1 FROM letter_batches WHERE way < 0) OR EXISTS (SELECT 1 FROM letter_batches WHERE way > 0)
		OR EXISTS (SELECT 1 FROM hand_overs WHERE way < 0) OR EXISTS (SELECT 1 FROM hand_overs WHERE way > 0)`))
}

// WaysOfBatches returns the creditors' own folders, and those of their number, to which batches of letters went.
func (r reads) WaysOfBatches(ctx context.Context) ([]CreditorsWay, error) {
	return r.creditorsWays(ctx, "letter_batches")
}

// WaysOfHandOvers returns the creditors' own folders, and those of their number, to which collection bundles went.
func (r reads) WaysOfHandOvers(ctx context.Context) ([]CreditorsWay, error) {
	return r.creditorsWays(ctx, "hand_overs")
}

func (r reads) creditorsWays(ctx context.Context, table string) ([]CreditorsWay, error) {
	return scan[[]CreditorsWay](r.with(ctx).Table(table).Distinct("creditor_id", "way").Where("way < 0 OR way > 0").Order("creditor_id, way"))
}

// ThatMayGoBy returns those of the letters that may leave by a way: no other one has accepted them, or may have got them.
func (r reads) ThatMayGoBy(ctx context.Context, way models.WayID, ids []int64) ([]int64, error) {
	if len(ids) == 0 {
		return nil, nil
	}
	elsewhere, err := idsOf(r.with(ctx).Model(&models.Shipment{}).Where("id IN ? AND way <> ? AND (receipt <> '' OR unsure > 0)", ids, way))
	if err != nil {
		return nil, err
	}
	return slices.DeleteFunc(slices.Clone(ids), func(id int64) bool { return slices.Contains(elsewhere, id) }), nil
}

// DueElsewhereIDs returns the IDs of up to limit due shipments of the creditor by the method that another way than the one given has accepted, or
// may have got.
func (r reads) DueElsewhereIDs(ctx context.Context, creditorID int64, by time.Time, limit int, m models.ShipmentMethod, way models.WayID) ([]int64, error) {
	return idsOf(r.dueShipments(ctx, creditorID, by, limit, []models.ShipmentMethod{m}).Model(&models.Shipment{}).
		Where("way <> ? AND (receipt <> '' OR unsure > 0)", way))
}

// LockCreditorWays returns what EveryCreditorWay returns, and locks all of it until the transaction ends.
func (tx *Tx) LockCreditorWays(ctx context.Context) ([]models.CreditorWay, error) {
	return readAll[models.CreditorWay](forUpdate(tx.with(ctx)).Where("replaced_at IS NULL").Order("id"))
}

// SetCreditorWay lets a way be the creditor's own from now on, in the place of the one that was, and sets its ID. Without settings the
// installation's takes its place. The caller has locked the ways, and says of each by which one its other side is reached now: that one is kept
// as long as it is.
func (tx *Tx) SetCreditorWay(ctx context.Context, w *models.CreditorWay, reached map[models.WayID]models.WayID) error {
	if err := tx.dropCreditorWays(ctx, w.CreditorID, w.Method, reached); err != nil {
		return err
	}
	err := tx.set(ctx, &models.CreditorWay{}, map[string]any{"replaced_at": tx.Now}, "creditor_id = ? AND method = ? AND replaced_at IS NULL", w.CreditorID, w.Method)
	if err != nil || len(w.Settings) == 0 {
		return err
	}
	w.CreatedAt = tx.Now
	return tx.insert(ctx, w)
}

// dropCreditorWays removes those that have been replaced before and by which nothing has still to leave, or to be asked after, with their
// secrets. What went to a print shop or to the debt collector is always asked after.
func (tx *Tx) dropCreditorWays(ctx context.Context, creditorID int64, m models.ShipmentMethod, reached map[models.WayID]models.WayID) error {
	old, err := idsOf(tx.with(ctx).Model(&models.CreditorWay{}).Where("creditor_id = ? AND method = ? AND replaced_at IS NOT NULL", creditorID, m).Order("id"))
	if err != nil || len(old) == 0 {
		return err
	}
	needed, err := scan[[]int64](tx.with(ctx).Raw(`SELECT way FROM letter_batches WHERE way IN ? UNION SELECT way FROM hand_overs WHERE way IN ?
		UNION SELECT way FROM collector_files WHERE state = ? AND way IN ?
		UNION SELECT way FROM shipments WHERE state = ? AND way IN ? UNION SELECT way FROM shipments WHERE state = ? AND unsure > 0 AND way IN ?`,
		old, old, models.CollectorFileOwed, old, models.ShipmentOwed, old, models.ShipmentFailed, old))
	if err != nil {
		return err
	}
	for _, id := range needed {
		needed = append(needed, int64(reached[models.WayID(id)]))
	}
	gone := slices.DeleteFunc(old, func(id int64) bool { return slices.Contains(needed, id) })
	if len(gone) == 0 {
		return nil
	}
	return classify(tx.with(ctx).Where("creditor_id = ? AND id IN ?", creditorID, gone).Delete(&models.CreditorWay{}).Error, "")
}
