package models_test

import (
	"strings"
	"testing"

	"purr/models"
)

func TestD111WhatIsPrintedOfAText(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ text, printed, left string }{
		{"Blåbær & Sønn AS", "Blåbær & Sønn AS", ""},
		{"Blåbær 😊 AS", "Blåbær AS", "😊"},
		{"😊 Blåbær 👨\u200d👩 日本", "Blåbær", "😊 👨 👩 日 本"},
		{"Nguye\u0302\u0303n, Ắ", "Nguyễn, Ắ", ""},
		{"Ọ̀ṣun Ɛ̃", "Ọ̀ṣun Ɛ̃", ""},
		{"Ἀθῆναι, Їжак, Łódź", "Ἀθῆναι, Їжак, Łódź", ""},
		{"Ⅻ ＡＢ ①", "XII AB 1", ""},
		{"to\nlinjer\tog 😊\nmer", "to\nlinjer\tog \nmer", "😊"},
		{"a\u00A0b\u2009c\u2028d", "a\u00A0b c d", ""},
		{"soft\u00ADhyphen\u200B\uFEFF ♥\uFE0F", "softhyphen ♥", ""},
		{"محمد", "", "م ح د"},
		{"", "", ""},
	} {
		if got := models.Printed(tt.text); got != tt.printed {
			t.Errorf("%q is printed as %q, want %q", tt.text, got, tt.printed)
		}
		if got := strings.Join(models.LeftOut(tt.text, tt.text), " "); got != tt.left {
			t.Errorf("of %q is left out %q, want %q", tt.text, got, tt.left)
		}
	}
}
