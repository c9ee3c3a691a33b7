package bankfile

import (
	"bytes"
	"cmp"
	"io"
	"slices"

	"purr/models"
)

// marked is a file of which only so much is kept of each payment that it is known again.
type marked struct {
	head   Head
	marks  []mark
	pairOf []int32 // by payment: the one in the other file, or unpaired
}

// mark is what is kept of a payment: the first half of its identity, which is enough to tell apart more payments than
// there will ever be.
type mark struct {
	identity [16]byte
	amount   models.Amount // øre
	number   int32         // in the file, from 0
	alone    bool          // it can have no twin
}

const unpaired = -1

// readMarks reads a file. The error is models.FileFaults where the file has faults.
func readMarks(r io.Reader, today models.Date, ofTwoFormats bool) (*marked, error) {
	m := &marked{}
	var err error
	m.head, err = eachLine(r, today, func(l *Line) {
		identity, known := l.identity, true
		if ofTwoFormats {
			identity, known = l.twin()
		}
		m.marks = append(m.marks, mark{[16]byte(identity[:16]), l.Amount, int32(len(m.marks)), !known}) //nolint:gosec // a file holds fewer
		m.pairOf = append(m.pairOf, unpaired)
	})
	return m, err
}

// sorted returns the marks by identity, equal ones in the order in which they stand.
func (m *marked) sorted() []mark {
	all := slices.DeleteFunc(slices.Clone(m.marks), func(k mark) bool { return k.alone })
	slices.SortFunc(all, func(a, b mark) int {
		return cmp.Or(bytes.Compare(a.identity[:], b.identity[:]), cmp.Compare(a.number, b.number))
	})
	return all
}

// pairWith pairs the payments of one identity in the order in which they stand.
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

// linesAgain reads the file again for the payments that are unpaired, with all for the others too, and returns them by
// their number in the file.
func (m *marked) linesAgain(r io.ReadSeeker, today models.Date, all bool) (map[int]*Line, error) {
	if !all && !slices.Contains(m.pairOf, unpaired) {
		return nil, nil
	}
	lines, n := map[int]*Line{}, 0
	err := readAgain(r, func() error {
		_, err := eachLine(r, today, func(l *Line) {
			if all || m.pairOf[n] == unpaired {
				kept := *l
				lines[n] = &kept
			}
			n++
		})
		return err
	})
	return lines, err
}
