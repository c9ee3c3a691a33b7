//go:build whole

package lives_test

import (
	"fmt"
	"net/http"

	"purr/models"
)

// report has the debt collector tell of a claim (rule C1): what it was paid, or what became of it.
func (m *manager) report() {
	i, there := some(m.w, m.books.invoices, func(i invoice) bool { return i.handedOver != 0 })
	if !there {
		return
	}
	var number int64
	must(m.w.T, m.w.db.QueryRowContext(m.w.Context(), "SELECT number FROM invoices WHERE id = ?", i.id).Scan(&number))
	m.told++
	told := fmt.Sprintf(`invoice="%d" at="%s" reference="K-%d"`, number, m.w.in.Today(), m.told)
	if state := one(m.w, "paid", "paid", "paid", "paid", "received", "rejected", "withdrawn", "closed_unpaid"); state != "paid" {
		told += fmt.Sprintf(` state="%s"`, state)
	} else {
		told += fmt.Sprintf(` state="paid" amount="%s"`, max(1, one(m.w, i.balance, i.balance/2, i.balance/3, i.balance+1)))
	}
	body := tag("collection_reports", "<report "+told+"/>")
	if m.try(i.about(), http.MethodPost, "/collection_reports", body) && m.w.chance(3) {
		m.try(i.about(), http.MethodPost, "/collection_reports", body) // it has come before, and changes nothing
	}
}

// payBoth has the debt collector and the bank bring a payment for one claim on one day (rule C2).
func (m *manager) payBoth() {
	if i, there := some(m.w, m.books.invoices, func(i invoice) bool { return i.handedOver != 0 && i.balance > 1 }); there {
		m.bank(i.balance/2, i.kid, m.w.in.Today())
		m.note("%s: the bank brings %s, which the debt collector waits for", i.about(), i.balance/2)
		m.report()
	}
}

// proveFriendly holds that no friendly reminder left twice for an invoice and a day, nor for one that was paid before (rule L14), and that each report
// of the collector was taken once (rule C1).
func (m *manager) proveFriendly() {
	m.w.Helper()
	for what, query := range map[string]string{
		"friendly reminders that are there twice": "SELECT COUNT(*) FROM (SELECT document_id FROM shipments WHERE creditor_id = ? AND friendly IS NOT NULL AND fallback_of = 0 GROUP BY document_id, friendly HAVING COUNT(*) > 1) AS twice",
		"friendly reminders that left after the invoice was paid": `SELECT COUNT(*) FROM shipments s WHERE s.creditor_id = ? AND s.friendly IS NOT NULL AND s.sent_at IS NOT NULL
			AND (SELECT COALESCE(SUM(e.amount), 0) FROM entries e WHERE e.invoice_id = s.document_id AND e.credit_note_id = 0 AND e.created_at < s.sent_at) <= 0`,
		"reports of the collector that were taken twice": "SELECT COUNT(*) FROM (SELECT reference FROM collection_reports WHERE creditor_id = ? GROUP BY reference HAVING COUNT(*) > 1) AS twice",
	} {
		var found int
		must(m.w.T, m.w.db.QueryRowContext(m.w.Context(), query, m.id).Scan(&found))
		if found != 0 {
			m.w.Errorf("%s: %d %s", m.books.today, found, what)
		}
	}
	must(m.w.T, m.w.db.QueryRowContext(m.w.Context(), "SELECT COUNT(*) FROM shipments WHERE creditor_id = ? AND friendly IS NOT NULL AND sent_at IS NOT NULL", m.id).Scan(&m.befriended))
	must(m.w.T, m.w.db.QueryRowContext(m.w.Context(), "SELECT COUNT(*) FROM collection_reports WHERE creditor_id = ?", m.id).Scan(&m.reported))
}

// small counts the invoices that were closed for a small remainder (rule L25).
func (m *manager) small() (n int) {
	m.w.Helper()
	must(m.w.T, m.w.db.QueryRowContext(m.w.Context(), "SELECT COUNT(*) FROM invoices WHERE creditor_id = ? AND written_off > 0", m.id).Scan(&n))
	return n
}

// payNearly has the bank bring nearly all that is owed: what is left may be a small remainder.
func (m *manager) payNearly() {
	if i, there := some(m.w, m.books.invoices, func(i invoice) bool { return owes(i) && i.balance > 60_00 }); there {
		amount := i.balance - models.Amount(1+m.w.IntN(60_00))
		m.bank(amount, i.kid, m.back(i))
		m.note("%s: the bank brings nearly all, %s", i.about(), amount)
	}
}
