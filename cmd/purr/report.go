package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"purr/app/operator"
	"purr/ledger/receivables"
	"purr/models"
)

func reportCommand() *cobra.Command {
	return group("report", "Print the month's figures", reportMonth())
}

func reportMonth() *cobra.Command {
	c := &cobra.Command{Use: "month", Short: "Print what moved receivables in a month, from the opening to the closing", Args: cobra.NoArgs}
	var text string
	c.Flags().StringVar(&text, "month", "", "the month, as in 2026-10; otherwise the last one that is over")
	return ofCreditor(withJSON(c), func(cmd *cobra.Command, o *operator.Operator, creditor models.Creditor, _ []string) error {
		var month models.Month
		if cmd.Flags().Changed("month") {
			var err error
			if month, err = models.ParseMonth(text); err != nil {
				return badUsage("--month: %v", err)
			}
		}
		r, err := o.Month(cmd.Context(), creditor, month)
		if err != nil {
			return err
		}
		return printMonth(cmd, r)
	})
}

// printMonth prints the figures by their names in the interface. Every amount says by how much customers owe more.
func printMonth(cmd *cobra.Command, r receivables.MonthReport) error {
	facts := []fact{{"month", r.Month}, {"opening", r.Opening}}
	taxed := func(name string, t receivables.Taxed) {
		facts = append(facts, fact{name + "_net", t.Net})
		for _, v := range t.VAT {
			facts = append(facts, fact{fmt.Sprintf("%s_vat_%s", name, v.Rate), v.Amount})
		}
	}
	for _, m := range r.Kinds() {
		if m == models.MovementInvoiced {
			taxed(string(m), r.Invoiced)
		}
		if m == models.MovementCredited {
			taxed(string(m), r.Credited)
		}
		facts = append(facts, fact{string(m), r.Of(m).Amount})
	}
	return printFacts(cmd, append(facts, fact{"closing", r.Closing}, fact{"written_off", r.WrittenOff}))
}
