package ocr

import (
	"testing"

	"purr/models"
	"purr/ocr/giro"
	"purr/test/testkit/rows"
)

// The creditor's - lines with a credit note's KID (rule E4). The invoice of 1000 kroner was paid and then
// credited, so that 1000 kroner are outstanding.
func TestE4WhatBecomesOfACreditNote(t *testing.T) {
	tests := []struct {
		name  string
		lines func(kid string) []giro.Payment
		left  models.Amount // of the credit
		queue string
	}{
		{"a - line pays it out", func(kid string) []giro.Payment { return lines(out(kid, 1000_00)) }, 0, ""},
		{"a smaller one leaves the rest", func(kid string) []giro.Payment { return lines(out(kid, 300_00)) }, 700_00, ""},
		{"two equal ones are two", func(kid string) []giro.Payment { return lines(out(kid, 300_00), out(kid, 300_00)) }, 400_00, ""},
		{"what is above the credit waits", func(kid string) []giro.Payment { return lines(out(kid, 1000_01)) }, 1000_00, "reversal -1000.01"},
		{
			"of two that are above it together the second waits",
			func(kid string) []giro.Payment { return lines(out(kid, 600_00), out(kid, 500_00), out(kid, 400_00)) }, 0, "reversal -500.00",
		},
		{"money in with its KID is not expected", func(kid string) []giro.Payment { return lines(paid(kid, 70_00)) }, 1000_00, "unknown_kid 70.00"},
		{"a card reversal is no payout", func(kid string) []giro.Payment { return lines(byCard(18, kid, 70_00, "")) }, 1000_00, "reversal -70.00"},
		{"nor is one with the sign -", func(kid string) []giro.Payment { return lines(minus(byCard(18, kid, 70_00, ""))) }, 1000_00, "reversal -70.00"},
	}
	eachBooks(t, func(t *testing.T, b *books) {
		for _, tt := range tests {
			t.Run(tt.name, func(t *testing.T) {
				c := rows.Creditor(t, b.DB)
				other := rows.Invoice(t, b.DB, c, rows.Of(5000_00))
				invoice := rows.Invoice(t, b.DB, c, rows.Of(1000_00))
				must(t, b.Pay(t.Context(), invoice, 1000_00))
				note := rows.CreditNote(t, b.DB, c, invoice)

				// A file whose sum is below zero cannot be written.
				f := b.take(t, fileOf(c.BankAccount, append(tt.lines(note.KID), paid(other.KID, 5000_00))...).Bytes(t))
				if f.State != models.FileImported {
					t.Fatalf("the file is %s: %v", f.State, f.Faults)
				}
				now, err := b.DB.CreditNote(t.Context(), c.ID, note.ID)
				must(t, err)
				if -now.Balance != tt.left {
					t.Errorf("%s of the credit are left, want %s", -now.Balance, tt.left)
				}
				if got := queued(b.Queue(t, c)); got != tt.queue {
					t.Errorf("the queue holds %q, want %q", got, tt.queue)
				}
				b.Prove(t, c)
			})
		}
	})
}

func minus(p giro.Payment) giro.Payment {
	p.Negative = true
	return p
}
