package ocr

import (
	"context"
	"maps"
	"slices"

	"purr/models"
	"purr/store"
)

// catchUp does what the import of a file owes since it was made: the lines of the bank's statement, where an earlier
// release made it, which kept none, and the payments to accounts that a creditor has got since (rule E4).
func (im *Importer) catchUp(ctx context.Context, file models.PaymentFile) error {
	if !file.HasStatement {
		if err := im.keepStatement(ctx, file); err != nil {
			return err
		}
	}
	assigned, err := im.db.HasAnOwner(ctx, file.ID)
	if err != nil || !assigned {
		return err
	}
	_, err = im.reread(ctx, file, func(p *posting, payments []payment) error { return p.assign(ctx, payments) })
	return err
}

// keepStatement makes the lines of the bank's statement from where the lines of the file are now.
func (im *Importer) keepStatement(ctx context.Context, file models.PaymentFile) error {
	// What is wrong with the books is for Verify to say.
	t, err := im.traceFile(ctx, file, func(int, string) {})
	if err != nil {
		return err
	}
	return im.db.InTx(ctx, func(tx *store.Tx) error {
		f, err := tx.LockPaymentFile(ctx, file.ID)
		if err != nil || f.HasStatement {
			return err
		}
		if err := tx.ReplaceStatementLines(ctx, f.ID, t.statement.lines); err != nil {
			return err
		}
		f.HasStatement = true
		return tx.UpdatePaymentFile(ctx, f)
	})
}

// assign posts those of the payments that are kept aside in this file although their account has a creditor now. What
// is done is no longer kept aside, so it can be broken off anywhere.
func (p *posting) assign(ctx context.Context, payments []payment) error {
	nobodys, err := p.im.db.LinePlaces(ctx, 0, lineKeys(payments))
	if err != nil || !slices.ContainsFunc(nobodys, func(at store.LinePlace) bool { return at.PaymentFileID == p.file.ID }) {
		return err
	}
	return p.im.db.InTx(ctx, func(tx *store.Tx) error {
		if _, err := tx.LockPaymentFile(ctx, p.file.ID); err != nil {
			return err
		}
		groups := byCreditor(payments)
		delete(groups, 0)
		for _, creditorID := range slices.Sorted(maps.Keys(groups)) {
			if err := p.assignTo(ctx, tx, creditorID, groups[creditorID]); err != nil {
				return err
			}
		}
		return nil
	})
}

// assignTo takes from nobody which of the payments are kept aside, and posts them for their creditor.
func (p *posting) assignTo(ctx context.Context, tx *store.Tx, creditorID int64, payments []payment) error {
	aside, err := tx.TakeAside(ctx, p.file.ID, lineKeys(payments))
	if err != nil || len(aside) == 0 {
		return err
	}
	payments = slices.DeleteFunc(payments, func(pay payment) bool { _, is := aside[string(pay.LineKey)]; return !is })
	if err := p.takeFromNobody(ctx, tx, payments, aside); err != nil {
		return err
	}
	if err := p.postFor(ctx, tx, creditorID, payments); err != nil {
		return err
	}
	accounts := map[string]bool{}
	for i := range payments {
		accounts[payments[i].Account] = true
	}
	for _, account := range slices.Sorted(maps.Keys(accounts)) {
		if err := p.endAccount(ctx, tx, creditorID, account); err != nil {
			return err
		}
	}
	return nil
}

// takeFromNobody takes payments from nobody's part of the file and from nobody's lines of the bank's statement.
func (p *posting) takeFromNobody(ctx context.Context, tx *store.Tx, payments []payment, aside map[string]store.LinePlace) error {
	part, err := partOf(ctx, tx, p.file.ID, 0)
	if err != nil {
		return err
	}
	var less statement
	for _, pay := range payments {
		at := placeIn[aside[string(pay.LineKey)].Table]
		at.addTo(&part, -1, -pay.counted)
		pay.CreditorID = 0
		less.add(&pay, p.file.Format, at, -1)
	}
	if err := tx.AddStatementLines(ctx, less.lines); err != nil {
		return err
	}
	if err := tx.DropEmptyStatementLines(ctx, p.file.ID); err != nil {
		return err
	}
	return tx.SaveFilePart(ctx, &part)
}

// endAccount notes how far the bank's files reach for the creditor once nothing of an account is kept aside any more
// (rule E6b), and tells of it.
func (p *posting) endAccount(ctx context.Context, tx *store.Tx, creditorID int64, account string) error {
	if more, err := tx.KeptAside(ctx, p.file.ID, account); err != nil || more {
		return err
	}
	part, err := partOf(ctx, tx, p.file.ID, creditorID)
	if err != nil {
		return err
	}
	for _, s := range p.content.sections {
		if s.account == account {
			part.LatestDate = max(part.LatestDate, s.latest)
		}
	}
	if err := tx.SaveFilePart(ctx, &part); err != nil {
		return err
	}
	return p.logPart(ctx, tx, p.file, part)
}
