package pdf

import (
	"reflect"
	"regexp"
	"strings"
	"testing"

	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"
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

// TestTheSmallAlphabetsHoldTheLettersOfTheCountrysNames holds that documents with them get small fonts.
func TestTheSmallAlphabetsHoldTheLettersOfTheCountrysNames(t *testing.T) {
	d := ruler(t)
	for letters, alphabet := range map[string]int{
		"æøåÆØÅéèêóòôàüä «» – — ’ § ² ½ €": 0, // Norwegian
		"ÄÖÜäöüß":               0, // German
		"\u2212\u00A0":          0, // minus, and a no-break space
		"ÁáČčĐđŊŋŠšŦŧŽž":        1, // Northern Sami
		"ĄąĆćĘęŁłŃńÓóŚśŹźŻż „”": 1, // Polish
		"ĄąČčĘęĖėĮįŠšŲųŪūŽž":    1, // Lithuanian
		"Жуков Αθήνα":           2,
	} {
		most := 0
		for _, c := range letters {
			g, has := d.fonts.glyphs[c]
			if !has || g.widths[regular] <= 0 || g.widths[bold] <= 0 {
				t.Errorf("the fonts lack %q", c)
			}
			most = max(most, g.alphabet)
		}
		if most != alphabet {
			t.Errorf("%q needs the alphabet %d, want %d", letters, most, alphabet)
		}
	}
}

// TestTheFontsHaveTheGlyphsOfTheirAlphabet reads the fonts back out of a file that holds them.
func TestTheFontsHaveTheGlyphsOfTheirAlphabet(t *testing.T) {
	stream := regexp.MustCompile(`/Filter /FlateDecode(?: /Length1 \d+)? /Length (\d+)>>\nstream\n`)
	f := ruler(t).fonts
	for a, cutTo := range f.cuts {
		cut, err := cutTo()
		if err != nil {
			t.Fatal(err)
		}
		var streams [][]byte // of each weight the font, and the numbers of its glyphs
		for _, m := range stream.FindAllSubmatchIndex(cut.file.content, -1) {
			streams = append(streams, inflate(t, cut.file.content[m[1]:]))
		}
		for w, face := range faces {
			whole, err := sfnt.Parse(face.ttf)
			if err != nil {
				t.Fatal(err)
			}
			font, err := sfnt.Parse(streams[2*w])
			if err != nil {
				t.Fatal(err)
			}
			for _, c := range alphabets()[a] {
				number, err := whole.GlyphIndex(nil, c)
				if err != nil {
					t.Fatal(err)
				}
				if number == 0 {
					continue
				}
				at := sfnt.GlyphIndex(streams[2*w+1][2*c])<<8 | sfnt.GlyphIndex(streams[2*w+1][2*c+1])
				want, err := whole.LoadGlyph(&sfnt.Buffer{}, number, fixed.I(em), nil)
				if err != nil {
					t.Fatal(err)
				}
				got, err := font.LoadGlyph(&sfnt.Buffer{}, at, fixed.I(em), nil)
				if err != nil || !reflect.DeepEqual(got, want) {
					t.Errorf("alphabet %d, %s: %q is drawn otherwise, error %v", a, face.name, c, err)
				}
			}
		}
	}
}

// TestD111EverySignThatIsPrintedHasAGlyph holds the table of signs against the fonts: no box is ever drawn, and no sign is left out
// that a font has.
func TestD111EverySignThatIsPrintedHasAGlyph(t *testing.T) {
	wide, err := wideFonts()
	if err != nil {
		t.Fatal(err)
	}
	for r := ' '; r <= '\uFFFF'; r++ {
		usual, inUsual := ruler(t).fonts.glyphs[r]
		g, inWide := wide.glyphs[r]
		printed := legible(string(r))
		if inUsual && isMark(r) {
			t.Errorf("the usual fonts have the mark %U, and nothing puts it in its place", r)
		}
		for _, p := range printed {
			_, a := ruler(t).fonts.glyphs[p]
			_, b := wide.glyphs[p]
			if !a && !b {
				t.Errorf("%U is printed as %q, which no font has", r, printed)
			}
		}
		if (usual.widths[regular] > 0 || g.widths[regular] > 0) && printed == "" && r != '\u00AD' && r != '\uFFFD' && r != '\uFEFF' {
			t.Errorf("%U is left out (usual %t, wide %t)", r, inUsual, inWide)
		}
	}
}

// TestD111AMarkStandsOnItsLetter: above what is high, below what is low, and on one another.
func TestD111AMarkStandsOnItsLetter(t *testing.T) {
	wide, err := wideFonts()
	if err != nil {
		t.Fatal(err)
	}
	d := &document{fonts: wide, pages: [][]byte{nil}}
	over, under := wide.inks['\u0300'][regular], wide.inks['\u0323'][regular]
	of := func(r rune) stack { return stack{wide.inks[r][regular], wide.glyph(r).widths[regular]} }
	small, tall, deep := of('x'), of('Ɔ'), of('p')
	d.mark('\u0300', &small, bodyStyle)
	d.mark('\u0300', &tall, bodyStyle)
	d.mark('\u0323', &deep, bodyStyle)
	if small.ink.top != over.top || tall.ink.top < small.ink.top+150 || deep.ink.bottom >= under.bottom-150 {
		t.Errorf("the marks reach from %d over x and %d over Ɔ to %d under p", small.ink.top, tall.ink.top, deep.ink.bottom)
	}
	once := tall.ink.top
	d.mark('\u0300', &tall, bodyStyle)
	if tall.ink.top < once+100 {
		t.Errorf("two marks reach %d, one %d", tall.ink.top, once)
	}
	for range 50 {
		d.mark('\u0300', &tall, bodyStyle)
		d.mark('\u0323', &deep, bodyStyle)
	}
	if tall.ink.top > 1500 || deep.ink.bottom < -700 {
		t.Errorf("a heap of marks reaches from %d to %d", deep.ink.bottom, tall.ink.top)
	}
	if got, want := d.width("x\u0300\u0323", bodyStyle), d.width("x", bodyStyle); got != want {
		t.Errorf("a letter with marks is %.2f mm wide, want %.2f", got, want)
	}
}

func TestLegible(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"Ola Nordmann", "Ola Nordmann"},
		{"Pa\u030Al A\u030As", "Pål Ås"},
		{"x\u0330y", "x\u0330y"},
		{"a\tb\nc\u2009d\u2028e", "a b c d e"},
		{"a\u00A0b", "a\u00A0b"},
		{"soft\u00ADhyphen\u200B\uFEFF\x07", "softhyphen"},
		{"Blåbær 😊 AS", "Blåbær AS"},
		{"\xff", ""},
		{"Жуков", "Жуков"},
	} {
		if got := legible(c.in); got != c.want {
			t.Errorf("%q becomes %q, want %q", c.in, got, c.want)
		}
	}
}

// TestWrapKeepsTheTextAndTheWidth wraps any text in any width that a character fits.
func TestWrapKeepsTheTextAndTheWidth(t *testing.T) {
	d := ruler(t)
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
