package store

import (
	"context"
	"errors"
	"fmt"
	"strconv"

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
// no numbers. It fails with ErrHeld while the creditor is held.
func (tx *Tx) NextNumbers(ctx context.Context, creditorID int64, n int) (first int64, err error) {
	g := tx.with(ctx)
	if dialect(g.Name()) == dialectSQLite {
		var s numberSeries
		g = g.Raw("UPDATE number_series SET next_number = next_number + ? WHERE creditor_id = ? AND "+notHeld+" RETURNING next_number - ? AS next_number",
			n, creditorID, acceptedName(creditorID), n).Take(&s)
		if errors.Is(g.Error, gorm.ErrRecordNotFound) {
			return 0, tx.noNumbers(ctx)
		}
		return s.NextNumber, classify(g.Error, "")
	}
	update := gorm.WithResult()
	err = g.Clauses(update).Exec("UPDATE number_series SET next_number = LAST_INSERT_ID(next_number) + ? WHERE creditor_id = ? AND "+notHeld,
		n, creditorID, acceptedName(creditorID)).Error
	if err != nil {
		return 0, classify(err, "")
	}
	if update.RowsAffected == 0 {
		return 0, tx.noNumbers(ctx)
	}
	return update.Result.LastInsertId()
}

// noNumbers says why a creditor gets no number.
func (tx *Tx) noNumbers(ctx context.Context) error {
	if err := tx.RefuseIfHeld(ctx); err != nil {
		return err
	}
	return models.NotFound("number series")
}

// LoseNumbers makes the creditor's series go on after the number last, and remembers the numbers up to it that the
// database has not given (rule O3). It returns the next number. It fails if the database has itself given a later one.
func (tx *Tx) LoseNumbers(ctx context.Context, creditorID, last int64) (next int64, err error) {
	series, err := readOne[numberSeries](forUpdate(tx.with(ctx)).Where("creditor_id = ?", creditorID), "number series")
	if err != nil {
		return 0, err
	}
	next = series.NextNumber
	if last < next-1 {
		return 0, fmt.Errorf("this database has itself given the numbers up to %d: --last-number cannot be lower", next-1)
	}
	if last == next-1 {
		return next, nil
	}
	if err := tx.insert(ctx, &lostNumbers{CreditorID: creditorID, First: next, Last: last}); err != nil {
		return 0, err
	}
	return last + 1, tx.set(ctx, &numberSeries{}, map[string]any{"next_number": last + 1}, "creditor_id = ?", creditorID)
}

// acceptedSeriesName is the setting with the number that the creditor's series went on at when its restore was last accepted,
// before any number was noted as lost.
func acceptedSeriesName(creditorID int64) string { return fmt.Sprint("accepted:series:", creditorID) }

// NoteAcceptedSeries notes where the creditor's series goes on as its restore is accepted, for ResumeSeries.
func (tx *Tx) NoteAcceptedSeries(ctx context.Context, creditorID int64) error {
	series, err := readOne[numberSeries](forUpdate(tx.with(ctx)).Where("creditor_id = ?", creditorID), "number series")
	if err != nil {
		return err
	}
	return tx.SetSetting(ctx, acceptedSeriesName(creditorID), strconv.FormatInt(series.NextNumber, 10))
}

// AcceptedSeries returns the number that the creditor's series would go on at if nothing were noted as lost: while no number
// was given since its restore was accepted, a wrong last number can be corrected (rule D109). Otherwise it returns false.
func (r reads) AcceptedSeries(ctx context.Context, creditorID int64) (first int64, open bool, err error) {
	noted, err := r.Setting(ctx, acceptedSeriesName(creditorID))
	if err != nil || noted == "" {
		return 0, false, err
	}
	if first, err = strconv.ParseInt(noted, 10, 64); err != nil {
		return 0, false, err
	}
	given, err := scan[int64](r.with(ctx).Raw(`SELECT COALESCE(MAX(number), 0) FROM (
		SELECT MAX(number) AS number FROM invoices WHERE creditor_id = ? AND adopted = FALSE
		UNION ALL SELECT MAX(number) FROM credit_notes WHERE creditor_id = ?) AS n`, creditorID, creditorID))
	if err != nil {
		return 0, false, err
	}
	return first, given < first, nil
}

// ResumeSeries takes back what was noted as lost when the creditor's restore was accepted, so that LoseNumbers can be called
// with the right number. It reports false if a number was given since.
func (tx *Tx) ResumeSeries(ctx context.Context, creditorID int64) (bool, error) {
	if _, err := readOne[numberSeries](forUpdate(tx.with(ctx)).Where("creditor_id = ?", creditorID), "number series"); err != nil {
		return false, err
	}
	first, open, err := tx.AcceptedSeries(ctx, creditorID)
	if err != nil || !open {
		return false, err
	}
	if err := classify(tx.with(ctx).Where("creditor_id = ? AND first >= ?", creditorID, first).Delete(&lostNumbers{}).Error, ""); err != nil {
		return false, err
	}
	return true, tx.set(ctx, &numberSeries{}, map[string]any{"next_number": first}, "creditor_id = ?", creditorID)
}

// lostNumbers are numbers that left with documents which a restored backup does not hold.
type lostNumbers struct {
	ID         int64
	CreditorID int64
	First      int64
	Last       int64
}

func (lostNumbers) TableName() string { return "lost_numbers" }

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
		return &models.Error{Kind: models.KindConflict, Code: "series_in_use", Place: models.At("first_number"), Msg: "the first invoice has been sent; the series cannot start anew"}
	}
	adopted, err := scan[int64](tx.with(ctx).Raw("SELECT COALESCE(MAX(number), 0) FROM invoices WHERE creditor_id = ?", creditorID))
	if err != nil {
		return err
	}
	if first <= adopted {
		return &models.Error{Kind: models.KindConflict, Code: "number_in_series", Place: models.At("first_number"), Msg: fmt.Sprintf("the series begins above the adopted invoices: their highest number is %d", adopted)}
	}
	return tx.set(ctx, &numberSeries{}, map[string]any{"next_number": first}, "creditor_id = ?", creditorID)
}

// highestNumber returns the highest number that was ever given; those of adopted invoices were not.
func (r reads) highestNumber(ctx context.Context, creditorID int64) (int64, error) {
	return scan[int64](r.with(ctx).Raw(`SELECT COALESCE(MAX(number), 0) FROM (
		SELECT MAX(number) AS number FROM invoices WHERE creditor_id = ? AND adopted = FALSE
		UNION ALL SELECT MAX(number) FROM credit_notes WHERE creditor_id = ?
		UNION ALL SELECT MAX(last) FROM lost_numbers WHERE creditor_id = ?) AS n`, creditorID, creditorID, creditorID))
}
