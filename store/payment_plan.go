package store

import (
	"context"

	"gorm.io/gorm"

	"purr/models"
)

// Plan is a payment plan with what decides whether it is kept.
type Plan struct {
	models.PaymentPlan `gorm:"embedded"`
	Charged            models.Amount // fees and interest that were charged on the invoice since the plan was made, less what was taken back
}

// RunningPlan is a plan that runs, with what is claimed on its invoice.
type RunningPlan struct {
	Plan    `gorm:"embedded"`
	Claimed models.Amount
}

// chargedSince is what was charged on the invoice of a plan p since.
const chargedSince = `COALESCE((SELECT SUM(e.amount) FROM entries e WHERE e.invoice_id = p.invoice_id AND e.credit_note_id = 0 AND e.id > p.last_entry_id
	AND e.type IN ?), 0) AS charged`

var chargeTypes = []models.EntryType{models.EntryOverdueCharge, models.EntryInterest}

// plans begins a query of the creditor's plans p.
func (r reads) plans(ctx context.Context, creditorID int64) *gorm.DB {
	return r.with(ctx).Table("payment_plans AS p").Select("p.*, "+chargedSince, chargeTypes).Where("p.creditor_id = ?", creditorID)
}

// PaymentPlan returns one payment plan of the creditor.
func (r reads) PaymentPlan(ctx context.Context, creditorID, id int64) (models.PaymentPlan, error) {
	return readOne[models.PaymentPlan](r.with(ctx).Where("id = ? AND creditor_id = ?", id, creditorID), "payment plan")
}

// Plan returns what PaymentPlan does, with what was charged since.
func (r reads) Plan(ctx context.Context, creditorID, id int64) (Plan, error) {
	found, err := scan[[]Plan](r.plans(ctx, creditorID).Where("p.id = ?", id))
	if err == nil && len(found) == 0 {
		err = models.NotFound("payment plan")
	}
	if err != nil {
		return Plan{}, err
	}
	return found[0], nil
}

// PaymentPlansByID returns the creditor's payment plans with the IDs, whatever became of them.
func (r reads) PaymentPlansByID(ctx context.Context, creditorID int64, ids []int64) ([]models.PaymentPlan, error) {
	return readAll[models.PaymentPlan](r.with(ctx).Where("id IN ? AND creditor_id = ?", ids, creditorID))
}

// PlansOf returns the plans that run for the creditor's invoices, by the invoice's ID. It asks nothing if none of them has one.
func (r reads) PlansOf(ctx context.Context, creditorID int64, invoices ...models.Invoice) (map[int64]Plan, error) {
	var ids []int64
	for _, i := range invoices {
		if i.PlanID != 0 {
			ids = append(ids, i.PlanID)
		}
	}
	if len(ids) == 0 {
		return nil, nil //nolint:nilnil // a nil map has none
	}
	found, err := scan[[]Plan](r.plans(ctx, creditorID).Where("p.id IN ?", ids))
	if err != nil {
		return nil, err
	}
	plans := make(map[int64]Plan, len(found))
	for _, p := range found {
		plans[p.InvoiceID] = p
	}
	return plans, nil
}

// LastPlanOf returns the last payment plan that was made for an invoice of the creditor, and false if there was none.
func (r reads) LastPlanOf(ctx context.Context, creditorID, invoiceID int64) (Plan, bool, error) {
	found, err := scan[[]Plan](r.plans(ctx, creditorID).Where("p.invoice_id = ?", invoiceID).Order("p.id DESC").Limit(1))
	if err != nil || len(found) == 0 {
		return Plan{}, false, err
	}
	return found[0], true, nil
}

// RunningPlans returns up to limit of the creditor's plans that run, after the plan with an ID.
func (r reads) RunningPlans(ctx context.Context, creditorID, after int64, limit int) ([]RunningPlan, error) {
	return scan[[]RunningPlan](r.plans(ctx, creditorID).Joins("JOIN invoices i ON i.id = p.invoice_id").
		Select("p.*, i.balance - i.repayment_owed AS claimed, "+chargedSince, chargeTypes).
		Where("p.state = ? AND p.id > ?", models.PlanRunning, after).Order("p.id").Limit(limit))
}

// PlansToLookAt returns up to limit of the creditor's plans that run and of which something may have become by a day, in order of the day from
// which they are looked at and ID. It begins after the plan with those of after. Of each it returns these two and the invoice's ID alone.
func (r reads) PlansToLookAt(ctx context.Context, creditorID int64, by models.Date, after models.PaymentPlan, limit int) ([]models.PaymentPlan, error) {
	g := r.with(ctx).Select("id, invoice_id, look_on").Where("creditor_id = ? AND state = ? AND look_on <= ?", creditorID, models.PlanRunning, by)
	if after.ID != 0 {
		g = g.Where("look_on >= ? AND (look_on > ? OR id > ?)", after.LookOn, after.LookOn, after.ID)
	}
	return readAll[models.PaymentPlan](g.Order("look_on, id").Limit(limit))
}

// BrokenPlan is a plan that was broken, with its invoice.
type BrokenPlan struct {
	models.PaymentPlan `gorm:"embedded"`
	Number             int64 // of the invoice
	Name1              string
	Claimed            models.Amount
}

// BrokenPlans returns the creditor's plans that were broken on a day or later, the last first, up to limit: those of invoices that are still
// claimed by the creditor, and have no other plan since.
func (r reads) BrokenPlans(ctx context.Context, creditorID int64, since models.Date, limit int) ([]BrokenPlan, error) {
	return scan[[]BrokenPlan](r.broken(ctx, creditorID, since).
		Select("p.*, i.number AS number, i.recipient_name1 AS name1, i.balance - i.repayment_owed AS claimed").Order("p.ended_on DESC, p.id DESC").Limit(limit))
}

// broken begins a query of the plans p that BrokenPlans returns, with their invoices i.
func (r reads) broken(ctx context.Context, creditorID int64, since models.Date) *gorm.DB {
	return r.with(ctx).Table("payment_plans AS p").Joins("JOIN invoices i ON i.id = p.invoice_id").
		Where("p.creditor_id = ? AND p.state = ? AND p.ended_on >= ?", creditorID, models.PlanBroken, since).
		Where("i.plan_id = 0 AND i.closed = ? AND i.handed_over IS NULL AND i.balance - i.repayment_owed > 0", models.NotClosed).
		Where("NOT EXISTS (SELECT 1 FROM payment_plans l WHERE l.invoice_id = p.invoice_id AND l.id > p.id)")
}

// PlanMismatch is an invoice that names a payment plan which does not run, or is not its own, or a plan that runs and that its invoice does not name.
type PlanMismatch struct {
	InvoiceID int64
	PlanID    int64
	Named     bool // the invoice names the plan, which does not run or is another invoice's; else the plan runs, and its invoice does not name it
}

// PlanMismatches returns up to 100 of the creditor's payment plans and invoices that disagree on which plan runs (rule L15).
func (r reads) PlanMismatches(ctx context.Context, creditorID int64) ([]PlanMismatch, error) {
	return scan[[]PlanMismatch](r.with(ctx).Raw(`SELECT p.invoice_id, p.id AS plan_id, FALSE AS named FROM payment_plans p JOIN invoices i ON i.id = p.invoice_id
			WHERE p.creditor_id = ? AND p.state = ? AND i.plan_id <> p.id
		UNION ALL SELECT i.id, i.plan_id, TRUE FROM invoices i JOIN payment_plans p ON p.id = i.plan_id
			WHERE i.creditor_id = ? AND i.plan_id <> 0 AND (p.state <> ? OR p.invoice_id <> i.id) LIMIT 100`, creditorID, models.PlanRunning, creditorID, models.PlanRunning))
}

// CreatePlan writes a new plan and sets its ID. It is looked at by the next run.
func (tx *Tx) CreatePlan(ctx context.Context, p *models.PaymentPlan) error {
	p.CreatedAt, p.LookOn = tx.Now, p.Since
	return tx.insert(ctx, p)
}

// UpdatePlan writes what became of a plan. The caller has locked its invoice.
func (tx *Tx) UpdatePlan(ctx context.Context, p models.PaymentPlan) error { return tx.put(ctx, &p) }

// LookAtPlans has the plans of invoices looked at by the next run: something has changed that may end them. The caller has locked the invoices.
func (tx *Tx) LookAtPlans(ctx context.Context, invoiceIDs ...int64) error {
	if len(invoiceIDs) == 0 {
		return nil
	}
	ids, err := scan[[]int64](tx.with(ctx).Table("invoices").Where("id IN ? AND plan_id <> 0", invoiceIDs).Select("plan_id"))
	if err != nil || len(ids) == 0 {
		return err
	}
	return tx.set(ctx, &models.PaymentPlan{}, map[string]any{"look_on": gorm.Expr("since")}, "id IN ?", ids)
}

// PutOffPlan has a plan looked at on a later day. The caller has locked its invoice.
func (tx *Tx) PutOffPlan(ctx context.Context, planID int64, until models.Date) error {
	return tx.set(ctx, &models.PaymentPlan{}, map[string]any{"look_on": until}, "id = ?", planID)
}

// WithdrawPlanLetters withdraws the letters of a payment plan that are owed or failed, and that nobody has in hand or has accepted. It
// reports whether there were any.
func (tx *Tx) WithdrawPlanLetters(ctx context.Context, planID int64) (bool, error) {
	n, err := tx.setSome(ctx, &models.Shipment{}, map[string]any{"state": models.ShipmentWithdrawn},
		"document_kind = ? AND document_id = ? AND state IN ? AND taken_by = '' AND batch_id = 0 AND receipt = ''", models.PlanDocument, planID, unsentStates)
	if err != nil {
		return false, err
	}
	return n > 0, nil
}
