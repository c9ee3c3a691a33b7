package ocr

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"purr/models"
	"purr/ocr/giro"
	"purr/test/testkit/rows"
)

// take imports a file that came for all, and expects no error.
func (b *books) take(t tester, file []byte) models.PaymentFile {
	t.Helper()
	return b.takeFor(t, 0, file)
}

// takeFor imports a file that a creditor posted; zero is one that came for all.
func (b *books) takeFor(t tester, ownerID int64, file []byte) models.PaymentFile {
	t.Helper()
	f, err := b.im.Import(t.Context(), bytes.NewReader(file), Source{OwnerID: ownerID, Filename: "OCR.txt", Kind: FromCommand})
	must(t, err)
	return f
}

func TestE4WhereAPaymentGoes(t *testing.T) {
	filled := func(kid string) string { return strings.Repeat("0", 25-len(kid)) + kid }
	tests := []struct {
		name  string
		lines func(kid string) []giro.Payment
		owed  models.Amount // on an invoice of 1000 kroner
		queue string
	}{
		{"the exact amount pays it", func(kid string) []giro.Payment { return lines(paid(kid, 1000_00)) }, 0, ""},
		{"a part leaves the rest", func(kid string) []giro.Payment { return lines(paid(kid, 400_00)) }, 600_00, ""},
		{"more is the customer's credit", func(kid string) []giro.Payment { return lines(paid(kid, 1200_00)) }, -200_00, ""},
		{"twice is two payments", func(kid string) []giro.Payment { return lines(paid(kid, 1000_00), paid(kid, 1000_00)) }, -1000_00, ""},
		{"two equal halves pay it", func(kid string) []giro.Payment { return lines(paid(kid, 500_00), paid(kid, 500_00)) }, 0, ""},
		{"no amount is a payment too", func(kid string) []giro.Payment { return lines(paid(kid, 0)) }, 1000_00, ""},
		{"every type of giro pays", func(kid string) []giro.Payment { return ofTypes(10, 17, kid, 125_00) }, 0, ""},
		{"a card purchase pays (type 19)", func(kid string) []giro.Payment { return lines(byCard(19, kid, 1000_00, "")) }, 0, ""},

		{"a KID filled with zeros pays", func(kid string) []giro.Payment { return lines(paid(filled(kid), 1000_00)) }, 0, ""},
		{"a KID that nobody has", func(string) []giro.Payment { return lines(paid(otherKID(10, 10), 70_00)) }, 1000_00, "unknown_kid 70.00"},
		{"that one filled with zeros", func(string) []giro.Payment { return lines(paid(filled(otherKID(10, 10)), 70_00)) }, 1000_00, "unknown_kid 70.00"},
		{"a wrong check digit", func(kid string) []giro.Payment { return lines(paid(mistyped(kid), 70_00)) }, 1000_00, "invalid_kid 70.00"},
		{"another length", func(kid string) []giro.Payment { return lines(paid(kid+"0", 70_00)) }, 1000_00, "invalid_kid 70.00"},
		{"no KID", func(string) []giro.Payment { return lines(paid("", 70_00)) }, 1000_00, "no_kid 70.00"},
		{"a KID of zeros", func(string) []giro.Payment { return lines(paid(filled(""), 70_00)) }, 1000_00, "no_kid 70.00"},
		{"a card purchase with text (type 21)", func(string) []giro.Payment { return lines(byCard(21, "", 70_00, "Blåbær")) }, 1000_00, "no_kid 70.00"},

		{"a card reversal (type 18)", func(kid string) []giro.Payment { return lines(byCard(18, kid, 70_00, "")) }, 1000_00, "reversal -70.00"},
		{"a card reversal with text (type 20)", func(string) []giro.Payment { return lines(byCard(20, "", 70_00, "Retur")) }, 1000_00, "reversal -70.00"},
		{"a - line of the invoice", func(kid string) []giro.Payment { return lines(paid(kid, 100_00), out(kid, 70_00)) }, 900_00, "reversal -70.00"},
		{"a - line without KID", func(kid string) []giro.Payment { return lines(paid(kid, 100_00), out("", 70_00)) }, 900_00, "reversal -70.00"},
	}
	eachBooks(t, func(t *testing.T, b *books) {
		for _, tt := range tests {
			t.Run(tt.name, func(t *testing.T) {
				c := rows.Creditor(t, b.DB)
				invoice := rows.Invoice(t, b.DB, c, rows.Of(1000_00))
				f := b.take(t, fileOf(c.BankAccount, tt.lines(invoice.KID)...).Bytes(t))
				if f.State != models.FileImported {
					t.Fatalf("the file is %s: %v", f.State, f.Faults)
				}
				if owed := b.Balance(t, invoice); owed != tt.owed {
					t.Errorf("%s is owed, want %s", owed, tt.owed)
				}
				if got := queued(b.Queue(t, c)); got != tt.queue {
					t.Errorf("the queue holds %q, want %q", got, tt.queue)
				}
				b.Prove(t, c)
			})
		}
	})
}

func lines(ps ...giro.Payment) []giro.Payment { return ps }

// ofTypes returns one payment of each type.
func ofTypes(first, last giro.Type, kid string, amount models.Amount) []giro.Payment {
	var ps []giro.Payment
	for typ := first; typ <= last; typ++ {
		p := paid(kid, amount)
		p.Type = typ
		p.ArchiveReference = fmt.Sprintf("6002000%d", typ)
		ps = append(ps, p)
	}
	return ps
}

func TestAFilenameThatIsNoTextIsKeptAsOne(t *testing.T) {
	eachBooks(t, func(t *testing.T, b *books) {
		c := rows.Creditor(t, b.DB)
		src := Source{Filename: "m\xf8te\x00" + strings.Repeat("ø", 300), Kind: FromAPI, OwnerID: c.ID}
		f, err := b.im.Import(t.Context(), bytes.NewReader(fileOf(c.BankAccount, paid("", 1_00)).Bytes(t)), src)
		must(t, err)
		kept, err := b.DB.PaymentFile(t.Context(), f.ID)
		must(t, err)
		if want := "m\uFFFDte\x00" + strings.Repeat("ø", 245); kept.Filename != want {
			t.Errorf("it is kept as %q", kept.Filename)
		}
	})
}
