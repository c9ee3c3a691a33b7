package store

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"purr/models"
)

// bookedDay is a row of booked_days: what was booked on a day of one movement, of all VAT rates or of one.
type bookedDay struct {
	CreditorID int64
	Day        models.Date
	Movement   models.Movement
	Rate       models.Percent
	FirstID    int64
	LastID     int64
	Items      int64
	Amount     models.Amount
	VAT        models.Amount
}

// TableName names the table.
func (bookedDay) TableName() string { return "booked_days" }

// vatByMinute is the query of what was booked of each VAT rate, by minutes.
const vatByMinute = `SELECT SUBSTR(created_at, 1, 16) AS minute, movement, %s, MIN(posted.id), MAX(posted.id), COUNT(*), SUM(%s), SUM(%s)
	FROM (%s) AS posted %s WHERE posted.id <= ?%s GROUP BY minute, movement, %[1]s`

// countBooked adds what was booked since the last night to what is kept of each day, up to the entry with the ID. A row of the table
// never changes. Two countings at once begin with the same entry, so the key lets only one of them in.
func (tx *Tx) countBooked(ctx context.Context, creditorID, upTo int64) error {
	from, err := tx.bookedTo(ctx, creditorID)
	if err != nil || upTo <= from {
		return err
	}
	creditor, err := tx.Creditor(ctx, creditorID)
	if err != nil {
		return err
	}
	zone, days := creditor.DisplayZone(), map[bookedDay]*bookedDay{}
	for _, query := range []string{
		fmt.Sprintf("SELECT SUBSTR(created_at, 1, 16) AS minute, movement, -1, MIN(id), MAX(id), COUNT(*), SUM(amount), 0 FROM (%s) AS posted WHERE id <= ? GROUP BY minute, movement", tx.posted()),
		fmt.Sprintf(vatByMinute, ofRates, netOfLine, vatOfLine, tx.posted(), joinLines, ofWhole),
		fmt.Sprintf(vatByMinute, ofRates, netOfLine, vatOfLine, tx.posted(), joinParts, ofPart),
	} {
		var minute string
		var b bookedDay
		var wrong error
		err := tx.each(ctx, query, []any{creditorID, from, creditorID, from, upTo}, func() {
			day, err := dayOfMinute(minute, zone)
			if err != nil {
				wrong = err
			}
			addBooked(days, creditorID, day, b)
		}, &minute, &b.Movement, &b.Rate, &b.FirstID, &b.LastID, &b.Items, &b.Amount, &b.VAT)
		if err != nil || wrong != nil {
			return cmp.Or(err, wrong)
		}
	}
	rows := make([]bookedDay, 0, len(days))
	for _, b := range days {
		rows = append(rows, *b)
	}
	if len(rows) == 0 {
		return nil
	}
	return classify(tx.with(ctx).CreateInBatches(rows, 500).Error, "")
}

// addBooked adds what was booked in a minute to its day.
func addBooked(days map[bookedDay]*bookedDay, creditorID int64, day models.Date, b bookedDay) {
	key := bookedDay{CreditorID: creditorID, Day: day, Movement: b.Movement, Rate: b.Rate}
	sum := days[key]
	if sum == nil {
		sum = &bookedDay{CreditorID: creditorID, Day: day, Movement: b.Movement, Rate: b.Rate, FirstID: b.FirstID}
		days[key] = sum
	}
	sum.FirstID, sum.LastID = min(sum.FirstID, b.FirstID), max(sum.LastID, b.LastID)
	sum.Items, sum.Amount, sum.VAT = sum.Items+b.Items, sum.Amount+b.Amount, sum.VAT+b.VAT
}

// dayOfMinute returns the day in a zone that a minute is in, as both databases write it in UTC. No zone's day begins within a minute.
func dayOfMinute(minute string, zone *time.Location) (models.Date, error) {
	t, err := time.Parse("2006-01-02 15:04", minute)
	if err != nil {
		return 0, fmt.Errorf("read when an entry was booked: %w", err)
	}
	return models.DateOf(t.In(zone)), nil
}

// BookedMismatch returns by how many entries, and by what amount, what the nights have kept of all that was booked differs from the
// entries and those that were deleted.
func (r reads) BookedMismatch(ctx context.Context, creditorID int64) (items int64, amount models.Amount, err error) {
	const last = "(SELECT COALESCE(MAX(b.last_id), 0) FROM booked_days b WHERE b.creditor_id = ?)"
	err = r.each(ctx, `SELECT COALESCE(SUM(items), 0), COALESCE(SUM(amount), 0) FROM (
			SELECT items, amount FROM booked_days WHERE creditor_id = ? AND rate < 0
			UNION ALL SELECT -COUNT(*), -COALESCE(SUM(amount), 0) FROM entries WHERE creditor_id = ? AND id <= `+last+`
			UNION ALL SELECT -COUNT(*), -COALESCE(SUM(amount), 0) FROM deleted_entries WHERE creditor_id = ? AND entry_id <= `+last+`
		) AS booked`, slices.Repeat([]any{creditorID}, 5), func() {}, &items, &amount)
	return items, amount, err
}
