package unmatched

import (
	"fmt"
	"strings"
	"testing"

	"purr/ledger"
	"purr/models"
	"purr/store"
	"purr/test/testkit/rows"
)

// The accounts from which the customers of the tests have paid.
const (
	livsAccount    = "98765432103"
	karisAccount   = "86011117947" // which turned out not to be hers
	councilAccount = "12345678903" // that pays for many
)

// ledgerOf issues the invoices of the table of suggestions, and returns them by number:
//
//	2026 of 1234 kroner to Liv, who has paid it; 2027 of 2500 to Per, closed; 2028 and 2029 of 1000 and 450 to
//	Kari; 2030, 2031 and 2032 of 799, 300 and 200 to Ola; 2033 and 2034 of 600 and 150 to Liv; 2035 to 2040 of
//	499 each to six others, for whom the council has paid a krone.
func ledgerOf(t *testing.T, b *books, c models.Creditor) map[int64]models.Invoice {
	t.Helper()
	invoices := map[int64]models.Invoice{}
	issue := func(customer models.Customer, amounts ...models.Amount) {
		for _, amount := range amounts {
			i := rows.Invoice(t, b.DB, c, rows.To(customer), rows.Of(amount))
			invoices[i.Number] = i
		}
	}
	liv, ola, kari := rows.Customer(t, b.DB, c), rows.Customer(t, b.DB, c), rows.Customer(t, b.DB, c)
	issue(liv, 1234_00)
	issue(rows.Customer(t, b.DB, c), 2500_00)
	issue(kari, 1000_00, 450_00)
	issue(ola, 799_00, 300_00, 200_00)
	issue(liv, 600_00, 150_00)
	for range 6 {
		issue(rows.Customer(t, b.DB, c), 500_00)
	}
	b.came(t, invoices[2026], livsAccount, 1234_00)
	b.came(t, invoices[2028], karisAccount, 5_00)
	b.came(t, invoices[2028], karisAccount, -5_00)
	for number := range int64(6) {
		b.came(t, invoices[2035+number], councilAccount, 1_00)
	}
	closed := invoices[2027]
	closed.Closed = models.ClosedLost
	rows.Write(t, b.DB, func(tx *store.Tx) error { return tx.UpdateInvoice(t.Context(), closed) })
	return invoices
}

// came posts a payment that came from an account, or went back to it.
func (b *books) came(t *testing.T, i models.Invoice, account string, amount models.Amount) {
	t.Helper()
	rows.Write(t, b.DB, func(tx *store.Tx) error {
		return ledger.Post(t.Context(), tx, []models.Entry{{
			CreditorID: i.CreditorID, CustomerID: i.CustomerID, InvoiceID: i.ID, Type: models.EntryOCR, Amount: -amount,
			TransactionDate: today, FromAccountNumber: account,
		}}, "")
	})
}

func TestE5Suggestions(t *testing.T) {
	kid := func(number int) string { return models.NewKID(fmt.Sprintf("%09d", number), models.Modulus10) }
	changed := func(kid string, at int, digit byte) string { return kid[:at] + string(digit) + kid[at+1:] }
	swapped := func(kid string, at int) string { return kid[:at] + string(kid[at+1]) + string(kid[at]) + kid[at+2:] }
	tests := []struct {
		why     string
		payment models.UnmatchedPayment
		want    string // numbers and hints, the best suggestion first
	}{
		{"a payment that says nothing is for nobody", models.UnmatchedPayment{Amount: 1_00}, ""},
		{"one digit of the KID is wrong", models.UnmatchedPayment{Amount: 5_00, KID: changed(kid(2028), 0, '7')}, "2028 kid_digit_off"},
		{"a wrong check digit, which another invoice's wrong digit explains too", models.UnmatchedPayment{Amount: 5_00, KID: changed(kid(2028), 9, kid(2028)[9]^1)}, "2028 kid_digit_off, 2038 kid_digit_off"},
		{
			"a slip that two invoices explain: the amount tells which",
			models.UnmatchedPayment{Amount: 450_00, KID: changed(kid(2029), 8, '1')},
			"2029 kid_digit_off open_amount, 2027 kid_digits_swapped",
		},
		{"two digits of the KID are swapped", models.UnmatchedPayment{Amount: 5_00, KID: swapped(kid(2030), 5)}, "2030 kid_digits_swapped"},
		{"a wrong digit in a KID without its zeros", models.UnmatchedPayment{Amount: 5_00, KID: changed(kid(2030)[5:], 1, '7')}, "2030 kid_digit_off"},
		{"a wrong digit in a KID with zeros before it", models.UnmatchedPayment{Amount: 5_00, KID: "00" + changed(kid(2030), 7, '7')}, "2030 kid_digit_off"},
		{"two wrong digits are another number", models.UnmatchedPayment{Amount: 5_00, KID: changed(changed(kid(2030), 0, '7'), 1, '7')}, ""},
		{"the KID stands in the text", models.UnmatchedPayment{Amount: 5_00, Text: "KID: " + kid(2031) + " (Ola)"}, "2031 kid"},

		{"an invoice number in the text", models.UnmatchedPayment{Amount: 5_00, Text: "Faktura nr.2030, takk"}, "2030 invoice_number"},
		{"an invoice number where the KID belongs", models.UnmatchedPayment{Amount: 5_00, KID: "2030"}, "2030 invoice_number"},
		{"the year says little", models.UnmatchedPayment{Amount: 5_00, Text: "Leie 2026"}, ""},
		{"but something where it fits the payer", models.UnmatchedPayment{Amount: 5_00, Text: "Leie 2026", FromAccountNumber: livsAccount}, "2026 payer_account invoice_number"},
		{"a number that no invoice has", models.UnmatchedPayment{Amount: 5_00, Text: "Ordre 99999999999999999999 og 4711"}, ""},

		{"just what one invoice owes", models.UnmatchedPayment{Amount: 799_00}, "2030 open_amount"},
		{"what six invoices owe tells nothing", models.UnmatchedPayment{Amount: 499_00}, ""},
		{"but something where the text names one", models.UnmatchedPayment{Amount: 499_00, Text: "2037"}, "2037 invoice_number open_amount"},
		{"what a closed invoice owes", models.UnmatchedPayment{Amount: 2500_00}, ""},
		{"what was owed and is paid", models.UnmatchedPayment{Amount: 1234_00}, ""},

		{"a payer who is known owes just that", models.UnmatchedPayment{Amount: 150_00, FromAccountNumber: livsAccount}, "2034 open_amount payer_account"},
		{"a payer who is known owes something else", models.UnmatchedPayment{Amount: 5_00, FromAccountNumber: livsAccount}, "2033 payer_account"},
		{
			"a payer's open invoices add up",
			models.UnmatchedPayment{Amount: 750_00, FromAccountNumber: livsAccount},
			"2033+2034 invoices_add_up payer_account, 2033 payer_account",
		},
		{"an account that pays for six tells nothing", models.UnmatchedPayment{Amount: 5_00, FromAccountNumber: councilAccount}, ""},
		{"nor one whose payment was taken back", models.UnmatchedPayment{Amount: 5_00, FromAccountNumber: karisAccount}, ""},
		{"no account is nobody's", models.UnmatchedPayment{Amount: 5_00, FromAccountNumber: ""}, ""},
		{
			"the text names two that add up",
			models.UnmatchedPayment{Amount: 500_00, Text: "Faktura 2031 + 2032"},
			"2031+2032 invoice_number invoices_add_up, 2031 invoice_number, 2032 invoice_number",
		},
		{
			"the text names one of three that add up",
			models.UnmatchedPayment{Amount: 1299_00, Text: "Faktura 2031 m.fl."},
			"2030+2031+2032 invoice_number invoices_add_up, 2031 invoice_number",
		},
		{
			"a KID with a slip before a payer before an amount",
			models.UnmatchedPayment{Amount: 799_00, KID: changed(kid(2028), 0, '7'), FromAccountNumber: livsAccount},
			"2028 kid_digit_off, 2030 open_amount, 2033 payer_account",
		},
		{
			"no more than five",
			models.UnmatchedPayment{Amount: 5_00, Text: "2028 2029 2030 2031 2032 2035"},
			"2028 invoice_number, 2029 invoice_number, 2030 invoice_number, 2031 invoice_number, 2032 invoice_number",
		},

		{"a reversal is of the invoice with its KID", models.UnmatchedPayment{Amount: -1000_00, KID: kid(2028)}, "2028 kid"},
		{"and pays nothing that is owed", models.UnmatchedPayment{Amount: -600_00, FromAccountNumber: livsAccount}, ""},
		{"what came to another account has its KID", models.UnmatchedPayment{Amount: 1000_00, KID: kid(2028)}, "2028 kid open_amount"},
	}
	eachBooks(t, func(t *testing.T, b *books) {
		from2026 := func(c *models.Creditor) { c.FirstNumber = 2026 }
		c, other := rows.Creditor(t, b.DB, from2026), rows.Creditor(t, b.DB, from2026)
		ledgerOf(t, b, c)
		ledgerOf(t, b, other) // who has all the same
		var payments []models.UnmatchedPayment
		for _, tt := range tests {
			tt.payment.TransactionDate = today
			payments = append(payments, tt.payment)
		}
		for n, together := range b.suggestions(t, c, payments...) {
			if alone := b.suggestions(t, c, payments[n]); together != tests[n].want || alone[0] != tests[n].want {
				t.Errorf("%s: suggested is %q, and alone %q, want %q", tests[n].why, together, alone[0], tests[n].want)
			}
		}
	})
}

func TestE5WhatIsCertain(t *testing.T) {
	owes := of
	closed, later := of(500_00), of(500_00)
	closed[0].Closed = models.ClosedLost
	const paidOn = models.Date(20_000)
	later[0].IssueDate = paidOn + 1
	hints := func(invoices []models.Invoice, reasons ...models.Hint) Suggestion {
		s := Suggestion{Reasons: reasons, CustomerID: 1, Invoices: invoices}
		for _, h := range reasons {
			s.Weight += hintWeight[h]
		}
		return s
	}
	but := func(s Suggestion, change func(*Suggestion)) []Suggestion { change(&s); return []Suggestion{s} }
	twins, namesakes := func(s *Suggestion) { s.Twins = true }, func(s *Suggestion) { s.Namesakes = true }
	const kid, digit, number, amount, payer, addUp = models.HintKID, models.HintKIDDigit, models.HintNumber, models.HintOpenAmount, models.HintPayer, models.HintAddUp
	const name = models.HintName
	tests := []struct {
		why         string
		suggestions []Suggestion
		want        bool
	}{
		{"nothing is suggested", nil, false},
		{"its KID and its amount", []Suggestion{hints(owes(500_00), kid, amount)}, true},
		{"its KID but another amount", []Suggestion{hints(owes(500_01), kid)}, false},
		{"one digit and its amount weigh just enough", []Suggestion{hints(owes(500_00), digit, amount), hints(owes(7), payer, number)}, true},
		{"its amount alone", []Suggestion{hints(owes(500_00), amount)}, false},
		{"its amount and its payer, and no other", []Suggestion{hints(owes(500_00), amount, payer)}, true},
		{"and another with one reason", []Suggestion{hints(owes(500_00), amount, payer), hints(owes(7), number)}, false},
		{"three reasons against one", []Suggestion{hints(owes(500_00), number, payer, addUp), hints(owes(7), number)}, true},
		{"several that add up, with the payer", []Suggestion{hints(owes(200_00, 300_00), addUp, payer)}, true},
		{"several that do not", []Suggestion{hints(owes(200_00, 200_00), addUp, payer)}, false},
		{"two that weigh the same", []Suggestion{hints(owes(500_00), digit, amount), hints(owes(500_00), digit, amount)}, false},
		{"a closed invoice", []Suggestion{hints(closed, kid, amount)}, false},
		{"paid before it was issued (N2)", []Suggestion{hints(later, kid, amount)}, false},
		{"the name and the open sum of the only open invoice (N15)", but(hints(owes(500_00), name, amount), func(s *Suggestion) { s.Only = true }), true},
		{"another invoice of the customer has the same sum (N2)", but(hints(owes(500_00), amount, payer, name), twins), false},
		{"but a KID names the one", but(hints(owes(500_00), kid, amount), twins), true},
		{"but its number names the one", but(hints(owes(500_00), number, amount), twins), true},
		{"two customers have the name (N1)", but(hints(owes(500_00), name, amount), namesakes), false},
		{"and the account that he paid from before", but(hints(owes(500_00), name, amount, payer), namesakes), false},
		{"but a KID names the one", but(hints(owes(500_00), name, amount, kid), namesakes), true},
		{"one of them was overpaid", []Suggestion{hints(owes(600_00, -100_00), kid, addUp)}, false},
	}
	for _, tt := range tests {
		if got := Certain(models.UnmatchedPayment{Amount: 500_00, TransactionDate: paidOn}, tt.suggestions); got != tt.want {
			t.Errorf("%s: certain is %t", tt.why, got)
		}
	}
	out := models.UnmatchedPayment{Amount: -500_00, TransactionDate: paidOn}
	if Certain(out, []Suggestion{hints(owes(500_00), kid)}) || Certain(out, []Suggestion{hints(owes(-500_00), kid)}) {
		t.Error("money out is certain")
	}
}

// suggestions writes what is suggested for each payment, as the table does.
func (b *books) suggestions(t *testing.T, c models.Creditor, payments ...models.UnmatchedPayment) (all []string) {
	t.Helper()
	must(t, b.DB.View(t.Context(), func(v store.View) error {
		found, err := SuggestEach(t.Context(), v, c, payments)
		if err != nil {
			return err
		}
		for _, suggestions := range found {
			var written []string
			for _, s := range suggestions {
				var numbers []string
				for _, i := range s.Invoices {
					numbers = append(numbers, fmt.Sprint(i.Number))
					if i.CreditorID != c.ID || i.CustomerID != s.CustomerID {
						t.Errorf("invoice %d of creditor %d and customer %d is suggested", i.Number, i.CreditorID, i.CustomerID)
					}
				}
				one := strings.Join(numbers, "+")
				for _, hint := range s.Reasons {
					one += " " + string(hint)
				}
				written = append(written, one)
			}
			all = append(all, strings.Join(written, ", "))
		}
		return nil
	}))
	return all
}

// Of a customer with many open invoices the twelve that fell due first are tried together.
func TestE5InvoicesThatAddUp(t *testing.T) {
	var open []models.Invoice
	for n := range models.Amount(14) {
		open = append(open, models.Invoice{ID: int64(n + 1), Number: int64(n + 1), CustomerID: 1, Balance: 1_00 << n})
	}
	tests := []struct {
		why    string
		open   []models.Invoice
		amount models.Amount
		named  []int
		want   string
	}{
		{"two of them", open, 1_00<<3 + 1_00<<7, nil, "4 8"},
		{"twelve of them", open, 1_00<<12 - 1_00, nil, "1 2 3 4 5 6 7 8 9 10 11 12"},
		{"one alone is no set", open, 1_00 << 3, nil, ""},
		{"the thirteenth is not tried", open, 1_00<<3 + 1_00<<12, nil, ""},
		{"nothing adds up", open, 50, nil, ""},
		{"the fewest are taken", of(3, 1, 2, 4, 5), 6, nil, "2 5"},
		{"and of these those that fell due first", of(2, 2, 2, 2), 4, nil, "1 2"},
		{"unless others are named", of(2, 2, 2, 2), 4, []int{3, 1}, "2 4"},
	}
	for _, tt := range tests {
		t.Run(tt.why, func(t *testing.T) {
			c := candidates{amount: tt.amount, open: map[int64][]models.Invoice{1: tt.open}}
			for _, n := range tt.named {
				c.named = append(c.named, candidate{tt.open[n], models.HintNumber, hintWeight[models.HintNumber]})
			}
			var got []string
			for _, s := range c.rank() {
				if s.Reasons[len(s.Reasons)-1] == models.HintAddUp {
					for _, i := range s.Invoices {
						got = append(got, fmt.Sprint(i.Number))
					}
				}
			}
			if strings.Join(got, " ") != tt.want {
				t.Errorf("they are %q, want %q", strings.Join(got, " "), tt.want)
			}
		})
	}
}

// of returns a customer's invoices on which the amounts are owed.
func of(amounts ...models.Amount) (open []models.Invoice) {
	for n, a := range amounts {
		open = append(open, models.Invoice{ID: int64(n + 1), Number: int64(n + 1), CustomerID: 1, Balance: a})
	}
	return open
}
