package ledger_test

import (
	"testing"

	"purr/store"
	"purr/test/testkit/rows"
)

// TestSettleD21 lists acts on an invoice of 1000 and the books after them. The entries of settling come after
// those of the acts.
func TestSettleD21(t *testing.T) {
	t.Parallel()
	tests := []struct{ story, want, why string }{
		{
			"credit", "invoice invoiced 1000 credited -1000 = 0, note credited -1000 credited 1000 = 0",
			"nothing paid: all of it is set off",
		},
		{
			"pay 400, credit", "invoice invoiced 1000 paid -400 credited -600 = 0, note credited -1000 credited 600 = -400",
			"part paid: what was paid is outstanding",
		},
		{
			"pay 1000, credit", "invoice invoiced 1000 paid -1000 = 0, note credited -1000 = -1000",
			"paid: all of it is outstanding",
		},
		{
			"pay 1200, credit", "invoice invoiced 1000 paid -1200 = -200, note credited -1000 = -1000",
			"overpaid: what was too much stays on the invoice",
		},
		{
			"pay 1200, repay 200, credit", "invoice invoiced 1000 paid -1200 paid 200 = 0, note credited -1000 = -1000",
			"overpaid and repaid is paid",
		},
		{
			"fee 35, interest 10, credit",
			"invoice invoiced 1000 fee 35 interest 10 fee -35 interest -10 credited -1000 = 0, note credited -1000 credited 1000 = 0",
			"fee and interest that are owed are reversed first",
		},
		{
			"fee 35, interest 10, pay 1000, credit",
			"invoice invoiced 1000 fee 35 interest 10 paid -1000 fee -35 interest -10 = 0, note credited -1000 = -1000",
			"payments have gone to the principal first",
		},
		{
			"fee 35, interest 10, pay 1004, credit",
			"invoice invoiced 1000 fee 35 interest 10 paid -1004 fee -35 interest -6 = 0, note credited -1000 = -1000",
			"then to the interest",
		},
		{
			"fee 35, interest 10, pay 1020, credit",
			"invoice invoiced 1000 fee 35 interest 10 paid -1020 fee -25 = 0, note credited -1000 = -1000",
			"and then to the fee: what is paid of it stays charged",
		},
		{
			"fee 35, interest 10, pay 1045, credit",
			"invoice invoiced 1000 fee 35 interest 10 paid -1045 = 0, note credited -1000 = -1000",
			"all of it paid: nothing is reversed",
		},
		{
			"fee 35, interest 10, pay 400, credit",
			"invoice invoiced 1000 fee 35 interest 10 paid -400 fee -35 interest -10 credited -600 = 0, note credited -1000 credited 600 = -400",
			"part of the principal paid",
		},
		{
			"fee 35, reverse 35, credit",
			"invoice invoiced 1000 fee 35 fee -35 credited -1000 = 0, note credited -1000 credited 1000 = 0",
			"a fee that was reversed by hand is not reversed again",
		},
		{
			"pay 1000, credit, undo", "invoice invoiced 1000 credited -1000 = 0, note credited -1000 credited 1000 = 0",
			"a payment deleted: the invoice is settled anew",
		},
		{
			"pay 400, pay 600, credit, undo",
			"invoice invoiced 1000 paid -600 credited -400 = 0, note credited -1000 credited 400 = -600",
			"one payment of two deleted",
		},
		{
			"pay 1000, credit, pay out 1000, undo",
			"invoice invoiced 1000 = 1000, note credited -1000 paid 1000 = 0",
			"a payment deleted whose credit was paid out: nothing is left to settle with",
		},
		{
			"pay 1000, credit, pay out 300, undo",
			"invoice invoiced 1000 credited -700 = 300, note credited -1000 paid 300 credited 700 = 0",
			"as far as the credit reaches",
		},
		{
			"pay 1000, credit, pay out 300, undo, undo",
			"invoice invoiced 1000 credited -700 credited -300 = 0, note credited -1000 credited 700 credited 300 = 0",
			"the payout deleted too: its credit settles the rest",
		},
		{
			"fee 35, pay 1035, credit, undo",
			"invoice invoiced 1000 fee 35 fee -35 credited -1000 = 0, note credited -1000 credited 1000 = 0",
			"the fee is owed again, and reversed",
		},
		{
			"credit, pay 50, undo",
			"invoice invoiced 1000 credited -1000 = 0, note credited -1000 credited 1000 = 0",
			"a payment upon a settled invoice deleted",
		},
		{
			"pay 200, undo, pay 300", "invoice invoiced 1000 paid -300 = 700",
			"no credit note: deleting a payment settles nothing",
		},
	}
	rows.EachDatabase(t, func(t *testing.T, db *store.DB) {
		for _, tt := range tests {
			t.Run(tt.why, func(t *testing.T) {
				a := open(t, db, rows.Creditor(t, db))
				a.do(tt.story)
				if got := a.books(); got != tt.want {
					t.Errorf("after %s the books are\n%s, want\n%s", tt.story, got, tt.want)
				}
				wantNoDifference(t, db, a.creditor)
			})
		}
	})
}
