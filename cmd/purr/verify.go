package main

import (
	"errors"
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"purr/app/operator"
	"purr/models"
)

func verifyCommand() *cobra.Command {
	var proof operator.Proof
	c := &cobra.Command{
		Use:   "verify",
		Short: "Prove that the books add up and that every kept file is there",
		Long: `verify recomputes every balance, stage, number series and payment file total from the entries. It looks for
every kept file: PDFs, collection bundles and the raw bytes of payment files. Then it reads these raw bytes again. It
proves that each file line is in exactly one place: the ledger, the queue, or the duplicates of an earlier file.

It changes nothing. It prints a line for each difference, and then what it has seen. It exits with 1 if there is a
difference, or nothing to see. A kept file is "lost" if it is not there, and "damaged" if its bytes are others:
purr archive repair puts back what can be made again.

It warns, and exits with 0, if a figure of the law that dunning needs is known for a few weeks only or no longer, if a
creditor lacks what dunning needs, or charges VAT and nobody has said that it is registered for it. It also warns of what is
left wrong of notices whose letters left late, a hand-over or a fee that came too early (rule D94), of notices that charge
something although their invoice failed or had come back (rule D98), and of interest and fees that an earlier release has left
charged: on more than an invoice was of, where money was paid out and then taken back (rule D96), and by notices that would not
have been issued by what is known now (rule D97). It says what to do about each.`,
		Example: "  purr verify\n  purr verify --deep\n  purr verify --no-files --json",
		Args:    cobra.NoArgs,
	}
	c.Flags().BoolVar(&proof.NoFiles, "no-files", false, "leave out the raw bytes of the payment files, as the nightly run does")
	c.Flags().BoolVar(&proof.Deep, "deep", false, "compare every kept file with its SHA-256, not only its presence")
	return installationCommand(withJSON(c), func(cmd *cobra.Command, o *operator.Operator, _ []string) error {
		differences, warnings := []operator.Finding{}, []operator.Finding{}
		shown := newProgress()
		proof.Begin = func(f models.PaymentFile, n, of int64) {
			shown.say("payment file %d of %d: %s", n, of, oneLine(f.Filename))
		}
		seen, err := o.Prove(cmd.Context(), proof, func(f operator.Finding) {
			shown.end()
			differences = append(differences, f)
			if !wantsJSON(cmd) {
				fmt.Println(f)
			}
		})
		shown.end()
		if err != nil {
			return err
		}
		err = o.Warnings(cmd.Context(), func(f operator.Finding) {
			warnings = append(warnings, f)
			fmt.Fprintf(os.Stderr, "warning: %s\n", f)
		})
		if err != nil {
			return err
		}
		return verdict(cmd, differences, warnings, seen)
	})
}

// verdict prints whether the books add up, and what was seen. It fails if they do not, or if nothing was seen.
func verdict(cmd *cobra.Command, differences, warnings []operator.Finding, seen operator.Seen) error {
	right := len(differences) == 0 && !seen.Empty()
	if wantsJSON(cmd) {
		err := printJSON(struct {
			OK          bool               `json:"ok"`
			Differences []operator.Finding `json:"differences"`
			Warnings    []operator.Finding `json:"warnings"`
			Seen        operator.Seen      `json:"seen"`
		}{right, differences, warnings, seen})
		if err != nil {
			return err
		}
	} else {
		if right {
			fmt.Println("the books add up")
		}
		fmt.Printf("seen: creditors %d, invoices %d, entries %d, payment files %d, documents %d, newest change %s\n",
			seen.Creditors, seen.Invoices, seen.Entries, seen.Files, seen.Documents, inText(seen.NewestChange))
	}
	switch {
	case len(differences) > 0:
		return fmt.Errorf("%d differences", len(differences))
	case seen.Empty():
		return errors.New("nothing was seen: the installation holds no creditor")
	}
	return nil
}
