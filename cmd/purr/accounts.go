package main

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"purr/app/operator"
	"purr/models"
)

func creditorAccounts() *cobra.Command {
	return group("accounts", "List, approve and release the bank accounts of creditors", accountsList(), accountsApprove(), accountsRelease())
}

func accountsList() *cobra.Command {
	c := &cobra.Command{
		Use:   "list",
		Short: "List the bank accounts that creditors have or ask for",
		Long: `list shows the bank accounts of all creditors, or of one with --creditor, those that wait first. An
IBAN that waits is listed too, with its BIC. The states:

waiting   a creditor's own key asks for it, and you have not said yes. Its documents keep the account before it,
          and payments to it are nobody's
set       the creditor has it; you were not asked, and no document names it
approved  you have set or approved it, and no document names it
named     documents name it: it is the creditor's for good`,
		Example: "  purr creditor accounts list\n  purr creditor accounts list --json | jq '.[] | select(.state == \"waiting\")'",
		Args:    cobra.NoArgs,
	}
	creditor := c.Flags().String("creditor", "", "name or number of the creditor (default: all)")
	return installationCommand(withJSON(c), func(cmd *cobra.Command, o *operator.Operator, _ []string) error {
		accounts, err := o.Accounts(cmd.Context(), *creditor)
		if err != nil {
			return err
		}
		t := newTable("ACCOUNT,CREDITOR,NAME,STATE,SINCE,BIC")
		for _, a := range accounts {
			t.add(a.Account, a.CreditorID, a.Name, a.State, a.Since, a.BIC)
		}
		return t.print(cmd)
	})
}

func accountsApprove() *cobra.Command {
	c := &cobra.Command{
		Use:   "approve ACCOUNT|CREDITOR",
		Short: "Say yes to a bank account that a creditor asks for",
		Long: `approve lets a creditor have the bank account that its own key has set: documents name it from now on, and payments
to it that came meanwhile are posted. It also says yes to an account that a creditor has without having been
asked about. It is refused when another creditor has the account. A creditor in the place of the account means
the account or the IBAN that it asks for, or else has. An IBAN that waits is approved like an account, with its BIC:
it is what letters abroad print.`,
		Example: "  purr creditor accounts approve NO9386011117947 --creditor 2\n  purr creditor accounts approve 12345678903\n  purr creditor accounts approve 12345678903 --creditor 'Fjord Rør AS'",
		Args:    cobra.RangeArgs(1, 2),
	}
	return accountCommand(c, func(cmd *cobra.Command, o *operator.Operator, account, creditor string) error {
		of, err := o.ApproveAccount(cmd.Context(), account, creditor)
		if err != nil {
			return err
		}
		fmt.Printf("approved: %s is the bank account of creditor %d, %s\n", cmp.Or(account, of.BankAccount), of.ID, of.Name)
		return o.PostUnassigned(cmd.Context())
	})
}

func accountsRelease() *cobra.Command {
	c := &cobra.Command{
		Use:   "release ACCOUNT|CREDITOR",
		Short: "Say no to a bank account that waits, or take away one that nothing uses",
		Long: `release says no to a bank account that waits. It takes an account that no document names from the creditor that has
it, so that another can have it. It is refused, with the reason, when documents name the account or payments to
it are in the creditor's books. An IBAN that waits or that was set is released like an account: letters abroad
then print the IBAN of the Norwegian account.`,
		Example: "  purr creditor accounts release 12345678903\n  purr creditor accounts release 12345678903 --creditor 2",
		Args:    cobra.RangeArgs(1, 2),
	}
	return accountCommand(c, func(cmd *cobra.Command, o *operator.Operator, account, creditor string) error {
		of, err := o.ReleaseAccount(cmd.Context(), account, creditor)
		if err != nil {
			return err
		}
		fmt.Printf("released: creditor %d, %s, neither has the bank account nor asks for it\n", of.ID, of.Name)
		return nil
	})
}

// accountCommand returns a command that takes an account and a creditor: as --creditor, or as the other argument.
func accountCommand(c *cobra.Command, do func(cmd *cobra.Command, o *operator.Operator, account, creditor string) error) *cobra.Command {
	flag := c.Flags().String("creditor", "", "name or number of the creditor; required if several ask for the account")
	return installationCommand(c, func(cmd *cobra.Command, o *operator.Operator, args []string) error {
		account, creditor := "", *flag
		for _, arg := range args {
			bare := strings.NewReplacer(" ", "", ".", "").Replace(arg)
			switch {
			case account == "" && (models.ValidBankAccount(bare) || models.ValidIBAN(strings.ToUpper(bare))):
				account = strings.ToUpper(bare)
			case len(bare) == 11 && models.IsNumber(bare):
				return badUsage("%s is no bank account: its check digit is wrong", arg)
			case creditor == "":
				creditor = arg
			default:
				return badUsage("give one bank account and one creditor: %s", cmd.UseLine())
			}
		}
		if account == "" && creditor == *flag {
			return badUsage("give a bank account, 11 digits with a right check digit, an IBAN, or a creditor: %s", cmd.UseLine())
		}
		return do(cmd, o, account, creditor)
	})
}
