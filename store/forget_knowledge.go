package store

import (
	"context"

	"purr/models"
)

// Knowledge is how much is known of a customer (rule O14a).
type Knowledge struct {
	Documents, Texts, Files, Shipments, Events, Payments, Entries int64

	Shared []models.Date // the days of the files that name other customers too
}

// Knowledge counts what is known of a customer of the creditor.
func (r reads) Knowledge(ctx context.Context, creditorID, customerID int64) (k Knowledge, err error) {
	c, err := r.Customer(ctx, creditorID, customerID)
	if err != nil {
		return k, err
	}
	f := &forgetting{tx: &Tx{reads: r}, customer: c}
	if err := f.readRows(ctx); err != nil {
		return k, err
	}
	for _, kind := range models.DocumentKinds() {
		k.Documents += int64(len(f.rows[documentTables[kind].name]))
	}
	for _, table := range []string{"invoice_lines", "credit_note_lines", "overdue_notice_lines"} {
		k.Texts += int64(len(f.rows[table]))
	}
	k.Shipments, k.Entries = int64(len(f.rows["shipments"])), int64(len(f.rows["entries"]))
	for _, of := range keptSums {
		if err := some(f.rows[of.table], func(part []int64) error {
			n, err := count(r.with(ctx).Table(of.table).Where("id IN ? AND "+of.column+" <> ''", part))
			if err != nil {
				return err
			}
			k.Files += n
			return nil
		}); err != nil {
			return k, err
		}
	}
	events, err := f.events(ctx, "events")
	if err != nil {
		return k, err
	}
	k.Events = int64(len(events))
	if k.Payments, err = count(r.with(ctx).Table("entries").Where("customer_id = ? AND payment_file_id <> 0", customerID)); err != nil {
		return k, err
	}
	shared, err := f.sharedFiles(ctx)
	if err != nil {
		return k, err
	}
	for _, file := range shared {
		k.Shared = append(k.Shared, file.Day)
	}
	return k, nil
}
