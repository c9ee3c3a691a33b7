package store

import (
	"context"

	"gorm.io/gorm"

	"purr/models"
)

// numberSeries is the counter of a creditor's invoice numbers.
type numberSeries struct {
	CreditorID int64 `gorm:"primaryKey;autoIncrement:false"`
	NextNumber int64
}

func (numberSeries) TableName() string { return "number_series" }

// NextNumbers takes the next n numbers of the creditor's series and returns the first (rule D18). The counter
// stays locked until the transaction ends, so callers take numbers as late as they can. A failed transaction uses
// no numbers.
func (tx *Tx) NextNumbers(ctx context.Context, creditorID int64, n int) (first int64, err error) {
	g := tx.with(ctx)
	if dialect(g.Name()) == dialectSQLite {
		var s numberSeries
		g = g.Raw("UPDATE number_series SET next_number = next_number + ? WHERE creditor_id = ? RETURNING next_number - ? AS next_number", n, creditorID, n).Take(&s)
		return s.NextNumber, classify(g.Error, "number series")
	}
	update := gorm.WithResult()
	err = g.Clauses(update).Exec("UPDATE number_series SET next_number = LAST_INSERT_ID(next_number) + ? WHERE creditor_id = ?", n, creditorID).Error
	if err != nil {
		return 0, classify(err, "")
	}
	if update.RowsAffected == 0 {
		return 0, models.NotFound("number series")
	}
	return update.Result.LastInsertId()
}

// SetFirstNumber sets the first number of the creditor's series. It fails with a conflict once a number was used
// (rule D6).
func (tx *Tx) SetFirstNumber(ctx context.Context, creditorID, first int64) error {
	if _, err := readOne[numberSeries](forUpdate(tx.with(ctx)).Where("creditor_id = ?", creditorID), "number series"); err != nil {
		return err
	}
	used, err := tx.highestNumber(ctx, creditorID)
	if err != nil {
		return err
	}
	if used != 0 {
		return &models.Error{Kind: models.KindConflict, Code: "series_in_use", Field: "first_number", Msg: "the first invoice has been sent; the series cannot start anew"}
	}
	return tx.update(ctx, &numberSeries{}, map[string]any{"next_number": first}, "creditor_id = ?", creditorID)
}

func (r reads) highestNumber(ctx context.Context, creditorID int64) (int64, error) {
	return scan[int64](r.with(ctx).Raw(`SELECT COALESCE(MAX(number), 0) FROM (
		SELECT MAX(number) AS number FROM invoices WHERE creditor_id = ?
		UNION ALL SELECT MAX(number) FROM credit_notes WHERE creditor_id = ?) AS n`, creditorID, creditorID))
}
