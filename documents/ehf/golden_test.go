package ehf

import (
	"bytes"
	"errors"
	"slices"
	"strings"
	"testing"

	"purr/models"
	"purr/test/testkit"
)

// TestH2Golden holds every byte of a document of each kind, and that they are made the same again.
func TestH2Golden(t *testing.T) {
	t.Parallel()
	for name, golden := range map[string]func() ([]byte, error){
		"invoice":     bases["invoice"],
		"credit_note": bases["credit"],
		"reminder":    bases["reminder"],
		"credit_note_part": func() ([]byte, error) { // the rest of a rate may have an øre of VAT more or less than its percent (rule L27)
			in := sampleCreditNote()
			in.Lines = nil
			for _, l := range []models.CreditNoteLine{
				{Position: 1, Text: "Prisavslag", VAT: models.VATHigh, VATPercent: 25_00, Net: 100_02, Gross: 125_02},
				{Position: 2, Text: "Resten av faktura 1001", VAT: models.VATNone, Net: -10_00, Gross: -10_00},
			} {
				in.Lines = append(in.Lines, l.Line())
			}
			in.CreditNote.Partial, in.CreditNote.Net, in.CreditNote.Gross = true, 90_02, 115_02
			return CreditNote(in)
		},
		"not_registered": func() ([]byte, error) {
			r := sampleReminder()
			r.Creditor.VATRegistered, r.Creditor.Name, r.Creditor.BankAccount = false, "Fjord Rør", ""
			r.Lines, r.Notice.Warning, r.Invoice.BankAccount = priced(line("Arbeid", 275_0000, 1000, 0)), false, ""
			r.Invoice.Gross, r.Invoice.Net, r.Invoice.Order = 275_00, 275_00, models.Order{OrderNumber: "PO-1"}
			return Reminder(r)
		},
		"edges": func() ([]byte, error) {
			lines := []models.Line{
				line("Negativ pris, rabatt", -33_3333, 2555, 25_00), line("Negativt antall", 10_0100, -1000, 15_00), line("Rå fisk", 1000_0000, 1500, 11_11),
				line("Unntatt", 55_0000, 1000, 0), line("Fritatt", 20_0000, 3000, 0), line("Alt i rabatt", 999_999_999_0000, 9_999_000, 25_00), line("Øre", 3_00, 1000, 25_00), line("Øre", 3_00, 1000, 25_00),
			}
			lines[0].Discount, lines[5].Discount, lines[4].VATExemption = new(models.Percent(7_25)), new(models.Percent(100_00)), models.VATZero
			return Invoice(sampleInvoice(priced(lines...)))
		},
	} {
		made, err := golden()
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		testkit.Golden(t, "testdata/"+name+".xml", string(made))
		if again, err := golden(); err != nil || !bytes.Equal(made, again) {
			t.Errorf("%s: made again it differs: %v", name, err)
		}
		d, err := Parse(made)
		if err != nil || len(slices.DeleteFunc(d.Check(), func(f Finding) bool { return f.Warning })) > 0 {
			t.Errorf("%s: %v, %v", name, d.Check(), err)
		}
	}
}

// TestH2aNotExpressible asks for documents that would break rules, and gets each rule as a conflict.
func TestH2aNotExpressible(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name   string
		change func(in *InvoiceInput)
		want   string
	}{
		{"the buyer has no organisation number", func(in *InvoiceInput) { in.Invoice.Recipient.OrganisationNumber = "" }, "PEPPOL-EN16931-R010"},
		{"there is no reference", func(in *InvoiceInput) { in.Invoice.Order = models.Order{} }, "PEPPOL-EN16931-R003"},
		{"the creditor has no organisation number", func(in *InvoiceInput) { in.Creditor.OrganisationNumber = "" }, "PEPPOL-EN16931-R020 BR-CO-26"},
		{"VAT of a creditor that is not registered", func(in *InvoiceInput) { *in = notRegistered(*in); in.Lines = in.Lines[:1]; in.Invoice.Gross = 225_00 }, "BR-S-02"},
		{"the same of one that is in no register", func(in *InvoiceInput) {
			*in = notRegistered(*in)
			in.Lines, in.Invoice.Gross, in.Creditor.BusinessRegister = in.Lines[:1], 225_00, new(false)
		}, "BR-S-02"},
		{"the ledger has another sum", func(in *InvoiceInput) { in.Invoice.Gross++ }, "BR-CO-16"},
		{"a rate so low that the official rule takes it for none", func(in *InvoiceInput) {
			in.Lines = priced(line("Avgift", 1000_0000, 1000, 40))
			in.Invoice.Gross = 1004_00
		}, "BR-CO-17"},
	} {
		in := sampleInvoice(sampleLines())
		tt.change(&in)
		made, err := Invoice(in)
		var faults models.Errors
		if made != nil || !errors.As(err, &faults) {
			t.Errorf("%s: %d bytes, %v", tt.name, len(made), err)
			continue
		}
		var rules []string
		for _, f := range faults {
			rule, _, _ := strings.Cut(f.Msg, ": ")
			rules = append(rules, rule)
			if f.Kind != models.KindConflict || f.Code != "not_expressible" {
				t.Errorf("%s: %+v", tt.name, f)
			}
		}
		if got := strings.Join(rules, " "); got != tt.want {
			t.Errorf("%s: it breaks %s, want %s", tt.name, got, tt.want)
		}
	}
}

// TestH2aFeesThatAreNotReversed makes charges of the lines of notices.
func TestH2aFeesThatAreNotReversed(t *testing.T) {
	t.Parallel()
	fee, interest := models.EntryOverdueCharge, models.EntryInterest
	for _, tt := range []struct {
		name     string
		lines    []models.NoticeLine
		fees     []models.Amount
		interest models.Amount
	}{
		{"one fee", []models.NoticeLine{{Type: fee, Gross: 35_00}}, []models.Amount{35_00}, 0},
		{"two fees, the first reversed", []models.NoticeLine{{Type: fee, Gross: 35_00}, {Type: fee, Gross: -35_00}, {Type: fee, Gross: 38_00}}, []models.Amount{38_00}, 0},
		{"two fees, the first reversed later", []models.NoticeLine{{Type: fee, Gross: 35_00}, {Type: fee, Gross: 38_00}, {Type: fee, Gross: -35_00}}, []models.Amount{38_00}, 0},
		{"a fee reversed in part", []models.NoticeLine{{Type: fee, Gross: 35_00}, {Type: fee, Gross: -5_00}}, []models.Amount{30_00}, 0},
		{"more reversed than the last fee", []models.NoticeLine{{Type: fee, Gross: 35_00}, {Type: fee, Gross: 38_00}, {Type: fee, Gross: -40_00}}, []models.Amount{33_00}, 0},
		{"interest twice, part of it reversed", []models.NoticeLine{{Type: interest, Gross: 2_00}, {Type: interest, Gross: -50}, {Type: interest, Gross: 1_00}}, nil, 2_50},
		{"lines of an old release", []models.NoticeLine{{Gross: 1000_00}, {Gross: 35_00}}, []models.Amount{38_00}, 1_00},
	} {
		got := chargesOf(models.Notice{Fee: 38_00, Interest: 1_00}, tt.lines)
		var fees []models.Amount
		for _, f := range got.fees {
			fees = append(fees, f.amount)
		}
		if !slices.Equal(fees, tt.fees) || got.interest.amount != tt.interest {
			t.Errorf("%s: fees %v and interest %s, want %v and %s", tt.name, fees, got.interest.amount, tt.fees, tt.interest)
		}
	}
}

// TestH2Show shows a notice in words.
func TestH2Show(t *testing.T) {
	t.Parallel()
	made, err := bases["reminder"]()
	if err != nil {
		t.Fatal(err)
	}
	d, err := Parse(bytes.Replace(made, []byte("Brygge Drift AS"), []byte("Brygge\u202e\u0085 AS"), 2))
	if err != nil {
		t.Fatal(err)
	}
	s := d.Show()
	if s.Title != "Reminder 1001-2" || !slices.Contains(s.Facts, [2]string{"to", "Brygge AS, 987654325, Bryggen 5, 5004 Bergen, NO"}) {
		t.Errorf("it says %q, %q", s.Title, s.Facts)
	}
	if len(s.Lines) != 3 || s.Lines[0][1] != "Rørleggerarbeid uke 2" || !slices.Contains(s.Totals, [2]string{"to pay", "216.10 NOK"}) || !slices.Contains(s.Totals, [2]string{"Purregebyr", "38.00"}) {
		t.Errorf("it says %q, %q", s.Lines, s.Totals)
	}
}
