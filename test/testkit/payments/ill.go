package payments

import (
	"testing"

	"purr/models"
	"purr/ocr/giro"
	"purr/store"
	"purr/test/testkit/rows"
)

// IllFile returns a file in which the invoices of two creditors are paid. The first creditor's time zone is none, so that its days
// cannot be reckoned, and a notice with a fee was issued after it was paid: notice issues it, for package dunning stands above those who use this one.
func (b *Books) IllFile(t *testing.T, notice func(tx *store.Tx, c models.Creditor, invoiceID int64) error) (file []byte, ill models.Creditor, noticed, others models.Invoice) {
	t.Helper()
	ill = rows.Creditor(t, b.DB)
	other := rows.Creditor(t, b.DB)
	noticed, others = rows.Invoice(t, rows.On(b.DB, rows.Today-35), ill, rows.DueIn(7)), rows.Invoice(t, b.DB, other)
	rows.Send(t, b.DB, ill)
	rows.Write(t, b.DB, func(tx *store.Tx) error {
		if err := notice(tx, ill, noticed.ID); err != nil {
			return err
		}
		ill.TimeZone = "posix/Europe/Oslo"
		return tx.UpdateCreditor(t.Context(), &ill)
	})
	return File{Assignments: []Assignment{
		{Account: ill.BankAccount, Number: "1", Payments: []giro.Payment{Paid(noticed.KID, noticed.Balance)}},
		{Account: other.BankAccount, Number: "2", Payments: []giro.Payment{Paid(others.KID, others.Balance)}},
	}}.Bytes(t), ill, noticed, others
}
