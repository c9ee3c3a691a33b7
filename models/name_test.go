package models_test

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"purr/models"
)

func TestN1TwoNamesAreAlike(t *testing.T) {
	t.Parallel()
	long := "Elisabeth Wilhelmine Gyldenstjerneskjold" // the bank has 35 signs for it
	for _, c := range []struct {
		payer, customer string
		alike           bool
	}{
		{"KARI NORDMANN", "Kari Nordmann", true},
		{"NORDMANN KARI", "Kari Nordmann", true},
		{"NORDMANN, KARI", "Kari Nordmann", true},
		{"Kari Anne Nordmann", "Kari Nordmann", true},
		{"KARI NORDMANN", "Kari Anne Nordmann", true},
		{"KARI A NORDMANN", "Kari Anne Nordmann", true},
		{"K. NORDMANN", "Kari Nordmann", true},
		{"OLA NORDMANN", "O. Nordmann", true},
		{"OLA NORDMANN", "Kari Nordmann", false},
		{"O NORDMANN", "Kari Nordmann", false},
		{"NORDMANN", "Kari Nordmann", false},
		{"NORDMANN", "Nordmann", false},
		{"K N", "Kari Nordmann", false},
		{"HAAKON MAGNUS", "Håkon Magnus", true},
		{"HAKON MAGNUS", "Håkon Magnus", true},
		{"JORGEN AERLIG", "Jørgen Ærlig", true},
		{"JOERGEN ÆRLIG", "Jørgen Ærlig", true},
		{"KARI BRAAAAS", "Kari Bråås", true},
		{"KARI BRAAS", "Kari Bråås", true},
		{"KARI BOE", "Kari Bøe", true},
		{"KARI BOEE", "Kari Bøe", true},
		{"ANDRE BJORN", "André Bjørn", true},
		{"ANNE LISE HANSEN", "Anne-Lise Hansen", true},
		{"O'BRIEN SEAN", "Sean OBrien", true},
		{"HANS HANSEN", "Hans Hans Hansen", true},
		{"HANS HANS", "Hans Hansen", false},
		{"SOLHEIM BYGG", "Solheim Bygg AS", true},
		{"SOLHEIM A/S", "Solheim AS", true},
		{"SOLHEIM", "Solheim AS", true},
		{"SOLHEIM AS", "Solheim Bygg AS", true},
		{"SOLHEIM", "Solheim Bygg AS", false},
		{"BYGG AS", "AS", false},
		{"ANDERS BRATEN", "Anders Ås", false},
		{"ANDERS ÅS", "Anders Ås", true},
		{"AAS ANDERS", "Anders Ås", true},
		{"ANDERS AS", "Anders Ås", true},
		{"A\u030as Anders", "Anders Ås", true},
		{"BERIT", "Berit Ås", false},
		{"SOLHEIM/BYGG-AS", "Solheim Bygg A/S", true},
		{"D'AS MARIA", "Maria D’Ås", true},
		{"", "", false},
		{"Betaling for mars fra Kari Nordmann", "Kari Nordmann", true},
		{strings.ToUpper(long[:35]), long, true},
		{strings.ToUpper(long[:34]), long, false},
		{"Ola Nord", "Ola Nordmann", false},
		{"МАРИЯ ИВАНОВА", "Мария Иванова", true},
	} {
		a, b := models.NameOf(c.payer), models.NameOf(c.customer)
		if a.Alike(b) != c.alike || b.Alike(a) != c.alike {
			t.Errorf("%q and %q: alike is %v and %v, want %v", c.payer, c.customer, a.Alike(b), b.Alike(a), c.alike)
		}
	}
}

func TestN1ABusinessIsKnownByItsOrganisationNumberToo(t *testing.T) {
	t.Parallel()
	if payer := models.NameOf("EQUINOR"); !payer.Alike(models.NameOf("Equinor").OfBusiness(true)) {
		t.Error("a business of one word is not found by it")
	}
}

func FuzzNames(f *testing.F) {
	f.Add("KARI NORDMANN", "Kari Å. Nordmann")
	f.Add("a/s aa oe", "ÅØÆ ß")
	f.Fuzz(func(t *testing.T, a, b string) {
		one, other := models.NameOf(a), models.NameOf(b)
		if one.Alike(other) != other.Alike(one) {
			t.Errorf("%q and %q are alike in one direction only", a, b)
		}
		if words := one.Words(); len(words) > 1 && !slices.ContainsFunc(words, func(w string) bool { return len([]rune(w)) == 1 }) && !one.Alike(one) {
			t.Errorf("%q is not like itself", a)
		}
	})
}

// TestN1EverySpellingFoldsAlike writes each æ, ø and å of made-up words in one of its ways.
func TestN1EverySpellingFoldsAlike(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		word := rapid.StringOfN(rapid.RuneFrom([]rune("æøåaeobns")), 1, 12, -1).Draw(t, "word")
		var written strings.Builder
		for _, r := range word {
			ways := map[rune][]string{'æ': {"æ", "ae", "Æ"}, 'ø': {"ø", "oe", "o", "Ø"}, 'å': {"å", "aa", "a", "Å"}}[r]
			if ways == nil {
				ways = []string{string(r)}
			}
			written.WriteString(rapid.SampledFrom(ways).Draw(t, "written"))
		}
		if a, b := models.Fold(word), models.Fold(written.String()); a != b {
			t.Fatalf("%q is %q, and %q is %q", word, a, written.String(), b)
		}
	})
}
