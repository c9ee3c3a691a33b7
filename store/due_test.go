package store_test

import (
	"reflect"
	"testing"
	"time"

	"purr/models"
	"purr/store"
	"purr/test/testkit/rows"
)

// One question finds each kind of what is due, and none that is not due yet.
func TestS5OneQuestionFindsWhatIsDue(t *testing.T) {
	t.Parallel()
	rows.EachDatabase(t, func(t *testing.T, db *store.DB) {
		want := func(why string, at time.Time, events, shipments, deliveries bool, deaths int64) {
			t.Helper()
			got, err := db.Ask(t.Context(), at, store.NewEvents, store.LeasedShipments.Due(), store.DeliveriesDue)
			if want := (store.Work{There: []bool{events, shipments, deliveries}, WorkerDeaths: deaths}); err != nil || !reflect.DeepEqual(got, want) {
				t.Errorf("%s: %+v, %v, want %+v", why, got, err, want)
			}
		}
		now := db.Common().Add(time.Hour)
		want("an empty installation", now, false, false, false, 0)
		c := rows.Creditor(t, db)
		rows.Write(t, db, func(tx *store.Tx) error {
			return tx.CreateWebhook(t.Context(), &models.Webhook{CreditorID: c.ID, URL: "https://example.no", Enabled: true})
		})
		rows.Invoice(t, db, c)
		want("an invoice", now, true, true, false, 0)
		must(t, db.NumberEvents(t.Context()))
		want("an invoice whose events have their IDs", now, false, true, true, 0)
		want("before anything is due", db.Common().Add(-time.Hour), false, false, false, 0)
		rows.Write(t, db, func(tx *store.Tx) error {
			must(t, tx.AddWorker(t.Context(), &store.Worker{ID: "dead"}))
			_, err := tx.Bury(t.Context(), store.Worker{ID: "dead"}, nil)
			return err
		})
		want("a worker that died", now, false, true, true, 1)
	})
}

// One question finds each kind of work that is owed.
func TestE8OneQuestionFindsWhatWorkIsOwed(t *testing.T) {
	t.Parallel()
	rows.EachDatabase(t, func(t *testing.T, db *store.DB) {
		ctx, c := t.Context(), rows.Creditor(t, db)
		now := db.Common().Add(time.Hour)
		must(t, db.NumberEvents(ctx))
		questions := []store.Question{
			{},
			store.UnfinishedRuns, store.FilesToFinish, store.PayersToSeek, store.LeasedBatches.Due().Or(store.BatchesToSettle), store.LeasedHandOvers.Due(),
			store.NewEvents.Or(store.DeliveriesDue), store.LeasedShipments.Due(),
		}
		const none = 0
		want := store.Work{There: make([]bool, len(questions))}
		want.There[none] = true
		owe := func(why string, question int, write func(tx *store.Tx) error) {
			t.Helper()
			rows.Write(t, db, write)
			want.There[question] = true
			var asked store.Queries
			got, err := db.Ask(asked.Counting(ctx), now, questions...)
			if err != nil || !reflect.DeepEqual(got, want) || asked.Count() != 1 {
				t.Errorf("%s: after %d questions %+v, %v, want %+v", why, asked.Count(), got, err, want)
			}
		}
		owe("nothing", none, func(*store.Tx) error { return nil })
		owe("a run that was begun", 1, func(tx *store.Tx) error {
			_, err := tx.BeginRun(ctx, &models.Run{CreditorID: c.ID, Kind: models.RunDunning, BusinessDate: rows.Today})
			return err
		})
		owe("a file that was received", 2, func(tx *store.Tx) error {
			return tx.CreatePaymentFile(ctx, &models.PaymentFile{Filename: "file", SHA256: "sum"})
		})
		owe("an unmatched payment", 3, func(tx *store.Tx) error {
			return tx.CreateUnmatchedPayments(ctx, []models.UnmatchedPayment{{CreditorID: c.ID, LineKey: lineKey(1), Amount: 1, TransactionDate: rows.Today, Status: models.PaymentOpen}})
		})
		owe("a batch of letters", 4, func(tx *store.Tx) error {
			return tx.CreateBatch(ctx, &models.LetterBatch{CreditorID: c.ID, BusinessDate: rows.Today, State: models.BatchGathered, NextAttempt: tx.Common})
		})
		owe("a hand-over", 5, func(tx *store.Tx) error {
			return tx.CreateHandOver(ctx, &models.HandOver{CreditorID: c.ID, InvoiceID: 1, HandedOver: rows.Today})
		})
		want.Held = true
		owe("a hold", none, func(tx *store.Tx) error { return tx.SetHold(ctx, "restored") })
	})
}

// A sweep's question finds a file for each of the reasons for which UnfinishedFiles returns it.
func TestE8TheSweepsQuestionFindsUnfinishedFiles(t *testing.T) {
	t.Parallel()
	rows.EachDatabase(t, func(t *testing.T, db *store.DB) {
		ctx, c := t.Context(), rows.Creditor(t, db)
		file := models.PaymentFile{Filename: "file", SHA256: "sum"}
		rows.Write(t, db, func(tx *store.Tx) error { return tx.CreatePaymentFile(ctx, &file) })
		owed := func(why string, want bool) {
			t.Helper()
			work, err := db.Ask(ctx, db.Common(), store.FilesToFinish)
			must(t, err)
			files, err := db.UnfinishedFiles(ctx)
			must(t, err)
			if work.There[0] != want || len(files) > 0 != want {
				t.Errorf("%s: the question says %t, and there are %d", why, work.There[0], len(files))
			}
		}
		becomes := func(state models.FileState, hasStatement bool) {
			t.Helper()
			file.State, file.HasStatement = state, hasStatement
			rows.Write(t, db, func(tx *store.Tx) error { return tx.UpdatePaymentFile(ctx, file) })
		}
		owed("it was received", true)
		becomes(models.FileImporting, false)
		owed("it is being imported", true)
		becomes(models.FileImported, false)
		owed("its statement lines are missing", true)
		becomes(models.FileImported, true)
		owed("it is finished", false)
		line := brought(file.ID, 0, rows.Today, "1", 0, 1)
		line.Account = c.BankAccount
		rows.Write(t, db, func(tx *store.Tx) error { return tx.AddStatementLines(ctx, []models.StatementLine{line}) })
		owed("a creditor has got the account of a payment", true)
	})
}
