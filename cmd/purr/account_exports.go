package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"purr/app/operator"
	"purr/ledger/accounts"
	"purr/models"
)

func accountsCommand() *cobra.Command {
	return group("accounts", "Hand the ledger over to the accounts", accountsExport(), accountsExported(), accountsPlan())
}

func accountsExport() *cobra.Command {
	c := &cobra.Command{
		Use:   "export --from DATE --to DATE -o FILE",
		Short: "Write the journal of a period; it is made once, and the same period is always the same file",
		Args:  cobra.NoArgs,
	}
	var from, to, format, out string
	var lastMonth bool
	c.Flags().StringVar(&from, "from", "", "the first day, yyyy-mm-dd")
	c.Flags().StringVar(&to, "to", "", "the last day, yyyy-mm-dd; it must be over")
	c.Flags().BoolVar(&lastMonth, "last-month", false, "take the last month that is over")
	c.Flags().StringVar(&format, "format", string(models.FormCSV), "one of "+accounts.FormNames())
	c.Flags().StringVarP(&out, "out", "o", "", "the file to write")
	_ = c.MarkFlagRequired("out") // fails only for a flag that does not exist
	c.MarkFlagsMutuallyExclusive("last-month", "from")
	c.MarkFlagsMutuallyExclusive("last-month", "to")
	return ofCreditor(c, func(cmd *cobra.Command, o *operator.Operator, creditor models.Creditor, _ []string) error {
		r := accounts.Request{Form: models.AccountForm(format)}
		var err error
		if lastMonth {
			if r.From, r.To, err = o.LastMonth(creditor); err != nil {
				return err
			}
		} else {
			if r.From, err = models.ParseDate(from); err != nil {
				return badUsage("--from: give a date of the form yyyy-mm-dd, or --last-month")
			}
			if r.To, err = models.ParseDate(to); err != nil {
				return badUsage("--to: give a date of the form yyyy-mm-dd, or --last-month")
			}
		}
		made, err := o.ExportAccounts(cmd.Context(), creditor, r, out)
		if err != nil {
			return err
		}
		e := made.Export
		fmt.Printf("%s has the journal of %s to %s: %d vouchers, %s debit and credit; customers owed %s before it and %s after it\n",
			out, e.From, e.To, e.Vouchers, e.Debit, e.Opening, e.Closing)
		return nil
	})
}

func accountsExported() *cobra.Command {
	c := &cobra.Command{Use: "list", Short: "List the periods that were handed over to the accounts", Args: cobra.NoArgs}
	return ofCreditor(withJSON(c), func(cmd *cobra.Command, o *operator.Operator, creditor models.Creditor, _ []string) error {
		all, files, err := o.AccountExports(cmd.Context(), creditor)
		if err != nil {
			return err
		}
		t := newTable("NUMBER,FROM,TO,VOUCHERS,DEBIT,OPENING,CLOSING,FORMATS,MADE BY,MADE AT")
		for _, e := range all {
			var forms []string
			for _, f := range files[e.ID] {
				forms = append(forms, string(f.Form))
			}
			t.add(e.Number, e.From, e.To, e.Vouchers, e.Debit, e.Opening, e.Closing, strings.Join(forms, " "), e.MadeBy, e.CreatedAt)
		}
		return t.print(cmd)
	})
}

func accountsPlan() *cobra.Command {
	c := &cobra.Command{
		Use:   "plan",
		Short: "Print the account plan as XML that PUT /api/v1/creditor takes; the default unless the creditor has its own",
		Args:  cobra.NoArgs,
	}
	return ofCreditor(c, func(_ *cobra.Command, _ *operator.Operator, creditor models.Creditor, _ []string) error {
		text, err := accounts.PlanText(creditor.AccountPlan.OrDefault())
		if err != nil {
			return err
		}
		fmt.Print(text)
		return nil
	})
}
