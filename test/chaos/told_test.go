//go:build chaos

package chaos_test

import (
	"fmt"
	"sync"
	"sync/atomic"

	"purr/models"
)

// told is what the clients of a round have asked for, and what they were told of it.
type told struct {
	mu       sync.Mutex
	effects  map[string]*effect // by label
	invoices []*invoice
	lines    map[models.Amount]*line // of the bank's files; no two have the same amount
	resolved []string                // unmatched payments, by ID
	number   atomic.Int64            // of what was made up so far
}

// effect is what a call changes. It carries a label that nothing else has. Until an answer has come it may exist or not,
// once.
type effect struct {
	kind        kind
	label       string
	id          string // by the answer
	invoice     *invoice
	least, most int
}

// kind says where an effect is found: a table, and the column with the label.
type kind struct{ name, table, column string }

var (
	invoiceEffect  = kind{"invoice", "invoices", "note"}
	creditEffect   = kind{"credit note", "credit_notes", "comment"}
	noticeEffect   = kind{"overdue notice", "overdue_notices", "comment"}
	entryEffect    = kind{"entry", "entries", "comment"}
	customerEffect = kind{"customer", "customers", "name1"}
)

// invoice is one that a client was told of.
type invoice struct {
	creditor        *creditor
	id, number      string
	path, kid, date string
	gross           models.Amount
	overdue         bool // from the beginning
	mu              sync.Mutex
	credited        bool   // was asked for
	handedOver      bool   // was answered
	held, closed    string // "1", "0", or "" while the last answer has not come
}

// line is a payment in a file of the bank.
type line struct {
	creditor    *creditor
	amount      models.Amount
	kid         string
	file        string
	least, most int
}

func newTold() *told {
	return &told{effects: map[string]*effect{}, lines: make(map[models.Amount]*line)}
}

// next returns a number that nothing else of the round has.
func (b *told) next() int64 { return b.number.Add(1) }

// ask notes an effect that is about to be asked for.
func (b *told) ask(k kind, of *invoice) *effect {
	e := &effect{kind: k, label: fmt.Sprintf("%s %d of the load", k.name, b.next()), invoice: of, most: 1}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.effects[e.label] = e
	return e
}

// learn notes what was answered. What was refused has no effect.
func (b *told) learn(e *effect, a answer, id string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	switch {
	case a.done():
		e.least, e.id = 1, id
	case a.status >= 400 && a.status < 500:
		e.most = 0
	}
}

// deleting notes that an effect is about to be taken away.
func (b *told) deleting(e *effect) {
	b.mu.Lock()
	defer b.mu.Unlock()
	e.least = 0
}

// gone notes that an effect was taken away.
func (b *told) gone(e *effect) {
	b.mu.Lock()
	defer b.mu.Unlock()
	e.most = 0
}

func (b *told) add(i *invoice) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.invoices = append(b.invoices, i)
}

// of returns the creditor's invoices, and those alone that were overdue from the beginning if asked for.
func (b *told) of(c *creditor, overdue bool) []*invoice {
	b.mu.Lock()
	defer b.mu.Unlock()
	var found []*invoice
	for _, i := range b.invoices {
		if i.creditor == c && (!overdue || i.overdue) {
			found = append(found, i)
		}
	}
	return found
}

// expect notes lines of a file that is about to be delivered, and came that the file was taken.
func (b *told) expect(lines []*line) { b.bound(lines, 0, 1) }
func (b *told) came(lines []*line)   { b.bound(lines, 1, 1) }

// refused notes that a file was rejected.
func (b *told) refused(lines []*line) { b.bound(lines, 0, 0) }

func (b *told) bound(lines []*line, least, most int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, l := range lines {
		l.least, l.most = least, most
		b.lines[l.amount] = l
	}
}

// resolve notes an unmatched payment that a person has matched or dismissed.
func (b *told) resolve(id string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.resolved = append(b.resolved, id)
}
