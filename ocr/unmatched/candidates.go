package unmatched

import (
	"cmp"
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
	amount  models.Amount // negative for money out
	denied  []int64       // customers of whom a person said that the payment is not theirs (rule N6)
	named   []candidate
	owing   []models.Invoice           // open invoices that owe exactly the amount, with or without a repayment
	payers  []int64                    // customers who have paid from the account before
	alike   []int64                    // customers whose name is like the payer's, or like one in the text (rule N1)
	open    map[int64][]models.Invoice // open invoices of all these customers, by due date
	notices map[int64][]models.Notice  // of the open invoices, by invoice
}

// candidate is an invoice that the payment names, by a KID or a number.
type candidate struct {
	invoice models.Invoice
	hint    models.Hint
	weight  int
}

// findCandidates reads the candidates for each of the payments from the database. However many payments there are, it
// asks a fixed number of questions. Each uses an index.
func findCandidates(ctx context.Context, v store.View, creditor models.Creditor, payments []models.UnmatchedPayment) ([]*candidates, error) {
	all := make([]*candidates, len(payments))
	for n, u := range payments {
		all[n] = &candidates{amount: u.Amount, open: map[int64][]models.Invoice{}}
	}
	for _, read := range []func(context.Context, store.View, models.Creditor, []models.UnmatchedPayment, []*candidates) error{
		readDenied, readKIDs, readNumbers, readPayers, readAlike, readOwing, readOpen, readNotices,
	} {
		if err := read(ctx, v, creditor, payments, all); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// readDenied reads whose the payments are not.
func readDenied(ctx context.Context, v store.View, creditor models.Creditor, payments []models.UnmatchedPayment, all []*candidates) error {
	ids := make([]int64, len(payments))
	for n, u := range payments {
		ids[n] = u.ID
	}
	denied, err := v.DeniedPayers(ctx, creditor.ID, ids)
	if err != nil {
		return err
	}
	for n, u := range payments {
		all[n].denied = denied[u.ID]
	}
	return nil
}

// deny takes the customers out of whom a person said that the payment is not theirs.
func (c *candidates) deny() {
	not := func(customer int64) bool { return slices.Contains(c.denied, customer) }
	c.named = slices.DeleteFunc(c.named, func(n candidate) bool { return not(n.invoice.CustomerID) })
	c.owing = slices.DeleteFunc(c.owing, func(i models.Invoice) bool { return not(i.CustomerID) })
	c.payers = slices.DeleteFunc(slices.Clone(c.payers), not)
	c.alike = slices.DeleteFunc(c.alike, not)
}

// readKIDs reads the invoices that were sent with KIDs that the payers may have meant.
func readKIDs(ctx context.Context, v store.View, creditor models.Creditor, payments []models.UnmatchedPayment, all []*candidates) error {
	possible := make([]map[string]models.Hint, len(payments))
	kids := map[string]bool{}
	for n, u := range payments {
		possible[n] = possibleKIDs(u, creditor.KIDLength)
		for kid := range possible[n] {
			kids[kid] = true
		}
	}
	invoices, err := v.InvoicesByKID(ctx, creditor.ID, slices.Sorted(maps.Keys(kids)))
	if err != nil {
		return err
	}
	for n, c := range all {
		c.nameByKID(possible[n], invoices)
	}
	return nil
}

// nameByKID adds the invoices that were sent with one of the KIDs, each once and by its best hint.
func (c *candidates) nameByKID(possible map[string]models.Hint, invoices map[string]models.Invoice) {
	hints := map[int64]models.Hint{}
	for kid, hint := range possible {
		if i, sent := invoices[kid]; sent && hintWeight[hint] > hintWeight[hints[i.ID]] {
			hints[i.ID] = hint
		}
	}
	for kid := range possible {
		i, sent := invoices[kid]
		if hint, meant := hints[i.ID]; sent && meant {
			c.named = append(c.named, candidate{i, hint, hintWeight[hint]})
			delete(hints, i.ID)
		}
	}
	slices.SortFunc(c.named, func(a, b candidate) int { return cmp.Compare(a.invoice.ID, b.invoice.ID) })
}

// readNumbers reads the invoices whose numbers the payers may have meant.
func readNumbers(ctx context.Context, v store.View, creditor models.Creditor, payments []models.UnmatchedPayment, all []*candidates) error {
	possible := make([]map[int64]int, len(payments))
	numbers := map[int64]bool{}
	for n, u := range payments {
		possible[n] = possibleNumbers(u, creditor.KIDLength)
		for number := range possible[n] {
			numbers[number] = true
		}
	}
	invoices, err := v.InvoicesByNumber(ctx, creditor.ID, slices.Sorted(maps.Keys(numbers)))
	if err != nil {
		return err
	}
	for n, c := range all {
		for _, i := range invoices {
			if weight, meant := possible[n][i.Number]; meant {
				c.named = append(c.named, candidate{i, models.HintNumber, weight})
			}
		}
	}
	return nil
}

// readPayers reads the customers who have paid from the payments' accounts before.
func readPayers(ctx context.Context, v store.View, creditor models.Creditor, payments []models.UnmatchedPayment, all []*candidates) error {
	accounts := map[string]bool{}
	for _, u := range payments {
		if u.FromAccountNumber != "" {
			accounts[u.FromAccountNumber] = true
		}
	}
	payers, err := v.CustomersPayingFrom(ctx, creditor.ID, slices.Sorted(maps.Keys(accounts)), mostAlike+1)
	if err != nil {
		return err
	}
	for n, u := range payments {
		if of := payers[u.FromAccountNumber]; len(of) <= mostAlike {
			all[n].payers = of
		}
	}
	return nil
}

// readAlike reads the customers whose names are like the payers' (rule N1).
func readAlike(ctx context.Context, v store.View, creditor models.Creditor, payments []models.UnmatchedPayment, all []*candidates) error {
	alike, err := v.CustomersAlike(ctx, creditor.ID, payments)
	if err != nil {
		return err
	}
	for n := range alike {
		all[n].alike = alike[n]
	}
	return nil
}

// readOwing reads the open invoices that owe exactly what was paid. Money out pays no invoice.
func readOwing(ctx context.Context, v store.View, creditor models.Creditor, _ []models.UnmatchedPayment, all []*candidates) error {
	amounts := map[models.Amount]bool{} //nolint:exhaustive // an amount is no enumeration
	for _, c := range all {
		if c.amount > 0 {
			amounts[c.amount] = true
		}
	}
	owing, err := v.InvoicesOwing(ctx, creditor.ID, slices.Sorted(maps.Keys(amounts)), mostAlike+1)
	if err != nil {
		return err
	}
	for _, c := range all {
		if of := owing[c.amount]; len(of) <= mostAlike {
			c.owing = slices.Clone(of) // two payments may have the same amount
		}
	}
	return nil
}

// readOpen reads the open invoices of the customers that a payment may be of. Money out pays no invoice.
func readOpen(ctx context.Context, v store.View, creditor models.Creditor, _ []models.UnmatchedPayment, all []*candidates) error {
	customers := make([][]int64, len(all))
	wanted := map[int64]bool{}
	for n, c := range all {
		if c.deny(); c.amount >= 0 {
			customers[n] = c.customers()
		}
		for _, id := range customers[n] {
			wanted[id] = true
		}
	}
	open, err := v.OpenInvoicesOf(ctx, creditor.ID, slices.Sorted(maps.Keys(wanted)), mostOpen)
	if err != nil {
		return err
	}
	for n, c := range all {
		for _, id := range customers[n] {
			c.open[id] = open[id]
		}
	}
	return nil
}

// readNotices reads the notices of the open invoices that the payments may be for.
func readNotices(ctx context.Context, v store.View, _ models.Creditor, _ []models.UnmatchedPayment, all []*candidates) error {
	noticed := map[int64]bool{}
	for _, c := range all {
		for _, open := range c.open {
			for _, i := range open {
				if i.Notices > 0 {
					noticed[i.ID] = true
				}
			}
		}
	}
	if len(noticed) == 0 {
		return nil
	}
	notices, err := v.NoticesOfInvoices(ctx, slices.Sorted(maps.Keys(noticed)))
	if err != nil {
		return err
	}
	for _, c := range all {
		c.notices = notices
	}
	return nil
}

// customers returns the customers of whom the payment may be: those whose name is alike, and of the payers, the customers of
// invoices that the payment names without doubt, and those who owe its amount, up to mostAlike of each.
func (c *candidates) customers() []int64 {
	ids := slices.Clone(c.alike)
	add := func(some ...int64) {
		n := 0
		for _, id := range some {
			if n < mostAlike && !slices.Contains(ids, id) {
				ids, n = append(ids, id), n+1
			}
		}
	}
	add(c.payers...)
	var named, owing []int64
	for _, n := range c.named {
		if n.weight > weightDoubtful {
			named = append(named, n.invoice.CustomerID)
		}
	}
	for _, i := range c.owing {
		owing = append(owing, i.CustomerID)
	}
	add(named...)
	add(owing...)
	return ids
}

// owedBefore reports whether the amount was owed on an open invoice before (rule N1): its gross, or what its last notice asked for,
// with what the notice charged or without it.
func (c *candidates) owedBefore(i models.Invoice) bool {
	if c.amount == i.Gross {
		return true
	}
	notices := c.notices[i.ID]
	if len(notices) == 0 {
		return false
	}
	last := notices[len(notices)-1]
	return c.amount == last.Gross || c.amount == last.Gross-last.Fee-last.Interest
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
