package models

import "cmp"

// Asked returns the creditor as its own key has asked for it: with the account and the IBAN that wait as its own (rule D101).
func (c Creditor) Asked() Creditor {
	c.BankAccount = cmp.Or(c.WaitingAccount, c.BankAccount)
	if c.WaitingIBAN != "" {
		c.IBAN, c.BIC = c.WaitingIBAN, c.WaitingBIC
	}
	return c
}

// AccountIBAN returns the IBAN of the account that an invoice names, or the empty text if there is none: the one that
// the creditor has set for its account, or else that of the Norwegian account (rule L8). The IBAN of an account that
// waits counts for none before (rule D101).
func (c Creditor) AccountIBAN(account string) string {
	if iban := c.setIBAN(); iban != "" && account == c.BankAccount {
		return iban
	}
	return NorwegianIBAN(account)
}

// setIBAN returns the IBAN that was set for the account, or nothing if it is that of an account that waits.
func (c Creditor) setIBAN() string {
	if c.WaitingAccount != "" && c.IBAN == NorwegianIBAN(c.WaitingAccount) {
		return ""
	}
	return c.IBAN
}
