package store

import (
	"context"

	"gorm.io/gorm"

	"purr/models"
)

// BankClaimOf returns the claim of AvtaleGiro on one of the creditor's invoices, and false if there is none (rule G3).
func (r reads) BankClaimOf(ctx context.Context, creditorID, invoiceID int64) (models.BankClaim, bool, error) {
	return readFirst[models.BankClaim](r.with(ctx).Where("invoice_id = ? AND creditor_id = ?", invoiceID, creditorID))
}

// BankClaims returns a page of the creditor's claims in one of the states, in all of them if there is none, in order of ID, and the number
// of all of these.
func (r reads) BankClaims(ctx context.Context, creditorID int64, states []models.ClaimState, p Page) ([]models.BankClaim, int64, error) {
	of := r.with(ctx).Where("creditor_id = ?", creditorID)
	if len(states) > 0 {
		of = of.Where("state IN ?", states)
	}
	return find[models.BankClaim](ctx, of, p)
}

// ClaimsAfter returns up to limit of the creditor's claims in the states that are due from one day until another one, after the claim with an
// ID, in order of ID.
func (r reads) ClaimsAfter(ctx context.Context, creditorID int64, states []models.ClaimState, due Dates, after int64, limit int) ([]models.BankClaim, error) {
	return readAll[models.BankClaim](due.apply(r.with(ctx).Where("creditor_id = ? AND state IN ? AND id > ?", creditorID, states, after), "due_date").Order("id").Limit(limit))
}

// ClaimsInFile returns the creditor's claims that a file brings to the bank or takes back, in order of ID.
func (r reads) ClaimsInFile(ctx context.Context, creditorID, fileID int64) (claims, cancellations []models.BankClaim, err error) {
	in := func(column string) *gorm.DB {
		return r.with(ctx).Where(column+" = ? AND "+column+" <> 0 AND creditor_id = ?", fileID, creditorID).Order("id")
	}
	if claims, err = readAll[models.BankClaim](in("file_id")); err != nil {
		return nil, nil, err
	}
	cancellations, err = readAll[models.BankClaim](in("cancel_file_id"))
	return claims, cancellations, err
}

// ClaimsOwingLetters returns up to limit of the creditor's claims whose invoices are to be sent once more, after the claim with an ID.
func (r reads) ClaimsOwingLetters(ctx context.Context, creditorID, after int64, limit int) ([]models.BankClaim, error) {
	return readAll[models.BankClaim](r.with(ctx).Where("creditor_id = ? AND letter_owed = ? AND id > ?", creditorID, true, after).Order("id").Limit(limit))
}

// LockClaims reads claims of the creditor and locks them until the transaction ends, in order of ID.
func (tx *Tx) LockClaims(ctx context.Context, creditorID int64, ids []int64) ([]models.BankClaim, error) {
	if len(ids) == 0 {
		return nil, nil
	}
	return readAll[models.BankClaim](forUpdate(tx.with(ctx)).Where("id IN ? AND creditor_id = ?", ids, creditorID).Order("id"))
}

// CreateClaims writes new claims.
func (tx *Tx) CreateClaims(ctx context.Context, claims []models.BankClaim) error {
	for i := range claims {
		claims[i].CreatedAt = tx.Now
	}
	return tx.add(ctx, &claims)
}

// UpdateClaims writes claims, which the caller has locked.
func (tx *Tx) UpdateClaims(ctx context.Context, claims []models.BankClaim) error {
	if len(claims) == 0 {
		return nil
	}
	return tx.put(ctx, &claims)
}

// SetDrawnUntil sets until when no step of dunning is taken with invoices of the creditor because they are drawn. The caller has locked
// them.
func (tx *Tx) SetDrawnUntil(ctx context.Context, creditorID int64, invoiceIDs []int64, until models.Date) error {
	if len(invoiceIDs) == 0 {
		return nil
	}
	return tx.set(ctx, &models.Invoice{}, map[string]any{"drawn_until": until}, "id IN ? AND creditor_id = ?", invoiceIDs, creditorID)
}

// ClaimsAnswered returns the claims on a KID that are due on a day, have been put into a file, and are of a sender and in a transmission of
// his, or taken back by it, as far as these are known (empty, 0): whichever creditor's they are.
func (r reads) ClaimsAnswered(ctx context.Context, kid string, due models.Date, sender string, number int64) ([]models.BankClaim, error) {
	of := r.with(ctx).Where("kid = ? AND due_date = ? AND file_id <> 0", kid, due)
	if sender != "" || number != 0 {
		of = of.Where(`EXISTS (SELECT 1 FROM claim_files f WHERE f.id IN (bank_claims.file_id, bank_claims.cancel_file_id) AND (f.sender_id = ? OR ? = '') AND (f.number = ? OR ? = 0))`,
			sender, sender, number, number)
	}
	return readAll[models.BankClaim](of.Order("id"))
}
