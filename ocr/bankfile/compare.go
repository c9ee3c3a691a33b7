package bankfile

import (
	"fmt"
	"io"

	"purr/models"
)

// Comparison is what two payment files have in common and what not.
type Comparison struct {
	A, B        Head
	Differences []Difference // of what files of one format say of themselves
	OnlyA       []*Line      // in the order of the file
	OnlyB       []*Line
	Both        []Pair // in the order of A
}

// Difference is what two files say of themselves by one name.
type Difference struct {
	Field string `json:"field"`
	A     string `json:"a"`
	B     string `json:"b"`
}

// Pair is a payment that is in both files.
type Pair struct{ A, B *Line }

// Equal reports whether the files hold the same payments, and where they are of one format say the same of themselves.
func (c *Comparison) Equal() bool {
	return len(c.OnlyA) == 0 && len(c.OnlyB) == 0 && len(c.Differences) == 0
}

// Sum adds up lines, in øre.
func Sum(lines []*Line) (sum models.Amount) {
	for _, l := range lines {
		sum += l.Amount
	}
	return sum
}

// WrongFile is the error of a file that is not compared.
type WrongFile struct {
	Second bool // it is file B
	Err    error
}

// Error says what is wrong.
func (e *WrongFile) Error() string { return e.Err.Error() }

// Unwrap gives the reason: models.FileFaults where the file has faults.
func (e *WrongFile) Unwrap() error { return e.Err }

// Compare reads two payment files into memory and pairs their payments, one for one. Those of one format are paired as
// the importer knows a line again: by all that the bank says of it, while equal ones stay as many as they are. Those of
// OCR giro and camt.054 are paired by account, KID, amount, date and payer's account (rule E4); a payment without a
// KID has no twin. The error is a WrongFile.
func Compare(a, b io.Reader, today models.Date) (*Comparison, error) {
	headA, linesA, err := readLines(a, today)
	if err != nil {
		return nil, &WrongFile{Err: err}
	}
	headB, linesB, err := readLines(b, today)
	if err != nil {
		return nil, &WrongFile{Second: true, Err: err}
	}
	c := &Comparison{A: headA, B: headB}
	identity := func(l *Line) ([32]byte, bool) { return l.identity, true }
	if headA.Format != headB.Format {
		identity = (*Line).twin
	} else {
		c.Differences = headA.differences(headB)
	}
	c.pair(linesA, linesB, identity)
	return c, nil
}

// pair pairs the lines of one identity in the order in which they stand.
func (c *Comparison) pair(a, b []Line, identity func(*Line) ([32]byte, bool)) {
	const none = -1
	first := map[[32]byte]int{} // of those in a that are left
	next, pairOf := make([]int, len(a)), make([]int, len(a))
	for i := len(a) - 1; i >= 0; i-- {
		next[i], pairOf[i] = none, none
		if id, known := identity(&a[i]); known {
			if later, some := first[id]; some {
				next[i] = later
			}
			first[id] = i
		}
	}
	for i := range b {
		id, known := identity(&b[i])
		of, some := first[id]
		if !known || !some || of == none {
			c.OnlyB = append(c.OnlyB, &b[i])
			continue
		}
		first[id], pairOf[of] = next[of], i
	}
	for i := range a {
		if pairOf[i] == none {
			c.OnlyA = append(c.OnlyA, &a[i])
		} else {
			c.Both = append(c.Both, Pair{&a[i], &b[pairOf[i]]})
		}
	}
}

// differences compares what files of one format say of themselves, but for their number of transactions.
func (h Head) differences(other Head) []Difference {
	var found []Difference
	for _, d := range []Difference{
		{"sender", h.Sender, other.Sender},
		{"transmission_number", h.Number, other.Number},
		{"recipient", h.Recipient, other.Recipient},
		{"created", h.Created, other.Created},
		{"assignments", fmt.Sprint(h.Assignments), fmt.Sprint(other.Assignments)},
		{"ignored", fmt.Sprint(h.Ignored), fmt.Sprint(other.Ignored)},
	} {
		if d.A != d.B {
			found = append(found, d)
		}
	}
	return found
}
