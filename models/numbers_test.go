package models_test

import (
	"testing"

	"purr/models"
)

func TestValidBankAccount(t *testing.T) {
	for _, account := range []string{
		"86011117947", "12345678903", "99991042764", "99991111111", "15062995960", "98765432103", "97104133219",
	} {
		if !models.ValidBankAccount(account) {
			t.Errorf("%s is valid", account)
		}
	}
	tests := []struct{ account, why string }{
		{"12345678901", "a wrong check digit"},
		{"99990000005", "another"},
		{"9999100000-", "no digit makes this one valid"},
		{"99991000000", "nor zero"},
		{"1234.56.78903", "points"},
		{"1234567890", "ten digits"},
		{"123456789033", "twelve"},
		{"", "nothing"},
		{"1234567890X", "a letter"},
	}
	for _, tt := range tests {
		if models.ValidBankAccount(tt.account) {
			t.Errorf("%s: %q passes", tt.why, tt.account)
		}
	}
}

func TestValidOrganisationNumber(t *testing.T) {
	for _, number := range []string{"974760673", "923609016", "889640782"} {
		if !models.ValidOrganisationNumber(number) {
			t.Errorf("%s is valid", number)
		}
	}
	for _, number := range []string{"", "974760674", "97476067", "9747606730", "97476067-", "974 760 673", "NO9747606"} {
		if models.ValidOrganisationNumber(number) {
			t.Errorf("%q passes", number)
		}
	}
}
