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
		Use: "anonymise FILE", Short: "Copy a payment file without personal data, to show it to others", Args: files(1, 1),
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
