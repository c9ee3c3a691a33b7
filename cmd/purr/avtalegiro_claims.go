package main

import (
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/spf13/cobra"

	"purr/app/operator"
	"purr/models"
	"purr/ocr/avtalegiro"
)

func avtaleGiroList() *cobra.Command {
	c := &cobra.Command{Use: "list", Short: "List the claims of a creditor, or its files", Args: cobra.NoArgs}
	asFiles := c.Flags().Bool("files", false, "list the files that claims leave in")
	return ofCreditor(withJSON(c), func(cmd *cobra.Command, o *operator.Operator, creditor models.Creditor, _ []string) error {
		if *asFiles {
			return listClaimFiles(cmd, o, creditor)
		}
		t := newTable("INVOICE,DUE,AMOUNT,STATE,LAST DAY,FILE,SENT,REASON")
		err := o.EachClaim(cmd.Context(), creditor, func(claim models.BankClaim, i models.Invoice, file int64) error {
			t.add(i.Number, claim.DueDate, claim.Amount, claim.State, claim.LastDay, numberOrNone(file), stampOrNone(claim.SentAt), claim.Reason)
			return nil
		})
		if err != nil {
			return err
		}
		return t.print(cmd)
	})
}

func listClaimFiles(cmd *cobra.Command, o *operator.Operator, creditor models.Creditor) error {
	t := newTable("NUMBER,DAY,CLAIMS,CANCELLATIONS,AMOUNT,STATE,DELIVERED,ANSWERED,FAILURE")
	err := o.EachClaimFile(cmd.Context(), creditor, func(f models.ClaimFile) error {
		t.add(f.Number, f.Day, f.Claims, f.Cancellations, f.Amount, f.State, stampOrNone(f.DeliveredAt), stampOrNone(f.AnsweredAt), f.Failure)
		return nil
	})
	if err != nil {
		return err
	}
	return t.print(cmd)
}

func numberOrNone(n int64) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprint(n)
}

func stampOrNone(at *time.Time) string {
	if at == nil {
		return ""
	}
	return at.Format(time.RFC3339)
}

func avtaleGiroReceipt() *cobra.Command {
	c := &cobra.Command{Use: "receipt FILE", Short: "Take a receipt of the bank's: all of it, or nothing", Args: files(1, 1)}
	titles := c.Flags().String("columns", avtalegiro.UsualColumns, "titles of the columns in a list of refused claims, as NAME=TITLE,...")
	return installationCommand(c, func(cmd *cobra.Command, o *operator.Operator, args []string) error {
		columns, err := avtalegiro.ParseColumns(*titles)
		if err != nil {
			return fmt.Errorf("--columns: %w", err)
		}
		taken, err := o.TakeReceipt(cmd.Context(), args[0], columns)
		if faults, are := errors.AsType[models.FileFaults](err); are {
			for _, fault := range faults {
				fmt.Fprintf(os.Stderr, "%s: %s\n", args[0], fault)
			}
			fmt.Fprintf(os.Stderr, "%s: %s: nothing is taken\n", args[0], counted(len(faults), "fault"))
			return errSaid
		}
		if err != nil {
			return err
		}
		switch {
		case taken.Known:
			fmt.Println("the receipt was taken before: nothing is changed")
		case taken.Files > 0:
			fmt.Println("the receipt of a transmission is taken")
		default:
			fmt.Printf("%s refused, %s\n", counted(taken.Rejected, "claim"), counted(taken.Warnings, "warning"))
		}
		return nil
	})
}
