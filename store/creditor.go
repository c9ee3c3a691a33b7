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

// CreditorZone is a creditor with its time zone.
type CreditorZone struct {
	ID       int64
	TimeZone string
}

// CreditorZones returns the time zones of all creditors, oldest first.
func (r reads) CreditorZones(ctx context.Context) ([]CreditorZone, error) {
	return creditorZones.all(ctx, r)
}

var creditorZones = selecting[CreditorZone]("FROM creditors ORDER BY id")

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
	if err := classify(tx.with(ctx).Save(c).Error, ""); err != nil {
		return nameTaken(err, c.Name)
	}
	return tx.takeAccount(ctx, c)
}

// DoubtVAT notes that an invoice with VAT was issued while nobody had said whether the creditor is registered for VAT
// (rule L9). It reports false if that was noted before.
func (tx *Tx) DoubtVAT(ctx context.Context, id int64) (bool, error) {
	g := tx.with(ctx).Model(&models.Creditor{}).Where("id = ? AND vat_doubted = ?", id, false).UpdateColumn("vat_doubted", true)
	return g.RowsAffected > 0, classify(g.Error, "")
}

// LockCreditor reads a creditor and locks it until the transaction ends.
func (tx *Tx) LockCreditor(ctx context.Context, id int64) (models.Creditor, error) {
	return readOne[models.Creditor](forUpdate(tx.with(ctx)).Where("id = ?", id), "creditor")
}

func nameTaken(err error, name string) error {
	if errors.Is(err, ErrDuplicate) {
		return &models.Error{Kind: models.KindConflict, Code: "name_in_use", Field: "name", Msg: "there is a creditor named " + strconv.Quote(name) + " already"}
	}
	return err
}
