package unmatched

import (
	"strconv"
	"strings"

	"purr/models"
)

// mostNumbers is how many numbers of a payment's text are looked up.
const mostNumbers = 20

// possibleKIDs returns the KIDs that the payer may have meant. They are the payment's own KID, with zeros added up to
// the agreed length or removed down to it; numbers in the text that have a KID's length; and KIDs that differ from its
// own by one slip.
func possibleKIDs(u models.UnmatchedPayment, length int) map[string]models.Hint {
	possible := map[string]models.Hint{}
	for _, kid := range digitRuns(u.Text) {
		if len(kid) >= models.MinKIDLength && len(kid) <= models.MaxKIDLength {
			possible[kid] = models.HintKID
		}
	}
	if strings.Trim(u.KID, "0") == "" {
		return possible
	}
	forms := []string{u.KID}
	switch surplus := len(u.KID) - length; {
	case surplus < 0:
		forms = append(forms, strings.Repeat("0", -surplus)+u.KID)
	case surplus > 0 && strings.Trim(u.KID[:surplus], "0") == "":
		forms = append(forms, u.KID[surplus:])
	}
	for _, kid := range forms {
		possible[kid] = models.HintKID
		addSlips(possible, kid)
	}
	return possible
}

// addSlips adds the KIDs that become the given one by one wrong digit, or by swapping two neighbours. It skips KIDs with
// a wrong check character, because no document was sent with one (rule D20).
func addSlips(possible map[string]models.Hint, kid string) {
	add := func(changed []byte, hint models.Hint) {
		s := string(changed)
		_, known := possible[s]
		if !known && (models.ValidKID(s, models.Modulus10) || models.ValidKID(s, models.Modulus11)) {
			possible[s] = hint
		}
	}
	for n := range kid {
		for _, digit := range []byte("0123456789-") { // the last check character of MOD11 may be a dash
			changed := []byte(kid)
			changed[n] = digit
			add(changed, models.HintKIDDigit)
		}
	}
	for n := range len(kid) - 1 {
		changed := []byte(kid)
		changed[n], changed[n+1] = changed[n+1], changed[n]
		add(changed, models.HintKIDSwapped)
	}
}

// possibleNumbers returns the invoice numbers that the payer may have meant, with their weights. They are the numbers
// in the payment's text, and its KID if that is too short for a KID. A short number, or the year, is doubtful.
func possibleNumbers(u models.UnmatchedPayment, length int) map[int64]int {
	weights := map[int64]int{}
	for _, digits := range digitRuns(u.Text) {
		number, err := strconv.ParseInt(digits, 10, 64)
		if err != nil || number == 0 {
			continue
		}
		weights[number] = hintWeight[models.HintNumber]
		if year := number - int64(u.TransactionDate.Year()); number < 1000 || year >= -1 && year <= 1 {
			weights[number] = weightDoubtful
		}
	}
	if number, err := strconv.ParseInt(u.KID, 10, 64); err == nil && number > 0 && len(u.KID) < length {
		weights[number] = hintWeight[models.HintNumber]
	}
	return weights
}

// digitRuns returns the first numbers in a text, leading zeros included.
func digitRuns(text string) []string {
	runs := strings.FieldsFunc(text, func(r rune) bool { return r < '0' || r > '9' })
	return runs[:min(len(runs), mostNumbers)]
}
