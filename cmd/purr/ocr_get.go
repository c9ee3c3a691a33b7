package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"

	"github.com/spf13/cobra"

	"purr/app"
)

func ocrGet() *cobra.Command {
	var output string
	c := &cobra.Command{
		Use:   "get ID",
		Short: "Write out a payment file as it came from the bank",
		Long: `get writes the bytes of a payment file, of whatever creditor, as they came: also of one that was rejected. The ID
is that of purr ocr import, of the report beside a file from the inbox, and of the interface.`,
		Example: "  purr ocr get 17 | less\n  purr ocr get 17 -o OCR.txt",
		Args:    cobra.ExactArgs(1),
	}
	c.Flags().StringVarP(&output, "output", "o", "", "file to write; standard output where it is not given")
	return installationCommand(c, func(cmd *cobra.Command, a *app.App, args []string) error {
		id, err := strconv.ParseInt(args[0], 10, 64)
		if err != nil {
			return fmt.Errorf("%q is not a payment file's ID", args[0])
		}
		raw, err := a.RawFile(cmd.Context(), id)
		if err != nil {
			return err
		}
		return errors.Join(writeOut(raw, output), raw.Close())
	})
}

// writeOut writes everything to the file with the name, to standard output where that is empty.
func writeOut(from io.Reader, name string) error {
	if name == "" {
		_, err := io.Copy(os.Stdout, from)
		return err
	}
	to, err := os.Create(name)
	if err != nil {
		return err
	}
	_, err = io.Copy(to, from)
	return errors.Join(err, to.Close())
}
