package store

import (
	"context"

	"purr/models"
)

// MatchMismatches returns up to 100 unmatched payments of the creditor of which another amount is matched than their
// entry says.
func (r reads) MatchMismatches(ctx context.Context, creditorID int64) ([]Mismatch, error) {
	return r.mismatches(ctx, `SELECT u.id, CASE WHEN u.status = 'matched' THEN u.amount ELSE 0 END AS kept, COALESCE(-e.amount, 0) AS computed
		FROM unmatched_payments u LEFT JOIN entries e ON e.id = u.entry_id AND e.creditor_id = u.creditor_id AND e.type = 'OCR'
		WHERE u.creditor_id = ? AND CASE WHEN u.status = 'matched' THEN u.amount ELSE 0 END <> COALESCE(-e.amount, 0) LIMIT 100`, creditorID)
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
