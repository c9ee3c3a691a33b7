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
	c := &cobra.Command{Use: "list", Short: "List the bank accounts that creditors have or ask for", Args: cobra.NoArgs}
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
	c := &cobra.Command{Use: "approve ACCOUNT|CREDITOR", Short: "Say yes to a bank account that a creditor asks for", Args: cobra.RangeArgs(1, 2)}
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
		Args:  cobra.RangeArgs(1, 2),
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
