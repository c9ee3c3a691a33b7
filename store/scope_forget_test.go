package store_test

import (
	"context"

	"purr/models"
	"purr/store"
	"purr/test/testkit/rows"
)

// forgetTrials are the trials of what forgets a customer.
var forgetTrials = map[string]trial{
	"Forget": func(ctx context.Context, tx *store.Tx, h holdings, c int64) (bool, error) {
		_, done, err := tx.Forget(ctx, c, h.customer.ID, models.Forgetting{}, rows.Today, always)
		return done, without(err, models.KindNotFound)
	},
	"Affairs": func(ctx context.Context, tx *store.Tx, h holdings, c int64) (bool, error) {
		return reached(tx.Affairs(ctx, c, h.customer.ID, h.owner.DisplayZone()))
	},
	"Knowledge": func(ctx context.Context, tx *store.Tx, h holdings, c int64) (bool, error) {
		return reached(tx.Knowledge(ctx, c, h.customer.ID))
	},
	"Unforgotten": func(ctx context.Context, tx *store.Tx, _ holdings, c int64) (bool, error) {
		return some(tx.Unforgotten(ctx, c, 0, 10))
	},
	"NumberedDocumentsOf": func(ctx context.Context, tx *store.Tx, h holdings, c int64) (bool, error) {
		return some(tx.NumberedDocumentsOf(ctx, c, h.customer.ID, models.InvoiceDocument))
	},
	"EventsOfCustomer": func(ctx context.Context, tx *store.Tx, h holdings, c int64) (bool, error) {
		if err := tx.Exec(ctx, "INSERT INTO events (id, creditor_id, at, type, actor, invoice_id, customer_id, subject_id, text, data) VALUES (77777, ?, ?, 'customer.created', 'x', 0, ?, ?, '', '')",
			h.owner.ID, tx.Now, h.customer.ID, h.customer.ID); err != nil {
			return false, err
		}
		return some(tx.EventsOfCustomer(ctx, c, h.customer.ID))
	},
	"RemovalsOf": func(ctx context.Context, tx *store.Tx, h holdings, c int64) (bool, error) {
		if _, _, err := tx.Forget(ctx, h.owner.ID, h.customer.ID, models.Forgetting{}, rows.Today, always); err != nil {
			return false, err
		}
		return some(tx.RemovalsOf(ctx, c, h.customer.ID))
	},
}

// always decides that a customer is forgotten.
func always(context.Context, models.Customer) (bool, error) { return true, nil }
