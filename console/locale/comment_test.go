package locale

import (
	"strings"
	"testing"

	"purr/models"
)

func TestN13CommentsOfTheProgramAreInTheReadersWords(t *testing.T) {
	t.Parallel()
	for stored, want := range map[string]string{
		models.AdoptedComment:                               "overtatt fra et annet system",
		"moved to invoice 17":                               "flyttet til faktura 17",
		"repayment 3, file 2":                               "tilbakebetaling 3, fil 2",
		models.CollectionReport{Reference: "K-1"}.Comment(): "inkassobyrået K-1",
		models.CollectionReport{}.Comment():                 "inkassobyrået",
		"ringte og ba om utsettelse":                        "ringte og ba om utsettelse",
		"":                                                  "",
	} {
		if got := strings.TrimSpace(Catalogue()["nb"].Comment(stored)); got != want {
			t.Errorf("%q is %q, want %q", stored, got, want)
		}
	}
}
