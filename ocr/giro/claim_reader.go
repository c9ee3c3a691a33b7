package giro

import (
	"bytes"
	"errors"
	"fmt"
	"io"

	"purr/models"
)

// ReadClaims reads a file of claims as strictly as its receiver: what the description does not allow is a fault. The error is
// models.FileFaults if there are faults, at most MaxFaults; the file then holds what could be read. The date of today decides the century
// of two-digit years; see DueTooFar for what else it says.
func ReadClaims(r io.Reader, today models.Date) (*ClaimFile, error) {
	c := &claimReader{lines: newLineReader(r), dates: newDateField(today), numbers: map[string]bool{}}
	for {
		line, err := c.lines.next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, fmt.Errorf("reading line %d: %w", c.lines.line+1, err)
		}
		c.readLine(line)
		if len(c.faults) >= MaxFaults {
			return &c.file, c.faults[:MaxFaults]
		}
	}
	c.finish()
	if len(c.faults) > 0 {
		return &c.file, c.faults
	}
	return &c.file, nil
}

// claimReader reads a file of claims line by line.
type claimReader struct {
	lines  lineReader
	dates  dateField
	file   ClaimFile
	faults models.FileFaults

	numbers    map[string]bool  // account and number of the assignments so far
	begun      bool             // a transmission has begun
	ended      bool             // and ended
	assignment *ClaimAssignment // open, or nil
	number     int64            // of the last claim in it
	pending    bool             // amount item 1 was read, amount item 2 must follow
	sums, all  claimSums        // of the assignment, of the transmission
	records    int              // of the assignment so far
	total      int              // of the transmission so far
	damaged    bool             // a line could not be read: nothing is counted
}

func (c *claimReader) fault(code, format string, args ...any) {
	c.faults = append(c.faults, models.FileFinding{Line: c.lines.line, Code: code, Text: fmt.Sprintf(format, args...)})
}

func (c *claimReader) readLine(line []byte) {
	switch {
	case len(line) != recordLen && c.lines.line == 1 && foreign(line) != "":
		c.fault(CodeBadLength, "the file is %s", foreign(line))
		c.damaged = true
		return
	case len(line) != recordLen:
		c.fault(CodeBadLength, "%s", wrongLength(line))
		c.damaged = true
		return
	case string(line[:2]) != "NY":
		c.fault(CodeNotNY, "the record starts with %q instead of NY", latin1(line[:2]))
		c.damaged = true
		return
	}
	rec := (*record)(line)
	c.records++
	c.total++
	tag := string(rec.tag())
	if c.pending && tag[6:] != "31" {
		c.fault(CodeUnpairedItem, "amount item 2 of the claim before is missing")
		c.pending = false
	}
	switch {
	case tag == tagTransmissionStart:
		c.start((*transmissionStart)(rec))
	case tag == tagClaims, tag == tagCancellations:
		c.startAssignment((*claimsStart)(rec), tag == tagCancellations)
	case tag == tagClaimsEnd, tag == tagCancellationsEnd:
		c.endAssignment((*claimsEnd)(rec), tag == tagCancellationsEnd)
	case tag == tagTransmissionEnd:
		c.end((*transmissionEnd)(rec))
	case string(rec.service()) == ServiceAvtaleGiro && tag[6:] == "30":
		c.item1((*claimItem1)(rec))
	case string(rec.service()) == ServiceAvtaleGiro && tag[6:] == "31":
		c.item2((*claimItem2)(rec))
	case tag == claimTag(ClaimBankNotice, "49"):
		c.specification((*specification)(rec))
	default:
		c.fault(CodeUnexpectedRecord, "the record begins with %q, which is no record of claims", latin1([]byte(tag)))
	}
}

func (c *claimReader) start(rec *transmissionStart) {
	if c.begun {
		c.fault(CodeSeveralFiles, "a second transmission begins: a file holds one")
		return
	}
	c.begun = true
	c.file.Sender = string(rec.sender())
	c.file.Number = int(c.serial(rec.number(), "transmission number"))
	if !c.digits(rec.sender(), "sender") || c.file.Sender == NetsSender || zeros(rec.sender()) {
		c.fault(CodeWrongParty, "the sender is %q, it must be the creditor's customer unit", latin1(rec.sender()))
	}
	if string(rec.recipient()) != NetsSender {
		c.fault(CodeWrongParty, "the recipient is %q instead of %s, which is Nets", latin1(rec.recipient()), NetsSender)
	}
	c.zeros(rec.filler())
}

func (c *claimReader) startAssignment(rec *claimsStart, cancellations bool) {
	if c.assignment != nil {
		c.fault(CodeMissingEnd, "the assignment before has no end record")
		c.closeAssignment()
	}
	if !c.begun || c.ended {
		c.fault(CodeUnexpectedRecord, "start of assignment outside a transmission")
	}
	a := ClaimAssignment{Account: string(rec.account()), Cancellations: cancellations}
	a.Number = int(c.serial(rec.number(), "assignment number"))
	if c.digits(rec.account(), "account") && !models.ValidBankAccount(a.Account) {
		c.fault(CodeAccountCheck, "the check digit of the account %s is wrong", a.Account)
	}
	key := fmt.Sprintf("%s %d", a.Account, a.Number)
	if c.numbers[key] {
		c.fault(CodeAssignmentTwice, "the account %s has an assignment %d already", a.Account, a.Number)
	}
	c.numbers[key] = true
	c.zeros(rec.filler1())
	c.zeros(rec.filler2())
	c.assignment, c.number, c.records, c.sums = &a, 0, 1, claimSums{}
}

func (c *claimReader) endAssignment(rec *claimsEnd, cancellations bool) {
	a := c.assignment
	if a == nil {
		c.fault(CodeUnexpectedRecord, "end of assignment without its start")
		return
	}
	if a.Cancellations != cancellations {
		c.fault(CodeMixedAssignment, "the end of assignment is of another kind than its start")
	}
	if len(a.Claims) == 0 && !c.damaged {
		c.fault(CodeNoClaim, "the assignment holds no claim")
	}
	c.count("assignment", rec.transactions(), c.sums.n, "transactions")
	c.count("assignment", rec.records(), c.records, "records")
	c.sum("assignment", rec.amount(), c.sums.amount)
	c.day("earliest due date", rec.earliest(), c.sums.earliest)
	c.day("latest due date", rec.latest(), c.sums.latest)
	c.zeros(rec.filler())
	c.closeAssignment()
}

func (c *claimReader) closeAssignment() {
	c.file.Assignments = append(c.file.Assignments, *c.assignment)
	c.all.join(c.sums)
	c.assignment = nil
}

func (c *claimReader) end(rec *transmissionEnd) {
	if c.assignment != nil {
		c.fault(CodeMissingEnd, "the assignment before has no end record")
		c.closeAssignment()
	}
	if !c.begun || c.ended {
		c.fault(CodeUnexpectedRecord, "end of transmission without its start")
		return
	}
	c.ended = true
	if len(c.file.Assignments) == 0 && !c.damaged {
		c.fault(CodeNoClaim, "the transmission holds no assignment")
	}
	c.count("transmission", rec.transactions(), c.all.n, "transactions")
	c.count("transmission", rec.records(), c.total, "records")
	c.sum("transmission", rec.amount(), c.all.amount)
	c.day("earliest due date", rec.created(), c.all.earliest)
	c.zeros(rec.filler())
}

// finish reports what is missing at the end of the file.
func (c *claimReader) finish() {
	switch {
	case c.damaged && !c.begun:
	case !c.begun && len(c.faults) == 0:
		c.lines.line = max(c.lines.line, 1)
		c.fault(CodeEmptyFile, "the file holds no record")
	case !c.ended:
		c.fault(CodeMissingEnd, "the transmission has no end record")
	}
}

func (c *claimReader) digits(field []byte, name string) bool {
	if !digits(field) {
		c.fault(CodeBadNumber, "the %s is %q, which is no number", name, latin1(field))
		return false
	}
	return true
}

// serial reads a number from 1.
func (c *claimReader) serial(field []byte, name string) int64 {
	if !c.digits(field, name) {
		return 0
	}
	if zeros(field) {
		c.fault(CodeBadNumber, "the %s is 0, it must be 1 or above", name)
	}
	return number(field)
}

func (c *claimReader) zeros(field []byte) {
	if !zeros(field) {
		c.fault(CodeFillerNotZero, "a filler is %q instead of zeros", latin1(field))
	}
}

func (c *claimReader) blank(field []byte) {
	if len(bytes.Trim(field, " ")) > 0 {
		c.fault(CodeBadText, "a field is %q that must be blank", latin1(field))
	}
}

func (c *claimReader) text(field []byte, name string) string {
	text := latin1(field)
	for _, sign := range text {
		if !printableLatin1(sign) {
			c.fault(CodeBadText, "the %s is %q, which holds a control sign", name, text)
			break
		}
	}
	return text
}

func (c *claimReader) count(what string, field []byte, counted int, of string) {
	if c.digits(field, "number of "+of) && !c.damaged && number(field) != int64(counted) {
		c.fault(CodeCountMismatch, "the end of %s says %d %s, there are %d", what, number(field), of, counted)
	}
}

func (c *claimReader) sum(what string, field []byte, counted models.Amount) {
	if c.digits(field, "amount") && !c.damaged && models.Amount(number(field)) != counted {
		c.fault(CodeSumMismatch, "the end of %s says %s, its claims add up to %s", what, models.Amount(number(field)), counted)
	}
}

func (c *claimReader) day(name string, field []byte, counted models.Date) {
	d, ok := c.dates.read(field)
	switch {
	case !ok:
		c.fault(CodeBadDate, "the %s is %q, which is no date of the form DDMMYY", name, latin1(field))
	case d != counted && !c.damaged:
		c.fault(CodeRangeMismatch, "the %s is %s, that of the claims is %s", name, orNone(d), orNone(counted))
	}
}
