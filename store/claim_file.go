package store

import (
	"context"
	"time"

	"purr/models"
)

// LeasedClaimFiles are the files of claims that must be delivered to the bank.
var LeasedClaimFiles = Leased{
	Table: "claim_files", Name: "claim_files", Words: "files of claims for the bank",
	model: func() any { return new(models.ClaimFile) }, states: anyOf(models.ClaimFileOwed), longest: func(w longestWaits) []any { return []any{w.attempt} },
}

// ClaimFileAge is since when the oldest file of claims has been owed.
var ClaimFileAge = Age{"claim_file", "claim_files", "created_at", "state = ?", anyOf(models.ClaimFileOwed)}

// ClaimsToLookAt asks whether any creditor is paid by AvtaleGiro, or was.
var ClaimsToLookAt = Question{"EXISTS (SELECT 1 FROM creditors WHERE avtalegiro_sender_id > '')", these()}

// Claimant is a creditor that is paid by AvtaleGiro, or was.
type Claimant struct {
	CreditorID int64
	LastDay    models.Date // for which its claims were last looked at, or zero
}

// Claimants returns the creditors that are paid by AvtaleGiro, or were.
func (r reads) Claimants(ctx context.Context) ([]Claimant, error) {
	return scan[[]Claimant](r.with(ctx).Raw("SELECT id AS creditor_id, avtalegiro_day AS last_day FROM creditors WHERE avtalegiro_sender_id > '' ORDER BY id"))
}

// ClaimFile returns one of the creditor's files of claims.
func (r reads) ClaimFile(ctx context.Context, creditorID, id int64) (models.ClaimFile, error) {
	return readOne[models.ClaimFile](r.with(ctx).Where("id = ? AND creditor_id = ?", id, creditorID), "file of claims")
}

// ClaimFiles returns a page of the creditor's files of claims, in order of ID, and the number of all of them.
func (r reads) ClaimFiles(ctx context.Context, creditorID int64, p Page) ([]models.ClaimFile, int64, error) {
	return find[models.ClaimFile](ctx, r.with(ctx).Where("creditor_id = ?", creditorID), p)
}

// ClaimFileOfSender returns the file with a number of its sender, whichever creditor's it is, and false if there is none.
func (r reads) ClaimFileOfSender(ctx context.Context, sender string, number int64) (models.ClaimFile, bool, error) {
	return readFirst[models.ClaimFile](r.with(ctx).Where("sender_id = ? AND number = ?", sender, number))
}

// OwedClaimFiles returns up to limit files of all creditors that must be delivered by the moment and that nobody has in hand, the longest
// due first.
func (r reads) OwedClaimFiles(ctx context.Context, by time.Time, limit int) ([]models.ClaimFile, error) {
	return readAll[models.ClaimFile](r.with(ctx).Where("state = ? AND next_attempt <= ? AND taken_by = ''", models.ClaimFileOwed, by).
		Order("next_attempt, id").Limit(limit))
}

// UndeliveredClaimFiles returns the IDs of the creditor's files that must be delivered still, in order.
func (r reads) UndeliveredClaimFiles(ctx context.Context, creditorID int64) ([]int64, error) {
	return scan[[]int64](r.with(ctx).Model(&models.ClaimFile{}).Select("id").Where("creditor_id = ? AND state = ?", creditorID, models.ClaimFileOwed).Order("id"))
}

// LockClaimFile reads a file of the creditor and locks it until the transaction ends.
func (tx *Tx) LockClaimFile(ctx context.Context, creditorID, id int64) (models.ClaimFile, error) {
	return readOne[models.ClaimFile](forUpdate(tx.with(ctx)).Where("id = ? AND creditor_id = ?", id, creditorID), "file of claims")
}

// claimSeries is the setting that whoever makes a file writes first: so no number is given twice.
const claimSeries = "claim_files_made"

// CreateClaimFile writes a new file with the next number of its sender, and sets its ID. It is owed at once.
func (tx *Tx) CreateClaimFile(ctx context.Context, f *models.ClaimFile) error {
	f.State = models.ClaimFileOwed
	return tx.numberClaimFile(ctx, f, 1)
}

// LoseClaimFiles writes a file that stands for those of its sender of which nothing is known: up to so many, with the next numbers. It has the
// last of these, and its ID is set.
func (tx *Tx) LoseClaimFiles(ctx context.Context, f *models.ClaimFile, most int64) error {
	return tx.numberClaimFile(ctx, f, most)
}

// numberClaimFile writes a new file with a number that is so many above the last one of its sender.
func (tx *Tx) numberClaimFile(ctx context.Context, f *models.ClaimFile, step int64) error {
	if err := tx.SetSetting(ctx, claimSeries, tx.Now.UTC().Format(time.RFC3339Nano)); err != nil {
		return err
	}
	last, err := scan[int64](forUpdate(tx.with(ctx)).Model(&models.ClaimFile{}).Select("COALESCE(MAX(number), 0)").Where("sender_id = ?", f.SenderID))
	if err != nil {
		return err
	}
	if last > models.MaxClaimFiles-step {
		return models.Conflict("numbers_exhausted", "the customer unit %s has given all of its %d numbers: ask the bank for another one", f.SenderID, models.MaxClaimFiles)
	}
	f.Number, f.NextAttempt, f.CreatedAt = last+step, tx.Common, tx.Now
	return tx.insert(ctx, f)
}

// UpdateClaimFile writes how far a file has come, which the caller has locked. SetClaimFileSum writes what it is.
func (tx *Tx) UpdateClaimFile(ctx context.Context, f models.ClaimFile) error { return tx.put(ctx, &f) }

// SetClaimFileSum sets what the bytes of a file are, unless they are set. It returns what they then are.
func (tx *Tx) SetClaimFileSum(ctx context.Context, creditorID, id int64, sha256 string) (string, error) {
	err := tx.set(ctx, &models.ClaimFile{}, map[string]any{"sha256": sha256}, "id = ? AND creditor_id = ? AND sha256 = ''", id, creditorID)
	if err != nil {
		return "", err
	}
	f, err := tx.ClaimFile(ctx, creditorID, id)
	if err != nil {
		return "", err
	}
	return f.SHA256, nil
}

// NoteClaimsLookedAt notes that the creditor's claims were looked at for a bank day. The caller has locked the creditor.
func (tx *Tx) NoteClaimsLookedAt(ctx context.Context, creditorID int64, day models.Date) error {
	return tx.set(ctx, &models.Creditor{}, map[string]any{"avtalegiro_day": day}, "id = ?", creditorID)
}

// KeepClaimReceipt notes what the bank answered a creditor in a file. It reports false if that was read before.
func (tx *Tx) KeepClaimReceipt(ctx context.Context, receipt models.ClaimReceipt) (bool, error) {
	receipt.CreatedAt = tx.Now
	return tx.insertIgnoring(ctx, &receipt)
}
