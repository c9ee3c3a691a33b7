package store_test

import (
	"context"
	"reflect"
	"testing"
	"time"

	"purr/models"
	"purr/store"
	"purr/test/testkit/rows"
)

// fill sets every field of a struct to a value that is n's own.
func fill(of reflect.Value, n int64) {
	for k := range of.NumField() {
		switch f := of.Field(k); f.Interface().(type) {
		case time.Time:
			f.Set(reflect.ValueOf(rows.Start.Add(time.Duration(n) * time.Hour)))
		case *time.Time:
			f.Set(reflect.ValueOf(new(rows.Start.Add(time.Duration(n) * time.Minute))))
		default:
			switch f.Kind() {
			case reflect.String:
				f.SetString(string([]rune{rune('a' + k), rune(int64('a') + n)})) // no column is shorter
			case reflect.Bool:
				f.SetBool(n%2 == 1)
			case reflect.Struct:
				fill(f, n)
			case reflect.Slice: // stays empty
			default:
				f.SetInt(n)
			}
		}
	}
}

// TestPutWritesWhatCanBecomeOfShipments changes every field of shipments, of one and of several at once. What they send, and whose they
// are, stays.
func TestPutWritesWhatCanBecomeOfShipments(t *testing.T) {
	t.Parallel()
	rows.EachDatabase(t, func(t *testing.T, db *store.DB) {
		ctx := t.Context()
		shipments := make([]models.Shipment, 3)
		for n := range shipments {
			fill(reflect.ValueOf(&shipments[n]).Elem(), int64(n+1))
			shipments[n].ID = 0
		}
		rows.Write(t, db, func(tx *store.Tx) error { return tx.CreateShipments(ctx, shipments) })
		change := func(n, to int64) (changed, want models.Shipment) {
			before := shipments[n]
			fill(reflect.ValueOf(&changed).Elem(), to)
			changed.ID = before.ID
			want = changed
			want.CreditorID, want.DocumentKind, want.DocumentID, want.Beside, want.OnceMore = before.CreditorID, before.DocumentKind, before.DocumentID, before.Beside, before.OnceMore
			want.MoreTime, want.Correction, want.Friendly, want.Ordinary, want.Recipient, want.FallbackOf, want.CreatedAt = before.MoreTime, before.Correction, before.Friendly, before.Ordinary, before.Recipient, before.FallbackOf, before.CreatedAt
			want.Recipient.Email = changed.Recipient.Email
			return changed, want
		}
		check := func(why string, want ...models.Shipment) {
			t.Helper()
			for _, w := range want {
				if got, err := db.Shipment(ctx, w.ID); err != nil || !reflect.DeepEqual(got, w) {
					t.Errorf("%s: there is %+v, %v\nwant %+v", why, got, err, w)
				}
			}
		}
		one, wantOne := change(0, 17)
		rows.Write(t, db, func(tx *store.Tx) error { return tx.UpdateShipment(ctx, one) })
		check("one", wantOne)
		first, wantFirst := change(0, 18)
		second, wantSecond := change(1, 19)
		third := models.Shipment{ID: shipments[2].ID}
		for range 2 { // the second time nothing changes, which is no error
			rows.Write(t, db, func(tx *store.Tx) error { return tx.UpdateShipments(ctx, []models.Shipment{first, second}) })
			check("several", wantFirst, wantSecond)
		}
		third.NextAttempt, first.Method = rows.Start, models.ByEHF
		rows.Write(t, db, func(tx *store.Tx) error { return tx.UpdateShipments(ctx, []models.Shipment{first, third, third}) })
		wantFirst.Method = models.ByEHF
		check("one that comes twice", wantFirst)
		if got, err := db.Shipment(ctx, third.ID); err != nil || got.SentAt != nil || got.Reason != "" || got.DocumentID != 3 {
			t.Errorf("one whose fields became empty is %+v, %v", got, err)
		}
		rows.Write(t, db, func(tx *store.Tx) error { return tx.UpdateShipments(ctx, nil) })
	})
}

// TestPutWritesNoNewRow updates rows that are not there: that fails, and writes none.
func TestPutWritesNoNewRow(t *testing.T) {
	t.Parallel()
	rows.EachDatabase(t, func(t *testing.T, db *store.DB) {
		const none = 4711
		kari := models.NewCreditor("Kari AS")
		kari.ID = none
		for table, put := range map[string]func(ctx context.Context, tx *store.Tx) error{
			"creditors": func(ctx context.Context, tx *store.Tx) error { return tx.UpdateCreditor(ctx, &kari) },
			"customers": func(ctx context.Context, tx *store.Tx) error {
				return tx.UpdateCustomer(ctx, &models.Customer{ID: none})
			},
			"unmatched_payments": func(ctx context.Context, tx *store.Tx) error {
				return tx.UpdateUnmatchedPayment(ctx, models.UnmatchedPayment{ID: none})
			},
			"collector_files": func(ctx context.Context, tx *store.Tx) error {
				return tx.UpdateCollectorFile(ctx, models.CollectorFile{ID: none})
			},
			"hand_overs": func(ctx context.Context, tx *store.Tx) error {
				return tx.UpdateHandOver(ctx, models.HandOver{ID: none})
			},
			"runs": func(ctx context.Context, tx *store.Tx) error { return tx.UpdateRun(ctx, models.Run{ID: none}) },
			"payment_files": func(ctx context.Context, tx *store.Tx) error {
				return tx.UpdatePaymentFile(ctx, models.PaymentFile{ID: none})
			},
			"payment_file_parts": func(ctx context.Context, tx *store.Tx) error {
				return tx.SaveFilePart(ctx, &models.PaymentFilePart{ID: none})
			},
			"bank_folders": func(ctx context.Context, tx *store.Tx) error {
				return tx.UpdateBankFolder(ctx, models.BankFolder{ID: none})
			},
			"bank_checks": func(ctx context.Context, tx *store.Tx) error {
				return tx.UpdateBankPoll(ctx, models.BankPoll{ID: none})
			},
			"letter_batches": func(ctx context.Context, tx *store.Tx) error {
				return tx.UpdateBatch(ctx, models.LetterBatch{ID: none})
			},
			"webhooks": func(ctx context.Context, tx *store.Tx) error { return tx.UpdateWebhook(ctx, models.Webhook{ID: none}) },
			"webhook_deliveries": func(ctx context.Context, tx *store.Tx) error {
				return tx.UpdateWebhookDelivery(ctx, models.WebhookDelivery{ID: none})
			},
			"shipments": func(ctx context.Context, tx *store.Tx) error {
				return tx.UpdateShipments(ctx, []models.Shipment{{ID: none}, {ID: none + 1}})
			},
			"ways_out": func(ctx context.Context, tx *store.Tx) error {
				return tx.UpdateWayOut(ctx, models.WayOut{CreditorID: none, Method: models.ByEHF})
			},
		} {
			err := db.InTx(t.Context(), put)
			wantKind(t, err, models.KindInternal)
			var there int
			must(t, db.Query(t.Context(), &there, "SELECT COUNT(*) FROM "+table))
			if there != 0 {
				t.Errorf("%s has %d rows, after %v", table, there, err)
			}
		}
	})
}

// TestPutLeavesTheBundle writes a hand-over as it was before its bundle was made.
func TestPutLeavesTheBundle(t *testing.T) {
	t.Parallel()
	rows.EachDatabase(t, func(t *testing.T, db *store.DB) {
		ctx := t.Context()
		h := models.HandOver{CreditorID: 1, InvoiceID: 1, HandedOver: rows.Today}
		rows.Write(t, db, func(tx *store.Tx) error {
			must(t, tx.CreateHandOver(ctx, &h))
			_, err := tx.SetBundle(ctx, 1, h.ID, "sum")
			must(t, err)
			h.Attempts = 3
			return tx.UpdateHandOver(ctx, h)
		})
		if got, err := db.HandOver(ctx, 1, h.ID); err != nil || got.Bundle != "sum" || got.Attempts != 3 {
			t.Errorf("there is %+v, %v", got, err)
		}
	})
}
