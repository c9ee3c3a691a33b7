package main

import (
	"fmt"
	"io"
	"os"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"purr/dunning"
	"purr/models"
	"purr/operator"
)

// forecastFlags are the flags of purr dunning forecast.
type forecastFlags struct {
	days   int
	policy string
}

func dunningForecast() *cobra.Command {
	var f forecastFlags
	c := &cobra.Command{
		Use:   "forecast",
		Short: "Show the dunning of the coming days, also under another policy",
		Long: `forecast shows what the automatic runs of the coming days will do if nothing more is paid: for each day the
letters, fees and interest, and the totals. It reads the present invoices and changes nothing.

With --policy it also shows the steps under another policy, and the difference. The file is in XML: a
<dunning_policy> in the form of PUT /api/v1/creditor, with the elements that differ:

  <dunning_policy><first_notice_days>7</first_notice_days><hand_over_days>14</hand_over_days></dunning_policy>

Customers who have a policy of their own keep it.`,
		Example: "  purr dunning forecast --days 90\n  purr dunning forecast --days 90 --policy strict.xml",
		Args:    cobra.NoArgs,
	}
	c.Flags().IntVar(&f.days, "days", 30, fmt.Sprintf("how many days ahead, at most %d", dunning.MaxForecastDays))
	c.Flags().StringVar(&f.policy, "policy", "", "file with another policy, shown beside the creditor's own")
	return ofCreditor(withJSON(c), func(cmd *cobra.Command, o *operator.Operator, creditor models.Creditor, _ []string) error {
		if f.days < 1 || f.days > dunning.MaxForecastDays {
			return badUsage("--days must be from 1 to %d", dunning.MaxForecastDays)
		}
		return f.show(cmd, o, creditor)
	})
}

func (f forecastFlags) show(cmd *cobra.Command, o *operator.Operator, creditor models.Creditor) error {
	var others []models.Policy
	var changes [][3]string
	if f.policy != "" {
		other, changed, err := o.OtherPolicy(cmd.Context(), creditor, f.policy)
		if err != nil {
			return err
		}
		others, changes = append(others, other), changed
	}
	snapshot, err := o.Snapshot(cmd.Context(), creditor)
	if err != nil {
		return err
	}
	found, err := snapshot.Forecast(cmd.Context(), f.days, others...)
	if err != nil {
		return err
	}
	warn(snapshot, snapshot.Today()+models.Date(f.days)-1)
	if wantsJSON(cmd) {
		return printForecastJSON(found)
	}
	sayIfOff(creditor)
	for _, c := range changes {
		fmt.Printf("%s: now %s, then %s\n", c[0], orNone(c[1]), orNone(c[2]))
	}
	return printForecast(os.Stdout, found)
}

// printForecastJSON prints the forecast under the creditor's policy and, if one was given, under another.
func printForecastJSON(found []dunning.Forecast) error {
	type forecast struct {
		Total dunning.Totals        `json:"total"`
		Days  []dunning.ForecastDay `json:"days"`
	}
	printed := map[string]forecast{}
	for n, f := range found {
		printed[[]string{"policy", "other_policy"}[n]] = forecast{f.Total(), f.Days}
	}
	return printJSON(printed)
}

// printForecast prints a line for each day with a step under either policy, and the totals.
func printForecast(out io.Writer, found []dunning.Forecast) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	const columns = "REMINDERS\tWARNINGS\tHAND-OVERS\tFEES\tINTEREST\t"
	if len(found) > 1 {
		fmt.Fprintln(w, "\tNOW"+strings.Repeat("\t", 5)+"|\tTHEN\t\t\t\t\t")
	}
	fmt.Fprintln(w, "DATE\t"+strings.Repeat(columns+"|\t", len(found)-1)+columns)
	for i, day := range found[0].Days {
		sums := make([]dunning.Totals, len(found))
		for n, f := range found {
			sums[n] = f.Days[i].Totals
		}
		printSums(w, day.Date.String(), sums)
	}
	totals := make([]dunning.Totals, len(found))
	for n, f := range found {
		totals[n] = f.Total()
	}
	something := printSums(w, "SUM", totals)
	if len(totals) > 1 {
		now, then := totals[0], totals[1]
		fmt.Fprintf(w, "CHANGE\t\t\t\t\t\t|\t%+d\t%+d\t%+d\t%s\t%s\t\n", then.Reminders-now.Reminders, then.Warnings-now.Warnings,
			then.HandOvers-now.HandOvers, then.Fees-now.Fees, then.Interest-now.Interest)
	}
	if err := w.Flush(); err != nil {
		return err
	}
	if !something {
		fmt.Fprintln(out, "nothing falls due")
	}
	_, err := fmt.Fprintln(out, "\nif nothing more is paid, and the bank's files come in time")
	return err
}

// printSums prints a line, unless it is empty.
func printSums(w io.Writer, name string, all []dunning.Totals) bool {
	line, something := name+"\t", false
	for n, s := range all {
		if n > 0 {
			line += "|\t"
		}
		line += fmt.Sprintf("%d\t%d\t%d\t%s\t%s\t", s.Reminders, s.Warnings, s.HandOvers, s.Fees, s.Interest)
		something = something || s != dunning.Totals{}
	}
	if something {
		fmt.Fprintln(w, line)
	}
	return something
}

func orNone(value string) string {
	if value == "" {
		return "none"
	}
	return value
}
