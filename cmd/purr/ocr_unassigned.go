package main

import (
	"fmt"
	"os"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"purr/app"
)

func ocrUnassigned() *cobra.Command {
	c := &cobra.Command{
		Use:   "unassigned",
		Short: "List the payments to accounts that no creditor has",
		Long: `unassigned lists what payment files brought for accounts that no creditor has. It is kept aside, and posted when a
creditor gets the account.`,
		Example: "  purr ocr unassigned\n  purr creditor set 'Fjord Rør AS' --bank-account 12345678903",
		Args:    cobra.NoArgs,
	}
	return installationCommand(c, func(cmd *cobra.Command, a *app.App, _ []string) error {
		kept, err := a.DB.Unassigned(cmd.Context())
		if err != nil {
			return err
		}
		w := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', 0)
		fmt.Fprintln(w, "ACCOUNT\tPAYMENTS\tAMOUNT\tFIRST\tLAST\tFILE\tFILENAME")
		for _, u := range kept {
			fmt.Fprintf(w, "%s\t%d\t%s\t%s\t%s\t%d\t%s\n", u.Account, u.Payments, u.Amount, u.First, u.Last, u.File.ID, oneLine(u.File.Filename))
		}
		return w.Flush()
	})
}
