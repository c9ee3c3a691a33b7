// Package payee decides which bank account and which IBAN a creditor is paid on (rule D101): what its own key asks for, what the operator says
// to that, which account documents name, and when an account can become another creditor's. Payments follow it: an account that
// waits is nobody's.
package payee

import (
	"context"
	"fmt"

	"purr/models"
	"purr/store"
)

// Ask decides what becomes of the account that a creditor's own key has set in c. Where the installation has several creditors, a
// new account waits for the operator, and the documents keep the account before it. An account that is the creditor's already
// counts at once, and so does none. Ask fails with a conflict if another creditor has the account. before is the creditor
// as it was, locked.
func Ask(ctx context.Context, tx *store.Tx, before models.Creditor, c *models.Creditor) error {
	asked := c.BankAccount
	c.BankAccount, c.WaitingAccount, c.WaitingSince = before.BankAccount, before.WaitingAccount, before.WaitingSince
	if asked == before.Asked().BankAccount {
		return nil
	}
	c.WaitingAccount, c.WaitingSince = "", nil
	waits, err := waits(ctx, tx, *c, asked)
	if err != nil {
		return err
	}
	if waits {
		c.WaitingAccount, c.WaitingSince = asked, &tx.Now
		return nil
	}
	c.BankAccount = asked
	return nil
}

// waits reports whether an account must wait for the operator if a creditor's own key asks for it.
func waits(ctx context.Context, tx *store.Tx, c models.Creditor, account string) (bool, error) {
	if account == "" || account == c.BankAccount {
		return false, nil
	}
	own, err := obtainable(ctx, tx, c.ID, account)
	if err != nil || own {
		return false, err
	}
	return tx.SeveralCreditors(ctx)
}

// Set lets the operator set the account in c: it counts at once, and nothing waits any more.
func Set(ctx context.Context, tx *store.Tx, before models.Creditor, c *models.Creditor) error {
	if c.BankAccount == before.BankAccount {
		return nil
	}
	c.WaitingAccount, c.WaitingSince = "", nil
	if c.BankAccount == "" {
		return nil
	}
	_, err := obtainable(ctx, tx, c.ID, c.BankAccount)
	return err
}

// obtainable reports whether an account is the creditor's already. If another creditor has it without using it, that one loses
// it; if the other uses it, obtainable fails with a conflict.
func obtainable(ctx context.Context, tx *store.Tx, creditorID int64, account string) (own bool, err error) {
	held, err := tx.BankAccount(ctx, account)
	if err != nil || held == nil || held.CreditorID == creditorID {
		return held != nil, err
	}
	other, err := tx.LockCreditor(ctx, held.CreditorID)
	if err != nil {
		return false, err
	}
	free, err := freeIfUnused(ctx, tx, other, account)
	if err == nil && !free {
		err = store.AccountInUse()
	}
	return false, err
}

// Write writes a changed creditor. It keeps what documents of older releases show of it (rule D112), lets go what waited until the
// creditor was ready (rule D108), and frees the account that it had before, if nothing uses that.
func Write(ctx context.Context, tx *store.Tx, before, c models.Creditor) error {
	if err := tx.KeepSellers(ctx, before, c); err != nil {
		return err
	}
	if err := tx.UpdateCreditor(ctx, &c); err != nil {
		return err
	}
	if c.Name != before.Name || c.Email != before.Email || c.BankAccount != before.BankAccount || c.OrganisationNumber != before.OrganisationNumber {
		if err := tx.LetReadyGo(ctx, c.ID); err != nil {
			return err
		}
	}
	if before.BankAccount == "" || before.BankAccount == c.BankAccount {
		return nil
	}
	_, err := freeIfUnused(ctx, tx, c, before.BankAccount)
	return err
}

// freeIfUnused frees an account of the creditor that is not its present one and that nothing uses. It reports whether the account
// is nobody's then. The creditor must be locked, so that no document names the account meanwhile.
func freeIfUnused(ctx context.Context, tx *store.Tx, c models.Creditor, account string) (bool, error) {
	if account == c.BankAccount {
		return false, nil
	}
	held, err := tx.BankAccount(ctx, account)
	if err != nil {
		return false, err
	}
	if held == nil || held.CreditorID != c.ID {
		return held == nil, nil
	}
	use, err := tx.AccountUse(ctx, *held)
	if err != nil || use != (models.AccountUse{}) {
		return false, err
	}
	return true, tx.FreeAccount(ctx, *held)
}

// Named returns the account that a new document of the creditor names, empty if there is none. From then on the account is the
// creditor's for good. Each document that names an account asks here, in the transaction that writes it: c may be out of date.
func Named(ctx context.Context, tx *store.Tx, c models.Creditor) (string, error) {
	if c.BankAccount == "" || c.BankAccount == c.NamedAccount {
		return c.BankAccount, nil
	}
	now, err := tx.LockCreditor(ctx, c.ID)
	if err != nil {
		return "", err
	}
	if now.BankAccount == "" || now.BankAccount == now.NamedAccount {
		return now.BankAccount, nil
	}
	return now.BankAccount, tx.NameAccount(ctx, now)
}

// Approve lets the operator say yes to an account: to the one that waits, which the creditor's documents name from then on, or to one
// that the creditor has without a word of the operator's. In the place of an account it takes an IBAN that waits, with its BIC. It
// returns the creditor. It fails with a conflict if another creditor has the account now. It fails too if the creditor neither has it
// nor asks for it.
func Approve(ctx context.Context, tx *store.Tx, creditorID int64, account, actor string) (models.Creditor, error) {
	before, err := tx.LockCreditor(ctx, creditorID)
	if err != nil {
		return models.Creditor{}, err
	}
	if account != "" && account == before.WaitingIBAN {
		return approveIBAN(ctx, tx, before, actor)
	}
	if before.WaitingAccount != account {
		return before, approveHeld(ctx, tx, before, account, actor)
	}
	c := before
	c.BankAccount, c.WaitingAccount, c.WaitingSince = account, "", nil
	if c.WaitingIBAN == models.NorwegianIBAN(account) {
		takeIBAN(&c)
	}
	if _, err := obtainable(ctx, tx, c.ID, account); err != nil {
		return models.Creditor{}, err
	}
	if err := Write(ctx, tx, before, c); err != nil {
		return models.Creditor{}, err
	}
	if err := tx.ApproveAccount(ctx, c.ID, account); err != nil {
		return models.Creditor{}, err
	}
	return c, logApproval(ctx, tx, before, account, actor)
}

// approveHeld says yes to an account that the creditor has. An account that was approved before stays as it is.
func approveHeld(ctx context.Context, tx *store.Tx, c models.Creditor, account, actor string) error {
	held, err := tx.BankAccount(ctx, account)
	if err != nil {
		return err
	}
	if held == nil || held.CreditorID != c.ID {
		return notTheirs(c, account)
	}
	if held.ApprovedAt != nil {
		return nil
	}
	if err := tx.ApproveAccount(ctx, c.ID, account); err != nil {
		return err
	}
	return logApproval(ctx, tx, c, account, actor)
}

func logApproval(ctx context.Context, tx *store.Tx, before models.Creditor, account, actor string) error {
	facts := models.Facts{"bank_account": account}
	if before.BankAccount != account && before.BankAccount != "" {
		facts["was"] = before.BankAccount
	}
	return tx.Log(ctx, models.Event{
		CreditorID: before.ID, Type: models.EventAccountApproved, Actor: actor, SubjectID: before.ID,
		Text: fmt.Sprintf("Bank account %s approved by %s", account, actor), Facts: facts,
	})
}

// Release lets the operator say no to an account that waits, or take from a creditor an account that nothing uses: it is nobody's
// then. In the place of an account it takes an IBAN that waits, or that was set: documents then name that of the account. It returns the creditor. It fails, and says why, if documents name the account, if payments to it are in the
// creditor's books, or if the creditor neither has the account nor asks for it.
func Release(ctx context.Context, tx *store.Tx, creditorID int64, account, actor string) (models.Creditor, error) {
	before, err := tx.LockCreditor(ctx, creditorID)
	if err != nil {
		return models.Creditor{}, err
	}
	c := before
	switch {
	case releaseIBAN(&c, account):
	case c.WaitingAccount == account:
		c.WaitingAccount, c.WaitingSince = "", nil
	default:
		if err := takeFrom(ctx, tx, &c, account); err != nil {
			return models.Creditor{}, err
		}
	}
	if err := Write(ctx, tx, before, c); err != nil {
		return models.Creditor{}, err
	}
	return c, tx.Log(ctx, models.Event{
		CreditorID: c.ID, Type: models.EventAccountReleased, Actor: actor, SubjectID: c.ID,
		Text: fmt.Sprintf("Bank account %s released by %s", account, actor), Facts: models.Facts{"bank_account": account},
	})
}

// takeFrom takes an unused account from the creditor. If it is the present one, the creditor has none then.
func takeFrom(ctx context.Context, tx *store.Tx, c *models.Creditor, account string) error {
	held, err := tx.BankAccount(ctx, account)
	if err != nil {
		return err
	}
	if held == nil || held.CreditorID != c.ID {
		return notTheirs(*c, account)
	}
	use, err := tx.AccountUse(ctx, *held)
	if err != nil {
		return err
	}
	if use != (models.AccountUse{}) {
		return fmt.Errorf("the bank account %s stays with creditor %d, %s: %s", account, c.ID, c.Name, use)
	}
	if c.BankAccount == account {
		c.BankAccount = ""
	}
	return tx.FreeAccount(ctx, *held)
}

func notTheirs(c models.Creditor, account string) error {
	return fmt.Errorf("creditor %d, %s, neither has the bank account %s nor asks for it; purr creditor accounts list shows them all", c.ID, c.Name, account)
}

// NamedElsewhere returns the account that a document of the creditor names which another system has issued (rule L17): the one asked for,
// or the creditor's own for none. It fails if the account is not the creditor's: what is paid to it would be nobody's. The creditor must be
// locked.
func NamedElsewhere(ctx context.Context, tx *store.Tx, c models.Creditor, account string) (string, error) {
	if account == "" || account == c.BankAccount {
		return Named(ctx, tx, c)
	}
	held, err := tx.BankAccount(ctx, account)
	if err != nil {
		return "", err
	}
	if held == nil || held.CreditorID != c.ID {
		return "", models.Invalid("unknown_account", "bank_account", "is none of the creditor's accounts: payments to it would be nobody's")
	}
	return account, nil
}
