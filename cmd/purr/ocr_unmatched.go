package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"purr/app/operator"
	"purr/models"
)

func ocrUnmatched() *cobra.Command {
	return group("unmatched", "List, match and dismiss payments that no invoice was found for",
		unmatchedList(), unmatchedShow(), unmatchedMatch(), unmatchedUnmatch(), unmatchedDismiss(), unmatchedReopen())
}

// onPayment returns a command's function that acts on the payment in its only argument, and prints the changed
// payment.
func onPayment(
	do func(cmd *cobra.Command, o *operator.Operator, c models.Creditor, id int64) (models.UnmatchedPayment, error),
) func(*cobra.Command, *operator.Operator, models.Creditor, []string) error {
	return func(cmd *cobra.Command, o *operator.Operator, c models.Creditor, args []string) error {
		id, err := paymentID(args[0])
		if err != nil {
			return err
		}
		u, err := do(cmd, o, c, id)
		if err != nil {
			return err
		}
		fmt.Printf("payment %d of %s is %s\n", u.ID, u.Amount, u.Status)
		return nil
	}
}

func paymentID(text string) (int64, error) {
	return numberOf(text, "a payment's ID", "purr ocr unmatched list shows them")
}

func unmatchedList() *cobra.Command {
	var all bool
	c := &cobra.Command{Use: "list", Short: "List the payments that wait for a person", Args: cobra.NoArgs}
	c.Flags().BoolVar(&all, "all", false, "also list those that were matched or dismissed")
	return ofCreditor(withJSON(c), func(cmd *cobra.Command, o *operator.Operator, creditor models.Creditor, _ []string) error {
		t := newTable("ID,DATE,AMOUNT,KID,FROM ACCOUNT,FROM,WHY,STATUS,TEXT")
		err := o.EachUnmatched(cmd.Context(), creditor, all, func(u models.UnmatchedPayment) {
			t.add(u.ID, u.TransactionDate, u.Amount, u.KID, u.FromAccountNumber, u.PayerName, u.Reason, u.Status, u.Text)
		})
		if err != nil {
			return err
		}
		return t.print(cmd)
	})
}

func unmatchedShow() *cobra.Command {
	c := &cobra.Command{Use: "show ID", Short: "Show all data of the bank on a payment, and suggestions for it", Args: cobra.ExactArgs(1)}
	return ofCreditor(withJSON(c), func(cmd *cobra.Command, o *operator.Operator, creditor models.Creditor, args []string) error {
		id, err := paymentID(args[0])
		if err != nil {
			return err
		}
		u, suggestions, err := o.Unmatched(cmd.Context(), creditor, id)
		if err != nil {
			return err
		}
		t := newTable("RANK,INVOICE,OWED,CUSTOMER,BECAUSE OF")
		for n, s := range suggestions {
			for _, i := range s.Invoices {
				t.add(n+1, i.Number, i.Balance, i.Recipient.Name1, words(s.Reasons))
			}
		}
		facts := paymentFacts(u)
		if wantsJSON(cmd) {
			return printFacts(cmd, append(facts, fact{"suggestions", t.objects()}))
		}
		if err := printFacts(cmd, facts); err != nil || len(t.rows) == 0 {
			return err
		}
		fmt.Println()
		return t.print(cmd)
	})
}

func paymentFacts(u models.UnmatchedPayment) []fact {
	return []fact{
		{"payment", u.ID},
		{"status", u.Status},
		{"comment", u.Comment},
		{"amount", u.Amount},
		{"date", u.TransactionDate},
		{"bank date", u.BankDate},
		{"KID", u.KID},
		{"to account", u.Account},
		{"from account", u.FromAccountNumber},
		{"from", u.PayerName},
		{"archive reference", u.ArchiveReference},
		{"text", u.Text},
		{"why", u.Reason},
		{"file", fmt.Sprintf("%d, line %d", u.PaymentFileID, u.Line)},
	}
}

func unmatchedMatch() *cobra.Command {
	var numbers []int64
	c := &cobra.Command{Use: "match ID --invoice NUMBER...", Short: "Post a payment on an invoice, or on several", Args: cobra.ExactArgs(1)}
	c.Flags().Int64SliceVar(&numbers, "invoice", nil, "number of the invoice; for several, use commas or repeat the flag")
	_ = c.MarkFlagRequired("invoice") // fails only for a flag that does not exist
	return ofCreditor(c, onPayment(func(cmd *cobra.Command, o *operator.Operator, creditor models.Creditor, id int64) (models.UnmatchedPayment, error) {
		return o.MatchPayment(cmd.Context(), creditor, id, numbers)
	}))
}

func unmatchedUnmatch() *cobra.Command {
	c := &cobra.Command{Use: "unmatch ID", Short: "Withdraw a manual match of a payment", Args: cobra.ExactArgs(1)}
	return ofCreditor(c, onPayment(func(cmd *cobra.Command, o *operator.Operator, creditor models.Creditor, id int64) (models.UnmatchedPayment, error) {
		return o.UnmatchPayment(cmd.Context(), creditor, id)
	}))
}

func unmatchedDismiss() *cobra.Command {
	var comment string
	c := &cobra.Command{Use: "dismiss ID --comment TEXT", Short: "Close a payment without posting it: sent back, or not yours", Args: cobra.ExactArgs(1)}
	c.Flags().StringVar(&comment, "comment", "", "the reason")
	_ = c.MarkFlagRequired("comment") // fails only for a flag that does not exist
	return ofCreditor(c, onPayment(func(cmd *cobra.Command, o *operator.Operator, creditor models.Creditor, id int64) (models.UnmatchedPayment, error) {
		return o.DismissPayment(cmd.Context(), creditor, id, comment)
	}))
}

func unmatchedReopen() *cobra.Command {
	c := &cobra.Command{Use: "reopen ID", Short: "Withdraw the dismissal of a payment", Args: cobra.ExactArgs(1)}
	return ofCreditor(c, onPayment(func(cmd *cobra.Command, o *operator.Operator, creditor models.Creditor, id int64) (models.UnmatchedPayment, error) {
		return o.ReopenPayment(cmd.Context(), creditor, id)
	}))
}
