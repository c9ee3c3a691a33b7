package avtalegiro

import (
	"context"

	"purr/models"
	"purr/store"
)

// Accepted notes that the bank's receipt says that it has taken a file, which the caller has locked. A file that was not known to have
// arrived has. It does nothing the second time.
func Accepted(ctx context.Context, tx *store.Tx, f *models.ClaimFile, receipt, actor string) error {
	if f.AnsweredAt != nil && f.State == models.ClaimFileDelivered {
		return nil
	}
	if err := Delivered(ctx, tx, f, tx.Now); err != nil {
		return err
	}
	claims, _, err := tx.ClaimsInFile(ctx, f.CreditorID, f.ID)
	if err != nil {
		return err
	}
	for i := range claims {
		if !claims[i].Lives() {
			continue
		}
		claims[i].State, claims[i].AnsweredAt = models.ClaimAccepted, &tx.Now
		if claims[i].Reason == models.ClaimLost && claims[i].CancelFile == 0 {
			claims[i].Reason = ""
		}
	}
	if err := putAll(ctx, tx, claims); err != nil {
		return err
	}
	f.AnsweredAt, f.Answer = &tx.Now, receipt
	if err := tx.Log(ctx, by(actor, fileEvent(models.EventClaimFileAccepted, *f, "The bank has taken file %d of AvtaleGiro"))); err != nil {
		return err
	}
	return tx.UpdateClaimFile(ctx, *f)
}

// Refused notes that the bank's receipt says that it has refused the whole of a file, which the caller has locked. A receipt that comes
// after one that it was taken is of a second delivery of the same bytes: it says nothing new.
func Refused(ctx context.Context, tx *store.Tx, f *models.ClaimFile, receipt, actor string) error {
	if f.AnsweredAt != nil || f.State == models.ClaimFileGivenUp {
		return nil
	}
	f.AnsweredAt, f.Answer = &tx.Now, receipt
	return giveUp(ctx, tx, f, models.ClaimFileRejected, actor)
}

// ClaimRefused notes that the bank has refused a claim, with its reason: the invoice goes out as an ordinary one. It returns the conflict
// claim_not_sent if the bank cannot have the claim. It does nothing with one that lives no more.
func ClaimRefused(ctx context.Context, tx *store.Tx, claim models.BankClaim, reason, actor string) error {
	if claim.FileID == 0 {
		return models.Conflict("claim_not_sent", "the bank never got the claim")
	}
	if !claim.Lives() {
		return nil
	}
	b, err := readAll(ctx, tx, claim.CreditorID, []models.BankClaim{claim})
	if err != nil {
		return err
	}
	claim.AnsweredAt = &tx.Now
	event := b.reject(&claim, models.Foreign(reason, models.MaxReason))
	if err := tx.UpdateClaims(ctx, []models.BankClaim{claim}); err != nil {
		return err
	}
	return tx.Log(ctx, by(actor, event))
}

// CancellationRefused notes that the bank has refused to take a claim back: it is drawn, and to be paid back. One that may never have reached the
// bank stays taken back: the bank does not know it.
func CancellationRefused(ctx context.Context, tx *store.Tx, claim models.BankClaim, reason, actor string) error {
	if claim.CancelFile == 0 {
		return models.Conflict("claim_not_sent", "the bank never got the cancellation")
	}
	if claim.TooLate || claim.State == models.ClaimRejected || claim.Reason == models.ClaimLost {
		return nil
	}
	b, err := readAll(ctx, tx, claim.CreditorID, []models.BankClaim{claim})
	if err != nil {
		return err
	}
	reason = models.Foreign(reason, models.MaxReason)
	claim.State, claim.TooLate, claim.LetterOwed = models.ClaimAccepted, true, false
	if err := tx.UpdateClaims(ctx, []models.BankClaim{claim}); err != nil {
		return err
	}
	return tx.Log(ctx, by(actor, b.event(models.EventClaimNotCancelled, claim, "The bank has refused to take the claim of invoice %d back (%s): what it draws is to be paid back", reason)))
}

// by returns an event with the actor who brought what it tells of.
func by(actor string, e models.Event) models.Event {
	e.Actor = actor
	return e
}
