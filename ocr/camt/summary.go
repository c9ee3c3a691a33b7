package camt

import (
	"crypto/sha256"
	"encoding/xml"
	"errors"
	"hash"
	"io"
	"slices"

	"purr/models"
)

// Summary is what a file holds, without its transactions. It grows with the number of notifications, and of
// entries that do not add up.
type Summary struct {
	MessageHeader
	Totals
	Notifications []*Notification
	Warnings      []models.FileNote // in order of lines, at most MaxWarnings of each code

	// ContentHash is the SHA-256 of the elements and their texts: the same for a copy whose encoding,
	// indentation, comments or prefixes differ, and for one that the bank sends again as a message of its own. Only
	// Check fills it in.
	ContentHash [32]byte

	doubtful map[int]bool // by the number of the entry
}

// Sender returns the bank that has the account of the first notification, as far as the file says.
func (s *Summary) Sender() string {
	if len(s.Notifications) == 0 {
		return ""
	}
	return s.Notifications[0].Servicer
}

// Doubtful reports whether the transaction is of an entry that does not add up, so that a person has to
// look at it. The summary must be of the whole file; the transaction may come from another reading of it.
func (s *Summary) Doubtful(tx *Transaction) bool { return s.doubtful[tx.Entry.Number] }

// Check reads the whole file and checks it. The error is models.FileFaults where something is wrong with the
// file; the summary is then what could be read of it.
func Check(r io.Reader) (*Summary, error) {
	reader := NewReader(r)
	reader.content = &contentHash{hash: sha256.New()}
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

// Parse reads a whole file into memory, and fails as Check does. Files that banks deliver can be large: to
// import them, Check and then NewReader hold one transaction at a time.
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

// contentHash hashes what the file says. It gathers it first, since the hash is much faster on whole blocks.
type contentHash struct {
	hash   hash.Hash
	gather []byte
	muted  bool // within an element of the delivery
}

// ofDelivery are the elements, of the group header and the notifications, that differ in a copy which the bank sends.
var ofDelivery = []string{"MsgId", "CreDtTm", "CpyDplctInd"}

// deliveryDepth is how many elements are open around them.
const deliveryDepth = 3

// start takes the start of an element within so many others.
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

// end takes the end of an element within so many others.
func (c *contentHash) end(depth int) {
	c.add(">", "")
	if depth == deliveryDepth {
		c.muted = false
	}
}

// add takes a word and what it is. No text of XML holds the byte that ends it.
func (c *contentHash) add(what, word string) {
	if c.muted {
		return
	}
	c.gather = append(append(append(c.gather, what...), word...), 0)
	if len(c.gather) > 4096 {
		c.flush()
	}
}

func (c *contentHash) flush() {
	c.hash.Write(c.gather)
	c.gather = c.gather[:0]
}

func (c *contentHash) sum() (sum [32]byte) {
	c.flush()
	c.hash.Sum(sum[:0])
	return sum
}
