package giro

import (
	"bufio"
	"errors"
	"fmt"
	"io"

	"purr/models"
)

// Writer writes files that the Reader accepts. It numbers the transactions and adds up their amounts. It writes an end
// record when the next assignment or transmission starts, and on Close. A call with wrong arguments fails and writes
// nothing.
type Writer struct {
	UseCRLF bool // end the records with CR LF instead of LF

	w            *bufio.Writer
	transmission *Transmission // open, or nil
	assignment   *Assignment   // open, or nil
}

// NewWriter returns a writer to w. It buffers: w has the whole file only after Close.
func NewWriter(w io.Writer) *Writer { return &Writer{w: bufio.NewWriter(w)} }

// Payment is a transaction to be written. The fields are those of Transaction. Shorter digits are filled up with
// zeros.
type Payment struct {
	Type              Type
	NetsDate          models.Date
	BankDate          models.Date   // zero for none
	Amount            models.Amount // øre, 0 to MaxAmount
	Negative          bool
	KID               string // empty for types with text
	DebitAccount      string
	ArchiveReference  string
	FormNumber        string
	Centre            string
	DayCode           string
	PartialSettlement string
	Serial            string
	CardIssuer        string
	Text              string // up to 40 characters of ISO-8859-1, only for types with text
}

// StartTransmission ends the open transmission and starts another. An empty sender means NetsSender.
func (w *Writer) StartTransmission(h TransmissionHeader) error {
	if h.Sender == "" {
		h.Sender = NetsSender
	}
	var f fieldWriter
	rec := newRecord(tagTransmissionStart)
	start := (*transmissionStart)(rec)
	f.digits(start.sender(), h.Sender, "sender")
	f.digits(start.number(), h.Number, "transmission number")
	f.digits(start.recipient(), h.Recipient, "recipient")
	if f.err != nil {
		return f.err
	}
	if err := w.endTransmission(); err != nil {
		return err
	}
	w.transmission = &Transmission{TransmissionHeader: h}
	return w.write(rec)
}

// StartAssignment ends the open assignment and starts another in the same transmission.
func (w *Writer) StartAssignment(h AssignmentHeader) error {
	if w.transmission == nil {
		return errors.New("giro: an assignment needs a transmission")
	}
	if !models.ValidBankAccount(h.Account) {
		return fmt.Errorf("giro: %q is not a bank account number", h.Account)
	}
	var f fieldWriter
	rec := newRecord(tagAssignmentStart)
	start := (*assignmentStart)(rec)
	f.digits(start.agreementID(), h.AgreementID, "agreement id")
	f.digits(start.number(), h.Number, "assignment number")
	f.digits(start.account(), h.Account, "account")
	if f.err != nil {
		return f.err
	}
	if err := w.endAssignment(); err != nil {
		return err
	}
	w.assignment = &Assignment{AssignmentHeader: h}
	return w.write(rec)
}

// Write writes a transaction into the assignment.
func (w *Writer) Write(p Payment) error {
	if w.assignment == nil {
		return errors.New("giro: a transaction needs an assignment")
	}
	records, err := p.records(w.assignment.Transactions + 1)
	if err != nil {
		return err
	}
	signed := p.Amount
	if p.Negative {
		signed = -signed
	}
	w.assignment.count(p.Type, p.NetsDate, signed)
	return w.write(records...)
}

// Close ends the open transmission and flushes the buffer. It does not close the underlying writer.
func (w *Writer) Close() error {
	if err := w.endTransmission(); err != nil {
		return err
	}
	return w.w.Flush()
}

// endAssignment writes the end record of the open assignment, if any. It fails if the sum is negative, which the format
// cannot express.
func (w *Writer) endAssignment() error {
	a := w.assignment
	if a == nil {
		return nil
	}
	var f fieldWriter
	rec := newRecord(tagAssignmentEnd)
	end := (*assignmentEnd)(rec)
	f.number(end.transactions(), int64(a.Transactions), "number of transactions")
	f.number(end.records(), int64(a.Records+1), "number of records")
	f.number(end.amount(), int64(a.Amount), "amount of the assignment")
	f.date(end.created(), a.Created)
	f.date(end.earliest(), a.Earliest)
	f.date(end.latest(), a.Latest)
	if f.err != nil {
		return f.err
	}
	if err := w.write(rec); err != nil {
		return err
	}
	totals := a.Totals
	totals.Records = 0 // the transmission has already counted each record
	w.transmission.add(totals)
	w.assignment = nil
	return nil
}

// endTransmission writes the end record of the open transmission, if any.
func (w *Writer) endTransmission() error {
	if err := w.endAssignment(); err != nil || w.transmission == nil {
		return err
	}
	t := w.transmission
	var f fieldWriter
	rec := newRecord(tagTransmissionEnd)
	end := (*transmissionEnd)(rec)
	f.number(end.transactions(), int64(t.Transactions), "number of transactions")
	f.number(end.records(), int64(t.Records+1), "number of records")
	f.number(end.amount(), int64(t.Amount), "amount of the transmission")
	f.date(end.created(), t.Created)
	if f.err != nil {
		return f.err
	}
	w.transmission = nil
	return w.write(rec)
}

// write writes records and counts them in the open transmission and assignment.
func (w *Writer) write(records ...*record) error {
	for _, rec := range records {
		if w.transmission != nil {
			w.transmission.Records++
		}
		if w.assignment != nil {
			w.assignment.Records++
		}
		w.w.Write(rec[:]) //nolint:errcheck // the last write to a bufio.Writer returns the first error
		if w.UseCRLF {
			w.w.WriteByte('\r') //nolint:errcheck // as above
		}
		if err := w.w.WriteByte('\n'); err != nil {
			return fmt.Errorf("writing an OCR giro file: %w", err)
		}
	}
	return nil
}
