package accounts

import (
	"fmt"

	"purr/models"
)

// words are what a voucher says in a language. Each but the last two has room for the number of the document.
type words struct {
	kinds          map[string]string
	deleted, dated string // has room for the text, and for the entry's own day
}

// languages are the words by the creditor's language.
var languages = map[string]words{
	"nb": {map[string]string{
		"invoiced": "Faktura %d", "credited": "Kreditnota %d", "fee": "Purregebyr, faktura %d", "interest": "Forsinkelsesrente, faktura %d",
		"reversal": "Gebyr eller rente tilbakeført, faktura %d", "paid_bank": "Innbetaling, faktura %d", "paid_by_hand": "Registrert betaling, faktura %d",
		"paid_collector": "Betalt av inkassobyrået, faktura %d", "paid_back": "Tilbakebetaling, dokument %d", "moved": "Motregning, dokument %d", "adopted": "Overtatt, faktura %d",
		"told": "Meldt fra et annet system, faktura %d",
	}, "Slettet: %s", " (dato %s)"},
	"nn": {map[string]string{
		"invoiced": "Faktura %d", "credited": "Kreditnota %d", "fee": "Purregebyr, faktura %d", "interest": "Forseinkingsrente, faktura %d",
		"reversal": "Gebyr eller rente tilbakeført, faktura %d", "paid_bank": "Innbetaling, faktura %d", "paid_by_hand": "Registrert betaling, faktura %d",
		"paid_collector": "Betalt av inkassobyrået, faktura %d", "paid_back": "Tilbakebetaling, dokument %d", "moved": "Motrekning, dokument %d", "adopted": "Overteken, faktura %d",
		"told": "Meldt frå eit anna system, faktura %d",
	}, "Sletta: %s", " (dato %s)"},
	"en": {map[string]string{
		"invoiced": "Invoice %d", "credited": "Credit note %d", "fee": "Reminder fee, invoice %d", "interest": "Interest, invoice %d",
		"reversal": "Fee or interest reversed, invoice %d", "paid_bank": "Payment, invoice %d", "paid_by_hand": "Registered payment, invoice %d",
		"paid_collector": "Paid by the debt collector, invoice %d", "paid_back": "Paid back, document %d", "moved": "Set off, document %d", "adopted": "Taken over, invoice %d",
		"told": "Told by another system, invoice %d",
	}, "Deleted: %s", " (dated %s)"},
}

// wordsOf returns the words of a creditor's language.
func wordsOf(c models.Creditor) words {
	if w, is := languages[c.LanguageOf(models.Customer{})]; is {
		return w
	}
	return languages["nb"]
}

// of returns what a voucher says: what it is, of which document, and the entry's own day where that is not the voucher's.
func (w words) of(v Voucher) string {
	text := fmt.Sprintf(w.kinds[v.Kind], v.Document())
	if v.Entry.DeletionID != 0 {
		text = fmt.Sprintf(w.deleted, text)
	}
	if v.Entry.TransactionDate != v.Date {
		text += fmt.Sprintf(w.dated, v.Entry.TransactionDate)
	}
	return text
}
