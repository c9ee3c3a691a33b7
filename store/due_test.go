package store_test

import (
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
		want := func(why string, at time.Time, want store.Due) {
			t.Helper()
			got, err := db.DueBy(t.Context(), at)
			if err != nil || got != want {
				t.Errorf("%s: %+v, %v, want %+v", why, got, err, want)
			}
		}
		now := db.Common().Add(time.Hour)
		want("an empty installation", now, store.Due{})
		c := rows.Creditor(t, db)
		rows.Write(t, db, func(tx *store.Tx) error {
			return tx.CreateWebhook(t.Context(), &models.Webhook{CreditorID: c.ID, URL: "https://example.no", Enabled: true})
		})
		rows.Invoice(t, db, c)
		want("an invoice", now, store.Due{Events: true, Shipments: true})
		must(t, db.NumberEvents(t.Context()))
		want("an invoice whose events have their IDs", now, store.Due{Shipments: true, Deliveries: true})
		want("before anything is due", db.Common().Add(-time.Hour), store.Due{})
		rows.Write(t, db, func(tx *store.Tx) error {
			must(t, tx.AddWorker(t.Context(), &store.Worker{ID: "dead"}))
			_, err := tx.Bury(t.Context(), store.Worker{ID: "dead"})
			return err
		})
		want("a worker that died", now, store.Due{Shipments: true, Deliveries: true, WorkerDeaths: 1})
	})
}

// Two questions find each kind of work that is owed.
func TestE8TwoQuestionsFindWhatWorkIsOwed(t *testing.T) {
	t.Parallel()
	rows.EachDatabase(t, func(t *testing.T, db *store.DB) {
		ctx, c := t.Context(), rows.Creditor(t, db)
		now := db.Common().Add(time.Hour)
		must(t, db.NumberEvents(ctx))
		var want store.Work
		owe := func(why string, mark *bool, write func(tx *store.Tx) error) {
			t.Helper()
			rows.Write(t, db, write)
			*mark = true
			var asked store.Queries
			got, err := db.WorkBy(asked.Counting(ctx), now)
			if err != nil || got != want || asked.Count() != 2 {
				t.Errorf("%s: after %d questions %+v, %v, want %+v", why, asked.Count(), got, err, want)
			}
		}
		var none bool
		owe("nothing", &none, func(*store.Tx) error { return nil })
		owe("a run that was begun", &want.Runs, func(tx *store.Tx) error {
			_, err := tx.BeginRun(ctx, &models.Run{CreditorID: c.ID, Kind: models.RunDunning, BusinessDate: rows.Today})
			return err
		})
		owe("a file that was received", &want.Files, func(tx *store.Tx) error {
			return tx.CreatePaymentFile(ctx, &models.PaymentFile{Filename: "file", SHA256: "sum"})
		})
		owe("an unmatched payment", &want.Payments, func(tx *store.Tx) error {
			return tx.CreateUnmatchedPayments(ctx, []models.UnmatchedPayment{{CreditorID: c.ID, LineKey: lineKey(1), Amount: 1, TransactionDate: rows.Today, Status: models.PaymentOpen}})
		})
		owe("a batch of letters", &want.Batches, func(tx *store.Tx) error {
			return tx.CreateBatch(ctx, &models.LetterBatch{CreditorID: c.ID, BusinessDate: rows.Today, State: models.BatchGathered, NextAttempt: tx.Common})
		})
		owe("a hand-over", &want.HandOvers, func(tx *store.Tx) error {
			return tx.CreateHandOver(ctx, &models.HandOver{CreditorID: c.ID, InvoiceID: 1, HandedOver: rows.Today})
		})
		owe("a hold", &want.Held, func(tx *store.Tx) error { return tx.SetHold(ctx, "restored") })
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
			work, err := db.WorkBy(ctx, db.Common())
			must(t, err)
			files, err := db.UnfinishedFiles(ctx)
			must(t, err)
			if work.Files != want || len(files) > 0 != want {
				t.Errorf("%s: the question says %t, and there are %d", why, work.Files, len(files))
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
