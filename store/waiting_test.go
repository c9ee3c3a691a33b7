package store_test

import (
	"fmt"
	"slices"
	"testing"

	"purr/models"
	"purr/store"
	"purr/test/testkit/rows"
)

// What waits is told of one creditor. Another creditor, who has more of everything, sees his own.
func TestF2WhatWaitsIsOfOneCreditor(t *testing.T) {
	t.Parallel()
	rows.EachDatabase(t, func(t *testing.T, db *store.DB) {
		wait := func(c models.Creditor, failed, returned int, amounts ...models.Amount) {
			t.Helper()
			var payments []models.UnmatchedPayment
			for n, amount := range amounts {
				payments = append(payments, models.UnmatchedPayment{
					CreditorID: c.ID, LineKey: lineKey(byte(n)), Status: models.PaymentOpen, Amount: amount, TransactionDate: rows.Today,
				})
			}
			var letters []models.Shipment
			for range failed + returned {
				invoice := rows.Invoice(t, db, c)
				of, err := db.ShipmentsOf(t.Context(), invoice.Document())
				must(t, err)
				letters = append(letters, of...)
			}
			rows.Write(t, db, func(tx *store.Tx) error {
				if err := tx.CreateUnmatchedPayments(t.Context(), payments); err != nil {
					return err
				}
				payments[1].Status = models.PaymentDismissed
				if err := tx.UpdateUnmatchedPayment(t.Context(), payments[1]); err != nil {
					return err
				}
				if err := tx.SetLikelyPayer(t.Context(), c.ID, 7, []int64{payments[1].ID, payments[2].ID, payments[3].ID}); err != nil {
					return err
				}
				if err := tx.SetLikelyPayer(t.Context(), c.ID, 0, []int64{payments[0].ID}); err != nil {
					return err
				}
				for n, s := range letters {
					if s.State = models.ShipmentReturned; n < failed {
						s.State = models.ShipmentFailed
					}
					if err := tx.UpdateShipment(t.Context(), s); err != nil {
						return err
					}
				}
				replaced := letters[0] // in whose place an e-mail was sent, which failed too
				instead := []models.Shipment{{CreditorID: c.ID, DocumentKind: replaced.DocumentKind, DocumentID: replaced.DocumentID, FallbackOf: replaced.ID}}
				if err := tx.CreateShipments(t.Context(), instead); err != nil {
					return err
				}
				instead[0].State = models.ShipmentFailed
				if err := tx.UpdateShipment(t.Context(), instead[0]); err != nil {
					return err
				}
				yesterday := models.Run{CreditorID: c.ID, Kind: models.RunDunning, BusinessDate: rows.Today - 1, State: models.RunWaiting}
				today := models.Run{CreditorID: c.ID, Kind: models.RunDunning, BusinessDate: rows.Today, State: models.RunWaiting, Ceiling: failed}
				return tx.CreateRuns(t.Context(), []models.Run{yesterday, today})
			})
		}
		c, other, idle := rows.Creditor(t, db), rows.Creditor(t, db), rows.Creditor(t, db)
		wait(c, 2, 1, 500_00, 100_00, -50_00, 300_00)
		wait(other, 3, 2, 500_00, 100_00, -50_00, 300_00, 9_00)

		w, err := db.WaitingOf(t.Context(), c.ID, rows.Today)
		must(t, err)
		if w.Payments != 3 || w.FailedShipments != 2 || w.ReturnedShipments != 1 || w.Shipments() != 3 || w.RunID == 0 {
			t.Errorf("of one creditor wait %+v", w)
		}
		run, err := db.Run(t.Context(), c.ID, w.RunID)
		if err != nil || run.Ceiling != 2 || run.BusinessDate != rows.Today {
			t.Errorf("the run that waits is %+v, %v", run, err)
		}
		told, err := db.ForToday(t.Context(), c.ID, rows.Today, rows.Start)
		if err != nil || told.Open != 750_00 || len(told.Unwarned) > 0 || told.Repayments > 0 {
			t.Errorf("Today is told %+v, %v", told, err)
		}
		if tomorrow, err := db.WaitingOf(t.Context(), c.ID, rows.Today+1); err != nil || tomorrow.RunID != 0 {
			t.Errorf("a run whose day is over waits: %+v, %v", tomorrow, err)
		}
		if none, err := db.WaitingOf(t.Context(), idle.ID, rows.Today); err != nil || none != (store.Waiting{}) {
			t.Errorf("of a creditor without anything wait %+v, %v", none, err)
		}
		if none, err := db.ForToday(t.Context(), idle.ID, rows.Today, rows.Start); err != nil || none.Open != 0 || len(none.KeptBack) > 0 {
			t.Errorf("of a creditor without anything Today is told %+v, %v", none, err)
		}
	})
}

// A page of the letters that failed begins with the newest, and the next page goes on below.
func TestF2LettersThatFailedNewestFirst(t *testing.T) {
	t.Parallel()
	rows.EachDatabase(t, func(t *testing.T, db *store.DB) {
		c := rows.Creditor(t, db)
		var ids []int64
		for n := range 4 {
			of, err := db.ShipmentsOf(t.Context(), rows.Invoice(t, db, c).Document())
			must(t, err)
			if of[0].State = models.ShipmentReturned; n%2 == 0 {
				of[0].State = models.ShipmentFailed
			}
			ids = append(ids, of[0].ID)
			rows.Write(t, db, func(tx *store.Tx) error { return tx.UpdateShipment(t.Context(), of[0]) })
		}
		f := store.ShipmentFilter{States: []models.ShipmentState{models.ShipmentFailed, models.ShipmentReturned}, Pending: true}
		first, err := db.NewestShipments(t.Context(), c.ID, f, 3)
		must(t, err)
		f.Before = first[0].ID
		second, err := db.NewestShipments(t.Context(), c.ID, f, 3)
		must(t, err)
		if len(first) != 3 || first[2].ID != ids[3] || len(second) != 1 || second[0].ID != ids[0] {
			t.Errorf("the first page is %v, the second %v", first, second)
		}
	})
}

// The letter of a notice waits for a person while the invoice is followed, and no longer once that is over.
func TestL2ALetterWaitsWhileItsInvoiceIsFollowed(t *testing.T) {
	t.Parallel()
	rows.EachDatabase(t, func(t *testing.T, db *store.DB) {
		c := rows.Creditor(t, db)
		invoice := rows.Invoice(t, db, c)
		rows.Write(t, db, func(tx *store.Tx) error {
			notices := []models.Notice{{CreditorID: c.ID, InvoiceID: invoice.ID, Sequence: 1, IssueDate: rows.Today, DueDate: rows.Today + 14}}
			must(t, tx.CreateNotices(t.Context(), notices, [][]models.NoticeLine{{{Position: 1}}}))
			letters := []models.Shipment{{CreditorID: c.ID, DocumentKind: models.NoticeDocument, DocumentID: notices[0].ID}}
			must(t, tx.CreateShipments(t.Context(), letters))
			letters[0].State = models.ShipmentFailed
			return tx.UpdateShipment(t.Context(), letters[0])
		})
		for _, step := range []struct {
			handedOver models.Date
			want       int64
		}{{0, 1}, {rows.Today, 0}, {0, 1}} {
			invoice.HandedOver = step.handedOver
			rows.Write(t, db, func(tx *store.Tx) error { return tx.UpdateInvoice(t.Context(), invoice) })
			w, err := db.WaitingOf(t.Context(), c.ID, rows.Today)
			must(t, err)
			all, err := db.WaitingForPerson(t.Context())
			must(t, err)
			failed, err := db.FailedShipments(t.Context(), c.ID)
			if err != nil || w.FailedShipments != step.want || all["failed_shipments"] != step.want || int64(len(failed)) != step.want {
				t.Errorf("handed over on %s: %d, %d and %d wait, want %d; %v", step.handedOver, w.FailedShipments, all["failed_shipments"], len(failed), step.want, err)
			}
		}
	})
}

// The queue is paged upward from the oldest, what is done downward from the newest.
func TestE5PagesOfTheQueue(t *testing.T) {
	t.Parallel()
	rows.EachDatabase(t, func(t *testing.T, db *store.DB) {
		c := rows.Creditor(t, db)
		var payments []models.UnmatchedPayment
		for n, status := range []string{models.PaymentOpen, models.PaymentMatched, models.PaymentOpen, models.PaymentDismissed, models.PaymentMatched, models.PaymentOpen} {
			payments = append(payments, models.UnmatchedPayment{CreditorID: c.ID, LineKey: lineKey(byte(n)), Status: status, Amount: 1_00, TransactionDate: rows.Today})
		}
		rows.Write(t, db, func(tx *store.Tx) error { return tx.CreateUnmatchedPayments(t.Context(), payments) })
		places := func(found []models.UnmatchedPayment, err error) string {
			t.Helper()
			must(t, err)
			said := ""
			for _, u := range found {
				said += fmt.Sprint(slices.IndexFunc(payments, func(p models.UnmatchedPayment) bool { return p.ID == u.ID }), " ")
			}
			return said
		}
		for _, tt := range []struct{ what, got, want string }{
			{"open, from the oldest", places(db.PaymentsToMatch(t.Context(), c.ID, 0, 2)), "0 2 "},
			{"open, after the third", places(db.PaymentsToMatch(t.Context(), c.ID, payments[2].ID, 2)), "5 "},
			{"done, from the newest", places(db.PaymentsDone(t.Context(), c.ID, 0, 2)), "4 3 "},
			{"done, below the fourth", places(db.PaymentsDone(t.Context(), c.ID, payments[3].ID, 2)), "1 "},
		} {
			if tt.got != tt.want {
				t.Errorf("%s: %s, want %s", tt.what, tt.got, tt.want)
			}
		}
	})
}
