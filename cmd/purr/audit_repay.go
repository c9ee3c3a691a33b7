package main

import (
	"fmt"
	"os"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"purr/app/operator"
	"purr/audit/asked"
	"purr/dunning/amends"
	"purr/models"
)

func auditStart() *cobra.Command {
	c := &cobra.Command{Use: "start", Short: "Audit the letters of a creditor and keep what is found, to be repaid", Args: cobra.NoArgs}
	var from, to string
	var customer int64
	c.Flags().Int64Var(&customer, "customer", 0, "only the customer with this ID")
	c.Flags().StringVar(&from, "from", "", "only letters of this day or later, as in 2026-10-01")
	c.Flags().StringVar(&to, "to", "", "only letters of this day or earlier")
	return ofCreditor(withJSON(c), func(cmd *cobra.Command, o *operator.Operator, creditor models.Creditor, _ []string) error {
		days, err := auditDays(from, to)
		if err != nil {
			return err
		}
		shown := newProgress()
		a, err := o.StartAudit(cmd.Context(), creditor, asked.Request{CustomerID: customer, From: days.From, To: days.To}, func(a models.Audit) {
			shown.say("%d of %d letters, %d findings", a.Letters, a.InAll, a.Findings)
		})
		shown.end()
		switch kind := models.KindOf(err); {
		case kind == models.KindNotFound || kind == models.KindInvalid:
			return usageError{err}
		case err != nil:
			return err
		}
		if wantsJSON(cmd) {
			return printJSON(map[string]any{"id": a.ID, "letters": a.Letters, "checks": a.Checks, "findings": a.Findings, "back": a.Back})
		}
		fmt.Printf("audit %d: %d letters, %d checks of %d kinds, %d findings, %s to give back\n", a.ID, a.Letters, a.Checks, len(a.Kinds), a.Findings, a.Back)
		if a.Back > 0 {
			fmt.Fprintf(os.Stderr, "See what would be given back with purr audit repay %d --dry-run\n", a.ID)
		}
		return nil
	})
}

func auditRepay() *cobra.Command {
	c := &cobra.Command{Use: "repay ID", Short: "Put right what a kept audit found: give charges back, and tell the customers", Args: cobra.ExactArgs(1)}
	dryRun := c.Flags().Bool("dry-run", false, "say what would be put right, and change nothing")
	return installationCommand(withJSON(c), func(cmd *cobra.Command, o *operator.Operator, args []string) error {
		id, err := strconv.ParseInt(args[0], 10, 64)
		if err != nil || id <= 0 {
			return badUsage("%q is no number", args[0])
		}
		t, invoices, sum := repaidTable(), 0, models.Amount(0)
		shown := newProgress()
		add := func(a amends.Amend, told models.ShipmentMethod) {
			addRepaid(t, a, told)
			invoices, sum = invoices+1, sum+a.Back()
			shown.say("%s, %s to give back", counted(invoices, "invoice"), sum)
		}
		if *dryRun {
			err = o.PreviewRepayment(cmd.Context(), id, func(a amends.Amend) { add(a, "") })
		} else {
			err = o.Repay(cmd.Context(), id, func(d amends.Done) { add(d.Amend, d.Told) })
		}
		shown.end()
		if models.KindOf(err) == models.KindNotFound {
			return badUsage("there is no audit %d: purr audit start makes one", id)
		}
		if err != nil {
			return err
		}
		if !wantsJSON(cmd) {
			fmt.Fprintf(os.Stderr, "%s, %s to give back\n", counted(invoices, "invoice"), sum)
		}
		return t.print(cmd)
	})
}

// repaidTable shows what was put right, or would be, invoice by invoice.
func repaidTable() *table { return newTable("INVOICE,FEE,INTEREST,FINDINGS,ALSO,LETTER") }

func addRepaid(t *table, a amends.Amend, told models.ShipmentMethod) {
	var codes, also []string
	for _, w := range a.Wrongs {
		codes = append(codes, w.Finding.Code.String())
	}
	if len(a.Warnings) > 0 {
		also = append(also, "warning withdrawn")
	}
	if a.HandOver {
		also = append(also, "taken back from the debt collector")
	}
	t.add(a.Invoice.Number, a.Fee, a.Interest, strings.Join(codes, " "), strings.Join(also, ", "), string(told))
}
