package main

import (
	"context"
	"fmt"
	"os"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"purr/app"
	"purr/ledger"
	"purr/models"
)

func verifyCommand() *cobra.Command {
	var noFiles bool
	c := &cobra.Command{
		Use:   "verify",
		Short: "Prove that the books add up",
		Long: `verify recomputes every balance, stage, number series and payment file total from the entries. Then it reads the
raw bytes of every payment file again, and proves that each line of them is in exactly one place: in the ledger,
in the queue, or in what another file brought before.

It changes nothing. It prints a line for each difference, and exits with 1 when there is one. It warns, and exits
with 0, where a figure of the law that dunning reckons with is known for a few weeks more, or no longer.`,
		Example: "  purr verify\n  purr verify --no-files",
		Args:    cobra.NoArgs,
	}
	c.Flags().BoolVar(&noFiles, "no-files", false, "leave the raw bytes of the payment files unread, as each night does")
	return installationCommand(c, func(cmd *cobra.Command, a *app.App, _ []string) error {
		differences := 0
		err := a.Verify(cmd.Context(), func(c models.Creditor, d ledger.Difference) {
			differences++
			fmt.Printf("creditor %d, %s: %s\n", c.ID, c.Name, d)
		})
		if err != nil {
			return err
		}
		if !noFiles {
			n, err := verifyFiles(cmd.Context(), a)
			if err != nil {
				return err
			}
			differences += n
		}
		if err := a.RuleWarnings(cmd.Context(), func(c models.Creditor, text string) {
			fmt.Fprintf(os.Stderr, "warning: creditor %d, %s: %s (purr dunning rules set --help)\n", c.ID, c.Name, text)
		}); err != nil {
			return err
		}
		if differences > 0 {
			return fmt.Errorf("%d differences", differences)
		}
		fmt.Println("the books add up")
		return nil
	})
}

// verifyFiles prints a line for each difference between a payment file and the books, and returns how many there are.
// On a terminal it shows how far it has come.
func verifyFiles(ctx context.Context, a *app.App) (differences int, err error) {
	shown := term.IsTerminal(int(os.Stderr.Fd()))
	wipe := func() {
		if shown {
			fmt.Fprint(os.Stderr, "\r\033[K")
		}
	}
	err = a.VerifyFiles(ctx, app.FileProof{
		Begin: func(n, of int64, f models.PaymentFile) {
			wipe()
			if shown {
				fmt.Fprintf(os.Stderr, "payment file %d of %d: %s", n, of, oneLine(f.Filename))
			}
		},
		Found: func(f models.PaymentFile, line int, text string) {
			differences++
			wipe()
			at := ""
			if line > 0 {
				at = fmt.Sprintf(", line %d", line)
			}
			fmt.Printf("payment file %d, %s%s: %s\n", f.ID, oneLine(f.Filename), at, text)
		},
	})
	wipe()
	return differences, err
}
