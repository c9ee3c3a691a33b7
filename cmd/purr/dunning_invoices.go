package main

import (
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"purr/app/operator"
	"purr/models"
)

// invoiceCommand returns a command that acts on one invoice, whose number is the argument.
func invoiceCommand(c *cobra.Command, do func(cmd *cobra.Command, o *operator.Operator, creditor models.Creditor, number int64) error) *cobra.Command {
	c.Args = cobra.MaximumNArgs(1)
	flag := c.Flags().Int64("invoice", 0, "number of the invoice")
	_ = c.Flags().MarkHidden("invoice") // the former flag; fails only for a flag that does not exist
	return ofCreditor(c, func(cmd *cobra.Command, o *operator.Operator, creditor models.Creditor, args []string) error {
		number := *flag
		switch given := cmd.Flags().Changed("invoice"); {
		case given == (len(args) == 1):
			return badUsage("name one invoice, by its number: %s", cmd.UseLine())
		case !given:
			var err error
			if number, err = numberOf(args[0], "the number of an invoice", cmd.UseLine()); err != nil {
				return err
			}
		}
		return do(cmd, o, creditor, number)
	})
}

// invoiceAct returns a command that acts on one invoice. It prints the changed invoice with say.
func invoiceAct(
	c *cobra.Command, act func(cmd *cobra.Command, o *operator.Operator, c models.Creditor, number int64) (models.Invoice, error), say func(models.Invoice) string,
) *cobra.Command {
	return invoiceCommand(c, func(cmd *cobra.Command, o *operator.Operator, creditor models.Creditor, number int64) error {
		i, err := act(cmd, o, creditor, number)
		if err != nil {
			return err
		}
		fmt.Printf("invoice %d is %s\n", i.Number, say(i))
		return nil
	})
}

func dunningHold() *cobra.Command {
	var until, reason, comment string
	c := &cobra.Command{Use: "hold INVOICE [--until DATE] [--reason dispute|other] [--comment TEXT]", Short: "Stop automatic dunning of an invoice"}
	c.Flags().StringVar(&until, "until", "", "the last day of the hold, as in 2026-06-30 (default: until it is released)")
	c.Flags().StringVar(&reason, "reason", "", "dispute, if the customer has an objection, or other")
	c.Flags().StringVar(&comment, "comment", "", "a note for the event log")
	return invoiceAct(c, func(cmd *cobra.Command, o *operator.Operator, creditor models.Creditor, number int64) (models.Invoice, error) {
		last, err := dateFlag("until", until, 0)
		if err != nil {
			return models.Invoice{}, err
		}
		return o.HoldInvoice(cmd.Context(), creditor, number, models.Hold{Until: last, Reason: models.HoldReason(reason), Comment: comment})
	}, func(i models.Invoice) string {
		said := "on hold until it is released"
		if i.Hold.Until != 0 {
			said = "on hold through " + i.Hold.Until.String()
		}
		if i.Hold.Reason == models.HoldDispute {
			said += "\nthe claim is disputed: no fee can be charged"
		}
		return said
	})
}

func dunningRelease() *cobra.Command {
	c := &cobra.Command{Use: "release INVOICE", Short: "Let automatic dunning of an invoice go on"}
	return invoiceAct(c, func(cmd *cobra.Command, o *operator.Operator, creditor models.Creditor, number int64) (models.Invoice, error) {
		return o.ReleaseInvoice(cmd.Context(), creditor, number)
	}, func(models.Invoice) string { return "not on hold" })
}

func dunningClose() *cobra.Command {
	var reason, comment string
	c := &cobra.Command{
		Use: "close INVOICE --reason lost|other [--comment TEXT]", Short: "Close an unpaid invoice: the customer gets no further letter about it",
	}
	c.Flags().StringVar(&reason, "reason", "", "lost or other")
	c.Flags().StringVar(&comment, "comment", "", "a note for the event log")
	_ = c.MarkFlagRequired("reason") // fails only for a flag that does not exist
	return invoiceAct(c, func(cmd *cobra.Command, o *operator.Operator, creditor models.Creditor, number int64) (models.Invoice, error) {
		return o.CloseInvoice(cmd.Context(), creditor, number, models.Closing(reason), comment)
	}, func(i models.Invoice) string { return fmt.Sprintf("closed (%s) with %s owed", i.Closed, i.Balance) })
}

func dunningReopen() *cobra.Command {
	c := &cobra.Command{Use: "reopen INVOICE", Short: "Open an invoice again that was closed or handed over"}
	return invoiceAct(c, func(cmd *cobra.Command, o *operator.Operator, creditor models.Creditor, number int64) (models.Invoice, error) {
		return o.ReopenInvoice(cmd.Context(), creditor, number)
	}, func(i models.Invoice) string { return fmt.Sprintf("open with %s owed", i.Balance) })
}

func dunningHandOver() *cobra.Command {
	var force bool
	c := &cobra.Command{Use: "hand-over INVOICE", Short: "Hand an overdue invoice over to debt collection"}
	c.Flags().BoolVar(&force, "force", false, "hand over although the deadline of the debt-collection warning runs; the bundle says so")
	return invoiceAct(c, func(cmd *cobra.Command, o *operator.Operator, creditor models.Creditor, number int64) (models.Invoice, error) {
		return o.HandInvoiceOver(cmd.Context(), creditor, number, force)
	}, func(i models.Invoice) string {
		said := fmt.Sprintf("handed over to debt collection with %s owed", i.Claimed())
		if i.Warned && i.Deadline >= i.HandedOver {
			said += fmt.Sprintf("\nits debt-collection warning can be paid until %s: "+
				"what is paid by then bears no costs of collection (inkassoloven § 17)", i.Deadline)
		}
		return said
	})
}

func dunningBundle() *cobra.Command {
	var out string
	c := &cobra.Command{Use: "bundle INVOICE -o FILE", Short: "Write the collection bundle of an invoice that is handed over"}
	c.Flags().StringVarP(&out, "out", "o", "", "the file to write")
	_ = c.MarkFlagRequired("out") // fails only for a flag that does not exist
	return invoiceCommand(c, func(cmd *cobra.Command, o *operator.Operator, creditor models.Creditor, number int64) error {
		file, h, err := o.CollectionBundle(cmd.Context(), creditor, number)
		if err != nil {
			return err
		}
		if err := os.WriteFile(out, file.Content, 0o600); err != nil {
			return fmt.Errorf("write the bundle: %w", err)
		}
		fmt.Printf("%s is %s, handed over on %s, %s\n", out, file.Name, h.HandedOver, deliveryOf(h))
		return nil
	})
}

// deliveryOf says whether the collector has received a bundle.
func deliveryOf(h models.HandOver) string {
	switch {
	case h.TakenBack != 0:
		return "taken back on " + h.TakenBack.String()
	case h.State == models.BundleDelivered:
		return "delivered"
	case h.Failure != "":
		return "not delivered yet: " + h.Failure
	}
	return "not delivered yet"
}
