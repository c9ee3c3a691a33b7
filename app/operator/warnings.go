package operator

import (
	"context"
	"fmt"
	"strings"

	"purr/dunning"
	"purr/ledger"
	"purr/models"
	"purr/store"
)

// Warnings calls warn with what a person should set or decide: bank accounts that wait, or that nobody was asked about (rule D101);
// whether a creditor that charges VAT is registered for it (rule L9); names and addresses of which nothing can be printed (rule D111);
// and for each creditor with dunning switched on, what it lacks (rule L8) and each figure of the law whose rate expiry is past or a few
// weeks away (rules E6h, L11). It also calls warn with what is wrong of notices whose letters left late (rule D94), of those whose
// invoices have not left (rule D98), and with what earlier releases left charged (rules D96, D97).
func (o *Operator) Warnings(ctx context.Context, warn func(Finding)) error {
	if err := o.warnOfAccounts(ctx, warn); err != nil {
		return err
	}
	noticed, err := o.DB.WithNotices(ctx)
	if err != nil {
		return err
	}
	err = o.DB.EachCreditor(ctx, func(c models.Creditor, unreadable error) error {
		if unreadable != nil {
			return nil //nolint:nilerr // Verify tells of it
		}
		say := func(text string) { warn(Finding{CreditorID: c.ID, Name: c.Name, Text: text}) }
		warnOfRow(c, say)
		if noticed[c.ID] {
			if err := ledger.LeftCharged(ctx, o.DB, c, say); err != nil {
				return err
			}
		}
		return o.warnOfDunning(ctx, c, say)
	})
	if err != nil {
		return err
	}
	if err := o.warnOfUnprintable(ctx, warn); err != nil {
		return err
	}
	return dunning.LeftWrong(ctx, o.DB, func(c models.Creditor, text string) { warn(Finding{CreditorID: c.ID, Name: c.Name, Text: text}) })
}

// warnOfRow says what a person should set of a creditor itself.
func warnOfRow(c models.Creditor, say func(text string)) {
	if c.VATDoubted && !c.VATKnown && !c.VATRegistered {
		say("invoices have VAT, and nobody has said whether the creditor is registered for VAT (purr creditor set --vat-registered)")
	}
	if dark := c.Unprintable(); len(dark) > 0 {
		say("nothing can be printed of its " + strings.Join(dark, ", ") + ": write it in Latin, Greek or Cyrillic letters (purr creditor set --help)")
	}
}

// warnOfDunning says what a creditor lacks for the dunning that is switched on, and which figures end.
func (o *Operator) warnOfDunning(ctx context.Context, c models.Creditor, say func(text string)) error {
	if !c.Policy.Enabled {
		return nil
	}
	if missing := c.MissingToDun(); len(missing) > 0 {
		say("dunning takes no step until the creditor has " + strings.Join(missing, ", ") + " (purr creditor set --help)")
	}
	today, rules, err := o.day(ctx, c)
	if err != nil && store.IsOfRows(ctx, err) {
		say("its figures cannot be reckoned: " + err.Error())
		return nil
	}
	if err != nil {
		return err
	}
	for _, w := range rules.Warnings(today, c.Policy) {
		say(w.Text + " (purr dunning rules set --help)")
	}
	return nil
}

// warnOfUnprintable warns of each customer of an older version to whom nothing is issued, because nothing can be printed of its name or
// a line of its address (rule D111).
func (o *Operator) warnOfUnprintable(ctx context.Context, warn func(Finding)) error {
	names, err := o.DB.CreditorNames(ctx)
	if err != nil {
		return err
	}
	return o.DB.Patient().UnprintableCustomers(ctx, func(c models.Customer) {
		warn(Finding{CreditorID: c.CreditorID, Name: names[c.CreditorID], Text: fmt.Sprintf(
			"nothing can be printed of %s of customer %d: nothing is issued to it until that is changed to Latin, Greek or Cyrillic letters",
			strings.Join(c.Recipient.Unprintable(), ", "), c.ID)})
	})
}

// warnOfAccounts warns of each account that waits and, where there are several creditors, of each that a creditor has without
// having been asked about and that no document names (rule D101).
func (o *Operator) warnOfAccounts(ctx context.Context, warn func(Finding)) error {
	waiting, err := o.DB.WaitingCreditors(ctx)
	if err != nil {
		return err
	}
	for _, c := range waiting {
		for _, waits := range [][2]string{{"bank account", c.WaitingAccount}, {"IBAN", c.WaitingIBAN}} {
			if what, account := waits[0], waits[1]; account != "" {
				warn(Finding{CreditorID: c.ID, Name: c.Name, Text: fmt.Sprintf(
					"the %s %s waits: purr creditor accounts approve %[2]s --creditor %[3]d, or release", what, account, c.ID)})
			}
		}
	}
	several, err := o.DB.SeveralCreditors(ctx)
	if err != nil || !several {
		return err
	}
	unapproved, err := o.DB.UnapprovedAccounts(ctx)
	if err != nil {
		return err
	}
	for _, a := range unapproved {
		warn(Finding{CreditorID: a.CreditorID, Name: a.Name, Text: fmt.Sprintf(
			"has the bank account %s, which no document names and nobody has approved: if it is the creditor's, purr creditor accounts approve %[1]s, else release", a.Account)})
	}
	return nil
}
