package models

import "strings"

// GroupDigits writes a decimal number, such as that of Amount.String, with the given decimal sign and with a mark between
// groups of three digits.
func GroupDigits(number, mark, decimal string) string {
	whole, fraction, point := strings.Cut(number, ".")
	for i := len(whole) - 3; i > 0 && whole[i-1] != '-'; i -= 3 {
		whole = whole[:i] + mark + whole[i:]
	}
	if !point {
		return whole
	}
	return whole + decimal + fraction
}

// GroupAccount writes a bank account number of 11 digits in groups of 4, 2 and 5, and anything else as it is.
func GroupAccount(number, mark string) string {
	if len(number) != 11 {
		return number
	}
	return number[:4] + mark + number[4:6] + mark + number[6:]
}
