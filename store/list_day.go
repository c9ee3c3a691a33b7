package store

import (
	"context"
	"fmt"
	"time"

	"gorm.io/gorm"

	"purr/models"
)

// list is a table whose rows are too many to be counted at every call: how many there are on which day is
// counted once a night, and what came since is added.
type list struct {
	table string
	day   string // the column that date filters look at
	kind  string // the column that a type filter looks at; empty where there is none
	index string // all that the filters look at, by creditor and ID
}

var (
	invoiceList = list{table: "invoices", day: "issue_date", index: "invoices_list"}
	entryList   = list{table: "entries", day: "transaction_date", kind: "type", index: "entries_list"}
)

// countedAfter is how old a row must be to be counted for good: by then no transaction is under way that
// would commit one with a lower ID.
const countedAfter = time.Hour

// span is how many rows of a list a filter takes, and the IDs that they lie between, both inclusive.
type span struct{ Items, First, Last int64 }

// span returns the span of the creditor's rows on some days and, where the list has types, of a type; an
// empty one is all.
func (r reads) span(ctx context.Context, l list, creditorID int64, d Dates, kind models.EntryType) (span, error) {
	counted, err := r.counted(ctx, l, creditorID, Dates{}, "")
	if err != nil {
		return span{}, err
	}
	before := counted
	if d != (Dates{}) || kind != "" {
		if before, err = r.counted(ctx, l, creditorID, d, kind); err != nil {
			return span{}, err
		}
	}
	since := d.apply(r.from(ctx, l.table, l.index).Where("creditor_id = ? AND id > ?", creditorID, counted.Last), l.day)
	if kind != "" {
		since = since.Where(l.kind+" = ?", kind)
	}
	var after span
	err = since.Select("COUNT(*) AS items, COALESCE(MIN(id), 0) AS first, COALESCE(MAX(id), 0) AS last").Scan(&after).Error
	return before.and(after), classify(err, "")
}

// counted returns the span of the rows that are counted.
func (r reads) counted(ctx context.Context, l list, creditorID int64, d Dates, kind models.EntryType) (s span, err error) {
	days := d.apply(r.with(ctx).Table("list_days").Where("creditor_id = ? AND list = ?", creditorID, l.table), "day")
	if kind != "" {
		days = days.Where("type = ?", kind)
	}
	err = days.Select("COALESCE(SUM(items), 0) AS items, COALESCE(MIN(first_id), 0) AS first, COALESCE(MAX(last_id), 0) AS last").Scan(&s).Error
	return s, classify(err, "")
}

// and returns the span of the rows of both, of which the other's are the later.
func (s span) and(later span) span {
	switch {
	case s.Items == 0:
		return later
	case later.Items == 0:
		return s
	}
	return span{s.Items + later.Items, s.First, later.Last}
}

// CountLists counts the creditor's rows in the long lists anew, so that from then on a list's length costs
// a sum over its days instead of a walk through its rows.
func (tx *Tx) CountLists(ctx context.Context, creditorID int64) error {
	for _, l := range []list{invoiceList, entryList} {
		if err := tx.count(ctx, l, creditorID); err != nil {
			return err
		}
	}
	return nil
}

// count removes what was counted before it counts: a deletion at the same time then waits for the one or
// comes before the other, and is counted either way.
func (tx *Tx) count(ctx context.Context, l list, creditorID int64) error {
	kind := "''"
	if l.kind != "" {
		kind = l.kind
	}
	for _, table := range []string{"list_days", "list_marks"} {
		if err := tx.with(ctx).Exec("DELETE FROM "+table+" WHERE creditor_id = ? AND list = ?", creditorID, l.table).Error; err != nil {
			return classify(err, "")
		}
	}
	var last int64
	err := tx.with(ctx).Table(l.table).Select("id").Where("creditor_id = ? AND created_at <= ?", creditorID, tx.Now.Add(-countedAfter)).
		Order("id DESC").Limit(1).Scan(&last).Error
	if err != nil {
		return classify(err, "")
	}
	err = tx.with(ctx).Exec(fmt.Sprintf(`INSERT INTO list_days (creditor_id, list, day, type, items, first_id, last_id)
		SELECT creditor_id, ?, %[1]s, %[2]s, COUNT(*), MIN(id), MAX(id) FROM %[3]s
		WHERE creditor_id = ? AND id <= ? GROUP BY creditor_id, %[1]s, %[2]s`, l.day, kind, l.table), l.table, creditorID, last).Error
	if err != nil {
		return classify(err, "")
	}
	return classify(tx.with(ctx).Exec(fmt.Sprintf(`INSERT INTO list_marks (creditor_id, list, id, position)
		SELECT creditor_id, ?, id, n FROM (SELECT creditor_id, id, ROW_NUMBER() OVER (ORDER BY id) - 1 AS n FROM %s WHERE creditor_id = ? AND id <= ?) AS numbered
		WHERE n %% ? = 0`, l.table), l.table, creditorID, last, markEvery).Error, "")
}

// markEvery is how many rows lie between two marks. Tests lower it.
var markEvery = 10_000

// from returns the query of the page's IDs and where the page lies in it. Where all rows of the list are asked
// for it begins at the nearest mark, so that a page far back costs no more than one at the front.
func (p Page) from(ctx context.Context, r reads, l list, creditorID int64, ids *gorm.DB) (*gorm.DB, error) {
	var mark struct{ ID, Position int64 }
	err := r.with(ctx).Table("list_marks").Where("creditor_id = ? AND list = ? AND position <= ?", creditorID, l.table, p.offset()).
		Order("position DESC").Limit(1).Scan(&mark).Error
	return p.after(ids.Where("id >= ?", mark.ID), mark.Position), classify(err, "")
}

// uncount takes a deleted entry from what was counted, if it was.
func (tx *Tx) uncount(ctx context.Context, e models.Entry) error {
	err := tx.with(ctx).Exec(
		"UPDATE list_days SET items = items - 1 WHERE creditor_id = ? AND list = ? AND day = ? AND type = ? AND last_id >= ?",
		e.CreditorID, entryList.table, e.TransactionDate, e.Type, e.ID).Error
	if err != nil {
		return classify(err, "")
	}
	return classify(tx.with(ctx).Exec("UPDATE list_marks SET position = position - 1 WHERE creditor_id = ? AND list = ? AND id > ?",
		e.CreditorID, entryList.table, e.ID).Error, "")
}
