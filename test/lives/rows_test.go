//go:build whole

package lives_test

import (
	"database/sql"
	"fmt"
	"slices"
	"strings"
	"time"

	"purr/models"
	"purr/test/testkit/house"
)

// books are the rows of one creditor that the judge looks at.
type books struct {
	invoices  []invoice
	entries   []entry
	credits   []creditNote
	notices   []notice
	lines     map[int64]models.Amount // what the lines of a notice ask for besides fees and interest, by notice
	shipments []shipment              // originals
	handOvers []handOver
	payments  []payment
	today     models.Date
}

type invoice struct {
	id, customer                int64
	kid                         string
	issued, due, handedOver     models.Date
	gross, balance, repaysOwing models.Amount
	writtenOff                  models.Amount // for a small remainder: what comes of it later is free credit (rule L25)
	closed                      bool
}

type entry struct {
	id, invoice, credit, notice, movedFrom int64 // credit is the credit note that it is on, zero for the invoice itself
	kind                                   models.EntryType
	amount                                 models.Amount
	on                                     models.Date
}

type creditNote struct {
	id, invoice    int64
	gross, balance models.Amount
}

type notice struct {
	id, invoice, customer          int64
	sequence                       int
	warning                        bool
	issued, due, counts, withdrawn models.Date
	fee, interest                  models.Amount
	made                           time.Time
}

type shipment struct {
	id, document int64
	kind         models.DocumentKind
	state        models.ShipmentState
	sent         models.Date // the local day, zero while it has not left
}

type handOver struct {
	invoice   int64
	on, taken models.Date // taken back on
	made      time.Time
}

type payment struct {
	id     int64
	amount models.Amount
	kid    string
	open   bool
}

// read reads the rows of a creditor as they are now.
func (l *life) read() {
	l.w.Helper()
	var b books
	each := func(what string, scan func(func(...any))) {
		l.w.Helper()
		rows, err := l.w.db.QueryContext(l.w.Context(), what, l.id) //nolint:gosec // the text is the test's own
		must(l.w.T, err)
		defer func() { must(l.w.T, rows.Close()) }()
		for rows.Next() {
			scan(func(into ...any) { must(l.w.T, rows.Scan(into...)) })
		}
		must(l.w.T, rows.Err())
	}
	each("SELECT id, customer_id, kid, issue_date, due_date, handed_over, gross, balance, repayment_owed, written_off, closed <> '' FROM invoices WHERE creditor_id = ? ORDER BY id", func(scan func(...any)) {
		var i invoice
		scan(&i.id, &i.customer, &i.kid, &i.issued, &i.due, &i.handedOver, &i.gross, &i.balance, &i.repaysOwing, &i.writtenOff, &i.closed)
		b.invoices = append(b.invoices, i)
	})
	each("SELECT id, invoice_id, credit_note_id, notice_id, moved_from, type, amount, transaction_date FROM entries WHERE creditor_id = ? ORDER BY id", func(scan func(...any)) {
		var e entry
		scan(&e.id, &e.invoice, &e.credit, &e.notice, &e.movedFrom, &e.kind, &e.amount, &e.on)
		b.entries = append(b.entries, e)
	})
	each("SELECT id, invoice_id, gross, balance FROM credit_notes WHERE creditor_id = ? ORDER BY id", func(scan func(...any)) {
		var c creditNote
		scan(&c.id, &c.invoice, &c.gross, &c.balance)
		b.credits = append(b.credits, c)
	})
	each("SELECT id, invoice_id, customer_id, sequence, warning, issue_date, due_date, counts_until, withdrawn, fee, interest, created_at FROM overdue_notices WHERE creditor_id = ? ORDER BY id", func(scan func(...any)) {
		var n notice
		scan(&n.id, &n.invoice, &n.customer, &n.sequence, &n.warning, &n.issued, &n.due, &n.counts, &n.withdrawn, &n.fee, &n.interest, (*instant)(&n.made))
		b.notices = append(b.notices, n)
	})
	b.lines = map[int64]models.Amount{}
	each("SELECT l.notice_id, l.gross FROM overdue_notice_lines l JOIN overdue_notices n ON n.id = l.notice_id WHERE n.creditor_id = ? AND l.type NOT IN ('OVERDUE_CHARGE', 'INTEREST')", func(scan func(...any)) {
		var id int64
		var gross models.Amount
		scan(&id, &gross)
		b.lines[id] += gross
	})
	each("SELECT id, document_id, document_kind, state, sent_at FROM shipments WHERE creditor_id = ? AND copy = 0 ORDER BY id", func(scan func(...any)) {
		var s shipment
		var sent instant
		scan(&s.id, &s.document, &s.kind, &s.state, &sent)
		if !time.Time(sent).IsZero() {
			s.sent = models.DateOf(time.Time(sent).In(house.Oslo))
		}
		b.shipments = append(b.shipments, s)
	})
	each("SELECT invoice_id, handed_over, taken_back, created_at FROM hand_overs WHERE creditor_id = ? ORDER BY id", func(scan func(...any)) {
		var h handOver
		scan(&h.invoice, &h.on, &h.taken, (*instant)(&h.made))
		b.handOvers = append(b.handOvers, h)
	})
	each("SELECT id, amount, kid, status = 'open' FROM unmatched_payments WHERE creditor_id = ? ORDER BY id", func(scan func(...any)) {
		var p payment
		scan(&p.id, &p.amount, &p.kid, &p.open)
		b.payments = append(b.payments, p)
	})
	b.today = l.w.in.Today()
	l.books = b
}

// toldOf returns how many events say, of an invoice that is handed over, that a notice of it left late or is withdrawn: then a person
// must speak with the debt collector.
func (l *life) toldOf(invoice int64) (n int) {
	l.w.Helper()
	l.Get("/events?per_page=1").Shown() // numbers those that are new
	must(l.w.T, l.w.db.QueryRowContext(l.w.Context(), "SELECT COUNT(*) FROM events WHERE invoice_id = ? AND type IN ('notice.left_late', 'overdue_notice.withdrawn') AND data LIKE '%handed_over%'",
		invoice).Scan(&n))
	return n
}

// instant is a moment in a row.
type instant time.Time

// Scan takes the moment from a database: a time, a text in UTC, or NULL.
func (i *instant) Scan(src any) error {
	var text string
	switch v := src.(type) {
	case nil:
		return nil
	case time.Time:
		*i = instant(v)
		return nil
	case []byte:
		text = string(v)
	case string:
		text = v
	default:
		return fmt.Errorf("a %T is not a moment", src)
	}
	at, err := time.Parse(time.DateTime, strings.Replace(text, "T", " ", 1)[:len(time.DateTime)])
	if err != nil {
		return err
	}
	*i = instant(at)
	return nil
}

var _ sql.Scanner = (*instant)(nil)

// invoice returns the invoice with an ID.
func (b books) invoice(id int64) invoice {
	return b.invoices[slices.IndexFunc(b.invoices, func(i invoice) bool { return i.id == id })]
}

// of returns the entries of an invoice itself.
func (b books) of(invoice int64) (all []entry) {
	for _, e := range b.entries {
		if e.invoice == invoice && e.credit == 0 {
			all = append(all, e)
		}
	}
	return all
}

// inForce returns the notices of an invoice that are not withdrawn, in order.
func (b books) inForce(invoice int64) (all []notice) {
	for _, n := range b.notices {
		if n.invoice == invoice && n.withdrawn == 0 {
			all = append(all, n)
		}
	}
	return all
}

// tell tells the rows of an invoice, and what became of its letters.
func (b books) tell(invoice int64, p post) (lines []string) {
	lines = append(lines, fmt.Sprintf("%s: %+v", b.today, b.invoice(invoice)), fmt.Sprintf("  letters %s", p.tell(models.InvoiceDocument, invoice)))
	for _, e := range b.entries {
		if e.invoice == invoice {
			lines = append(lines, fmt.Sprintf("  entry %d of %s: %s %s, credit note %d, notice %d, moved from %d", e.id, e.on, e.kind, e.amount, e.credit, e.notice, e.movedFrom))
		}
	}
	for _, n := range b.notices {
		if n.invoice == invoice {
			lines = append(lines, fmt.Sprintf("  notice %d: sequence %d, warning %v, of %s, due %s, counts until %q, withdrawn %q, fee %s, interest %s; letters %s", n.id, n.sequence, n.warning, n.issued, n.due,
				n.counts, n.withdrawn, n.fee, n.interest, p.tell(models.NoticeDocument, n.id)))
		}
	}
	for _, h := range b.handOvers {
		if h.invoice == invoice {
			lines = append(lines, fmt.Sprintf("  handed over on %s, taken back %q", h.on, h.taken))
		}
	}
	return lines
}
