//go:build whole

package lives_test

import (
	"bytes"
	"fmt"

	"purr/models"
	"purr/ocr/camt"
)

// bank brings a camt.054 file with a payment that is booked on a day, or with one that the bank takes back: then the amount is below
// zero. Each has an account of its own, so that nothing but its amount and its KID says whose it is.
func (l *life) bank(amount models.Amount, kid string, on models.Date) {
	l.w.Helper()
	l.serial++
	l.brought += amount
	id := fmt.Sprintf("%s-%d", l.account, l.serial)
	direction := camt.Credit
	if amount < 0 {
		direction, amount = camt.Debit, -amount
	}
	var content bytes.Buffer
	w := camt.NewWriter(&content)
	today := l.w.in.Today()
	must(l.w.T, w.StartMessage(camt.MessageHeader{ID: id, Created: today}))
	must(l.w.T, w.StartNotification(camt.NotificationHeader{ID: id, Created: today, Account: l.account}))
	must(l.w.T, w.Write(camt.EntryHeader{Amount: amount, Booked: on, Value: on, Reference: id, Status: camt.StatusBooked, Direction: direction, Reversal: direction == camt.Debit},
		camt.Payment{Amount: amount, KID: kid, Name: "Kunde", TransactionID: id}))
	must(l.w.T, w.Close())
	l.Post("/payment_files", content.String()).Created()
}
