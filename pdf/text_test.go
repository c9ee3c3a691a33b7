package pdf

import (
	"reflect"
	"regexp"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"purr/models"
)

func TestFormat(t *testing.T) {
	for _, c := range []struct{ got, want string }{
		{bokmaal.money(125_000), "1 250,00"},
		{bokmaal.money(-35), "-0,35"},
		{bokmaal.money(models.MaxAmount), "9 999 999 999,99"},
		{bokmaal.money(99_999), "999,99"},
		{english.money(-125_000_000), "-1,250,000.00"},
		{bokmaal.number(models.Quantity(1_234_500).String()), "1 234,5"},
		{bokmaal.rate(1225), "12,25 %"},
		{bokmaal.day(models.NewDate(2026, 3, 2)), "02.03.2026"},
		{english.day(models.NewDate(2026, 3, 2)), "2 March 2026"},
		{bokmaal.day(0), ""},
		{account("12345678903"), "1234 56 78903"},
		{account(""), ""},
		{organisation("974760673"), "974 760 673"},
		{country("NO"), ""},
		{country("SE"), "SWEDEN"},
		{country("BV"), "BV"},
	} {
		if got := strings.ReplaceAll(c.got, "\u00A0", " "); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}

func TestEveryLanguageHasEveryText(t *testing.T) {
	verb := regexp.MustCompile(`%(\[\d\])?[a-z]`)
	reference := reflect.ValueOf(bokmaal)
	for _, code := range []string{"nb", "nn", "en"} {
		l := reflect.ValueOf(*languageOf(code))
		for i := range l.NumField() {
			name, text := l.Type().Field(i).Name, l.Field(i).String()
			if text == "" {
				t.Errorf("%s: %s is missing", code, name)
			}
			if got, want := verb.FindAllString(text, -1), verb.FindAllString(reference.Field(i).String(), -1); !reflect.DeepEqual(got, want) {
				t.Errorf("%s: %s has verbs %v, want %v", code, name, got, want)
			}
		}
	}
}

func TestLanguageOfIsBokmaalByDefault(t *testing.T) {
	for code, want := range map[string]string{"": "nb", "nb": "nb", "nn": "nn", "en": "en", "xx": "nb"} {
		if got := languageOf(code).tag; got != want {
			t.Errorf("%q gives %s, want %s", code, got, want)
		}
	}
}

func TestCodePageHoldsTheLettersOfTheCountrysNames(t *testing.T) {
	for language, letters := range map[string]string{
		"Norwegian":     "æøåÆØÅéèêóòôàüä «» – — ’ § ² ½ € …",
		"Northern Sami": "ÁáČčĐđŊŋŠšŦŧŽž",
		"Polish":        "ĄąĆćĘęŁłŃńÓóŚśŹźŻż „”",
		"Lithuanian":    "ĄąČčĘęĖėĮįŠšŲųŪūŽž",
		"German":        "ÄÖÜäöüß",
		"minus":         "\u2212\u00A0",
	} {
		if _, complete := encode(letters); !complete {
			t.Errorf("%s: not all of %q is in the code page", language, letters)
		}
	}
}

// TestEveryCodeIsACharacterOfTheFonts holds that code, character and glyph belong together.
func TestEveryCodeIsACharacterOfTheFonts(t *testing.T) {
	faces, err := fonts()
	if err != nil {
		t.Fatal(err)
	}
	d := newDocument(heading{language: &bokmaal}, faces, false)
	for code := range 0x100 {
		c := codePage[code]
		if code < ' ' || code == 0x7F {
			if c != 0 {
				t.Errorf("code %#x is %q, want none", code, c)
			}
			continue
		}
		if got, complete := encode(string(c)); !complete || got != string([]byte{byte(code)}) {
			t.Errorf("%q encodes to %q, want code %#x", c, got, code)
		}
		if d.width(string(c), bodyStyle) <= 0 || d.width(string(c), boldStyle) <= 0 {
			t.Errorf("code %#x, %q, has no width", code, c)
		}
	}
}

func TestLegible(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"Ola Nordmann", "Ola Nordmann"},
		{"Pa\u030Al A\u030As", "Pål Ås"},
		{"x\u0330y", "xy"},
		{"a\tb\nc\u2009d\u2028e", "a b c d e"},
		{"a\u00A0b", "a\u00A0b"},
		{"soft\u00ADhyphen\u200B\uFEFF\x07", "softhyphen"},
		{"😊", "\uFFFD"},
		{"\xff", "\uFFFD"},
		{"Жуков", "Жуков"},
	} {
		if got := legible(c.in); got != c.want {
			t.Errorf("%q becomes %q, want %q", c.in, got, c.want)
		}
	}
}

// TestWrapKeepsTheTextAndTheWidth wraps any text in any width that a character fits.
func TestWrapKeepsTheTextAndTheWidth(t *testing.T) {
	faces, err := fonts()
	if err != nil {
		t.Fatal(err)
	}
	d := newDocument(heading{language: &bokmaal}, faces, false)
	glue := strings.NewReplacer(" ", "", "\n", "", "\t", "")
	rapid.Check(t, func(t *rapid.T) {
		s := rapid.StringMatching(`([a-zæøåW(]{0,40}[ \n\t]{0,3}){0,20}`).Draw(t, "text")
		width := rapid.Float64Range(5, 170).Draw(t, "width")
		lines := d.wrap(s, width, bodyStyle)
		for i, line := range lines {
			if w := d.width(line, bodyStyle); w > width+1e-9 {
				t.Fatalf("%q is %.2f mm wide, more than %.2f", line, w, width)
			}
			if line == "" && i > 0 && lines[i-1] == "" {
				t.Fatal("two empty lines follow each other")
			}
		}
		if got, want := glue.Replace(strings.Join(lines, "")), glue.Replace(s); got != want {
			t.Fatalf("the lines hold %q, want %q", got, want)
		}
	})
}
