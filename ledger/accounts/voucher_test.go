package accounts

import (
	"testing"

	"purr/models"
)

// TestA1aEveryMovementHasItsAccountAndWords: what the ledger moves is a voucher with a text, in each language.
func TestA1aEveryMovementHasItsAccountAndWords(t *testing.T) {
	t.Parallel()
	for _, m := range models.Movements {
		var p posting
		p.entry.Movement = m
		if _, err := (booking{plan: models.DefaultAccountPlan()}).against(p); err != nil {
			t.Error(err)
		}
		for language, words := range languages {
			if words.kinds[string(m)] == "" {
				t.Errorf("%s has no words in %s", m, language)
			}
		}
	}
}

// TestA1bTextsAreCutByCharacters: SAF-T counts characters, and no blank is left where a text ends.
func TestA1bTextsAreCutByCharacters(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		text string
		most int
		want string
	}{
		{"Kåre", 4, "Kåre"},
		{"Kåre", 2, "Kå"},
		{"Kåre Ås", 5, "Kåre"},
		{"  Ås ", 9, "Ås"},
		{"A\xffs", 9, "As"},
		{"", 3, ""},
	} {
		if got := cut(c.text, c.most); got != c.want {
			t.Errorf("%q cut to %d characters is %q, want %q", c.text, c.most, got, c.want)
		}
	}
}
