package girobank

import (
	"fmt"
	"strings"

	"purr/models"
)

// State is what became of a claim.
type State string

// The states of a claim.
const (
	Waiting   State = "waiting"   // for its due date
	Refused   State = "refused"   // told by a receipt
	Cancelled State = "cancelled" // by the creditor
	Paid      State = "drawn"
	Unpaid    State = "unpaid" // not drawn, told to nobody
	Lost      State = "lost"   // in a file that was lost
)

// Claim is what a file asked for: that an amount is drawn, or that a claim of before is not.
type Claim struct {
	File         string // its name
	Transmission string // 7 digits
	Account, KID string
	Amount       models.Amount // øre
	Due          models.Date
	ShortName    string
	Reference    string
	Cancellation bool
	Notice       bool // the bank tells the payer (type 21)
	State        State
	Why          string // it was refused or not drawn
}

// claim is a claim with what only its reading needs.
type claim struct {
	Claim
	line, number int64
	second       bool // record 31 was read
	lastSpec     int  // line and column of the last specification, twice the line and once the column
	assignment   *assignment
	faults       []string
}

func (c *claim) fault(format string, args ...any) {
	c.faults = append(c.faults, fmt.Sprintf(format, args...))
}

// item1 reads amount item 1, which begins a claim: NY210230, NY212130, NY219330.
func (a *assignment) item1(r record) {
	a.complete(r.line)
	c := &claim{line: int64(r.line), assignment: a}
	a.claims = append(a.claims, c)
	r.fault = c.fault
	kind := r.text[4:6]
	c.Cancellation, c.Notice = kind == "93", kind == "21"
	if c.Cancellation != a.cancellations {
		a.fault("line %d: claims and cancellations share no assignment", r.line)
	}
	if c.number = r.serial(8, 15, "transaction number"); c.number > 0 && c.number <= a.last {
		c.fault("line %d: the transaction number is %d, which is not above %d", r.line, c.number, a.last)
	}
	a.last = max(a.last, c.number)
	c.Due = r.date(15, 21, "due date")
	r.blanks(21, 32)
	c.Amount = models.Amount(max(r.serial(32, 49, "amount"), 0))
	c.KID = r.kid(49, 74)
	r.zeros(74, recordLength)
	c.Account = a.account
	a.sums.add(c.Amount, c.Due, c.Due)
}

// complete tells of a claim that has no amount item 2. A cancellation may do without.
func (a *assignment) complete(line int) {
	if n := len(a.claims); n > 0 && !a.claims[n-1].second && !a.cancellations {
		a.claims[n-1].fault("line %d: record 31 of the claim before is missing", line)
	}
}

// open returns the claim that a record of the transaction goes on with, or nil. It wants the claim's number.
func (a *assignment) open(r *record) *claim {
	if len(a.claims) == 0 {
		a.fault("line %d: %s without its record 30", r.line, r.tag())
		return nil
	}
	c := a.claims[len(a.claims)-1]
	r.fault = c.fault
	r.is(8, 15, "transaction number", c.number)
	return c
}

// item2 reads amount item 2: NY210231, NY212131, NY219331.
func (a *assignment) item2(r record) {
	c := a.open(&r)
	if c == nil {
		return
	}
	if want := map[bool]string{true: "93", false: map[bool]string{true: "21", false: "02"}[c.Notice]}[c.Cancellation]; r.text[4:6] != want {
		c.fault("line %d: record 31 is of type %s, record 30 of type %s", r.line, r.text[4:6], want)
	}
	if c.second {
		c.fault("line %d: a second record 31", r.line)
	}
	c.second = true
	c.ShortName = r.left(15, 25, "short name")
	r.blanks(25, 50)
	c.Reference = r.left(50, 75, "reference")
	r.zeros(75, recordLength)
}

// specification reads half of a line of the notice: NY212149.
func (a *assignment) specification(r record) {
	c := a.open(&r)
	if c == nil {
		return
	}
	if c.Cancellation || !c.second {
		c.fault("line %d: a specification where none may be", r.line)
	}
	if mark := r.text[15:16]; mark != "4" {
		c.fault("line %d: the mark of the specification is %q instead of 4", r.line, mark)
	}
	line, column := int(r.number(16, 19, "line of the specification")), int(r.number(19, 20, "column of the specification"))
	at := 2*line + column
	switch {
	case line < 1 || line > 42:
		c.fault("line %d: the specification has no line %d", r.line, line)
	case column != 1 && column != 2:
		c.fault("line %d: the specification has no column %d", r.line, column)
	case at <= c.lastSpec:
		c.fault("line %d: line %d, column %d of the specification comes twice or too late", r.line, line, column)
	}
	c.lastSpec = max(c.lastSpec, at)
	if strings.TrimSpace(r.text[20:60]) == "" {
		c.fault("line %d: an empty specification must not be sent", r.line)
	}
	r.zeros(60, recordLength)
}
