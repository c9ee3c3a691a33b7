package giro

import (
	"bufio"
	"crypto/sha256"
	"errors"
	"hash"
	"io"

	"purr/models"
)

// Summary is everything in a file except its transactions. It grows with the number of assignments.
type Summary struct {
	Totals
	Transmissions []*Transmission
	Warnings      []models.FileFinding // in order of lines, at most MaxWarnings of each code
}

// Check reads the whole file and checks it. The error is models.FileFaults if the file has faults; the summary then
// holds what could be read. The date of the import decides the century of two-digit years.
func Check(r io.Reader, today models.Date) (*Summary, error) {
	return CheckEach(r, today, func(*Transaction) {})
}

// CheckEach checks the file as Check does. It calls do for each transaction before the first fault. The transaction is valid
// until do returns.
func CheckEach(r io.Reader, today models.Date, do func(*Transaction)) (*Summary, error) {
	reader := NewReader(r, today)
	reader.content = newContentHash()
	for {
		tx, err := reader.Next()
		if errors.Is(err, io.EOF) {
			return reader.Summary(), nil
		}
		if err != nil {
			return reader.Summary(), err
		}
		do(tx)
	}
}

// contentHash hashes the records of one transmission, in large blocks.
type contentHash struct {
	hash   hash.Hash
	buffer *bufio.Writer // never fails: a hash does not
}

func newContentHash() *contentHash {
	h := sha256.New()
	return &contentHash{h, bufio.NewWriterSize(h, 64*recordLen)}
}

func (c *contentHash) add(rec *record) {
	if string(rec.tag()) == tagTransmissionStart {
		c.hash.Reset()
		c.buffer.Reset(c.hash)
	}
	_, _ = c.buffer.Write(rec[:])
}

func (c *contentHash) sum() (sum [32]byte) {
	_ = c.buffer.Flush()
	c.hash.Sum(sum[:0])
	return sum
}
