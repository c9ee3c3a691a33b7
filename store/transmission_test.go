package store_test

import (
	"context"
	"errors"
	"testing"

	"purr/models"
	"purr/store"
	"purr/test/testkit/rows"
)

func TestTransmissionsAreUsedOnceForAnAccountE4(t *testing.T) {
	t.Parallel()
	rows.EachDatabase(t, func(t *testing.T, db *store.DB) {
		ctx := t.Context()
		create := func(change func(*models.Transmission)) error {
			row := models.Transmission{Sender: "00008080", Recipient: "1", Number: "0000007", Serial: 7, CreditorID: 1, Account: "A", Content: "x", Version: 1}
			change(&row)
			return db.InTx(ctx, func(ctx context.Context, tx *store.Tx) error {
				return tx.CreateTransmissions(ctx, []models.Transmission{row})
			})
		}
		for _, change := range []func(*models.Transmission){
			func(*models.Transmission) {},
			func(r *models.Transmission) { r.Sender = "00008081" },
			func(r *models.Transmission) { r.Recipient = "2" },
			func(r *models.Transmission) { r.Number = "0000008" },
			func(r *models.Transmission) { r.CreditorID = 2 },
			func(r *models.Transmission) { r.Account = "B" },
			func(r *models.Transmission) { r.Version = 2 },
		} {
			must(t, create(change))
		}
		if err := create(func(r *models.Transmission) { r.Content = "y" }); !errors.Is(err, store.ErrDuplicate) {
			t.Errorf("the same version with other content: %v", err)
		}
		found, err := db.Transmissions(ctx, "00008080", "1", "0000007")
		if err != nil || len(found) != 4 || found[3].Version != 2 {
			t.Errorf("found are %+v, %v", found, err)
		}
	})
}

func TestSkippedTransmissionsE4(t *testing.T) {
	t.Parallel()
	rows.EachDatabase(t, func(t *testing.T, db *store.DB) {
		ctx := t.Context()
		skipped := []models.SkippedTransmission{{Sender: "00008080", Recipient: "1", Serial: 8}, {Sender: "00008080", Recipient: "1", Serial: 9}}
		rows.Write(t, db, func(tx *store.Tx) error { return tx.CreateSkipped(ctx, skipped) })
		missing := func(want ...int64) {
			t.Helper()
			found, err := db.MissingTransmissions(ctx)
			must(t, err)
			n, err := db.CountMissingTransmissions(ctx)
			if err != nil || len(found) != len(want) || n != int64(len(want)) {
				t.Fatalf("missing are %+v, %d, %v, want %v", found, n, err, want)
			}
			for i, serial := range want {
				if found[i].Serial != serial {
					t.Errorf("missing is %d, want %d", found[i].Serial, serial)
				}
			}
		}
		missing(8, 9)
		rows.Write(t, db, func(tx *store.Tx) error {
			return tx.CreateTransmissions(ctx, []models.Transmission{{Sender: "00008080", Recipient: "1", Number: "0000009", Serial: 9, Version: 1}})
		})
		missing(8)
		rows.Write(t, db, func(tx *store.Tx) error { return tx.DismissSkipped(ctx, skipped[0].ID) })
		rows.Write(t, db, func(tx *store.Tx) error { return tx.DismissSkipped(ctx, skipped[0].ID) })
		missing()
		wantKind(t, db.InTx(ctx, func(ctx context.Context, tx *store.Tx) error { return tx.DismissSkipped(ctx, 1<<40) }), models.KindNotFound)
		if came, gone, err := db.CountSerials(ctx, store.TransmissionSeries{Sender: "00008080", Recipient: "1"}); err != nil || came != 1 || gone != 1 {
			t.Errorf("%d came and %d are missing, %v", came, gone, err)
		}
	})
}
