package mailer

import (
	"testing"
	"time"

	"purr/models"
)

func TestAmounts(t *testing.T) {
	tests := []struct {
		amount             models.Amount
		norwegian, english string
	}{
		{0, "0,00", "0.00"},
		{5, "0,05", "0.05"},
		{99999, "999,99", "999.99"},
		{125000, "1 250,00", "1,250.00"},
		{-3500, "-35,00", "-35.00"},
		{-12345678, "-123 456,78", "-123,456.78"},
		{models.MaxAmount, "9 999 999 999,99", "9,999,999,999.99"},
	}
	for _, tt := range tests {
		if got := norwegianAmount(tt.amount); got != tt.norwegian {
			t.Errorf("%s kroner is %q in Norwegian, want %q", tt.amount, got, tt.norwegian)
		}
		if got := englishAmount(tt.amount); got != tt.english {
			t.Errorf("%s kroner is %q in English, want %q", tt.amount, got, tt.english)
		}
	}
}

func TestDates(t *testing.T) {
	d := models.NewDate(2026, time.February, 5)
	if got := norwegianDate(d); got != "05.02.2026" {
		t.Errorf("%s is %q in Norwegian", d, got)
	}
	if got := englishDate(d); got != "5 February 2026" {
		t.Errorf("%s is %q in English", d, got)
	}
}

func TestAccount(t *testing.T) {
	for number, want := range map[string]string{"12345678903": "1234 56 78903", "": "", "123": "123"} {
		if got := account(number); got != want {
			t.Errorf("the account %q is written %q, want %q", number, got, want)
		}
	}
}
