package models_test

import (
	"math"
	"math/big"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"purr/models"
)

func TestParseAmountD13(t *testing.T) {
	tests := []struct {
		text string
		want models.Amount
		why  string
	}{
		{"1250.00", 1250_00, "two decimals"},
		{"1250", 1250_00, "none"},
		{"1250.5", 1250_50, "one"},
		{"0.05", 5, "øre alone"},
		{"-35.00", -35_00, "a minus"},
		{"-0.35", -35, "a minus before øre alone"},
		{"-0.00", 0, "minus nothing is nothing"},
		{"0000000000000000000000012.30", 12_30, "leading zeros, however many"},
		{"9999999999.99", models.MaxAmount, "the largest amount"},
		{"-9999999999.99", -models.MaxAmount, "the smallest"},
	}
	for _, tt := range tests {
		t.Run(tt.why, func(t *testing.T) {
			if got, err := models.ParseAmount(tt.text); got != tt.want || err != nil {
				t.Errorf("ParseAmount(%q) is %d, %v, want %d øre", tt.text, got, err, tt.want)
			}
		})
	}
}

func TestParseAmountRefusesD13(t *testing.T) {
	tests := []struct{ text, says, why string }{
		{"", "not a decimal number", "nothing"},
		{"-", "not a decimal number", "a minus alone"},
		{".", "not a decimal number", "a point alone"},
		{".50", "not a decimal number", "no digit before the point"},
		{"12.", "not a decimal number", "no digit after the point"},
		{"+12", "not a decimal number", "a plus"},
		{"--12", "not a decimal number", "two minuses"},
		{"12-", "not a decimal number", "a minus at the end"},
		{"1.-5", "not a decimal number", "a minus after the point"},
		{"1.2.3", "not a decimal number", "two points"},
		{"1,50", "not a decimal number", "a comma"},
		{"1 000", "not a decimal number", "a blank between"},
		{" 12", "not a decimal number", "a blank before"},
		{"12\n", "not a decimal number", "a line feed after"},
		{"1e3", "not a decimal number", "an exponent"},
		{"0x10", "not a decimal number", "hexadecimal"},
		{"1_000", "not a decimal number", "an underscore"},
		{"NaN", "not a decimal number", "no number"},
		{"١٢", "not a decimal number", "other scripts' digits"},
		{"12.345", "more than 2 decimals", "a third decimal"},
		{"12.000", "more than 2 decimals", "a third decimal, though zero"},
		{"10000000000.00", "beyond 9999999999.99", "an øre above the largest"},
		{"-10000000000.00", "beyond 9999999999.99", "an øre below the smallest"},
		{"99999999999999999999", "too large", "more than an integer holds"},
	}
	for _, tt := range tests {
		t.Run(tt.why, func(t *testing.T) {
			got, err := models.ParseAmount(tt.text)
			if got != 0 || err == nil || !strings.Contains(err.Error(), tt.says) {
				t.Errorf("ParseAmount(%q) is %d, %v, want %q", tt.text, got, err, tt.says)
			}
		})
	}
}

func TestDecimalsAreWrittenAsTheInterfaceShowsThemD13(t *testing.T) {
	price, err := models.ParsePrice("-2.5")
	if err != nil {
		t.Fatal(err)
	}
	tests := []struct{ got, want, why string }{
		{models.Amount(1250_00).String(), "1250.00", "an amount has two decimals"},
		{models.Amount(-5).String(), "-0.05", "and a zero before them"},
		{models.Amount(math.MinInt64).String(), "-92233720368547758.08", "the last of all amounts too"},
		{price.String(), "-2.50", "a price has at least two"},
		{models.Price(12_3456).String(), "12.3456", "and up to four"},
		{models.Price(12_3400).String(), "12.34", "without zeros at the end"},
		{models.Quantity(2_000).String(), "2", "a number of items has as few as it needs"},
		{models.Quantity(1_500).String(), "1.5", "one"},
		{models.Quantity(-1).String(), "-0.001", "or three"},
		{models.Percent(25_00).String(), "25", "so has a percentage"},
		{models.Percent(12_25).String(), "12.25", "one with two"},
		{models.Percent(math.MinInt64).String(), "-92233720368547758.08", "the last of all percentages"},
	}
	for _, tt := range tests {
		if tt.got != tt.want {
			t.Errorf("%s: got %s, want %s", tt.why, tt.got, tt.want)
		}
	}
}

func TestNumbersOfALineTakeTheirDecimalsAndNoMoreD13(t *testing.T) {
	price := func(s string) (int64, error) { v, err := models.ParsePrice(s); return int64(v), err }
	quantity := func(s string) (int64, error) { v, err := models.ParseQuantity(s); return int64(v), err }
	percent := func(s string) (int64, error) { v, err := models.ParsePercent(s); return int64(v), err }
	tests := []struct {
		parse      func(string) (int64, error)
		text       string
		want       int64
		tooPrecise string
	}{
		{price, "-99.9999", -99_9999, "99.99999"},
		{quantity, "-0.125", -125, "0.1250"},
		{percent, "33.33", 33_33, "33.333"},
	}
	for _, tt := range tests {
		if got, err := tt.parse(tt.text); got != tt.want || err != nil {
			t.Errorf("%q is %d, %v, want %d", tt.text, got, err, tt.want)
		}
		if _, err := tt.parse(tt.tooPrecise); err == nil {
			t.Errorf("%q was taken", tt.tooPrecise)
		}
	}
}

func TestAmountsSurviveText(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		amount := models.Amount(rapid.Int64Range(-int64(models.MaxAmount), int64(models.MaxAmount)).Draw(t, "amount"))
		percent := models.Percent(rapid.Int64Range(-1000_00, 1000_00).Draw(t, "percent"))
		var readAmount models.Amount
		var readPercent models.Percent
		if text, _ := amount.MarshalText(); readAmount.UnmarshalText(text) != nil || readAmount != amount {
			t.Errorf("%d øre is written %s and read as %d", amount, text, readAmount)
		}
		if text, _ := percent.MarshalText(); readPercent.UnmarshalText(text) != nil || readPercent != percent {
			t.Errorf("%d is written %s and read as %d", percent, text, readPercent)
		}
	})
}

// FuzzParseAmount checks that an accepted text gives the number that it shows.
func FuzzParseAmount(f *testing.F) {
	for _, seed := range []string{"1250.00", "-0.35", "00.10", "9999999999.99", "1e3", "-", "1.", "10000000000"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		got, err := models.ParseAmount(text)
		if err != nil {
			return
		}
		want, ok := new(big.Rat).SetString(text)
		if !ok || want.Mul(want, big.NewRat(100, 1)).Cmp(big.NewRat(int64(got), 1)) != 0 {
			t.Errorf("ParseAmount(%q) is %d øre", text, got)
		}
	})
}

func TestMulDivRoundsHalfAwayFromZero(t *testing.T) {
	tests := []struct {
		a        models.Amount
		num, den int64
		want     models.Amount
		why      string
	}{
		{1, 1, 2, 1, "half an øre is one"},
		{-1, 1, 2, -1, "half an øre owed is one owed"},
		{1, 49, 100, 0, "less than half is none"},
		{-1, 49, 100, 0, "on both sides"},
		{3, 1, 2, 2, "one and a half are two"},
		{5, 1, 2, 3, "two and a half are three, not two"},
		{models.MaxAmount, math.MaxInt64, math.MaxInt64, models.MaxAmount, "what overflows on the way is right in the end"},
		{0, 7, 3, 0, "nothing stays nothing"},
	}
	for _, tt := range tests {
		if got := models.MulDiv(tt.a, tt.num, tt.den); got != tt.want {
			t.Errorf("%s: %d × %d ÷ %d is %d, want %d", tt.why, tt.a, tt.num, tt.den, got, tt.want)
		}
	}
}

func TestMulDivIsTheNearestAmount(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a := rapid.Int64Range(-int64(models.MaxAmount), int64(models.MaxAmount)).Draw(t, "a")
		num := rapid.Int64Range(-1_000_000, 1_000_000).Draw(t, "num")
		den := rapid.Int64Range(1, 1_000_000).Draw(t, "den")
		exact := new(big.Rat).SetFrac(new(big.Int).Mul(big.NewInt(a), big.NewInt(num)), big.NewInt(den))
		if got := models.MulDiv(models.Amount(a), num, den); got != halfAway(exact) {
			t.Errorf("%d × %d ÷ %d is %s, was rounded to %d", a, num, den, exact.FloatString(3), got)
		}
	})
}

// halfAway rounds half away from zero: it adds a half away from zero and drops the rest.
func halfAway(r *big.Rat) models.Amount {
	half := big.NewRat(int64(r.Sign()), 2)
	moved := new(big.Rat).Add(r, half)
	return models.Amount(new(big.Int).Quo(moved.Num(), moved.Denom()).Int64())
}
