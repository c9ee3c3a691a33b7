package models

import (
	"fmt"
	"math/big"
	"strconv"
	"strings"
)

// Amount is money as a whole number of øre (rule D13).
type Amount int64

// MaxAmount is the largest amount of a line or a total, 9 999 999 999.99 kroner (rule D13).
const MaxAmount Amount = 999_999_999_999

// String returns kroner with two decimals: "1250.00", "-0.35".
func (a Amount) String() string {
	sign := ""
	u := uint64(a)
	if a < 0 {
		sign, u = "-", -u
	}
	return fmt.Sprintf("%s%d.%02d", sign, u/100, u%100)
}

// MarshalText writes the amount as String does.
func (a Amount) MarshalText() ([]byte, error) { return []byte(a.String()), nil }

// UnmarshalText reads what ParseAmount takes.
func (a *Amount) UnmarshalText(text []byte) error {
	v, err := ParseAmount(string(text))
	if err != nil {
		return err
	}
	*a = v
	return nil
}

// ParseAmount reads kroner with at most two decimals, such as "1250", "1250.5" and "-35.00". It fails beyond MaxAmount,
// on either side of zero.
func ParseAmount(s string) (Amount, error) {
	v, err := parseFixed(s, 2)
	if err != nil {
		return 0, err
	}
	if a := Amount(v); a > MaxAmount || a < -MaxAmount {
		return 0, fmt.Errorf("%q is beyond %s", s, MaxAmount)
	}
	return Amount(v), nil
}

// Price is a unit price in ten-thousandths of a krone (rule D13: up to four decimals).
type Price int64

// ParsePrice reads kroner with at most four decimals.
func ParsePrice(s string) (Price, error) { v, err := parseFixed(s, 4); return Price(v), err }

// String returns kroner with at least two and at most four decimals.
func (p Price) String() string { return formatFixed(int64(p), 4, 2) }

// MarshalText writes the price as String does.
func (p Price) MarshalText() ([]byte, error) { return []byte(p.String()), nil }

// Quantity is a number of items in thousandths (rule D13: up to three decimals).
type Quantity int64

// ParseQuantity reads a number with at most three decimals.
func ParseQuantity(s string) (Quantity, error) { v, err := parseFixed(s, 3); return Quantity(v), err }

// String returns the number without trailing zeros: "2", "1.5".
func (q Quantity) String() string { return formatFixed(int64(q), 3, 0) }

// MarshalText writes the quantity as String does.
func (q Quantity) MarshalText() ([]byte, error) { return []byte(q.String()), nil }

// Percent is a percentage in hundredths of a percent: 1225 is 12.25 %.
type Percent int64

// ParsePercent reads a percentage with at most two decimals.
func ParsePercent(s string) (Percent, error) { v, err := parseFixed(s, 2); return Percent(v), err }

// String returns the percentage without trailing zeros: "25", "12.25".
func (p Percent) String() string { return formatFixed(int64(p), 2, 0) }

// MarshalText writes the percentage as String does.
func (p Percent) MarshalText() ([]byte, error) { return []byte(p.String()), nil }

// UnmarshalText reads what ParsePercent takes.
func (p *Percent) UnmarshalText(text []byte) error {
	v, err := ParsePercent(string(text))
	if err != nil {
		return err
	}
	*p = v
	return nil
}

// Of returns the percentage of an amount, rounded half away from zero to øre.
func (p Percent) Of(a Amount) Amount { return MulDiv(a, int64(p), 100*100) }

// MulDiv returns a × num ÷ den rounded half away from zero to øre. It does not overflow on the way. den must be above
// zero, and the result must fit an Amount.
func MulDiv(a Amount, num, den int64) Amount {
	product := new(big.Int).Mul(big.NewInt(int64(a)), big.NewInt(num))
	return Amount(roundDiv(product, big.NewInt(den)).Int64())
}

// roundDiv returns n ÷ d rounded half away from zero; d is above zero.
func roundDiv(n, d *big.Int) *big.Int {
	twice := new(big.Int).Lsh(new(big.Int).Abs(n), 1)
	q := twice.Add(twice, d).Quo(twice, new(big.Int).Lsh(d, 1))
	if n.Sign() < 0 {
		q.Neg(q)
	}
	return q
}

// parseFixed reads a decimal number with at most the given decimals as an integer scaled by them.
// It takes an optional minus, digits, and a point followed by digits; no plus, no exponent, no
// blanks, and at most 15 digits before the point.
func parseFixed(s string, decimals int) (int64, error) {
	body := strings.TrimPrefix(s, "-")
	whole, frac, point := strings.Cut(body, ".")
	if whole == "" || (point && frac == "") || !digits(whole) || !digits(frac) {
		return 0, fmt.Errorf("%q is not a decimal number", s)
	}
	if len(frac) > decimals {
		return 0, fmt.Errorf("%q has more than %d decimals", s, decimals)
	}
	whole = strings.TrimLeft(whole, "0")
	if len(whole)+decimals > 18 {
		return 0, fmt.Errorf("%q is too large", s)
	}
	v, err := strconv.ParseInt("0"+whole+frac+strings.Repeat("0", decimals-len(frac)), 10, 64)
	if err != nil {
		return 0, fmt.Errorf("%q is not a decimal number", s)
	}
	if strings.HasPrefix(s, "-") {
		v = -v
	}
	return v, nil
}

// formatFixed writes v, which is scaled by the given decimals. It drops trailing zeros, but keeps the least decimals.
func formatFixed(v int64, decimals, least int) string {
	sign := ""
	u := uint64(v)
	if v < 0 {
		sign, u = "-", -u
	}
	s := fmt.Sprintf("%0*d", decimals+1, u)
	whole, frac := s[:len(s)-decimals], s[len(s)-decimals:]
	for len(frac) > least && frac[len(frac)-1] == '0' {
		frac = frac[:len(frac)-1]
	}
	if frac == "" {
		return sign + whole
	}
	return sign + whole + "." + frac
}

func digits(s string) bool {
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return false
		}
	}
	return true
}
