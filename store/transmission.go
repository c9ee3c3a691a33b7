package store

import (
	"context"

	"purr/models"
)

// Transmissions returns the transmissions of all creditors that were imported under a number of the sender, oldest
// first.
func (r reads) Transmissions(ctx context.Context, sender, recipient, number string) ([]models.Transmission, error) {
	return readAll[models.Transmission](r.with(ctx).Where("sender = ? AND recipient = ? AND number = ?", sender, recipient, number).Order("id"))
}

// CreateTransmissions writes new transmissions and sets their IDs. It fails with ErrDuplicate if another
// transaction has written one with the same version.
func (tx *Tx) CreateTransmissions(ctx context.Context, ts []models.Transmission) error {
	return tx.insert(ctx, &ts)
}

// TransmissionSeries is the transmissions of a sender to a recipient that count for an owner of files. Files that
// came for all creditors count for every owner. A creditor's own files count for that creditor, and for the owner
// of the files that come for all.
type TransmissionSeries struct {
	OwnerID           int64 // the creditor; zero for files that come for all
	Sender, Recipient string
}

const inSeries = "sender = ? AND recipient = ? AND (owner_id IN (0, ?) OR ? = 0)"

func (s TransmissionSeries) args(more ...any) []any {
	return append([]any{s.Sender, s.Recipient, s.OwnerID, s.OwnerID}, more...)
}

// SerialBefore returns the highest number of the series that came and is below the given number, or zero.
func (r reads) SerialBefore(ctx context.Context, s TransmissionSeries, serial int64) (int64, error) {
	return scan[int64](r.with(ctx).Model(&models.Transmission{}).Select("COALESCE(MAX(serial), 0)").
		Where(inSeries+" AND serial > 0 AND serial < ?", s.args(serial)...))
}

// CountSerials returns how many numbers of the series came, and how many are missing, dismissed ones included.
func (r reads) CountSerials(ctx context.Context, s TransmissionSeries) (came, missing int64, err error) {
	came, err = count(r.with(ctx).Model(&models.Transmission{}).Where(inSeries+" AND serial > 0", s.args()...).Distinct("serial"))
	if err == nil {
		missing, err = count(r.with(ctx).Model(&models.SkippedTransmission{}).Where(inSeries, s.args()...).Where(notCome))
	}
	return came, missing, err
}

// notCome holds for a skipped transmission that no file that counts for its owner has brought since.
const notCome = `NOT EXISTS (SELECT 1 FROM transmissions t
	WHERE t.sender = skipped_transmissions.sender AND t.recipient = skipped_transmissions.recipient AND t.serial = skipped_transmissions.serial
		AND (t.owner_id IN (0, skipped_transmissions.owner_id) OR skipped_transmissions.owner_id = 0))`

// SkippedBetween returns the numbers of the series from first to last, both inclusive, that are kept as skipped.
func (r reads) SkippedBetween(ctx context.Context, s TransmissionSeries, first, last int64) (map[int64]bool, error) {
	serials, err := scan[[]int64](r.with(ctx).Model(&models.SkippedTransmission{}).Select("serial").Where(inSeries+" AND serial BETWEEN ? AND ?", s.args(first, last)...))
	if err != nil {
		return nil, err
	}
	known := make(map[int64]bool, len(serials))
	for _, serial := range serials {
		known[serial] = true
	}
	return known, nil
}

// CreateSkipped writes skipped numbers and sets their IDs. It fails with ErrDuplicate if another transaction has
// written one of them.
func (tx *Tx) CreateSkipped(ctx context.Context, skipped []models.SkippedTransmission) error {
	return tx.insert(ctx, &skipped)
}

// MissingTransmissions returns the transmissions of all creditors that were skipped, have not come and are not dismissed,
// oldest first.
func (r reads) MissingTransmissions(ctx context.Context) ([]models.SkippedTransmission, error) {
	return readAll[models.SkippedTransmission](r.with(ctx).Where("NOT dismissed").Where(notCome).Order("id"))
}

// CountMissingTransmissions returns how many MissingTransmissions there are.
func (r reads) CountMissingTransmissions(ctx context.Context) (int64, error) {
	return count(r.with(ctx).Model(&models.SkippedTransmission{}).Where("NOT dismissed").Where(notCome))
}

// LockSkippedTransmission returns a transmission that was skipped, locked until the end of the transaction.
func (tx *Tx) LockSkippedTransmission(ctx context.Context, id int64) (models.SkippedTransmission, error) {
	return readOne[models.SkippedTransmission](forUpdate(tx.with(ctx)).Where("id = ?", id), "missing transmission")
}

// CreditorsOfSkipped returns, in order, the creditors with accounts in the transmission that revealed the skipped
// number. It returns 0 for accounts that no creditor has.
func (r reads) CreditorsOfSkipped(ctx context.Context, s models.SkippedTransmission) ([]int64, error) {
	return scan[[]int64](r.with(ctx).Model(&models.Transmission{}).Distinct("creditor_id").Order("creditor_id").
		Where("payment_file_id = ? AND sender = ? AND recipient = ?", s.PaymentFileID, s.Sender, s.Recipient))
}

// DismissSkipped keeps that a skipped transmission will not come. It fails with models.KindNotFound if no skipped
// transmission has the ID.
func (tx *Tx) DismissSkipped(ctx context.Context, id int64) error {
	n, err := tx.setSome(ctx, &models.SkippedTransmission{}, map[string]any{"dismissed": true}, "id = ?", id)
	if err == nil && n == 0 {
		return models.NotFound("missing transmission")
	}
	return err
}
