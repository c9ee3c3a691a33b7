package giro

import (
	"errors"
	"fmt"
	"io"

	"purr/models"
)

// Reader reads a file transaction by transaction, in constant memory but for what Summary holds, and
// checks everything on the way.
type Reader struct {
	lines               lineReader
	netsDates           dateField
	bankDates, endDates dateField
	content             *contentHash // nil unless wanted

	transmission *Transmission // the one that is open, or nil
	assignment   *Assignment   // the one that is open, or nil
	tx           Transaction   // the last one, or the one that is being read
	place        place
	parts        int // transmissions and assignments so far

	summary  *Summary
	warnings map[string]int // by code, those not kept included
	faults   models.FileFaults
	muted    bool // what is read is damaged already: further faults are its consequences
	err      error
}

// place is where in a transaction the last record was.
type place int

const (
	betweenTransactions place = iota
	afterItem1
	afterItem2  // and amount item 3 must follow
	afterDamage // any item may follow a record that could not be read
)

// NewReader returns a reader of the file. The date of the import tells the century of the two-digit
// years.
func NewReader(r io.Reader, today models.Date) *Reader {
	dates := dateField{today: today}
	return &Reader{
		lines: newLineReader(r), netsDates: dates, bankDates: dates, endDates: dates,
		summary: &Summary{}, warnings: map[string]int{},
	}
}

// Next returns the next transaction, valid until the next call. At the end of a file without faults it
// returns io.EOF. At the first fault it reads on to find all, returns no further transaction, and
// then models.FileFaults. Since the sums stand at the end, transactions are to be posted only from a file that
// was read to io.EOF before, as Check does.
func (r *Reader) Next() (*Transaction, error) {
	for r.err == nil {
		if r.readLine() && len(r.faults) == 0 {
			return &r.tx, nil
		}
	}
	return nil, r.err
}

// Summary returns what has been read so far, all of it after Next has returned an error.
func (r *Reader) Summary() *Summary { return r.summary }

// readLine reads the next line, and reports whether it completes a transaction.
func (r *Reader) readLine() bool {
	line, err := r.lines.next()
	switch {
	case err != nil:
		r.finish(err)
		return false
	case len(line) != recordLen && len(r.summary.Transmissions) == 0 && len(r.faults) == 0 && foreign(line) != "":
		r.stop(CodeBadLength, "the file is %s", foreign(line))
		return false
	case len(line) != recordLen:
		r.fault(CodeBadLength, "%s", wrongLength(line))
	case string(line[:2]) != "NY":
		r.fault(CodeNotNY, "the record starts with %q instead of NY", latin1(line[:2]))
	default:
		return r.readRecord((*record)(line))
	}
	r.readDamaged(line)
	return false
}

// readRecord takes the record where it belongs, and reports whether it completes a transaction.
func (r *Reader) readRecord(rec *record) bool {
	if r.content != nil {
		r.content.add(rec)
	}
	if a := r.assignment; a != nil && a.Skipped() && string(rec.service()) == a.Service {
		r.skip(rec)
		return false
	}
	if string(rec.service()) == ServiceOCR {
		switch string(rec.recordType()) {
		case "30":
			r.item1((*item1)(rec))
			return false
		case "31":
			return r.item2((*item2)(rec))
		case "32":
			return r.item3((*item3)(rec))
		}
	}
	r.frame(rec)
	return false
}

// frame takes a record that is not of a transaction.
func (r *Reader) frame(rec *record) {
	switch tag := string(rec.tag()); {
	case tag == tagTransmissionStart:
		r.startTransmission((*transmissionStart)(rec))
	case tag == tagAssignmentStart:
		r.startAssignment((*assignmentStart)(rec))
	case tag == tagAssignmentEnd:
		r.endAssignment((*assignmentEnd)(rec))
	case tag == tagTransmissionEnd:
		r.endTransmission((*transmissionEnd)(rec))
	case tag[6:] == "20" && tag[2:4] != ServiceOCR && tag[2:4] != "00":
		r.startSkipped(rec)
	default:
		r.fault(CodeUnexpectedRecord, "the record begins with %q, which is no record of OCR giro", latin1([]byte(tag)))
		r.imply()
		r.unreadable()
		r.countRecord()
	}
}

// readDamaged follows a line that cannot be read, as far as its beginning tells, through the structure
// of the file, so that the one fault does not bring others with it.
func (r *Reader) readDamaged(line []byte) {
	rec := new(record)
	copy(rec[:], line)
	copy(rec[:], "NY")
	r.unreadable()
	r.muted = true
	r.readRecord(rec)
	r.muted = false
	r.place = afterDamage
}

// unreadable notes that a record could not be read, which may have been of a transaction.
func (r *Reader) unreadable() {
	r.place = afterDamage
	if r.assignment != nil {
		r.assignment.damage = damage{count: true, sum: true}
	}
	if r.transmission != nil {
		r.transmission.damage = damage{count: true, sum: true}
	}
}

// finish takes the end of the file, or the error that reading it ends with.
func (r *Reader) finish(err error) {
	if !errors.Is(err, io.EOF) {
		r.err = fmt.Errorf("reading line %d: %w", r.lines.line+1, err)
		return
	}
	r.finishTransaction()
	if r.transmission != nil {
		r.abandonTransmission()
	} else if len(r.summary.Transmissions) == 0 && len(r.faults) == 0 {
		r.lines.line = max(r.lines.line, 1)
		r.fault(CodeEmptyFile, "the file holds no record")
	}
	r.err = io.EOF
	if len(r.faults) > 0 {
		r.err = r.faults
	}
}

// fault notes what is wrong with the current line, and ends the reading when that is enough.
func (r *Reader) fault(code, format string, args ...any) {
	if r.muted || len(r.faults) == MaxFaults {
		return
	}
	r.faults = append(r.faults, models.FileNote{Line: r.lines.line, Code: code, Text: fmt.Sprintf(format, args...)})
	if len(r.faults) == MaxFaults {
		r.err = r.faults
	}
}

// stop notes a fault with which the file is read no further.
func (r *Reader) stop(code, format string, args ...any) {
	r.fault(code, format, args...)
	r.err = r.faults
}

// warn notes what is odd about the current line.
func (r *Reader) warn(code, format string, args ...any) {
	if r.muted {
		return
	}
	if r.warnings[code]++; r.warnings[code] <= MaxWarnings {
		w := models.FileNote{Line: r.lines.line, Code: code, Text: fmt.Sprintf(format, args...)}
		r.summary.Warnings = append(r.summary.Warnings, w)
	}
}
