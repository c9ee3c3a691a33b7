package models

import "strings"

// The two check digit algorithms of a KID (rule D20, OCR giro system specification, section 5).
const (
	Modulus10 = 10 // Luhn
	Modulus11 = 11 // weights 2 to 7; the check character may be "-"
)

// The length of a KID, check character included (rule D20).
const (
	MinKIDLength = 4
	MaxKIDLength = 25
)

// CheckDigit10 returns the MOD10 (Luhn) check digit of a base of digits: from the right the weights
// 2, 1, 2, 1, …, the digits of each product added (OCR giro system specification, section 5).
func CheckDigit10(base string) byte {
	sum, weight := 0, 2
	for i := len(base) - 1; i >= 0; i-- {
		p := int(base[i]-'0') * weight
		sum += p/10 + p%10
		weight = 3 - weight
	}
	return byte('0' + (10-sum%10)%10)
}

// CheckDigit11 returns the MOD11 check character of a base of digits: from the right the weights 2 to 7 repeating.
// The character is "-" if the check value is 10 (OCR giro system specification, section 5).
func CheckDigit11(base string) byte {
	switch r := weightedSum(base) % 11; r {
	case 0:
		return '0'
	case 1:
		return '-'
	default:
		return byte('0' + 11 - r)
	}
}

// weightedSum adds the digits times 2, 3, 4, 5, 6, 7, 2, … from the right.
func weightedSum(base string) int {
	sum, weight := 0, 2
	for i := len(base) - 1; i >= 0; i-- {
		sum += int(base[i]-'0') * weight
		if weight++; weight > 7 {
			weight = 2
		}
	}
	return sum
}

// NewKID returns a base of digits with its check character appended.
func NewKID(base string, modulus int) string {
	if modulus == Modulus11 {
		return base + string(CheckDigit11(base))
	}
	return base + string(CheckDigit10(base))
}

// ValidKID reports whether the KID has 4 to 25 characters, is not all zeros, and ends in the check
// character of the modulus.
func ValidKID(kid string, modulus int) bool {
	if len(kid) < MinKIDLength || len(kid) > MaxKIDLength || strings.Trim(kid, "0") == "" {
		return false
	}
	base := kid[:len(kid)-1]
	return digits(base) && NewKID(base, modulus) == kid
}
