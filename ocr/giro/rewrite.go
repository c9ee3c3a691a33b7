package giro

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"

	"purr/models"
)

// Editor says what becomes of what a file tells about somebody. Each of its texts must be answered by one of as many
// characters. It is never asked for what is empty or all zeros.
type Editor interface {
	Account(digits string) string   // of a creditor or a payer, 11 digits
	KID(kid string) string          // without the blanks around it
	Reference(digits string) string // of a form, an archive, an agreement or a customer unit
	Text(text string) string        // in characters of ISO-8859-1
	// Amount is in øre, and not negative. With down it has sign "-": where none of those grows and no other amount
	// shrinks, no assignment comes to add up to less than nothing, which the format has no way to say.
	Amount(amount models.Amount, down bool) models.Amount
}

// Rewrite copies a file in which Check finds no faults, with what the editor makes of it, and with the sums made
// right. All else stays as it is, line ends and what is between the records included.
func Rewrite(w io.Writer, r io.Reader, e Editor) error {
	rw := rewriter{editor: e, w: bufio.NewWriterSize(w, bufferSize)}
	in := bufio.NewReaderSize(r, bufferSize)
	for number := 1; ; number++ {
		line, err := in.ReadSlice('\n')
		rw.line(line)
		if rw.err != nil {
			return fmt.Errorf("line %d: %w", number, rw.err)
		}
		if errors.Is(err, io.EOF) {
			return rw.w.Flush()
		}
		if err != nil && !errors.Is(err, bufio.ErrBufferFull) { // a piece of a longer line must be blank too
			return err
		}
	}
}

// rewriter follows a file from record to record.
type rewriter struct {
	editor       Editor
	w            *bufio.Writer
	old, fresh   sums          // of the assignment
	transmission models.Amount // sum of its assignments, as it becomes
	typ          Type          // of the transaction
	err          error
}

// sums are those that an end record may say, see Assignment.ReversalsAdded.
type sums struct{ net, added models.Amount }

func (s *sums) add(amount models.Amount, negative, reversal bool) {
	signed, added := amount, amount
	if negative {
		signed = -amount
		if !reversal {
			added = -amount
		}
	}
	s.net, s.added = plus(s.net, signed), plus(s.added, added)
}

// line writes a line, after its record was changed in place.
func (w *rewriter) line(line []byte) {
	switch rec := stripped(line); {
	case len(rec) == recordLen && string(rec[:2]) == "NY":
		w.record((*record)(rec))
	case len(rec) > 0:
		w.fail("it is no record")
	}
	w.w.Write(line) //nolint:errcheck // Flush returns the first error of a bufio.Writer
}

func (w *rewriter) fail(format string, args ...any) {
	if w.err == nil {
		w.err = fmt.Errorf("giro: "+format, args...)
	}
}

func (w *rewriter) record(rec *record) {
	switch service, recordType := string(rec.service()), string(rec.recordType()); {
	case string(rec.tag()) == tagTransmissionStart:
		start := (*transmissionStart)(rec)
		w.reference(start.recipient())
		w.filler(start.filler())
		w.transmission = 0
	case string(rec.tag()) == tagTransmissionEnd:
		end := (*transmissionEnd)(rec)
		w.amount(end.amount(), w.transmission)
		w.filler(end.filler())
	case recordType == "20":
		w.startAssignment((*assignmentStart)(rec))
	case service != ServiceOCR:
		w.otherService(rec)
	case recordType == "30":
		w.item1((*item1)(rec))
	case recordType == "31":
		w.item2((*item2)(rec))
	case recordType == "32":
		w.item3((*item3)(rec))
	case recordType == "88":
		w.endAssignment((*assignmentEnd)(rec))
	}
}

func (w *rewriter) startAssignment(start *assignmentStart) {
	w.reference(start.agreementID())
	w.digits(start.account(), w.editor.Account)
	w.filler(start.filler())
	w.old, w.fresh = sums{}, sums{}
}

func (w *rewriter) item1(item *item1) {
	w.typ = Type(number((*record)(item).kind()))
	w.kid(item.trimmedKID())
	w.filler(item.filler())
	down := item.sign()[0] == '-'
	old := item.amountValue()
	fresh := old
	if old != 0 {
		fresh = w.editor.Amount(old, down)
	}
	w.old.add(old, down, w.typ.Reversal())
	w.fresh.add(fresh, down, w.typ.Reversal())
	w.amount(item.amount(), fresh)
}

func (w *rewriter) item2(item *item2) {
	w.reference(item.formNumber())
	w.reference(item.archiveReference())
	w.digits(item.debitAccount(), w.editor.Account)
	w.filler(item.filler1())
	w.filler(item.filler2())
}

func (w *rewriter) item3(item *item3) {
	w.text(item.text())
	w.filler(item.filler())
}

// endAssignment makes the sum that which the record said it was, the one or the other.
func (w *rewriter) endAssignment(end *assignmentEnd) {
	sum := w.fresh.net
	if declared := models.Amount(number(end.amount())); declared != w.old.net && declared == w.old.added {
		sum = w.fresh.added
	}
	w.transmission = plus(w.transmission, sum)
	w.amount(end.amount(), sum)
	w.filler(end.filler())
}

// otherService takes a record of an assignment that is not read. Of AvtaleGiro's mandates we know where the KID is;
// of all else nothing, so that it is taken for text.
func (w *rewriter) otherService(rec *record) {
	switch {
	case string(rec.recordType()) == "88":
		w.otherSum((*assignmentEnd)(rec).amount())
	case string(rec[2:6]) == "2194" && string(rec.recordType()) == "70":
		w.kid(bytes.Trim(rec[16:41], " "))
		w.filler(rec[42:])
	default:
		w.text(rec[8:])
	}
}

// otherSum takes the sum of another service's assignment, which is in no other sum.
func (w *rewriter) otherSum(field []byte) {
	if digits(field) && !zeros(field) {
		w.amount(field, w.editor.Amount(models.Amount(number(field)), false))
	}
}

// kid takes a KID without the blanks around it.
func (w *rewriter) kid(kid []byte) {
	switch {
	case zeros(kid):
	case wellFormedKID(kid):
		w.put(kid, w.editor.KID(string(kid)))
	default:
		w.text(kid)
	}
}

func (w *rewriter) reference(field []byte) { w.digits(field, w.editor.Reference) }

// digits takes a field of digits; what is none, in other services' records, is taken for text.
func (w *rewriter) digits(field []byte, edit func(string) string) {
	switch {
	case zeros(field):
	case digits(field):
		w.put(field, edit(string(field)))
	default:
		w.text(field)
	}
}

// filler takes a field in which nothing should be.
func (w *rewriter) filler(field []byte) {
	if !zeros(field) {
		w.text(field)
	}
}

func (w *rewriter) text(field []byte) {
	text := bytes.TrimRight(field, " ")
	if len(text) > 0 {
		w.put(text, w.editor.Text(latin1(text)))
	}
}

// put fills a field.
func (w *rewriter) put(field []byte, text string) {
	n := 0
	for _, c := range text {
		if n == len(field) || c > 0xff {
			n = -1
			break
		}
		field[n] = byte(c)
		n++
	}
	if n != len(field) {
		w.fail("%q does not fit a field of %d characters", text, len(field))
	}
}

func (w *rewriter) amount(field []byte, amount models.Amount) {
	if amount < 0 || amount > MaxAmount {
		w.fail("the amounts add up to %s, which the format cannot say", amount)
		return
	}
	w.put(field, fmt.Sprintf("%0*d", len(field), int64(amount)))
}
