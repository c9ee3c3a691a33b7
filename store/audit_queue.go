package store

import (
	"cmp"
	"maps"
	"slices"

	"purr/models"
)

const (
	mostWaiting = 16  // notices for each set of questions whose sum waits in the queue: into more it does not look
	mostOfSum   = 200 // invoices of one sum that were issued before one, or after it: of more the sum says nothing
	mostOwn     = 5   // invoices of one sum that the customer has: a payment of a sum that fits more points at none of them (rule N1)
)

// queue reads what waits in the queue of payments: those that pointed at the customers, and those that pointed at nobody and are just what was
// claimed.
func (a *auditing) queue() error {
	queued, err := readAll[struct {
		models.UnmatchedPayment `gorm:"embedded"`

		Points int64
	}](a.with(a.ctx).Table("likely_payers l").Select("p.id, p.amount, p.transaction_date, p.created_at, l.customer_id AS points").
		Joins("JOIN unmatched_payments p ON p.id = l.payment_id").Where("l.creditor_id = ? AND l.customer_id IN ? AND p.status = ?", a.creditorID, a.customerIDs, models.PaymentOpen).Order("p.id"))
	if err != nil {
		return err
	}
	a.rows.Queued = map[int64][]models.UnmatchedPayment{}
	for _, q := range queued {
		a.rows.Queued[q.Points] = append(a.rows.Queued[q.Points], q.UnmatchedPayment)
	}
	return a.waiting()
}

// waiting finds, for notices of automatic dunning, the open payments that came before and are just what was claimed (rule D95). It leaves out
// payments that ever pointed at somebody, those that a person had out of the queue for a while, and those of a sum that another customer owed too.
func (a *auditing) waiting() error {
	claims := map[models.Amount][]models.Notice{} //nolint:exhaustive // an amount is no enumeration
	for _, all := range a.rows.Notices {
		for _, n := range all {
			if n.AskedBy == "" && !n.Adopted {
				sum := n.Gross - n.Fee - n.Interest
				claims[sum] = append(claims[sum], n)
			}
		}
	}
	if len(claims) == 0 {
		return nil
	}
	payments, err := readAll[models.UnmatchedPayment](a.with(a.ctx).Select("id, amount, not_of, created_at").
		Where("creditor_id = ? AND status = ? AND +amount IN ?", a.creditorID, models.PaymentOpen, slices.Sorted(maps.Keys(claims))).
		Where("NOT EXISTS (SELECT 1 FROM likely_payers l WHERE l.payment_id = unmatched_payments.id)").
		Where("NOT EXISTS (SELECT 1 FROM events e WHERE e.creditor_id = unmatched_payments.creditor_id AND e.type IN ? AND e.subject_id = unmatched_payments.id)",
			[]models.EventType{models.EventPaymentMatched, models.EventPaymentDismissed}).Order("id"))
	if err != nil || len(payments) == 0 {
		return err
	}
	a.rows.Waiting, a.rows.NotLooked = map[int64][]models.UnmatchedPayment{}, map[int64]bool{}
	asked := 0
	for _, p := range payments {
		before := slices.SortedFunc(slices.Values(claims[p.Amount]), func(x, y models.Notice) int { return cmp.Compare(x.ID, y.ID) })
		for _, n := range before {
			if !p.CreatedAt.Before(n.CreatedAt) {
				continue
			}
			if asked++; asked > mostWaiting {
				a.rows.NotLooked[n.ID] = true
				continue
			}
			alone, err := a.owedAlone(n, p.Amount)
			if err != nil {
				return err
			}
			if alone {
				a.rows.Waiting[n.ID] = append(a.rows.Waiting[n.ID], p)
			}
		}
	}
	return nil
}

// owedAlone reports whether no other customer had an unpaid invoice of a sum when a notice was issued, and the customer himself has few of it.
func (a *auditing) owedAlone(n models.Notice, sum models.Amount) (bool, error) {
	own, err := scan[[]int64](a.with(a.ctx).Model(&models.Invoice{}).Select("id").
		Where("creditor_id = ? AND customer_id = ? AND +gross = ?", a.creditorID, n.CustomerID, sum).Limit(mostOwn + 1))
	if err != nil || len(own) > mostOwn {
		return false, err
	}
	var alike []int64
	for _, side := range []struct{ which, order string }{{"id > ?", "id"}, {"id < ?", "id DESC"}} {
		ids, err := scan[[]int64](a.with(a.ctx).Model(&models.Invoice{}).Select("id").
			Where("creditor_id = ? AND gross = ? AND +customer_id <> ?", a.creditorID, sum, n.CustomerID).Where(side.which, n.InvoiceID).Order(side.order).Limit(mostOfSum + 1))
		if err != nil || len(ids) > mostOfSum {
			return false, err
		}
		alike = append(alike, ids...)
	}
	if len(alike) == 0 {
		return true, nil
	}
	owing, err := count(a.with(a.ctx).Table("(?) AS owing", a.with(a.ctx).Model(&models.Entry{}).Select("invoice_id").
		Where("invoice_id IN ? AND credit_note_id = 0 AND created_at < ?", alike, n.CreatedAt.UTC()).Group("invoice_id").Having("SUM(amount) = ?", sum)))
	if err != nil {
		return false, err
	}
	return owing == 0, nil
}
