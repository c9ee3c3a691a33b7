package unmatched

import (
	"context"
	"maps"
	"slices"
	"strconv"
	"strings"

	"purr/models"
	"purr/store"
)

// mostNumbers is how many numbers of a payment's text are looked up.
const mostNumbers = 20

// candidates are the invoices and customers that an unmatched payment may be for.
type candidates struct {
	amount models.Amount // negative for money out
	named  []candidate
	owing  []models.Invoice           // open invoices that owe exactly the amount
	payers []int64                    // customers who have paid from the account before
	open   map[int64][]models.Invoice // open invoices of the payers and of the customers of named invoices, by due date
}

// candidate is an invoice that the payment names, by a KID or a number.
type candidate struct {
	invoice models.Invoice
	hint    models.Hint
	weight  int
}

// findCandidates reads the candidates from the database. Each query uses an index.
func findCandidates(ctx context.Context, v store.View, creditor models.Creditor, u models.UnmatchedPayment) (*candidates, error) {
	c := &candidates{amount: u.Amount, open: map[int64][]models.Invoice{}}
	if err := c.readKIDs(ctx, v, creditor.ID, possibleKIDs(u, creditor.KIDLength)); err != nil {
		return nil, err
	}
	weights := possibleNumbers(u, creditor.KIDLength)
	invoices, err := v.InvoicesByNumber(ctx, creditor.ID, slices.Sorted(maps.Keys(weights)))
	if err != nil {
		return nil, err
	}
	for _, i := range invoices {
		c.named = append(c.named, candidate{i, models.HintNumber, weights[i.Number]})
	}
	payers, err := v.CustomersPayingFrom(ctx, creditor.ID, u.FromAccountNumber, mostAlike+1)
	if err != nil {
		return nil, err
	}
	if len(payers) <= mostAlike {
		c.payers = payers
	}
	if u.Amount < 0 {
		return c, nil // money out pays no invoice
	}
	owing, err := v.InvoicesOwing(ctx, creditor.ID, u.Amount, mostAlike+1)
	if err != nil {
		return nil, err
	}
	if len(owing) <= mostAlike {
		c.owing = owing
	}
	return c, c.readOpen(ctx, v, creditor.ID)
}

// readKIDs reads the invoices that were sent with the KIDs.
func (c *candidates) readKIDs(ctx context.Context, v store.View, creditorID int64, kids map[string]models.Hint) error {
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
	if err != nil {
		return err
	}
	for _, i := range invoices {
		c.named = append(c.named, candidate{i, hints[i.ID], hintWeight[hints[i.ID]]})
	}
	return nil
}

// readOpen reads the open invoices of the payers and of the customers of named invoices.
func (c *candidates) readOpen(ctx context.Context, v store.View, creditorID int64) error {
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
