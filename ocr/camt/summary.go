package camt

import (
	"bufio"
	"crypto/sha256"
	"encoding/xml"
	"errors"
	"hash"
	"io"
	"slices"

	"purr/models"
)

// Summary is what a file holds, without its transactions. It grows with the number of notifications and of doubtful entries.
type Summary struct {
	MessageHeader
	Totals
	Notifications []*Notification
	Warnings      []models.FileFinding // in order of lines, at most MaxWarnings of each code

	// ContentHash is the SHA-256 of the elements and their texts. A copy with another encoding, indentation, comments or
	// prefixes has the same, and so has a copy that the bank sends as a new message. Only Check fills it in.
	ContentHash [32]byte

	doubtful map[int]bool // by the number of the entry
}

// Sender returns the bank of the first notification's account, or nothing if the file does not name it.
func (s *Summary) Sender() string {
	if len(s.Notifications) == 0 {
		return ""
	}
	return s.Notifications[0].Servicer
}

// Doubtful reports whether the transaction is of a doubtful entry, see Entry.Doubtful. The summary must be of the whole
// file. The transaction may come from another reading of the same file.
func (s *Summary) Doubtful(tx *Transaction) bool { return s.doubtful[tx.Entry.Number] }

// Check reads the whole file and checks it. The error is models.FileFaults if the file has faults; the summary then holds
// what could be read.
func Check(r io.Reader) (*Summary, error) {
	reader := NewReader(r)
	reader.content = newContentHash()
	for {
		_, err := reader.Next()
		if err == nil {
			continue
		}
		summary := reader.Summary()
		summary.ContentHash = reader.content.sum()
		if errors.Is(err, io.EOF) {
			err = nil
		}
		return summary, err
	}
}

// File is a whole file in memory.
type File struct {
	*Summary
	Transactions []Transaction // of all booked entries, in order
}

// Parse reads a whole file into memory, and fails as Check does. Files of banks can be large: an import uses Check and then
// a Reader, which hold one transaction at a time.
func Parse(r io.Reader) (*File, error) {
	reader := NewReader(r)
	file := &File{Summary: reader.Summary()}
	for {
		tx, err := reader.Next()
		if errors.Is(err, io.EOF) {
			return file, nil
		}
		if err != nil {
			return nil, err
		}
		file.Transactions = append(file.Transactions, *tx)
	}
}

// contentHash hashes elements and texts, in large blocks.
type contentHash struct {
	hash   hash.Hash
	buffer *bufio.Writer // never fails: a hash does not
	muted  bool          // within one of ofDelivery
}

func newContentHash() *contentHash {
	h := sha256.New()
	return &contentHash{hash: h, buffer: bufio.NewWriter(h)}
}

// ofDelivery are the elements of group header and notification that differ in a copy that the bank sends.
var ofDelivery = []string{"MsgId", "CreDtTm", "CpyDplctInd"}

// deliveryDepth is how many elements are open around them.
const deliveryDepth = 3

// start adds the start of an element within so many others.
func (c *contentHash) start(t xml.StartElement, depth int) {
	if depth == deliveryDepth && slices.Contains(ofDelivery, t.Name.Local) {
		c.muted = true
	}
	c.add("<", t.Name.Local)
	for _, a := range t.Attr {
		if a.Name.Space == "" && a.Name.Local != "xmlns" {
			c.add("@", a.Name.Local)
			c.add("=", a.Value)
		}
	}
}

// end adds the end of an element within so many others.
func (c *contentHash) end(depth int) {
	c.add(">", "")
	if depth == deliveryDepth {
		c.muted = false
	}
}

// add adds a word after a mark that says what it is. A zero byte ends it, which XML cannot contain.
func (c *contentHash) add(what, word string) {
	if c.muted {
		return
	}
	_, _ = c.buffer.WriteString(what)
	_, _ = c.buffer.WriteString(word)
	_ = c.buffer.WriteByte(0)
}

func (c *contentHash) sum() (sum [32]byte) {
	_ = c.buffer.Flush()
	c.hash.Sum(sum[:0])
	return sum
}
