package store_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
	"unicode/utf8"

	"purr/models"
	"purr/store"
	"purr/test/testkit"
	"purr/test/testkit/rows"
)

func TestKeysD3(t *testing.T) {
	t.Parallel()
	rows.EachDatabase(t, func(t *testing.T, db *store.DB) {
		ctx := t.Context()
		c := rows.Creditor(t, db)
		key := models.Key{CreditorID: c.ID, Name: "nøkkel", Scope: models.ScopeWrite, Hash: models.HashKey("secret")}
		rows.Write(t, db, func(tx *store.Tx) error { return tx.CreateKey(ctx, &key) })
		kept, whose, err := db.KeyByHash(ctx, models.HashKey("secret"))
		must(t, err)
		same(t, kept, key)
		same(t, whose, c)
		_, _, err = db.KeyByHash(ctx, models.HashKey("Secret"))
		wantKind(t, err, models.KindNotFound)

		used := rows.Start.Add(1500 * time.Microsecond)
		revoke := func(ctx context.Context, tx *store.Tx) error { return tx.RevokeKey(ctx, c.ID, key.ID) }
		rows.Write(t, db, func(tx *store.Tx) error { return tx.TouchKey(ctx, key.ID, used) })
		rows.Write(t, db, func(tx *store.Tx) error { return revoke(ctx, tx) })
		kept, _, err = db.KeyByHash(ctx, key.Hash)
		if err != nil || kept.LastUsedAt == nil || !kept.LastUsedAt.Equal(used) || kept.RevokedAt == nil || !kept.RevokedAt.Equal(rows.Start) {
			t.Errorf("the revoked key is %+v, %v", kept, err)
		}
		wantKind(t, db.InTx(ctx, revoke), models.KindNotFound) // it is revoked already
		if all, err := db.Keys(ctx, c.ID); err != nil || len(all) != 1 {
			t.Errorf("all keys are %+v, %v", all, err)
		}
	})
}

func TestEventsE7(t *testing.T) {
	t.Parallel()
	rows.EachDatabase(t, func(t *testing.T, db *store.DB) {
		ctx := t.Context()
		c := rows.Creditor(t, db)
		log := make([]models.Event, 5)
		for n := range log {
			log[n] = models.Event{CreditorID: c.ID, Type: models.EventPaymentReceived, SubjectID: int64(n), Text: "Betaling fra Åse", Data: `{"n":1}`}
		}
		log[4].Text = strings.Repeat("ø", 501)
		rows.Write(t, db, func(tx *store.Tx) error {
			must(t, tx.Log(ctx))
			return tx.Log(ctx, log...)
		})
		for n := range log {
			log[n].ID, log[n].At, log[n].Actor = int64(n+1), rows.Start, models.ActorProgram
		}
		after, err := db.Events(ctx, c.ID, 2, 2)
		if err != nil || len(after) != 2 {
			t.Fatalf("after the second are %+v, %v", after, err)
		}
		same(t, after, log[2:4])
		page, total, err := db.EventPage(ctx, c.ID, 2, store.Page{Number: 2, Size: 2})
		if err != nil || total != 3 || len(page) != 1 {
			t.Fatalf("the second page is %+v of %d, %v", page, total, err)
		}
		if text := page[0].Text; utf8.RuneCountInString(text) != 500 || !strings.HasSuffix(text, "ø…") {
			t.Errorf("a text that is too long is kept as %q", text)
		}
	})
}

// TestE7EveryEventHasTheFactsOfItsType logs an event of each type with all its facts, and without each of them: the second is
// refused. So whatever writes an event writes its facts.
func TestE7EveryEventHasTheFactsOfItsType(t *testing.T) {
	t.Parallel()
	rows.EachDatabase(t, func(t *testing.T, db *store.DB) {
		c := rows.Creditor(t, db)
		for _, f := range models.EventFacts {
			facts := models.Facts{}
			for name := range strings.FieldsSeq(f.Facts) {
				if !strings.HasSuffix(name, "?") {
					facts[name] = models.Amount(12_50)
				}
			}
			for name := range facts {
				less := maps.Clone(facts)
				delete(less, name)
				err := db.InTx(t.Context(), func(_ context.Context, tx *store.Tx) error {
					return tx.Log(t.Context(), models.Event{CreditorID: c.ID, Type: f.Type, Facts: less})
				})
				if err == nil || !strings.HasSuffix(err.Error(), "the event lacks "+name) {
					t.Errorf("%s without %s is answered: %v", f.Type, name, err)
				}
			}
			rows.Write(t, db, func(tx *store.Tx) error {
				return tx.Log(t.Context(), models.Event{CreditorID: c.ID, Type: f.Type, Facts: facts})
			})
		}
		written, err := db.Events(t.Context(), c.ID, 0, 1000)
		must(t, err)
		for i, e := range written {
			var read map[string]string
			if wanted := strings.Count(" "+models.EventFacts[i].Facts, " ") - strings.Count(models.EventFacts[i].Facts, "?"); e.Data != "" {
				must(t, json.Unmarshal([]byte(e.Data), &read))
				if len(read) != wanted || !slices.Equal(slices.Compact(slices.Collect(maps.Values(read))), []string{"12.50"}) {
					t.Errorf("%s holds %s", e.Type, e.Data)
				}
			}
		}
		if len(written) != len(models.EventFacts) {
			t.Errorf("%d events are written", len(written))
		}
	})
}

// TestO15EventsAreNumberedByManyAtOnce has two processes write and number events while each creditor's list is followed.
func TestO15EventsAreNumberedByManyAtOnce(t *testing.T) {
	t.Parallel()
	testkit.EachDatabase(t, func(t *testing.T, databaseURL string) {
		const writers, each = 8, 20
		processes := []*store.DB{rows.Open(t, databaseURL), rows.Open(t, databaseURL)}
		creditors := []models.Creditor{rows.Creditor(t, processes[0]), rows.Creditor(t, processes[0])}
		hooks := []models.Webhook{addWebhook(t, processes[0], creditors[0]), addWebhook(t, processes[0], creditors[1])}
		var acting sync.WaitGroup
		for w := range writers {
			acting.Go(func() {
				db := processes[w%2]
				for n := range each {
					event := models.Event{CreditorID: creditors[w/2%2].ID, Type: models.EventHoldSet, SubjectID: int64(w*each + n)}
					if err := db.InTx(t.Context(), func(_ context.Context, tx *store.Tx) error { return tx.Log(t.Context(), event) }); err != nil {
						t.Error(err)
					}
				}
			})
		}
		for i, c := range creditors {
			acting.Go(func() { follow(t, processes[i], c, writers/2*each) })
		}
		acting.Wait()
		for _, w := range hooks {
			if got := owed(t, processes[0], w); len(got) != writers/2*each {
				t.Errorf("a webhook is owed %d events", len(got))
			}
		}
	})
}

// follow reads a creditor's events to the end, until it has read a number of them. None comes twice.
func follow(t *testing.T, db *store.DB, c models.Creditor, most int) {
	seen := map[int64]bool{}
	var last int64
	deadline := time.Now().Add(testkit.Patience)
	for len(seen) < most && time.Now().Before(deadline) && !t.Failed() {
		events, err := db.Events(t.Context(), c.ID, last, 3)
		if err != nil {
			t.Error(err)
			return
		}
		for _, e := range events {
			if seen[e.SubjectID] {
				t.Errorf("event %d came twice", e.SubjectID)
			}
			seen[e.SubjectID], last = true, e.ID
		}
	}
	if len(seen) != most {
		t.Errorf("creditor %d: %d of %d events were seen", c.ID, len(seen), most)
	}
}

func TestWaitingForPerson(t *testing.T) {
	t.Parallel()
	rows.EachDatabase(t, func(t *testing.T, db *store.DB) {
		ctx := t.Context()
		for want := range int64(2) {
			counts, err := db.WaitingForPerson(ctx)
			must(t, err)
			for kind, n := range counts {
				if n != want {
					t.Errorf("%s are %d, want %d", kind, n, want)
				}
			}
			if len(counts) != 14 {
				t.Errorf("counted are %v", counts)
			}
			rows.Write(t, db, func(tx *store.Tx) error {
				creditor := models.NewCreditor(fmt.Sprint("Venter AS ", want))
				creditor.WaitingAccount = "86011117947"
				must(t, tx.CreateCreditor(ctx, &creditor))
				shipments := make([]models.Shipment, 5)
				must(t, tx.CreateShipments(ctx, shipments))
				shipments[0].State = models.ShipmentFailed
				must(t, tx.UpdateShipment(ctx, shipments[0]))
				shipments[1].State = models.ShipmentReturned
				must(t, tx.UpdateShipment(ctx, shipments[1]))
				shipments[2].HeldFor = 1
				must(t, tx.UpdateShipment(ctx, shipments[2]))
				shipments[4].KeptBack = models.KeptPaused
				must(t, tx.UpdateShipment(ctx, shipments[4]))
				paused, err := tx.LockWayOut(ctx, 1, models.ByEmail)
				must(t, err)
				paused.PausedSince = &tx.Now
				must(t, tx.UpdateWayOut(ctx, paused))
				_, err = tx.LockWayOut(ctx, 1, models.ByPaper)
				must(t, err)
				rejected, received := models.PaymentFile{}, models.PaymentFile{}
				must(t, tx.CreatePaymentFile(ctx, &rejected))
				must(t, tx.CreatePaymentFile(ctx, &received))
				rejected.State = models.FileRejected
				must(t, tx.UpdatePaymentFile(ctx, rejected))
				must(t, addFailedDelivery(ctx, tx, true))
				must(t, addFailedDelivery(ctx, tx, false)) // the webhook is off, so no person needs to act
				must(t, addWithoutAddress(ctx, tx, true))
				must(t, addWithoutAddress(ctx, tx, false)) // nothing is owed any more, so no notice waits
				must(t, addWaiting(ctx, tx, rows.Today+models.Date(want)))
				return tx.CreateUnmatchedPayments(ctx, []models.UnmatchedPayment{
					{LineKey: lineKey(byte(2 * want)), TransactionDate: rows.Today, Status: "open", WaitingLong: true},
					{LineKey: lineKey(byte(2*want + 1)), TransactionDate: rows.Today, Status: "dismissed"},
				})
			})
		}
	})
}

// addWithoutAddress adds a customer whose notice waits for an address, on an invoice that is open or paid.
func addWithoutAddress(ctx context.Context, tx *store.Tx, open bool) error {
	c := models.Customer{AddressWanted: rows.Today}
	if err := tx.CreateCustomer(ctx, &c); err != nil {
		return err
	}
	i := models.Invoice{CustomerID: c.ID, Number: c.ID, IssueDate: rows.Today, DueDate: rows.Today, Deadline: rows.Today}
	if open {
		i.Balance = 1000_00
	}
	return tx.CreateInvoices(ctx, []models.Invoice{i}, [][]models.Line{{{Position: 1}}})
}

// addFailedDelivery adds a webhook with a delivery that failed for good.
func addFailedDelivery(ctx context.Context, tx *store.Tx, enabled bool) error {
	w := models.Webhook{Enabled: enabled}
	if err := tx.CreateWebhook(ctx, &w); err != nil {
		return err
	}
	return tx.Insert(ctx, &[]models.WebhookDelivery{{WebhookID: w.ID, State: models.DeliveryFailed, NextAttempt: tx.Now, CreatedAt: tx.Now}})
}

// addWaiting adds a dunning run that waits and a hand-over that could not be delivered. It also adds one of each
// that needs no person.
func addWaiting(ctx context.Context, tx *store.Tx, on models.Date) error {
	waiting, started := models.Run{Kind: models.RunDunning, BusinessDate: on}, models.Run{Kind: models.RunStatus, BusinessDate: on}
	for _, run := range []*models.Run{&waiting, &started} {
		if _, err := tx.BeginRun(ctx, run); err != nil {
			return err
		}
	}
	waiting.State = models.RunWaiting
	failing, fresh := models.HandOver{HandedOver: on, Failure: "no route to host"}, models.HandOver{HandedOver: on}
	file := models.CollectorFile{CreditorID: 1, Day: on, Failure: "no route to host"}
	return errors.Join(tx.CreateCollectorFile(ctx, &file), tx.UpdateRun(ctx, waiting), tx.CreateHandOver(ctx, &failing), tx.CreateHandOver(ctx, &fresh))
}
