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
	InBoth      int           // number of payments
	BothAmount  models.Amount // øre
	Both        []Pair        // they themselves, where all are asked for, in the order of A
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

// Compare reads two payment files and pairs their payments, one for one. Those of one format are paired as the importer
// knows a line again: by all that the bank says of it, while equal ones stay as many as they are. Those of OCR giro and
// camt.054 are paired by account, KID, amount, date and payer's account (rule E4); a payment without a KID has no twin.
// It keeps 40 bytes of each payment, and reads a file again for those that are to be shown: those in one file only, and
// with all those in both. The error is a WrongFile.
func Compare(a, b io.ReadSeeker, today models.Date, all bool) (*Comparison, error) {
	ofTwoFormats := false
	for n, r := range []io.ReadSeeker{a, b} {
		file := buffered(r)
		ofTwoFormats = ofTwoFormats != isCamt(file)
		if _, err := r.Seek(0, io.SeekStart); err != nil {
			return nil, &WrongFile{Second: n == 1, Err: err}
		}
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

// show reads again what is to be shown.
func (c *Comparison) show(a, b io.ReadSeeker, inA, inB *marked, today models.Date, all bool) error {
	linesA, err := inA.linesAgain(a, today, all)
	if err != nil {
		return &WrongFile{Err: err}
	}
	linesB, err := inB.linesAgain(b, today, all)
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
