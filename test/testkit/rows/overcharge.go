package rows

import (
	"testing"

	"purr/test/testkit"
)

// Overcharge has a notice, what is booked of it, and what is owed say 3.00 more of a fee, as if that had been charged. The calculation of the
// notice still says the lawful fee.
func Overcharge(t testing.TB, databaseURL string, notice int64) {
	t.Helper()
	db := bare(t, databaseURL)
	defer func() { testkit.Must(t, db.Close()) }()
	for _, statement := range []string{
		"UPDATE overdue_notices SET fee = fee + 300, gross = gross + 300 WHERE id = ?",
		"UPDATE entries SET amount = amount + 300 WHERE type = 'OVERDUE_CHARGE' AND notice_id = ?",
		"UPDATE overdue_notice_lines SET gross = gross + 300 WHERE type = 'OVERDUE_CHARGE' AND notice_id = ?",
		"UPDATE invoices SET balance = balance + 300 WHERE id = (SELECT invoice_id FROM overdue_notices WHERE id = ?)",
	} {
		_, err := db.ExecContext(t.Context(), statement, notice)
		testkit.Must(t, err)
	}
}
