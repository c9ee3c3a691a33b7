package giro

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// TestLayouts holds every accessor against the positions of the system specification, section 2, as
// 0-based and half-open ranges.
func TestLayouts(t *testing.T) {
	rec := new(record)
	for i := range rec {
		rec[i] = byte(i)
	}
	start, assignment := (*transmissionStart)(rec), (*assignmentStart)(rec)
	first, second, third := (*item1)(rec), (*item2)(rec), (*item3)(rec)
	end88, end89 := (*assignmentEnd)(rec), (*transmissionEnd)(rec)
	tests := []struct {
		name     string
		got      []byte
		from, to byte
	}{
		{"service code", rec.service(), 2, 4},
		{"type of the record's transmission, assignment or transaction", rec.kind(), 4, 6},
		{"record type", rec.recordType(), 6, 8},
		{"tag", rec.tag(), 0, 8},
		{"10 data transmitter", start.sender(), 8, 16},
		{"10 transmission number", start.number(), 16, 23},
		{"10 data recipient", start.recipient(), 23, 31},
		{"10 filler", start.filler(), 31, 80},
		{"20 agreement id", assignment.agreementID(), 8, 17},
		{"20 assignment number", assignment.number(), 17, 24},
		{"20 assignment account", assignment.account(), 24, 35},
		{"20 filler", assignment.filler(), 35, 80},
		{"30 transaction number", first.number(), 8, 15},
		{"30 Nets date", first.netsDate(), 15, 21},
		{"30 centre id", first.centre(), 21, 23},
		{"30 day code", first.dayCode(), 23, 25},
		{"30 partial settlement number", first.partialSettlement(), 25, 26},
		{"30 serial number", first.serial(), 26, 31},
		{"30 lump sum", first.lumpSum(), 15, 31},
		{"30 sign", first.sign(), 31, 32},
		{"30 amount", first.amount(), 32, 49},
		{"30 KID", first.kid(), 49, 74},
		{"30 card issuer", first.cardIssuer(), 74, 76},
		{"30 filler", first.filler(), 76, 80},
		{"31 transaction number", second.number(), 8, 15},
		{"31 form number", second.formNumber(), 15, 25},
		{"31 archive reference", second.archiveReference(), 25, 34},
		{"31 filler in the middle", second.filler1(), 34, 41},
		{"31 bank date", second.bankDate(), 41, 47},
		{"31 debit account", second.debitAccount(), 47, 58},
		{"31 filler", second.filler2(), 58, 80},
		{"32 transaction number", third.number(), 8, 15},
		{"32 free text", third.text(), 15, 55},
		{"32 filler", third.filler(), 55, 80},
		{"88 number of transactions", end88.transactions(), 8, 16},
		{"88 number of records", end88.records(), 16, 24},
		{"88 total amount", end88.amount(), 24, 41},
		{"88 Nets date", end88.created(), 41, 47},
		{"88 earliest Nets date", end88.earliest(), 47, 53},
		{"88 latest Nets date", end88.latest(), 53, 59},
		{"88 filler", end88.filler(), 59, 80},
		{"89 number of transactions", end89.transactions(), 8, 16},
		{"89 number of records", end89.records(), 16, 24},
		{"89 total amount", end89.amount(), 24, 41},
		{"89 Nets date", end89.created(), 41, 47},
		{"89 filler", end89.filler(), 47, 80},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if from, to := tt.got[0], tt.got[len(tt.got)-1]+1; from != tt.from || to != tt.to {
				t.Errorf("it is [%d:%d), want [%d:%d)", from, to, tt.from, tt.to)
			}
		})
	}
}

// TestTheQuickLookIsNeverKinder shows that an amount item that the quick look lets pass has nothing
// that the look at each field complains about.
func TestTheQuickLookIsNeverKinder(t *testing.T) {
	lines := strings.Split(written(payment(12500), payment(700).with(func(p *Payment) { p.Negative, p.DayCode = true, "31" })), "\n")
	rapid.Check(t, func(t *rapid.T) {
		rec := record([]byte(rapid.SampledFrom(lines[2:6]).Draw(t, "item")))
		for range rapid.IntRange(0, 3).Draw(t, "changes") {
			rec[rapid.IntRange(8, 79).Draw(t, "at")] = rapid.OneOf(rapid.SampledFrom([]byte("0123456789-/: ")), rapid.Byte()).Draw(t, "byte")
		}
		r := NewReader(strings.NewReader(""), testToday)
		r.tx.Type = TypeCorporateGiro
		var plain bool
		if string(rec.recordType()) == "30" {
			item := item1(rec)
			plain = item.plain()
			r.checkItem1(&item)
			if plain && int64(item.amountValue()) != number(item.amount()) {
				t.Fatalf("the amount of %q is read as %d", rec, item.amountValue())
			}
		} else {
			item := item2(rec)
			plain = item.plain()
			r.checkItem2(&item)
		}
		if plain && (len(r.faults) > 0 || len(r.summary.Warnings) > 0) {
			t.Fatalf("%q passes, but has %v %v", rec, r.faults, r.summary.Warnings)
		}
	})
}

func TestEightDigits(t *testing.T) {
	for _, tt := range []struct {
		in   string
		want bool
	}{
		{"00000000", true},
		{"12345678", true},
		{"99999999", true},
		{"1234567/", false}, // the byte before 0
		{":2345678", false}, // the byte after 9
		{"1234 678", false},
		{"\xff2345678", false},
		{"\xfa\xff345678", false}, // carries into the next byte
	} {
		if got := eightDigits([]byte(tt.in)); got != tt.want {
			t.Errorf("eightDigits(%q) = %v", tt.in, got)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		field := []byte(rapid.StringMatching(`[0-9]{8}`).Draw(t, "digits"))
		if got := eightDigitNumber(field); got != number(field) {
			t.Fatalf("eightDigitNumber(%q) = %d", field, got)
		}
	})
}

func TestDates(t *testing.T) {
	tests := []struct{ field, want, why string }{
		{"020326", "2026-03-02", "day, month, year"},
		{"010192", "1992-01-01", "the specification's example lies in the past"},
		{"311275", "2075-12-31", "49 years ahead are the future"},
		{"010176", "1976-01-01", "50 years ahead are the past"},
		{"290224", "2024-02-29", "a leap day"},
		{"290200", "2000-02-29", "2000 was a leap year"},
		{"000000", "", "zeros are no date"},
		{"290226", "invalid", "no leap year"},
		{"310426", "invalid", "30 days hath April"},
		{"001226", "invalid", "no day 0"},
		{"010026", "invalid", "no month 0"},
		{"011326", "invalid", "no month 13"},
		{"0a0326", "invalid", "a letter"},
		{"      ", "invalid", "blanks"},
		{"\x00\x00\x00\x00\x00\x00", "invalid", "NULs"},
	}
	for _, tt := range tests {
		f := newDateField(testToday)
		for range 2 { // the second time it may be remembered
			d, ok := f.read([]byte(tt.field))
			got := d.String()
			if !ok {
				got = "invalid"
			}
			if got != tt.want {
				t.Errorf("%q is %q, want %q: %s", tt.field, got, tt.want, tt.why)
			}
		}
	}
}
