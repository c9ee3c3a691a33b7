package store

import (
	"context"

	"purr/models"
)

// MatchMismatches returns up to 100 unmatched payments of the creditor of which another amount is matched than their
// entries say.
func (r reads) MatchMismatches(ctx context.Context, creditorID int64) ([]Mismatch, error) {
	found, err := r.mismatches(ctx, `SELECT u.id, CASE WHEN u.status = 'matched' THEN u.amount ELSE 0 END AS kept, COALESCE(-e.amount, 0) AS computed
		FROM unmatched_payments u LEFT JOIN entries e ON e.id = u.entry_id AND e.creditor_id = u.creditor_id AND e.type = 'OCR'
		WHERE u.creditor_id = ? AND u.further_entries IS NULL AND CASE WHEN u.status = 'matched' THEN u.amount ELSE 0 END <> COALESCE(-e.amount, 0) LIMIT 100`, creditorID)
	if err != nil {
		return nil, err
	}
	several, err := r.severalMismatches(ctx, creditorID)
	found = append(found, several...)
	return found[:min(len(found), 100)], err
}

// severalMismatches does the same for the payments that were matched with several invoices.
func (r reads) severalMismatches(ctx context.Context, creditorID int64) (found []Mismatch, err error) {
	var payments []models.UnmatchedPayment
	err = r.with(ctx).Where("creditor_id = ? AND further_entries IS NOT NULL", creditorID).Order("id").Find(&payments).Error
	for _, u := range payments {
		if err != nil {
			break
		}
		m := Mismatch{ID: u.ID}
		if u.Status == models.PaymentMatched {
			m.Kept = u.Amount
		}
		err = r.with(ctx).Model(&models.Entry{}).Select("COALESCE(-SUM(amount), 0)").
			Where("creditor_id = ? AND type = ? AND id IN ?", creditorID, models.EntryOCR, u.EntryIDs()).Scan(&m.Computed).Error
		if m.Kept != m.Computed {
			found = append(found, m)
		}
	}
	return found, classify(err, "")
}

// ByHandMismatches returns up to 100 payment files of which another amount of the creditor's is matched by hand, as
// it stands now, than the entries made by hand come to, those of matches that were taken back included.
func (r reads) ByHandMismatches(ctx context.Context, creditorID int64) ([]Mismatch, error) {
	var found []Mismatch
	err := r.with(ctx).Raw(`SELECT payment_file_id AS id, SUM(matched) AS kept, SUM(posted) AS computed FROM (
			SELECT payment_file_id, amount AS matched, 0 AS posted FROM unmatched_payments WHERE creditor_id = ? AND status = ?
			UNION ALL
			SELECT payment_file_id, 0, -amount FROM entries WHERE creditor_id = ? AND line_key IS NULL AND type = ?
		) AS by_hand GROUP BY payment_file_id HAVING SUM(matched) <> SUM(posted) LIMIT 100`,
		creditorID, models.PaymentMatched, creditorID, models.EntryOCR).Scan(&found).Error
	return found, classify(err, "")
}
