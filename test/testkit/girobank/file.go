package girobank

import (
	"fmt"
	"strings"
	"time"

	"purr/models"
)

// file is a transmission as it was read. Its faults are those for which it is refused whole.
type file struct {
	name   string
	at     time.Time   // of its arrival, in Oslo
	day    models.Date // as of which it counts
	sender string
	number string // 7 digits, empty where the start record cannot be read

	assignments []*assignment
	sums        sums
	faults      []string
}

// assignment is what is asked for on one account. Its faults are those for which it is refused whole.
type assignment struct {
	number, account string
	cancellations   bool
	claims          []*claim
	sums            sums
	records         int64
	last            int64 // transaction number
	faults          []string
}

// sums are what an end record tells.
type sums struct {
	amount           models.Amount
	earliest, latest models.Date
}

func (s *sums) add(amount models.Amount, earliest, latest models.Date) {
	s.amount += amount
	if earliest != 0 && (s.earliest == 0 || earliest < s.earliest) {
		s.earliest = earliest
	}
	s.latest = max(s.latest, latest)
}

// claims returns how many claims and cancellations the file has.
func (f *file) claims() (n int64) {
	for _, a := range f.assignments {
		n += int64(len(a.claims))
	}
	return n
}

// fault keeps what is wrong with the file as a whole.
func (f *file) fault(format string, args ...any) {
	f.faults = append(f.faults, fmt.Sprintf(format, args...))
}

// read reads a file. What it cannot make out at all, it leaves.
func read(name string, content []byte, at time.Time) *file {
	at = oslo(at)
	f := &file{name: name, at: at, day: handledOn(at)}
	lines := f.lines(string(content))
	if len(f.faults) > 0 {
		return f
	}
	var open *assignment
	for i, text := range lines {
		r := record{i + 1, text, f.fault}
		switch tag := r.tag(); {
		case (tag == "000010") != (i == 0):
			f.fault("line %d: %s stands where the start of the transmission alone may stand, or the start is missing", r.line, tag)
		case (tag == "000089") != (i == len(lines)-1):
			f.fault("line %d: %s stands where the end of the transmission alone may stand, or the end is missing", r.line, tag)
		case tag == "000010":
			f.start(r)
		case tag == "000089" && open != nil:
			f.fault("line %d: the assignment before has no end", r.line)
		case tag == "000089":
			f.end(r, int64(len(lines)))
		case tag == "210020" || tag == "213620":
			if open != nil {
				f.fault("line %d: the assignment before has no end", r.line)
			}
			open = f.begin(r)
		case open == nil:
			f.fault("line %d: %s outside an assignment", r.line, tag)
		case open.read(r):
			open = nil
		}
	}
	return f
}

// lines returns the lines, if each is a record.
func (f *file) lines(content string) []string {
	if !strings.HasSuffix(content, "\r\n") {
		f.fault("the last line does not end with CR LF")
		return nil
	}
	lines := strings.Split(strings.TrimSuffix(content, "\r\n"), "\r\n")
	for i, line := range lines {
		switch {
		case strings.ContainsAny(line, "\r\n"):
			f.fault("line %d does not end with CR LF", i+1)
		case len(line) != recordLength:
			f.fault("line %d has %d characters instead of %d", i+1, len(line), recordLength)
		case !strings.HasPrefix(line, "NY"):
			f.fault("line %d does not begin with NY", i+1)
		case !printable(line):
			f.fault("line %d has a sign that ISO-8859-1 does not print", i+1)
		}
	}
	return lines
}

// start reads the start of the transmission, NY000010.
func (f *file) start(r record) {
	f.sender = r.text[8:16]
	r.serial(16, 23, "transmission number")
	if digits(r.text[16:23]) {
		f.number = r.text[16:23]
	}
	if to := r.text[23:31]; to != nets {
		f.fault("line %d: the recipient is %q instead of %s", r.line, to, nets)
	}
	r.zeros(31, recordLength)
}

// end reads the end of the transmission, NY000089.
func (f *file) end(r record, lines int64) {
	if len(f.assignments) == 0 {
		f.fault("line %d: the transmission has no assignment", r.line)
	}
	for _, a := range f.assignments {
		f.sums.add(a.sums.amount, a.sums.earliest, a.sums.latest)
	}
	r.is(8, 16, "number of transactions of the transmission", f.claims())
	r.is(16, 24, "number of records of the transmission", lines)
	r.is(24, 41, "sum of the transmission", int64(f.sums.amount))
	r.isDate(41, 47, "earliest due date of the transmission", f.sums.earliest)
	r.zeros(47, recordLength)
}

// begin reads the start of an assignment: NY210020 of claims, NY213620 of cancellations.
func (f *file) begin(r record) *assignment {
	a := &assignment{cancellations: r.tag() == "213620", number: r.text[17:24], account: r.text[24:35], records: 1}
	f.assignments = append(f.assignments, a)
	r.fault = a.fault
	r.zeros(8, 17)
	r.serial(17, 24, "assignment number")
	r.number(24, 35, "account")
	r.zeros(35, recordLength)
	return a
}

// fault keeps what is wrong with the assignment as a whole.
func (a *assignment) fault(format string, args ...any) {
	a.faults = append(a.faults, fmt.Sprintf(format, args...))
}

// read reads a record of the assignment, and reports whether it is the end.
func (a *assignment) read(r record) bool {
	a.records++
	r.fault = a.fault
	switch tag := r.tag(); tag {
	case "210088", "213688":
		a.end(r)
		return true
	case "210230", "212130", "219330":
		a.item1(r)
	case "210231", "212131", "219331":
		a.item2(r)
	case "212149":
		a.specification(r)
	default:
		a.fault("line %d: there is no record %s", r.line, tag)
	}
	return false
}

// end reads the end of the assignment: NY210088, NY213688.
func (a *assignment) end(r record) {
	if (r.tag() == "213688") != a.cancellations {
		a.fault("line %d: the end of the assignment is of another kind than its start", r.line)
	}
	if len(a.claims) == 0 {
		a.fault("line %d: the assignment asks for nothing", r.line)
	}
	a.complete(r.line)
	r.is(8, 16, "number of transactions of the assignment", int64(len(a.claims)))
	r.is(16, 24, "number of records of the assignment", a.records)
	r.is(24, 41, "sum of the assignment", int64(a.sums.amount))
	r.isDate(41, 47, "earliest due date of the assignment", a.sums.earliest)
	r.isDate(47, 53, "latest due date of the assignment", a.sums.latest)
	r.zeros(53, recordLength)
}
