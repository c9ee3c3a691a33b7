package avtalegiro

import (
	"context"
	"slices"

	"purr/models"
	"purr/models/calendar"
	"purr/store"
)

// numbersLost is how many numbers of files may have been given after a backup that is restored.
const numbersLost = 1_000

// AfterRestore has a creditor's claims taken back that may have reached the bank after the backup which was restored, and returns how many
// they are. The bank would refuse a file with a number that it has, and draw twice what a file with a new number claims again (rules G3, O3).
// So the numbers that may have been given are passed over, a later file takes the claims back, and their invoices go out as ordinary ones.
// Claims that no hour of a file has passed by since they were last looked at stay owed.
func AfterRestore(ctx context.Context, tx *store.Tx, creditorID int64) (int, error) {
	c, err := tx.LockCreditor(ctx, creditorID)
	if err != nil || c.AvtaleGiro.SenderID == "" {
		return 0, err
	}
	taken, err := giveUpOwed(ctx, tx, c.ID)
	if err != nil {
		return 0, err
	}
	today, err := models.BankDay(tx.Now)
	if err != nil {
		return 0, err
	}
	first, err := Moment(calendar.NextBankDay(c.ClaimsDay+1), models.ClaimHour)
	if err != nil || c.ClaimsDay <= today && tx.Now.Before(first) {
		return taken, err
	}
	claims, err := unsent(ctx, tx, c.ID)
	if err != nil {
		return 0, err
	}
	lost := models.ClaimFile{CreditorID: c.ID, SenderID: c.AvtaleGiro.SenderID, Day: today, DeliverBy: today, State: models.ClaimFileGivenUp, Uncertain: true, Claims: len(claims)}
	for _, claim := range claims {
		lost.Amount += claim.Amount
	}
	if err := tx.LoseClaimFiles(ctx, &lost, numbersLost); err != nil {
		return 0, err
	}
	for i := range claims {
		claims[i].FileID, claims[i].State, claims[i].Reason = lost.ID, models.ClaimSent, models.ClaimLost
	}
	return taken + len(claims), putAll(ctx, tx, claims)
}

// giveUpOwed gives up a creditor's files that were to be delivered: the bank may have them. It returns how many claims they bring.
func giveUpOwed(ctx context.Context, tx *store.Tx, creditorID int64) (claims int, err error) {
	ids, err := tx.UndeliveredClaimFiles(ctx, creditorID)
	if err != nil {
		return 0, err
	}
	for _, id := range ids {
		f, err := tx.LockClaimFile(ctx, creditorID, id)
		if err != nil {
			return 0, err
		}
		f.Uncertain, claims = true, claims+f.Claims
		if err := GiveUp(ctx, tx, &f); err != nil {
			return 0, err
		}
	}
	return claims, nil
}

// unsent returns a creditor's claims that no file has, with what a file would have claimed.
func unsent(ctx context.Context, tx *store.Tx, creditorID int64) (claims []models.BankClaim, err error) {
	for after := int64(0); ; {
		some, err := tx.ClaimsAfter(ctx, creditorID, []models.ClaimState{models.ClaimOwed}, store.Dates{}, after, claimsAtOnce)
		if err != nil || len(some) == 0 {
			return claims, err
		}
		after = some[len(some)-1].ID
		b, err := readBasis(ctx, tx.View(), creditorID, some, 0)
		if err != nil {
			return nil, err
		}
		some = slices.DeleteFunc(some, func(claim models.BankClaim) bool { return claim.FileID != 0 })
		for i := range some {
			some[i].Amount = b.invoices[some[i].InvoiceID].Claimed()
		}
		claims = append(claims, some...)
	}
}
