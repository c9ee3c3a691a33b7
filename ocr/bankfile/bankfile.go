// Package bankfile is what `purr ocr` does with payment files outside of any installation, whichever of the two
// formats they are in: it finds what is wrong or odd (Lint), makes files up (Generate), takes out of them what is
// somebody's (Anonymise) and compares two (Compare). Packages giro and camt know the formats; this one knows
// nothing of creditors, invoices, or what came before.
package bankfile

import (
	"bufio"
	"errors"
	"io"

	"purr/models"
	"purr/ocr/camt"
)

// buffered returns a reader that holds enough of a file to tell its format.
func buffered(r io.Reader) *bufio.Reader { return bufio.NewReaderSize(r, 64<<10) }

// isCamt reports whether the file is XML rather than OCR giro, as the importer tells them apart: by the first character.
// An error of reading comes again when the file is read.
func isCamt(r *bufio.Reader) bool {
	begin, _ := r.Peek(64)
	return camt.Detect(begin)
}

// each reads transactions to the end of the file. The error is models.FileFaults where something is wrong with it.
func each[T any](next func() (T, error), do func(T)) error {
	for {
		tx, err := next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		do(tx)
	}
}

// split tells faults from an error that kept the file from being read.
func split(err error) (models.FileFaults, error) {
	var faults models.FileFaults
	if errors.As(err, &faults) {
		return faults, nil
	}
	return nil, err
}
