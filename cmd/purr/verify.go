package main

import (
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"purr/ledger"
	"purr/models"
	"purr/operator"
)

// finding is what verify prints: a difference, or a warning.
type finding struct {
	CreditorID    int64  `json:"creditor,omitempty"`
	PaymentFileID int64  `json:"payment_file,omitempty"`
	Line          int    `json:"line,omitempty"` // of the payment file
	Name          string `json:"name"`           // of the creditor or the file
	Text          string `json:"text"`
}

func (f finding) String() string {
	switch {
	case f.CreditorID != 0:
		return fmt.Sprintf("creditor %d, %s: %s", f.CreditorID, f.Name, f.Text)
	case f.Line != 0:
		return fmt.Sprintf("payment file %d, %s, line %d: %s", f.PaymentFileID, f.Name, f.Line, f.Text)
	}
	return fmt.Sprintf("payment file %d, %s: %s", f.PaymentFileID, f.Name, f.Text)
}

func verifyCommand() *cobra.Command {
	var noFiles bool
	c := &cobra.Command{
		Use:   "verify",
		Short: "Prove that the books add up",
		Long: `verify recomputes every balance, stage, number series and payment file total from the entries. Then it reads the
raw bytes of every payment file again. It proves that each file line is in exactly one place: the ledger, the queue,
or the duplicates of an earlier file.

It changes nothing. It prints a line for each difference, and then exits with 1. It warns if a figure of the law that
dunning needs is known for a few weeks only, or no longer; then it exits with 0.`,
		Example: "  purr verify\n  purr verify --no-files --json",
		Args:    cobra.NoArgs,
	}
	c.Flags().BoolVar(&noFiles, "no-files", false, "skip the raw bytes of the payment files, as the nightly run does")
	return installationCommand(withJSON(c), func(cmd *cobra.Command, o *operator.Operator, _ []string) error {
		differences, warnings := []finding{}, []finding{}
		shown := newProgress()
		found := func(f finding) {
			shown.end()
			differences = append(differences, f)
			if !wantsJSON(cmd) {
				fmt.Println(f)
			}
		}
		err := o.Verify(cmd.Context(), func(c models.Creditor, d ledger.Difference) {
			found(finding{CreditorID: c.ID, Name: c.Name, Text: string(d)})
		})
		if err == nil && !noFiles {
			err = o.VerifyFiles(cmd.Context(), func(n, of int64, f models.PaymentFile) {
				shown.say("payment file %d of %d: %s", n, of, oneLine(f.Filename))
			}, func(f models.PaymentFile, line int, text string) {
				found(finding{PaymentFileID: f.ID, Name: oneLine(f.Filename), Line: line, Text: text})
			})
		}
		shown.end()
		if err != nil {
			return err
		}
		err = o.RuleWarnings(cmd.Context(), func(c models.Creditor, text string) {
			f := finding{CreditorID: c.ID, Name: c.Name, Text: text}
			warnings = append(warnings, f)
			fmt.Fprintf(os.Stderr, "warning: %s (purr dunning rules set --help)\n", f)
		})
		if err != nil {
			return err
		}
		return verdict(cmd, differences, warnings)
	})
}

// verdict prints whether the books add up, and fails if they do not.
func verdict(cmd *cobra.Command, differences, warnings []finding) error {
	right := len(differences) == 0
	if wantsJSON(cmd) {
		err := printJSON(struct {
			OK          bool      `json:"ok"`
			Differences []finding `json:"differences"`
			Warnings    []finding `json:"warnings"`
		}{right, differences, warnings})
		if err != nil {
			return err
		}
	} else if right {
		fmt.Println("the books add up")
	}
	if !right {
		return fmt.Errorf("%d differences", len(differences))
	}
	return nil
}
