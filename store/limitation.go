package store

import (
	"context"
	"slices"

	"gorm.io/gorm"

	"purr/models"
)

// lapsing is what the creditor's invoices meet that are claimed and lapse by a day. The condition on a balance above zero lets SQLite use its
// index of these.
const lapsing = "creditor_id = ? AND stage IN ('open', 'reminded', 'warned', 'collection') AND lapses_on <= ? AND balance > 0 AND balance > repayment_owed"

// untoldLapses are those of them of which nobody was told.
const untoldLapses = lapsing + " AND (lapse_told IS NULL OR lapse_told <> lapses_on)"

// LapsingInvoice is an invoice whose claim lapses soon, or has lapsed (rule L26).
type LapsingInvoice struct {
	models.Invoice `gorm:"embedded"`
	Name1          string // of its customer now
}

// InvoicesLapsing returns a page of the creditor's invoices whose claims lapse by a day, or have lapsed: who lapses first is first. It returns
// their number, and the sum of what is claimed. It asks two questions.
func (r reads) InvoicesLapsing(ctx context.Context, creditorID int64, by models.Date, p Page) (found []LapsingInvoice, total int64, sum models.Amount, err error) {
	err = eachRow(r.lapsing(ctx, creditorID, by).Select("COUNT(*), COALESCE(SUM(balance - repayment_owed), 0)"), func() {}, &total, &sum)
	if err != nil || p.beyond(total) {
		return nil, total, sum, err
	}
	ids := r.lapsing(ctx, creditorID, by).Select("id").Order("lapses_on, id").Offset(p.offset()).Limit(p.Size)
	found, err = scan[[]LapsingInvoice](r.with(ctx).Table("(?) AS page", ids).Joins("JOIN invoices i ON i.id = page.id JOIN customers k ON k.id = i.customer_id").
		Select("i.*, k.name1").Order("i.lapses_on, i.id"))
	return found, total, sum, err
}

// lapsing begins a query on the creditor's invoices whose claims lapse by a day.
func (r reads) lapsing(ctx context.Context, creditorID int64, by models.Date) *gorm.DB {
	return r.from(ctx, "invoices", "invoices_lapse").Where(lapsing, creditorID, by)
}

// UntoldLapses returns the IDs of up to limit of the creditor's invoices whose claims lapse by a day, and of which nobody was told that they do,
// in order.
func (r reads) UntoldLapses(ctx context.Context, creditorID int64, by models.Date, limit int) (ids []int64, err error) {
	ids, err = scan[[]int64](r.from(ctx, "invoices", "invoices_lapse").Where(untoldLapses, creditorID, by).Select("id").Order("lapses_on").Limit(limit))
	if err != nil {
		return nil, err
	}
	slices.Sort(ids)
	return ids, nil
}

// NoteLapsesTold notes that it was told of invoices when they lapse. The caller has locked them.
func (tx *Tx) NoteLapsesTold(ctx context.Context, invoiceIDs []int64) error {
	return tx.set(ctx, &models.Invoice{}, map[string]any{"lapse_told": gorm.Expr("lapses_on")}, "id IN ?", invoiceIDs)
}

// Lapse is when the first of a customer's claims lapses.
type Lapse struct {
	CustomerID   int64
	On           models.Date
	Acknowledged bool // of one of them a person has set the day on which it was acknowledged
}

// Shown returns the day, if the interface shows it on another day (rule L30); else zero.
func (l Lapse) Shown(day models.Date) models.Date {
	if !l.Acknowledged && day < l.On-models.LapseNoticeDays {
		return 0
	}
	return l.On
}

// LapsesOf returns when the first claim on each of the creditor's customers lapses, by the customer's ID. Customers of whom nothing is claimed now
// are not among them.
func (r reads) LapsesOf(ctx context.Context, creditorID int64, customerIDs []int64) (map[int64]Lapse, error) {
	if len(customerIDs) == 0 {
		return nil, nil //nolint:nilnil // a nil map has none
	}
	rows, err := scan[[]Lapse](r.from(ctx, "invoices", "invoices_credit").
		Where("creditor_id = ? AND customer_id IN ? AND balance > 0 AND balance > repayment_owed AND closed = ?", creditorID, customerIDs, models.NotClosed).
		Select("customer_id, MIN(lapses_on) AS `on`, MAX(CASE WHEN acknowledged IS NULL THEN 0 ELSE 1 END) AS acknowledged").Group("customer_id"))
	if err != nil {
		return nil, err
	}
	found := make(map[int64]Lapse, len(rows))
	for _, l := range rows {
		found[l.CustomerID] = l
	}
	return found, nil
}

// Acknowledge sets the day on which a person says that the claim on an invoice was acknowledged, zero for none, and when it lapses. The caller has
// locked the invoice.
func (tx *Tx) Acknowledge(ctx context.Context, invoiceID int64, on models.Date) error {
	if err := tx.set(ctx, &models.Invoice{}, map[string]any{"acknowledged": on}, "id = ?", invoiceID); err != nil {
		return err
	}
	return tx.RefreshLapses(ctx, invoiceID)
}

// lapseFacts are what says when the claim on an invoice lapses, but for its payments.
type lapseFacts struct {
	ID           int64
	DueDate      models.Date
	Acknowledged models.Date
	LapsesOn     models.Date // as it is kept
	Planned      models.Date // when the newest payment plan was agreed
}

// lapseFactsOf returns the facts of invoices, and when each lapses by them and its payments, by ID. A plan that was ended on the day on which it
// was made was made by mistake, and acknowledges nothing.
func (r reads) lapseFactsOf(ctx context.Context, invoiceIDs []int64) (facts []lapseFacts, lapses map[int64]models.Date, err error) {
	facts, err = scan[[]lapseFacts](r.with(ctx).Table("invoices").Where("id IN ?", invoiceIDs).Order("id").
		Select(`id, due_date, acknowledged, lapses_on, (SELECT MAX(p.since) FROM payment_plans p WHERE p.invoice_id = invoices.id
			AND NOT (p.state = 'ended' AND p.ended_on = p.since)) AS planned`))
	if err != nil {
		return nil, nil, err
	}
	paid, err := readGroups(r.with(ctx).Where("invoice_id IN ? AND credit_note_id = 0 AND type IN ?", invoiceIDs, payments).Order("id"),
		func(e models.Entry) int64 { return e.InvoiceID })
	if err != nil {
		return nil, nil, err
	}
	lapses = make(map[int64]models.Date, len(facts))
	for _, f := range facts {
		lapses[f.ID] = models.LapsesOn(f.DueDate, max(f.Acknowledged, f.Planned, models.LastPaid(paid[f.ID])))
	}
	return facts, lapses, nil
}

// RefreshLapses sets when the claims on invoices lapse, by what has acknowledged them (rule L26). The caller has locked the invoices.
func (tx *Tx) RefreshLapses(ctx context.Context, invoiceIDs ...int64) error {
	facts, lapses, err := tx.lapseFactsOf(ctx, invoiceIDs)
	if err != nil {
		return err
	}
	changed := map[models.Date][]int64{} //nolint:exhaustive // it has the days to which they change
	for _, f := range facts {
		if on := lapses[f.ID]; on != f.LapsesOn {
			changed[on] = append(changed[on], f.ID)
		}
	}
	for on, ids := range changed {
		if err := tx.set(ctx, &models.Invoice{}, map[string]any{"lapses_on": on}, "id IN ?", ids); err != nil {
			return err
		}
	}
	return nil
}

// LapseMismatch is an invoice that keeps another day of lapsing than what has acknowledged it gives.
type LapseMismatch struct {
	ID             int64
	Kept, Computed models.Date
}

// LapseMismatches returns up to 100 of the creditor's invoices on which something is owed, and that keep another day of lapsing than what has
// acknowledged them gives. Of most, nothing has: these are compared by the database.
func (r reads) LapseMismatches(ctx context.Context, creditorID int64) (wrong []LapseMismatch, err error) {
	const page = 1000
	for last := int64(0); len(wrong) < 100; {
		ids, err := scan[[]int64](r.perhapsAcknowledged(ctx).Where("creditor_id = ? AND id > ?", creditorID, last).Limit(page))
		if err != nil || len(ids) == 0 {
			return wrong, err
		}
		facts, lapses, err := r.lapseFactsOf(ctx, ids)
		if err != nil {
			return nil, err
		}
		for _, f := range facts {
			if on := lapses[f.ID]; on != f.LapsesOn && len(wrong) < 100 {
				wrong = append(wrong, LapseMismatch{f.ID, f.LapsesOn, on})
			}
		}
		if len(ids) < page {
			return wrong, nil
		}
		last = ids[len(ids)-1]
	}
	return wrong, nil
}

// perhapsAcknowledged begins a query of the IDs of invoices on which something is owed and that something may have acknowledged, or that do not
// lapse three years after their due date, in order.
func (r reads) perhapsAcknowledged(ctx context.Context) *gorm.DB {
	due := "due_date + INTERVAL 3 YEAR"
	if dialect(r.db.Name()) == dialectSQLite { // which goes from 29 February to 1 March
		due = "CASE WHEN strftime('%m-%d', due_date) = '02-29' THEN date(due_date, '+3 years', '-1 day') ELSE date(due_date, '+3 years') END"
	}
	return r.with(ctx).Table("invoices").Select("id").Order("id").Where("balance > 0 AND (lapses_on IS NULL OR acknowledged IS NOT NULL OR lapses_on <> "+due+`
		OR EXISTS (SELECT 1 FROM entries e WHERE e.invoice_id = invoices.id AND e.credit_note_id = 0 AND e.type IN ? AND e.amount < 0)
		OR EXISTS (SELECT 1 FROM payment_plans p WHERE p.invoice_id = invoices.id))`, payments)
}

// lapsesReckoned is the setting that says that reckonLapses has run.
const lapsesReckoned = "lapses_reckoned"

// reckonLapses sets, once in an installation, when the claims lapse that were acknowledged before the program asked.
func (db *DB) reckonLapses(ctx context.Context) error {
	if done, err := db.Setting(ctx, lapsesReckoned); err != nil || done != "" {
		return err
	}
	if _, there, err := db.NewestEntry(ctx); err != nil || !there {
		return err
	}
	return db.InTx(ctx, func(ctx context.Context, tx *Tx) error {
		const page = 1000
		for last := int64(0); ; {
			ids, err := scan[[]int64](tx.perhapsAcknowledged(ctx).Where("id > ?", last).Limit(page))
			if err != nil {
				return err
			}
			if len(ids) == 0 {
				return tx.SetSetting(ctx, lapsesReckoned, "1")
			}
			if err := tx.RefreshLapses(ctx, ids...); err != nil {
				return err
			}
			last = ids[len(ids)-1]
		}
	})
}
