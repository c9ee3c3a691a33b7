package unmatched_test

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"testing"

	"purr/dunning"
	"purr/law"
	"purr/models"
	"purr/ocr"
	"purr/ocr/unmatched"
	"purr/store"
	"purr/test/testkit/payments"
	"purr/test/testkit/rows"
)

// TestL4SeveralInvoicesPaidInTime matches a payment of yesterday with two invoices, of which one got a notice today: 1000
// kroner, and 38.00 and 9.21 of fee and interest. Paid yesterday it would have got none (rule D97): nothing but the interest was left.
func TestL4SeveralInvoicesPaidInTime(t *testing.T) {
	payments.Each(t, func(t *testing.T, b *payments.Books) {
		c := rows.Creditor(t, b.DB)
		reminded := rows.Invoice(t, rows.On(b.DB, rows.Day("2026-01-26")), c, rows.DueIn(7))
		other := rows.Invoice(t, b.DB, c)
		rows.Send(t, b.DB, c)
		rows.Write(t, b.DB, func(tx *store.Tx) error {
			_, err := dunning.IssueNotice(t.Context(), tx, law.Default(), c, reminded.ID, dunning.Request{AddFee: true, AddInterest: true})
			return err
		})
		owes := func(i models.Invoice, want models.Amount) {
			t.Helper()
			if got := b.Balance(t, i); got != want {
				t.Errorf("%s is owed on invoice %d, want %s", got, i.Number, want)
			}
			b.Prove(t, c)
		}
		owes(reminded, 1047_21)
		unknown := payments.OtherKID(c.KIDLength, c.KIDModulus)
		file := payments.FileOf(c.BankAccount, payments.Paid(unknown, 2047_21), payments.Paid(unknown, 2000_00), payments.Paid(unknown, 2047_20))
		_, err := ocr.NewImporter(b.DB, b.Archive, slog.New(slog.DiscardHandler)).
			Import(t.Context(), bytes.NewReader(file.Bytes(t)), ocr.Source{Filename: "OCR.txt", Kind: ocr.FromCommand})
		payments.Must(t, err)
		do := func(want string, act func(ctx context.Context, tx *store.Tx) (models.UnmatchedPayment, error)) {
			t.Helper()
			err := b.DB.InTx(t.Context(), func(_ context.Context, tx *store.Tx) error {
				_, err := act(t.Context(), tx)
				return err
			})
			code := ""
			if refusal, is := errors.AsType[*models.Error](err); is {
				code = refusal.Code
			} else {
				payments.Must(t, err)
			}
			if code != want {
				t.Errorf("refused for %q, want %q", code, want)
			}
		}
		match := func(u models.UnmatchedPayment, want string) {
			t.Helper()
			do(want, func(ctx context.Context, tx *store.Tx) (models.UnmatchedPayment, error) {
				return unmatched.Match(ctx, tx, c, u.ID, []int64{reminded.ID, other.ID}, "a person")
			})
		}
		queue := b.Queue(t, c)
		match(queue[2], "amounts_differ")
		for i, overpaid := range []models.Amount{47_21, 0} { // what the notice asks for, or what is right on the day
			match(queue[i], "")
			owes(other, 0)
			owes(reminded, -overpaid)
			do("", func(ctx context.Context, tx *store.Tx) (models.UnmatchedPayment, error) {
				return unmatched.Unmatch(ctx, tx, c, queue[i].ID, "a person")
			})
			owes(reminded, 1000_00)
		}
	})
}
