package main

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"purr/app"
	"purr/models"
)

func ocrUnmatched() *cobra.Command {
	return group("unmatched", "See to payments that no invoice was found for",
		unmatchedList(), unmatchedShow(), unmatchedMatch(), unmatchedUnmatch(), unmatchedDismiss())
}

// ofCreditor returns a command that works on what is one creditor's, who must be named where there are several.
func ofCreditor(c *cobra.Command, do func(cmd *cobra.Command, a *app.App, creditor models.Creditor, args []string) error) *cobra.Command {
	var name string
	c.Flags().StringVar(&name, "creditor", "", "name or number of the creditor, where there are several")
	return installationCommand(c, func(cmd *cobra.Command, a *app.App, args []string) error {
		creditor, err := a.OneCreditor(cmd.Context(), name)
		if err != nil {
			return err
		}
		return do(cmd, a, creditor, args)
	})
}

// onPayment returns what runs a command that does something with the payment that is its only argument, and says
// what became of it.
func onPayment(
	do func(cmd *cobra.Command, a *app.App, c models.Creditor, id int64) (models.UnmatchedPayment, error),
) func(*cobra.Command, *app.App, models.Creditor, []string) error {
	return func(cmd *cobra.Command, a *app.App, c models.Creditor, args []string) error {
		id, err := paymentID(args[0])
		if err != nil {
			return err
		}
		u, err := do(cmd, a, c, id)
		if err != nil {
			return err
		}
		fmt.Printf("payment %d of %s is %s\n", u.ID, u.Amount, u.Status)
		return nil
	}
}

func paymentID(text string) (int64, error) {
	id, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		return 0, fmt.Errorf("%q is not a payment's ID; purr ocr unmatched list shows them", text)
	}
	return id, nil
}

func unmatchedList() *cobra.Command {
	var all bool
	c := &cobra.Command{Use: "list", Short: "List the payments that wait for a person", Args: cobra.NoArgs}
	c.Flags().BoolVar(&all, "all", false, "those that were matched or dismissed too")
	return ofCreditor(c, func(cmd *cobra.Command, a *app.App, creditor models.Creditor, _ []string) error {
		w := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', 0)
		fmt.Fprintln(w, "ID\tDATE\tAMOUNT\tKID\tFROM ACCOUNT\tFROM\tWHY\tSTATUS\tTEXT")
		err := a.EachUnmatched(cmd.Context(), creditor, all, func(u models.UnmatchedPayment) {
			fmt.Fprintf(w, "%d\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\n",
				u.ID, u.TransactionDate, u.Amount, u.KID, u.FromAccountNumber, oneLine(u.PayerName), u.Reason, u.Status, oneLine(u.Text))
		})
		if err != nil {
			return err
		}
		return w.Flush()
	})
}

// oneLine returns a text without what would break a table.
func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }

func unmatchedShow() *cobra.Command {
	c := &cobra.Command{Use: "show ID", Short: "Show all that the bank said of a payment, and what it may be meant for", Args: cobra.ExactArgs(1)}
	return ofCreditor(c, func(cmd *cobra.Command, a *app.App, creditor models.Creditor, args []string) error {
		id, err := paymentID(args[0])
		if err != nil {
			return err
		}
		u, meant, err := a.Unmatched(cmd.Context(), creditor, id)
		if err != nil {
			return err
		}
		showPayment(u)
		if len(meant) == 0 {
			return nil
		}
		fmt.Println()
		w := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', 0)
		fmt.Fprintln(w, "RANK\tINVOICE\tOWED\tCUSTOMER\tBECAUSE OF")
		for n, s := range meant {
			for _, i := range s.Invoices {
				fmt.Fprintf(w, "%d\t%d\t%s\t%s\t%s\n", n+1, i.Number, i.Balance, i.Recipient.Name1, words(s.Reasons))
			}
		}
		return w.Flush()
	})
}

func words(hints []models.Hint) string {
	all := make([]string, len(hints))
	for i, h := range hints {
		all[i] = string(h)
	}
	return strings.Join(all, ", ")
}

func showPayment(u models.UnmatchedPayment) {
	w := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', 0)
	for _, row := range []struct {
		name  string
		value any
	}{
		{"payment", u.ID},
		{"status", u.Status},
		{"comment", u.Comment},
		{"amount", u.Amount},
		{"date", u.TransactionDate},
		{"bank date", u.BankDate},
		{"KID", u.KID},
		{"to account", u.Account},
		{"from account", u.FromAccountNumber},
		{"from", oneLine(u.PayerName)},
		{"archive reference", u.ArchiveReference},
		{"text", oneLine(u.Text)},
		{"why", u.Reason},
		{"file", fmt.Sprintf("%d, line %d", u.PaymentFileID, u.Line)},
	} {
		fmt.Fprintf(w, "%s\t%v\n", row.name, row.value)
	}
	_ = w.Flush() // standard output
}

func unmatchedMatch() *cobra.Command {
	var numbers []int64
	c := &cobra.Command{
		Use: "match ID --invoice NUMBER...", Short: "Post a payment on an invoice, or on several that it settles", Args: cobra.ExactArgs(1),
		Long: `match posts a payment on an invoice, whatever is owed on it. Of several invoices each gets what is owed on it, and
together they must owe just what was paid. purr ocr unmatched unmatch takes it back.`,
		Example: "  purr ocr unmatched show 17\n  purr ocr unmatched match 17 --invoice 1042\n  purr ocr unmatched match 18 --invoice 1042,1043",
	}
	c.Flags().Int64SliceVar(&numbers, "invoice", nil, "number of the invoice; of several, with commas between or given several times")
	_ = c.MarkFlagRequired("invoice") // fails only for a flag that does not exist
	return ofCreditor(c, onPayment(func(cmd *cobra.Command, a *app.App, creditor models.Creditor, id int64) (models.UnmatchedPayment, error) {
		return a.MatchPayment(cmd.Context(), creditor, id, numbers)
	}))
}

func unmatchedUnmatch() *cobra.Command {
	c := &cobra.Command{Use: "unmatch ID", Short: "Take back that a payment was matched by hand", Args: cobra.ExactArgs(1)}
	return ofCreditor(c, onPayment(func(cmd *cobra.Command, a *app.App, creditor models.Creditor, id int64) (models.UnmatchedPayment, error) {
		return a.UnmatchPayment(cmd.Context(), creditor, id)
	}))
}

func unmatchedDismiss() *cobra.Command {
	var comment string
	c := &cobra.Command{
		Use: "dismiss ID --comment TEXT", Short: "Close a payment without posting it: sent back, or not yours", Args: cobra.ExactArgs(1),
	}
	c.Flags().StringVar(&comment, "comment", "", "why")
	_ = c.MarkFlagRequired("comment") // fails only for a flag that does not exist
	return ofCreditor(c, onPayment(func(cmd *cobra.Command, a *app.App, creditor models.Creditor, id int64) (models.UnmatchedPayment, error) {
		return a.DismissPayment(cmd.Context(), creditor, id, comment)
	}))
}
