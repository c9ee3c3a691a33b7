package ocr

import (
	"strings"
	"testing"

	"purr/billing"
	"purr/models"
	"purr/store"
	"purr/test/testkit/rows"
)

// agreed is a creditor's OCR agreement.
type agreed struct{ length, modulus int }

func (a agreed) of(c *models.Creditor) { c.KIDLength, c.KIDModulus = a.length, a.modulus }

// with has the creditor change its agreement.
func (b *books) with(t *testing.T, c models.Creditor, a agreed) models.Creditor {
	t.Helper()
	a.of(&c)
	rows.Write(t, b.DB, func(tx *store.Tx) error { return tx.UpdateCreditor(t.Context(), &c) })
	return c
}

func filledTo(length int) func(string) string {
	return func(kid string) string { return strings.Repeat("0", length-len(kid)) + kid }
}

func asSent(kid string) string { return kid }

func TestD20DocumentsKeepTheKIDTheyWereSentWith(t *testing.T) {
	tests := []struct {
		name   string
		before agreed
		now    agreed
		filled func(string) string
	}{
		{"a longer KID is agreed", agreed{8, 10}, agreed{12, 10}, asSent},
		{"a longer KID is agreed, the old one filled to its length", agreed{8, 10}, agreed{12, 10}, filledTo(12)},
		{"a longer KID is agreed, the old one filled to 25", agreed{8, 10}, agreed{12, 10}, filledTo(25)},
		{"a shorter KID is agreed", agreed{12, 10}, agreed{8, 10}, asSent},
		{"a shorter KID is agreed, the old one filled to 25", agreed{12, 10}, agreed{8, 10}, filledTo(25)},
		{"the longest KID is agreed, the old one filled to its length", agreed{10, 10}, agreed{25, 10}, filledTo(25)},
		{"MOD11 is agreed", agreed{10, 10}, agreed{10, 11}, asSent},
		{"MOD11 is agreed, the old KID filled to 25", agreed{10, 10}, agreed{10, 11}, filledTo(25)},
		{"MOD10 and a longer KID are agreed", agreed{9, 11}, agreed{13, 10}, asSent},
		{"MOD10 and a longer KID are agreed, the old KID filled to 25", agreed{9, 11}, agreed{13, 10}, filledTo(25)},
	}
	eachBooks(t, func(t *testing.T, b *books) {
		for _, tt := range tests {
			t.Run(tt.name, func(t *testing.T) {
				c := rows.Creditor(t, b.DB, tt.before.of)
				before := rows.Invoice(t, b.DB, c)
				c = b.with(t, c, tt.now)
				after := rows.Invoice(t, b.DB, c)
				b.take(t, fileOf(c.BankAccount, paid(tt.filled(before.KID), 1000_00), paid(after.KID, 600_00)).Bytes(t))
				if owed := b.Balance(t, before); owed != 0 {
					t.Errorf("the invoice with the KID %s from before owes %s", before.KID, owed)
				}
				if owed := b.Balance(t, after); owed != 400_00 {
					t.Errorf("the invoice with the KID %s of now owes %s", after.KID, owed)
				}
			})
		}
	})
}

func TestE5WhyAKIDFitsNothing(t *testing.T) {
	minus := models.NewKID("987656000", models.Modulus11)
	for n := 0; !strings.HasSuffix(minus, "-"); n++ {
		minus = models.NewKID("98765600"+string(rune('0'+n)), models.Modulus11)
	}
	tests := []struct {
		name string
		now  agreed
		kid  string
		want models.UnmatchedReason
	}{
		{"it could be one of ours", agreed{10, 10}, otherKID(10, 10), models.ReasonUnknownKID},
		{"its check digit is of MOD11", agreed{10, 10}, otherKID(10, 11), models.ReasonInvalidKID},
		{"it is longer", agreed{10, 10}, "1" + otherKID(10, 10), models.ReasonInvalidKID},
		{"it is shorter", agreed{10, 10}, strings.TrimLeft(otherKID(10, 10), "0"), models.ReasonInvalidKID},
		{"it ends in a minus, as MOD11 may", agreed{10, 11}, minus, models.ReasonUnknownKID},
		{"it ends in a minus, which MOD10 never does", agreed{10, 10}, minus, models.ReasonInvalidKID},
	}
	eachBooks(t, func(t *testing.T, b *books) {
		for _, tt := range tests {
			t.Run(tt.name, func(t *testing.T) {
				c := rows.Creditor(t, b.DB, tt.now.of)
				b.take(t, fileOf(c.BankAccount, paid(tt.kid, 70_00)).Bytes(t))
				got := b.Queue(t, c)
				if len(got) != 1 || got[0].Reason != tt.want || got[0].KID != tt.kid {
					t.Errorf("the queue holds %s, want %s with the KID %s", queued(got), tt.want, tt.kid)
				}
			})
		}
	})
}

func TestD20AKIDFilledWithZerosThatFitsTwoInvoicesWaitsForAPerson(t *testing.T) {
	eachBooks(t, func(t *testing.T, b *books) {
		c := rows.Creditor(t, b.DB, agreed{6, 10}.of)
		short := rows.Invoice(t, b.DB, c)
		// The same digits are the KID of a document of another length, where the series has come so far.
		var long models.Invoice
		rows.Write(t, b.DB, func(tx *store.Tx) error {
			reference := store.Reference{CreditorID: c.ID, KID: "00" + short.KID, InvoiceID: short.ID + 1}
			return tx.CreateReferences(t.Context(), []store.Reference{reference})
		})
		long = rows.Invoice(t, b.DB, c, func(o *billing.InvoiceRequest) { o.NumDueDays = 30 })
		if long.ID != short.ID+1 {
			t.Fatalf("the invoices are %d and %d", short.ID, long.ID)
		}
		b.take(t, fileOf(c.BankAccount, paid("0000"+short.KID, 70_00), paid("00"+short.KID, 20_00), paid(short.KID, 10_00)).Bytes(t))
		if got := queued(b.Queue(t, c)); got != "unknown_kid 70.00" {
			t.Errorf("the queue holds %q", got)
		}
		if s, l := b.Balance(t, short), b.Balance(t, long); s != 990_00 || l != 980_00 {
			t.Errorf("the invoices owe %s and %s", s, l)
		}
	})
}
