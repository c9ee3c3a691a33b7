package main

import (
	"errors"
	"fmt"
	"io"
	"strconv"

	"github.com/spf13/cobra"

	"purr/app"
)

func ocrGet() *cobra.Command {
	var output string
	var force bool
	c := &cobra.Command{
		Use:   "get ID",
		Short: "Write out a payment file as it came from the bank",
		Long: `get writes the bytes of a payment file, of whatever creditor, as they came: also of one that was rejected. The ID
is that of purr ocr import, of the report beside a file from the inbox, and of the interface.`,
		Example: "  purr ocr get 17 | less\n  purr ocr get 17 -o OCR.txt",
		Args:    cobra.ExactArgs(1),
	}
	outputFlags(c, &output, &force)
	return installationCommand(c, func(cmd *cobra.Command, a *app.App, args []string) error {
		id, err := strconv.ParseInt(args[0], 10, 64)
		if err != nil {
			return fmt.Errorf("%q is not a payment file's ID, which is a number", args[0])
		}
		raw, err := a.RawFile(cmd.Context(), id)
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
