package avtalegiro_test

import (
	"bytes"
	"context"
	"testing"

	acts "purr/ledger/avtalegiro"
	"purr/models"
	"purr/ocr/giro"
	"purr/store"
	"purr/test/testkit"
)

// restored accepts a restored database, and returns how many claims the bank may have.
func (d *desk) restored() (claims int) {
	d.write(func(ctx context.Context, tx *store.Tx) (err error) {
		claims, err = acts.AfterRestore(ctx, tx, d.creditor.ID)
		return err
	})
	return claims
}

// TestO3ClaimsThatMayHaveLeftAfterTheBackup are drawn once or not at all: the bank has a file that the database does not know.
func TestO3ClaimsThatMayHaveLeftAfterTheBackup(t *testing.T) {
	t.Parallel()
	eachDesk(t, func(d *desk) {
		t := d.t
		i := d.issue(d.payer(), 21)
		d.at(d.today(), 13, 30)
		var left bytes.Buffer
		testkit.Must(t, (&giro.ClaimFile{Sender: sender, Number: 1, Assignments: []giro.ClaimAssignment{{
			Number: 1, Account: i.BankAccount, Claims: []giro.Claim{{Type: giro.ClaimOwnNotice, KID: i.KID, Due: i.DueDate, Amount: i.Gross}},
		}}}).Write(&left))
		d.bank.Receive("lost.txt", left.Bytes(), d.clock.Now())
		if got := d.restored(); got != 1 {
			t.Fatalf("the bank may have %d claims", got)
		}
		d.wants(i, models.ClaimSent, models.ClaimLost)
		d.at(d.today()+1, 13, 0)
		next := d.file()
		if next.Number <= 1 || next.Claims != 0 || next.Cancellations != 1 {
			t.Fatalf("the next file is %+v", next)
		}
		d.read(d.deliver(next))
		if claim := d.wants(i, models.ClaimCancelled, models.ClaimLost); !claim.LetterOwed {
			t.Error("no ordinary invoice is owed")
		}
		if drawn := d.bank.Draw(i.DueDate); drawn != nil {
			t.Errorf("the bank draws\n%s", drawn)
		}
		d.calm()
	})
}

// TestO3WhatCannotHaveLeftStays: no hour of a file has passed by since the claims were last looked at.
func TestO3WhatCannotHaveLeftStays(t *testing.T) {
	t.Parallel()
	eachDesk(t, func(d *desk) {
		t := d.t
		early, i := d.payer(), d.payer()
		d.at(d.today(), 13, 0)
		d.issue(early, 21)
		d.file()
		late := d.issue(i, 21)
		d.at(d.today()+1, 12, 59)
		if got := d.restored(); got != 1 {
			t.Errorf("the bank may have %d claims, want the one of the file that was to be delivered", got)
		}
		d.wants(late, models.ClaimOwed, "")
		d.at(d.today(), 13, 0)
		if f := d.file(); f.Claims != 1 || f.Cancellations != 1 || f.Number != 2 {
			t.Errorf("the file is %+v", f)
		}
	})
}

// TestO3ARestoredCreditorWithoutAvtaleGiro has nothing to take back.
func TestO3ARestoredCreditorWithoutAvtaleGiro(t *testing.T) {
	t.Parallel()
	eachDesk(t, func(d *desk) {
		if got := d.restored(); got != 0 {
			d.t.Errorf("the bank may have %d claims", got)
		}
	}, func(c *models.Creditor) { c.AvtaleGiro = models.AvtaleGiro{LeadDays: 9, Notice: models.OwnNotice} })
}
