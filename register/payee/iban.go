package payee

import (
	"context"

	"purr/models"
	"purr/store"
)

// AskIBAN decides what becomes of the IBAN and the BIC that a creditor's own key has set in c. Where the installation has several
// creditors, they wait for the operator, and documents keep those before. None, and the Norwegian IBAN of an account that is the
// creditor's already, count at once. Ask must have decided about the account. before is the creditor as it was, locked.
func AskIBAN(ctx context.Context, tx *store.Tx, before models.Creditor, c *models.Creditor) error {
	iban, bic := c.IBAN, c.BIC
	c.IBAN, c.BIC = before.IBAN, before.BIC
	c.WaitingIBAN, c.WaitingBIC, c.WaitingIBANSince = before.WaitingIBAN, before.WaitingBIC, before.WaitingIBANSince
	if asked := before.Asked(); iban == asked.IBAN && bic == asked.BIC {
		return nil
	}
	c.WaitingIBAN, c.WaitingBIC, c.WaitingIBANSince = "", "", nil
	waits, err := ibanWaits(ctx, tx, *c, iban, bic)
	if err != nil {
		return err
	}
	if waits {
		c.WaitingIBAN, c.WaitingBIC, c.WaitingIBANSince = iban, bic, &tx.Now
		return nil
	}
	c.IBAN, c.BIC = iban, bic
	return nil
}

// ibanWaits reports whether an IBAN and a BIC must wait for the operator if a creditor's own key asks for them.
func ibanWaits(ctx context.Context, tx *store.Tx, c models.Creditor, iban, bic string) (bool, error) {
	if iban == "" || iban == c.IBAN && bic == c.BIC {
		return false, nil
	}
	if account := models.AccountOfIBAN(iban); account != "" {
		held, err := tx.BankAccount(ctx, account)
		if err != nil || account == c.BankAccount || held != nil && held.CreditorID == c.ID {
			return false, err
		}
	}
	return tx.SeveralCreditors(ctx)
}

// SetIBAN lets the operator set the IBAN and the BIC in c: they count at once, and none wait any more.
func SetIBAN(before models.Creditor, c *models.Creditor) {
	if c.IBAN != before.IBAN || c.BIC != before.BIC {
		c.WaitingIBAN, c.WaitingBIC, c.WaitingIBANSince = "", "", nil
	}
}

// takeIBAN makes the IBAN and the BIC that wait the creditor's.
func takeIBAN(c *models.Creditor) {
	c.IBAN, c.BIC = c.WaitingIBAN, c.WaitingBIC
	c.WaitingIBAN, c.WaitingBIC, c.WaitingIBANSince = "", "", nil
}

// approveIBAN says yes to the IBAN and the BIC that wait.
func approveIBAN(ctx context.Context, tx *store.Tx, before models.Creditor, actor string) (models.Creditor, error) {
	c := before
	takeIBAN(&c)
	if err := Write(ctx, tx, before, c); err != nil {
		return models.Creditor{}, err
	}
	before.BankAccount = before.IBAN // what the event says was there before
	return c, logApproval(ctx, tx, before, c.IBAN, actor)
}

// releaseIBAN takes an IBAN that waits or that was set, with its BIC, from the creditor. It reports false if it is neither.
func releaseIBAN(c *models.Creditor, iban string) bool {
	switch iban {
	case "":
		return false
	case c.WaitingIBAN:
		c.WaitingIBAN, c.WaitingBIC, c.WaitingIBANSince = "", "", nil
	case c.IBAN:
		c.IBAN, c.BIC = "", ""
	default:
		return false
	}
	return true
}
