package models

import "regexp"

var (
	ibanForm = regexp.MustCompile(`^[A-Z]{2}[0-9]{2}[0-9A-Z]{11,30}$`)
	bicForm  = regexp.MustCompile(`^[A-Z]{4}[A-Z]{2}[0-9A-Z]{2}([0-9A-Z]{3})?$`)
)

// NorwegianIBAN returns the IBAN of a Norwegian bank account of 11 digits, without blanks (ISO 13616). It returns the
// empty text if the account is none.
func NorwegianIBAN(account string) string {
	if !ValidBankAccount(account) {
		return ""
	}
	check := 98 - remainder97(account+"NO00")
	return "NO" + string(rune('0'+check/10)) + string(rune('0'+check%10)) + account
}

// AccountOfIBAN returns the account of a Norwegian IBAN, or the empty text if it is none.
func AccountOfIBAN(iban string) string {
	if len(iban) == 15 && iban == NorwegianIBAN(iban[4:]) {
		return iban[4:]
	}
	return ""
}

// ValidIBAN reports whether s is an IBAN: capital letters and digits without blanks, 15 to 34 of them, with right check
// digits. A Norwegian one must hold a valid account number.
func ValidIBAN(s string) bool {
	if !ibanForm.MatchString(s) || remainder97(s[4:]+s[:4]) != 1 {
		return false
	}
	return s[:2] != "NO" || ValidBankAccount(s[4:])
}

// ValidBIC reports whether s has the form of a BIC: 8 or 11 capital letters and digits, the fifth and sixth a country.
func ValidBIC(s string) bool { return bicForm.MatchString(s) && ValidCountry(s[4:6]) }

// remainder97 returns the remainder by 97 of a number whose digits are the characters of s; a letter stands for two
// digits, A for 10 (ISO 7064).
func remainder97(s string) int {
	n := 0
	for _, r := range s {
		if r >= 'A' {
			n = (n*100 + int(r-'A') + 10) % 97
		} else {
			n = (n*10 + int(r-'0')) % 97
		}
	}
	return n
}
