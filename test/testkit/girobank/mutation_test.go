package girobank

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"purr/ocr/giro"
)

// TestOneWrongByteG4 changes one byte of the sample, and wants it refused by name. Lines and columns count from 1.
func TestOneWrongByteG4(t *testing.T) {
	for _, c := range []struct {
		line, column int
		sign         byte
		complaint    string
	}{
		{1, 1, 'X', "does not begin with NY"},
		{1, 8, '1', "the start is missing"},
		{1, 9, '2', `the sender "20101010" is unknown`},
		{1, 9, 'X', `the sender "X0101010" is unknown`},
		{1, 17, ' ', "the transmission number is \" 000001\", which is no number"},
		{1, 23, '0', "the transmission number is 0"},
		{1, 31, '1', `the recipient is "00008081"`},
		{1, 32, '1', "is no filler of zeros"},
		{1, 80, ' ', "is no filler of zeros"},
		{1, 80, '\x85', "has a sign that ISO-8859-1 does not print"},
		{1, 80, '\n', "does not end with CR LF"},
		{2, 4, '9', "290020 outside an assignment"},
		{2, 6, '1', "210120 outside an assignment"},
		{2, 9, '1', "is no filler of zeros"},
		{2, 24, '0', "the assignment number is 0"},
		{2, 35, '4', "the account 12345678904 has no agreement"},
		{2, 36, ' ', "is no filler of zeros"},
		{3, 5, '0', "there is no record 210130"},
		{3, 15, '2', "the transaction number is 1, counted are 2"},
		{3, 15, '0', "the transaction number is 0"},
		{3, 16, '2', "the earliest due date of the assignment is 100227"},
		{3, 16, '4', `the due date is "400227", which is no date`},
		{3, 22, '0', "is no filler of blanks"},
		{3, 33, '1', "the sum of the assignment is 300436"},
		{3, 49, ' ', "the amount is \"0000000000030043"},
		{3, 50, '-', "digits at the right of its field"},
		{3, 73, 'A', "it must be digits at the right of its field"},
		{3, 74, ' ', "it must be digits at the right of its field"},
		{3, 74, '7', "has a wrong check digit"},
		{3, 75, '1', "is no filler of zeros"},
		{4, 15, '2', "the transaction number is 2, counted are 1"},
		{4, 8, '9', "there is no record 212139"},
		{4, 16, ' ', "which is not at the left of its field"},
		{4, 26, '0', "is no filler of blanks"},
		{4, 51, ' ', "which is not at the left of its field"},
		{4, 76, ' ', "is no filler of zeros"},
		{5, 16, '3', `the mark of the specification is "3"`},
		{5, 17, '1', "the specification has no line 101"},
		{5, 19, '0', "the specification has no line 0"},
		{5, 20, '3', "the specification has no column 3"},
		{5, 20, '2', "line 1, column 2 of the specification comes twice"},
		{5, 61, '1', "is no filler of zeros"},
		{8, 16, '2', "the number of transactions of the assignment is 2, counted are 1"},
		{8, 24, '6', "the number of records of the assignment is 6, counted are 7"},
		{8, 41, '7', "the sum of the assignment is 300437, counted are 300436"},
		{8, 42, '2', "the earliest due date of the assignment is 200227"},
		{8, 48, '2', "the latest due date of the assignment is 200227"},
		{8, 54, '1', "is no filler of zeros"},
		{8, 7, '7', "there is no record 210078"},
		{9, 16, '0', "the number of transactions of the transmission is 0, counted are 1"},
		{9, 24, '8', "the number of records of the transmission is 8, counted are 9"},
		{9, 41, '5', "the sum of the transmission is 300435, counted are 300436"},
		{9, 47, '8', "the earliest due date of the transmission is 100228"},
		{9, 48, '1', "is no filler of zeros"},
		{9, 81, '\n', "does not end with CR LF"},
		{9, 82, ' ', "the last line does not end with CR LF"},
	} {
		content := []byte(sample(t))
		content[(c.line-1)*(recordLength+2)+c.column-1] = c.sign
		b := newBank(t)
		b.Receive("claims", content, on(t, inTime))
		if all := strings.Join(b.Complaints(), "\n"); !strings.Contains(all, c.complaint) {
			t.Errorf("line %d, column %d is %q: want %q, got %q", c.line, c.column, c.sign, c.complaint, all)
		}
		if b.Draw(day(t, "2027-02-10")) != nil {
			t.Errorf("line %d, column %d is %q: it is drawn", c.line, c.column, c.sign)
		}
	}
}

// free reports whether a byte of the sample may be another, counted from 0: numbers that the creditor gives, the KID, texts, and which
// lines of the notice they are.
func free(line, column int) bool {
	in := func(from, to int) bool { return column >= from && column < to }
	switch line {
	case 0:
		return in(16, 23)
	case 1:
		return in(17, 24)
	case 2:
		return in(49, 74)
	case 3:
		return in(15, 25) || in(50, 75)
	case 4, 5, 6:
		return in(16, 60)
	}
	return false
}

// TestNoByteButTheFreeOnesG4 changes each byte of the sample, and no two readers of the format disagree: what the bank takes, ReadClaims
// reads without a fault, and what it refuses for its form, ReadClaims refuses too.
func TestNoByteButTheFreeOnesG4(t *testing.T) {
	original := sample(t)
	for at := range original {
		line, column := at/(recordLength+2), at%(recordLength+2)
		for _, sign := range []byte("0123456789 -AN\xe5\x00\r\n") {
			if original[at] == sign {
				continue
			}
			content := []byte(original)
			content[at] = sign
			b := newBank(t)
			b.Receive("claims", content, on(t, inTime))
			taken := len(b.Complaints()) == 0
			if taken && !free(line, column) {
				t.Errorf("line %d, column %d is %q, and the file is taken", line+1, column+1, sign)
			}
			_, err := giro.ReadClaims(bytes.NewReader(content), day(t, "2026-12-31"))
			if taken && err != nil {
				t.Errorf("line %d, column %d is %q: taken, but giro reads %v", line+1, column+1, sign, err)
			}
			if !taken && err == nil && !onlyTheBankKnows(b.Complaints()) {
				t.Errorf("line %d, column %d is %q: giro reads it, the bank says %q", line+1, column+1, sign, b.Complaints())
			}
		}
	}
}

// onlyTheBankKnows reports whether all complaints are of what giro does not look at: who sent a file, what was agreed, which day it is, and
// the end of lines, where giro takes LF too, and a blank before a text.
func onlyTheBankKnows(complaints []string) bool {
	for _, c := range complaints {
		known := false
		for _, words := range []string{"is unknown", "does not end with CR LF", "not at the left", "has no agreement", "nobody ever gave a mandate", "which is past", "more than 12 months", "is too late"} {
			known = known || strings.Contains(c, words)
		}
		if !known {
			return false
		}
	}
	return true
}

// TestNoRecordIsMissingOrTwiceG4 leaves out each record, writes it twice, and swaps it with the next.
func TestNoRecordIsMissingOrTwiceG4(t *testing.T) {
	lines := strings.SplitAfter(strings.TrimSuffix(sample(t), "\r\n")+"\r\n", "\r\n")
	lines = lines[:len(lines)-1]
	for i := range lines {
		without := strings.Join(append(append([]string(nil), lines[:i]...), lines[i+1:]...), "")
		twice := strings.Join(lines[:i+1], "") + strings.Join(lines[i:], "")
		changed := map[string]string{"missing": without, "twice": twice}
		if i+1 < len(lines) {
			swapped := append([]string(nil), lines...)
			swapped[i], swapped[i+1] = swapped[i+1], swapped[i]
			changed["swapped"] = strings.Join(swapped, "")
		}
		for how, content := range changed {
			b := newBank(t)
			b.Receive("claims", []byte(content), on(t, inTime))
			if len(b.Complaints()) == 0 {
				t.Errorf("record %d is %s, and the file is taken", i+1, how)
			}
			if _, err := giro.ReadClaims(strings.NewReader(content), day(t, "2026-12-31")); err == nil {
				t.Errorf("record %d is %s, and giro reads it", i+1, how)
			}
		}
	}
	for what, content := range map[string]string{
		"nothing": "", "LF alone": strings.ReplaceAll(sample(t), "\r\n", "\n"), "two": sample(t) + sample(t), "an empty line": sample(t) + "\r\n",
		"a long line": strings.Replace(sample(t), "\r\n", "0\r\n", 1), "UTF-8": strings.Replace(sample(t), "BRYGGEDRIF", "BRYGGEDRÆF", 1),
	} {
		b := newBank(t)
		receipts := b.Receive("claims", []byte(content), on(t, inTime))
		if len(b.Complaints()) == 0 || len(receipts) != 1 || !strings.HasPrefix(receipts[0].Name, "KV.AVVIST.F0000") {
			t.Errorf("%s: the receipts are %s", what, names(receipts))
		}
	}
}

// TestNumbersAscendG4: a claim's number is above that of the claim before, and the same in its records.
func TestNumbersAscendG4(t *testing.T) {
	due := day(t, "2027-02-10")
	content := string(fileOf(t, 1, claimOf(kidOf("0000000", "11"), due, 100), claimOf(kidOf("0000000", "22"), due, 200)))
	for _, record := range []string{"NY210230", "NY210231"} {
		content = strings.Replace(content, record+"0000002", record+"0000001", 1)
	}
	b := newBank(t)
	rows := rowsOf(t, b.Receive("claims", []byte(content), on(t, "2027-01-15 09:00")))
	mustComplain(t, b, "the transaction number is 1, which is not above 1")
	if len(rows) != 1 || !strings.Contains(rows[0], ";2,00;AVVIST;11;") {
		t.Errorf("the rows are %q", rows)
	}
	if b.Draw(due); len(b.Drawn()) != 1 {
		t.Errorf("drawn is %v", b.Drawn())
	}
}

// TestLimitsOfTheNoticeG4 writes a notice of 42 lines and two columns, and one more line.
func TestLimitsOfTheNoticeG4(t *testing.T) {
	claim := claimOf(sampleKID, day(t, "2027-02-15"), 100)
	claim.Type = giro.ClaimBankNotice
	for i := range giro.MaxSpecificationLines {
		claim.Specification = append(claim.Specification, fmt.Sprintf("line %-35d%s", i+1, strings.Repeat("å", 40)))
	}
	content := fileOf(t, 1, claim)
	b := newBank(t)
	b.Receive("claims", content, on(t, "2027-01-15 09:00"))
	mustBeContent(t, b)
	b = newBank(t)
	b.Receive("claims", bytes.Replace(content, []byte("40422"), []byte("4043"+"2"), 1), on(t, "2027-01-15 09:00"))
	mustComplain(t, b, "the specification has no line 43")
	b = newBank(t)
	blank := strings.Repeat(" ", 40)
	b.Receive("claims", bytes.Replace(content, []byte(strings.Repeat("\xe5", 40)), []byte(blank), 1), on(t, "2027-01-15 09:00"))
	mustComplain(t, b, "an empty specification must not be sent")
}
