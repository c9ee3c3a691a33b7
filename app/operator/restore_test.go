package operator_test

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"purr/app/backup"
	"purr/app/operator"
	"purr/dunning"
	"purr/internal/clock"
	"purr/internal/storage"
	"purr/law"
	"purr/mailer"
	"purr/models"
	"purr/store"
	"purr/test/testkit"
	"purr/test/testkit/rows"
)

// TestO3WhatTheOutboxShowsIsNotSentAgain restores a database that owes a letter whose file lies in the outbox of the original.
func TestO3WhatTheOutboxShowsIsNotSentAgain(t *testing.T) {
	t.Parallel()
	retried := rows.Start.Add(-time.Hour)
	for _, tt := range []struct {
		why    string
		before func(s *models.Shipment)
		want   models.ShipmentState
	}{
		{"it was never tried", func(*models.Shipment) {}, models.ShipmentSent},
		{"it had failed before the backup, and left after it", func(s *models.Shipment) { s.Attempts, s.Reason = 2, "no folder" }, models.ShipmentSent},
		{"a person has it sent once more: the file is the first one's", func(s *models.Shipment) { s.RetriedAt = &retried }, models.ShipmentOwed},
	} {
		t.Run(tt.why, func(t *testing.T) {
			t.Parallel()
			rows.EachDatabase(t, func(t *testing.T, db *store.DB) {
				c := rows.Creditor(t, db)
				i := rows.Invoice(t, db, c)
				owed, err := db.ShipmentsOf(t.Context(), i.Document())
				testkit.Must(t, err)
				s, dir := owed[0], t.TempDir()
				outbox, err := mailer.NewOutbox(dir)
				testkit.Must(t, err)
				_, err = outbox.Paper().HandOver(t.Context(), mailer.Parcel{Name: s.Name(i.Number), PDF: []byte("%PDF-")})
				testkit.Must(t, err)
				rows.Write(t, db, func(tx *store.Tx) error {
					tt.before(&s)
					testkit.Must(t, tx.UpdateShipment(t.Context(), s))
					return tx.SetHold(t.Context(), "a test")
				})
				left, err := backup.Left(t.Context(), db, storage.Folder(dir))
				testkit.Must(t, err)
				_, err = (&operator.Operator{DB: db, Clock: clock.NewTest(rows.Start), Actor: "anna"}).AcceptRestore(t.Context(), "", backup.Last{}, left)
				testkit.Must(t, err)
				now, err := db.Shipment(t.Context(), s.ID)
				if err != nil || now.State != tt.want {
					t.Errorf("it is %s, %v", now.State, err)
				}
			})
		})
	}
}

// TestD109OnlyAPersonsNumberCorrectsTheLastOne accepts a restore with a last number above what the outbox shows. Called again without
// a number, purr refuses, and gives no number a second time.
func TestD109OnlyAPersonsNumberCorrectsTheLastOne(t *testing.T) {
	t.Parallel()
	rows.EachDatabase(t, func(t *testing.T, db *store.DB) {
		c := rows.Creditor(t, db)
		rows.Invoice(t, db, c) // 1
		dir := t.TempDir()
		outbox, err := mailer.NewOutbox(dir)
		testkit.Must(t, err)
		left := models.Shipment{ID: 900, DocumentKind: models.InvoiceDocument}
		_, err = outbox.Paper().HandOver(t.Context(), mailer.Parcel{Name: left.Name(50), PDF: []byte("%PDF-")})
		testkit.Must(t, err)
		rows.Write(t, db, func(tx *store.Tx) error { return tx.SetHold(t.Context(), "a test") })
		o := &operator.Operator{DB: db, Clock: clock.NewTest(rows.Start), Actor: "anna"}
		for _, tt := range []struct {
			why  string
			last int64
			want error
			next int64
		}{
			{"a number above what the outbox shows", 57, nil, 58},
			{"no number", 0, backup.ErrNotHeld, 58},
			{"a correction", 60, nil, 61},
			{"no number again", 0, backup.ErrNotHeld, 61},
			{"a correction to less than left", 40, nil, 51},
		} {
			files, err := backup.Left(t.Context(), db, storage.Folder(dir))
			if err != nil || len(files) != 1 {
				t.Fatalf("the files that left are %v, %v", files, err)
			}
			if _, err := o.AcceptRestore(t.Context(), "", backup.Last{Number: tt.last}, files); !errors.Is(err, tt.want) {
				t.Errorf("%s: %v", tt.why, err)
			}
			if s, err := db.Series(t.Context(), c.ID); err != nil || s.Next != tt.next {
				t.Errorf("%s: the next number is %d, %v, want %d", tt.why, s.Next, err, tt.next)
			}
		}
	})
}

// TestD94ARestoreNotesWhenALetterLeft restores a database that owes the letter of a notice of 30 March. Its file left on that day,
// and the restore is accepted three days later: the notice stands.
func TestD94ARestoreNotesWhenALetterLeft(t *testing.T) {
	t.Parallel()
	rows.EachDatabase(t, func(t *testing.T, db *store.DB) {
		c := rows.Creditor(t, db)
		i := rows.Invoice(t, db, c)
		rows.Send(t, db, c)
		var n models.Notice
		rows.Write(t, rows.On(db, rows.Day("2026-03-30")), func(tx *store.Tx) (err error) {
			n, err = dunning.IssueNotice(t.Context(), tx, law.Default(), c, i.ID, dunning.Request{AddFee: true, Actor: "a person"})
			return err
		})
		owed, err := db.ShipmentsOf(t.Context(), n.Document())
		testkit.Must(t, err)
		dir := t.TempDir()
		outbox, err := mailer.NewOutbox(dir)
		testkit.Must(t, err)
		answer, err := outbox.Paper().HandOver(t.Context(), mailer.Parcel{Name: owed[0].Name(i.Number), PDF: []byte("%PDF-")})
		testkit.Must(t, err)
		at := rows.Day("2026-03-30").Time().Add(15 * time.Hour)
		testkit.Must(t, os.Chtimes(filepath.Join(dir, "paper", answer.Receipt), at, at))
		later := rows.On(db, rows.Day("2026-04-02"))
		rows.Write(t, later, func(tx *store.Tx) error { return tx.SetHold(t.Context(), "a test") })
		left, err := backup.Left(t.Context(), later, storage.Folder(dir))
		testkit.Must(t, err)
		_, err = (&operator.Operator{DB: later, Clock: clock.NewTest(rows.Start), Actor: "anna"}).AcceptRestore(t.Context(), "", backup.Last{}, left)
		testkit.Must(t, err)
		s, err := later.Shipment(t.Context(), owed[0].ID)
		if err != nil || s.State != models.ShipmentSent || !s.SentAt.Equal(at) {
			t.Errorf("the letter is %s, sent at %v, %v", s.State, s.SentAt, err)
		}
		if n, err = later.Notice(t.Context(), c.ID, n.ID); err != nil || n.Withdrawn != 0 || n.RunsUntil() != n.DueDate {
			t.Errorf("the notice is %+v, %v", n, err)
		}
	})
}
