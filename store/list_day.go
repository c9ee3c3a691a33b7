package store

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"gorm.io/gorm"

	"purr/models"
)

// list is a table with too many rows to count them at every call. Its rows are counted by day once a night; newer rows
// are counted at the call.
type list struct {
	table string
	day   string // the column that date filters read, or one day for all rows
	kind  string // the column that type filters read; may be empty
	money string // the column that is added up by day and type; may be empty
	index string // all columns that filters read, by creditor and ID
}

var (
	invoiceList = list{table: "invoices", day: "issue_date", index: "invoices_list"}
	entryList   = list{table: "entries", day: "transaction_date", kind: "type", money: "amount", index: "entries_list"}
	// Customers are counted as if all had come on one day.
	customerList = list{table: "customers", day: "'2000-01-01'", index: "customers_creditor"}

	lists = []list{invoiceList, entryList, customerList}
)

var customersDay = models.NewDate(2000, time.January, 1)

// countedAfter is how old a row must be before it is counted by day. By then, no transaction can still commit a
// row with a lower ID.
const countedAfter = time.Hour

// span is the number of the rows that a filter takes, with their first and last ID.
type span struct{ Items, First, Last int64 }

// span returns the span of the creditor's rows on some days. If the list has types, it counts only rows of the
// type; an empty type takes all.
func (r reads) span(ctx context.Context, l list, creditorID int64, d Dates, kind models.EntryType) (span, error) {
	before, last, err := r.countedWithin(ctx, l, creditorID, d, kind)
	if err != nil {
		return span{}, err
	}
	since := d.apply(r.from(ctx, l.table, l.index).Where("creditor_id = ? AND id > ?", creditorID, last), l.day)
	if kind != "" {
		since = since.Where(l.kind+" = ?", kind)
	}
	after, err := scan[span](since.Select("COUNT(*) AS items, COALESCE(MIN(id), 0) AS first, COALESCE(MAX(id), 0) AS last"))
	if err != nil {
		return span{}, err
	}
	return before.and(after), nil
}

// countedWithin returns the span of the rows on some days that are already counted, and the last ID of those of all days. It asks one
// question.
func (r reads) countedWithin(ctx context.Context, l list, creditorID int64, d Dates, kind models.EntryType) (within span, last int64, err error) {
	if d == (Dates{}) && kind == "" {
		if within, err = r.counted(ctx, l, creditorID, d, kind); err != nil {
			return span{}, 0, err
		}
		return within, within.Last, nil
	}
	in, args := "CASE WHEN 1 = 1", []any{}
	for _, bound := range []struct {
		is    bool
		sql   string
		value any
	}{{d.From != 0, " AND day >= ?", d.From}, {d.To != 0, " AND day <= ?", d.To}, {kind != "", " AND type = ?", kind}} {
		if bound.is {
			in, args = in+bound.sql, append(args, bound.value)
		}
	}
	found, err := scan[struct{ Items, First, Last, Latest int64 }](r.with(ctx).Table("list_days").Where("creditor_id = ? AND list = ?", creditorID, l.table).
		Select("COALESCE(SUM("+in+" THEN items END), 0) AS items, COALESCE(MIN("+in+" THEN first_id END), 0) AS first, "+
			"COALESCE(MAX("+in+" THEN last_id END), 0) AS last, COALESCE(MAX(last_id), 0) AS latest", slices.Concat(args, args, args)...))
	if err != nil {
		return span{}, 0, err
	}
	return span{found.Items, found.First, found.Last}, found.Latest, nil
}

// counted returns the span of the rows that are already counted by day.
func (r reads) counted(ctx context.Context, l list, creditorID int64, d Dates, kind models.EntryType) (span, error) {
	days := d.apply(r.with(ctx).Table("list_days").Where("creditor_id = ? AND list = ?", creditorID, l.table), "day")
	if kind != "" {
		days = days.Where("type = ?", kind)
	}
	return scan[span](days.Select("COALESCE(SUM(items), 0) AS items, COALESCE(MIN(first_id), 0) AS first, COALESCE(MAX(last_id), 0) AS last"))
}

// and joins two spans; later has the later rows.
func (s span) and(later span) span {
	switch {
	case s.Items == 0:
		return later
	case later.Items == 0:
		return s
	}
	return span{s.Items + later.Items, s.First, later.Last}
}

// CountLists counts the creditor's rows in the long lists again, and adds up the entries' amounts. Afterwards the length of
// a list is the sum of its days, and needs no reading of all rows. It also keeps the invoices' texts together, for searches,
// and what was booked on each day (see Booked).
//
// It deletes the old counts before it counts. A concurrent deletion of a row either waits for the counting, or is committed
// before it. Both give the right count.
func (tx *Tx) CountLists(ctx context.Context, creditorID int64) error {
	for _, table := range []string{"list_days", "list_marks"} {
		if err := tx.with(ctx).Exec("DELETE FROM "+table+" WHERE creditor_id = ?", creditorID).Error; err != nil {
			return classify(err, "")
		}
	}
	last, err := tx.lastCountable(ctx, creditorID)
	if err != nil {
		return err
	}
	if err := tx.keepTexts(ctx, creditorID, last[0]); err != nil {
		return err
	}
	if err := tx.countBooked(ctx, creditorID, last[1]); err != nil {
		return err
	}
	var days, marks []string
	var daysOf, marksOf []any
	for n, l := range lists {
		days = append(days, fmt.Sprintf(`SELECT creditor_id, '%[1]s', %[2]s, %[3]s, COUNT(*), SUM(%[4]s), MIN(id), MAX(id) FROM %[1]s
			WHERE creditor_id = ? AND id <= ? GROUP BY creditor_id, %[2]s, %[3]s`, l.table, l.day, cmp.Or(l.kind, "''"), cmp.Or(l.money, "0")))
		marks = append(marks, fmt.Sprintf(`SELECT creditor_id, '%[1]s', id, n FROM (SELECT creditor_id, id, ROW_NUMBER() OVER (ORDER BY id) - 1 AS n
			FROM %[1]s WHERE creditor_id = ? AND id <= ?) AS numbered WHERE n %% ? = 0`, l.table))
		daysOf, marksOf = append(daysOf, creditorID, last[n]), append(marksOf, creditorID, last[n], markEvery)
	}
	err = tx.with(ctx).Exec("INSERT INTO list_days (creditor_id, list, day, type, items, amount, first_id, last_id) "+strings.Join(days, unionAll), daysOf...).Error
	if err != nil {
		return classify(err, "")
	}
	return classify(tx.with(ctx).Exec("INSERT INTO list_marks (creditor_id, list, id, position) "+strings.Join(marks, unionAll), marksOf...).Error, "")
}

// lastCountable returns the creditor's last ID in each of the lists that is old enough to be counted, zero if none is.
func (tx *Tx) lastCountable(ctx context.Context, creditorID int64) ([]int64, error) {
	var lasts []string
	var args, into []any
	last := make([]int64, len(lists))
	for n, l := range lists {
		lasts = append(lasts, "COALESCE((SELECT id FROM "+l.table+" WHERE creditor_id = ? AND created_at <= ? ORDER BY id DESC LIMIT 1), 0)")
		args, into = append(args, creditorID, tx.Now.Add(-countedAfter)), append(into, &last[n])
	}
	return last, tx.each(ctx, "SELECT "+strings.Join(lasts, ", "), args, func() {}, into...)
}

// markEvery is how many rows lie between two marks. Tests lower it.
var markEvery = 10_000

// from returns the query of the page's IDs for a list without a filter. It begins at the nearest mark, so that the last
// page costs no more than the first.
func (p Page) from(ctx context.Context, r reads, l list, creditorID int64, ids *gorm.DB) (*gorm.DB, error) {
	mark, err := scan[struct{ ID, Position int64 }](r.with(ctx).Table("list_marks").
		Where("creditor_id = ? AND list = ? AND position <= ?", creditorID, l.table, p.offset()).Order("position DESC").Limit(1))
	if err != nil {
		return nil, err
	}
	return p.after(ids.Where("id >= ?", mark.ID), mark.Position), nil
}

// countedRow is a row as the counts of its list hold it.
type countedRow struct {
	creditorID, id int64
	day            models.Date
	kind           models.EntryType
	amount         models.Amount
}

// uncount takes a deleted row out of the counts, if they include it.
func (tx *Tx) uncount(ctx context.Context, l list, c countedRow) error {
	err := tx.with(ctx).Exec(
		"UPDATE list_days SET items = items - 1, amount = amount - ? WHERE creditor_id = ? AND list = ? AND day = ? AND type = ? AND last_id >= ?",
		c.amount, c.creditorID, l.table, c.day, c.kind, c.id).Error
	if err != nil {
		return classify(err, "")
	}
	return classify(tx.with(ctx).Exec("UPDATE list_marks SET position = position - 1 WHERE creditor_id = ? AND list = ? AND id > ?",
		c.creditorID, l.table, c.id).Error, "")
}
