package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"purr/models"
	"purr/ocr/bankfile"
)

func ocrInspect() *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use:   "inspect FILE",
		Short: "Read a payment file and print what it holds",
		Long: `inspect reads an OCR giro or a camt.054 file, checks all of it and prints its transactions. It posts
nothing and needs no installation. For a file that is not right every fault is printed on standard error, as
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
	file, err := bankfile.Read(f, today())
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
	w := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', 0)
	for _, warning := range file.Print(w) {
		fmt.Fprintln(os.Stderr, "warning:", warning)
	}
	return w.Flush()
}
