package models_test

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"purr/models"
)

// The vectors are those of the OCR giro system specification, section 5, and others that were worked out manually.

func TestKIDByModulus10(t *testing.T) {
	tests := []struct{ base, kid, why string }{
		{"123", "1230", "a check digit that is zero"},
		{"1234567", "12345674", "the same digit as by modulus 11"},
		{"12345678", "123456782", "the specification's example"},
		{"000100", "0001008", "zeros before a number"},
		{"0000000001", "00000000018", "the first number"},
		{"000042100317", "0000421003179", "a customer and an invoice"},
		{"9999999999", "99999999990", "nines, whose digits are added"},
		{"3300008367204", "33000083672049", "one out of a bank's file"},
		{strings.Repeat("9", 24), strings.Repeat("9", 24) + "4", "the longest"},
		{"1090", "10900", "nine and zero swapped …"},
		{"1900", "19000", "… have the same digit: a known weakness"},
	}
	for _, tt := range tests {
		if got := models.NewKID(tt.base, models.Modulus10); got != tt.kid {
			t.Errorf("%s: %s becomes %s, want %s", tt.why, tt.base, got, tt.kid)
		}
		if !models.ValidKID(tt.kid, models.Modulus10) {
			t.Errorf("%s: %s is not valid", tt.why, tt.kid)
		}
	}
}

func TestKIDByModulus11(t *testing.T) {
	tests := []struct{ base, kid, why string }{
		{"123", "1236", "the shortest"},
		{"1234", "12343", "five characters"},
		{"12345678", "123456785", "the specification's example"},
		{"1000005", "1000005-", "a check character that is no digit"},
		{"10003", "10003-", "another"},
		{"100008", "100008-", "and another"},
		{"000053", "0000531", "the specification's file"},
		{"12345678901234", "123456789012340", "a remainder of zero"},
		{"000042100317", "0000421003173", "a customer and an invoice"},
		{"1234567", "12345674", "the same digit as by modulus 10"},
	}
	for _, tt := range tests {
		if got := models.NewKID(tt.base, models.Modulus11); got != tt.kid {
			t.Errorf("%s: %s becomes %s, want %s", tt.why, tt.base, got, tt.kid)
		}
		if !models.ValidKID(tt.kid, models.Modulus11) {
			t.Errorf("%s: %s is not valid", tt.why, tt.kid)
		}
	}
}

func TestValidKIDD20(t *testing.T) {
	tests := []struct {
		kid          string
		mod10, mod11 bool
		why          string
	}{
		{"2345676", true, true, "one that fits both"},
		{"12345678903", true, true, "another"},
		{"1000005-", false, true, "a minus is modulus 11's alone"},
		{"01290865", true, false, "one of modulus 10 alone"},
		{"2345674", false, false, "one that fits neither"},
		{"100031", false, false, "a digit where modulus 11 asks for a minus"},
		{"0000", false, false, "all zeros fit both sums and are refused"},
		{strings.Repeat("0", 25), false, false, "however many"},
		{"", false, false, "nothing"},
		{"-", false, false, "a minus alone"},
		{"125", false, false, "three characters are too few"},
		{strings.Repeat("9", 25) + "9", false, false, "26 are too many"},
		{"12 30", false, false, "a blank within"},
		{"1-236", false, false, "a minus within"},
		{"12A0", false, false, "a letter"},
		{"١٢٣٠", false, false, "other scripts' digits"},
	}
	for _, tt := range tests {
		if got := models.ValidKID(tt.kid, models.Modulus10); got != tt.mod10 {
			t.Errorf("%s: %q by modulus 10 is valid: %t", tt.why, tt.kid, got)
		}
		if got := models.ValidKID(tt.kid, models.Modulus11); got != tt.mod11 {
			t.Errorf("%s: %q by modulus 11 is valid: %t", tt.why, tt.kid, got)
		}
	}
}

// TestKIDShowsAWrongDigit checks that no single wrong digit passes. By modulus 11 no two swapped neighbours pass
// either.
func TestKIDShowsAWrongDigit(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		base := rapid.StringMatching(`[0-9]{3,24}`).Filter(func(s string) bool { return strings.Trim(s, "0") != "" }).Draw(t, "base")
		modulus := rapid.SampledFrom([]int{models.Modulus10, models.Modulus11}).Draw(t, "modulus")
		kid := models.NewKID(base, modulus)
		if !models.ValidKID(kid, modulus) {
			t.Fatalf("%s is not valid", kid)
		}
		wrong := []byte(kid)
		at := rapid.IntRange(0, len(base)-1).Draw(t, "at")
		wrong[at] = '0' + (wrong[at]-'0'+byte(rapid.IntRange(1, 9).Draw(t, "by")))%10
		if models.ValidKID(string(wrong), modulus) {
			t.Errorf("%s passes for %s", wrong, kid)
		}
		swapped := []byte(kid)
		if at > 0 && modulus == models.Modulus11 && swapped[at] != swapped[at-1] {
			swapped[at], swapped[at-1] = swapped[at-1], swapped[at]
			if models.ValidKID(string(swapped), modulus) {
				t.Errorf("%s passes for %s", swapped, kid)
			}
		}
	})
}
