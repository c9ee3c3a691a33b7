package main

import (
	"errors"
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"purr/app/operator"
	"purr/billing/openitems"
	"purr/models"
)

// adoptCommand has purr follow what another system has invoiced (rules L17, L17a).
func adoptCommand() *cobra.Command {
	var template bool
	var o openitems.Options
	c := &cobra.Command{Use: "adopt FILE.csv", Short: "Follow the invoices of another system, from a list of open items", Args: cobra.MaximumNArgs(1)}
	c.Flags().BoolVar(&o.DryRun, "dry-run", false, "say what would be done, and do nothing")
	c.Flags().BoolVar(&template, "template", false, "print an example of a list")
	c.Flags().BoolVar(&o.Sync, "sync", false, "also book what is owed now of known invoices; those that are not in the list are paid")
	c.Flags().BoolVar(&o.Force, "force", false, "also if the list is empty, or more than a fifth of the open items would be closed")
	ofCreditor(withJSON(c), func(cmd *cobra.Command, person *operator.Operator, creditor models.Creditor, args []string) error {
		return adoptList(cmd, person, creditor, args[0], o)
	})
	do := c.RunE
	c.RunE = func(cmd *cobra.Command, args []string) error {
		switch {
		case template:
			fmt.Print(openitems.Template)
			return nil
		case len(args) == 0:
			return badUsage("the list is missing: purr adopt FILE.csv")
		}
		return do(cmd, args)
	}
	return c
}

// adoptList takes a list, and prints what it came to: the invoices one by one on standard output, faults on standard error.
func adoptList(cmd *cobra.Command, person *operator.Operator, creditor models.Creditor, path string, o openitems.Options) error {
	shown, wanted := newProgress(), wantsJSON(cmd)
	r, err := person.Adopt(cmd.Context(), creditor, path, o, openitems.Listener{
		Fault: func(f openitems.Fault) {
			shown.end()
			fmt.Fprintf(os.Stderr, "%s: %s\n", path, f)
		},
		News: func(n openitems.News) {
			if shown.end(); !wanted {
				fmt.Println(newsInWords(n))
			}
		},
		Progress: func(rows int, writing bool) {
			if writing {
				shown.say("%s: %d rows taken", path, rows)
			} else {
				shown.say("%s: %d rows checked", path, rows)
			}
		},
	})
	shown.end()
	if errors.Is(err, openitems.ErrFaults) {
		fmt.Fprintf(os.Stderr, "%s: %s: nothing is done\n", path, counted(r.Faults, "fault"))
		return errSaid
	}
	if err != nil {
		return inFile(path, err)
	}
	return printFacts(cmd, []fact{
		{"rows", r.Rows}, {"adopted", r.Adopted}, {"known", r.Known}, {"changed", r.Changed}, {"closed", r.Closed}, {"differs", r.Differs}, {"dry_run", o.DryRun},
	})
}

// newsInWords tells what a list does to an invoice.
func newsInWords(n openitems.News) string {
	at := fmt.Sprintf("invoice %d", n.Number)
	if n.Line > 0 {
		at = fmt.Sprintf("line %d: %s", n.Line, at)
	}
	switch {
	case n.What == openitems.Paid:
		return fmt.Sprintf("%s: paid: %s was owed, and it is not in the list", at, n.Was)
	case n.What == openitems.Balance:
		return fmt.Sprintf("%s: balance: %s, it was %s", at, n.Now, n.Was)
	case n.Left == 0:
		return fmt.Sprintf("%s: differs: another invoice has the number", at)
	}
	return fmt.Sprintf("%s: differs: %s by the list, %s here: %s came to purr alone, or is to be looked at", at, n.Now, n.Was, n.Left)
}
