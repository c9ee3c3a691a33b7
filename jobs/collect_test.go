package jobs

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"purr/dunning"
	"purr/mailer/dispatch"
	"purr/mailer/shipments"
	"purr/models"
	"purr/register/payee"
	"purr/store"
	"purr/test/testkit"
	"purr/test/testkit/rows"
)

// handedOver makes an invoice that a person hands over, and returns it with its hand-over.
func (o *office) handedOver(t *testing.T, c models.Creditor) (models.Invoice, models.HandOver) {
	t.Helper()
	invoice := rows.Invoice(t, o.db, c)
	rows.Send(t, o.db, c)
	o.clock.Set(o.clock.Now().Add(20 * 24 * time.Hour))
	rows.Write(t, o.db, func(tx *store.Tx) (err error) {
		invoice, err = dunning.HandOverInvoice(t.Context(), tx, c, invoice.ID, "a test")
		return err
	})
	return invoice, o.handOver(t, invoice)
}

func (o *office) handOver(t *testing.T, i models.Invoice) models.HandOver {
	t.Helper()
	h, found, err := o.db.LastHandOver(t.Context(), i.ID)
	must(t, err)
	if !found {
		t.Fatalf("invoice %d was never handed over", i.Number)
	}
	return h
}

func (o *office) reopen(t *testing.T, c models.Creditor, i models.Invoice) {
	t.Helper()
	rows.Write(t, o.db, func(tx *store.Tx) error {
		_, err := dunning.ReopenInvoice(t.Context(), tx, c, i.ID, "a test")
		return err
	})
}

// collected returns what lies in the outbox for the debt collector, with its contents.
func (o *office) collected(t *testing.T) map[string]string {
	t.Helper()
	folder := filepath.Join(o.outbox, "collection")
	files, err := os.ReadDir(folder)
	must(t, err)
	found := map[string]string{}
	for _, f := range files {
		content, err := os.ReadFile(filepath.Join(folder, f.Name()))
		must(t, err)
		found[f.Name()] = string(content)
	}
	return found
}

func TestE2TheBundleOfAHandOverIsDeliveredOnce(t *testing.T) {
	eachOffice(t, func(t *testing.T, o *office) {
		const workers = 4
		c := rows.Creditor(t, o.db)
		_, h := o.handedOver(t, c)
		others := make(chan struct{}, workers)
		collector := &channel{take: func(context.Context, string) error {
			for range workers - 1 { // the others come while it is being delivered
				<-others
			}
			return nil
		}}
		o.worker.Bundles.Collector = collector
		collect := func() error {
			err := o.worker.collect(t.Context(), collectPayload{c.ID, h.ID})
			others <- struct{}{}
			return err
		}
		testkit.AtOnce(t, collect, collect, collect, collect)
		must(t, o.worker.collect(t.Context(), collectPayload{c.ID, h.ID}))
		wantLines(t, collector.all(), "invoice-1-hand-over-1.zip")
		wantLines(t, o.events(t, c, models.EventBundleDelivered),
			"03-22 11:00:00 collection_bundle.delivered The collection bundle of invoice 1 is delivered as invoice-1-hand-over-1.zip")
	})
}

func TestABundleWaitsForACollectorWhoIsAwayAsLongAsItTakes(t *testing.T) {
	eachOffice(t, func(t *testing.T, o *office) {
		var back atomic.Bool
		collector := &channel{take: func(context.Context, string) error {
			if back.Load() {
				return nil
			}
			return errors.New("no route to host")
		}}
		o.worker.Bundles.Collector = collector
		o.work(t, 2)
		c := rows.Creditor(t, o.db)
		invoice, _ := o.handedOver(t, c)
		o.settle(t)
		if h := o.handOver(t, invoice); h.State != models.BundleOwed || h.Failure != "no route to host" || !h.NextAttempt.Equal(o.clock.Now().Add(5*time.Second)) {
			t.Errorf("it is %s until %s: %s", h.State, h.NextAttempt, h.Failure)
		}
		counts, err := o.db.WaitingForPerson(t.Context())
		must(t, err)
		if counts["undelivered_hand_overs"] != 1 {
			t.Errorf("waiting for a person are %v", counts)
		}
		o.sleepUntil(t, o.clock.Now().Add(3*24*time.Hour))
		back.Store(true)
		o.advance(t, time.Hour)
		wantLines(t, collector.all(), "invoice-1-hand-over-1.zip")
		if h := o.handOver(t, invoice); h.State != models.BundleDelivered || h.Failure != "" || h.DeliveredAt == nil {
			t.Errorf("it is %s: %s", h.State, h.Failure)
		}
	})
}

func TestE2ReopeningBeforeTheBundleHasLeftKeepsItHere(t *testing.T) {
	eachOffice(t, func(t *testing.T, o *office) {
		c := rows.Creditor(t, o.db)
		invoice, _ := o.handedOver(t, c)
		o.reopen(t, c, invoice)
		o.work(t, 2)
		o.advance(t, time.Hour)
		if got := o.collected(t); len(got) != 0 {
			t.Errorf("the collector has %v", got)
		}
		wantLines(t, o.events(t, c, models.EventBundleWithdrawn, models.EventBundleDelivered),
			"03-22 11:00:00 collection_bundle.withdrawn The collection bundle of invoice 1 will not be delivered: the invoice is reopened")
	})
}

func TestE2ReopeningAfterwardsTellsTheCollector(t *testing.T) {
	eachOffice(t, func(t *testing.T, o *office) {
		o.work(t, 2)
		c := rows.Creditor(t, o.db)
		invoice, _ := o.handedOver(t, c)
		o.settle(t)
		o.reopen(t, c, invoice)
		o.advance(t, time.Hour)
		rows.Write(t, o.db, func(tx *store.Tx) error {
			_, err := dunning.HandOverInvoice(t.Context(), tx, c, invoice.ID, "a test")
			return err
		})
		o.settle(t)
		got := o.collected(t)
		for _, name := range []string{"invoice-1-hand-over-1.zip", "invoice-1-hand-over-1-taken-back.xml", "invoice-1-hand-over-2.zip"} {
			if got[name] == "" {
				t.Errorf("the collector has no %s", name)
			}
		}
		if len(got) != 3 {
			t.Errorf("the collector has %d files", len(got))
		}
		wantLines(t, o.events(t, c, models.EventBundleWithdrawn, models.EventBundleDelivered),
			"03-22 11:00:00 collection_bundle.delivered The collection bundle of invoice 1 is delivered as invoice-1-hand-over-1.zip",
			"03-22 11:00:00 collection_bundle.withdrawn The collection bundle of invoice 1 is taken back: the invoice is reopened",
			"03-22 12:00:00 collection_bundle.delivered The collection bundle of invoice 1 is delivered as invoice-1-hand-over-2.zip")
	})
}

// TestE2ReopeningWhileTheBundleIsOnItsWayTellsTheCollector: a person reopens the invoice during the delivery.
func TestE2ReopeningWhileTheBundleIsOnItsWayTellsTheCollector(t *testing.T) {
	eachOffice(t, func(t *testing.T, o *office) {
		c := rows.Creditor(t, o.db)
		invoice, h := o.handedOver(t, c)
		collector := &channel{take: func(context.Context, string) error {
			if o.handOver(t, invoice).State == models.BundleOwed {
				o.reopen(t, c, invoice)
			}
			return nil
		}}
		o.worker.Bundles.Collector = collector
		must(t, o.worker.collect(t.Context(), collectPayload{c.ID, h.ID}))
		o.work(t, 2)
		o.settle(t)
		wantLines(t, collector.all(), "invoice-1-hand-over-1-taken-back.xml", "invoice-1-hand-over-1.zip")
		if h := o.handOver(t, invoice); h.State != models.HandOverEnded || h.TakenBack != models.DateOf(o.clock.Now()) {
			t.Errorf("it is %s, taken back on %s", h.State, h.TakenBack)
		}
	})
}

// TestS6AHandOverWaitsForTheSweepWhileTheDatabaseIsAway: the queue is not to give its task up, however often it is tried.
func TestS6AHandOverWaitsForTheSweepWhileTheDatabaseIsAway(t *testing.T) {
	eachOffice(t, func(t *testing.T, o *office) {
		c := rows.Creditor(t, o.db)
		invoice, h := o.handedOver(t, c)
		o.worker.Holder = &Holder{missed: unsureAfter}
		payload := fmt.Appendf(nil, `{"CreditorID":%d,"HandOverID":%d}`, c.ID, h.ID)
		if err := o.worker.work(t.Context(), kindCollect, payload); err != nil {
			t.Errorf("the task fails: %v", err)
		}
		if h := o.handOver(t, invoice); h.State != models.BundleOwed || h.Attempts != 0 {
			t.Errorf("it is %s after %d attempts", h.State, h.Attempts)
		}
	})
}

func TestAWorkerThatDiesAfterTheDeliveryLeavesTheSameFileToTheNext(t *testing.T) {
	eachOffice(t, func(t *testing.T, o *office) {
		c := rows.Creditor(t, o.db)
		invoice, h := o.handedOver(t, c)
		dying := o.join(t)
		var b *dispatch.Bundle
		o.take(t, func(tx *store.Tx) (taken bool, err error) {
			b, taken, err = o.worker.Bundles.Take(t.Context(), tx, c.ID, h.ID, dying.self.worker)
			return taken, err
		})
		must(t, b.Send(t.Context(), func() error { return nil })) // and dies before it records it
		before := o.collected(t)
		o.work(t, 2)
		o.advance(t, time.Hour)
		if h := o.handOver(t, invoice); h.State != models.BundleOwed {
			t.Errorf("while the worker lives it is %s", h.State)
		}
		o.pay(t, invoice, 100_00) // does not change what was handed over
		dying.die()
		o.holder.lookAround(t.Context())
		o.settle(t)
		got := o.collected(t)
		if len(got) != 1 || !maps.Equal(got, before) || o.handOver(t, invoice).State != models.BundleDelivered {
			t.Errorf("the collector has %d files, and it is %s", len(got), o.handOver(t, invoice).State)
		}
	})
}

func TestE2ClosingKeepsABundleThatHasNotLeft(t *testing.T) {
	eachOffice(t, func(t *testing.T, o *office) {
		c := rows.Creditor(t, o.db)
		invoice, _ := o.handedOver(t, c)
		rows.Write(t, o.db, func(tx *store.Tx) error {
			_, err := dunning.CloseInvoice(t.Context(), tx, c, invoice.ID, dunning.Closing{Reason: models.ClosedOther, Actor: "a test"})
			return err
		})
		o.work(t, 2)
		o.advance(t, time.Hour)
		if got := o.collected(t); len(got) != 0 {
			t.Errorf("the collector has %v", got)
		}
	})
}

// TestD105BundlesWaitForAWayThatHasGoneMissing: once a bundle has left by SFTP, a worker without that setting hands none over.
func TestD105BundlesWaitForAWayThatHasGoneMissing(t *testing.T) {
	eachOffice(t, func(t *testing.T, o *office) {
		c := rows.Creditor(t, o.db)
		invoice, h := o.handedOver(t, c)
		collect := func(h models.HandOver) { must(t, o.worker.collect(t.Context(), collectPayload{c.ID, h.ID})) }
		o.worker.Bundles.Ways = models.Ways{models.Bundles: models.WaySFTP}
		collect(h)
		if h := o.handOver(t, invoice); h.State != models.BundleDelivered {
			t.Fatalf("by SFTP it is %s", h.State)
		}
		o.worker.Bundles.Ways = nil
		lost, h := o.handedOver(t, c)
		for range 3 {
			collect(h)
			o.clock.Set(o.clock.Now().Add(time.Hour))
		}
		if h := o.handOver(t, lost); h.State == models.BundleDelivered || h.Failure != models.KeptMissing || h.Attempts != 0 {
			t.Errorf("without the setting it is %s after %d attempts: %s", h.State, h.Attempts, h.Failure)
		}
		rows.Write(t, o.db, func(tx *store.Tx) error { return shipments.MeanFolder(t.Context(), tx, models.Bundles, "Kari") })
		collect(h)
		if h := o.handOver(t, lost); h.State != models.BundleDelivered || len(o.collected(t)) != 2 {
			t.Errorf("once the folder is meant it is %s: %s", h.State, h.Failure)
		}
	})
}

// TestD108ABundleWaitsForItsCreditor: by a real way none leaves of a creditor without a name or an account, and that is told once. It leaves
// once the creditor is complete; that one is withdrawn is told in any case.
func TestD108ABundleWaitsForItsCreditor(t *testing.T) {
	eachOffice(t, func(t *testing.T, o *office) {
		c := rows.Creditor(t, o.db, func(c *models.Creditor) { c.Name, c.BankAccount = models.UnnamedCreditor, "" })
		invoice, h := o.handedOver(t, c)
		collect := func() { must(t, o.worker.collect(t.Context(), collectPayload{c.ID, h.ID})) }
		o.worker.Bundles.Ways = models.Ways{models.Bundles: models.WaySFTP}
		for range 3 {
			collect()
			o.clock.Set(o.clock.Now().Add(time.Hour))
		}
		if h := o.handOver(t, invoice); h.State == models.BundleDelivered || h.Failure != models.KeptNotReady || h.Attempts != 0 {
			t.Errorf("it is %s after %d attempts: %s", h.State, h.Attempts, h.Failure)
		}
		told := o.events(t, c, models.EventNotReadyToSend)
		if len(told) != 1 || !strings.HasSuffix(told[0], "Documents that go to the debt collector wait: the creditor lacks name, bank_account") {
			t.Errorf("told is %q", told)
		}
		before := c
		c.Name, c.BankAccount = "Fjord AS", "12345678903"
		rows.Write(t, o.db, func(tx *store.Tx) error { return payee.Write(t.Context(), tx, before, c) })
		collect()
		if h := o.handOver(t, invoice); h.State != models.BundleDelivered {
			t.Errorf("once the creditor is complete it is %s: %s", h.State, h.Failure)
		}
	})
}
