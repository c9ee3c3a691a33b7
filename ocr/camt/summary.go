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

// Summary is everything in a file except its transactions. It grows with the number of notifications and of doubtful
// entries.
type Summary struct {
	MessageHeader
	Totals
	Notifications []*Notification
	Warnings      []models.FileFinding // in order of lines, at most MaxWarnings of each code

	// ContentHash is the SHA-256 of the elements and their texts. It ignores encoding, indentation, comments and
	// prefixes. A copy that the bank sends as a new message has the same hash. Only Check sets it.
	ContentHash [32]byte

	doubtful map[int]bool // by the number of the entry
}

// Sender returns the bank of the first notification's account, empty if the file does not name it.
func (s *Summary) Sender() string {
	if len(s.Notifications) == 0 {
		return ""
	}
	return s.Notifications[0].Servicer
}

// Doubtful reports whether the transaction belongs to a doubtful entry, see Entry.Doubtful. Call it after the whole
// file has been read. The transaction may come from another reading of the same file.
func (s *Summary) Doubtful(tx *Transaction) bool { return s.doubtful[tx.Entry.Number] }

// Check reads the whole file and checks it. The error is models.FileFaults if the file has faults; the summary then holds
// what could be read.
func Check(r io.Reader) (*Summary, error) { return CheckEach(r, func(*Transaction) {}) }

// CheckEach checks the file as Check does. It calls do for each transaction before the first fault. The transaction is valid
// until do returns.
func CheckEach(r io.Reader, do func(*Transaction)) (*Summary, error) {
	reader := NewReader(r)
	reader.content = newContentHash()
	for {
		tx, err := reader.Next()
		if err == nil {
			do(tx)
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

// ofDelivery are the elements of group header and notification that differ in a copy that the bank sends again.
var ofDelivery = []string{"MsgId", "CreDtTm", "CpyDplctInd"}

// deliveryDepth is the number of open elements around them.
const deliveryDepth = 3

// start adds the start of an element at a depth.
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

// end adds the end of an element at a depth.
func (c *contentHash) end(depth int) {
	c.add(">", "")
	if depth == deliveryDepth {
		c.muted = false
	}
}

// add adds a word with a mark of its kind before it. A zero byte ends the word: XML cannot contain one.
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
