package main

import (
	"errors"
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"purr/models"
	"purr/ocr/bankfile"
)

func ocrInspect() *cobra.Command {
	c := &cobra.Command{
		Use:   "inspect FILE",
		Short: "Read a payment file and print what it holds",
		Long: `inspect reads an OCR giro or a camt.054 file, checks all of it and prints its transactions. It posts
nothing and needs no installation. It prints every fault on standard error, as "line N: what is wrong".
The exit code is 1 if the file has a fault.`,
		Example: "  purr ocr inspect OCR.txt\n  purr ocr inspect camt054.xml --json | jq .",
		Args:    cobra.ExactArgs(1),
		RunE:    func(cmd *cobra.Command, args []string) error { return inspect(args[0], wantsJSON(cmd)) },
	}
	return withJSON(c)
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
		return printJSON(file)
	}
	w := columns(os.Stdout)
	fmt.Fprint(w, file.Table())
	for _, warning := range file.Oddities() {
		fmt.Fprintln(os.Stderr, "warning:", warning)
	}
	return w.Flush()
}
