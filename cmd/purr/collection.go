package main

import (
	"errors"
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"purr/app/operator"
	"purr/models"
)

func collectionCommand() *cobra.Command {
	return group("collection", "Take what the debt collector tells of claims that were handed over", collectionReport())
}

func collectionReport() *cobra.Command {
	c := &cobra.Command{Use: "report FILE.xml|csv", Short: "Take a file of the debt collector's reports: all of it, or nothing", Args: cobra.ExactArgs(1)}
	dryRun := c.Flags().Bool("dry-run", false, "say what would be done, and do nothing")
	return ofCreditor(withJSON(c), func(cmd *cobra.Command, o *operator.Operator, creditor models.Creditor, args []string) error {
		list, taken, err := o.ReportCollection(cmd.Context(), creditor, args[0], *dryRun)
		if faults, are := errors.AsType[models.Errors](err); are {
			for i, fault := range faults {
				if i == models.MaxFaults {
					fmt.Fprintf(os.Stderr, "%s: and %d more\n", args[0], len(faults)-i)
					break
				}
				fmt.Fprintf(os.Stderr, "%s: %s\n", args[0], list.Where(fault))
			}
			fmt.Fprintf(os.Stderr, "%s: %s: nothing is taken\n", args[0], counted(len(faults), "fault"))
			return errSaid
		}
		if err != nil {
			return inFile(args[0], err)
		}
		t := newTable("LINE,INVOICE,BUNDLE,STATE,AT,AMOUNT,REFERENCE,KNOWN")
		objects := make([]map[string]any, len(taken))
		for i, r := range taken {
			amount := ""
			if r.Amount != 0 {
				amount = r.Amount.String()
			}
			objects[i] = map[string]any{
				"line": list.Lines[i], "invoice": r.Number, "bundle": r.Bundle, "state": r.State, "at": r.At, "amount": amount, "reference": r.Reference, "known": r.Known,
			}
			t.add(list.Lines[i], r.Number, r.Bundle, r.State, r.At, amount, r.Reference, r.Known)
		}
		if wantsJSON(cmd) {
			return printJSON(objects)
		}
		return t.print(cmd)
	})
}
