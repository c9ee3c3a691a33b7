package giro

import (
	"strings"
	"testing"

	"purr/models"
)

func TestTransactionFields(t *testing.T) {
	file := read(t, sample(t, "ocr-edge.txt"))
	minus, purchase := file.Transactions[2], file.Transactions[6]
	tests := []struct {
		name      string
		got, want any
	}{
		{"line", minus.Line, 7},
		{"type", minus.Type, TypeCorporateGiro},
		{"number", minus.Number, 3},
		{"Nets date", minus.NetsDate.String(), "2026-03-02"},
		{"bank date", minus.BankDate.String(), "2026-03-02"},
		{"bank date before the Nets date", file.Transactions[0].BankDate.String(), "2026-02-27"},
		{"no bank date", file.Transactions[3].BankDate, models.Date(0)},
		{"amount", minus.Amount, models.Amount(25000)},
		{"negative", minus.Negative, true},
		{"signed", minus.Signed(), models.Amount(-25000)},
		{"KID", minus.KID(), "0000451003206"},
		{"KID with check character -", file.Transactions[3].KID(), "1000005-"},
		{"no KID", purchase.KID(), ""},
		{"centre", minus.Centre(), "80"},
		{"day code", minus.DayCode(), "02"},
		{"partial settlement", minus.PartialSettlement(), "1"},
		{"serial", minus.Serial(), "06061"},
		{"lump sum", minus.LumpSum(), "0203268002106061"},
		{"card issuer", purchase.CardIssuer(), "02"},
		{"no card issuer", minus.CardIssuer(), "00"},
		{"form number", minus.FormNumber(), "0000000000"},
		{"archive reference", minus.ArchiveReference(), "600200002"},
		{"debit account", minus.DebitAccount(), "98765432103"},
		{"no debit account", purchase.DebitAccount(), ""},
		{"text", purchase.Text(), "Blåbær 2 kg"},
		{"no text", minus.Text(), ""},
	}
	for _, tt := range tests {
		if tt.got != tt.want {
			t.Errorf("%s is %v, want %v", tt.name, tt.got, tt.want)
		}
	}
}

func TestMoneyOut(t *testing.T) {
	tests := []struct {
		typ      Type
		negative bool
		signed   models.Amount
		out      bool
		why      string
	}{
		{TypeCorporateGiro, false, 100, false, "a payment comes in"},
		{TypeCorporateGiro, true, -100, true, "a credit note with KID goes out"},
		{TypeCardPurchase, false, 100, false, "a purchase comes in"},
		{TypePurchaseWithText, false, 100, false, "a purchase comes in"},
		{TypeCardReversal, false, 100, true, "a card reversal goes out though the sums add it"},
		{TypeReversalWithText, false, 100, true, "a card reversal goes out though the sums add it"},
		{TypeReversalWithText, true, -100, true, "a card reversal goes out either way"},
	}
	for _, tt := range tests {
		tx := Transaction{Type: tt.typ, Amount: 100, Negative: tt.negative}
		if tx.Signed() != tt.signed || tx.MoneyOut() != tt.out {
			t.Errorf("type %d, negative %v: signed %d, out %v: %s", tt.typ, tt.negative, tx.Signed(), tx.MoneyOut(), tt.why)
		}
	}
}

func TestCountedFollowsTheEndRecord(t *testing.T) {
	for _, sum := range []models.Amount{130000, 120000} { // the reversal of 50.00 with "-" added, and subtracted
		file := read(t, reversalFile(sum))
		a := file.Transmissions[0].Assignments[0]
		var counted models.Amount
		for i := range file.Transactions {
			counted += a.Counted(&file.Transactions[i])
		}
		if counted != sum || a.Amount != sum || file.Amount != sum {
			t.Errorf("counted %d, the assignment has %d, the file %d, want %d", counted, a.Amount, file.Amount, sum)
		}
	}
}

func TestKIDAsReceived(t *testing.T) {
	tests := []struct {
		field, want string
		has         bool
	}{
		{"            0000421003179", "0000421003179", true},
		{"0000421003179            ", "0000421003179", true},
		{"9999999999999999999999994", "9999999999999999999999994", true},
		{"0000000000000000421003179", "0000000000000000421003179", true},
		{"                 1000005-", "1000005-", true},
		{"                        1", "1", true},
		{"1                        ", "1", true},
		{"0000000000000000000000000", "0000000000000000000000000", false},
		{"                         ", "", false},
	}
	for _, tt := range tests {
		file := read(t, edited(written(payment(100)), set(3, 49, tt.field)))
		if tx := file.Transactions[0]; tx.KID() != tt.want || tx.HasKID() != tt.has {
			t.Errorf("%q is %q, there is one: %v", tt.field, tx.KID(), tx.HasKID())
		}
	}
}

func TestFingerprint(t *testing.T) {
	fingerprint := func(file string) [32]byte { return read(t, file).Transactions[0].Fingerprint() }
	plain := payment(125000)
	want := fingerprint(written(plain))
	other := testAssignment
	other.Account = otherAccount
	elsewhere := TransmissionHeader{Number: "0000999", Recipient: "00099999"}
	for _, tt := range []struct {
		what, file string
		same       bool
	}{
		{"in another transmission", writtenAs(elsewhere, testAssignment, plain), true},
		{"with the KID left-aligned", edited(written(plain), set(3, 49, "0000421003179            ")), true},
		{"with another bank date", written(plain.with(func(p *Payment) { p.BankDate-- })), true},
		{"on another account", writtenAs(testTransmission, other, plain), false},
		{"with another Nets date", written(plain.with(func(p *Payment) { p.NetsDate-- })), false},
		{"with another amount", written(plain.with(func(p *Payment) { p.Amount++ })), false},
		{"with another KID", written(plain.with(func(p *Payment) { p.KID = "0000431003185" })), false},
		{"from another account", written(plain.with(func(p *Payment) { p.DebitAccount = otherAccount })), false},
		{"with another archive reference", written(plain.with(func(p *Payment) { p.ArchiveReference = "600200002" })), false},
		{"with another form number", written(plain.with(func(p *Payment) { p.FormNumber = "1" })), false},
		{"in another lump sum", written(plain.with(func(p *Payment) { p.Serial = "06054" })), false},
	} {
		if got := fingerprint(tt.file); (got == want) != tt.same {
			t.Errorf("%s the fingerprint is the same: %v", tt.what, !tt.same)
		}
	}
	plus := read(t, written(plain, plain.with(func(p *Payment) { p.Negative = true }), plain))
	if plus.Transactions[0].Fingerprint() == plus.Transactions[1].Fingerprint() {
		t.Error("the sign makes no difference")
	}
	if plus.Transactions[0].Fingerprint() != plus.Transactions[2].Fingerprint() {
		t.Error("two equal payments differ")
	}
}

func TestTextIsISO88591(t *testing.T) {
	const text = "ÆØÅ æøå é ü 100 % © 2026"
	p := payment(100).with(asPurchase).with(func(p *Payment) { p.Text = text })
	file := written(p)
	if !strings.Contains(file, "\xc6\xd8\xc5 \xe6\xf8\xe5") {
		t.Error("the file is not in ISO-8859-1")
	}
	if got := read(t, file).Transactions[0].Text(); got != text {
		t.Errorf("got %q", got)
	}
}
