package store_test

import (
	"context"

	"purr/models"
	"purr/store"
	"purr/test/testkit/rows"
)

// mandated writes a mandate of the owner's customer.
func (h holdings) mandated(ctx context.Context, tx *store.Tx) (models.Mandate, error) {
	all := []models.Mandate{{Account: "12345678903", KID: "0000000018", CustomerID: h.customer.ID, Since: rows.Today}}
	if err := tx.KeepMandates(ctx, h.owner.ID, all); err != nil {
		return models.Mandate{}, err
	}
	found, err := tx.MandatesOn(ctx, h.owner.ID, "12345678903")
	if err != nil {
		return models.Mandate{}, err
	}
	return found[0], nil
}

// claimed writes a claim on the owner's invoice, in a file.
func (h holdings) claimed(ctx context.Context, tx *store.Tx) (models.BankClaim, models.ClaimFile, error) {
	f := models.ClaimFile{CreditorID: h.owner.ID, SenderID: "12345678", Day: rows.Today, DeliverBy: rows.Today}
	if err := tx.CreateClaimFile(ctx, &f); err != nil {
		return models.BankClaim{}, f, err
	}
	err := tx.CreateClaims(ctx, []models.BankClaim{{
		CreditorID: h.owner.ID, CustomerID: h.customer.ID, InvoiceID: h.invoice.ID, KID: h.invoice.KID, DueDate: h.invoice.DueDate, LastDay: rows.Today,
		State: models.ClaimSent, FileID: f.ID, LetterOwed: true, Amount: 1,
	}})
	if err != nil {
		return models.BankClaim{}, f, err
	}
	claim, _, err := tx.BankClaimOf(ctx, h.owner.ID, h.invoice.ID)
	return claim, f, err
}

// ofClaim returns the trial of what asks for the owner's claim or its file.
func ofClaim(ask func(ctx context.Context, tx *store.Tx, c int64, claim models.BankClaim, f models.ClaimFile) (bool, error)) trial {
	return func(ctx context.Context, tx *store.Tx, h holdings, c int64) (bool, error) {
		claim, f, err := h.claimed(ctx, tx)
		if err != nil {
			return false, err
		}
		return ask(ctx, tx, c, claim, f)
	}
}

// ofMandate returns the trial of what asks for the mandate of the owner's customer.
func ofMandate(ask func(ctx context.Context, tx *store.Tx, c int64, m models.Mandate) (bool, error)) trial {
	return func(ctx context.Context, tx *store.Tx, h holdings, c int64) (bool, error) {
		m, err := h.mandated(ctx, tx)
		if err != nil {
			return false, err
		}
		return ask(ctx, tx, c, m)
	}
}

// claimTrials are the trials of mandates and claims of AvtaleGiro.
var claimTrials = map[string]trial{
	"BankClaimOf": ofClaim(func(ctx context.Context, tx *store.Tx, c int64, claim models.BankClaim, _ models.ClaimFile) (bool, error) {
		_, found, err := tx.BankClaimOf(ctx, c, claim.InvoiceID)
		return found, err
	}),
	"BankClaims": ofClaim(func(ctx context.Context, tx *store.Tx, c int64, _ models.BankClaim, _ models.ClaimFile) (bool, error) {
		return counted(tx.BankClaims(ctx, c, nil, everything))
	}),
	"ClaimsAfter": ofClaim(func(ctx context.Context, tx *store.Tx, c int64, _ models.BankClaim, _ models.ClaimFile) (bool, error) {
		return some(tx.ClaimsAfter(ctx, c, models.ClaimStates, store.Dates{}, 0, 10))
	}),
	"ClaimsInFile": ofClaim(func(ctx context.Context, tx *store.Tx, c int64, _ models.BankClaim, f models.ClaimFile) (bool, error) {
		claims, _, err := tx.ClaimsInFile(ctx, c, f.ID)
		return len(claims) > 0, err
	}),
	"ClaimsOwingLetters": ofClaim(func(ctx context.Context, tx *store.Tx, c int64, _ models.BankClaim, _ models.ClaimFile) (bool, error) {
		return some(tx.ClaimsOwingLetters(ctx, c, 0, 10))
	}),
	"UndeliveredClaimFiles": ofClaim(func(ctx context.Context, tx *store.Tx, c int64, _ models.BankClaim, _ models.ClaimFile) (bool, error) {
		return some(tx.UndeliveredClaimFiles(ctx, c))
	}),
	"LockClaims": ofClaim(func(ctx context.Context, tx *store.Tx, c int64, claim models.BankClaim, _ models.ClaimFile) (bool, error) {
		return some(tx.LockClaims(ctx, c, []int64{claim.ID}))
	}),
	"SetDrawnUntil": func(ctx context.Context, tx *store.Tx, h holdings, c int64) (bool, error) {
		if err := tx.SetDrawnUntil(ctx, c, []int64{h.invoice.ID}, rows.Today); err != nil {
			return false, err
		}
		i, err := tx.Invoice(ctx, h.owner.ID, h.invoice.ID)
		return i.DrawnUntil != 0, err
	},
	"ClaimFile": ofClaim(func(ctx context.Context, tx *store.Tx, c int64, _ models.BankClaim, f models.ClaimFile) (bool, error) {
		return reached(tx.ClaimFile(ctx, c, f.ID))
	}),
	"ClaimFiles": ofClaim(func(ctx context.Context, tx *store.Tx, c int64, _ models.BankClaim, _ models.ClaimFile) (bool, error) {
		return counted(tx.ClaimFiles(ctx, c, everything))
	}),
	"LockClaimFile": ofClaim(func(ctx context.Context, tx *store.Tx, c int64, _ models.BankClaim, f models.ClaimFile) (bool, error) {
		return reached(tx.LockClaimFile(ctx, c, f.ID))
	}),
	"SetClaimFileSum": ofClaim(func(ctx context.Context, tx *store.Tx, c int64, _ models.BankClaim, f models.ClaimFile) (bool, error) {
		return reached(tx.SetClaimFileSum(ctx, c, f.ID, "x"))
	}),
	"NoteClaimsLookedAt": func(ctx context.Context, tx *store.Tx, h holdings, c int64) (bool, error) {
		if err := tx.NoteClaimsLookedAt(ctx, c, rows.Today); err != nil {
			return false, err
		}
		owner, err := tx.Creditor(ctx, h.owner.ID)
		return owner.ClaimsDay != 0, err
	},
	"Mandates": ofMandate(func(ctx context.Context, tx *store.Tx, c int64, _ models.Mandate) (bool, error) {
		return counted(tx.Mandates(ctx, c, everything))
	}),
	"CountMandates": ofMandate(func(ctx context.Context, tx *store.Tx, c int64, _ models.Mandate) (bool, error) {
		n, err := tx.CountMandates(ctx, c)
		return n > 0, err
	}),
	"MandatesOfCustomers": ofMandate(func(ctx context.Context, tx *store.Tx, c int64, m models.Mandate) (bool, error) {
		found, err := tx.MandatesOfCustomers(ctx, c, []int64{m.CustomerID})
		return len(found) > 0, err
	}),
	"MandatesByID": ofMandate(func(ctx context.Context, tx *store.Tx, c int64, m models.Mandate) (bool, error) {
		found, err := tx.MandatesByID(ctx, c, []int64{m.ID})
		return len(found) > 0, err
	}),
	"MandatesOn": ofMandate(func(ctx context.Context, tx *store.Tx, c int64, m models.Mandate) (bool, error) {
		return some(tx.MandatesOn(ctx, c, m.Account))
	}),
	"KeepMandates": ofMandate(func(ctx context.Context, tx *store.Tx, c int64, m models.Mandate) (bool, error) {
		if err := tx.KeepMandates(ctx, c, []models.Mandate{{Account: m.Account, KID: m.KID, Since: m.Since, EndedOn: rows.Today}}); err != nil {
			return false, err
		}
		n, err := tx.CountMandates(ctx, m.CreditorID)
		return n == 0, err
	}),
	"EndMandates": ofMandate(func(ctx context.Context, tx *store.Tx, c int64, m models.Mandate) (bool, error) {
		n, err := tx.EndMandates(ctx, c, []int64{m.ID}, rows.Today)
		return n > 0, err
	}),
	"EndAllMandates": ofMandate(func(ctx context.Context, tx *store.Tx, c int64, m models.Mandate) (bool, error) {
		if err := tx.EndAllMandates(ctx, c, rows.Today); err != nil {
			return false, err
		}
		n, err := tx.CountMandates(ctx, m.CreditorID)
		return n == 0, err
	}),
}
