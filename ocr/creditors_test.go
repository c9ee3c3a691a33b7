package ocr

import (
	"bytes"
	"context"
	"testing"

	"purr/dunning"
	"purr/law"
	"purr/models"
	"purr/store"
	"purr/test/testkit/rows"
)

// sums is a creditor's part of a file.
type sums struct{ transactions, matched, unmatched, duplicates, ignored int }

func (b *books) sums(t tester, f models.PaymentFile, creditorID int64) sums {
	t.Helper()
	p := b.Part(t, f, creditorID)
	return sums{p.Transactions, p.Matched, p.Unmatched, p.Duplicates, p.Ignored}
}

func TestE4EachCreditorGetsItsOwn(t *testing.T) {
	eachBooks(t, func(t *testing.T, b *books) {
		kari, ola := rows.Creditor(t, b.DB), rows.Creditor(t, b.DB)
		karis, olas := rows.Invoice(t, b.DB, kari), rows.Invoice(t, b.DB, ola)
		if karis.KID != olas.KID {
			t.Fatal("the KIDs differ: the test proves less than it should")
		}
		file := bankFile{Assignments: []assignment{
			{Account: kari.BankAccount, Payments: lines(paid(karis.KID, 400_00))},
			{Account: ola.BankAccount, Payments: lines(paid(olas.KID, 300_00), paid("", 20_00))},
			{Account: kari.BankAccount, Number: "7", Payments: lines(paid(karis.KID, 100_00))},
			{Account: ola.BankAccount, Mandates: 3},
		}}.Bytes(t)
		f := b.take(t, file)
		if got, want := b.sums(t, f, kari.ID), (sums{2, 2, 0, 0, 0}); got != want {
			t.Errorf("the first one's part is %+v, want %+v", got, want)
		}
		if got, want := b.sums(t, f, ola.ID), (sums{5, 1, 1, 0, 3}); got != want {
			t.Errorf("the second one's part is %+v, want %+v", got, want)
		}
		if k, o := b.Balance(t, karis), b.Balance(t, olas); k != 500_00 || o != 700_00 {
			t.Errorf("they owe %s and %s", k, o)
		}
		for _, c := range []models.Creditor{kari, ola} {
			b.Prove(t, c)
			if _, err := b.DB.PaymentFileOf(t.Context(), c.ID, f.ID); err != nil {
				t.Errorf("creditor %d does not see the file: %v", c.ID, err)
			}
		}
		if got := b.Events(t, ola, models.EventFileImported); len(got) != 1 ||
			got[0] != "Payment file OCR.txt: 5 transactions of 320.00; 1 matched, 1 unmatched, 0 duplicates, 3 ignored" {
			t.Errorf("the second one's events are %q", got)
		}
	})
}

func TestE4AnOldAccountOfACreditorStillReachesIt(t *testing.T) {
	eachBooks(t, func(t *testing.T, b *books) {
		c := rows.Creditor(t, b.DB)
		invoice := rows.Invoice(t, b.DB, c)
		before := c.BankAccount
		c.BankAccount = "12345678903"
		rows.Write(t, b.DB, func(tx *store.Tx) error { return tx.UpdateCreditor(t.Context(), &c) })
		b.take(t, fileOf(before, paid(invoice.KID, 400_00)).Bytes(t))
		if owed := b.Balance(t, invoice); owed != 600_00 {
			t.Errorf("%s is owed", owed)
		}
	})
}

func TestE4AFilePostedWithAKeyIsAllTheCreditorsOwn(t *testing.T) {
	eachBooks(t, func(t *testing.T, b *books) {
		kari, ola := rows.Creditor(t, b.DB), rows.Creditor(t, b.DB)
		karis, olas := rows.Invoice(t, b.DB, kari), rows.Invoice(t, b.DB, ola)
		file := bankFile{Assignments: []assignment{
			{Account: kari.BankAccount, Payments: lines(paid(karis.KID, 400_00))},
			{Account: ola.BankAccount, Payments: lines(paid(olas.KID, 300_00), out(olas.KID, 50_00))},
			{Account: nobodys, Payments: lines(paid("", 20_00))},
			{Account: nobodys, Mandates: 2},
		}}
		f := b.takeFor(t, kari.ID, file.Bytes(t))
		if got, want := b.sums(t, f, kari.ID), (sums{6, 1, 3, 0, 2}); got != want {
			t.Errorf("the poster's part is %+v, want %+v", got, want)
		}
		if got := queued(b.Queue(t, kari)); got != "other_account 300.00, other_account -50.00, other_account 20.00" {
			t.Errorf("the queue holds %q", got)
		}
		if got := b.sums(t, f, ola.ID); got != (sums{}) || b.Balance(t, olas) != 1000_00 {
			t.Errorf("the other creditor has %+v in it and is owed %s", got, b.Balance(t, olas))
		}
		if _, err := b.DB.PaymentFileOf(t.Context(), ola.ID, f.ID); models.KindOf(err) != models.KindNotFound {
			t.Errorf("the other creditor sees the file: %v", err)
		}
		if news, err := b.DB.BankNews(t.Context(), kari.ID, models.SourceSFTP); err != nil || news.Reached != today-1 {
			t.Errorf("the poster's files reach to %s, %v", news.Reached, err)
		}
		b.Prove(t, kari)
	})
}

func TestE4AnAccountThatNobodyHasIsKeptAside(t *testing.T) {
	eachBooks(t, func(t *testing.T, b *books) {
		c := rows.Creditor(t, b.DB)
		invoice := rows.Invoice(t, b.DB, c)
		file := bankFile{Assignments: []assignment{
			{Account: nobodys, Payments: lines(paid(invoice.KID, 20_00), paid(invoice.KID, 20_00))},
			{Account: c.BankAccount, Payments: lines(paid(invoice.KID, 400_00))},
		}}
		f := b.take(t, file.Bytes(t))
		if got, want := b.sums(t, f, 0), (sums{2, 0, 2, 0, 0}); got != want {
			t.Errorf("nobody's part is %+v, want %+v", got, want)
		}
		kept, _, err := b.DB.UnmatchedPayments(t.Context(), 0, true, false, store.Page{Number: 1, Size: 10})
		must(t, err)
		if queued(kept) != "other_account 20.00, other_account 20.00" || kept[0].Account != nobodys || kept[0].KID != invoice.KID {
			t.Errorf("kept aside are %s", queued(kept))
		}
		want := models.FileFindings{{Line: 2, Code: "unassigned_account", Text: "no creditor has the account " + nobodys}}
		if len(f.Warnings) != 1 || f.Warnings[0] != want[0] {
			t.Errorf("the warnings are %+v, want %+v", f.Warnings, want)
		}
		again := b.take(t, bankFile{Number: "8", Assignments: file.Assignments}.Bytes(t))
		if got, want := b.sums(t, again, 0), (sums{2, 0, 0, 2, 0}); got != want {
			t.Errorf("come again, nobody's part is %+v, want %+v", got, want)
		}
		b.Prove(t, c)
	})
}

// E6b: dunning goes by how far the bank's files reach. It must not see a file before its last payment.
func TestE6bAFileCountsOnceAllOfItIsPosted(t *testing.T) {
	eachBooks(t, func(t *testing.T, b *books) {
		c, other := rows.Creditor(t, b.DB), rows.Creditor(t, b.DB)
		invoice := rows.Invoice(t, b.DB, c)
		late := paid(invoice.KID, 1_00)
		late.NetsDate = today - 3
		file := bankFile{Assignments: []assignment{
			{Account: c.BankAccount, Payments: lines(paid(invoice.KID, 2_00), late, late)},
			{Account: other.BankAccount, Mandates: 1},
		}}
		b.im.batch = 1
		arrived := Source{Kind: FromInbox, Arrival: "once"}
		b.stepByStep(t, func(ctx context.Context, im *Importer) error {
			news, err := b.DB.BankNews(t.Context(), c.ID, models.SourceSFTP)
			if err != nil || news.Reached != 0 {
				t.Fatalf("before it is imported the file reaches to %s, %v", news.Reached, err)
			}
			_, err = im.Import(ctx, bytes.NewReader(file.Bytes(t)), arrived)
			return err
		})
		for creditor, want := range map[int64]models.Date{c.ID: today - 1, other.ID: 0} {
			if news, err := b.DB.BankNews(t.Context(), creditor, models.SourceSFTP); err != nil || news.Reached != want {
				t.Errorf("the files reach to %s, want %s: %v", news.Reached, want, err)
			}
		}
	})
}

// TestD102AnIllCreditorsMoneyIsBookedToo: a file has accounts of a creditor whose days cannot be reckoned and of another. A payment of
// the first came before its notice, which is reckoned again.
func TestD102AnIllCreditorsMoneyIsBookedToo(t *testing.T) {
	eachBooks(t, func(t *testing.T, b *books) {
		file, ill, noticed, others := b.IllFile(t, func(tx *store.Tx, c models.Creditor, invoiceID int64) error {
			_, err := dunning.IssueNotice(t.Context(), tx, law.Default(), c, invoiceID, dunning.Request{AddFee: true})
			return err
		})
		f := b.take(t, file)
		if f.State != models.FileImported {
			t.Errorf("the file is %s, %v", f.State, f.Faults)
		}
		for what, i := range map[string]models.Invoice{"the ill creditor's": noticed, "the other's": others} {
			if left := b.Balance(t, i); left != 0 {
				t.Errorf("on %s invoice %s is owed", what, left)
			}
		}
		if !b.told(t, ill, models.EventNoticeRecalculated) {
			t.Error("the notice was not reckoned again")
		}
		b.Prove(t, ill)
	})
}
