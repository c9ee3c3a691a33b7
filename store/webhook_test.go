package store_test

import (
	"context"
	"errors"
	"slices"
	"testing"
	"time"

	"purr/models"
	"purr/store"
	"purr/test/testkit/rows"
)

// addWebhook writes a webhook of the creditor that is switched on.
func addWebhook(t *testing.T, db *store.DB, c models.Creditor, types ...models.EventType) models.Webhook {
	t.Helper()
	w := models.Webhook{CreditorID: c.ID, URL: "https://example.no/purr", Enabled: true, EventTypes: types, Secret: "whsec_1"}
	rows.Write(t, db, func(tx *store.Tx) error { return tx.CreateWebhook(t.Context(), &w) })
	return w
}

// log writes events of the types.
func log(t *testing.T, db *store.DB, c models.Creditor, types ...models.EventType) {
	t.Helper()
	events := make([]models.Event, len(types))
	for i, e := range types {
		events[i] = models.Event{CreditorID: c.ID, Type: e, Text: "x"}
	}
	rows.Write(t, db, func(tx *store.Tx) error { return tx.Log(t.Context(), events...) })
	must(t, db.NumberEvents(t.Context()))
}

// owed returns the types of the events that are due at a webhook.
func owed(t *testing.T, db *store.DB, w models.Webhook) []models.EventType {
	t.Helper()
	must(t, db.NumberEvents(t.Context()))
	due, err := db.DueDeliveries(t.Context(), w.ID, rows.Start, 10_000)
	must(t, err)
	var types []models.EventType
	for _, d := range due {
		types = append(types, d.EventType)
	}
	return types
}

func TestE7WebhooksComeBackAsTheyWentIn(t *testing.T) {
	t.Parallel()
	rows.EachDatabase(t, func(t *testing.T, db *store.DB) {
		ctx := t.Context()
		c := rows.Creditor(t, db)
		until := rows.Start.Add(24 * time.Hour)
		webhooks := []models.Webhook{
			{CreditorID: c.ID, URL: "http://a"},
			{
				CreditorID: c.ID, URL: "https://æ.no/?x=%20", Description: "Lager 🐈", Enabled: true, Secret: "whsec_new", OldSecret: "whsec_old", OldSecretUntil: &until,
				EventTypes: models.EventTypes{models.EventCustomerDeleted, models.EventPaymentReceived},
			},
		}
		for i := range webhooks {
			rows.Write(t, db, func(tx *store.Tx) error { return tx.CreateWebhook(ctx, &webhooks[i]) })
			got, err := db.Webhook(ctx, c.ID, webhooks[i].ID)
			must(t, err)
			same(t, got, webhooks[i])
		}
		enabled := webhooks[1].ID
		log(t, db, c, models.EventCustomerDeleted)
		found, total, err := db.WebhookDeliveries(ctx, c.ID, enabled, nil, everything)
		if err != nil || total != 1 || len(found) != 1 {
			t.Fatalf("%d deliveries are owed, %v", total, err)
		}
		want := found[0]
		want.State, want.Attempts, want.NextAttempt, want.DeliveredAt = models.DeliveryDelivered, 3, until, &until
		want.ResponseStatus, want.Failure, want.Body = 204, "æ", "<event>🐈</event>"
		rows.Write(t, db, func(tx *store.Tx) error { return tx.UpdateWebhookDelivery(ctx, want) })
		got, err := db.WebhookDelivery(ctx, c.ID, want.ID)
		must(t, err)
		same(t, got, want)
		listed, _, err := db.WebhookDeliveries(ctx, c.ID, enabled, nil, everything)
		must(t, err)
		same(t, listed, []models.WebhookDelivery{want})
	})
}

func TestE7EventsAreOwedToWhoWantsThem(t *testing.T) {
	t.Parallel()
	rows.EachDatabase(t, func(t *testing.T, db *store.DB) {
		ctx := t.Context()
		c, other := rows.Creditor(t, db), rows.Creditor(t, db)
		log(t, db, c, models.EventCustomerDeleted) // before there is a webhook
		all, some := addWebhook(t, db, c), addWebhook(t, db, c, models.EventPaymentReceived, models.EventCustomerCreated)
		off, others := addWebhook(t, db, c), addWebhook(t, db, other)
		off.Enabled = false
		rows.Write(t, db, func(tx *store.Tx) error { return tx.UpdateWebhook(ctx, off) })

		rows.Write(t, db, func(tx *store.Tx) error {
			return tx.Log(ctx, models.Event{CreditorID: c.ID, Type: models.EventCustomerCreated}, models.Event{CreditorID: other.ID, Type: models.EventLettersReleased},
				models.Event{CreditorID: c.ID, Type: models.EventWebhookCreated}, models.Event{CreditorID: c.ID, Type: models.EventHoldSet})
		})
		for _, test := range []struct {
			why  string
			hook models.Webhook
			want []models.EventType
		}{
			{"all are all but the webhooks' own", all, []models.EventType{models.EventCustomerCreated, models.EventHoldSet}},
			{"those that were asked for", some, []models.EventType{models.EventCustomerCreated}},
			{"none where it is switched off", off, nil},
			{"those of one's own creditor", others, []models.EventType{models.EventLettersReleased}},
		} {
			if got := owed(t, db, test.hook); !slices.Equal(got, test.want) {
				t.Errorf("%s: %v", test.why, got)
			}
		}
	})
}

func TestE7WhatIsRolledBackIsNotOwed(t *testing.T) {
	t.Parallel()
	rows.EachDatabase(t, func(t *testing.T, db *store.DB) {
		c := rows.Creditor(t, db)
		w := addWebhook(t, db, c)
		undo := errors.New("undo")
		err := db.InTx(t.Context(), func(_ context.Context, tx *store.Tx) error {
			return errors.Join(tx.Log(t.Context(), models.Event{CreditorID: c.ID, Type: models.EventHoldSet}), undo)
		})
		if got := owed(t, db, w); !errors.Is(err, undo) || got != nil {
			t.Errorf("owed are %v, %v", got, err)
		}
	})
}

func TestE7ManyEventsAtOnce(t *testing.T) {
	t.Parallel()
	rows.EachDatabase(t, func(t *testing.T, db *store.DB) {
		const many = 2345
		c := rows.Creditor(t, db)
		w := addWebhook(t, db, c)
		log(t, db, c, slices.Repeat([]models.EventType{models.EventPaymentReceived}, many)...)
		if got := owed(t, db, w); len(got) != many {
			t.Errorf("%d are owed", len(got))
		}
		due, err := db.DueDeliveries(t.Context(), w.ID, rows.Start, many)
		must(t, err)
		for _, d := range due {
			if _, err := db.Event(t.Context(), c.ID, d.EventID); err != nil {
				t.Fatalf("event %d: %v", d.EventID, err)
			}
		}
	})
}

func TestE7WhatIsDue(t *testing.T) {
	t.Parallel()
	rows.EachDatabase(t, func(t *testing.T, db *store.DB) {
		ctx := t.Context()
		c := rows.Creditor(t, db)
		first, second := addWebhook(t, db, c), addWebhook(t, db, c, models.EventHoldSet)
		wantDue := func(why string, by time.Time, want ...int64) {
			t.Helper()
			due, err := db.WebhooksDue(ctx, by)
			must(t, err)
			var ids []int64
			for _, w := range due {
				ids = append(ids, w.ID)
			}
			if !slices.Equal(ids, want) {
				t.Errorf("%s: due are %v, want %v", why, ids, want)
			}
		}
		wantNext := func(why string, want time.Time) {
			t.Helper()
			if next, is, err := db.NextAttempt(ctx, store.LeasedDeliveries); err != nil || is == want.IsZero() || !next.Equal(want) {
				t.Errorf("%s: the next is due at %s, %t, %v", why, next, is, err)
			}
		}
		wantDue("nothing happened", rows.Start)
		wantNext("nothing happened", time.Time{})
		log(t, db, c, models.EventHoldRemoved, models.EventHoldSet)
		wantDue("at once", rows.Start, first.ID, second.ID)
		wantDue("not before", rows.Start.Add(-time.Microsecond))

		due, err := db.DueDeliveries(ctx, first.ID, rows.Start, 2)
		must(t, err)
		due[0].NextAttempt, due[1].State = at("12:00:05"), models.DeliveryDelivered
		rows.Write(t, db, func(tx *store.Tx) error {
			return errors.Join(tx.UpdateWebhookDelivery(ctx, due[0]), tx.UpdateWebhookDelivery(ctx, due[1]))
		})
		wantDue("what waits is not due", rows.Start, second.ID)
		wantDue("until its time", at("12:00:05"), first.ID, second.ID)
		wantNext("the sooner", rows.Start)

		second.Enabled = false
		rows.Write(t, db, func(tx *store.Tx) error { return tx.UpdateWebhook(ctx, second) })
		wantDue("what is switched off", at("12:00:05"), first.ID)
		wantNext("what is switched off waits for no time", at("12:00:05"))

		rows.Write(t, db, func(tx *store.Tx) error { return tx.DeleteWebhook(ctx, c.ID, first.ID) })
		wantDue("what is deleted", at("12:00:05"))
		wantNext("what is deleted", time.Time{})
		if _, err := db.WebhookDelivery(ctx, c.ID, due[1].ID); models.KindOf(err) != models.KindNotFound {
			t.Errorf("its delivery is left: %v", err)
		}
	})
}

func TestE7DeliveriesByState(t *testing.T) {
	t.Parallel()
	rows.EachDatabase(t, func(t *testing.T, db *store.DB) {
		ctx := t.Context()
		c := rows.Creditor(t, db)
		w, other := addWebhook(t, db, c), addWebhook(t, db, c)
		log(t, db, c, models.EventHoldSet, models.EventHoldSet, models.EventHoldSet, models.EventHoldSet)
		due, err := db.DueDeliveries(ctx, w.ID, rows.Start, 4)
		must(t, err)
		due[0].State, due[1].State = models.DeliveryDelivered, models.DeliveryFailed
		rows.Write(t, db, func(tx *store.Tx) error {
			return errors.Join(tx.UpdateWebhookDelivery(ctx, due[0]), tx.UpdateWebhookDelivery(ctx, due[1]))
		})
		count := func(states ...models.DeliveryState) int {
			t.Helper()
			found, total, err := db.WebhookDeliveries(ctx, c.ID, w.ID, states, everything)
			if err != nil || int(total) != len(found) || !slices.IsSortedFunc(found, func(a, b models.WebhookDelivery) int { return int(a.ID - b.ID) }) {
				t.Errorf("found %d of %d, %v", len(found), total, err)
			}
			return len(found)
		}
		const p, d, f = models.DeliveryPending, models.DeliveryDelivered, models.DeliveryFailed
		if got := []int{count(), count(p), count(d), count(f), count(p, f)}; !slices.Equal(got, []int{4, 2, 1, 1, 3}) {
			t.Errorf("there are %v", got)
		}
		waiting := func() int64 {
			t.Helper()
			counts, err := db.WaitingForPerson(ctx)
			must(t, err)
			return counts["failed_webhook_deliveries"]
		}
		if got := waiting(); got != 1 {
			t.Errorf("%d wait for a person", got)
		}
		rows.Write(t, db, func(tx *store.Tx) error { return tx.FailDeliveries(ctx, w.ID, "gone") })
		if got := []int{count(p), count(d), count(f), len(owed(t, db, other))}; !slices.Equal(got, []int{0, 1, 3, 4}) {
			t.Errorf("after giving up there are %v", got)
		}
		if got := waiting(); got != 3 {
			t.Errorf("after giving up %d wait for a person", got)
		}
		w.Enabled = false
		rows.Write(t, db, func(tx *store.Tx) error { return tx.UpdateWebhook(ctx, w) })
		if got := waiting(); got != 0 {
			t.Errorf("of a webhook that is switched off %d wait for a person", got)
		}
	})
}
