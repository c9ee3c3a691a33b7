package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"purr/app"
	"purr/models"
)

func dunningApprove() *cobra.Command {
	var date string
	c := &cobra.Command{
		Use:   "approve",
		Short: "Let the dunning run of today go on, which waits because it is unusually large",
		Long: `A run that would make more notices and hand-overs than the creditor's ceiling does nothing and waits: a wrong
clock must not write to everyone. approve lets it go on, within seconds, where a server runs. A run that is not
approved on its day is not made; the next day's counts anew. "purr dunning plan" shows what it would do.

The ceiling is five times the largest of the last ten runs that made any, at least 100, unless it is set:
purr creditor set CREDITOR --dunning-ceiling 5000.`,
		Example: "  purr dunning plan\n  purr dunning approve",
		Args:    cobra.NoArgs,
	}
	c.Flags().StringVar(&date, "date", "", "the date of the run, as yyyy-mm-dd, which must be today")
	return ofCreditor(c, func(cmd *cobra.Command, a *app.App, creditor models.Creditor, _ []string) error {
		today, err := creditor.Today(a.Clock.Now())
		if err != nil {
			return err
		}
		on, err := dayOr(date, today)
		if err != nil {
			return err
		}
		run, err := a.ApproveRun(cmd.Context(), creditor, on, person())
		if err != nil {
			return err
		}
		fmt.Printf("the dunning run of %s goes on\n", run.BusinessDate)
		return nil
	})
}
