package report

import (
	"cmp"
	"slices"
	"strings"

	"purr/models"
)

// Event is something that happened on an invoice.
type Event struct {
	Day  models.Date
	What string // a word of happened
	Name string // of the letter or the entry; may be empty
	Sums []Sum
	Till models.Date // a letter's last day to pay; may be zero
}

// Sum is an amount with what it is: a word of happened, or empty.
type Sum struct {
	What   string
	Amount models.Amount
}

// happened are the words of events by language.
var happened = map[string]map[string]string{
	"nb": {
		"invoice": "faktura", "due": "forfall", "payment": "betaling", "credit": "kreditert", "taken_back": "betaling tilbakeført", "paid_out": "utbetalt", "reminder": "purring", "warning": "inkassovarsel",
		"demand": "betalingsoppfordring", "sent": "sendt", "fee": "gebyr", "compensation": "kompensasjon", "interest": "rente", "hand_over": "til inkasso", "withdrawn": "trukket tilbake", "until": "frist",
	},
	"nn": {
		"invoice": "faktura", "due": "forfall", "payment": "betaling", "credit": "kreditert", "taken_back": "betaling tilbakeført", "paid_out": "utbetalt", "reminder": "purring", "warning": "inkassovarsel",
		"demand": "betalingsoppmoding", "sent": "sendt", "fee": "gebyr", "compensation": "kompensasjon", "interest": "rente", "hand_over": "til inkasso", "withdrawn": "trekt tilbake", "until": "frist",
	},
	"en": {
		"invoice": "invoice", "due": "due", "payment": "payment", "credit": "credited", "taken_back": "payment taken back", "paid_out": "paid out", "reminder": "reminder", "warning": "debt-collection warning",
		"demand": "demand for payment", "sent": "sent", "fee": "fee", "compensation": "compensation", "interest": "interest", "hand_over": "handed over", "withdrawn": "withdrawn", "until": "deadline",
	},
}

// Timeline tells events in a language, the oldest first: a line each.
func Timeline(language string, events []Event) []string {
	words := happened[language]
	slices.SortStableFunc(events, func(a, b Event) int { return cmp.Compare(a.Day, b.Day) })
	lines := make([]string, len(events))
	for i, e := range events {
		parts := []string{Written(e.Day.String(), language), words[e.What]}
		if e.Name != "" {
			parts = append(parts, e.Name)
		}
		var sums []string
		for _, s := range e.Sums {
			if s.Amount != 0 {
				sums = append(sums, strings.TrimSpace(words[s.What]+" "+Written(s.Amount.String(), language)))
			}
		}
		if e.Till != 0 {
			sums = append(sums, words["until"]+" "+Written(e.Till.String(), language))
		}
		lines[i] = strings.Join(parts, " ")
		if len(sums) > 0 {
			lines[i] += ": " + strings.Join(sums, ", ")
		}
	}
	return lines
}
