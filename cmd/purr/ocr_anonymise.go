package main

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"purr/models"
	"purr/ocr/bankfile"
)

func ocrAnonymise() *cobra.Command {
	var output string
	var seed uint64
	var force bool
	c := &cobra.Command{
		Use:   "anonymise FILE",
		Short: "Copy a payment file without personal data, to show it to others",
		Long: `anonymise copies an OCR giro or camt.054 file with other KIDs, accounts, references, names and texts. Equal
values stay equal, and a KID stays as long and as valid as it was. Amounts, dates, codes, counts, the
numbers of transmissions and assignments, and the layout stay. So programs read the copy as they read the
file, oddities included. FILE may be - for standard input. It needs no installation.

anonymise refuses a file with faults, because its fields are uncertain; purr ocr lint shows the faults.

With --seed the copy is the same each time, and equal KIDs, accounts and references stay equal across files. A
person who knows the seed can find the old values by trying, so keep it secret.`,
		Example: "  purr ocr anonymise OCR.txt -o example.txt\n  purr ocr anonymise --seed 81273645 camt054.xml -o example.xml",
		Args:    files(1, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			key := bankfile.KeyOf(seed)
			if !cmd.Flags().Changed("seed") {
				_, _ = rand.Read(key[:]) // it never fails
			}
			return anonymise(cmd.Context(), args[0], output, force, key)
		},
	}
	c.Flags().Uint64Var(&seed, "seed", 0, "number that decides the new values (default: random)")
	outputFlags(c, &output, &force)
	return c
}

func anonymise(ctx context.Context, path, output string, force bool, key bankfile.Key) error {
	in, done, err := readTwice(ctx, path)
	if err != nil {
		return err
	}
	err = writeOutput(ctx, output, force, func(w io.Writer) error {
		return bankfile.Anonymise(w, watchedFile{in, watched(ctx, "read", in)}, today(), key)
	})
	err = errors.Join(err, done())
	var faults models.FileFaults
	if !errors.As(err, &faults) {
		return err
	}
	for _, fault := range faults {
		fmt.Fprintf(os.Stderr, "%s: %s\n", path, fault)
	}
	return fmt.Errorf("%s has faults, and is not anonymised: what cannot be read cannot be taken out of it", path)
}

// watchedFile is a file that can be read again, with a watch on each reading.
type watchedFile struct {
	io.Seeker
	*watch
}
