package billing_test

import (
	"strings"
	"testing"

	"purr/models"
	"purr/store"
	"purr/test/testkit/rows"
)

// agreed gives a creditor an OCR agreement and a first number.
func agreed(length, modulus int, first int64) func(*models.Creditor) {
	return func(c *models.Creditor) { c.KIDLength, c.KIDModulus, c.FirstNumber = length, modulus, first }
}

// take gives KIDs to documents of the creditor.
func take(t *testing.T, db *store.DB, c models.Creditor, kids ...string) {
	t.Helper()
	rows.Write(t, db, func(tx *store.Tx) error {
		for _, kid := range kids {
			must(t, tx.CreateReferences(t.Context(), []store.Reference{{CreditorID: c.ID, KID: kid, InvoiceID: -1}}))
		}
		return nil
	})
}

func TestKIDsD20(t *testing.T) {
	t.Parallel()
	tests := []struct {
		agreement func(*models.Creditor)
		taken     string
		want      string
		why       string
	}{
		{agreed(10, models.Modulus10, 1), "", "0000000018", "the first by modulus 10"},
		{agreed(10, models.Modulus11, 1), "", "0000000019", "the first by modulus 11"},
		{agreed(4, models.Modulus10, 123), "", "1230", "the shortest agreement"},
		{agreed(25, models.Modulus10, 123), "", "0000000000000000000001230", "the longest"},
		{agreed(5, models.Modulus11, 6), "", "10065", "0006 would end in a minus"},
		{agreed(5, models.Modulus11, 1006), "10065", "20060", "what a skipped number has taken is not taken again"},
		{agreed(5, models.Modulus11, 6), "10065 20060", "30066", "the next and the next but one are taken"},
		{agreed(5, models.Modulus10, 1000), strings.Join(nineOf1000[:8], " "), nineOf1000[8], "the last that is left"},
	}
	rows.EachDatabase(t, func(t *testing.T, db *store.DB) {
		for _, tt := range tests {
			t.Run(tt.why, func(t *testing.T) {
				c := rows.Creditor(t, db, tt.agreement)
				take(t, db, c, strings.Fields(tt.taken)...)
				if invoice := rows.Invoice(t, db, c); invoice.KID != tt.want {
					t.Errorf("invoice %d has the KID %s, want %s", invoice.Number, invoice.KID, tt.want)
				}
			})
		}
	})
}

// nineOf1000 are the KIDs of five characters that invoice 1000 can have: 00000 is not valid.
var nineOf1000 = []string{"10009", "20008", "30007", "40006", "50005", "60004", "70003", "80002", "90001"}

// TestKIDsRunOutD20 leaves no KID for a number, and then makes the KIDs of the agreement longer.
func TestKIDsRunOutD20(t *testing.T) {
	t.Parallel()
	rows.EachDatabase(t, func(t *testing.T, db *store.DB) {
		for why, c := range map[string]models.Creditor{
			"all candidates are taken":  rows.Creditor(t, db, agreed(5, models.Modulus10, 1000)),
			"the number has grown long": rows.Creditor(t, db, agreed(4, models.Modulus10, 1000)),
		} {
			t.Run(why, func(t *testing.T) {
				take(t, db, c, nineOf1000...)
				customer := rows.Customer(t, db, c)
				_, err := rows.TryIssue(t, db, c, orderTo(customer))
				if rows.Faults(err) != "kid_exhausted" || models.KindOf(err) != models.KindConflict {
					t.Errorf("got %v", err)
				}
				c.KIDLength = 6
				invoice, err := rows.TryIssue(t, db, c, orderTo(customer))
				if err != nil || invoice.Number != 1000 || invoice.KID != "010009" {
					t.Errorf("after a new agreement the invoice is %d with the KID %s, %v", invoice.Number, invoice.KID, err)
				}
			})
		}
	})
}

func TestKIDsOutliveAnAgreementD20(t *testing.T) {
	t.Parallel()
	rows.EachDatabase(t, func(t *testing.T, db *store.DB) {
		c := rows.Creditor(t, db, agreed(8, models.Modulus10, 1))
		sent := map[string]models.Invoice{}
		for _, agreement := range []struct{ length, modulus int }{{8, models.Modulus10}, {8, models.Modulus11}, {12, models.Modulus11}, {8, models.Modulus10}} {
			c.KIDLength, c.KIDModulus = agreement.length, agreement.modulus
			invoice := rows.Invoice(t, db, c)
			sent[invoice.KID] = invoice
		}
		kids := []string{"00000018", "00000027", "000000000035", "00000042"}
		found, err := db.ReferencesOf(t.Context(), c.ID, kids)
		must(t, err)
		for _, kid := range kids {
			if invoice, ok := sent[kid]; !ok || found[kid].InvoiceID != invoice.ID {
				t.Errorf("%s leads to %+v; sent were %v", kid, found[kid], sent)
			}
		}
	})
}

// TestKIDsAreACreditorsOwnD20 has two creditors send the same KID, each for its own bank account.
func TestKIDsAreACreditorsOwnD20(t *testing.T) {
	t.Parallel()
	rows.EachDatabase(t, func(t *testing.T, db *store.DB) {
		one, other := rows.Invoice(t, db, rows.Creditor(t, db)), rows.Invoice(t, db, rows.Creditor(t, db))
		if one.KID != other.KID {
			t.Errorf("the first KIDs are %s and %s", one.KID, other.KID)
		}
		for _, invoice := range []models.Invoice{one, other} {
			if found, err := db.ReferencesOf(t.Context(), invoice.CreditorID, []string{invoice.KID}); err != nil || found[invoice.KID].InvoiceID != invoice.ID {
				t.Errorf("of creditor %d it leads to %+v, %v", invoice.CreditorID, found, err)
			}
		}
	})
}
