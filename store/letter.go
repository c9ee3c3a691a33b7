package store

import (
	"cmp"
	"context"
	"slices"

	"purr/models"
)

// Letter returns one letter of the creditor (rule L23).
func (r reads) Letter(ctx context.Context, creditorID, id int64) (models.Letter, error) {
	return readOne[models.Letter](r.with(ctx).Where("id = ? AND creditor_id = ?", id, creditorID), "letter")
}

// LetterByNumber returns the creditor's letter with the number.
func (r reads) LetterByNumber(ctx context.Context, creditorID, number int64) (models.Letter, error) {
	return readOne[models.Letter](r.with(ctx).Where("creditor_id = ? AND number = ?", creditorID, number), "letter")
}

// LettersByID returns the creditor's letters with the IDs, by ID.
func (r reads) LettersByID(ctx context.Context, creditorID int64, ids []int64) (map[int64]models.Letter, error) {
	if len(ids) == 0 {
		return nil, nil
	}
	return readBy(r.with(ctx).Where("id IN ? AND creditor_id = ?", ids, creditorID), func(l models.Letter) int64 { return l.ID })
}

// NoticesOfLetters returns the notices that share the letters, those that were withdrawn too, by the letter's ID and in the order of the
// letter: the invoice that has been due the longest first.
func (r reads) NoticesOfLetters(ctx context.Context, creditorID int64, letterIDs []int64) (map[int64][]models.Notice, error) {
	if len(letterIDs) == 0 {
		return nil, nil
	}
	notices := r.with(ctx).Where("creditor_id = ? AND letter_id IN ? AND letter_id <> 0", creditorID, letterIDs).Order("id")
	return readGroups(notices, func(n models.Notice) int64 { return n.LetterID })
}

// InvoicesOfLetters returns the IDs of the invoices that have notices in the letters.
func (r reads) InvoicesOfLetters(ctx context.Context, creditorID int64, letterIDs []int64) ([]int64, error) {
	if len(letterIDs) == 0 {
		return nil, nil
	}
	return scan[[]int64](r.with(ctx).Model(&models.Notice{}).Distinct("invoice_id").
		Where("creditor_id = ? AND letter_id IN ? AND letter_id <> 0", creditorID, letterIDs).Order("invoice_id"))
}

// letterSeries is the counter of a creditor's letters.
type letterSeries struct {
	CreditorID int64 `gorm:"primaryKey;autoIncrement:false"`
	NextNumber int64
}

func (letterSeries) TableName() string { return "letter_series" }

// NextLetterNumber locks the counter of the creditor's letters until the transaction ends, and returns the next number. SetNextLetterNumber
// takes it.
func (tx *Tx) NextLetterNumber(ctx context.Context, creditorID int64) (int64, error) {
	for range 2 {
		row, there, err := readFirst[letterSeries](forUpdate(tx.with(ctx)).Where("creditor_id = ?", creditorID))
		if err != nil || there {
			return row.NextNumber, err
		}
		if _, err := tx.insertIgnoring(ctx, &letterSeries{CreditorID: creditorID, NextNumber: 1}); err != nil {
			return 0, err
		}
	}
	return 0, models.NotFound("letter series")
}

// SetNextLetterNumber writes the number of the creditor's next letter.
func (tx *Tx) SetNextLetterNumber(ctx context.Context, creditorID, next int64) error {
	return tx.set(ctx, &letterSeries{}, map[string]any{"next_number": next}, "creditor_id = ?", creditorID)
}

// CreateLetters writes new letters and sets their IDs.
func (tx *Tx) CreateLetters(ctx context.Context, letters []models.Letter) error {
	for i := range letters {
		letters[i].CreatedAt = tx.Now
	}
	return tx.insert(ctx, &letters)
}

// WithdrawLetter withdraws a letter on a day, and writes which one took its place, if any. The caller has locked the invoices of its notices.
func (tx *Tx) WithdrawLetter(ctx context.Context, l models.Letter, on models.Date, replacedBy int64) error {
	return tx.set(ctx, &models.Letter{}, map[string]any{"withdrawn": on, "replaced_by": replacedBy}, "id = ? AND creditor_id = ?", l.ID, l.CreditorID)
}

// WithdrawShipmentsOf withdraws the shipments of a letter that are owed or failed.
func (tx *Tx) WithdrawShipmentsOf(ctx context.Context, l models.Letter) error {
	return tx.set(ctx, &models.Shipment{}, map[string]any{"state": models.ShipmentWithdrawn},
		"document_kind = ? AND document_id = ? AND state IN ?", models.LetterDocument, l.ID, unsentStates)
}

// SpreadPayments returns the creditor's payments that are spread over the invoices of a letter now, the newest first: as they came, or because a
// person matched a payment with the letter's KID. It leaves out those that a reversal has taken back (rule L23).
func (r reads) SpreadPayments(ctx context.Context, l models.Letter) ([]models.UnmatchedPayment, error) {
	const standing = "status = 'matched' AND amount > 0 AND NOT EXISTS (SELECT 1 FROM unmatched_payments b WHERE b.reversal_of = unmatched_payments.id AND b.reversal_of <> 0)"
	all, err := readAll[models.UnmatchedPayment](r.with(ctx).Where("letter_id = ? AND letter_id <> 0 AND creditor_id = ? AND "+standing, l.ID, l.CreditorID))
	if err != nil || l.KID == "" {
		return all, err
	}
	byHand, err := readAll[models.UnmatchedPayment](r.with(ctx).Where("creditor_id = ? AND kid = ? AND letter_id = 0 AND "+standing, l.CreditorID, l.KID))
	if err != nil {
		return nil, err
	}
	all = append(all, byHand...)
	slices.SortFunc(all, func(a, b models.UnmatchedPayment) int { return cmp.Compare(b.ID, a.ID) })
	return all, nil
}

// LettersWithFees returns up to 100 of the creditor's letters whose notices, withdrawn or not, charge more than one fee.
func (r reads) LettersWithFees(ctx context.Context, creditorID int64) ([]int64, error) {
	return scan[[]int64](r.with(ctx).Raw(`SELECT letter_id FROM overdue_notices WHERE creditor_id = ? AND letter_id <> 0 AND fee <> 0
		GROUP BY letter_id HAVING COUNT(*) > 1 ORDER BY letter_id LIMIT 100`, creditorID))
}
