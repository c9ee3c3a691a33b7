package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"purr/app"
	"purr/ledger"
	"purr/models"
)

func verifyCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "verify",
		Short: "Prove that the books add up",
		Long: `verify recomputes every balance, stage, number series and payment file total from the entries. It
changes nothing. It prints a line for each difference, and exits with 1 when there is one.`,
		Args: cobra.NoArgs,
	}
	return installationCommand(c, func(cmd *cobra.Command, a *app.App, _ []string) error {
		differences := 0
		err := a.Verify(cmd.Context(), func(c models.Creditor, d ledger.Difference) {
			differences++
			fmt.Printf("creditor %d, %s: %s\n", c.ID, c.Name, d)
		})
		if err != nil {
			return err
		}
		if differences > 0 {
			return fmt.Errorf("%d differences", differences)
		}
		fmt.Println("the books add up")
		return nil
	})
}
