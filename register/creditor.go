package register

import (
	"context"
	"reflect"
	"slices"

	"purr/models"
	"purr/register/payee"
	"purr/store"
)

// CreateCreditor writes a new creditor and sets its ID. It fails with models.Errors if a field is wrong, or if dunning
// is switched on and an element that it needs is missing (rule L8). It fails with a conflict if another creditor has the name or the bank account.
func CreateCreditor(ctx context.Context, tx *store.Tx, c *models.Creditor, actor string) error {
	if err := c.Validate(); err != nil {
		return err
	}
	if err := c.MayFollow(models.Creditor{}); err != nil {
		return err
	}
	if err := payee.Set(ctx, tx, models.Creditor{}, c); err != nil {
		return err
	}
	if err := tx.CreateCreditor(ctx, c); err != nil {
		return err
	}
	if err := tx.ApproveAccount(ctx, c.ID, c.BankAccount); err != nil {
		return err
	}
	return tx.Log(ctx, models.Event{
		CreditorID: c.ID, Type: models.EventCreditorCreated, Actor: actor, SubjectID: c.ID, Text: "Creditor " + c.Name + " created by " + actor,
		Facts: models.Facts{"name": c.Name},
	})
}

// ChangeCreditor lets a creditor's own key change the creditor. It calls change to set fields, and returns the changed
// creditor. It fails if change fails, if a field is then wrong, if dunning is switched on without an element that it needs
// (rule L8), or if a changed policy is outside the law. maxFee is the legal maximum fee of today, in øre. change finds the
// account that the key has asked for, also while it waits for the operator; package payee decides what becomes of a new one
// (rule D101). The event has the old and the new value of each changed element. Other digits of the KID for the customer would lose the
// mandates of AvtaleGiro: it then fails with the conflict mandates_would_be_lost unless loses says so (rule G1a).
func ChangeCreditor(
	ctx context.Context, tx *store.Tx, creditorID int64, maxFee models.Amount, actor string, change func(*models.Creditor) error, loses ...LosesMandates,
) (models.Creditor, error) {
	before, err := tx.LockCreditor(ctx, creditorID)
	if err != nil {
		return models.Creditor{}, err
	}
	c := before.Asked()
	if err := apply(&c, before.Asked(), maxFee, change); err != nil {
		return models.Creditor{}, err
	}
	if err := keepMandates(ctx, tx, before, c, loses); err != nil {
		return models.Creditor{}, err
	}
	asked := c
	if err := payee.Ask(ctx, tx, before, &c); err != nil {
		return models.Creditor{}, err
	}
	if err := payee.AskIBAN(ctx, tx, before, &c); err != nil {
		return models.Creditor{}, err
	}
	if err := write(ctx, tx, before, &c); err != nil {
		return models.Creditor{}, err
	}
	if err := logCreditorChange(ctx, tx, before.Asked(), asked, actor); err != nil {
		return models.Creditor{}, err
	}
	return c, logWaiting(ctx, tx, before, c, actor)
}

// LosesMandates says that a person knows that the mandates of AvtaleGiro are lost by what is changed.
type LosesMandates bool

// keepMandates refuses other digits of the KID for the customer while there are mandates, or ends them: the bank finds them by these digits.
func keepMandates(ctx context.Context, tx *store.Tx, before, c models.Creditor, loses []LosesMandates) error {
	if before.KIDCustomerDigits == 0 || c.KIDCustomerDigits == before.KIDCustomerDigits {
		return nil
	}
	n, err := tx.CountMandates(ctx, c.ID)
	if err != nil || n == 0 {
		return err
	}
	if !slices.Contains(loses, true) {
		return models.Conflict("mandates_would_be_lost", "%d mandates of AvtaleGiro would be lost: the bank finds them by these digits (agree a change of the KID with it first, then send force)", n)
	}
	return tx.EndAllMandates(ctx, c.ID, c.BookingDay(tx.Now))
}

// SetCreditor lets the operator change a creditor, as ChangeCreditor does. An account that the operator sets is approved, also if it
// is the one that the creditor has (rule D101); change finds the one that documents name. change may be called more than once.
func SetCreditor(
	ctx context.Context, tx *store.Tx, creditorID int64, maxFee models.Amount, actor string, change func(*models.Creditor) error,
) (models.Creditor, error) {
	before, err := tx.LockCreditor(ctx, creditorID)
	if err != nil {
		return models.Creditor{}, err
	}
	c := before
	if err := apply(&c, before, maxFee, change); err != nil {
		return models.Creditor{}, err
	}
	if err := keepMandates(ctx, tx, before, c, nil); err != nil {
		return models.Creditor{}, err
	}
	if err := payee.Set(ctx, tx, before, &c); err != nil {
		return models.Creditor{}, err
	}
	payee.SetIBAN(before, &c)
	if err := write(ctx, tx, before, &c); err != nil {
		return models.Creditor{}, err
	}
	if c.BankAccount != before.BankAccount {
		if err := tx.ApproveAccount(ctx, c.ID, c.BankAccount); err != nil {
			return models.Creditor{}, err
		}
	}
	if err := logCreditorChange(ctx, tx, before, c, actor); err != nil || c.BankAccount != before.BankAccount || c.BankAccount == "" {
		return c, err
	}
	given, err := setsAccount(before, change)
	if err != nil || !given {
		return c, err
	}
	return payee.Approve(ctx, tx, c.ID, c.BankAccount, actor)
}

// setsAccount reports whether a change sets the account, be it to the one that there is.
func setsAccount(c models.Creditor, change func(*models.Creditor) error) (bool, error) {
	const none = "none" // which is no account
	c.BankAccount = none
	err := change(&c)
	return c.BankAccount != none, err
}

// apply calls change, and proves what it has made of the creditor.
func apply(c *models.Creditor, before models.Creditor, maxFee models.Amount, change func(*models.Creditor) error) error {
	if err := change(c); err != nil {
		return err
	}
	return validCreditor(*c, before, maxFee)
}

// write writes a changed creditor, and lets go of an account that nothing uses any more.
func write(ctx context.Context, tx *store.Tx, before models.Creditor, c *models.Creditor) error {
	if c.FirstNumber != before.FirstNumber {
		if err := tx.SetFirstNumber(ctx, c.ID, c.FirstNumber); err != nil {
			return err
		}
	}
	return payee.Write(ctx, tx, before, *c)
}

// logWaiting tells that an account, or an IBAN, has begun to wait for the operator.
func logWaiting(ctx context.Context, tx *store.Tx, before, c models.Creditor, actor string) error {
	if c.WaitingAccount != "" && c.WaitingAccount != before.WaitingAccount {
		if err := logWait(ctx, tx, c, c.WaitingAccount, c.BankAccount, actor); err != nil {
			return err
		}
	}
	if c.WaitingIBAN != "" && (c.WaitingIBAN != before.WaitingIBAN || c.WaitingBIC != before.WaitingBIC) {
		return logWait(ctx, tx, c, c.WaitingIBAN, c.AccountIBAN(c.BankAccount), actor)
	}
	return nil
}

func logWait(ctx context.Context, tx *store.Tx, c models.Creditor, account, untilThen, actor string) error {
	facts := models.Facts{"bank_account": account}
	if untilThen != "" {
		facts["until_then"] = untilThen
	}
	return tx.Log(ctx, models.Event{
		CreditorID: c.ID, Type: models.EventAccountWaiting, Actor: actor, SubjectID: c.ID,
		Text: "Bank account " + account + " waits for the operator's approval", Facts: facts,
	})
}

// CreditorChanged reports whether an element of a creditor differs.
func CreditorChanged(before, after models.Creditor) bool {
	return len(changes(Settings(&before), Settings(&after))) > 0
}

// validCreditor returns the faults of a creditor. It accepts an unchanged creditor and an unchanged policy: the rules or
// the law may have changed since they were set.
func validCreditor(c, before models.Creditor, maxFee models.Amount) error {
	if !CreditorChanged(before, c) {
		return nil
	}
	if err := c.ValidateChange(before); err != nil {
		return err
	}
	if err := c.MayFollow(before); err != nil {
		return err
	}
	if reflect.DeepEqual(c.Policy, before.Policy) {
		return nil
	}
	return c.Policy.Validate(maxFee)
}

func logCreditorChange(ctx context.Context, tx *store.Tx, before, after models.Creditor, actor string) error {
	changed := changes(Settings(&before), Settings(&after))
	return tx.Log(ctx, models.Event{
		CreditorID: after.ID, Type: models.EventCreditorChanged, Actor: actor, SubjectID: after.ID, Text: changed.text("Creditor changed by " + actor), Facts: changed.facts(),
	})
}
