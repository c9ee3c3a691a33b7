package avtalegiro

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"slices"

	"purr/ledger/avtalegiro"
	"purr/models"
	"purr/store"
)

// Taken is what a receipt brought.
type Taken struct {
	Known    bool // it was read before
	Files    int  // transmissions that it answers
	Rejected int  // claims that it refuses
	Warnings int
}

// Take reads a receipt of the bank's, and keeps it (rule G3a). It does all of it or nothing: the error is models.FileFaults if the file has a
// fault or does not fit what was sent, each with its line. A receipt that was read before changes nothing.
func (s *Files) Take(ctx context.Context, name string, content []byte, columns Columns, actor string) (Taken, error) {
	if len(content) > MaxReceipt {
		return Taken{}, fault("too_large", "the file is larger than %d MiB", MaxReceipt>>20)
	}
	r, err := readReceipt(name, content, columns)
	if err != nil {
		return Taken{}, err
	}
	sum, _, err := s.archive.Put(ctx, bytes.NewReader(content))
	if err != nil {
		return Taken{}, err
	}
	var taken Taken
	err = s.db.InTx(ctx, func(ctx context.Context, tx *store.Tx) error {
		taken = Taken{}
		if r.transmission != nil {
			return s.answer(ctx, tx, *r.transmission, models.ClaimReceipt{Name: models.Foreign(name, 100), SHA256: sum}, actor, &taken)
		}
		return s.answerList(ctx, tx, r.rows, models.ClaimReceipt{Name: models.Foreign(name, 100), SHA256: sum}, actor, &taken)
	})
	return taken, err
}

// answer takes the bank's answer to a whole file.
func (s *Files) answer(ctx context.Context, tx *store.Tx, t transmission, kept models.ClaimReceipt, actor string, taken *Taken) error {
	found, there, err := tx.ClaimFileOfSender(ctx, t.sender, t.number)
	if err != nil {
		return err
	}
	if !there {
		return fault("unknown_transmission", "no file %d of the customer unit %s was made here", t.number, t.sender)
	}
	if _, err := tx.LockCreditor(ctx, found.CreditorID); err != nil { // who changes claims has locked their creditor
		return err
	}
	f, err := tx.LockClaimFile(ctx, found.CreditorID, found.ID)
	if err != nil {
		return err
	}
	if f.State == models.ClaimFileOwed && f.Attempts == 0 {
		return fault("not_sent", "file %d was not brought to the bank yet", t.number)
	}
	kept.CreditorID = f.CreditorID
	if fresh, err := tx.KeepClaimReceipt(ctx, kept); err != nil || !fresh {
		taken.Known = err == nil
		return err
	}
	taken.Files = 1
	if t.taken {
		return avtalegiro.Accepted(ctx, tx, &f, kept.Name, actor)
	}
	return avtalegiro.Refused(ctx, tx, &f, kept.Name, actor)
}

// answered is a row with the claim that it is of.
type answered struct {
	row
	claim   models.BankClaim
	cancels bool // it answers the cancellation
}

// answerList takes a list of claims.
func (s *Files) answerList(ctx context.Context, tx *store.Tx, rows []row, kept models.ClaimReceipt, actor string, taken *Taken) error {
	creditors := map[int64]bool{}
	var all []answered
	var faults models.FileFaults
	for _, r := range rows {
		a, fault, err := find(ctx, tx, r)
		if err != nil {
			return err
		}
		if fault != nil {
			faults = append(faults, *fault)
			continue
		}
		all = append(all, a)
		creditors[a.claim.CreditorID] = true
	}
	if len(faults) > 0 {
		return faults
	}
	for _, id := range slices.Sorted(maps.Keys(creditors)) {
		if _, err := tx.LockCreditor(ctx, id); err != nil {
			return err
		}
		kept := kept
		kept.CreditorID = id
		fresh, err := tx.KeepClaimReceipt(ctx, kept)
		if err != nil {
			return err
		}
		taken.Known = taken.Known || !fresh
	}
	if taken.Known {
		return nil
	}
	for _, a := range all {
		if err := a.take(ctx, tx, actor, taken); err != nil {
			return err
		}
	}
	return nil
}

// take does what a row says.
func (a answered) take(ctx context.Context, tx *store.Tx, actor string, taken *Taken) error {
	if a.warning {
		taken.Warnings++
		return nil
	}
	locked, err := tx.LockClaims(ctx, a.claim.CreditorID, []int64{a.claim.ID})
	if err != nil || len(locked) == 0 {
		return err
	}
	taken.Rejected++
	if a.cancels {
		return avtalegiro.CancellationRefused(ctx, tx, locked[0], a.reason, actor)
	}
	return avtalegiro.ClaimRefused(ctx, tx, locked[0], a.reason, actor)
}

// find returns the claim that a row is of, or why there is none.
func find(ctx context.Context, tx *store.Tx, r row) (answered, *models.FileFinding, error) {
	fault := func(code, text string, args ...any) (answered, *models.FileFinding, error) {
		return answered{}, &models.FileFinding{Line: r.line, Code: code, Text: fmt.Sprintf(text, args...)}, nil
	}
	claims, err := tx.ClaimsAnswered(ctx, r.kid, r.due, r.sender, r.number)
	switch {
	case err != nil:
		return answered{}, nil, err
	case len(claims) == 0:
		return fault("unknown_claim", "no claim with the KID %s, due %s, was sent in such a file", r.kid, r.due)
	case len(claims) > 1:
		return fault("ambiguous_claim", "%d claims have the KID %s and are due %s: the list must name the transmission or the sender", len(claims), r.kid, r.due)
	}
	claim := claims[0]
	if r.amount != 0 && r.amount != claim.Amount {
		return fault("other_amount", "the claim with the KID %s, due %s, is of %s and not of %s", r.kid, r.due, claim.Amount, r.amount)
	}
	a := answered{row: r, claim: claim}
	a.cancels, err = answersCancellation(ctx, tx, r, claim)
	return a, nil, err
}

// answersCancellation reports whether a row is of the cancellation of a claim: it names the assignment or the transmission of that.
func answersCancellation(ctx context.Context, tx *store.Tx, r row, claim models.BankClaim) (bool, error) {
	if claim.CancelFile == 0 {
		return false, nil
	}
	f, err := tx.ClaimFile(ctx, claim.CreditorID, claim.CancelFile)
	if err != nil {
		return false, err
	}
	_, cancellations := f.Assignments()
	return r.assignment == cancellations || r.assignment == 0 && r.number == f.Number, nil
}
