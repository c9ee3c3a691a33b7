package main

import (
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"purr/app/operator"
	"purr/audit"
	"purr/models"
	"purr/store"
)

// auditForms are the forms of an audit's report.
var auditForms = []string{"table", "csv", "json", "pdf"}

func auditCommand() *cobra.Command {
	c := &cobra.Command{Use: "audit", Short: "Prove of every letter that it was lawful, and that as much was owed", Args: cobra.NoArgs}
	var creditor, from, to, form, out string
	var what store.AuditFilter
	c.Flags().StringVar(&creditor, "creditor", "", "only this creditor, by number or name")
	c.Flags().Int64Var(&what.CustomerID, "customer", 0, "only the customer with this ID")
	c.Flags().Int64Var(&what.Number, "invoice", 0, "only the invoice with this number")
	c.Flags().StringVar(&from, "from", "", "only letters of this day or later, as in 2026-10-01")
	c.Flags().StringVar(&to, "to", "", "only letters of this day or earlier")
	c.Flags().StringVar(&form, "format", "table", "one of "+strings.Join(auditForms, ", "))
	c.Flags().StringVar(&out, "out", standard, "file to write; - is standard output")
	deep := c.Flags().Bool("deep", false, "read the kept bytes of every letter too: PDF and EHF")
	installationCommand(withJSON(c), func(cmd *cobra.Command, o *operator.Operator, _ []string) error {
		if wantsJSON(cmd) {
			form = "json"
		}
		if !slices.Contains(auditForms, form) {
			return badUsage("--format must be one of %s", strings.Join(auditForms, ", "))
		}
		days, err := auditDays(from, to)
		if err != nil {
			return err
		}
		what.Letters = days
		asked := operator.Audit{Filter: what, Deep: *deep}
		if creditor != "" {
			found, err := o.Creditor(cmd.Context(), creditor)
			if err != nil {
				return usageError{err}
			}
			asked.Creditor = &found
		} else if all, err := o.Creditors(cmd.Context(), ""); err == nil && len(all) == 1 {
			asked.Creditor = &all[0]
		}
		if err := mustBeThere(cmd, o, asked); err != nil {
			return err
		}
		shown := newProgress()
		asked.After = func(v *audit.Verdict, letters int64) error {
			shown.say("%d of %d letters, %d findings", v.Letters, letters, len(v.Findings))
			return nil
		}
		var paper *auditPaper
		if form == "pdf" {
			paper = newAuditPaper(asked)
			asked.Judged = paper.judged
		}
		v, err := o.Audit(cmd.Context(), asked)
		shown.end()
		if err != nil {
			return err
		}
		if paper != nil {
			return paper.print(cmd, o, v, out)
		}
		return printAudit(cmd, v, form, out)
	})
	c.AddCommand(auditExplain(), auditStart(), auditRepay(), auditForeign())
	return c
}

// auditDays reads the days of --from and --to; either may be empty.
func auditDays(from, to string) (d store.Dates, err error) {
	for _, flag := range []struct {
		name, text string
		into       *models.Date
	}{{"--from", from, &d.From}, {"--to", to, &d.To}} {
		if flag.text == "" {
			continue
		}
		if *flag.into, err = models.ParseDate(flag.text); err != nil {
			return store.Dates{}, badUsage("%s: %v", flag.name, err)
		}
	}
	if d.To != 0 && d.From > d.To {
		return store.Dates{}, badUsage("--from must not be after --to")
	}
	return d, nil
}

// mustBeThere refuses a customer or an invoice that no creditor has who is audited.
func mustBeThere(cmd *cobra.Command, o *operator.Operator, what operator.Audit) error {
	if what.Filter.CustomerID == 0 && what.Filter.Number == 0 {
		return nil
	}
	found, err := o.HasAudited(cmd.Context(), what)
	if err != nil || found {
		return err
	}
	return badUsage("there is no such invoice: look for it with --creditor, --customer and --invoice as the console shows them")
}

// printAudit prints the report in its form, and the last line in words. It fails if there are findings of law or rule.
func printAudit(cmd *cobra.Command, v *audit.Verdict, form, output string) error {
	answer := v.Report("en")
	if err := writeOutput(cmd.Context(), output, true, func(to io.Writer) error { return answer.Write(to, form) }); err != nil {
		return err
	}
	sayLastLine(answer.LastLine(), form, output)
	if answer.Unlawful() {
		return errSaid
	}
	return nil
}

func auditExplain() *cobra.Command {
	c := &cobra.Command{
		Use: "explain notice ID | invoice NUMBER | handover ID", Short: "Print the proof of one letter, a line for each question",
		Args: cobra.ExactArgs(2), ValidArgs: []string{"notice", "invoice", "handover"},
	}
	var creditor string
	c.Flags().StringVar(&creditor, "creditor", "", "whose invoice, by number or name, where several creditors have one of the number")
	return installationCommand(c, func(cmd *cobra.Command, o *operator.Operator, args []string) error {
		number, err := strconv.ParseInt(args[1], 10, 64)
		if err != nil || number <= 0 {
			return badUsage("%q is no number", args[1])
		}
		at, what, err := explained(cmd, o, args[0], number, creditor)
		if err != nil {
			return err
		}
		v, err := o.Explain(cmd.Context(), at, what)
		if err != nil {
			return err
		}
		return printAnswers(v)
	})
}

// explained returns what is to be explained, and whose it is.
func explained(cmd *cobra.Command, o *operator.Operator, kind string, number int64, creditor string) (at store.Place, what audit.Options, err error) {
	var found bool
	switch kind {
	case "notice":
		what.Notice = number
		at, found, err = o.DB.PlaceOfNotice(cmd.Context(), number)
	case "handover":
		what.HandOver = number
		at, found, err = o.DB.PlaceOfHandOver(cmd.Context(), number)
	case "invoice":
		var all []store.Place
		if all, err = o.InvoicesNumbered(cmd.Context(), number, creditor); err != nil {
			return at, what, usageError{err}
		}
		if len(all) > 1 {
			return at, what, badUsage("%d creditors have an invoice %d: say whose with --creditor", len(all), number)
		}
		if found = len(all) == 1; found {
			at = all[0]
		}
	default:
		return at, what, badUsage("%q is no letter: say notice, invoice or handover", kind)
	}
	if err == nil && !found {
		err = badUsage("there is no %s %d", kind, number)
	}
	return at, what, err
}

// printAnswers prints each question with what it was answered from, and yes or no. What the rows do not say stands on standard error.
func printAnswers(v *audit.Verdict) error {
	for _, a := range v.Answers {
		parts := []string{a.Question("en")}
		if a.Found != "" {
			parts = append(parts, "is "+a.Found)
		}
		if a.Expected != "" {
			parts = append(parts, "should be "+a.Expected)
		}
		if len(a.Rows) > 0 {
			parts = append(parts, "["+strings.Join(a.Rows, ", ")+"]")
		}
		parts = append(parts, "("+a.Source()+")")
		line := oneLine(strings.Join(parts, " "))
		switch {
		case a.Unknown:
			fmt.Fprintln(os.Stderr, line+": the rows do not say")
		case a.Holds:
			fmt.Println(line + ": yes")
		default:
			fmt.Println(line + ": no")
		}
	}
	if !v.Clean() {
		return errSaid
	}
	return nil
}
