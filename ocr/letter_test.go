package ocr

import (
	"fmt"
	"strings"
	"testing"

	"purr/dunning"
	"purr/law"
	"purr/ledger"
	"purr/models"
	"purr/ocr/unmatched"
	"purr/store"
	"purr/test/testkit/rows"
)

// lettered is a creditor with a letter for three invoices of 1000 kroner, which were issued two weeks before it.
type lettered struct {
	*books
	creditor models.Creditor
	invoices []models.Invoice
	letter   models.Letter
	came     []models.PaymentFile
}

// eachLettered runs the test on each database, and verifies the books after it.
func eachLettered(t *testing.T, test func(t *testing.T, l *lettered)) {
	t.Helper()
	eachBooks(t, func(t *testing.T, b *books) {
		l := &lettered{books: b}
		l.creditor = rows.Creditor(t, b.DB, func(c *models.Creditor) {
			c.Policy.Enabled, c.Policy.JointLetters, c.Policy.RequirePaymentFile = true, true, false
		})
		customer := rows.Customer(t, b.DB, l.creditor)
		for n := range models.Date(3) {
			l.invoices = append(l.invoices, rows.Invoice(t, rows.On(b.DB, rows.Day("2026-01-12")+n), l.creditor, rows.To(customer)))
		}
		rows.Send(t, b.DB, l.creditor)
		on := rows.Day("2026-02-11")
		s, err := dunning.TakeSnapshot(t.Context(), rows.On(b.DB, on), law.Default(), l.creditor, on)
		must(t, err)
		_, err = s.Run(t.Context(), func() {})
		must(t, err)
		rows.Send(t, b.DB, l.creditor)
		l.letter, err = b.DB.Letter(t.Context(), l.creditor.ID, 1)
		must(t, err)
		test(t, l)
		if found, err := ledger.Verify(t.Context(), b.DB, l.creditor); err != nil || len(found) > 0 {
			t.Errorf("the books: %v, %v", found, err)
		}
		for _, f := range l.came {
			must(t, l.im.Verify(t.Context(), []models.PaymentFile{f}, func(_ int, d FileDifference) { t.Errorf("a file differs in line %d: %s", d.Line, d.Text) }))
		}
	})
}

// take takes a file, and remembers it.
func (l *lettered) take(t *testing.T, file []byte) {
	t.Helper()
	l.came = append(l.came, l.books.take(t, file))
}

// stands says what is owed on each of the invoices.
func (l *lettered) stands(t *testing.T, want ...string) {
	t.Helper()
	var is []string
	for _, i := range l.invoices {
		is = append(is, l.Balance(t, i).String())
	}
	if strings.Join(is, " ") != strings.Join(want, " ") {
		t.Errorf("there are owed %v, want %v", is, want)
	}
}

func TestL23APaymentWithALettersKIDIsSpread(t *testing.T) {
	for _, tt := range []struct {
		why    string
		amount models.Amount
		want   []string
	}{
		{"the whole", 0, []string{"0.00", "0.00", "0.00"}},
		{"a part covers principals alone, the oldest due date first", 1500_00, []string{"43.26", "504.93", "1004.60"}},
		{"then interest and fees in the same order", 3000_00 + 5_26 + 30_00, []string{"8.00", "4.93", "4.60"}},
		{"a surplus lands on the invoice due last", 4000_00, []string{"0.00", "0.00", "-947.21"}},
	} {
		t.Run(tt.why, func(t *testing.T) {
			eachLettered(t, func(t *testing.T, l *lettered) {
				l.stands(t, "1043.26", "1004.93", "1004.60")
				amount := tt.amount
				if amount == 0 {
					amount = l.letter.Gross
				}
				for range 2 { // the same file again changes nothing
					l.take(t, fileOf(l.creditor.BankAccount, paid(l.letter.KID, amount)).Bytes(t))
				}
				l.stands(t, tt.want...)
			})
		})
	}
}

// TestL23APaymentWithALettersKIDComesAsCamtToo: it is spread as that of an OCR giro file is, once, though the bank sends the same payment in
// both formats.
func TestL23APaymentWithALettersKIDComesAsCamtToo(t *testing.T) {
	eachLettered(t, func(t *testing.T, l *lettered) {
		account, kid := l.creditor.BankAccount, l.letter.KID
		for range 2 {
			l.take(t, messageOf(account, lump(credited(kid, 1500_00))).Bytes(t))
		}
		l.stands(t, "43.26", "504.93", "1004.60")
		l.take(t, fileOf(account, paid(kid, 1500_00)).Bytes(t))
		l.stands(t, "43.26", "504.93", "1004.60")
	})
}

func TestL23AReversalTakesAllEntriesOfALettersPaymentBack(t *testing.T) {
	for _, by := range []string{"the letter", "one of its invoices"} {
		t.Run(by, func(t *testing.T) {
			eachLettered(t, func(t *testing.T, l *lettered) {
				l.take(t, fileOf(l.creditor.BankAccount, paid(l.letter.KID, l.letter.Gross)).Bytes(t))
				l.take(t, fileOf(l.creditor.BankAccount, byCard(18, l.letter.KID, l.letter.Gross, "")).Bytes(t))
				queue, err := l.DB.PaymentsToMatch(t.Context(), l.creditor.ID, 0, 10)
				must(t, err)
				if len(queue) != 1 || queue[0].Reason != models.ReasonReversal {
					t.Fatalf("there wait %+v", queue)
				}
				var suggested models.Letter
				must(t, l.DB.View(t.Context(), func(v store.View) (err error) {
					suggested, _, err = unmatched.LetterOf(t.Context(), v, l.creditor.ID, queue[0])
					return err
				}))
				if suggested.ID != l.letter.ID {
					t.Errorf("letter %d is suggested", suggested.ID)
				}
				rows.Write(t, l.DB, func(tx *store.Tx) (err error) {
					if by == "the letter" {
						_, err = unmatched.MatchLetter(t.Context(), tx, l.creditor, queue[0].ID, l.letter.ID, "test")
					} else {
						_, err = unmatched.Match(t.Context(), tx, l.creditor, queue[0].ID, []int64{l.invoices[1].ID}, "test")
					}
					return err
				})
				l.stands(t, "1043.26", "1004.93", "1004.60")
				rows.Write(t, l.DB, func(tx *store.Tx) error {
					_, err := unmatched.Unmatch(t.Context(), tx, l.creditor, queue[0].ID, "test")
					return err
				})
				l.stands(t, "0.00", "0.00", "0.00")
			})
		})
	}
}

func TestL23AWithdrawnLettersKIDStillPays(t *testing.T) {
	eachLettered(t, func(t *testing.T, l *lettered) {
		rows.Write(t, l.DB, func(tx *store.Tx) error {
			return dunning.WithdrawFailedLetter(t.Context(), tx, l.creditor.ID, l.letter.ID, "no printer")
		})
		l.take(t, fileOf(l.creditor.BankAccount, paid(l.letter.KID, 1500_00)).Bytes(t))
		l.stands(t, "0.00", "500.00", "1000.00")
	})
}

func TestL23APersonTakesTheSpreadBackAndSpreadsItAnew(t *testing.T) {
	eachLettered(t, func(t *testing.T, l *lettered) {
		l.take(t, fileOf(l.creditor.BankAccount, paid(l.letter.KID, 1500_00)).Bytes(t))
		spread, err := l.DB.SpreadPayments(t.Context(), l.letter)
		must(t, err)
		for _, do := range []func(tx *store.Tx) error{
			func(tx *store.Tx) error {
				_, err := unmatched.Unmatch(t.Context(), tx, l.creditor, spread[0].ID, "test")
				return err
			},
			func(tx *store.Tx) error {
				_, err := unmatched.MatchLetter(t.Context(), tx, l.creditor, spread[0].ID, l.letter.ID, "test")
				return err
			},
		} {
			rows.Write(t, l.DB, do)
		}
		l.stands(t, "43.26", "504.93", "1004.60")
		if fmt.Sprint(spread[0].Reason) != "letter" {
			t.Errorf("the reason is %s", spread[0].Reason)
		}
	})
}
