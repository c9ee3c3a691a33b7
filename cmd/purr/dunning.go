package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"purr/app"
	"purr/models"
)

func dunningCommand() *cobra.Command {
	c := group("dunning", "Follow overdue invoices", dunningPlan(), dunningForecast(), dunningRun(), dunningApprove(), dunningRules())
	c.AddCommand(dunningActs()...)
	return c
}

func dunningRun() *cobra.Command {
	var date string
	c := &cobra.Command{
		Use:   "run",
		Short: "Take what is due for a step today a step further",
		Long: `run does what the automatic run of today does: reminders, debt-collection warnings and hand-overs, by
the creditor's policy. What has been done today is not done again. The letters leave through the
server. "purr dunning plan" shows beforehand what it will do.

A run is made on its own day alone. Where a date is given, and it is not today, nothing is done.`,
		Example: "  purr dunning plan\n  purr dunning run",
		Args:    cobra.NoArgs,
	}
	c.Flags().StringVar(&date, "date", "", "the day, as yyyy-mm-dd, which must be today")
	return ofCreditor(c, func(cmd *cobra.Command, a *app.App, creditor models.Creditor, _ []string) error {
		today, err := creditor.Today(a.Clock.Now())
		if err != nil {
			return err
		}
		on, err := dayOr(date, today)
		if err != nil {
			return err
		}
		if on != today {
			return fmt.Errorf("today is %s, and a run is made on its own day alone; purr dunning plan --date %s shows what that day's will do", today, on)
		}
		sayIfOff(creditor)
		result, err := a.RunDunning(cmd.Context(), creditor)
		fmt.Printf("%d notices, %d hand-overs\n", len(result.Documents), result.HandOvers)
		if result.HeldBack {
			fmt.Println("some are held back: the bank's payment files are late")
		}
		return err
	})
}
