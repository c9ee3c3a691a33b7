package models_test

import (
	"errors"
	"math/big"
	"testing"

	"pgregory.net/rapid"

	"purr/models"
)

func TestLinePriceD13(t *testing.T) {
	tests := []struct {
		price, items, discount string
		vat                    string
		net, gross             string
		why                    string
	}{
		{"100", "1", "", "25", "100.00", "125.00", "a price and its VAT"},
		{"100", "2.5", "10", "25", "225.00", "281.25", "items and a discount"},
		{"19.99", "3", "33.33", "15", "39.98", "45.98", "each rounded to øre, the VAT of the rounded net"},
		{"0.0049", "1", "", "25", "0.00", "0.00", "less than half an øre is nothing"},
		{"0.005", "1", "", "0", "0.01", "0.01", "half an øre is one"},
		{"-0.005", "1", "", "0", "-0.01", "-0.01", "half an øre less is one less"},
		{"0.02", "1", "", "25", "0.02", "0.03", "half an øre of VAT is one"},
		{"-0.02", "1", "", "25", "-0.02", "-0.03", "half an øre less of VAT is one less"},
		{"100", "-1", "", "25", "-100.00", "-125.00", "a deduction by a negative number of items"},
		{"-100", "-1", "", "25", "100.00", "125.00", "two minuses are a plus"},
		{"1234.5678", "0.001", "", "25", "1.23", "1.54", "as small as items go"},
		{"100", "1", "100", "25", "0.00", "0.00", "all of it taken off"},
		{"100", "1", "0.01", "25", "99.99", "124.99", "the least discount"},
		{"100", "0", "", "25", "0.00", "0.00", "no item"},
		{"7999999999.992", "1", "", "25", "7999999999.99", "9999999999.99", "the largest gross"},
		{"9999999999.99", "1", "", "0", "9999999999.99", "9999999999.99", "the largest net"},
	}
	for _, tt := range tests {
		t.Run(tt.why, func(t *testing.T) {
			l := line(t, tt.price, tt.items, tt.discount, tt.vat)
			if err := l.Price(); err != nil || l.Net.String() != tt.net || l.Gross.String() != tt.gross {
				t.Errorf("net %s, gross %s, %v, want %s and %s", l.Net, l.Gross, err, tt.net, tt.gross)
			}
		})
	}
}

func TestLinePriceRefusesWhatIsTooLargeD13(t *testing.T) {
	tests := []struct{ price, items, vat, why string }{
		{"9999999999.995", "1", "0", "an øre too much by rounding"},
		{"-9999999999.995", "1", "0", "an øre too little by rounding"},
		{"8000000000", "1", "25", "the gross alone is too large"},
		{"99999999999999.9999", "999999999999999.999", "0", "more than an integer holds"},
	}
	for _, tt := range tests {
		t.Run(tt.why, func(t *testing.T) {
			l := line(t, tt.price, tt.items, "", tt.vat)
			var fault *models.Error
			if err := l.Price(); !errors.As(err, &fault) || fault.Kind != models.KindInvalid || fault.Code != "amount_too_large" {
				t.Errorf("net %s, gross %s, %v", l.Net, l.Gross, err)
			}
		})
	}
}

func line(t *testing.T, price, items, discount, vat string) models.Line {
	t.Helper()
	var l models.Line
	var errs [4]error
	l.UnitPrice, errs[0] = models.ParsePrice(price)
	l.NumItems, errs[1] = models.ParseQuantity(items)
	l.VATPercent, errs[2] = models.ParsePercent(vat)
	if discount != "" {
		l.Discount = new(models.Percent)
		*l.Discount, errs[3] = models.ParsePercent(discount)
	}
	if err := errors.Join(errs[:]...); err != nil {
		t.Fatal(err)
	}
	return l
}

// TestLinePriceAgreesWithFractions compares the integers of Price with exact fractions.
func TestLinePriceAgreesWithFractions(t *testing.T) {
	const most = 1e15
	rapid.Check(t, func(t *rapid.T) {
		l := models.Line{
			UnitPrice:  models.Price(rapid.Int64Range(-most, most).Draw(t, "price")),
			NumItems:   models.Quantity(rapid.OneOf(rapid.Int64Range(-5_000, 5_000), rapid.Int64Range(-most, most)).Draw(t, "items")),
			VATPercent: models.Percent(rapid.Int64Range(0, 30_00).Draw(t, "vat")),
		}
		discounted := big.NewRat(1, 1)
		if rapid.Bool().Draw(t, "discounted") {
			d := models.Percent(rapid.Int64Range(0, 100_00).Draw(t, "discount"))
			l.Discount, discounted = &d, big.NewRat(100_00-int64(d), 100_00)
		}
		øre := new(big.Rat).Mul(big.NewRat(int64(l.UnitPrice), 10_000), big.NewRat(int64(l.NumItems), 1_000))
		øre.Mul(øre, discounted).Mul(øre, big.NewRat(100, 1))
		tooLarge := func(r *big.Rat) bool {
			return new(big.Rat).Abs(r).Cmp(new(big.Rat).SetInt64(int64(models.MaxAmount)+1)) >= 0
		}
		var net, gross models.Amount
		refuse := tooLarge(øre)
		if !refuse {
			net = halfAway(øre)
			gross = net + halfAway(new(big.Rat).Mul(big.NewRat(int64(net), 1), big.NewRat(int64(l.VATPercent), 100_00)))
			refuse = max(net, -net, gross, -gross) > models.MaxAmount
		}
		err := l.Price()
		switch {
		case refuse != (err != nil):
			t.Errorf("%s × %s is %s øre: %v", l.UnitPrice, l.NumItems, øre.FloatString(4), err)
		case !refuse && (l.Net != net || l.Gross != gross):
			t.Errorf("%s × %s less %v is %s and %s, want %s and %s", l.UnitPrice, l.NumItems, l.Discount, l.Net, l.Gross, net, gross)
		}
	})
}

func TestTotalsD13(t *testing.T) {
	priced := func(net, gross models.Amount) models.Line { return models.Line{Net: net, Gross: gross} }
	tests := []struct {
		lines      []models.Line
		net, gross models.Amount
		code       string
		why        string
	}{
		{[]models.Line{priced(100_00, 125_00), priced(-20_00, -25_00)}, 80_00, 100_00, "", "sums of lines, deductions among them"},
		{[]models.Line{priced(0, 1)}, 0, 1, "", "an øre is above zero"},
		{[]models.Line{priced(10, 10), priced(-10, -10)}, 0, 0, "amount_not_positive", "nothing is not"},
		{[]models.Line{priced(-10, -10)}, 0, 0, "amount_not_positive", "less than nothing is not"},
		{[]models.Line{priced(models.MaxAmount, models.MaxAmount)}, models.MaxAmount, models.MaxAmount, "", "as much as there may be"},
		{[]models.Line{priced(models.MaxAmount, models.MaxAmount), priced(0, 1)}, 0, 0, "amount_too_large", "an øre more"},
	}
	for _, tt := range tests {
		t.Run(tt.why, func(t *testing.T) {
			net, gross, err := models.Totals(tt.lines)
			var fault *models.Error
			if errors.As(err, &fault); net != tt.net || gross != tt.gross || (fault == nil) != (tt.code == "") {
				t.Fatalf("net %s, gross %s, %v", net, gross, err)
			}
			if fault != nil && (fault.Code != tt.code || fault.Place.String() != "lines") {
				t.Errorf("%s at %q, want %s at lines", fault.Code, fault.Place, tt.code)
			}
		})
	}
}
