package main

import (
	"bufio"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"

	"github.com/spf13/cobra"

	"purr/app"
	"purr/dunning"
	"purr/models"
)

func dunningPlan() *cobra.Command {
	var date string
	var reasons bool
	c := &cobra.Command{
		Use:   "plan",
		Short: "Show what the dunning run of today or of a later day will do",
		Long: `plan shows what the automatic run of a day does if nothing more is paid: each reminder, debt-collection
warning and hand-over with its amounts, and how many overdue invoices it leaves alone and why. It changes nothing.

The plan of today is what the run then does. That of a later day takes it that the runs until then are made, and
that the bank's files come in time.`,
		Example: "  purr dunning plan\n  purr dunning plan --date 2027-01-04 --reasons",
		Args:    cobra.NoArgs,
	}
	c.Flags().StringVar(&date, "date", "", "the day, as yyyy-mm-dd (default: today)")
	c.Flags().BoolVar(&reasons, "reasons", false, "list the invoices that are left alone too, each with the reason")
	return ofCreditor(c, func(cmd *cobra.Command, a *app.App, creditor models.Creditor, _ []string) error {
		outlook, err := a.Outlook(cmd.Context(), creditor)
		if err != nil {
			return err
		}
		on, err := dayOr(date, outlook.Today())
		if err != nil {
			return err
		}
		sayIfOff(creditor)
		out := bufio.NewWriter(os.Stdout)
		if err := printPlan(cmd, a, outlook, on, reasons, out); err != nil {
			return err
		}
		warn(outlook, on)
		if on == outlook.Today() {
			if err := sayIfAsked(cmd, a, creditor); err != nil {
				return err
			}
		}
		return out.Flush()
	})
}

// dayOr reads the flag --date, and returns the default where it was not given.
func dayOr(flag string, otherwise models.Date) (models.Date, error) {
	if flag == "" {
		return otherwise, nil
	}
	day, err := models.ParseDate(flag)
	if err != nil {
		err = fmt.Errorf("--date: %w", err)
	}
	return day, err
}

// planRow is the form of a line of the plan. It does not look at what the lines hold, so that they are printed one by
// one, however many there are.
const planRow = "%-10v  %-30s  %-17s  %10v  %10v  %14v\n"

// remedy says what a person can do about a reason for leaving invoices alone.
func remedy(r dunning.Reason) string {
	switch r { //nolint:exhaustive // the others pass by themselves, or are a person's choice
	case dunning.PaymentFileLate:
		return ": purr ocr import takes the bank's file in, purr ocr confirm-none says that there is none"
	case dunning.PaymentInQueue:
		return ": purr ocr unmatched list shows the payments"
	}
	return ""
}

func printPlan(cmd *cobra.Command, a *app.App, o *dunning.Snapshot, on models.Date, reasons bool, out io.Writer) error {
	var sums dunning.Totals
	left := make(map[dunning.Reason]int)
	fmt.Fprintf(out, planRow, "INVOICE", "CUSTOMER", "STEP", "FEE", "INTEREST", "OWED")
	err := a.EachPlanned(cmd.Context(), o, on, func(s dunning.Step) error {
		sums.Add(s)
		name := fmt.Sprintf("%.30s", s.Invoice.Recipient.Name1)
		switch s.Action {
		case dunning.Remind, dunning.Warn:
			fmt.Fprintf(out, planRow, s.Invoice.Number, name, s.Action, s.Notice.Fee, s.Notice.Interest, s.Notice.Gross)
		case dunning.HandOver:
			fmt.Fprintf(out, planRow, s.Invoice.Number, name, "hand-over", "", "", s.Invoice.Balance)
		case dunning.Nothing:
			left[s.Reason]++
			if reasons {
				fmt.Fprintf(out, planRow, s.Invoice.Number, name, s.Reason, "", "", s.Invoice.Balance)
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "\n%s: %d reminders, %d debt-collection warnings, fees %s, interest %s; %d hand-overs with %s owed\n",
		on, sums.Reminders, sums.Warnings, sums.Fees, sums.Interest, sums.HandOvers, sums.HandedOver)
	for _, reason := range slices.Sorted(maps.Keys(left)) {
		fmt.Fprintf(out, "left alone: %d, %s%s\n", left[reason], reason, remedy(reason))
	}
	return nil
}

// sayIfOff says where a creditor has not switched dunning on.
func sayIfOff(c models.Creditor) {
	if !c.Policy.Enabled {
		fmt.Fprintf(os.Stderr, "dunning is switched off for %s, but for customers whose own policy switches it on: purr creditor set %d --dunning\n", c.Name, c.ID)
	}
}

// sayIfAsked says where the run of today waits for a person (rule E6f).
func sayIfAsked(cmd *cobra.Command, a *app.App, c models.Creditor) error {
	asked, err := a.Asked(cmd.Context(), c)
	if asked != nil {
		fmt.Fprintf(os.Stderr, "warning: the run %s: it does nothing until purr dunning approve\n", asked)
	}
	return err
}

// warn warns of the figures of the law that are not known for a day (rule E6h).
func warn(o *dunning.Snapshot, on models.Date) {
	for _, w := range o.Warnings(on) {
		fmt.Fprintf(os.Stderr, "warning: %s (purr dunning rules set --help)\n", w.Text)
	}
}
