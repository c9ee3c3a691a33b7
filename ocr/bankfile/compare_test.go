package bankfile

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"purr/models"
	"purr/ocr/giro"
	"purr/test/testkit"
)

func compare(t testing.TB, a, b []byte) *Comparison {
	t.Helper()
	c, err := Compare(bytes.NewReader(a), bytes.NewReader(b), testToday, true)
	if err != nil {
		t.Fatal(err)
	}
	if c.InBoth != len(c.Both) {
		t.Errorf("in both are %d, of which %d are shown", c.InBoth, len(c.Both))
	}
	return c
}

// found says how many lines there are of each kind, and which fields differ.
func found(c *Comparison) string {
	text := fmt.Sprintf("only A %d of %s, only B %d of %s, both %d", len(c.OnlyA), Sum(c.OnlyA), len(c.OnlyB), Sum(c.OnlyB), len(c.Both))
	for _, d := range c.Differences {
		text += fmt.Sprintf("; %s %s and %s", d.Field, d.A, d.B)
	}
	return text
}

// giroOf writes payments as OCR giro, as transmission 1.
func giroOf(t testing.TB, lines ...string) []byte { return listed(t, giro.Format, 1, lines...) }

func listed(t testing.TB, format string, number int, lines ...string) []byte {
	t.Helper()
	recipe := usualRecipe(format)
	recipe.Number = number
	var out bytes.Buffer
	usual := Payment{Account: "12345678903", Date: recipe.Date, FromAccount: "98765432103"}
	list := "kid,amount,from_account,text\n" + strings.Join(lines, "\n")
	if err := Generate(&out, recipe, ReadPayments(strings.NewReader(list), usual)); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// TestCompareFilesOfOneFormat pairs lines by all that the bank says (E4): the archive reference, the lump sum.
func TestCompareFilesOfOneFormat(t *testing.T) {
	const one, two = "0000421003179,1250.00", "0000431003185,499.50"
	for _, tt := range []struct {
		why  string
		a, b []byte
		want string
	}{
		{"the same file", giroOf(t, one, two), giroOf(t, one, two), "only A 0 of 0.00, only B 0 of 0.00, both 2"},
		{"another order", giroOf(t, one, two), giroOf(t, two, one), "only A 0 of 0.00, only B 0 of 0.00, both 2"},
		{"a line more", giroOf(t, one), giroOf(t, one, two), "only A 0 of 0.00, only B 1 of 499.50, both 1"},
		{"another amount", giroOf(t, one, two), giroOf(t, one, "0000431003185,499.51"), "only A 1 of 499.50, only B 1 of 499.51, both 1"},
		{"two equal payments stay two", giroOf(t, one, one), giroOf(t, one), "only A 1 of 1250.00, only B 0 of 0.00, both 1"},
		{"money out", giroOf(t, one, "0000451003206,-250.00"), giroOf(t, one), "only A 1 of -250.00, only B 0 of 0.00, both 1"},
		{"a new number", giroOf(t, one), listed(t, giro.Format, 2, one), "only A 0 of 0.00, only B 0 of 0.00, both 1; transmission_number 0000001 and 0000002"},
		{"CR LF", giroOf(t, one), bytes.ReplaceAll(giroOf(t, one), []byte("\n"), []byte("\r\n")), "only A 0 of 0.00, only B 0 of 0.00, both 1"},
	} {
		c := compare(t, tt.a, tt.b)
		if got := found(c); got != tt.want {
			t.Errorf("%s: %s, want %s", tt.why, got, tt.want)
		}
		if c.Equal() != !strings.ContainsAny(strings.NewReplacer("0 of 0.00", "", "both 1", "", "both 2", "").Replace(tt.want), "123456789") {
			t.Errorf("%s: equal is %t", tt.why, c.Equal())
		}
	}
}

// TestCompareAcrossFormats pairs OCR giro with camt.054 by the rule of twins (E4).
func TestCompareAcrossFormats(t *testing.T) {
	const camt02 = "camt.054.001.02"
	for _, tt := range []struct{ why, a, b, want string }{
		{"the same payment", "0000421003179,1250.00", "0000421003179,1250.00", "only A 0 of 0.00, only B 0 of 0.00, both 1"},
		{"a KID filled with zeros", "0000000000000000421003179,1250.00", "0000421003179,1250.00", "only A 0 of 0.00, only B 0 of 0.00, both 1"},
		{"money out", "1000005-,1.00\n0000421003179,-0.50", "1000005-,1.00\n0000421003179,-0.50", "only A 0 of 0.00, only B 0 of 0.00, both 2"},
		{"another KID", "0000421003179,1250.00", "0000431003185,1250.00", "only A 1 of 1250.00, only B 1 of 1250.00, both 0"},
		{"another payer", "0000421003179,1250.00", "0000421003179,1250.00,86011117947", "only A 1 of 1250.00, only B 1 of 1250.00, both 0"},
		{"no KID", ",1250.00,,faktura", ",1250.00,,faktura", "only A 1 of 1250.00, only B 1 of 1250.00, both 0"},
		{"one for one", "0000421003179,1.00\n0000421003179,1.00", "0000421003179,1.00", "only A 1 of 1.00, only B 0 of 0.00, both 1"},
	} {
		if got := found(compare(t, giroOf(t, tt.a), listed(t, camt02, 1, tt.b))); got != tt.want {
			t.Errorf("%s: %s, want %s", tt.why, got, tt.want)
		}
	}
	// An entry that does not add up has no twin: the importer leaves its payments to a person.
	doubtful := bytes.Replace(listed(t, camt02, 1, "0000421003179,1250.00"), []byte("1250.00"), []byte("1251.00"), 1)
	if got, want := found(compare(t, giroOf(t, "0000421003179,1250.00"), doubtful)), "only A 1 of 1250.00, only B 2 of 1251.00, both 0"; got != want {
		t.Errorf("doubtful: %s, want %s", got, want)
	}
}

// TestCompareOfMadeUpFiles holds the formats of the same payments, and what is made over, against each other.
func TestCompareOfMadeUpFiles(t *testing.T) {
	testkit.Share(t)
	rapid.Check(t, func(rt *rapid.T) {
		random := usualRandom()
		random.Transactions = rapid.IntRange(2, 60).Draw(rt, "transactions")
		seed := rapid.Uint64().Draw(rt, "seed")
		a := generated(t, usualRecipe(rapid.SampledFrom(Formats()).Draw(rt, "format")), random, seed)
		b := generated(t, usualRecipe(rapid.SampledFrom(Formats()).Draw(rt, "other format")), random, seed)
		if c := compare(t, a, b); !c.Equal() || len(c.Both) != random.Transactions {
			rt.Fatal(found(c))
		}
		if c := compare(t, a, anonymised(t, b, KeyOf(seed))); len(c.Both) > 0 {
			rt.Fatal("made over:", found(c))
		}
		if c := compare(t, anonymised(t, a, KeyOf(seed)), anonymised(t, b, KeyOf(seed))); !c.Equal() {
			rt.Fatal("made over in the same way:", found(c))
		}
	})
}

func TestCompareOfAWrongFile(t *testing.T) {
	right, err := os.ReadFile(sampleFiles[0])
	if err != nil {
		t.Fatal(err)
	}
	for _, second := range []bool{false, true} {
		a, b := []byte("nonsense"), right
		if second {
			a, b = b, a
		}
		_, err := Compare(bytes.NewReader(a), bytes.NewReader(b), testToday, false)
		var wrong *WrongFile
		var faults models.FileFaults
		if !errors.As(err, &wrong) || wrong.Second != second || !errors.As(err, &faults) || !slices.ContainsFunc(faults, func(n models.FileFinding) bool { return n.Line == 1 }) {
			t.Errorf("the error is %v", err)
		}
	}
}
