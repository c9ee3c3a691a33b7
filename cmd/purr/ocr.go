package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"purr/app"
	"purr/clock"
	"purr/models"
	"purr/ocr/giro"
)

func ocrCommand() *cobra.Command {
	return group("ocr", "Import and inspect the bank's payment files", ocrImport(), ocrInspect())
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

func ocrInspect() *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use:   "inspect FILE",
		Short: "Read a payment file and print what it holds",
		Long: `inspect reads an OCR giro file, checks all of it and prints its transactions. It posts nothing and needs
no installation. For a file that is not right every fault is printed on standard error, as
"line N: what is wrong", and the exit code is 1.`,
		Args: cobra.ExactArgs(1),
		RunE: func(_ *cobra.Command, args []string) error { return inspect(args[0], asJSON) },
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print one JSON object")
	return c
}

func inspect(path string, asJSON bool) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	file, err := giro.Parse(f, models.DateOf(clock.System{}.Now()))
	err = errors.Join(err, f.Close())
	var faults models.FileFaults
	if errors.As(err, &faults) {
		for _, fault := range faults {
			fmt.Fprintln(os.Stderr, fault)
		}
		return errSaid
	}
	if err != nil {
		return err
	}
	if asJSON {
		out := json.NewEncoder(os.Stdout)
		out.SetIndent("", "  ")
		return out.Encode(file)
	}
	return printFile(file)
}

func printFile(file *giro.File) error {
	w := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', 0)
	for _, t := range file.Transmissions {
		fmt.Fprintf(w, "transmission %s from %s to %s: %d transactions of %s\n", t.Number, t.Sender, t.Recipient, t.Transactions, t.Amount)
	}
	fmt.Fprintln(w, "LINE\tACCOUNT\tTYPE\tDATE\tBANK DATE\tAMOUNT\tKID\tFROM ACCOUNT\tTEXT")
	for i := range file.Transactions {
		tx := &file.Transactions[i]
		fmt.Fprintf(w, "%d\t%s\t%d\t%s\t%s\t%s\t%s\t%s\t%s\n",
			tx.Line, tx.Assignment.Account, tx.Type, tx.NetsDate, tx.BankDate, tx.Signed(), tx.KID(), tx.DebitAccount(), tx.Text())
	}
	for _, warning := range file.Warnings {
		fmt.Fprintln(os.Stderr, "warning:", warning)
	}
	return w.Flush()
}
