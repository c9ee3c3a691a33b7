package giro

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strings"

	"purr/models"
)

// Write writes the file: records of 80 characters in ISO-8859-1 that end with CR LF. It numbers the claims of each assignment from
// 1, and counts and adds up what the end records tell. It fails where a field cannot hold its value, and names the claim; what was
// written until then is no file.
func (f *ClaimFile) Write(to io.Writer) error {
	w := &claimWriter{w: bufio.NewWriter(to)}
	if err := w.transmission(f); err != nil {
		return err
	}
	if err := w.w.Flush(); err != nil {
		return fmt.Errorf("writing a file of claims: %w", err)
	}
	return nil
}

// claimWriter writes records and counts them.
type claimWriter struct {
	w       *bufio.Writer
	records int // of the whole file
}

// claimSums is what an end record tells of claims.
type claimSums struct {
	n                int
	amount           models.Amount // øre
	earliest, latest models.Date
}

func (s *claimSums) add(c Claim) {
	s.join(claimSums{1, c.Amount, c.Due, c.Due})
}

func (s *claimSums) join(t claimSums) {
	if t.n == 0 {
		return
	}
	if s.n == 0 || t.earliest < s.earliest {
		s.earliest = t.earliest
	}
	s.n += t.n
	s.amount = plus(s.amount, t.amount)
	s.latest = max(s.latest, t.latest)
}

func (w *claimWriter) transmission(f *ClaimFile) error {
	if len(f.Sender) != 8 || f.Sender == NetsSender {
		return fmt.Errorf("giro: the sender is %q, it must be the creditor's customer unit of 8 digits", f.Sender)
	}
	if len(f.Assignments) == 0 {
		return errors.New("giro: a file of claims needs an assignment")
	}
	var fields fieldWriter
	rec := newRecord(tagTransmissionStart)
	start := (*transmissionStart)(rec)
	fields.digits(start.sender(), f.Sender, "sender")
	fields.serial(start.number(), f.Number, "transmission number")
	fields.digits(start.recipient(), NetsSender, "recipient")
	if err := w.write(&fields, rec); err != nil {
		return err
	}
	var sums claimSums
	for i := range f.Assignments {
		of, err := w.assignment(&f.Assignments[i])
		if err != nil {
			return err
		}
		sums.join(of)
	}
	rec = newRecord(tagTransmissionEnd)
	end := (*transmissionEnd)(rec)
	fields.number(end.transactions(), int64(sums.n), "number of transactions")
	fields.number(end.records(), int64(w.records+1), "number of records")
	fields.number(end.amount(), int64(sums.amount), "amount of the transmission")
	fields.date(end.created(), sums.earliest) // in a file of claims the earliest due date stands here
	return w.write(&fields, rec)
}

func (w *claimWriter) assignment(a *ClaimAssignment) (sums claimSums, err error) {
	switch {
	case !models.ValidBankAccount(a.Account):
		return sums, fmt.Errorf("giro: %q is not a bank account number", a.Account)
	case len(a.Claims) == 0:
		return sums, errors.New("giro: an assignment needs a claim")
	}
	before := w.records
	startTag, endTag := a.tags()
	var fields fieldWriter
	rec := newRecord(startTag)
	start := (*claimsStart)(rec)
	fields.serial(start.number(), a.Number, "assignment number")
	fields.digits(start.account(), a.Account, "account")
	if err := w.write(&fields, rec); err != nil {
		return sums, err
	}
	for i, c := range a.Claims {
		if a.Cancellations != (c.Type == ClaimCancellation) {
			return sums, errors.New("giro: claims and cancellations share no assignment")
		}
		if err := w.claim(i+1, c); err != nil {
			return sums, fmt.Errorf("claim with KID %s: %w", c.KID, err)
		}
		sums.add(c)
	}
	rec = newRecord(endTag)
	end := (*claimsEnd)(rec)
	fields.number(end.transactions(), int64(sums.n), "number of transactions")
	fields.number(end.records(), int64(w.records-before+1), "number of records")
	fields.number(end.amount(), int64(sums.amount), "amount of the assignment")
	fields.date(end.earliest(), sums.earliest)
	fields.date(end.latest(), sums.latest)
	return sums, w.write(&fields, rec)
}

func (w *claimWriter) claim(number int, c Claim) error {
	switch {
	case c.Type != ClaimOwnNotice && c.Type != ClaimBankNotice && c.Type != ClaimCancellation:
		return fmt.Errorf("giro: there is no claim of type %d", int(c.Type))
	case c.Due == 0:
		return errors.New("giro: a claim needs a due date")
	case c.Amount <= 0 || c.Amount > MaxAmount:
		return fmt.Errorf("giro: %s cannot be drawn", c.Amount)
	case c.KID == "" || !digits([]byte(c.KID)):
		return fmt.Errorf("giro: the KID is %q, AvtaleGiro takes only digits", c.KID)
	case len(c.Specification) > MaxSpecificationLines:
		return fmt.Errorf("giro: the specification has %d lines, there may be %d", len(c.Specification), MaxSpecificationLines)
	case len(c.Specification) > 0 && c.Type != ClaimBankNotice:
		return errors.New("giro: only a claim of which the bank tells has a specification")
	}
	var fields fieldWriter
	first, second := newRecord(claimTag(c.Type, "30")), newRecord(claimTag(c.Type, "31"))
	item1, item2 := (*claimItem1)(first), (*claimItem2)(second)
	fields.serial(item1.number(), number, "transaction number")
	fields.date(item1.due(), c.Due)
	fields.text(item1.blank(), "")
	fields.number(item1.amount(), int64(c.Amount), "amount")
	fields.kid(item1.kid(), c.KID)
	fields.serial(item2.number(), number, "transaction number")
	fields.text(item2.shortName(), c.ShortName)
	fields.text(item2.blank(), "")
	fields.text(item2.reference(), c.Reference)
	records := append([]*record{first, second}, specified(number, c.Specification, &fields)...)
	return w.write(&fields, records...)
}

// specified returns the records 49 of a specification. A blank half of a line has none.
func specified(number int, lines []string, fields *fieldWriter) []*record {
	var records []*record
	for i, text := range lines {
		line := []rune(text)
		if len(line) > MaxSpecificationLine {
			fields.fail("the line %q of the specification has more than %d characters", text, MaxSpecificationLine)
			return nil
		}
		const half = MaxSpecificationLine / 2
		for column, part := range []string{string(line[:min(half, len(line))]), string(line[min(half, len(line)):])} {
			if strings.TrimSpace(part) == "" {
				continue
			}
			rec := newRecord(claimTag(ClaimBankNotice, "49"))
			s := (*specification)(rec)
			fields.serial(s.number(), number, "transaction number")
			fields.digits(s.four(), "4", "record's mark")
			fields.number(s.line(), int64(i+1), "line")
			fields.number(s.column(), int64(column+1), "column")
			fields.text(s.text(), part)
			records = append(records, rec)
		}
	}
	return records
}

// serial right-aligns a number from 1 to MaxClaimNumber.
func (f *fieldWriter) serial(field []byte, n int, name string) {
	if n < 1 || n > MaxClaimNumber {
		f.fail("the %s is %d, it must be 1 to %d", name, n, MaxClaimNumber)
		return
	}
	f.number(field, int64(n), name)
}

// write writes records whose fields were filled without a fault.
func (w *claimWriter) write(fields *fieldWriter, records ...*record) error {
	if fields.err != nil {
		return fields.err
	}
	for _, rec := range records {
		w.records++
		w.w.Write(rec[:]) //nolint:errcheck // a bufio.Writer keeps its first error until Flush
		if _, err := w.w.WriteString("\r\n"); err != nil {
			return fmt.Errorf("writing a file of claims: %w", err)
		}
	}
	return nil
}
