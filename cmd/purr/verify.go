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
	c := &cobra.Command{Use: "verify", Short: "Prove that the books add up and that every kept file is there", Args: cobra.NoArgs}
	c.Flags().BoolVar(&proof.NoFiles, "no-files", false, "leave out the raw bytes of the payment files, as the nightly run does")
	c.Flags().BoolVar(&proof.Deep, "deep", false, "compare every kept file with its SHA-256, not only its presence")
	return installationCommand(withJSON(c), func(cmd *cobra.Command, o *operator.Operator, _ []string) error {
		differences, warnings := []operator.Finding{}, []operator.Finding{}
		shown := newProgress()
		proof.Begin = func(f models.PaymentFile, n, of int64) {
			shown.say("payment file %d of %d: %s", n, of, oneLine(f.Filename))
		}
		found := into(cmd, &differences)
		seen, err := o.Prove(cmd.Context(), proof, func(f operator.Finding) {
			shown.end()
			found(f)
		})
		shown.end()
		if err != nil {
			return err
		}
		if err := o.Warnings(cmd.Context(), warned(&warnings)); err != nil {
			return err
		}
		return verdict(cmd, differences, warnings, seen)
	})
}

// warned returns what keeps each warning in a list, and prints it on standard error.
func warned(list *[]operator.Finding) func(operator.Finding) {
	return func(f operator.Finding) {
		*list = append(*list, f)
		fmt.Fprintf(os.Stderr, "warning: %s\n", f)
	}
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
