package store

import (
	"context"
	"slices"

	"gorm.io/gorm"

	"purr/models"
)

// A file of before rule D110 may have a part whose latest date is after the day on which the file came. Such a date is read as that
// day. The days are those of summer in Oslo, so that no date is lowered which an import has bounded by the bank's day. A part keeps
// its date if its file has no row.

// boundedDates are the texts of the queries of one database.
type boundedDates struct {
	day     string // on which the file f came
	earlier string // the earlier one of two dates
}

func (r reads) boundedDates() boundedDates {
	if dialect(r.db.Name()) == dialectSQLite {
		return boundedDates{day: "date(f.received_at, '+2 hours')", earlier: "MIN"}
	}
	return boundedDates{day: "DATE(f.received_at + INTERVAL 2 HOUR)", earlier: "LEAST"}
}

// latest returns the columns and tables of a query of the latest bounded date of parts p.
func (b boundedDates) latest() string {
	return "MAX(" + b.earlier + "(p.latest_date, COALESCE(" + b.day + ", p.latest_date))) AS latest FROM payment_file_parts p LEFT JOIN payment_files f ON f.id = p.payment_file_id"
}

// reached is the query of BankNews.Reached. Of the creditor's parts it reads, latest first, those up to the first that is not dated
// ahead: none below can have a later date. Most often that is the first.
func (r reads) reached(ctx context.Context, creditorID int64) *gorm.DB {
	b := r.boundedDates()
	return r.with(ctx).Raw("SELECT "+b.latest()+` WHERE p.creditor_id = ? AND p.latest_date >= COALESCE((
		SELECT q.latest_date FROM payment_file_parts q
		WHERE q.creditor_id = ? AND q.latest_date <= COALESCE((SELECT `+b.day+` FROM payment_files f WHERE f.id = q.payment_file_id), q.latest_date)
		ORDER BY q.latest_date DESC LIMIT 1), '0001-01-01')`, creditorID, creditorID)
}

// LatestBankDates returns BankNews.Reached of each creditor that has one.
func (r reads) LatestBankDates(ctx context.Context) (map[int64]models.Date, error) {
	latest, err := latestDates(r.with(ctx).Model(&models.PaymentFilePart{}), "latest_date")
	if err != nil {
		return nil, err
	}
	b := r.boundedDates()
	ahead, err := scan[[]int64](r.with(ctx).Raw(`SELECT DISTINCT p.creditor_id FROM (
		SELECT creditor_id, MAX(latest_date) AS latest FROM payment_file_parts GROUP BY creditor_id) AS m
		JOIN payment_file_parts p ON p.creditor_id = m.creditor_id AND p.latest_date = m.latest
		JOIN payment_files f ON f.id = p.payment_file_id WHERE p.latest_date > ` + b.day))
	if err != nil {
		return nil, err
	}
	for some := range slices.Chunk(ahead, 500) {
		bounded, err := readAll[latestDate](r.with(ctx).Raw("SELECT p.creditor_id, "+b.latest()+" WHERE p.creditor_id IN ? GROUP BY p.creditor_id", some))
		if err != nil {
			return nil, err
		}
		for _, d := range bounded {
			latest[d.CreditorID] = d.Latest
		}
	}
	return latest, nil
}
