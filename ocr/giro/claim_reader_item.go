package giro

import (
	"bytes"
	"strings"

	"purr/models"
)

// item1 reads amount item 1: a new claim.
func (c *claimReader) item1(rec *claimItem1) {
	if c.assignment == nil {
		c.fault(CodeUnexpectedRecord, "a claim outside an assignment")
		c.damaged = true
		return
	}
	kind := (*record)(rec).kind()
	claim := Claim{Line: c.lines.line}
	switch string(kind) {
	case "02":
		claim.Type = ClaimOwnNotice
	case "21":
		claim.Type = ClaimBankNotice
	case "93":
		claim.Type = ClaimCancellation
	default:
		c.fault(CodeUnknownType, "the type of the claim is %q instead of 02, 21 or 93", latin1(kind))
	}
	if claim.Type != 0 && (claim.Type == ClaimCancellation) != c.assignment.Cancellations {
		c.fault(CodeMixedAssignment, "claims and cancellations stand in assignments of their own")
	}
	if n := c.serial(rec.number(), "transaction number"); n > 0 {
		if n <= c.number {
			c.fault(CodeNumberNotAbove, "the transaction number is %d, which is not above %d", n, c.number)
		}
		c.number = n
	}
	claim.Due = c.due(rec.due())
	c.blank(rec.blank())
	if c.digits(rec.amount(), "amount") {
		claim.Amount = models.Amount(number(rec.amount()))
		if claim.Amount == 0 {
			c.fault(CodeNoAmount, "the amount is 0")
		}
	}
	claim.KID = c.kid(rec.kid())
	c.zeros(rec.filler())
	c.assignment.Claims = append(c.assignment.Claims, claim)
	c.sums.add(claim)
	c.pending = true
}

// due reads a due date.
func (c *claimReader) due(field []byte) models.Date {
	d, ok := c.dates.read(field)
	if !ok || d == 0 {
		c.fault(CodeBadDate, "the due date is %q, which is no date of the form DDMMYY", latin1(field))
	}
	return d
}

// kid reads a KID: digits alone, right-aligned, with its check digit.
func (c *claimReader) kid(field []byte) string {
	trimmed := bytes.TrimLeft(field, " ")
	if len(trimmed) == 0 || !digits(trimmed) {
		c.fault(CodeBadKID, "the KID is %q, it must be digits at the right of its field", latin1(field))
		return strings.TrimSpace(latin1(field))
	}
	kid := string(trimmed)
	if !models.ValidKID(kid, models.Modulus10) && !models.ValidKID(kid, models.Modulus11) {
		c.fault(CodeKIDCheck, "the check digit of the KID %s is wrong", kid)
	}
	return kid
}

// item2 reads amount item 2, which belongs to the amount item 1 before it.
func (c *claimReader) item2(rec *claimItem2) {
	if !c.pending {
		c.fault(CodeUnpairedItem, "amount item 2 does not follow amount item 1")
		return
	}
	c.pending = false
	claim := c.last()
	if kind := string((*record)(rec).kind()); claim.Type != 0 && kind != claimTag(claim.Type, "")[4:6] {
		c.fault(CodeUnpairedItem, "amount item 2 is of type %q, amount item 1 of type %02d", kind, int(claim.Type))
	}
	c.sameNumber(rec.number(), "amount item 2")
	claim.ShortName = strings.TrimRight(c.text(rec.shortName(), "short name"), " ")
	c.blank(rec.blank())
	claim.Reference = strings.TrimRight(c.text(rec.reference(), "reference"), " ")
	c.zeros(rec.filler())
}

// last returns the claim that was read last.
func (c *claimReader) last() *Claim { return &c.assignment.Claims[len(c.assignment.Claims)-1] }

func (c *claimReader) sameNumber(field []byte, what string) {
	if c.digits(field, "transaction number") && number(field) != c.number {
		c.fault(CodeUnpairedItem, "%s is of transaction %d, amount item 1 of transaction %d", what, number(field), c.number)
	}
}

// specification reads half of a line of the bank's notice.
func (c *claimReader) specification(rec *specification) {
	if c.assignment == nil || len(c.assignment.Claims) == 0 {
		c.fault(CodeUnexpectedRecord, "a specification without its claim")
		return
	}
	c.sameNumber(rec.number(), "the specification")
	c.zeros(rec.filler())
	claim := c.last()
	text := c.text(rec.text(), "specification")
	line, column := 0, 0
	if c.digits(rec.line(), "line") && c.digits(rec.column(), "column") {
		line, column = int(number(rec.line())), int(number(rec.column()))
	}
	switch {
	case claim.Type == ClaimCancellation:
		c.fault(CodeBadSpecification, "a cancellation has no specification")
	case string(rec.four()) != "4":
		c.fault(CodeBadSpecification, "the specification's mark is %q instead of 4", latin1(rec.four()))
	case line < 1 || line > MaxSpecificationLines || column < 1 || column > 2:
		c.fault(CodeBadSpecification, "a specification has the lines 1 to %d and the columns 1 and 2, not line %d, column %d", MaxSpecificationLines, line, column)
	case strings.TrimSpace(text) == "":
		c.fault(CodeBadSpecification, "a blank line of the specification must not be sent")
	default:
		c.specify(claim, line, column, text)
	}
}

// specify puts a half of a line into the claim's specification.
func (c *claimReader) specify(claim *Claim, line, column int, text string) {
	for len(claim.Specification) < line {
		claim.Specification = append(claim.Specification, "")
	}
	said := &claim.Specification[line-1]
	have := []rune(*said)
	if line < len(claim.Specification) || column == 1 && *said != "" || column == 2 && len(have) > MaxSpecificationLine/2 {
		c.fault(CodeBadSpecification, "line %d, column %d of the specification comes twice or out of order", line, column)
		return
	}
	if column == 2 {
		*said += strings.Repeat(" ", MaxSpecificationLine/2-len(have))
	}
	*said += strings.TrimRight(text, " ")
}
