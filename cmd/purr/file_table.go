package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"text/tabwriter"

	"purr/app"
	"purr/models"
)

// fileTable prints what became of payment files: a table of all on standard output, and what is wrong with them on
// standard error.
type fileTable struct {
	w        *tabwriter.Writer
	rows     int
	rejected bool
}

func newFileTable() *fileTable { return &fileTable{w: tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', 0)} }

// add adds a row for the file that was at a path, and says what is wrong with it.
func (t *fileTable) add(ctx context.Context, a *app.App, path string, file models.PaymentFile) error {
	sum, err := a.FileTotals(ctx, file)
	if err != nil {
		return err
	}
	if t.rows++; t.rows == 1 {
		fmt.Fprintln(t.w, "FILE\tRESULT\tTRANSACTIONS\tAMOUNT\tMATCHED\tUNMATCHED\tDUPLICATES\tIGNORED\tID")
	}
	fmt.Fprintf(t.w, "%s\t%s\t%d\t%s\t%d\t%d\t%d\t%d\t%d\n", filepath.Base(path), file.State,
		sum.Transactions, sum.Amount, sum.Matched, sum.Unmatched, sum.Duplicates, sum.Ignored, file.ID)
	for _, f := range file.Warnings {
		fmt.Fprintf(os.Stderr, "%s: warning: %s\n", path, f)
	}
	for _, f := range file.Faults {
		fmt.Fprintf(os.Stderr, "%s: line %d: %s\n", path, f.Line, f.Text)
	}
	t.rejected = t.rejected || file.State == models.FileRejected
	return nil
}

// end prints the table, and fails where a file was rejected.
func (t *fileTable) end() error {
	if err := t.w.Flush(); err != nil {
		return err
	}
	if t.rejected {
		return errSaid
	}
	return nil
}
