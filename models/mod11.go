package models

// ValidBankAccount reports whether s is a Norwegian bank account number: 11 digits, the last the
// MOD11 check digit of the first ten (weights 5, 4, 3, 2, 7, 6, 5, 4, 3, 2).
func ValidBankAccount(s string) bool { return validMod11(s, 11) }

// ValidOrganisationNumber reports whether s is a Norwegian organisation number: 9 digits, the last
// the MOD11 check digit of the first eight (weights 3, 2, 7, 6, 5, 4, 3, 2).
func ValidOrganisationNumber(s string) bool { return validMod11(s, 9) }

func validMod11(s string, length int) bool {
	return len(s) == length && digits(s) && CheckDigit11(s[:length-1]) == s[length-1]
}
