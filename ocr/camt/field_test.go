package camt

import "testing"

func TestAccounts(t *testing.T) {
	for _, tt := range []struct {
		id, account string
		ok          bool
	}{
		{"12345678903", "12345678903", true},
		{"1234.56.78903", "12345678903", true},
		{"1234 56 78903", "12345678903", true},
		{"NO9386011117947", "86011117947", true},
		{"NO7112345678903", "12345678903", true},
		{"no97 9999 1042 764", "99991042764", true},
		{"NO2315062995960", "15062995960", true},
		{"NO2498765432103", "98765432103", true},
		{"NO9297104133219", "97104133219", true},
		{"NO9386011117948", "86011117948", false},
		{"NO0086011117947", "86011117947", false},
		{"12345678901", "12345678901", false},
		{"SE4550000000058398257466", "SE4550000000058398257466", true},
		{"NO12", "NO12", true},
		{"5190-1234", "5190-1234", true},
	} {
		if account, ok := accountOf(tt.id); account != tt.account || ok != tt.ok {
			t.Errorf("%s is %s, %v", tt.id, account, ok)
		}
	}
	for _, account := range []string{"86011117947", "12345678903", "99991042764", "99991111111"} {
		if back, ok := accountOf(IBAN(account)); back != account || !ok {
			t.Errorf("%s is %s, %v", IBAN(account), back, ok)
		}
	}
}

func TestDetect(t *testing.T) {
	for begin, want := range map[string]bool{
		"<?xml version":             true,
		"\n <Document":              true,
		byteOrderMark + "<Document": true,
		inUTF16("<Document"):        true,
		"\xfe\xff\x00<\x00D":        true,
		"NY000010":                  false,
		byteOrderMark + "NY000010":  false,
		inUTF16("NY000010"):         false,
		"":                          false,
	} {
		if Detect([]byte(begin)) != want {
			t.Errorf("%q is XML: %v", begin, !want)
		}
	}
}
