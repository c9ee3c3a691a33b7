package ocr

import (
	"context"
	"testing"

	"purr/models"
	"purr/store"
	"purr/test/testkit/rows"
)

// getsAccount gives a creditor another account.
func (b *books) getsAccount(t *testing.T, c *models.Creditor, account string) {
	t.Helper()
	c.BankAccount = account
	rows.Write(t, b.DB, func(tx *store.Tx) error { return tx.UpdateCreditor(t.Context(), c) })
}

// E4: what was paid to an account that nobody has is kept aside, and is posted when a creditor gets the account, as it
// would have been when it came.
func TestE4WhatWasKeptAsideIsPostedWhenACreditorGetsTheAccount(t *testing.T) {
	eachBooks(t, func(t *testing.T, b *books) {
		c := rows.Creditor(t, b.DB)
		invoice := rows.Invoice(t, b.DB, c)
		first := bankFile{Number: "1", Assignments: []assignment{
			{Account: nobodys, Payments: lines(paid(invoice.KID, 400_00), paid(invoice.KID, 400_00), paid("", 5_00), byCard(18, invoice.KID, 7_00, ""))},
			{Account: c.BankAccount, Payments: lines(paid(invoice.KID, 50_00))},
			{Account: nobodys, Number: "9", Mandates: 2},
		}}
		f := b.take(t, first.Bytes(t))
		again := b.take(t, bankFile{Number: "2", Assignments: first.Assignments[:1]}.Bytes(t))
		twins := b.take(t, messageOf(nobodys, lump(credited(invoice.KID, 400_00), credited(invoice.KID, 60_00))).Bytes(t))
		if got, want := b.sums(t, twins, 0), (sums{2, 0, 1, 1, 0}); got != want {
			t.Fatalf("nobody's part of the other format is %+v, want %+v", got, want)
		}
		b.proveFiles(t)
		kept, err := b.DB.Unassigned(t.Context())
		if must(t, err); len(kept) != 2 || kept[0].File.ID != f.ID || kept[0].Account != nobodys || kept[0].Payments != 4 || kept[0].Amount != 798_00 ||
			kept[0].First != today-1 || kept[0].Last != today-1 || kept[1].File.ID != twins.ID || kept[1].Payments != 1 {
			t.Errorf("kept aside are %+v", kept)
		}
		must(t, b.sweep(t.Context()))
		if owed := b.Balance(t, invoice); owed != 950_00 {
			t.Errorf("%s is owed before anybody has the account", owed)
		}

		b.getsAccount(t, &c, nobodys)
		if left, err := b.DB.UnfinishedFiles(t.Context()); err != nil || len(left) != 2 {
			t.Errorf("%d files owe something, %v", len(left), err)
		}
		b.im.batch = 2
		b.stepByStep(t, func(ctx context.Context, im *Importer) error {
			b.proveFiles(t)
			_, err := im.Process(ctx, f.ID)
			return err
		})
		must(t, b.sweep(t.Context()))

		if owed := b.Balance(t, invoice); owed != 90_00 { // 1000 less 50, 400 and 400, and the 60 of the other format
			t.Errorf("%s is owed", owed)
		}
		if got := queued(b.Queue(t, c)); got != "no_kid 5.00, reversal -7.00" {
			t.Errorf("the queue holds %q", got)
		}
		for _, tt := range []struct {
			what      string
			file      models.PaymentFile
			own, rest sums
		}{
			{"the file", f, sums{5, 3, 2, 0, 0}, sums{2, 0, 0, 0, 2}},
			{"the same again", again, sums{}, sums{4, 0, 0, 4, 0}},
			{"the other format", twins, sums{2, 1, 0, 1, 0}, sums{}},
		} {
			if got := b.sums(t, tt.file, c.ID); got != tt.own {
				t.Errorf("of %s the creditor has %+v, want %+v", tt.what, got, tt.own)
			}
			if got := b.sums(t, tt.file, 0); got != tt.rest {
				t.Errorf("of %s nobody has %+v, want %+v", tt.what, got, tt.rest)
			}
		}
		wantText(t, "the statement", b.statement(t, c), `2026-03-01 2602106053: 1 of 50.00; 1 of 50.00 matched, 0 of 0.00 unmatched, 0 of 0.00 duplicates
2026-03-01 LUMP-1: 2 of 460.00; 1 of 60.00 matched, 0 of 0.00 unmatched, 1 of 400.00 duplicates
2026-03-01 0000000000: 1 of -7.00 (7.00 in the file); 0 of 0.00 matched, 1 of 7.00 unmatched, 0 of 0.00 duplicates
2026-03-01 2602106053: 3 of 805.00; 2 of 800.00 matched, 1 of 5.00 unmatched, 0 of 0.00 duplicates
`)
		if kept, err := b.DB.Unassigned(t.Context()); err != nil || len(kept) != 0 {
			t.Errorf("still kept aside are %+v, %v", kept, err)
		}
		if left, err := b.DB.UnfinishedFiles(t.Context()); err != nil || len(left) != 0 {
			t.Errorf("%d files still owe something, %v", len(left), err)
		}
		if got := b.Events(t, c, models.EventFileImported); len(got) != 3 ||
			got[1] != "Payment file OCR.txt: 5 transactions of 862.00; 3 matched, 2 unmatched, 0 duplicates, 0 ignored" {
			t.Errorf("the creditor's events are %q", got)
		}
		b.Prove(t, c)
		b.proveFiles(t)
	})
}

// E6b: the bank's files reach no further for the creditor before all that was kept aside is posted.
func TestE6bWhatWasKeptAsideCountsOnceAllOfItIsPosted(t *testing.T) {
	eachBooks(t, func(t *testing.T, b *books) {
		c := rows.Creditor(t, b.DB)
		f := b.take(t, fileOf(nobodys, paid("", 1_00), paid("", 2_00), paid("", 3_00)).Bytes(t))
		b.getsAccount(t, &c, nobodys)
		b.im.batch = 1
		steps := 0
		b.stepByStep(t, func(ctx context.Context, im *Importer) error {
			steps++
			if news, err := b.DB.BankNews(t.Context(), c.ID, models.SourceSFTP); err != nil || news.Reached != 0 {
				t.Errorf("before all is posted the files reach to %s, %v", news.Reached, err)
			}
			_, err := im.Process(ctx, f.ID)
			return err
		})
		if news, err := b.DB.BankNews(t.Context(), c.ID, models.SourceSFTP); err != nil || news.Reached != today-1 || steps < 3 {
			t.Errorf("after %d steps the files reach to %s, %v", steps, news.Reached, err)
		}
	})
}
