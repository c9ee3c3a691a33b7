package foreign

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"

	"purr/audit/reckoning"
	"purr/models"
)

// maxText is how many characters a number or a name may have.
const maxText = 100

// parseDate reads a day: 2026-11-29, 20261129, 29.11.2026, and the first two with a time behind them, which is left out. Forms whose month cannot be told
// from the day, and years of two digits, are refused.
func parseDate(s string) (models.Date, error) {
	day, _, _ := strings.Cut(s, "T")
	day, _, _ = strings.Cut(day, " ")
	for _, layout := range []string{time.DateOnly, "2.1.2006", "20060102"} {
		t, err := time.Parse(layout, day)
		if err == nil && t.Year() >= 1900 && t.Year() <= 2999 {
			return models.DateOf(t), nil
		}
	}
	return 0, fmt.Errorf("%.60q is no date: write 2026-11-29 or 29.11.2026", s)
}

// parseAmount reads kroner with at most two decimals behind a point or a comma. Thousands may be set apart by blanks, or by the other sign. A sum
// such as 1.234 is refused, since it may be a thousand or one.
func parseAmount(s string) (models.Amount, error) {
	if amount, err := models.ParseAmount(s); err == nil {
		return amount, nil // as most are
	}
	bad := fmt.Errorf("%.60q is no sum: write 1234.50 or 1234,50", s)
	body := strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) {
			return ' ' // the blanks that do not break lines too
		}
		return r
	}, s)
	body, negative := strings.CutPrefix(strings.Replace(body, "−", "-", 1), "-")
	whole, decimals := body, ""
	if at := strings.LastIndexAny(body, ".,"); at >= 0 {
		whole, decimals = body[:at], body[at+1:]
		if len(decimals) == 3 && !strings.ContainsAny(whole, ".,") {
			return 0, fmt.Errorf("%.60q may be thousands or decimals: write 1234.50 or 1234,50", s)
		}
		if decimals == "" || len(decimals) > 2 || strings.Contains(whole, body[at:at+1]) {
			return 0, bad
		}
	}
	groups := strings.FieldsFunc(whole, func(r rune) bool { return r == ' ' || r == '.' || r == ',' })
	separators := strings.Map(func(r rune) rune {
		if r == ' ' || r == '.' || r == ',' {
			return r
		}
		return -1
	}, whole)
	for i, group := range groups {
		if i > 0 && len(group) != 3 || i == 0 && len(groups) > 1 && len(group) > 3 {
			return 0, bad
		}
	}
	if len(separators) != max(0, len(groups)-1) || strings.Trim(separators, " ") != "" && strings.Contains(separators, " ") {
		return 0, bad
	}
	text := strings.Join(groups, "")
	if decimals != "" {
		text += "." + decimals
	}
	amount, err := models.ParseAmount(text)
	if err != nil || strings.HasPrefix(text, "-") {
		return 0, bad
	}
	if negative {
		amount = -amount
	}
	return amount, nil
}

// parsePercent reads a percentage with at most two decimals behind a point or a comma.
func parsePercent(s string) (models.Percent, error) {
	text := strings.TrimSpace(strings.TrimSuffix(s, "%"))
	p, err := models.ParsePercent(strings.Replace(text, ",", ".", 1))
	if err != nil || p < 0 || p > 100_00 {
		return 0, fmt.Errorf("%.60q is no percentage: write 12.25", s)
	}
	return p, nil
}

// word is what a word stands for, in English and Norwegian.
type word[T any] struct {
	value T
	names []string
}

var debtors = []word[bool]{ // whether it is a trader
	{false, []string{"private", "consumer", "person", "privat", "forbruker"}},
	{true, []string{"trader", "business", "company", "næring", "naering", "næringsdrivende", "bedrift"}},
}

var kinds = []word[reckoning.LetterKind]{
	{reckoning.Reminder, []string{"reminder", "purring", "betalingspåminnelse"}},
	{reckoning.Warning, []string{"warning", "inkassovarsel"}},
	{reckoning.Demand, []string{"demand", "betalingsoppfordring", "betalingsoppmoding"}},
}

var moneyKinds = []word[bool]{ // whether it is a credit note
	{false, []string{"payment", "betaling", "innbetaling"}},
	{true, []string{"credit", "credit_note", "kreditnota"}},
}

func parseKind(s string) (reckoning.LetterKind, error) { return parseWord(s, kinds) }

// parseWord reads one of a column's words.
func parseWord[T any](s string, words []word[T]) (T, error) {
	given := strings.ToLower(s)
	var known []string
	for _, w := range words {
		if slices.Contains(w.names, given) {
			return w.value, nil
		}
		known = append(known, w.names[0])
	}
	var none T
	return none, fmt.Errorf("%.60q is none of %s", s, strings.Join(known, ", "))
}

// parseText reads a number or a name.
func parseText(s string) (string, error) {
	if utf8.RuneCountInString(s) > maxText {
		return "", fmt.Errorf("it has more than %d characters", maxText)
	}
	if strings.ContainsFunc(s, unicode.IsControl) {
		return "", errors.New("it has control characters")
	}
	return strings.Clone(s), nil
}

// decoded returns a field as text: UTF-8, or else Windows-1252, as programs of old write it.
func decoded(field string) string {
	if utf8.ValidString(field) {
		return strings.TrimSpace(field)
	}
	text, err := charmap.Windows1252.NewDecoder().String(field)
	if err != nil {
		text = strings.ToValidUTF8(field, "?")
	}
	return strings.TrimSpace(text)
}
