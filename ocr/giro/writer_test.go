package giro

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"purr/models"
)

// TestWriterMakesTheSample shows that the writer makes a file of others' to the byte.
func TestWriterMakesTheSample(t *testing.T) {
	created := day(t, "2026-03-02")
	p := Payment{
		NetsDate: created, BankDate: created - 1, Centre: "80", DayCode: "02", PartialSettlement: "1", Serial: "06053",
	}
	got := writtenAs(
		TransmissionHeader{Number: "0000123", Recipient: "00012345", Created: created},
		AssignmentHeader{AgreementID: "001234567", Number: "0000001", Account: testAccount, Created: created},
		p.with(func(p *Payment) {
			p.Type, p.Amount, p.KID, p.DebitAccount = TypeGiroDebited, 125000, "0000421003179", "98765432103"
			p.FormNumber, p.ArchiveReference = "6000100001", "600100001"
		}),
		p.with(func(p *Payment) {
			p.Type, p.Amount, p.KID, p.DebitAccount = TypeCorporateGiro, 49950, "0000431003185", "86011117947"
			p.ArchiveReference, p.BankDate = "600100002", created
		}),
		p.with(func(p *Payment) {
			p.Type, p.Amount, p.KID = TypeAvtaleGiro, 7500, "0000441003191"
			p.ArchiveReference, p.BankDate = "600100003", created
		}),
	)
	if want := sample(t, "ocr-basic.txt"); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}

func TestWriterCRLF(t *testing.T) {
	var out bytes.Buffer
	w := NewWriter(&out)
	w.UseCRLF = true
	must(w.StartTransmission(testTransmission))
	must(w.StartAssignment(testAssignment))
	must(w.Write(payment(100)))
	must(w.Close())
	if got, want := out.String(), strings.ReplaceAll(written(payment(100)), "\n", "\r\n"); got != want {
		t.Errorf("got %q", got)
	}
}

func TestWriterRefusesWhatCannotBeWritten(t *testing.T) {
	tests := []struct {
		what   string
		change func(*Payment)
		reason string
	}{
		{"an amount of 18 digits", func(p *Payment) { p.Amount = MaxAmount + 1 }, "amount"},
		{"an amount below zero", func(p *Payment) { p.Amount = -1 }, "amount"},
		{"a KID of 26 digits", func(p *Payment) { p.KID = strings.Repeat("1", 26) }, "KID"},
		{"a KID with a letter", func(p *Payment) { p.KID = "12A4" }, "KID"},
		{"a KID with - in the middle", func(p *Payment) { p.KID = "12-4" }, "KID"},
		{"a KID with text", func(p *Payment) { p.Type = TypePurchaseWithText }, "no KID"},
		{"text with a KID", func(p *Payment) { p.Text = "for lunch" }, "no text"},
		{"a text of 41 characters", func(p *Payment) { asPurchase(p); p.Text = strings.Repeat("å", 41) }, "text"},
		{"a text outside ISO-8859-1", func(p *Payment) { asPurchase(p); p.Text = "100 €" }, "text"},
		{"a text of two lines", func(p *Payment) { asPurchase(p); p.Text = "a\nb" }, "text"},
		{"an unknown type", func(p *Payment) { p.Type = 22 }, "type 22"},
		{"no type", func(p *Payment) { p.Type = 0 }, "type 0"},
		{"no Nets date", func(p *Payment) { p.NetsDate = 0 }, "Nets date"},
		{"a debit account of 12 digits", func(p *Payment) { p.DebitAccount = "123456789012" }, "debit account"},
		{"an archive reference with a letter", func(p *Payment) { p.ArchiveReference = "A1" }, "archive reference"},
		{"a form number of 11 digits", func(p *Payment) { p.FormNumber = "12345678901" }, "form number"},
		{"a day code above 31", func(p *Payment) { p.DayCode = "32" }, "day code"},
		{"a centre of three digits", func(p *Payment) { p.Centre = "123" }, "centre"},
		{"a partial settlement of two digits", func(p *Payment) { p.PartialSettlement = "12" }, "partial settlement"},
		{"a serial of six digits", func(p *Payment) { p.Serial = "123456" }, "serial"},
		{"a card issuer of three digits", func(p *Payment) { p.CardIssuer = "123" }, "card issuer"},
	}
	for _, tt := range tests {
		t.Run(tt.what, func(t *testing.T) {
			var out bytes.Buffer
			w := NewWriter(&out)
			must(w.StartTransmission(testTransmission))
			must(w.StartAssignment(testAssignment))
			if err := w.Write(payment(100).with(tt.change)); err == nil || !strings.Contains(err.Error(), tt.reason) {
				t.Errorf("the error is %v, want one about %s", err, tt.reason)
			}
			must(w.Write(payment(200)))
			must(w.Close())
			if got := out.String(); got != written(payment(200)) {
				t.Errorf("something of it was written:\n%s", got)
			}
		})
	}
}

func TestWriterRefusesWrongHeaders(t *testing.T) {
	fresh := func() *Writer { return NewWriter(&bytes.Buffer{}) }
	started := fresh()
	must(started.StartTransmission(testTransmission))
	below := fresh()
	must(below.StartTransmission(testTransmission))
	must(below.StartAssignment(testAssignment))
	must(below.Write(payment(100).with(func(p *Payment) { p.Negative = true })))
	tests := []struct {
		what string
		err  error
	}{
		{"a transmission number of eight digits", fresh().StartTransmission(TransmissionHeader{Number: "12345678"})},
		{"a sender with a letter", fresh().StartTransmission(TransmissionHeader{Sender: "NETS"})},
		{"an assignment without a transmission", fresh().StartAssignment(testAssignment)},
		{"an account that is none", started.StartAssignment(AssignmentHeader{Account: "12345678901"})},
		{"an agreement id of ten digits", started.StartAssignment(AssignmentHeader{AgreementID: "1234567890", Account: testAccount})},
		{"a transaction without an assignment", started.Write(payment(100))},
		{"a sum below zero", below.Close()},
		{"a sum below zero before the next assignment", below.StartAssignment(testAssignment)},
		{"a sum below zero before the next transmission", below.StartTransmission(testTransmission)},
	}
	for _, tt := range tests {
		if tt.err == nil {
			t.Errorf("%s is taken", tt.what)
		}
	}
	must(below.Write(payment(100)))
	must(below.Close())
}

type failingWriter struct{ err error }

func (f failingWriter) Write([]byte) (int, error) { return 0, f.err }

func TestWriterReportsAnErrorOfTheDisk(t *testing.T) {
	full := errors.New("the disk is full")
	w := NewWriter(failingWriter{full})
	must(w.StartTransmission(testTransmission))
	must(w.StartAssignment(testAssignment))
	var err error
	for i := 0; i < 1000 && err == nil; i++ {
		err = w.Write(payment(models.Amount(i)))
	}
	if !errors.Is(err, full) || !errors.Is(w.Close(), full) {
		t.Errorf("writing says %v, closing %v", err, w.Close())
	}
}
