package store

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"gorm.io/gorm"

	"purr/models"
)

// PaymentFile returns a payment file of any creditor: jobs and the command line know a file by its ID alone.
func (r reads) PaymentFile(ctx context.Context, id int64) (models.PaymentFile, error) {
	return readOne[models.PaymentFile](r.with(ctx).Where("id = ?", id), "payment file")
}

// PaymentFileOf returns a payment file that the creditor posted or has a part in.
func (r reads) PaymentFileOf(ctx context.Context, creditorID, id int64) (models.PaymentFile, error) {
	return readOne[models.PaymentFile](r.with(ctx).Where("id = ?", id).Where(seenBy, creditorID, creditorID), "payment file")
}

// ArrivedFile returns the file with the arrival mark, and false if no file has the mark.
func (r reads) ArrivedFile(ctx context.Context, arrival string) (models.PaymentFile, bool, error) {
	return r.oneFile(ctx, "arrival = ?", arrival)
}

// ArrivedFiles returns the files with the arrival marks, by mark.
func (r reads) ArrivedFiles(ctx context.Context, arrivals []string) (map[string]models.PaymentFile, error) {
	found := make(map[string]models.PaymentFile, len(arrivals))
	for some := range slices.Chunk(arrivals, 500) {
		files, err := readBy(r.with(ctx).Where("arrival IN ?", some), func(f models.PaymentFile) string { return *f.Arrival })
		if err != nil {
			return nil, err
		}
		maps.Copy(found, files)
	}
	return found, nil
}

// PaymentFiles returns a page of the finished files that the creditor posted or has a part in.
func (r reads) PaymentFiles(ctx context.Context, creditorID int64, p Page) ([]models.PaymentFile, int64, error) {
	return find[models.PaymentFile](ctx, r.with(ctx).Where(seenBy, creditorID, creditorID).Where("state NOT IN ?", underWay), p)
}

// NewestPaymentFiles returns up to limit of the files that the creditor posted or has a part in, with an ID below before,
// newest first. A zero before takes all. A file that is not finished is there only for the creditor who posted it.
func (r reads) NewestPaymentFiles(ctx context.Context, creditorID, before int64, limit int) ([]models.PaymentFile, error) {
	g := r.filesSeenBy(ctx, creditorID)
	if before != 0 {
		g = g.Where("id < ?", before)
	}
	return readAll[models.PaymentFile](g.Order("id DESC").Limit(limit))
}

// filesSeenBy narrows to the files that the creditor sees in a list.
func (r reads) filesSeenBy(ctx context.Context, creditorID int64) *gorm.DB {
	return r.with(ctx).Where(seenBy, creditorID, creditorID).Where("owner_id = ? OR state NOT IN ?", creditorID, underWay)
}

// underWay are the states of files that are not finished. Their amounts do not add up yet.
var underWay = []models.FileState{models.FileReceived, models.FileImporting}

const seenBy = "(owner_id = ? OR id IN (SELECT payment_file_id FROM payment_file_parts WHERE creditor_id = ?))"

// UnfinishedFiles returns the files that are not finished, oldest first. It includes imported files that still
// lack statement lines, or have payments to an account that a creditor got since.
func (r reads) UnfinishedFiles(ctx context.Context) ([]models.PaymentFile, error) {
	assigned, err := r.AssignableFiles(ctx)
	if err != nil {
		return nil, err
	}
	owed := r.with(ctx).Where("state IN ?", underWay).Or("has_statement = ? AND state = ?", false, models.FileImported)
	if len(assigned) > 0 {
		owed = owed.Or("id IN ?", assigned)
	}
	return readAll[models.PaymentFile](owed.Order("id"))
}

// FinishedFiles returns up to limit finished files of any creditor with an ID above after, in order of ID.
func (r reads) FinishedFiles(ctx context.Context, after int64, limit int) ([]models.PaymentFile, error) {
	return readAll[models.PaymentFile](r.with(ctx).Where("id > ? AND state NOT IN ?", after, underWay).Order("id").Limit(limit))
}

// CountFinishedFiles returns how many payment files are finished.
func (r reads) CountFinishedFiles(ctx context.Context) (int64, error) {
	return count(r.with(ctx).Model(&models.PaymentFile{}).Where("state NOT IN ?", underWay))
}

// HasFilesOf reports whether any file of the format was ever received.
func (r reads) HasFilesOf(ctx context.Context, format string) (bool, error) {
	return exists(r.with(ctx).Model(&models.PaymentFile{}).Where("format = ?", format))
}

// DropArrival removes a received file that turned out to be one whose import had been broken off. It does nothing if
// somebody has begun to import it.
func (tx *Tx) DropArrival(ctx context.Context, f models.PaymentFile) error {
	return classify(tx.with(ctx).Where("id = ? AND state = ?", f.ID, models.FileReceived).Delete(&models.PaymentFile{}).Error, "")
}

// LiveFile returns the file that is importing or imported under the identity, and false if there is no such file.
func (r reads) LiveFile(ctx context.Context, identity string) (models.PaymentFile, bool, error) {
	return r.oneFile(ctx, "identity = ?", identity)
}

func (r reads) oneFile(ctx context.Context, where, value string) (models.PaymentFile, bool, error) {
	return readFirst[models.PaymentFile](r.with(ctx).Where(where, value))
}

// FileParts returns the creditors' parts of a file. The part of accounts that no creditor has comes first.
func (r reads) FileParts(ctx context.Context, fileID int64) ([]models.PaymentFilePart, error) {
	return readAll[models.PaymentFilePart](r.with(ctx).Where("payment_file_id = ?", fileID).Order("creditor_id"))
}

// PartsOfFiles returns the creditors' parts of the files, by the file's ID, in the order of FileParts.
func (r reads) PartsOfFiles(ctx context.Context, fileIDs []int64) (map[int64][]models.PaymentFilePart, error) {
	parts := r.with(ctx).Where("payment_file_id IN ?", fileIDs).Order("payment_file_id, creditor_id")
	return readGroups(parts, func(p models.PaymentFilePart) int64 { return p.PaymentFileID })
}

// FilePartsOf returns the creditor's parts of the files, by the file's ID.
func (r reads) FilePartsOf(ctx context.Context, creditorID int64, files []models.PaymentFile) (map[int64]models.PaymentFilePart, error) {
	ids := make([]int64, len(files))
	for i, f := range files {
		ids[i] = f.ID
	}
	parts := r.with(ctx).Where("creditor_id = ? AND payment_file_id IN ?", creditorID, ids)
	return readBy(parts, func(p models.PaymentFilePart) int64 { return p.PaymentFileID })
}

// LastRejectedFile returns when the last rejected file came from the source, or zero.
func (r reads) LastRejectedFile(ctx context.Context, source string) (time.Time, error) {
	file, _, err := readFirst[models.PaymentFile](r.rejectedFiles(ctx, source))
	if err != nil {
		return time.Time{}, err
	}
	return file.ReceivedAt, nil
}

// rejectedFiles are the rejected files from the source, the last first.
func (r reads) rejectedFiles(ctx context.Context, source string) *gorm.DB {
	return r.with(ctx).Model(&models.PaymentFile{}).Where("state = ? AND source = ?", models.FileRejected, source).Order("id DESC")
}

// ExpiredFiles returns up to limit rejected files of any creditor that were finished before the moment, and whose raw
// bytes are still kept (rule O13).
func (r reads) ExpiredFiles(ctx context.Context, before time.Time, limit int) ([]models.PaymentFile, error) {
	return readAll[models.PaymentFile](r.with(ctx).Where("state = ? AND removed_at IS NULL AND finished_at < ?", models.FileRejected, before).Limit(limit))
}

// KeptBesides returns those of the files' SHA-256 that something else than these files needs: another payment file, a
// document or a collection bundle.
func (r reads) KeptBesides(ctx context.Context, files []models.PaymentFile) (map[string]bool, error) {
	ids, sums := make([]int64, len(files)), make([]string, len(files))
	for i, f := range files {
		ids[i], sums[i] = f.ID, f.SHA256
	}
	asks, args := []string{"SELECT sha256 FROM payment_files WHERE sha256 IN ? AND removed_at IS NULL AND id NOT IN ?"}, []any{sums, ids}
	besides := func(column, table string) {
		asks, args = append(asks, fmt.Sprintf("SELECT %s FROM %s WHERE %[1]s IN ?", column, table)), append(args, sums)
	}
	for _, kind := range models.DocumentKinds() {
		besides("pdf", documentTables[kind].name)
		if kind.HasEHF() {
			besides("ehf", documentTables[kind].name)
		}
	}
	besides("bundle", "hand_overs")
	besides("xml_sum", "collector_files")
	besides("csv_sum", "collector_files")
	besides("sha256", "claim_files")
	besides("sha256", "account_export_files")
	besides("sha256", "claim_receipts")
	kept, err := scan[[]string](r.with(ctx).Raw(strings.Join(asks, " UNION "), args...))
	if err != nil {
		return nil, err
	}
	found := map[string]bool{}
	for _, sum := range kept {
		found[sum] = true
	}
	return found, nil
}

// LockPaymentFile reads a payment file and locks it until the transaction ends.
func (tx *Tx) LockPaymentFile(ctx context.Context, id int64) (models.PaymentFile, error) {
	return readOne[models.PaymentFile](forUpdate(tx.with(ctx)).Where("id = ?", id), "payment file")
}

// CreatePaymentFile writes a file as received and sets its ID.
func (tx *Tx) CreatePaymentFile(ctx context.Context, f *models.PaymentFile) error {
	f.State, f.ReceivedAt, f.HasStatement = models.FileReceived, tx.Now, true
	return tx.insert(ctx, f)
}

// UpdatePaymentFile writes all fields of a file, which the caller has locked. It fails with ErrDuplicate if another
// live file has the same identity.
func (tx *Tx) UpdatePaymentFile(ctx context.Context, f models.PaymentFile) error {
	return tx.put(ctx, &f)
}

// SetFilesRemoved notes that the raw bytes of rejected files are no longer kept.
func (tx *Tx) SetFilesRemoved(ctx context.Context, ids []int64) error {
	return tx.set(ctx, &models.PaymentFile{}, map[string]any{"removed_at": tx.Now}, "id IN ? AND state = ?", ids, models.FileRejected)
}

// SaveFilePart writes all fields of a creditor's part of a file, which may be new.
func (tx *Tx) SaveFilePart(ctx context.Context, p *models.PaymentFilePart) error {
	if p.ID == 0 {
		return tx.insert(ctx, p)
	}
	return tx.put(ctx, p)
}

// FilesToFinish asks whether UnfinishedFiles finds any.
var FilesToFinish = Question{
	"EXISTS (SELECT 1 FROM payment_files WHERE state IN (?, ?)) OR EXISTS (SELECT 1 FROM payment_files WHERE has_statement = ? AND state = ?) OR EXISTS (" + assignableFiles + ")",
	these(underWay[0], underWay[1], false, models.FileImported, models.FileImported),
}
