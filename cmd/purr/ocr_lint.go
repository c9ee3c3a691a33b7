package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"os"

	"github.com/spf13/cobra"

	"purr/models"
	"purr/ocr/bankfile"
)

func ocrLint() *cobra.Command {
	var strict bool
	c := &cobra.Command{
		Annotations: map[string]string{findings: "yes"},
		Use:         "lint FILE...",
		Short:       "Check payment files for faults and oddities",
		Args:        files(1, math.MaxInt),
		RunE: func(cmd *cobra.Command, args []string) error {
			return lintFiles(cmd, args, strict, lintFile)
		},
	}
	c.Flags().BoolVar(&strict, "strict", false, "count warnings as faults")
	return withJSON(c)
}

// linted is a file in the form that lint prints in JSON.
type linted struct {
	File         string               `json:"file"`
	Format       *string              `json:"format"`
	Transactions int                  `json:"transactions"`
	Amount       models.Amount        `json:"amount"`
	OK           bool                 `json:"ok"`
	Faults       []models.FileFinding `json:"faults"`
	Warnings     []models.FileFinding `json:"warnings"`

	unknown string // what a file without a format is called; empty for a payment file
}

// lintFiles checks files. It continues after a file that cannot be read, and fails at the end.
func lintFiles(cmd *cobra.Command, paths []string, strict bool, check func(ctx context.Context, path string) (linted, error)) error {
	var unread []error
	all, ok := []linted{}, true
	for _, path := range paths {
		file, err := check(cmd.Context(), path)
		if err != nil {
			unread = append(unread, inFile(path, err))
			continue
		}
		file.OK = len(file.Faults) == 0 && (!strict || len(file.Warnings) == 0)
		all, ok = append(all, file), ok && file.OK
		if !wantsJSON(cmd) {
			file.print()
		}
	}
	return endChecks(cmd, all, unread, ok)
}

func lintFile(ctx context.Context, path string) (linted, error) {
	in, err := openInput(ctx, path)
	if err != nil {
		return linted{}, err
	}
	report, err := bankfile.Lint(in, today())
	if err = errors.Join(err, in.close()); err != nil {
		return linted{}, err
	}
	file := linted{
		File: path, Transactions: report.Transactions, Amount: report.Amount,
		Faults: append([]models.FileFinding{}, report.Faults...), Warnings: append([]models.FileFinding{}, report.Warnings...),
	}
	if report.Format != "" {
		file.Format = &report.Format
	}
	return file, nil
}

// print prints the findings on standard error, and the file's description on standard output.
func (f *linted) print() {
	for _, n := range f.Faults {
		fmt.Fprintf(os.Stderr, "%s: line %d: %s: %s\n", f.File, n.Line, n.Code, n.Text)
	}
	for _, n := range f.Warnings {
		fmt.Fprintf(os.Stderr, "%s: line %d: warning: %s: %s\n", f.File, n.Line, n.Code, n.Text)
	}
	format := cmp.Or(f.unknown, "neither OCR giro nor camt.054")
	if f.Format != nil {
		format = *f.Format
	}
	fmt.Printf("%s: %s, %s of %s: %s, %s\n", f.File, format, counted(f.Transactions, "transaction"), f.Amount,
		counted(len(f.Faults), "fault"), counted(len(f.Warnings), "warning"))
}
