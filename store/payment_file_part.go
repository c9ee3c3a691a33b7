package store

import (
	"context"

	"purr/models"
)

// PartsOf returns what the creditor has in each of the files, by file.
func (r reads) PartsOf(ctx context.Context, creditorID int64, files []models.PaymentFile) (map[int64]models.PaymentFilePart, error) {
	parts := make(map[int64]models.PaymentFilePart, len(files))
	if len(files) == 0 {
		return parts, nil
	}
	ids := make([]int64, len(files))
	for i, f := range files {
		ids[i] = f.ID
	}
	var rows []models.PaymentFilePart
	err := r.with(ctx).Where("creditor_id = ? AND payment_file_id IN ?", creditorID, ids).Find(&rows).Error
	for _, row := range rows {
		parts[row.PaymentFileID] = row
	}
	return parts, classify(err, "")
}
