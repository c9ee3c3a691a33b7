package operator

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"purr/models"
	"purr/register/payee"
	"purr/store"
)

// Account is a bank account that a creditor has or asks for, or an IBAN that it asks for (rule D101).
type Account struct {
	Account    string
	BIC        string // with an IBAN; may be empty
	CreditorID int64
	Name       string // the creditor's
	State      models.AccountState
	Since      *time.Time // of one that waits: since when
}

func waitingOf(c models.Creditor) (all []Account) {
	if c.WaitingAccount != "" {
		all = append(all, Account{c.WaitingAccount, "", c.ID, c.Name, models.AccountWaiting, c.WaitingSince})
	}
	if c.WaitingIBAN != "" {
		all = append(all, Account{c.WaitingIBAN, c.WaitingBIC, c.ID, c.Name, models.AccountWaiting, c.WaitingIBANSince})
	}
	return all
}

// Accounts returns the bank accounts of the creditor with the name or number, or of all if it is empty: first those that wait.
func (o *Operator) Accounts(ctx context.Context, nameOrNumber string) ([]Account, error) {
	waiting, err := o.DB.WaitingCreditors(ctx)
	if err != nil {
		return nil, err
	}
	var all []Account
	for _, c := range waiting {
		all = append(all, waitingOf(c)...)
	}
	held, err := o.DB.HeldAccounts(ctx)
	if err != nil {
		return nil, err
	}
	for _, h := range held {
		all = append(all, Account{h.Account, "", h.CreditorID, h.Name, stateOf(h), nil})
	}
	if nameOrNumber == "" {
		return all, nil
	}
	c, err := o.Creditor(ctx, nameOrNumber)
	if err != nil {
		return nil, err
	}
	return slices.DeleteFunc(all, func(a Account) bool { return a.CreditorID != c.ID }), nil
}

func stateOf(h store.HeldAccount) models.AccountState {
	switch {
	case h.Named:
		return models.AccountNamed
	case h.ApprovedAt != nil:
		return models.AccountApproved
	}
	return models.AccountSet
}

// ApproveAccount says yes to a bank account: payee.Approve. creditor names whose it is; it may be empty if only one creditor asks
// for the account, or if none asks for it and one has it. account may be empty for the one that the creditor asks for, or else has. It
// may be an IBAN that waits.
func (o *Operator) ApproveAccount(ctx context.Context, account, creditor string) (models.Creditor, error) {
	of, account, err := o.holderOf(ctx, account, creditor)
	if err != nil {
		return models.Creditor{}, err
	}
	c, err := inTx(ctx, o, func(ctx context.Context, tx *store.Tx) (models.Creditor, error) {
		return payee.Approve(ctx, tx, of, account, o.Actor)
	})
	if models.KindOf(err) != models.KindConflict {
		return c, err
	}
	if has, readErr := o.DB.BankAccount(ctx, account); readErr == nil && has != nil {
		err = fmt.Errorf("%w: creditor %d has it, purr creditor accounts list --creditor %[2]d", err, has.CreditorID)
	}
	return models.Creditor{}, err
}

// ReleaseAccount says no to a bank account that waits, or takes away one that nothing uses: payee.Release. ApproveAccount says how
// account and creditor are meant.
func (o *Operator) ReleaseAccount(ctx context.Context, account, creditor string) (models.Creditor, error) {
	of, account, err := o.holderOf(ctx, account, creditor)
	if err != nil {
		return models.Creditor{}, err
	}
	return inTx(ctx, o, func(ctx context.Context, tx *store.Tx) (models.Creditor, error) {
		return payee.Release(ctx, tx, of, account, o.Actor)
	})
}

// holderOf returns the ID of the creditor that an account is to be approved for, or taken from, and the account.
func (o *Operator) holderOf(ctx context.Context, account, creditor string) (int64, string, error) {
	if creditor == "" {
		id, err := o.onlyHolder(ctx, account)
		return id, account, err
	}
	c, err := o.Creditor(ctx, creditor)
	if err != nil {
		return 0, "", err
	}
	if account = cmp.Or(account, c.WaitingAccount, c.WaitingIBAN, c.BankAccount); account == "" {
		return 0, "", fmt.Errorf("creditor %d, %s, has no bank account and asks for none", c.ID, c.Name)
	}
	return c.ID, account, nil
}

// onlyHolder returns the ID of the only creditor that asks for the account or, if none does, of the one that has it.
func (o *Operator) onlyHolder(ctx context.Context, account string) (int64, error) {
	waiting, err := o.DB.WaitingCreditors(ctx)
	if err != nil {
		return 0, err
	}
	waiting = slices.DeleteFunc(waiting, func(c models.Creditor) bool { return c.WaitingAccount != account && c.WaitingIBAN != account })
	switch len(waiting) {
	case 1:
		return waiting[0].ID, nil
	case 0:
	default:
		return 0, fmt.Errorf("%d creditors ask for the bank account %s: say which one with --creditor; purr creditor accounts list shows them", len(waiting), account)
	}
	held, err := o.DB.BankAccount(ctx, account)
	if err != nil {
		return 0, err
	}
	if held == nil {
		return 0, errors.New("no creditor has the bank account " + account + " or asks for it; purr creditor accounts list shows them all")
	}
	return held.CreditorID, nil
}
