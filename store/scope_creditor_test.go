package store_test

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"purr/models"
	"purr/store"
	"purr/test/testkit/rows"
)

// creditorTrials are the trials of a creditor’s own things: customers, keys, numbers, events and webhooks.
var creditorTrials = map[string]trial{
	"Customer": func(ctx context.Context, tx *store.Tx, h holdings, c int64) (bool, error) {
		return reached(tx.Customer(ctx, c, h.customer.ID))
	},
	"Customers": func(ctx context.Context, tx *store.Tx, _ holdings, c int64) (bool, error) {
		return counted(tx.Customers(ctx, c, "kari", everything))
	},
	"Search": func(ctx context.Context, tx *store.Tx, h holdings, c int64) (bool, error) {
		found, err := tx.Search(ctx, c, models.ReadQuery(h.customer.Recipient.Name1))
		return len(found.Hits) > 0, err
	},
	"Shipments": func(ctx context.Context, tx *store.Tx, h holdings, c int64) (bool, error) {
		return counted(tx.Shipments(ctx, c, store.ShipmentFilter{Document: h.invoice.Document(), States: []models.ShipmentState{models.ShipmentOwed}, Method: models.ByPaper}, everything))
	},
	"WaitingOf": func(ctx context.Context, tx *store.Tx, _ holdings, c int64) (bool, error) {
		w, err := tx.WaitingOf(ctx, c, rows.Today)
		return w != store.Waiting{}, err
	},
	"CustomersWithPolicy": func(ctx context.Context, tx *store.Tx, _ holdings, c int64) (bool, error) {
		return some(tx.CustomersWithPolicy(ctx, c))
	},
	"WantAddress": func(ctx context.Context, tx *store.Tx, h holdings, c int64) (bool, error) {
		return tx.WantAddress(ctx, c, h.customer.ID, rows.Today)
	},
	"CustomersByID": func(ctx context.Context, tx *store.Tx, h holdings, c int64) (bool, error) {
		found, err := tx.CustomersByID(ctx, c, []int64{h.customer.ID})
		return len(found) > 0, err
	},
	"LockCustomer": func(ctx context.Context, tx *store.Tx, h holdings, c int64) (bool, error) {
		return reached(tx.LockCustomer(ctx, c, h.customer.ID))
	},
	"LockCustomers": func(ctx context.Context, tx *store.Tx, h holdings, c int64) (bool, error) {
		found, err := tx.LockCustomers(ctx, c, []int64{h.customer.ID})
		return len(found) > 0, err
	},
	"LockRecipients": func(ctx context.Context, tx *store.Tx, h holdings, c int64) (bool, error) {
		found, err := tx.LockRecipients(ctx, c, []int64{h.customer.ID})
		return len(found) > 0, err
	},
	"DeleteCustomer": func(ctx context.Context, tx *store.Tx, h holdings, c int64) (bool, error) {
		if err := tx.DeleteCustomer(ctx, c, h.customer.ID); err != nil {
			return false, err
		}
		there, err := reached(tx.Customer(ctx, h.owner.ID, h.customer.ID))
		return !there, err
	},
	"Events": func(ctx context.Context, _ *store.Tx, h holdings, c int64) (bool, error) {
		return some(h.db.Events(ctx, c, 0, 10))
	},
	"NewestEvents": func(ctx context.Context, _ *store.Tx, h holdings, c int64) (bool, error) {
		return some(h.db.NewestEvents(ctx, c, store.EventFilter{}, 0, 10))
	},
	"Event": func(ctx context.Context, tx *store.Tx, h holdings, c int64) (bool, error) {
		return reached(tx.Event(ctx, c, h.delivery.EventID))
	},
	"EventPage": func(ctx context.Context, _ *store.Tx, h holdings, c int64) (bool, error) {
		return counted(h.db.EventPage(ctx, c, 0, everything))
	},
	"Webhook": func(ctx context.Context, tx *store.Tx, h holdings, c int64) (bool, error) {
		return reached(tx.Webhook(ctx, c, h.webhook.ID))
	},
	"Webhooks": func(ctx context.Context, tx *store.Tx, _ holdings, c int64) (bool, error) {
		return counted(tx.Webhooks(ctx, c, everything))
	},
	"LockWebhook": func(ctx context.Context, tx *store.Tx, h holdings, c int64) (bool, error) {
		return reached(tx.LockWebhook(ctx, c, h.webhook.ID))
	},
	"DeleteWebhook": func(ctx context.Context, tx *store.Tx, h holdings, c int64) (bool, error) {
		if err := tx.DeleteWebhook(ctx, c, h.webhook.ID); err != nil {
			return false, err
		}
		there, err := reached(tx.Webhook(ctx, h.owner.ID, h.webhook.ID))
		owed, deliveryErr := reached(tx.WebhookDelivery(ctx, h.owner.ID, h.delivery.ID))
		return !there || !owed, errors.Join(err, deliveryErr)
	},
	"WebhookDelivery": func(ctx context.Context, tx *store.Tx, h holdings, c int64) (bool, error) {
		return reached(tx.WebhookDelivery(ctx, c, h.delivery.ID))
	},
	"WebhookDeliveries": func(ctx context.Context, _ *store.Tx, h holdings, c int64) (bool, error) {
		return counted(h.db.WebhookDeliveries(ctx, c, h.webhook.ID, nil, everything))
	},
	"NewestWebhookDeliveries": func(ctx context.Context, _ *store.Tx, h holdings, c int64) (bool, error) {
		found, _, _, err := h.db.NewestWebhookDeliveries(ctx, c, h.webhook.ID, nil, everything)
		return len(found) > 0, err
	},
	"UndeliveredCounts": func(ctx context.Context, tx *store.Tx, _ holdings, c int64) (bool, error) {
		counts, err := tx.UndeliveredCounts(ctx, c)
		return len(counts) > 0, err
	},
	"LockWebhookDelivery": func(ctx context.Context, tx *store.Tx, h holdings, c int64) (bool, error) {
		return reached(tx.LockWebhookDelivery(ctx, c, h.delivery.ID))
	},
	"Keys": func(ctx context.Context, tx *store.Tx, _ holdings, c int64) (bool, error) {
		return some(tx.Keys(ctx, c))
	},
	"RevokeKey": func(ctx context.Context, tx *store.Tx, h holdings, c int64) (bool, error) {
		return reached(h.key, tx.RevokeKey(ctx, c, h.key.ID))
	},
	"AnswerTo": func(ctx context.Context, tx *store.Tx, _ holdings, c int64) (bool, error) {
		_, found, err := tx.AnswerTo(ctx, c, "key", tx.Now)
		return found, err
	},
	"NextNumbers": func(ctx context.Context, tx *store.Tx, h holdings, c int64) (bool, error) {
		return nextMoved(ctx, tx, h, func() error { _, err := tx.NextNumbers(ctx, c, 1); return err })
	},
	"LoseNumbers": func(ctx context.Context, tx *store.Tx, h holdings, c int64) (bool, error) {
		return nextMoved(ctx, tx, h, func() error { _, err := tx.LoseNumbers(ctx, c, 77); return err })
	},
	"NoteAcceptedSeries": func(ctx context.Context, tx *store.Tx, h holdings, c int64) (bool, error) {
		if err := tx.NoteAcceptedSeries(ctx, c); err != nil {
			return false, models.IgnoreNotFound(err)
		}
		_, open, err := tx.AcceptedSeries(ctx, h.owner.ID)
		return open, err
	},
	"AcceptedSeries": func(ctx context.Context, tx *store.Tx, h holdings, c int64) (bool, error) {
		if err := tx.NoteAcceptedSeries(ctx, h.owner.ID); err != nil {
			return false, err
		}
		_, open, err := tx.AcceptedSeries(ctx, c)
		return open, err
	},
	"ResumeSeries": func(ctx context.Context, tx *store.Tx, h holdings, c int64) (bool, error) {
		if err := tx.NoteAcceptedSeries(ctx, h.owner.ID); err != nil {
			return false, err
		}
		resumed, err := tx.ResumeSeries(ctx, c)
		return resumed, models.IgnoreNotFound(err)
	},
	"SetFirstNumber": func(ctx context.Context, tx *store.Tx, h holdings, c int64) (bool, error) {
		moved, err := nextMoved(ctx, tx, h, func() error { return tx.SetFirstNumber(ctx, c, 77) })
		return moved || models.KindOf(err) == models.KindConflict, nil // the owner's first invoice has been sent
	},
	"LastActs": func(ctx context.Context, tx *store.Tx, h holdings, c int64) (bool, error) {
		held, err := heldInvoice(ctx, tx, h)
		if err != nil {
			return false, err
		}
		acts, err := tx.LastActs(ctx, c, held)
		return acts[held].Turn > 0, err
	},
	"Look": func(ctx context.Context, tx *store.Tx, h holdings, c int64) (bool, error) {
		held, err := heldInvoice(ctx, tx, h)
		if err != nil {
			return false, err
		}
		look, err := tx.Look(ctx, c, held)
		return look != "0", err
	},
	"Unchanged": func(ctx context.Context, tx *store.Tx, h holdings, c int64) (bool, error) {
		held, err := heldInvoice(ctx, tx, h)
		if err != nil {
			return false, err
		}
		err = tx.Unchanged(ctx, c, held, "0") // seen before somebody held it
		return err != nil, without(err, models.KindConflict)
	},
	"Same": func(ctx context.Context, tx *store.Tx, h holdings, c int64) (bool, error) {
		held, err := heldInvoice(ctx, tx, h)
		if err != nil {
			return false, err
		}
		var told *models.Error
		if err = tx.Same(ctx, c, held, "0", "1"); !errors.As(err, &told) {
			return false, err
		}
		return told.Change != nil, nil
	},
	"ForToday": func(ctx context.Context, tx *store.Tx, h holdings, c int64) (bool, error) {
		for _, change := range []string{
			"UPDATE shipments SET kept_back = 'creditor_not_ready'", "UPDATE overdue_notices SET withdrawn = issue_date, warning = 1",
			"UPDATE invoices SET balance = 77, repayment_owed = 7, stage = 'collection', handed_over = (SELECT issue_date FROM overdue_notices LIMIT 1)",
		} {
			if err := tx.Exec(ctx, change); err != nil {
				return false, err
			}
		}
		t, err := tx.ForToday(ctx, c, rows.Today, rows.Start)
		reached := []bool{t.Open != 0, t.KeptBack[models.KeptNotReady] > 0, t.Repayments > 0, slices.Contains(t.Unwarned, h.invoice.Number)}
		if slices.Contains(reached, true) && slices.Contains(reached, false) {
			return false, fmt.Errorf("of the topics it reaches %v", reached)
		}
		return reached[0], err
	},
}
