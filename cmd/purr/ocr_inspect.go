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
		Args:  cobra.ExactArgs(1),
		RunE:  func(cmd *cobra.Command, args []string) error { return inspect(args[0], wantsJSON(cmd)) },
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
