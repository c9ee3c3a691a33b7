package dunning

import (
	"context"
	"fmt"

	"purr/calendar"
	"purr/models"
	"purr/store"
)

// ConfirmNone takes a person's word that no file comes from the bank for a bank day, where none is given the last one
// before today, and returns the day. That counts as a file which reaches the day (rule E6b). It fails for a day that
// is no bank day, or has not come yet. Said again it changes nothing.
func ConfirmNone(ctx context.Context, tx *store.Tx, c models.Creditor, bankDay models.Date, actor string) (models.Date, error) {
	today, err := c.Today(tx.Now)
	if err != nil {
		return 0, err
	}
	if bankDay == 0 {
		bankDay = calendar.LastBankDayBefore(today)
	}
	switch {
	case bankDay > today:
		return 0, models.Invalid("future_date", "date", "%s has not come yet: today is %s", bankDay, today)
	case !calendar.IsBankDay(bankDay):
		return 0, models.Invalid("not_a_bank_day", "date", "%s is no bank day; the last one before it is %s", bankDay, calendar.LastBankDayBefore(bankDay))
	}
	fresh, err := tx.ConfirmBankDay(ctx, &models.BankConfirmation{CreditorID: c.ID, BankDay: bankDay, Actor: actor})
	if err != nil || !fresh {
		return bankDay, err
	}
	text := fmt.Sprintf("No file comes from the bank for %s", bankDay)
	return bankDay, act{Actor: actor}.log(ctx, tx, models.Event{CreditorID: c.ID, Type: models.EventBankConfirmed, Text: text})
}
