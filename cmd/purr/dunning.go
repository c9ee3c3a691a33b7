package main

import (
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"purr/app"
)

func dunningCommand() *cobra.Command {
	return group("dunning", "Follow overdue invoices", dunningRun())
}

func dunningRun() *cobra.Command {
	var creditor string
	c := &cobra.Command{
		Use:   "run --creditor CREDITOR",
		Short: "Take what is due for a step today a step further",
		Long: `run does what the automatic run of today does: reminders, debt-collection warnings and hand-overs, by
the creditor's policy. What has been done today is not done again. The letters leave through the
server.`,
		Args: cobra.NoArgs,
	}
	c.Flags().StringVar(&creditor, "creditor", "", "name or number of the creditor")
	_ = c.MarkFlagRequired("creditor") // fails only for a flag that does not exist
	return installationCommand(c, func(cmd *cobra.Command, a *app.App, _ []string) error {
		found, err := a.DB.CreditorByName(cmd.Context(), creditor)
		if err != nil {
			return err
		}
		if !found.Policy.Enabled {
			fmt.Fprintf(os.Stderr, "dunning is switched off for %s, but for customers whose own policy switches it on: purr creditor set %d --dunning\n", found.Name, found.ID)
		}
		result, err := a.RunDunning(cmd.Context(), found)
		fmt.Printf("%d notices, %d hand-overs\n", len(result.Documents), result.HandOvers)
		if result.HeldBack {
			fmt.Println("some are held back: the bank's payment files are late")
		}
		return err
	})
}
