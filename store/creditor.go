package store

import (
	"context"
	"errors"
	"strconv"

	"purr/models"
)

// Creditor returns one creditor.
func (r reads) Creditor(ctx context.Context, id int64) (models.Creditor, error) {
	return creditorByID.one(ctx, r, "creditor", id)
}

var creditorByID = selecting[models.Creditor]("FROM creditors WHERE id = ?")

// CreditorNamed returns the creditor with the name. It never reads a name as a number (rule D100).
func (r reads) CreditorNamed(ctx context.Context, name string) (models.Creditor, error) {
	return readOne[models.Creditor](r.with(ctx).Where("name = ?", name), "creditor: "+name)
}

// Creditors returns all creditors, oldest first.
func (r reads) Creditors(ctx context.Context) ([]models.Creditor, error) {
	return readAll[models.Creditor](r.with(ctx).Order("id"))
}

// CreditorZone is a time zone in which creditors live.
type CreditorZone struct {
	TimeZone  string
	Creditors int64 // how many
	Newest    int64 // the highest ID
}

// CreditorZones returns the time zones of all creditors. However many there are, it reads one index (rule D113).
func (r reads) CreditorZones(ctx context.Context) (zones []CreditorZone, err error) {
	var z CreditorZone
	err = r.each(ctx, "SELECT time_zone, COUNT(*), MAX(id) FROM creditors GROUP BY time_zone ORDER BY time_zone", nil,
		func() { zones = append(zones, z) }, &z.TimeZone, &z.Creditors, &z.Newest)
	return zones, err
}

// ZoneOfEach returns the time zones of all creditors, by ID.
func (r reads) ZoneOfEach(ctx context.Context) (map[int64]string, error) {
	zones, id, zone := map[int64]string{}, int64(0), ""
	err := r.each(ctx, "SELECT id, time_zone FROM creditors", nil, func() { zones[id] = zone }, &id, &zone)
	return zones, err
}

// CreditorNames returns the names of all creditors, by ID.
func (r reads) CreditorNames(ctx context.Context) (map[int64]string, error) {
	names, id, name := map[int64]string{}, int64(0), ""
	err := r.each(ctx, "SELECT id, name FROM creditors", nil, func() { names[id] = name }, &id, &name)
	return names, err
}

// SomeCreditors returns the first creditors, up to limit.
func (r reads) SomeCreditors(ctx context.Context, limit int) ([]models.Creditor, error) {
	return readAll[models.Creditor](r.with(ctx).Order("id").Limit(limit))
}

// CreditorsIn returns the IDs of up to limit creditors who live in a time zone, oldest first.
func (r reads) CreditorsIn(ctx context.Context, zone string, limit int) (ids []int64, err error) {
	var id int64
	err = r.each(ctx, limited("SELECT id FROM creditors WHERE time_zone = ? ORDER BY id", limit), []any{zone}, func() { ids = append(ids, id) }, &id)
	return ids, err
}

// creditorsPage is how many creditors EachCreditor reads with one statement.
const creditorsPage = 500

// EachCreditor calls do with each creditor, oldest first, as Creditors returns them, and never holds more than some hundred of them. A
// row that cannot be read is read alone: do gets its ID with what is wrong, and the others go on (rules D102, D113). It ends with the
// first error of do.
func (r reads) EachCreditor(ctx context.Context, do func(c models.Creditor, unreadable error) error) error {
	for last := int64(0); ; {
		ids, err := idsOf(r.with(ctx).Model(&models.Creditor{}).Where("id > ?", last).Order("id").Limit(creditorsPage))
		if err != nil || len(ids) == 0 {
			return err
		}
		before := last
		last = ids[len(ids)-1]
		page, err := readAll[models.Creditor](r.with(ctx).Where("id > ? AND id <= ?", before, last).Order("id"))
		if err != nil && !IsOfRows(ctx, err) {
			return err
		}
		if err != nil {
			if err := r.eachAlone(ctx, ids, do); err != nil {
				return err
			}
			continue
		}
		for _, c := range page {
			if err := do(c, nil); err != nil {
				return err
			}
		}
	}
}

// eachAlone reads the creditors one by one.
func (r reads) eachAlone(ctx context.Context, ids []int64, do func(c models.Creditor, unreadable error) error) error {
	for _, id := range ids {
		c, err := r.Creditor(ctx, id)
		switch {
		case err != nil && !IsOfRows(ctx, err):
			return err
		case models.KindOf(err) == models.KindNotFound: // deleted meanwhile
			continue
		case err != nil:
			c = models.Creditor{ID: id}
		}
		if err := do(c, err); err != nil {
			return err
		}
	}
	return nil
}

// IsOfRows reports whether an error is of the rows that were read, and not of the database or the caller's time: then what others have
// can be read.
func IsOfRows(ctx context.Context, err error) bool {
	return err != nil && ctx.Err() == nil && models.KindOf(err) != models.KindUnavailable
}

// CreateCreditor writes a new creditor and sets its ID and CreatedAt. It fails with a conflict if another creditor has
// the name or the bank account.
func (tx *Tx) CreateCreditor(ctx context.Context, c *models.Creditor) error {
	c.CreatedAt = tx.Now
	if err := tx.insert(ctx, c); err != nil {
		return nameTaken(err, c.Name)
	}
	if err := tx.insert(ctx, &numberSeries{c.ID, c.FirstNumber}); err != nil {
		return err
	}
	return tx.takeAccount(ctx, c)
}

// UpdateCreditor writes all fields of a creditor. It fails with a conflict as CreateCreditor does.
func (tx *Tx) UpdateCreditor(ctx context.Context, c *models.Creditor) error {
	if err := tx.put(ctx, c); err != nil {
		return nameTaken(err, c.Name)
	}
	return tx.takeAccount(ctx, c)
}

// DoubtVAT notes that an invoice with VAT was issued while nobody had said whether the creditor is registered for VAT
// (rule L9). It reports false if that was noted before.
func (tx *Tx) DoubtVAT(ctx context.Context, id int64) (bool, error) {
	n, err := tx.setSome(ctx, &models.Creditor{}, map[string]any{"vat_doubted": true}, "id = ? AND vat_doubted = ?", id, false)
	if err != nil {
		return false, err
	}
	return n > 0, nil
}

// LockCreditor reads a creditor and locks it until the transaction ends.
func (tx *Tx) LockCreditor(ctx context.Context, id int64) (models.Creditor, error) {
	return readOne[models.Creditor](forUpdate(tx.with(ctx)).Where("id = ?", id), "creditor")
}

func nameTaken(err error, name string) error {
	if errors.Is(err, ErrDuplicate) {
		return &models.Error{Kind: models.KindConflict, Code: "name_in_use", Place: models.At("name"), Msg: "there is a creditor named " + strconv.Quote(name) + " already"}
	}
	return err
}
