package store_test

import (
	"context"
	"errors"
	"maps"
	"slices"
	"testing"

	"purr/models"
	"purr/store"
	"purr/test/testkit/rows"
)

func TestPaymentFiles(t *testing.T) {
	t.Parallel()
	rows.EachDatabase(t, func(t *testing.T, db *store.DB) {
		ctx := t.Context()
		owner, other := rows.Creditor(t, db), rows.Creditor(t, db)
		arrival, identity := "inbox/a.txt 17", "sender 0001"
		posted := models.PaymentFile{OwnerID: owner.ID, Filename: "posted.txt", Source: "api", SHA256: "1"}
		found := models.PaymentFile{Filename: "found.txt", Source: "inbox", SHA256: "2", Arrival: &arrival}
		rows.Write(t, db, func(tx *store.Tx) error {
			must(t, tx.CreatePaymentFile(ctx, &posted))
			return tx.CreatePaymentFile(ctx, &found)
		})
		kept, err := db.PaymentFile(ctx, posted.ID)
		must(t, err)
		same(t, kept, posted)
		if kept.State != models.FileReceived || !kept.ReceivedAt.Equal(rows.Start) || kept.Arrival != nil || kept.Identity != nil || kept.Faults != nil {
			t.Errorf("a received file is %+v", kept)
		}
		if f, there, err := db.ArrivedFile(ctx, arrival); !there || err != nil || f.ID != found.ID {
			t.Errorf("by its arrival is found %+v, %v", f, err)
		}
		if _, there, err := db.ArrivedFile(ctx, "inbox/b.txt"); there || err != nil {
			t.Errorf("one that never arrived is found: %v", err)
		}
		err = db.InTx(ctx, func(ctx context.Context, tx *store.Tx) error {
			return tx.CreatePaymentFile(ctx, &models.PaymentFile{Arrival: &arrival})
		})
		if !errors.Is(err, store.ErrDuplicate) {
			t.Errorf("the same arrival again: %v", err)
		}

		take := func(f models.PaymentFile, state models.FileState) error {
			return db.InTx(ctx, func(ctx context.Context, tx *store.Tx) error {
				locked, err := tx.LockPaymentFile(ctx, f.ID)
				must(t, err)
				locked.State, locked.Identity, locked.FinishedAt, locked.LatestDate = state, &identity, &tx.Now, rows.Today
				locked.Warnings = models.FileFindings{{Line: 3, Code: "filler", Text: "«»"}}
				return tx.UpdatePaymentFile(ctx, locked)
			})
		}
		must(t, take(posted, models.FileImporting))
		if err := take(found, models.FileImporting); !errors.Is(err, store.ErrDuplicate) {
			t.Errorf("a file with another's identity: %v", err)
		}
		if f, live, err := db.LiveFile(ctx, identity); !live || err != nil || f.ID != posted.ID || f.LatestDate != rows.Today || len(f.Warnings) != 1 {
			t.Errorf("live is %+v, %v", f, err)
		}
		if fs, err := db.UnfinishedFiles(ctx); err != nil || !slices.Equal(fileIDs(fs), []int64{posted.ID, found.ID}) {
			t.Errorf("unfinished are %v, %v", fileIDs(fs), err)
		}
		must(t, take(posted, models.FileImported))
		if fs, err := db.UnfinishedFiles(ctx); err != nil || !slices.Equal(fileIDs(fs), []int64{found.ID}) {
			t.Errorf("unfinished are %v, %v", fileIDs(fs), err)
		}

		// A creditor sees the files that it posted and those that it has a part in.
		sees := func(c models.Creditor) []int64 {
			fs, n, err := db.PaymentFiles(ctx, c.ID, everything)
			if must(t, err); n != int64(len(fs)) {
				t.Errorf("%d files of %d", len(fs), n)
			}
			return fileIDs(fs)
		}
		parts := []models.PaymentFilePart{
			{PaymentFileID: found.ID, CreditorID: other.ID, Transactions: 2, Amount: 200_00, LatestDate: rows.Today},
			{PaymentFileID: found.ID, Transactions: 1, Amount: 100_00}, // of an account that no creditor has
			{PaymentFileID: posted.ID, CreditorID: other.ID, LatestDate: rows.Today - 1},
		}
		rows.Write(t, db, func(tx *store.Tx) error {
			for n := range parts {
				must(t, tx.SaveFilePart(ctx, &parts[n]))
			}
			parts[0].Matched = 2 // the part is written again with a change
			return tx.SaveFilePart(ctx, &parts[0])
		})
		if got := sees(owner); !slices.Equal(got, []int64{posted.ID}) {
			t.Errorf("who posted a file sees %v", got)
		}
		if got := sees(other); !slices.Equal(got, []int64{posted.ID}) {
			t.Errorf("who has parts sees %v, before the other file is at its end", got)
		}
		rejected := found
		rejected.State = models.FileRejected
		rows.Write(t, db, func(tx *store.Tx) error { return tx.UpdatePaymentFile(ctx, rejected) })
		if got := sees(other); !slices.Equal(got, []int64{posted.ID, found.ID}) {
			t.Errorf("who has parts sees %v", got)
		}
		if ps, err := db.FileParts(ctx, found.ID); err != nil || len(ps) != 2 || ps[0].CreditorID != 0 || ps[1].Matched != 2 {
			t.Errorf("the parts are %+v, %v", ps, err)
		}
		if ps, err := db.FilePartsOf(ctx, other.ID, []models.PaymentFile{found, posted}); err != nil || len(ps) != 2 || ps[found.ID].Transactions != 2 {
			t.Errorf("the creditor's parts are %+v, %v", ps, err)
		}
		if news, err := db.BankNews(ctx, other.ID, models.SourceSFTP); news.Reached != rows.Today || err != nil {
			t.Errorf("the latest date is %s, %v", news.Reached, err)
		}
		if news, err := db.BankNews(ctx, owner.ID, models.SourceSFTP); news.Reached != 0 || err != nil {
			t.Errorf("without a file the latest date is %s, %v", news.Reached, err)
		}
	})
}

func fileIDs(fs []models.PaymentFile) []int64 {
	var ids []int64
	for _, f := range fs {
		ids = append(ids, f.ID)
	}
	return ids
}

func TestUnmatchedPaymentsE5(t *testing.T) {
	t.Parallel()
	rows.EachDatabase(t, func(t *testing.T, db *store.DB) {
		ctx := t.Context()
		c := rows.Creditor(t, db)
		payments := make([]models.UnmatchedPayment, 3)
		for n := range payments {
			payments[n] = models.UnmatchedPayment{
				CreditorID: c.ID, PaymentFileID: 7, Line: n + 1, LineKey: lineKey(byte(n)), Amount: -100_00, TransactionDate: rows.Today,
				KID: "1000005-", Text: "Åse betaler", Reason: models.ReasonReversal, Status: "open",
			}
		}
		rows.Write(t, db, func(tx *store.Tx) error { return tx.CreateUnmatchedPayments(ctx, payments) })
		kept, err := db.UnmatchedPayment(ctx, c.ID, payments[0].ID)
		must(t, err)
		same(t, kept, payments[0])
		err = db.InTx(ctx, func(ctx context.Context, tx *store.Tx) error { return tx.CreateUnmatchedPayments(ctx, payments[:0:0]) })
		if err != nil {
			t.Errorf("none at all: %v", err)
		}
		again := payments[0]
		again.ID = 0
		err = db.InTx(ctx, func(ctx context.Context, tx *store.Tx) error {
			return tx.CreateUnmatchedPayments(ctx, []models.UnmatchedPayment{again})
		})
		if !errors.Is(err, store.ErrDuplicate) {
			t.Errorf("a line that came before: %v", err)
		}

		for n, status := range []string{"matched", "dismissed"} {
			rows.Write(t, db, func(tx *store.Tx) error {
				u, err := tx.LockUnmatchedPayment(ctx, c.ID, payments[n].ID)
				must(t, err)
				u.Status, u.Comment = status, "sent back"
				return tx.UpdateUnmatchedPayment(ctx, u)
			})
		}
		for _, tt := range []struct {
			open, resolved bool
			want           []int64
		}{
			{true, false, []int64{payments[2].ID}},
			{false, true, []int64{payments[0].ID, payments[1].ID}},
			{true, true, []int64{payments[0].ID, payments[1].ID, payments[2].ID}},
		} {
			found, total, err := db.UnmatchedPayments(ctx, c.ID, tt.open, tt.resolved, everything)
			var got []int64
			for _, u := range found {
				got = append(got, u.ID)
			}
			if err != nil || !slices.Equal(got, tt.want) || total != int64(len(tt.want)) {
				t.Errorf("open %t, resolved %t: found %v, %v, want %v", tt.open, tt.resolved, got, err, tt.want)
			}
		}

		rows.Write(t, db, func(tx *store.Tx) error {
			return tx.CreateEntries(ctx, []models.Entry{{
				CreditorID: c.ID, Type: models.EntryOCR, TransactionDate: rows.Today, PaymentFileID: 8, LineKey: lineKey(9),
			}})
		})
		keys := [][]byte{lineKey(1), lineKey(9), lineKey(77)}
		queued, err := db.QueuedLines(ctx, c.ID, keys)
		if want := map[string]int64{string(lineKey(1)): 7}; err != nil || !maps.Equal(queued, want) {
			t.Errorf("queued lines are %v, %v, want %v", queued, err, want)
		}
		posted, err := db.PostedLines(ctx, c.ID, keys)
		if want := map[string]int64{string(lineKey(9)): 8}; err != nil || !maps.Equal(posted, want) {
			t.Errorf("posted lines are %v, %v, want %v", posted, err, want)
		}
	})
}
