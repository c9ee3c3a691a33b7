package main

import (
	"encoding/csv"
	"fmt"
	"os"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"purr/app"
	"purr/models"
)

func ocrStatement() *cobra.Command {
	var from, to, account string
	var asCSV bool
	c := &cobra.Command{
		Use:   "statement",
		Short: "List the lines that the bank's statement shows for the payments in the files",
		Long: `statement adds the payments of all payment files up as the bank's statement does: a line for each lump sum of OCR
giro, whose reference is centre, day code, partial settlement and serial number, and for each entry of camt.054. The
amount is what the statement shows; beside it stands what became of the payments when they came.

What came in a file before is not counted again. What came in a file of the other format before is among the
duplicates of its line. FILE is the payment file that brought the line first.`,
		Example: "  purr ocr statement --from 2026-03-01 --to 2026-03-31\n  purr ocr statement --creditor 'Fjord Rør AS' --csv >march.csv",
		Args:    cobra.NoArgs,
	}
	c.Flags().StringVar(&from, "from", "", "first settlement or booking date")
	c.Flags().StringVar(&to, "to", "", "last settlement or booking date")
	c.Flags().StringVar(&account, "account", "", "one of the creditor's bank accounts")
	c.Flags().BoolVar(&asCSV, "csv", false, "print comma-separated values")
	return ofCreditor(c, func(cmd *cobra.Command, a *app.App, creditor models.Creditor, _ []string) error {
		days := app.Days{}
		var err error
		if days.From, err = dateFlag("from", from); err != nil {
			return err
		}
		if days.To, err = dateFlag("to", to); err != nil {
			return err
		}
		each := func(do func(models.StatementLine) error) error {
			return a.EachStatementLine(cmd.Context(), creditor, days, account, do)
		}
		if asCSV {
			return statementCSV(each)
		}
		return statementTable(each)
	})
}

// dateFlag reads the date of a flag, zero where it was not given.
func dateFlag(name, text string) (models.Date, error) {
	if text == "" {
		return 0, nil
	}
	d, err := models.ParseDate(text)
	if err != nil {
		return 0, fmt.Errorf("--%s: %w", name, err)
	}
	return d, nil
}

func statementTable(each func(do func(models.StatementLine) error) error) error {
	w := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "DATE\tACCOUNT\tFORMAT\tREFERENCE\tFILE\tTRANSACTIONS\tAMOUNT\tMATCHED\tUNMATCHED\tDUPLICATES")
	err := each(func(l models.StatementLine) error {
		reference := oneLine(l.Reference)
		if s, is := l.Settlement(); is {
			reference = strings.Join([]string{s.Centre, s.DayCode, s.Partial, s.Serial}, " ")
		}
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%d\t%d\t%s\t%d\t%d\t%d\n",
			l.TransactionDate, l.Account, l.Format, reference, l.PaymentFileID, l.Transactions, l.Amount, l.Matched, l.Unmatched, l.Duplicates)
		return nil
	})
	if err != nil {
		return err
	}
	return w.Flush()
}

func statementCSV(each func(do func(models.StatementLine) error) error) error {
	w := csv.NewWriter(os.Stdout)
	if err := w.Write(models.StatementColumns); err != nil {
		return err
	}
	if err := each(func(l models.StatementLine) error { return w.Write(l.Row()) }); err != nil {
		return err
	}
	w.Flush()
	return w.Error()
}
