package main

import (
	"errors"
	"fmt"
	"os"
	"strconv"

	"github.com/spf13/cobra"

	"purr/app/operator"
	"purr/models"
	"purr/register/privacy"
)

func customersCommand() *cobra.Command {
	return group("customers", "Forget customers, and give them what is known of them", customersForget(), customersExport())
}

// goesAndStays says in words what goes and what stays. The reasons for what stays are the second text.
var goesAndStays = map[privacy.What][2]string{
	privacy.GoesName:      {"names, addresses, e-mail, phone, organisation number, here and on documents", ""},
	privacy.GoesTexts:     {"the texts of lines, notes, references and comments", ""},
	privacy.GoesFiles:     {"PDFs, EHF documents and collection bundles", ""},
	privacy.GoesShipments: {"e-mails and letters in outboxes, and what was told of them", ""},
	privacy.GoesEvents:    {"the words in events, and the bodies that webhooks were posted", ""},
	privacy.GoesPayments:  {"payers' names, texts and accounts of payments", ""},
	privacy.StaysNumbers:  {"numbers, dates, sums, KIDs and VAT of documents", "the books (bokføringsloven §§ 4, 13)"},
	privacy.StaysEntries:  {"the entries of the ledger", "the books; they name nobody"},
	privacy.StaysCountry:  {"the country", "VAT depends on it"},
	privacy.StaysEventLog: {"that events happened, when, and who of yours did it", "the log of the books"},
	privacy.StaysShared:   {"bank files, exports to the accounts and files of claims that name others too", "the others' documents (bokføringsloven § 13)"},
	privacy.StaysOutside:  {"what has left purr: letters, e-mails, what the collector, the accounts and webhooks have, older backups", "purr does not reach it"},
}

// forgetFlags are what a person says of forgetting.
type forgetFlags struct {
	before, again              string
	dryRun, yes, despite, none bool
}

func customersForget() *cobra.Command {
	var f forgetFlags
	c := &cobra.Command{Use: "forget", Short: "Forget customers whose documents are closed and old", Args: cobra.NoArgs}
	creditor := creditorFlag(c)
	c.Flags().StringVar(&f.before, "before", "", "day, YYYY-MM-DD: forget customers whose newest document or payment is older")
	c.Flags().BoolVar(&f.dryRun, "dry-run", false, "show what would go and what would stay, and change nothing")
	c.Flags().BoolVar(&f.yes, "yes", false, "do it: without it nothing is forgotten")
	c.Flags().BoolVar(&f.despite, "despite-bookkeeping", false, "forget customers whose documents must still be kept (bokføringsloven § 13)")
	c.Flags().StringVar(&f.again, "again", "", "after a restore: forget who is on the list FILE, the forgotten.csv of a newer backup")
	c.Flags().BoolVar(&f.none, "none", false, "after a restore: nobody was forgotten since the backup")
	c.MarkFlagsMutuallyExclusive("before", "again", "none")
	return installationCommand(c, func(cmd *cobra.Command, o *operator.Operator, _ []string) error {
		switch {
		case cmd.Flags().Changed("again") || f.none:
			return forgetAgain(cmd, o, f)
		case f.before == "":
			return badUsage("--before is required: the day before which the newest document of a customer must lie")
		}
		before, err := models.ParseDate(f.before)
		if err != nil {
			return badUsage("--before: must be a day such as 2020-01-01")
		}
		if !f.dryRun && !f.yes {
			return badUsage("say --yes to forget them for good, or --dry-run to see what would go")
		}
		return forget(cmd, o, *creditor, operator.ForgetRequest{Before: before, Despite: f.despite}, f.dryRun)
	})
}

// forgetAgain forgets in a restored installation who was forgotten before (rule O14b).
func forgetAgain(cmd *cobra.Command, o *operator.Operator, f forgetFlags) error {
	if f.none {
		fmt.Println("noted: nobody was forgotten since the backup that was restored")
		return o.SettleForgotten(cmd.Context())
	}
	if _, err := os.Stat(f.again); err != nil {
		return fmt.Errorf("--again: %w", err)
	}
	list, err := privacy.ReadListFile(f.again)
	if err != nil {
		return fmt.Errorf("--again: %w", err)
	}
	n, err := o.ForgetAgain(cmd.Context(), list)
	if err == nil {
		fmt.Printf("%s on the list, %d of them forgotten again\n", counted(len(list), "customer"), n)
	}
	return err
}

// forget forgets, or shows what would go.
func forget(cmd *cobra.Command, o *operator.Operator, creditor string, r operator.ForgetRequest, dryRun bool) error {
	c, err := o.OneCreditor(cmd.Context(), creditor)
	if err != nil {
		return err
	}
	today, err := o.Today(c)
	if err != nil {
		return err
	}
	if free := models.FreeBefore(today); r.Before > free && !r.Despite && !dryRun {
		return models.Conflict("bookkeeping", "documents from %s on must be kept (bokføringsloven § 13): name %[1]s or an earlier day, or say --despite-bookkeeping", free)
	}
	var forgotten, kept int
	err = o.EachForgettable(cmd.Context(), c, r, func(p privacy.Preview) error {
		if p.Refusal == nil && !dryRun {
			p.Refusal = o.ForgetCustomer(cmd.Context(), c, p.Customer.ID, r)
		}
		if p.Refusal != nil && models.KindOf(p.Refusal) != models.KindConflict {
			return p.Refusal
		}
		if p.Refusal != nil {
			kept++
			fmt.Printf("customer %d stays: %s\n", p.Customer.ID, oneLine(p.Refusal.Error()))
			return nil //nolint:nilerr // it is told, and the others go on
		}
		forgotten++
		if dryRun {
			show(p)
		} else {
			fmt.Printf("customer %d is forgotten\n", p.Customer.ID)
		}
		return nil
	})
	if err != nil {
		return err
	}
	if dryRun {
		fmt.Printf("%s would be forgotten, %d would stay; nothing is changed\n", counted(forgotten, "customer"), kept)
		return nil
	}
	fmt.Printf("%s forgotten, %d stay\n", counted(forgotten, "customer"), kept)
	return o.RemoveForgotten(cmd.Context())
}

// show prints what would go and what would stay of a customer.
func show(p privacy.Preview) {
	fmt.Printf("customer %d, newest document or payment %s\n", p.Customer.ID, dayOr(p.Affairs.Newest, "none"))
	for _, i := range p.Items {
		line, words := "  goes:  ", goesAndStays[i.What]
		if i.Stays {
			line = "  stays: "
		}
		line += words[0]
		if i.Count > 0 {
			line += " (" + strconv.FormatInt(i.Count, 10) + ")"
		}
		if i.Until != 0 {
			line += " until " + i.Until.String()
		}
		if words[1] != "" {
			line += ": " + words[1]
		}
		fmt.Println(line)
	}
}

func dayOr(day models.Date, none string) string {
	if day == 0 {
		return none
	}
	return day.String()
}

func customersExport() *cobra.Command {
	var out string
	c := &cobra.Command{Use: "export ID", Short: "Write all that is known of a customer into a zip file", Args: cobra.ExactArgs(1)}
	creditor := c.Flags().String("creditor", "", "name or number of the creditor (default: the customer's)")
	c.Flags().StringVarP(&out, "out", "o", "", "file to write; it must not be there")
	return installationCommand(c, func(cmd *cobra.Command, o *operator.Operator, args []string) error {
		id, err := strconv.ParseInt(args[0], 10, 64)
		if err != nil || id < 1 {
			return badUsage("ID must be the number of a customer, as in /api/v1/customer/7")
		}
		if out == "" {
			return badUsage("--out is required: the file to write")
		}
		of, err := o.CreditorOfCustomer(cmd.Context(), *creditor, id)
		if err != nil {
			return err
		}
		file, err := os.OpenFile(out, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
		if err != nil {
			return err
		}
		err = errors.Join(o.ExportCustomer(cmd.Context(), of, id, file), file.Sync(), file.Close())
		if err != nil {
			return errors.Join(err, os.Remove(out))
		}
		fmt.Printf("all that is known of customer %d is in %s\n", id, out)
		return nil
	})
}
