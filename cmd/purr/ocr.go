package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"purr/app/operator"
	"purr/models"
)

func ocrCommand() *cobra.Command {
	c := group("ocr", "Import and inspect the bank's payment files")
	section(c, "How files come", ocrImport(), ocrFetch(), ocrPolls(), ocrConfirmNone(), ocrGaps())
	section(c, "What came", ocrUnmatched(), ocrStatement(), ocrUnassigned(), ocrGet())
	section(c, "Files outside of an installation", ocrInspect(), ocrLint(), ocrDiff(), ocrAnonymise(), ocrGenerate())
	return c
}

func ocrImport() *cobra.Command {
	var acceptConflict bool
	c := &cobra.Command{Use: "import FILE...", Short: "Import payment files into the ledger", Args: cobra.MinimumNArgs(1)}
	c.Flags().BoolVar(&acceptConflict, "accept-conflict", false, "import transmissions that came before with other content")
	return installationCommand(withJSON(c), func(cmd *cobra.Command, o *operator.Operator, args []string) error {
		files := newFileTable()
		var failed error
		for _, path := range args {
			if err := importFile(cmd, o, files, path, acceptConflict); err != nil {
				failed = errors.Join(failed, inFile(path, err))
			}
			if cmd.Context().Err() != nil {
				break
			}
		}
		if err := files.end(cmd); failed == nil {
			return err
		}
		return failed
	})
}

// importFile imports a file, and adds it to the table.
func importFile(cmd *cobra.Command, o *operator.Operator, files *fileTable, path string, acceptConflict bool) error {
	shown := newProgress()
	file, err := o.ImportFile(cmd.Context(), path, acceptConflict, func(done, of int) {
		shown.say("%s: %d of %d payments", filepath.Base(path), done, of)
	})
	shown.end()
	if err != nil {
		return err
	}
	return files.add(cmd.Context(), o, path, file)
}

// fileTable prints the results of payment files: a table on standard output, and their faults on standard error.
type fileTable struct {
	*table
	rejected bool
}

func newFileTable() *fileTable {
	return &fileTable{table: newTable("FILE,RESULT,TRANSACTIONS,AMOUNT,MATCHED,UNMATCHED,DUPLICATES,IGNORED,ID")}
}

// add adds a row for the file at a path, and prints the faults of the file.
func (t *fileTable) add(ctx context.Context, o *operator.Operator, path string, file models.PaymentFile) error {
	total, err := o.FileTotals(ctx, file)
	if err != nil {
		return err
	}
	t.table.add(filepath.Base(path), file.State, total.Transactions, total.Amount, total.Matched, total.Unmatched, total.Duplicates, total.Ignored, file.ID)
	for _, f := range file.Warnings {
		fmt.Fprintf(os.Stderr, "%s: warning: %s\n", path, f)
	}
	for _, f := range file.Faults {
		fmt.Fprintf(os.Stderr, "%s: line %d: %s\n", path, f.Line, f.Text)
	}
	t.rejected = t.rejected || file.State == models.FileRejected
	return nil
}

// end prints the table if it has rows. It fails if a file was rejected.
func (t *fileTable) end(cmd *cobra.Command) error {
	if len(t.rows) > 0 || wantsJSON(cmd) {
		if err := t.print(cmd); err != nil {
			return err
		}
	}
	if t.rejected {
		return errSaid
	}
	return nil
}

func ocrGet() *cobra.Command {
	var output string
	var force bool
	c := &cobra.Command{Use: "get ID", Short: "Write out a payment file as it came from the bank", Args: cobra.ExactArgs(1)}
	outputFlags(c, &output, &force)
	return installationCommand(c, func(cmd *cobra.Command, o *operator.Operator, args []string) error {
		id, err := numberOf(args[0], "a payment file's ID", "which is a number")
		if err != nil {
			return err
		}
		raw, err := o.RawFile(cmd.Context(), id)
		if err != nil {
			return err
		}
		err = writeOutput(cmd.Context(), output, force, func(w io.Writer) error {
			_, err := io.Copy(w, raw)
			return err
		})
		return errors.Join(err, raw.Close())
	})
}

func ocrGaps() *cobra.Command {
	var dismissed []string
	c := &cobra.Command{Use: "gaps", Short: "List the bank's transmissions that are missing", Args: noCommand}
	c.Flags().StringSliceVar(&dismissed, "dismiss", nil, "IDs of transmissions that will not come")
	_ = c.Flags().MarkHidden("dismiss") // the former flag; fails only for a flag that does not exist
	c.AddCommand(gapsDismiss())
	return installationCommand(withJSON(c), func(cmd *cobra.Command, o *operator.Operator, _ []string) error {
		if err := dismissGaps(cmd, o, dismissed); err != nil {
			return err
		}
		missing, err := o.DB.MissingTransmissions(cmd.Context())
		if err != nil {
			return err
		}
		t := newTable("ID,TRANSMISSION,FROM,TO,MISSED BY FILE")
		for _, m := range missing {
			t.add(m.ID, fmt.Sprintf("%07d", m.Serial), m.Sender, m.Recipient, m.PaymentFileID)
		}
		return t.print(cmd)
	})
}

func gapsDismiss() *cobra.Command {
	c := &cobra.Command{Use: "dismiss ID...", Short: "Record that missing transmissions will not come", Args: cobra.MinimumNArgs(1)}
	return installationCommand(c, dismissGaps)
}

func dismissGaps(cmd *cobra.Command, o *operator.Operator, ids []string) error {
	for _, text := range ids {
		id, err := numberOf(text, "a gap's ID", "purr ocr gaps shows them")
		if err != nil {
			return err
		}
		if err := o.DismissTransmission(cmd.Context(), id); err != nil {
			return fmt.Errorf("dismiss %d: %w", id, err)
		}
	}
	return nil
}

func ocrUnassigned() *cobra.Command {
	c := &cobra.Command{Use: "unassigned", Short: "List the payments to accounts that no creditor has", Args: cobra.NoArgs}
	return installationCommand(withJSON(c), func(cmd *cobra.Command, o *operator.Operator, _ []string) error {
		kept, err := o.DB.Unassigned(cmd.Context())
		if err != nil {
			return err
		}
		t := newTable("ACCOUNT,PAYMENTS,AMOUNT,FIRST,LAST,FILE,FILENAME")
		for _, u := range kept {
			t.add(u.Account, u.Payments, u.Amount, u.First, u.Last, u.File.ID, u.File.Filename)
		}
		return t.print(cmd)
	})
}

func ocrStatement() *cobra.Command {
	var from, to, account string
	var asCSV bool
	c := &cobra.Command{Use: "statement", Short: "List the lines that the bank's statement shows for the payments in the files", Args: cobra.NoArgs}
	c.Flags().StringVar(&from, "from", "", "first settlement or booking date")
	c.Flags().StringVar(&to, "to", "", "last settlement or booking date")
	c.Flags().StringVar(&account, "account", "", "one of the creditor's bank accounts")
	c.Flags().BoolVar(&asCSV, "csv", false, "print comma-separated values")
	return ofCreditor(withJSON(c), func(cmd *cobra.Command, o *operator.Operator, creditor models.Creditor, _ []string) error {
		first, err := dateFlag("from", from, 0)
		if err != nil {
			return err
		}
		last, err := dateFlag("to", to, 0)
		if err != nil {
			return err
		}
		each := func(do func(models.StatementLine) error) error {
			return o.EachStatementLine(cmd.Context(), creditor, first, last, account, do)
		}
		if asCSV {
			return models.WriteStatementCSV(os.Stdout, each)
		}
		return printStatement(cmd, each)
	})
}

func printStatement(cmd *cobra.Command, each func(do func(models.StatementLine) error) error) error {
	t := newTable("DATE,ACCOUNT,FORMAT,REFERENCE,FILE,TRANSACTIONS,AMOUNT,MATCHED,UNMATCHED,DUPLICATES")
	err := each(func(l models.StatementLine) error {
		reference := l.Reference
		if s, is := l.Settlement(); is {
			reference = strings.Join([]string{s.Centre, s.DayCode, s.Partial, s.Serial}, " ")
		}
		t.add(l.TransactionDate, l.Account, l.Format, reference, l.PaymentFileID, l.Transactions, l.Amount, l.Matched, l.Unmatched, l.Duplicates)
		return nil
	})
	if err != nil {
		return err
	}
	return t.print(cmd)
}
