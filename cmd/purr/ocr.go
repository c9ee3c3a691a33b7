package main

import (
	"fmt"
	"os"
	"path/filepath"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"purr/app"
	"purr/models"
)

func ocrCommand() *cobra.Command {
	return group("ocr", "Import and inspect the bank's payment files", ocrImport(), ocrInspect(), ocrUnmatched())
}

func ocrImport() *cobra.Command {
	c := &cobra.Command{
		Use:   "import FILE...",
		Short: "Import payment files into the ledger, from where they lie",
		Long: `import takes payment files into the ledger. Each file is taken as a whole or not at all; one that was
imported before changes nothing. The exit code is 1 when any was rejected.`,
		Args: cobra.MinimumNArgs(1),
	}
	return installationCommand(c, func(cmd *cobra.Command, a *app.App, args []string) error {
		w := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', 0)
		fmt.Fprintln(w, "FILE\tRESULT\tTRANSACTIONS\tAMOUNT\tMATCHED\tUNMATCHED\tDUPLICATES\tIGNORED")
		failed := false
		for _, path := range args {
			file, err := a.ImportFile(cmd.Context(), path)
			if err != nil {
				return fmt.Errorf("%s: %w", path, err)
			}
			sum, err := a.FileTotals(cmd.Context(), file)
			if err != nil {
				return err
			}
			fmt.Fprintf(w, "%s\t%s\t%d\t%s\t%d\t%d\t%d\t%d\n", filepath.Base(path), file.State, sum.Transactions, sum.Amount, sum.Matched, sum.Unmatched, sum.Duplicates, sum.Ignored)
			for _, f := range file.Faults {
				fmt.Fprintf(os.Stderr, "%s: line %d: %s\n", path, f.Line, f.Text)
			}
			failed = failed || file.State == models.FileRejected
		}
		if err := w.Flush(); err != nil {
			return err
		}
		if failed {
			return errSaid
		}
		return nil
	})
}
