package store

import (
	"context"
	"slices"
	"time"

	"purr/models"
)

// RunningAudits asks whether an audit that somebody asked for is not done. A night's is done by its run.
var RunningAudits = Question{"EXISTS (SELECT 1 FROM audits WHERE state = '" + string(models.AuditRunning) + "' AND night IS NULL)", func(time.Time) []any { return nil }}

// AuditsToDo returns up to limit audits that somebody asked for and that are not done, of all creditors, in order of ID.
func (r reads) AuditsToDo(ctx context.Context, limit int) ([]models.Audit, error) {
	return readAll[models.Audit](r.with(ctx).Where("state = ? AND night IS NULL", models.AuditRunning).Order("id").Limit(limit))
}

// Audit returns one audit of the creditor's that is kept.
func (r reads) Audit(ctx context.Context, creditorID, id int64) (models.Audit, error) {
	return readOne[models.Audit](r.with(ctx).Where("id = ? AND creditor_id = ?", id, creditorID), "audit")
}

// CreditorOfAudit returns the creditor whose letters an audit is of, whichever creditor it is.
func (r reads) CreditorOfAudit(ctx context.Context, id int64) (int64, error) {
	a, err := readOne[models.Audit](r.with(ctx).Select("creditor_id").Where("id = ?", id), "audit")
	if err != nil {
		return 0, err
	}
	return a.CreditorID, nil
}

// Audits returns a page of the creditor's audits, in order of ID, and the number of all of them.
func (r reads) Audits(ctx context.Context, creditorID int64, p Page) ([]models.Audit, int64, error) {
	return find[models.Audit](ctx, r.with(ctx).Where("creditor_id = ?", creditorID), p)
}

// LatestAudits returns up to limit of the creditor's audits with an ID below before, the latest first; zero is no bound.
func (r reads) LatestAudits(ctx context.Context, creditorID, before int64, limit int) ([]models.Audit, error) {
	g := r.with(ctx).Where("creditor_id = ?", creditorID)
	if before != 0 {
		g = g.Where("id < ?", before)
	}
	return readAll[models.Audit](g.Order("id DESC").Limit(limit))
}

// AuditFindings returns a page of what an audit of the creditor's found, in the order in which it was found, and the number of all.
func (r reads) AuditFindings(ctx context.Context, creditorID, auditID int64, p Page) ([]models.AuditFinding, int64, error) {
	return find[models.AuditFinding](ctx, r.with(ctx).Where("audit_id = ? AND creditor_id = ?", auditID, creditorID), p)
}

// AuditFindingsOf does for the findings of one class what AuditFindings does.
func (r reads) AuditFindingsOf(ctx context.Context, creditorID, auditID int64, class models.FindingClass, p Page) ([]models.AuditFinding, int64, error) {
	return find[models.AuditFinding](ctx, r.with(ctx).Where("audit_id = ? AND creditor_id = ? AND class = ?", auditID, creditorID, class), p)
}

// FindingSum is how much an audit found of a class.
type FindingSum struct {
	Class    models.FindingClass
	Findings int64
	Back     models.Amount // what is to be paid back
}

// AuditFindingSums returns what an audit of the creditor's found, by class, the gravest first. Classes of which there is none are left out.
func (r reads) AuditFindingSums(ctx context.Context, creditorID, auditID int64) ([]FindingSum, error) {
	sums, err := scan[[]FindingSum](r.with(ctx).Model(&models.AuditFinding{}).Select("class, COUNT(*) AS findings, SUM(back_fee + back_interest) AS back").
		Where("audit_id = ? AND creditor_id = ?", auditID, creditorID).Group("class"))
	if err != nil {
		return nil, err
	}
	slices.SortFunc(sums, func(a, b FindingSum) int {
		return slices.Index(models.FindingClasses, a.Class) - slices.Index(models.FindingClasses, b.Class)
	})
	return sums, nil
}

// AuditFindingsAfter returns up to limit findings of an audit of the creditor's after an ID, in order of ID.
func (r reads) AuditFindingsAfter(ctx context.Context, creditorID, auditID, after int64, limit int) ([]models.AuditFinding, error) {
	return readAll[models.AuditFinding](r.with(ctx).Where("audit_id = ? AND creditor_id = ? AND id > ?", auditID, creditorID, after).Order("id").Limit(limit))
}

// RunningAudit returns the creditor's audit that somebody asked for and that is not done, and false if there is none.
func (r reads) RunningAudit(ctx context.Context, creditorID int64) (models.Audit, bool, error) {
	return readFirst[models.Audit](r.with(ctx).Where("creditor_id = ? AND state = ? AND night IS NULL", creditorID, models.AuditRunning).Order("id"))
}

// CreateAuditRepayments writes what was booked to put findings right. The caller has locked the audit.
func (tx *Tx) CreateAuditRepayments(ctx context.Context, all []models.AuditRepayment) error {
	for i := range all {
		all[i].CreatedAt = tx.Now
	}
	return tx.insert(ctx, &all)
}

// LockAudit returns one audit of the creditor's, locked.
func (tx *Tx) LockAudit(ctx context.Context, creditorID, id int64) (models.Audit, error) {
	return readOne[models.Audit](forUpdate(tx.with(ctx)).Where("id = ? AND creditor_id = ?", id, creditorID), "audit")
}

// CreateAudit writes a new audit and sets its ID. The caller has locked the creditor.
func (tx *Tx) CreateAudit(ctx context.Context, a *models.Audit) error {
	a.CreatedAt = tx.Now
	return tx.insert(ctx, a)
}

// PutAudit writes how far an audit is, and what it found since. The caller has locked it.
func (tx *Tx) PutAudit(ctx context.Context, a models.Audit, found []models.AuditFinding) error {
	for i := range found {
		found[i].CreatedAt = tx.Now
	}
	if len(found) > 0 {
		if err := tx.insert(ctx, &found); err != nil {
			return err
		}
	}
	return tx.put(ctx, &a)
}
