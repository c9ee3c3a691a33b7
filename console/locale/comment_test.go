package locale_test

import (
	"testing"

	"purr/console/locale"
	"purr/ledger"
	"purr/models"
)

// TestN13CommentsOfTheProgramAreInTheReadersWords takes the comments from those who write them.
func TestN13CommentsOfTheProgramAreInTheReadersWords(t *testing.T) {
	t.Parallel()
	move := func(from ledger.Credit) (away, here string) {
		to := ledger.Move{From: from}
		to.To.Number = 17
		a, h := to.Entries(0)
		return a.Comment, h.Comment
	}
	away, ofInvoice := move(ledger.Credit{InvoiceID: 1, Number: 4})
	_, ofNote := move(ledger.Credit{InvoiceID: 1, CreditNoteID: 2, Number: 5})
	for stored, want := range map[string]string{
		models.AdoptedComment:         "overtatt fra et annet system",
		away:                          "flyttet til faktura 17",
		ofInvoice:                     "flyttet fra faktura 4",
		ofNote:                        "flyttet fra kreditnota 5",
		ledger.RepaymentComment(3, 2): "tilbakebetaling 3, fil 2",
		models.CollectionReport{Reference: "K-1"}.Comment(): "inkassobyrået K-1",
		models.CollectionReport{}.Comment():                 "inkassobyrået",
		"debt collectors are mentioned":                     "debt collectors are mentioned",
		"ringte og ba om utsettelse":                        "ringte og ba om utsettelse",
		"":                                                  "",
	} {
		if got := locale.Catalogue()["nb"].Comment(stored); got != want {
			t.Errorf("%q is %q, want %q", stored, got, want)
		}
	}
}
