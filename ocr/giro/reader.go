package giro

import (
	"errors"
	"fmt"
	"io"

	"purr/models"
)

// Reader reads a file transaction by transaction and checks everything. Its memory grows only with the Summary.
type Reader struct {
	lines               lineReader
	netsDates           dateField
	bankDates, endDates dateField
	kidLength           int          // of the last KID, which the next one mostly has too
	content             *contentHash // nil unless Check reads

	transmission *Transmission // open, or nil
	assignment   *Assignment   // open, or nil
	tx           Transaction   // the current one, or the last one between transactions
	position     position
	parts        int           // transmissions and assignments so far
	counted      models.Amount // øre, of all transactions so far, whatever their sign

	summary  *Summary
	warnings map[string]int // number by code, dropped ones included
	faults   models.FileFaults
	muted    bool // the record is damaged: its further faults are not reported
	err      error
}

// position says which record of a transaction came last.
type position int

const (
	betweenTransactions position = iota
	afterItem1
	afterItem2  // amount item 3 must follow
	afterDamage // the last record could not be read: any item may follow
)

// NewReader returns a reader of the file. The date of the import decides the century of two-digit years.
func NewReader(r io.Reader, today models.Date) *Reader {
	dates := newDateField(today)
	return &Reader{
		lines: newLineReader(r), netsDates: dates, bankDates: dates, endDates: dates,
		summary: &Summary{}, warnings: map[string]int{},
	}
}

// Next returns the next transaction, valid until the next call. At the end of a file without faults it returns io.EOF.
// After the first fault it returns no further transaction: it reads on to find all faults, and returns
// models.FileFaults. The sums are at the end of a file. So a caller posts transactions only after Check has read the
// whole file.
func (r *Reader) Next() (*Transaction, error) {
	for r.err == nil {
		if r.readLine() && len(r.faults) == 0 {
			return &r.tx, nil
		}
	}
	return nil, r.err
}

// Summary returns what has been read so far. It is complete when Next has returned an error.
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

// readRecord reads a record of any type, and reports whether it completes a transaction.
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

// frame reads a record that starts or ends a transmission or an assignment.
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

// readDamaged reads as much as it can of a line that has a fault already. It follows the structure of the file, so
// that one fault is not reported as several.
func (r *Reader) readDamaged(line []byte) {
	rec := new(record)
	copy(rec[:], line)
	copy(rec[:], "NY")
	r.unreadable()
	r.muted = true
	r.readRecord(rec)
	r.muted = false
	r.position = afterDamage
}

// unreadable marks the totals as uncheckable, because a record that may belong to a transaction could not be read.
func (r *Reader) unreadable() {
	r.position = afterDamage
	if r.assignment != nil {
		r.assignment.damage = damage{count: true, sum: true}
	}
	if r.transmission != nil {
		r.transmission.damage = damage{count: true, sum: true}
	}
}

// finish ends the reading, at the end of the file or after a read error.
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

// fault reports what is wrong with the current line. It ends the reading after MaxFaults.
func (r *Reader) fault(code, format string, args ...any) {
	if r.muted || len(r.faults) == MaxFaults {
		return
	}
	r.faults = append(r.faults, models.FileFinding{Line: r.lines.line, Code: code, Text: fmt.Sprintf(format, args...)})
	if len(r.faults) == MaxFaults {
		r.err = r.faults
	}
}

// stop reports a fault and ends the reading.
func (r *Reader) stop(code, format string, args ...any) {
	r.fault(code, format, args...)
	r.err = r.faults
}

// warn reports an oddity of the current line.
func (r *Reader) warn(code, format string, args ...any) {
	if r.muted {
		return
	}
	if r.warnings[code]++; r.warnings[code] <= MaxWarnings {
		w := models.FileFinding{Line: r.lines.line, Code: code, Text: fmt.Sprintf(format, args...)}
		r.summary.Warnings = append(r.summary.Warnings, w)
	}
}
