package store

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"gorm.io/gorm"

	"purr/models"
)

// BookedSum is the sum of what was booked of one movement before a period or in it (rule N5).
type BookedSum struct {
	Before   bool // the period
	Movement models.Movement
	Deleted  bool           // of entries that were deleted then: the amounts are theirs with the sign turned
	Rate     models.Percent // of VAT; below zero for a sum of all rates
	Items    int
	Amount   models.Amount // by what customers owe more; of one rate the net amount
	VAT      models.Amount // of one rate
}

// allRates is the rate of a sum that is not of one rate.
const allRates models.Percent = -1

// OfRate reports whether the sum is of one VAT rate. Such sums are parts of the others.
func (b BookedSum) OfRate() bool { return b.Rate != allRates }

// Booked returns the sums of all that was booked for the creditor up to the end of some days, by the moment of booking in a zone:
// before them, and on them. A deleted entry counts when it was booked, and with the sign turned when it was deleted. So days that are
// over stay as they were. It adds the entries of the last hours to the sums that each night keeps (see CountLists).
func (r reads) Booked(ctx context.Context, creditorID int64, d Dates, zone *time.Location) ([]BookedSum, error) {
	d = d.whole()
	from, to := moments(d, zone)
	last, err := r.bookedTo(ctx, creditorID)
	if err != nil {
		return nil, err
	}
	kept := r.with(ctx).Table("booked_days").Where("creditor_id = ? AND day <= ?", creditorID, d.To).
		Select("day < ? AS earlier, movement, 0 AS gone, rate, items, amount, vat", d.From)
	posted := func(rate, amount, vat, join, only string) *gorm.DB {
		return r.with(ctx).Raw(fmt.Sprintf(`SELECT created_at < ? AS earlier, movement, 0 AS gone, %s AS rate, 1 AS items, %s AS amount, %s AS vat
			FROM (%s) AS posted %s WHERE created_at < ?%s`, rate, amount, vat, r.posted(), join, only), from, creditorID, last, creditorID, last, to)
	}
	gone := r.with(ctx).Raw(fmt.Sprintf(`SELECT e.deleted_at < ? AS earlier, %s AS movement, 1 AS gone, -1 AS rate, 1 AS items, -e.amount AS amount, 0 AS vat
		FROM deleted_entries e WHERE e.creditor_id = ? AND e.deleted_at < ?`, movementOf("deleted_entries", "entry_id")), from, creditorID, to)
	all := r.with(ctx).Raw(`SELECT earlier AS before_days, movement, gone AS deleted, rate, SUM(items) AS items, SUM(amount) AS amount, SUM(vat) AS vat FROM
		(? UNION ALL ? UNION ALL ? UNION ALL ? UNION ALL ?) AS sums GROUP BY earlier, movement, gone, rate ORDER BY earlier, movement, gone, rate`,
		kept, posted("-1", "amount", "0", "", ""), posted(ofRates, netOfLine, vatOfLine, joinLines, ofWhole), posted(ofRates, netOfLine, vatOfLine, joinParts, ofPart), gone)
	var b BookedSum
	var sums []BookedSum
	err = eachRow(all, func() { sums = append(sums, b) }, &b.Before, &b.Movement, &b.Deleted, &b.Rate, &b.Items, &b.Amount, &b.VAT)
	return sums, err
}

// What is read of lines, for the VAT of invoices and of the credit notes that credit them whole (rule D21), and of credit notes that have
// lines of their own (rule L27).
const (
	ofRates   = "l.vat_percent"
	netOfLine = "CASE WHEN movement = 'credited' THEN -l.net ELSE l.net END"
	vatOfLine = "CASE WHEN movement = 'credited' THEN l.net - l.gross ELSE l.gross - l.net END"
	joinLines = "JOIN invoice_lines l ON l.invoice_id = posted.invoice_id"
	ofWhole   = " AND movement IN ('invoiced', 'credited') AND NOT EXISTS (SELECT 1 FROM credit_note_lines p WHERE p.credit_note_id = posted.credit_note_id)"
	joinParts = "JOIN credit_note_lines l ON l.credit_note_id = posted.credit_note_id"
	ofPart    = " AND movement = 'credited'"
)

// whole returns the days with ends that a database can hold.
func (d Dates) whole() Dates {
	first, last := models.NewDate(1900, time.January, 1), models.NewDate(9000, time.January, 1)
	if d.To == 0 {
		d.To = last
	}
	return Dates{max(d.From, first), max(min(d.To, last), first)}
}

// moments returns when days begin in a zone, and when they are over.
func moments(d Dates, zone *time.Location) (from, to time.Time) {
	begin := func(day models.Date) time.Time {
		t := day.Time()
		return time.Date(t.Year(), t.Month(), t.Day(), 0, 0, 0, 0, zone).UTC()
	}
	return begin(d.From), begin(d.To + 1)
}

// bookedTo returns the ID of the last of the creditor's entries that a night has counted as booked.
func (r reads) bookedTo(ctx context.Context, creditorID int64) (int64, error) {
	return scan[int64](r.with(ctx).Table("booked_days").Where("creditor_id = ?", creditorID).Select("COALESCE(MAX(last_id), 0)"))
}

// posted is the query of what was booked after an entry, also of what was deleted since. Its parameters are twice the creditor and
// the ID of the entry.
func (r reads) posted() string {
	of := func(table, id, index string) string {
		return fmt.Sprintf("SELECT e.%[2]s AS id, e.invoice_id, e.credit_note_id, e.amount, e.created_at, %[3]s AS movement FROM %[1]s e%[4]s WHERE e.creditor_id = ? AND e.%[2]s > ?",
			table, id, movementOf(table, id), r.using(index))
	}
	return of("entries", "id", "entries_list") + unionAll + of("deleted_entries", "entry_id", "deleted_entries_entry")
}

// using returns the words by which MySQL uses an index. SQLite chooses itself.
func (r reads) using(index string) string {
	if dialect(r.db.Name()) == dialectMySQL {
		return " FORCE INDEX (" + index + ")"
	}
	return ""
}

// movementOf returns the movement of an entry e of a table, as SQL. What is paid out on an invoice was moved if another entry says
// that it came from there. What another system told of its payments is as a person's, also what it took back of them (rule L17).
func movementOf(table, id string) string {
	adopted := "e.adopted"
	if table != "entries" {
		adopted = "0" // none is ever deleted
	}
	return strings.NewReplacer("{table}", table, "{id}", id, "{adopted}", adopted).Replace(`CASE {adopted} WHEN 1 THEN 'adopted' WHEN 2 THEN 'paid_by_hand' ELSE CASE e.type WHEN 'INVOICE' THEN 'invoiced'
		WHEN 'CREDIT_NOTE' THEN CASE WHEN e.credit_note_id <> 0 AND e.amount <= 0 THEN 'credited' ELSE 'moved' END
		WHEN 'OVERDUE_CHARGE' THEN CASE WHEN e.amount < 0 THEN 'reversal' ELSE 'fee' END
		WHEN 'INTEREST' THEN CASE WHEN e.amount < 0 THEN 'reversal' ELSE 'interest' END
		WHEN 'OCR' THEN 'paid_bank'
		WHEN 'REPAYMENT' THEN 'paid_back'
		ELSE CASE WHEN e.moved_from <> 0 OR e.moved_to <> 0 THEN 'moved' WHEN e.hand_over_id <> 0 THEN 'paid_collector' WHEN e.amount < 0 THEN 'paid_by_hand'
			WHEN EXISTS (SELECT 1 FROM {table} h WHERE h.customer_id = e.customer_id AND h.moved_from = e.{id}) THEN 'moved' ELSE 'paid_back' END END END`)
}

// WrittenOff returns what was owed on the creditor's invoices when they were closed on some days, less what was owed on those that
// were reopened then after a closing (rule N5). It is read from the events, so that days that are over stay as they were.
func (r reads) WrittenOff(ctx context.Context, creditorID int64, d Dates, zone *time.Location) (sum models.Amount, err error) {
	from, to := moments(d.whole(), zone)
	of := func(table string) *gorm.DB {
		return r.with(ctx).Table(table).Select("type, data").
			Where("creditor_id = ? AND type IN ? AND at >= ? AND at < ?", creditorID, []models.EventType{models.EventInvoiceClosed, models.EventInvoiceReopened}, from, to)
	}
	var kind models.EventType
	var data string
	err = eachUntil(r.with(ctx).Raw("? UNION ALL ?", of("events"), of("new_events")), func() error {
		var facts struct {
			Balance models.Amount `json:"balance"`
			Was     string        `json:"was"`
			Off     models.Amount `json:"written_off"` // of an invoice that a run had closed (rule L25): so much is owed again, whatever came of it since
		}
		if err := json.Unmarshal([]byte(data), &facts); err != nil {
			return nil //nolint:nilerr // an event of a release that kept no facts
		}
		switch {
		case kind == models.EventInvoiceClosed:
			sum += facts.Balance
		case facts.Was != "handed_over":
			sum -= cmp.Or(facts.Off, facts.Balance)
		}
		return nil
	}, &kind, &data)
	return sum, err
}
