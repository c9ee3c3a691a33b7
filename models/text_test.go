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
	for _, address := range []string{"kari@example.no", "k.n+tag@post.example.co.uk", "O'Hara@example.no", "blåbær@øl.no", "1@2.no", "kari@xn--l-0ga.no"} {
		if !models.ValidEmail(address) {
			t.Errorf("%q is valid", address)
		}
	}
	for _, address := range []string{
		"", "kari", "@example.no", "kari@", "kari@example", "kari@.no", "kari@example.no.", "kari@example..no", "kari@[127.0.0.1]",
		"Kari <kari@example.no>", "<kari@example.no>", " kari@example.no", "kari@example.no ", "kari@example.no\n",
		"kari@example.no\r\nBcc: ola@example.no", "kari@example.no, ola@example.no", "kari ola@example.no", "a@b@example.no", `"a b"@example.no`,
		"kari@exa mple.no", "kari(nordmann)@example.no", "=?utf-8?q?kari?=@exa_mple.no", "kari@-example.no", "kari@example-.no", "kari@exam\u200bple.no",
		"ka\u202eri@example.no", "kari\u2028@example.no", "kari@example.no\u200f", "ka\u00a0ri@example.no", "kari\x00@example.no", "kari@example.no;ola@example.no",
		"kari@" + strings.Repeat("a", 64) + ".no", "kari\xff@example.no", "group: kari@example.no;",
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

func TestCSVCell(t *testing.T) {
	for text, want := range map[string]string{
		"": "", "Kari": "Kari", "-12.50": "-12.50", "12": "12", "=1+1": "'=1+1", "+47 22": "'+47 22", "-1+2": "'-1+2", "@SUM(A1)": "'@SUM(A1)",
		"\tx": "'\tx", "\rx": "'\rx", "a=b": "a=b", "--": "'--", "-": "'-",
	} {
		if got := models.CSVCell(text); got != want {
			t.Errorf("%q becomes %q, want %q", text, got, want)
		}
	}
}

func TestL20OneLine(t *testing.T) {
	for text, want := range map[string]string{
		"  Kari \n": "Kari", "A\u030age": "Åge", "\u00a0Ola": "Ola", "a  b": "a  b", "ＡＳ": "ＡＳ", "\u202e": "\u202e",
	} {
		if got := models.OneLine(text); got != want {
			t.Errorf("%q becomes %q, want %q", text, got, want)
		}
	}
}

func TestD16NamesThatMislead(t *testing.T) {
	for _, name := range []string{"Ola\u202eAS", "a\u2028b", "a\u2029b", "a\u2066b", "a\u200eb", "a\x00b", "a\nb", "a\u0085b"} {
		err := models.ValidateKeyName(name)
		if got := places(t, err); got != "name control_character" {
			t.Errorf("%q: %q", name, got)
		}
	}
	if err := models.ValidateKeyName("Bjørn & Sønn — kasse 1 👍"); err != nil {
		t.Error(err)
	}
}

func TestShorten(t *testing.T) {
	for _, test := range []struct {
		text string
		most int
		want string
	}{{"", 3, ""}, {"abc", 3, "abc"}, {"abcd", 3, "ab…"}, {"æøå", 3, "æøå"}, {"æøåa", 3, "æø…"}, {"ab", 1, "…"}} {
		if got := models.Shorten(test.text, test.most); got != test.want {
			t.Errorf("%q in %d is %q, want %q", test.text, test.most, got, test.want)
		}
	}
}
