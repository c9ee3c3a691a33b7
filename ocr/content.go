package ocr

import (
	"bufio"
	"errors"
	"fmt"
	"io"

	"purr/models"
	"purr/ocr/camt"
)

// content is what a payment file says of itself, whatever its format.
type content struct {
	format   string // empty where it is none
	sender   string
	number   string // of the transmission, the message
	unit     string // who it was sent to
	identity string // the same for files that hold the same, whatever their line ends
	sections []section
	warnings models.FileNotes

	transmissions []transmission
	lines         func(raw io.Reader, do func(line) error) error // reads the lines of the file, one by one
}

// section is an assignment of OCR giro, a notification of camt.054: what one account received. The ignored
// transactions are counted in it, and are none of the lines.
type section struct {
	account       string
	line          int // of its start, from 1
	latest        models.Date
	transactions  int
	ignored       int
	amount        models.Amount // in the file's own arithmetic
	ignoredAmount models.Amount
}

// lineCount returns how many lines the file has.
func (c *content) lineCount() (n int) {
	for _, s := range c.sections {
		n += s.transactions - s.ignored
	}
	return n
}

// line is one transaction of a payment file, valid until the next one is read.
type line interface {
	// Fingerprint tells the line from others, but for those that are equal in all that the bank says.
	Fingerprint() [32]byte
	// payment returns all that the bank says of it.
	payment() payment
}

// check reads a whole file and checks it; its beginning tells the format. The error is models.FileFaults where
// something is wrong with the file; the content is then what could be read of it.
func check(raw io.Reader, received models.Date) (*content, error) {
	r := bufio.NewReaderSize(raw, 1<<20)
	if begin, _ := r.Peek(64); camt.Detect(begin) { // an error comes again when it is read
		return checkCamt(r)
	}
	return checkGiro(r, received)
}

// each reads transactions to the end of the file.
func each[T any](next func() (T, error), do func(T) error) error {
	for {
		tx, err := next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("read a payment file again: %w", err)
		}
		if err := do(tx); err != nil {
			return err
		}
	}
}
