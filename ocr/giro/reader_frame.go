package giro

import "purr/models"

func (r *Reader) startTransmission(rec *transmissionStart) {
	r.finishTransaction()
	if r.transmission != nil {
		r.abandonTransmission()
	}
	t := &Transmission{Line: r.lines.line, TransmissionHeader: TransmissionHeader{
		Sender: string(rec.sender()), Number: string(rec.number()), Recipient: string(rec.recipient()),
	}}
	r.countPart()
	r.transmission = t
	r.summary.Transmissions = append(r.summary.Transmissions, t)
	r.countRecord()
	r.digits(rec.number(), "transmission number")
	r.digits(rec.recipient(), "recipient")
	if r.digits(rec.sender(), "sender") && t.Sender != NetsSender {
		r.warn(CodeUnknownSender, "the sender is %s instead of %s, which is Nets", t.Sender, NetsSender)
	}
	r.filler(rec.filler())
}

func (r *Reader) startAssignment(rec *assignmentStart) {
	a := r.openAssignment("start of assignment", ServiceOCR, rec)
	r.digits(rec.agreementID(), "agreement id")
	r.digits(rec.number(), "assignment number")
	if r.digits(rec.account(), "account") && !models.ValidBankAccount(a.Account) {
		r.warn(CodeBadAccount, "the check digit of the assignment account %s is wrong", a.Account)
	}
	r.filler(rec.filler())
}

// startSkipped starts an assignment of another service. Its start record has the same layout.
func (r *Reader) startSkipped(rec *record) {
	a := r.openAssignment("start of assignment", string(rec.service()), (*assignmentStart)(rec))
	a.mandates = string(rec[2:6]) == "2124"
}

// openAssignment opens an assignment and counts its start record.
func (r *Reader) openAssignment(what, service string, rec *assignmentStart) *Assignment {
	r.finishTransaction()
	if r.assignment != nil {
		r.abandonAssignment()
	}
	r.needTransmission(what)
	a := &Assignment{Transmission: r.transmission, Service: service, Line: r.lines.line, skipped: service != ServiceOCR}
	a.AgreementID = string(rec.agreementID())
	a.Number = string(rec.number())
	a.Account = string(rec.account())
	r.countPart()
	r.transmission.Assignments = append(r.transmission.Assignments, a)
	r.assignment = a
	r.countRecord()
	return a
}

// countPart counts a transmission or an assignment. It ends the reading at maxParts, which only a malicious file reaches.
func (r *Reader) countPart() {
	if r.parts++; r.parts > maxParts {
		r.stop(CodeTooMany, "there are more than %d transmissions and assignments", maxParts)
	}
}

// needTransmission reports a record outside a transmission. It then opens one for the records that follow.
func (r *Reader) needTransmission(what string) {
	if r.transmission == nil {
		r.fault(CodeUnexpectedRecord, "%s outside a transmission", what)
		r.transmission = &Transmission{}
	}
}

// needAssignment returns the open assignment of OCR giro. It reports a record outside one, and then opens one for the
// records that follow.
func (r *Reader) needAssignment(what string) *Assignment {
	if r.assignment != nil && !r.assignment.Skipped() {
		return r.assignment
	}
	if r.assignment != nil {
		r.abandonAssignment()
	}
	r.fault(CodeUnexpectedRecord, "%s outside an assignment", what)
	r.imply()
	return r.assignment
}

// imply opens a transmission and an assignment if none is open. Without them, every record after a missing start
// record would be reported.
func (r *Reader) imply() {
	if r.transmission == nil {
		r.transmission = &Transmission{}
	}
	if r.assignment == nil {
		r.assignment = &Assignment{Transmission: r.transmission, Service: ServiceOCR}
	}
}

// skip counts a record of an assignment of another service.
func (r *Reader) skip(rec *record) {
	a := r.assignment
	switch string(rec.recordType()) {
	case "20":
		r.startSkipped(rec)
	case "88":
		r.endSkipped((*assignmentEnd)(rec))
	case "70":
		if a.mandates {
			a.Transactions++
			r.keepMandate((*mandate)(rec))
		}
		r.countRecord()
	default:
		r.countRecord()
	}
}

// endSkipped closes an assignment of another service. Its transactions can be counted only if they are mandates.
func (r *Reader) endSkipped(rec *assignmentEnd) {
	a := r.assignment
	r.countRecord()
	if !a.mandates && digits(rec.transactions()) {
		a.Transactions = int(number(rec.transactions()))
	}
	a.Ignored = a.Transactions
	r.checkCount("assignment", "transactions", rec.transactions(), a.Transactions, a.damage.count)
	r.checkCount("assignment", "records", rec.records(), a.Records, false)
	r.closeAssignment()
}

func (r *Reader) endAssignment(rec *assignmentEnd) {
	r.finishTransaction()
	if r.assignment == nil || r.assignment.Skipped() {
		r.fault(CodeUnexpectedRecord, "end of assignment without its start")
		r.countRecord()
		return
	}
	a := r.assignment
	r.countRecord()
	r.checkCount("assignment", "transactions", rec.transactions(), a.Transactions, a.damage.count)
	r.checkCount("assignment", "records", rec.records(), a.Records, false)
	if declared, ok := r.amount(rec.amount()); ok && !a.damage.sum {
		r.checkSum(a, declared)
	}
	a.Created, _ = r.date(&r.endDates, rec.created(), "date of the assignment")
	r.checkRange(rec, a)
	r.filler(rec.filler())
	r.closeAssignment()
}

// checkSum compares the assignment's sum with that of its end record.
func (r *Reader) checkSum(a *Assignment, declared models.Amount) {
	switch added := plus(plus(a.Amount, a.reversals), a.reversals); declared {
	case a.Amount:
	case added:
		a.Amount, a.ReversalsAdded = added, true
		r.warn(CodeReversalsAdded, "the end of assignment adds card reversals with sign \"-\" instead of subtracting them")
	default:
		r.fault(CodeSumMismatch, "the end of assignment says %s, the transactions add up to %s", declared, a.Amount)
	}
}

// checkRange compares the first and last Nets date with those of the end record. In files of some senders the end
// record is a week late.
func (r *Reader) checkRange(rec *assignmentEnd, a *Assignment) {
	earliest, ok1 := r.date(&r.endDates, rec.earliest(), "earliest date")
	latest, ok2 := r.date(&r.endDates, rec.latest(), "latest date")
	if ok1 && ok2 && a.Transactions > 0 && (earliest != a.Earliest || latest != a.Latest) {
		r.warn(CodeDateRange, "the end of assignment says %s to %s, the transactions are of %s to %s",
			orNone(earliest), orNone(latest), orNone(a.Earliest), orNone(a.Latest))
	}
}

func orNone(d models.Date) string {
	if d == 0 {
		return "no date"
	}
	return d.String()
}

func (r *Reader) endTransmission(rec *transmissionEnd) {
	r.finishTransaction()
	if r.transmission == nil {
		r.fault(CodeUnexpectedRecord, "end of transmission without its start")
		return
	}
	if r.assignment != nil {
		r.abandonAssignment()
	}
	t := r.transmission
	r.countRecord()
	r.checkCount("transmission", "transactions", rec.transactions(), t.Transactions, t.damage.count)
	r.checkCount("transmission", "records", rec.records(), t.Records, false)
	if declared, ok := r.amount(rec.amount()); ok && declared != t.Amount && !t.damage.sum {
		r.fault(CodeSumMismatch, "the end of transmission says %s, its assignments add up to %s", declared, t.Amount)
	}
	t.Created, _ = r.date(&r.endDates, rec.created(), "date of the transmission")
	r.filler(rec.filler())
	r.closeTransmission()
}

// checkCount compares a number with that of an end record. It does nothing if the number is unknown because a record
// could not be read.
func (r *Reader) checkCount(what, of string, field []byte, counted int, unknown bool) {
	if n, ok := r.number(field, "number of "+of); ok && int(n) != counted && !unknown {
		r.fault(CodeCountMismatch, "the end of %s says %d %s, there are %d", what, n, of, counted)
	}
}

// countRecord counts the current record in the open transmission and assignment.
func (r *Reader) countRecord() {
	if r.transmission != nil {
		r.transmission.Records++
	}
	if r.assignment != nil {
		r.assignment.Records++
	}
}

// abandonAssignment closes an assignment that has no end record.
func (r *Reader) abandonAssignment() {
	if a := r.assignment; a.Line > 0 {
		r.fault(CodeMissingEnd, "the assignment that starts in line %d has no end record", a.Line)
	}
	r.closeAssignment()
}

func (r *Reader) closeAssignment() {
	a := r.assignment
	totals := a.Totals
	totals.Records = 0 // the transmission has already counted each record
	a.Transmission.add(totals)
	r.assignment = nil
}

// abandonTransmission closes a transmission that has no end record.
func (r *Reader) abandonTransmission() {
	if r.assignment != nil {
		r.abandonAssignment()
	}
	if t := r.transmission; t.Line > 0 {
		r.fault(CodeMissingEnd, "the transmission that starts in line %d has no end record", t.Line)
	}
	r.closeTransmission()
}

func (r *Reader) closeTransmission() {
	t := r.transmission
	if r.content != nil {
		t.ContentHash = r.content.sum()
	}
	r.summary.Totals.add(t.Totals)
	r.transmission = nil
}
