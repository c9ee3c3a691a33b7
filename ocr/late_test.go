package ocr

import (
	"strings"
	"testing"

	"purr/dunning"
	"purr/law"
	"purr/models"
	"purr/store"
	"purr/test/testkit/rows"
)

// TestL4AFileThatComesAfterTheRun has payments of yesterday, for invoices of 10 000 kroner that got a notice this
// morning: 28 days of interest are 92.05, and the fee is 38.00. Of 27 days they are 88.77.
func TestL4AFileThatComesAfterTheRun(t *testing.T) {
	files := map[string]func(t tester, account string, kids []string, amounts []models.Amount) []byte{
		"giro": func(t tester, account string, kids []string, amounts []models.Amount) []byte {
			f := fileOf(account)
			for i, kid := range kids {
				f.Assignments[0].Payments = append(f.Assignments[0].Payments, paid(kid, amounts[i]))
			}
			return f.Bytes(t)
		},
		"camt": func(t tester, account string, kids []string, amounts []models.Amount) []byte {
			e := lump()
			for i, kid := range kids {
				e.payments = append(e.payments, credited(kid, amounts[i]))
				e.Amount += amounts[i]
			}
			return messageOf(account, e).Bytes(t)
		},
	}
	tests := []struct {
		why      string
		noNotice bool
		amount   models.Amount
		want     models.Amount // that is owed
	}{
		{why: "all but the fee and the interest", amount: 10_000_00, want: 88_77},
		{why: "all of it: what was too much is the customer's", amount: 10_130_05, want: -41_28},
		{why: "a part: the last day bears interest on 6000, 1.97", amount: 4000_00, want: 6000_00 + 38_00 + 90_74},
		{why: "without a notice", noNotice: true, amount: 10_000_00, want: 0},
	}
	eachBooks(t, func(t *testing.T, b *books) {
		for format, file := range files {
			c := rows.Creditor(t, b.DB)
			var invoices []models.Invoice
			var kids []string
			var amounts []models.Amount
			for _, tt := range tests {
				i := rows.Invoice(t, rows.On(b.DB, rows.Day("2026-01-26")), c, rows.Of(10_000_00), rows.DueIn(7))
				invoices, kids, amounts = append(invoices, i), append(kids, i.KID), append(amounts, tt.amount)
				rows.Send(t, b.DB, c)
				if tt.noNotice {
					continue
				}
				rows.Write(t, b.DB, func(tx *store.Tx) error {
					_, err := dunning.IssueNotice(t.Context(), tx, law.Default(), c, i.ID, dunning.Request{AddFee: true, AddInterest: true, Actor: "a person"})
					return err
				})
			}
			importer := b.im
			b.im = importer.By("API key 7")
			f := b.take(t, file(t, c.BankAccount, kids, amounts))
			b.im = importer
			if f.State != models.FileImported {
				t.Fatalf("%s: the file is %s: %v", format, f.State, f.Faults)
			}
			for n, tt := range tests {
				if got := b.Balance(t, invoices[n]); got != tt.want {
					t.Errorf("%s: %s: %s is owed, want %s", format, tt.why, got, tt.want)
				}
			}
			b.Prove(t, c)
			const want = "Notice 1 on invoice 1 recalculated with money that came on 2026-03-01, before it: fee of 38.00 and interest of 3.28 reversed\n" +
				"Notice 1 on invoice 2 recalculated with money that came on 2026-03-01, before it: fee of 38.00 and interest of 3.28 reversed\n" +
				"Notice 1 on invoice 3 recalculated with money that came on 2026-03-01, before it: fee of 0.00 and interest of 1.31 reversed"
			if got := strings.Join(b.Events(t, c, models.EventNoticeRecalculated), "\n"); got != want {
				t.Errorf("%s: the events are\n%s, want\n%s", format, got, want)
			}
			events, err := b.DB.Events(t.Context(), c.ID, 0, 100)
			must(t, err)
			for _, e := range events {
				if e.Type == models.EventNoticeRecalculated && e.Actor != "API key 7" {
					t.Errorf("%s: %s is by %s", format, e.Text, e.Actor)
				}
			}
		}
	})
}
