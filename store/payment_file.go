package store

import (
	"context"
	"slices"

	"purr/models"
)

// PaymentFile returns a payment file by its ID alone: jobs and the command line are not a creditor's.
func (r reads) PaymentFile(ctx context.Context, id int64) (models.PaymentFile, error) {
	var f models.PaymentFile
	err := r.with(ctx).Where("id = ?", id).Take(&f).Error
	return f, classify(err, "payment file")
}

// PaymentFileOf returns a payment file that the creditor posted or has a part in.
func (r reads) PaymentFileOf(ctx context.Context, creditorID, id int64) (models.PaymentFile, error) {
	var f models.PaymentFile
	err := r.with(ctx).Where("id = ?", id).Where(seenBy, creditorID, creditorID).Take(&f).Error
	return f, classify(err, "payment file")
}

// ArrivedFile returns the file that was received with the arrival mark, and false where none was.
func (r reads) ArrivedFile(ctx context.Context, arrival string) (models.PaymentFile, bool, error) {
	return r.oneFile(ctx, "arrival = ?", arrival)
}

// ArrivedFiles returns the files that were received with the arrival marks, by mark.
func (r reads) ArrivedFiles(ctx context.Context, arrivals []string) (map[string]models.PaymentFile, error) {
	found := make(map[string]models.PaymentFile, len(arrivals))
	for some := range slices.Chunk(arrivals, 500) {
		var fs []models.PaymentFile
		if err := r.with(ctx).Where("arrival IN ?", some).Find(&fs).Error; err != nil {
			return nil, classify(err, "")
		}
		for _, f := range fs {
			found[*f.Arrival] = f
		}
	}
	return found, nil
}

// PaymentFiles returns a page of the files that the creditor posted or has a part in, and that are at their end.
func (r reads) PaymentFiles(ctx context.Context, creditorID int64, p Page) ([]models.PaymentFile, int64, error) {
	return find[models.PaymentFile](ctx, r.with(ctx).Where(seenBy, creditorID, creditorID).Where("state NOT IN ?", underWay), p)
}

// underWay are the states in which a file's sums do not add up yet.
var underWay = []models.FileState{models.FileReceived, models.FileImporting}

const seenBy = "(owner_id = ? OR id IN (SELECT payment_file_id FROM payment_file_parts WHERE creditor_id = ?))"

// UnfinishedFiles returns the files that are not at their end, and those whose import owes something yet: statement
// lines, or payments kept aside for an account that a creditor has got since. The oldest come first.
func (r reads) UnfinishedFiles(ctx context.Context) ([]models.PaymentFile, error) {
	assigned, err := r.FilesWithAnOwner(ctx)
	if err != nil {
		return nil, err
	}
	var fs []models.PaymentFile
	owed := r.with(ctx).Where("state IN ?", underWay).Or("has_statement = ? AND state = ?", false, models.FileImported)
	if len(assigned) > 0 {
		owed = owed.Or("id IN ?", assigned)
	}
	err = owed.Order("id").Find(&fs).Error
	return fs, classify(err, "")
}

// LiveFile returns the file that is being or was imported under the identity, and false where none is.
func (r reads) LiveFile(ctx context.Context, identity string) (models.PaymentFile, bool, error) {
	return r.oneFile(ctx, "identity = ?", identity)
}

func (r reads) oneFile(ctx context.Context, where, value string) (models.PaymentFile, bool, error) {
	var fs []models.PaymentFile
	err := r.with(ctx).Where(where, value).Find(&fs).Error
	if err != nil || len(fs) == 0 {
		return models.PaymentFile{}, false, classify(err, "")
	}
	return fs[0], true, nil
}

// FileParts returns what each creditor has in a file, nobody's part first.
func (r reads) FileParts(ctx context.Context, fileID int64) ([]models.PaymentFilePart, error) {
	var ps []models.PaymentFilePart
	err := r.with(ctx).Where("payment_file_id = ?", fileID).Order("creditor_id").Find(&ps).Error
	return ps, classify(err, "")
}

// LatestBankDate returns the latest settlement or booking date of the files imported for the creditor,
// zero where there never was one (rule E6b).
func (r reads) LatestBankDate(ctx context.Context, creditorID int64) (models.Date, error) {
	var row struct{ Latest models.Date }
	err := r.with(ctx).Model(&models.PaymentFilePart{}).Select("MAX(latest_date) AS latest").Where("creditor_id = ?", creditorID).Take(&row).Error
	return row.Latest, classify(err, "")
}

// LockPaymentFile reads a payment file and locks it until the transaction ends.
func (tx *Tx) LockPaymentFile(ctx context.Context, id int64) (models.PaymentFile, error) {
	var f models.PaymentFile
	err := forUpdate(tx.with(ctx)).Where("id = ?", id).Take(&f).Error
	return f, classify(err, "payment file")
}

// CreatePaymentFile writes a file as received and sets its ID.
func (tx *Tx) CreatePaymentFile(ctx context.Context, f *models.PaymentFile) error {
	f.State, f.ReceivedAt, f.HasStatement = models.FileReceived, tx.Now, true
	return tx.insert(ctx, f)
}

// UpdatePaymentFile writes all fields of a file, which the caller has locked. It fails with ErrDuplicate
// when another live file has its identity.
func (tx *Tx) UpdatePaymentFile(ctx context.Context, f models.PaymentFile) error {
	return classify(tx.with(ctx).Save(&f).Error, "")
}

// SaveFilePart writes what a creditor has in a file, new or as it now stands.
func (tx *Tx) SaveFilePart(ctx context.Context, p *models.PaymentFilePart) error {
	return classify(tx.with(ctx).Save(p).Error, "")
}
