package ocr

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"slices"
	"sync"

	"purr/models"
	"purr/ocr/camt"
	"purr/ocr/giro"
)

// content is what a payment file says about itself, in either format.
type content struct {
	format   string // empty for any other format
	sender   string
	number   string // of the transmission or message
	unit     string // the recipient
	identity string // a hash of the content; it ignores line ends
	sections []section
	warnings models.FileFindings

	transmissions []transmission
	repeats       map[uint64]bool                                // the prefixes of fingerprints that occur more than once
	lines         func(raw io.Reader, do func(line) error) error // reads the file's lines one by one
}

// prefixes are the first eight bytes of lines' fingerprints. Keeping whole fingerprints would need four times as much memory.
type prefixes []uint64

func (p *prefixes) add(fingerprint [32]byte) { *p = append(*p, first8(fingerprint)) }

// repeats returns those that occur more than once. It sorts the prefixes.
func (p prefixes) repeats() map[uint64]bool {
	slices.Sort(p)
	found := map[uint64]bool{}
	for i := 1; i < len(p); i++ {
		if p[i] == p[i-1] {
			found[p[i]] = true
		}
	}
	return found
}

func first8(fingerprint [32]byte) uint64 { return binary.BigEndian.Uint64(fingerprint[:8]) }

// section is what one account received: an assignment of OCR giro, or a notification of camt.054. It counts ignored
// transactions, such as AvtaleGiro mandates, which are no file lines.
type section struct {
	account       string
	line          int // where it starts, from 1
	latest        models.Date
	transactions  int
	ignored       int
	amount        models.Amount // by the file's own arithmetic
	ignoredAmount models.Amount
	mandates      []giro.Mandate // of AvtaleGiro, among the ignored
}

// addIgnored counts the section's ignored transactions in a creditor's part of the file.
func (s section) addIgnored(part *models.PaymentFilePart) {
	part.Transactions += s.ignored
	part.Ignored += s.ignored
	part.Amount += s.ignoredAmount
	part.IgnoredAmount += s.ignoredAmount
}

// lineCount returns the number of the file's lines.
func (c *content) lineCount() (n int) {
	for _, s := range c.sections {
		n += s.transactions - s.ignored
	}
	return n
}

// line is one transaction of a payment file, valid until the next one is read.
type line interface {
	// Fingerprint is equal for lines that are equal in all data of the bank.
	Fingerprint() [32]byte
	// payment returns all data of the bank on the line.
	payment() payment
}

// readAhead is the size of the buffer that each file gets. A proof reads thousands of small files, and a larger buffer costs
// more than their lines.
const readAhead = 64 << 10

// buffers are those of files that were read, for others.
var buffers = sync.Pool{New: func() any { return bufio.NewReaderSize(nil, readAhead) }}

// buffered returns a buffer that reads the file. free is called when nothing more is read through it.
func buffered(raw io.Reader) (r *bufio.Reader, free func()) {
	r = buffers.Get().(*bufio.Reader) //nolint:errcheck // only these are put
	r.Reset(raw)
	return r, func() {
		r.Reset(nil)
		buffers.Put(r)
	}
}

// check reads and checks a whole file. The first bytes tell its format. The error is models.FileFaults if the file has
// faults; then the content holds what could be read. dates holds the payments' dates against the day on which the file came.
func check(raw io.Reader, dates *models.FileDates) (*content, error) {
	r, free := buffered(raw)
	defer free()
	if begin, _ := r.Peek(64); camt.Detect(begin) { // the first read returns the error again
		return checkCamt(r, dates)
	}
	return checkGiro(r, dates)
}

// dated adds to what a reader has found what is wrong with the dates.
func (c *content) dated(dates *models.FileDates, err error) error {
	c.warnings = dates.Warnings(c.warnings)
	var faults models.FileFaults
	if errors.As(err, &faults) || err == nil {
		faults = dates.Faults(faults)
	}
	if len(faults) > 0 {
		return faults
	}
	return err
}

// each calls do for every transaction up to the end of the file.
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
