package ocr

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"purr/models"
	"purr/store"
)

// mostNumbers is how many numbers of a payment's text are looked up.
const mostNumbers = 20

// Suggest returns what an unmatched payment of the creditor may be meant for, the best first (rule E5).
func Suggest(ctx context.Context, v store.View, c models.Creditor, u models.UnmatchedPayment) ([]Suggestion, error) {
	found, err := findClues(ctx, v, c, u)
	if err != nil {
		return nil, fmt.Errorf("look for what payment %d is meant for: %w", u.ID, err)
	}
	return found.rank(), nil
}

// findClues asks the books what they know about a payment, by index in each query.
func findClues(ctx context.Context, v store.View, c models.Creditor, u models.UnmatchedPayment) (clues, error) {
	found := clues{amount: u.Amount, open: map[int64][]models.Invoice{}}
	if err := found.readKIDs(ctx, v, c.ID, kidsMeant(u, c.KIDLength)); err != nil {
		return found, err
	}
	if err := found.readNumbers(ctx, v, c.ID, numbersMeant(u, c.KIDLength)); err != nil {
		return found, err
	}
	payers, err := v.CustomersPayingFrom(ctx, c.ID, u.FromAccountNumber, mostAlike+1)
	if err != nil {
		return found, err
	}
	found.payers = few(payers)
	if u.Amount < 0 {
		return found, nil // it is no payment of what is owed
	}
	owing, err := v.InvoicesOwing(ctx, c.ID, u.Amount, mostAlike+1)
	if err != nil {
		return found, err
	}
	found.owing = few(owing)
	return found, found.readOpen(ctx, v, c.ID)
}

// few returns what was found, and nothing where it is so much that none stands out.
func few[T any](found []T) []T {
	if len(found) > mostAlike {
		return nil
	}
	return found
}

// readKIDs finds the invoices that were sent with the KIDs.
func (c *clues) readKIDs(ctx context.Context, v store.View, creditorID int64, kids map[string]models.Hint) error {
	if len(kids) == 0 {
		return nil
	}
	references, err := v.ReferencesOf(ctx, creditorID, slices.Sorted(maps.Keys(kids)))
	if err != nil {
		return err
	}
	hints := map[int64]models.Hint{}
	for kid, ref := range references {
		if ref.CreditNoteID == 0 {
			hints[ref.InvoiceID] = kids[kid]
		}
	}
	invoices, err := v.InvoicesByID(ctx, creditorID, slices.Sorted(maps.Keys(hints)))
	for _, i := range invoices {
		weight := weightNearKID
		if hints[i.ID] == models.HintKID {
			weight = weightKID
		}
		c.named = append(c.named, clue{i, hints[i.ID], weight})
	}
	return err
}

// readNumbers finds the invoices with the numbers.
func (c *clues) readNumbers(ctx context.Context, v store.View, creditorID int64, weights map[int64]int) error {
	invoices, err := v.InvoicesByNumber(ctx, creditorID, slices.Sorted(maps.Keys(weights)))
	for _, i := range invoices {
		c.named = append(c.named, clue{i, models.HintNumber, weights[i.Number]})
	}
	return err
}

// readOpen finds what the customers owe who come into question: the payers, and those of what is named.
func (c *clues) readOpen(ctx context.Context, v store.View, creditorID int64) error {
	customers := slices.Clone(c.payers)
	for _, n := range c.named {
		if n.weight > weightDoubtful && !slices.Contains(customers, n.invoice.CustomerID) {
			customers = append(customers, n.invoice.CustomerID)
		}
	}
	for _, customerID := range customers[:min(len(customers), mostAlike)] {
		open, err := v.OpenInvoicesOf(ctx, creditorID, customerID, mostOpen)
		if err != nil {
			return err
		}
		c.open[customerID] = open
	}
	return nil
}

// kidsMeant returns the KIDs that a payment can be meant to have: the one that it has, filled with zeros to the
// agreed length or freed of them, the numbers of that length in its text, and what is one slip from the first.
func kidsMeant(u models.UnmatchedPayment, length int) map[string]models.Hint {
	meant := map[string]models.Hint{}
	for _, kid := range digitRuns(u.Text) {
		if len(kid) >= models.MinKIDLength && len(kid) <= models.MaxKIDLength {
			meant[kid] = models.HintKID
		}
	}
	if strings.Trim(u.KID, "0") == "" {
		return meant
	}
	forms := []string{u.KID}
	switch surplus := len(u.KID) - length; {
	case surplus < 0:
		forms = append(forms, strings.Repeat("0", -surplus)+u.KID)
	case surplus > 0 && strings.Trim(u.KID[:surplus], "0") == "":
		forms = append(forms, u.KID[surplus:])
	}
	for _, kid := range forms {
		meant[kid] = models.HintKID
	}
	for _, kid := range forms {
		addSlips(meant, kid)
	}
	return meant
}

// addSlips adds the KIDs from which a slip of the finger makes the KID: one wrong digit, or two neighbours
// swapped. Only what has a right check character was ever sent (rule D20).
func addSlips(meant map[string]models.Hint, kid string) {
	add := func(changed []byte, hint models.Hint) {
		s := string(changed)
		_, known := meant[s]
		if !known && (models.ValidKID(s, models.Modulus10) || models.ValidKID(s, models.Modulus11)) {
			meant[s] = hint
		}
	}
	for n := range kid {
		for _, digit := range []byte("0123456789-") { // the last check character of MOD11 may be the dash
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

// numbersMeant returns the invoice numbers that a payment can be meant to have, and how much each weighs: those in
// its text, and a KID that is too short for one. A short number, or the year, says little by itself.
func numbersMeant(u models.UnmatchedPayment, length int) map[int64]int {
	weights := map[int64]int{}
	for _, digits := range digitRuns(u.Text) {
		number, err := strconv.ParseInt(digits, 10, 64)
		if err != nil || number == 0 {
			continue
		}
		weights[number] = weightNumber
		if year := number - int64(u.TransactionDate.Year()); number < 1000 || year >= -1 && year <= 1 {
			weights[number] = weightDoubtful
		}
	}
	if number, err := strconv.ParseInt(u.KID, 10, 64); err == nil && number > 0 && len(u.KID) < length {
		weights[number] = weightNumber
	}
	return weights
}

// digitRuns returns the numbers in a text, as they stand there.
func digitRuns(text string) []string {
	runs := strings.FieldsFunc(text, func(r rune) bool { return r < '0' || r > '9' })
	return runs[:min(len(runs), mostNumbers)]
}
