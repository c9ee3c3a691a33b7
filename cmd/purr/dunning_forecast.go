package main

import (
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"purr/app/operator"
	"purr/dunning"
	"purr/models"
)

// forecastFlags are the flags of purr dunning forecast.
type forecastFlags struct {
	days   int
	policy string
	with   []string
}

func dunningForecast() *cobra.Command {
	var f forecastFlags
	c := &cobra.Command{Use: "forecast", Short: "Show the dunning of the coming days, also under another policy", Args: cobra.NoArgs}
	c.Flags().IntVar(&f.days, "days", 30, fmt.Sprintf("how many days ahead, at most %d", dunning.MaxForecastDays))
	c.Flags().StringVar(&f.policy, "policy", "", "file with another policy, shown beside the creditor's own")
	c.Flags().StringSliceVar(&f.with, "with", nil, "ready policies, shown beside the creditor's own: gentle, recommended, firm")
	return ofCreditor(withJSON(c), func(cmd *cobra.Command, o *operator.Operator, creditor models.Creditor, _ []string) error {
		if f.days < 1 || f.days > dunning.MaxForecastDays {
			return badUsage("--days must be from 1 to %d", dunning.MaxForecastDays)
		}
		for _, name := range f.with {
			if !slices.Contains(models.Presets, models.Preset(name)) {
				return badUsage("--with takes gentle, recommended and firm, and no %q", name)
			}
		}
		return f.show(cmd, o, creditor)
	})
}

// others returns the policies that are shown beside the creditor's own, what the one in the file changes, and the names of all.
func (f forecastFlags) others(cmd *cobra.Command, o *operator.Operator, creditor models.Creditor) (all []models.Policy, changes [][3]string, names []string, err error) {
	for _, name := range f.with {
		all = append(all, models.Preset(name).Apply(creditor.Policy))
	}
	names = append([]string{"policy"}, f.with...)
	if f.policy == "" {
		return all, nil, names, nil
	}
	other, changes, err := o.OtherPolicy(cmd.Context(), creditor, f.policy)
	if err != nil {
		return nil, nil, nil, err
	}
	return append(all, other), changes, append(names, "other_policy"), nil
}

func (f forecastFlags) show(cmd *cobra.Command, o *operator.Operator, creditor models.Creditor) error {
	others, changes, names, err := f.others(cmd, o, creditor)
	if err != nil {
		return err
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
		return printForecastJSON(found, names)
	}
	sayIfOff(creditor)
	for _, c := range changes {
		fmt.Printf("%s: now %s, then %s\n", c[0], orNone(c[1]), orNone(c[2]))
	}
	return printForecast(os.Stdout, found, names)
}

// printForecastJSON prints the forecasts under the creditor's policy and the others, by their names.
func printForecastJSON(found []dunning.Forecast, names []string) error {
	type forecast struct {
		Total dunning.Totals        `json:"total"`
		Days  []dunning.ForecastDay `json:"days"`
	}
	printed := map[string]forecast{}
	for n, f := range found {
		printed[names[n]] = forecast{f.Total(), f.Days}
	}
	return printJSON(printed)
}

// printForecast prints a line for each day with a step under any of the policies, and the totals.
func printForecast(out io.Writer, found []dunning.Forecast, names []string) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	printHeadings(w, names)
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
		printChanges(w, totals[0], totals[1:])
	}
	if err := w.Flush(); err != nil {
		return err
	}
	if t := totals[0]; t.Emails+t.Friendly > 0 {
		fmt.Fprintf(out, "\nby e-mail: %d of the reminders, and %d friendly reminders\n", t.Emails, t.Friendly)
	}
	if t := totals[0]; t.Closed > 0 {
		fmt.Fprintf(out, "\nclosed for a small remainder: %d with %s\n", t.Closed, t.WrittenOff)
	}
	if !something {
		fmt.Fprintln(out, "nothing falls due")
	}
	_, err := fmt.Fprintln(out, "\nif nothing more is paid, and the bank's files come in time")
	return err
}

// printHeadings prints the names of the policies, if there are several, and of the columns.
func printHeadings(w io.Writer, names []string) {
	const columns = "REMINDERS\tWARNINGS\tHAND-OVERS\tFEES\tINTEREST\t"
	if len(names) > 1 {
		heading := "\tNOW" + strings.Repeat("\t", 5)
		for _, name := range names[1:] {
			if name == "other_policy" {
				name = "then"
			}
			heading += "|\t" + strings.ToUpper(name) + strings.Repeat("\t", 5)
		}
		fmt.Fprintln(w, heading)
	}
	fmt.Fprintln(w, "DATE\t"+strings.Repeat(columns+"|\t", len(names)-1)+columns)
}

// printChanges prints by how much the totals under the other policies differ from those of now.
func printChanges(w io.Writer, now dunning.Totals, others []dunning.Totals) {
	line := "CHANGE" + strings.Repeat("\t", 6)
	for _, then := range others {
		line += fmt.Sprintf("|\t%+d\t%+d\t%+d\t%s\t%s\t", then.Reminders-now.Reminders, then.Warnings-now.Warnings,
			then.HandOvers-now.HandOvers, then.Fees-now.Fees, then.Interest-now.Interest)
	}
	fmt.Fprintln(w, line)
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
