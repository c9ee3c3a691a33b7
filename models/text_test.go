package models_test

import (
	"strings"
	"testing"

	"purr/models"
)

func TestProseD16(t *testing.T) {
	tests := []struct{ text, want, why string }{
		{"", "", "nothing"},
		{strings.Repeat("ø", 10), "", "as many characters as there may be, not bytes"},
		{strings.Repeat("ø", 11), "note too_long", "one more"},
		{"a\tb\nc", "", "tab and line feed"},
		{"a\r\nb", "note control_character", "a carriage return"},
		{"a\x00b", "note control_character", "a null character"},
		{"a\x7fb", "note control_character", "a delete"},
		{"a\u0085b", "note control_character", "a control character beyond ASCII"},
		{strings.Repeat("\x00", 11), "note too_long; note control_character", "all that is wrong"},
	}
	for _, tt := range tests {
		t.Run(tt.why, func(t *testing.T) {
			var faults models.Errors
			faults.Prose("note", tt.text, 10)
			if got := places(t, faults.ErrorOrNil()); got != tt.want {
				t.Errorf("found %q, want %q", got, tt.want)
			}
		})
	}
}

func TestValidEmailD16(t *testing.T) {
	for _, address := range []string{"kari@example.no", "k.n+tag@post.example.co.uk", "O'Hara@example.no", "blåbær@øl.no", "1@2.no"} {
		if !models.ValidEmail(address) {
			t.Errorf("%q is valid", address)
		}
	}
	for _, address := range []string{
		"", "kari", "@example.no", "kari@", "kari@example", "kari@.no", "kari@example.no.", "kari@example..no", "kari@[127.0.0.1]",
		"Kari <kari@example.no>", "<kari@example.no>", " kari@example.no", "kari@example.no ", "kari@example.no\n",
		"kari@example.no\r\nBcc: ola@example.no", "kari@example.no, ola@example.no", "kari ola@example.no", "a@b@example.no", `"a b"@example.no`,
		"kari@exa mple.no", "kari(nordmann)@example.no",
	} {
		if models.ValidEmail(address) {
			t.Errorf("%q passes", address)
		}
	}
}

func TestValidCountryD16(t *testing.T) {
	for _, code := range []string{"NO", "AD", "ZW", "SJ", "GB"} {
		if !models.ValidCountry(code) {
			t.Errorf("%s is valid", code)
		}
	}
	for _, code := range []string{"", "no", "N", "NOR", "XX", "UK", "EU", " N", "N ", "  ", "O A"} {
		if models.ValidCountry(code) {
			t.Errorf("%q passes", code)
		}
	}
}
