package bankfile

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"slices"

	"purr/models"
)

// Comparison says what two payment files have in common.
type Comparison struct {
	A, B        Head
	Differences []Difference   // between the heads, if both files are of one format
	OnlyA       []*Transaction // in the order of the file
	OnlyB       []*Transaction
	InBoth      int           // number of payments
	BothAmount  models.Amount // øre
	Both        []Pair        // in the order of A; empty unless Compare was asked for all
}

// Difference is a field of Head that differs.
type Difference struct {
	Field string `json:"field"`
	A     string `json:"a"`
	B     string `json:"b"`
}

// Pair is a payment that is in both files.
type Pair struct{ A, B *Transaction }

// Equal reports whether the files hold the same payments and, if they are of one format, have equal heads.
func (c *Comparison) Equal() bool {
	return len(c.OnlyA) == 0 && len(c.OnlyB) == 0 && len(c.Differences) == 0
}

// Sum adds up lines, in øre.
func Sum(lines []*Transaction) (sum models.Amount) {
	for _, l := range lines {
		sum += l.Amount
	}
	return sum
}

// WrongFile is the error of a file that cannot be compared.
type WrongFile struct {
	Second bool // it is file B
	Err    error
}

// Error returns the text of the reason.
func (e *WrongFile) Error() string { return e.Err.Error() }

// Unwrap returns the reason: models.FileFaults if the file has faults.
func (e *WrongFile) Unwrap() error { return e.Err }

// differInFormat reports whether one of two files is camt.054 and the other is not. It reads on from their beginnings.
func differInFormat(a, b io.ReadSeeker) (differ bool, err error) {
	for n, r := range []io.ReadSeeker{a, b} {
		differ = differ != isCamt(buffered(r))
		if _, err := r.Seek(0, io.SeekStart); err != nil {
			return false, &WrongFile{Second: n == 1, Err: err}
		}
	}
	return differ, nil
}

// Compare reads two payment files and pairs their payments, one for one. It pairs payments of one format by their
// fingerprint, as the importer does. It pairs payments of OCR giro and camt.054 by account, KID, amount, date and
// payer's account (rule E4). Across the formats it does not pair payments without a KID. Compare keeps 40 bytes of
// each payment. It reads the files again for the payments that the comparison shows: those in one file only and, with
// all, those in both. The error is a WrongFile.
func Compare(a, b io.ReadSeeker, today models.Date, all bool) (*Comparison, error) {
	ofTwoFormats, err := differInFormat(a, b)
	if err != nil {
		return nil, err
	}
	inA, err := readMarks(a, today, ofTwoFormats)
	if err != nil {
		return nil, &WrongFile{Err: err}
	}
	inB, err := readMarks(b, today, ofTwoFormats)
	if err != nil {
		return nil, &WrongFile{Second: true, Err: err}
	}
	c := &Comparison{A: inA.head, B: inB.head}
	if !ofTwoFormats {
		c.Differences = c.A.differences(c.B)
	}
	inA.pairWith(inB)
	for n, p := range inA.pairOf {
		if p != unpaired {
			c.InBoth++
			c.BothAmount += inA.marks[n].amount
		}
	}
	if err := c.show(a, b, inA, inB, today, all); err != nil {
		return nil, err
	}
	return c, nil
}

// show reads the payments that the comparison shows.
func (c *Comparison) show(a, b io.ReadSeeker, inA, inB *marked, today models.Date, all bool) error {
	linesA, err := inA.readAgain(a, today, all)
	if err != nil {
		return &WrongFile{Err: err}
	}
	linesB, err := inB.readAgain(b, today, all)
	if err != nil {
		return &WrongFile{Second: true, Err: err}
	}
	for n, p := range inA.pairOf {
		switch {
		case p == unpaired:
			c.OnlyA = append(c.OnlyA, linesA[n])
		case all:
			c.Both = append(c.Both, Pair{linesA[n], linesB[int(p)]})
		}
	}
	for n, p := range inB.pairOf {
		if p == unpaired {
			c.OnlyB = append(c.OnlyB, linesB[n])
		}
	}
	return nil
}

// differences compares the heads of two files of one format, except for the number of transactions.
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

// marked is a file, with only a mark of each payment kept in memory.
type marked struct {
	head   Head
	marks  []mark
	pairOf []int32 // by payment: the number of the same payment in the other file, or unpaired
}

// mark identifies a payment. Half of the identity is enough to tell all payments apart.
type mark struct {
	identity [16]byte
	amount   models.Amount // øre
	number   int32         // in the file, from 0
	alone    bool          // it cannot be paired
}

const unpaired = -1

// readMarks reads a file. The error is models.FileFaults if the file has faults.
func readMarks(r io.Reader, today models.Date, ofTwoFormats bool) (*marked, error) {
	m := &marked{}
	head, err := eachTransaction(r, today, func(l *Transaction) {
		identity, known := l.identity, true
		if ofTwoFormats {
			identity, known = l.twin()
		}
		m.marks = append(m.marks, mark{[16]byte(identity[:16]), l.Amount, int32(len(m.marks)), !known}) //nolint:gosec // a file holds fewer
		m.pairOf = append(m.pairOf, unpaired)
	})
	if err != nil {
		return nil, err
	}
	m.head = head
	return m, nil
}

// sorted returns the marks by identity, and equal ones in the order of the file.
func (m *marked) sorted() []mark {
	all := slices.DeleteFunc(slices.Clone(m.marks), func(k mark) bool { return k.alone })
	slices.SortFunc(all, func(a, b mark) int {
		return cmp.Or(bytes.Compare(a.identity[:], b.identity[:]), cmp.Compare(a.number, b.number))
	})
	return all
}

// pairWith pairs the payments of equal identity, in the order of the files.
func (m *marked) pairWith(other *marked) {
	a, b := m.sorted(), other.sorted()
	for len(a) > 0 && len(b) > 0 {
		switch bytes.Compare(a[0].identity[:], b[0].identity[:]) {
		case -1:
			a = a[1:]
		case 1:
			b = b[1:]
		default:
			m.pairOf[a[0].number], other.pairOf[b[0].number] = b[0].number, a[0].number
			a, b = a[1:], b[1:]
		}
	}
}

// readAgain reads the file again and returns the unpaired payments, or all payments, by their number in the file.
func (m *marked) readAgain(r io.ReadSeeker, today models.Date, all bool) (map[int]*Transaction, error) {
	if !all && !slices.Contains(m.pairOf, unpaired) {
		return nil, nil
	}
	if _, err := r.Seek(0, io.SeekStart); err != nil {
		return nil, fmt.Errorf("reading the file again: %w", err)
	}
	lines, n := map[int]*Transaction{}, 0
	_, err := eachTransaction(r, today, func(l *Transaction) {
		if all || m.pairOf[n] == unpaired {
			kept := *l
			lines[n] = &kept
		}
		n++
	})
	if err != nil {
		return nil, err
	}
	return lines, nil
}
