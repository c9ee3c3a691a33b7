package store_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/go-sql-driver/mysql"

	"purr/internal/clock"
	"purr/models"
	"purr/store"
	"purr/test/testkit"
	"purr/test/testkit/rows"
)

func TestO16TheClockIsComparedWithTheDatabases(t *testing.T) {
	t.Parallel()
	testkit.EachDatabase(t, func(t *testing.T, databaseURL string) {
		db := rows.Open(t, databaseURL)
		ahead, err := db.ClockAhead(t.Context())
		if err != nil || ahead.Abs() > 10*time.Second {
			t.Errorf("on one machine: %s, %v", ahead, err)
		}
		if !db.IsMySQL() {
			return
		}
		must(t, db.ExecReading(t.Context(), "SET SESSION timestamp = UNIX_TIMESTAMP() - 300"))
		if ahead, err := db.ClockAhead(t.Context()); err != nil || ahead < 290*time.Second || ahead > 310*time.Second {
			t.Errorf("the database is five minutes behind: %s, %v", ahead, err)
		}
	})
}

// TestO6WhatIsOwedAndWhatWasDone: the figures for metrics, and the small write of readyz.
func TestO6WhatIsOwedAndWhatWasDone(t *testing.T) {
	t.Parallel()
	testkit.EachDatabase(t, func(t *testing.T, databaseURL string) {
		moved := clock.NewTest(rows.Start)
		db, err := store.Open(databaseURL, moved)
		must(t, err)
		t.Cleanup(func() { _ = db.Close() })
		_, err = db.Migrate(t.Context())
		must(t, err)
		must(t, db.Probe(t.Context()))
		oldest, err := db.OldestOwed(t.Context(), store.ShipmentAge, store.HandOverAge, store.FileAge, store.DeliveryAge, store.RunAge)
		must(t, err)
		for _, kind := range []string{"shipment", "hand_over", "payment_file", "webhook_delivery", "run"} {
			if since, shown := oldest[kind]; !shown || !since.IsZero() {
				t.Errorf("nothing is owed, and of kind %s it is since %s, %t", kind, since, shown)
			}
		}
		c := rows.Creditor(t, db)
		rows.Invoice(t, db, c) // with its shipment
		run := models.Run{CreditorID: c.ID, Kind: models.RunVerify, BusinessDate: models.DateOf(rows.Start)}
		rows.Write(t, db, func(tx *store.Tx) error {
			if _, err := tx.BeginRun(t.Context(), &run); err != nil {
				return err
			}
			run.State = models.RunDone
			return tx.UpdateRun(t.Context(), run)
		})
		oldest, err = db.OldestOwed(t.Context(), store.ShipmentAge, store.HandOverAge, store.FileAge, store.DeliveryAge, store.RunAge)
		if err != nil || !oldest["shipment"].Equal(rows.Start) || !oldest["run"].IsZero() {
			t.Errorf("owed since %v, %v", oldest, err)
		}
		if last, err := db.LastRuns(t.Context()); err != nil || len(last) != 1 || !last[models.RunVerify].Equal(rows.Start) {
			t.Errorf("the last runs are %v, %v", last, err)
		}
		if counts, err := db.CountShipments(t.Context()); err != nil || counts[models.ShipmentOwed] != 1 {
			t.Errorf("the shipments are %v, %v", counts, err)
		}
		if _, found, err := db.LastBankFile(t.Context()); err != nil || found {
			t.Errorf("a bank file: %t, %v", found, err)
		}
	})
}

// TestO7ATransactionEndsInTime: one that cannot get on is given up as unavailable, whatever context its statements carry.
func TestO7ATransactionEndsInTime(t *testing.T) {
	t.Parallel()
	testkit.EachDatabase(t, func(t *testing.T, databaseURL string) {
		db := rows.Open(t, databaseURL).Limited(50 * time.Millisecond)
		err := db.InTx(t.Context(), func(_ context.Context, tx *store.Tx) error {
			for {
				if _, err := tx.Setting(t.Context(), "word"); err != nil {
					return err
				}
			}
		})
		wantKind(t, err, models.KindUnavailable)
		must(t, db.Patient().InTx(t.Context(), func(_ context.Context, tx *store.Tx) error { return tx.SetSetting(t.Context(), "word", "kept") }))
	})
}

// TestD114AReadOnlyDiskIsCalledSo: by what MySQL repeats of its system, and by what the disk of an SQLite file says.
func TestD114AReadOnlyDiskIsCalledSo(t *testing.T) {
	t.Parallel()
	for say, failure := range map[string]*mysql.MySQLError{
		"its disk is full":                   {Number: 1114, Message: "The table 'events' is full"},
		"its disk is full ":                  {Number: 3, Message: `Error writing file './purr/events.ibd' (Errcode: 28 "No space left on device")`},
		"its disk is read-only":              {Number: 1026, Message: `Error writing file './purr/events.ibd' (Errcode: 30 "Read-only file system")`},
		"its disk is read-only ":             {Number: 1030, Message: `Got error 30 "Read-only file system" from storage engine InnoDB`},
		"its disk fails: input/output error": {Number: 1030, Message: `Got error 5 "Input/output error" from storage engine InnoDB`},
		"its disk fails":                     {Number: 1030, Message: `Got error 168 - 'Unknown' from storage engine`},
	} {
		db := rows.Open(t, testkit.MySQL(t))
		wantKind(t, db.InTx(t.Context(), func(context.Context, *store.Tx) error { return failure }), models.KindUnavailable)
		if err := db.Probe(t.Context()); !strings.Contains(fmt.Sprint(errors.Unwrap(err)), strings.TrimSpace(say)) {
			t.Errorf("%s: readyz is told %v, want %s", failure.Message, errors.Unwrap(err), say)
		}
	}
}

// TestO6AFullDiskIsToldForAWhile: the small write of readyz may find room where others find none.
func TestO6AFullDiskIsToldForAWhile(t *testing.T) {
	t.Parallel()
	testkit.EachDatabase(t, func(t *testing.T, databaseURL string) {
		db := rows.Open(t, databaseURL)
		full := &mysql.MySQLError{Number: 1114, Message: "The table 'events' is full"}
		wantKind(t, db.InTx(t.Context(), func(context.Context, *store.Tx) error { return full }), models.KindUnavailable)
		wantKind(t, db.WithClock(clock.NewTest(rows.Start)).Probe(t.Context()), models.KindUnavailable)
		rows.Write(t, db, func(tx *store.Tx) error { return tx.SetSetting(t.Context(), "word", "there is room in old pages") })
		wantKind(t, db.Probe(t.Context()), models.KindUnavailable)
	})
}
