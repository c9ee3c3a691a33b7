package ocr

import (
	"context"
	"maps"
	"slices"

	"purr/models"
	"purr/store"
)

// catchUp adds to an import what became possible later. If an earlier release imported the file without statement
// lines, catchUp makes them. It posts payments to accounts that had no creditor and have one now (rule E4).
func (im *Importer) catchUp(ctx context.Context, file models.PaymentFile) error {
	if file.RemovedAt != nil { // it named customers who were forgotten, and nothing of it waited then
		return nil
	}
	if !file.HasStatement {
		if err := im.makeStatement(ctx, file); err != nil {
			return err
		}
	}
	assigned, err := im.db.HasAssignable(ctx, file.ID)
	if err != nil || !assigned {
		return err
	}
	r, err := im.open(ctx, file)
	if err != nil {
		return err
	}
	defer r.close()
	return r.eachBatch(0, func(payments []payment, _ int) error { return r.assign(ctx, payments) })
}

// makeStatement makes the statement lines from where the file lines are now.
func (im *Importer) makeStatement(ctx context.Context, file models.PaymentFile) error {
	a, err := im.audit(ctx, file, func(int, string) {}) // Verify reports what is wrong
	if err != nil {
		return err
	}
	return a.update(ctx, models.FileImported, func(ctx context.Context, tx *store.Tx, f *models.PaymentFile) error {
		if f.HasStatement {
			return nil
		}
		f.HasStatement = true
		return tx.ReplaceStatementLines(ctx, f.ID, a.statement.lines)
	})
}

// assign posts the payments that were kept aside because no creditor had their account, if a creditor has it now. It
// can be broken off anywhere, because a posted payment is no longer kept aside.
func (r *reading) assign(ctx context.Context, payments []payment) error {
	places, err := r.im.db.LineLocations(ctx, []int64{0}, lineKeys(payments))
	if err != nil || !slices.ContainsFunc(places, func(at store.LineLocation) bool { return at.PaymentFileID == r.file.ID }) {
		return err
	}
	return r.update(ctx, models.FileImported, func(ctx context.Context, tx *store.Tx, _ *models.PaymentFile) error {
		groups := byCreditor(payments)
		delete(groups, 0)
		for _, creditorID := range slices.Sorted(maps.Keys(groups)) {
			if err := r.assignTo(ctx, tx, creditorID, groups[creditorID]); err != nil {
				return err
			}
		}
		return nil
	})
}

// assignTo posts the payments that are kept aside for their creditor.
func (r *reading) assignTo(ctx context.Context, tx *store.Tx, creditorID int64, payments []payment) error {
	aside, err := tx.TakeUnassigned(ctx, r.file.ID, lineKeys(payments))
	if err != nil || len(aside) == 0 {
		return err
	}
	payments = slices.DeleteFunc(payments, func(p payment) bool { _, is := aside[string(p.LineKey)]; return !is })
	if err := r.takeFromNobody(ctx, tx, payments, aside); err != nil {
		return err
	}
	if err := r.postFor(ctx, tx, creditorID, payments); err != nil {
		return err
	}
	accounts := map[string]bool{}
	for i := range payments {
		accounts[payments[i].Account] = true
	}
	for _, account := range slices.Sorted(maps.Keys(accounts)) {
		if err := r.finishAccount(ctx, tx, creditorID, account); err != nil {
			return err
		}
	}
	return nil
}

// takeFromNobody removes payments from the part without a creditor, and from its statement lines.
func (r *reading) takeFromNobody(ctx context.Context, tx *store.Tx, payments []payment, aside map[string]store.LineLocation) error {
	part, err := partOf(ctx, tx, r.file.ID, 0)
	if err != nil {
		return err
	}
	less := statement{format: r.file.Format}
	for _, p := range payments {
		from := destinationOf[aside[string(p.LineKey)].Table]
		from.addTo(&part, -1, -p.counted)
		p.CreditorID = 0
		less.add(&p, from, -1)
	}
	if err := tx.AddStatementLines(ctx, less.lines); err != nil {
		return err
	}
	if err := tx.DropEmptyStatementLines(ctx, r.file.ID); err != nil {
		return err
	}
	return tx.SaveFilePart(ctx, &part)
}

// finishAccount finishes an account of which no payment is kept aside any more. It records the date up to which the
// bank's files cover the creditor (rule E6b), and writes an event for the creditor.
func (r *reading) finishAccount(ctx context.Context, tx *store.Tx, creditorID int64, account string) error {
	if more, err := tx.HasUnassigned(ctx, r.file.ID, account); err != nil || more {
		return err
	}
	part, err := partOf(ctx, tx, r.file.ID, creditorID)
	if err != nil {
		return err
	}
	for _, s := range r.content.sections {
		if s.account == account {
			part.LatestDate = max(part.LatestDate, min(s.latest, r.day))
		}
	}
	if err := tx.SaveFilePart(ctx, &part); err != nil {
		return err
	}
	return r.logPart(ctx, tx, r.file, part)
}
