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
