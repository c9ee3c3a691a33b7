package models_test

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"purr/models"
)

func TestN3QueryIsRead(t *testing.T) {
	t.Parallel()
	kinds := func(of ...models.HitKind) []models.HitKind { return of }
	number := func(digits string, n int64, sum models.Amount) models.Query {
		return models.Query{Number: n, KID: digits, CustomerNumber: digits, Figures: digits, Sum: sum}
	}
	for typed, want := range map[string]models.Query{
		"20744":              number("20744", 20744, 2074400),
		" 20 744 ":           number("20744", 20744, 2074400),
		"20\u00a0744":        number("20744", 20744, 2074400),
		"20.744":             number("20744", 20744, 2074400),
		"#20744":             number("20744", 20744, 2074400),
		"4 980,00":           {Sum: 498000},
		"4980.00":            {Sum: 498000},
		"4.980,5":            {Sum: 498050},
		"4980,-":             {Sum: 498000},
		"-4980":              {Sum: 498000},
		"kr 4980":            {Sum: 498000},
		"4 980,00 kr":        {Sum: 498000},
		"beløp 12":           {Sum: 1200},
		"0,00":               {Words: []string{"0", "00"}, Whole: "0,00"},
		"0000000018":         {KID: "0000000018", CustomerNumber: "0000000018", Figures: "0000000018"},
		"faktura 20744":      {Kinds: kinds(models.HitInvoice), Number: 20744, KID: "20744", CustomerNumber: "20744"},
		"Fakturanr. 20 744":  {Kinds: kinds(models.HitInvoice), Number: 20744, KID: "20744", CustomerNumber: "20744"},
		"faktura20744":       {Kinds: kinds(models.HitInvoice), Number: 20744, KID: "20744", CustomerNumber: "20744"},
		"invoice no. 20744":  {Kinds: kinds(models.HitInvoice), Number: 20744, KID: "20744", CustomerNumber: "20744"},
		"faktura 4 980,00":   {Kinds: kinds(models.HitInvoice), Sum: 498000},
		"kunde 17":           {Kinds: kinds(models.HitCustomer), CustomerNumber: "17", CustomerID: 17},
		"customer number 17": {Kinds: kinds(models.HitCustomer), CustomerNumber: "17", CustomerID: 17},
		"kunde K-17":         {Kinds: kinds(models.HitCustomer), Words: []string{"k", "17"}, Named: []string{"kunde", "k", "17"}, Whole: "k-17"},
		"kreditnota 12":      {Kinds: kinds(models.HitCreditNote), Number: 12, KID: "12", CustomerNumber: "12"},
		"Credit note 12":     {Kinds: kinds(models.HitCreditNote), Number: 12, KID: "12", CustomerNumber: "12"},
		"purring 20744":      {Kinds: kinds(models.HitNotice), Number: 20744, KID: "20744", CustomerNumber: "20744"},
		"betalingspåminning 5": {
			Kinds: kinds(models.HitNotice), Number: 5, CustomerNumber: "5",
		},
		"brev 20744":           {Kinds: kinds(models.HitLetter), Number: 20744, KID: "20744", CustomerNumber: "20744"},
		"innbetaling 4980":     {Kinds: kinds(models.HitUnmatched, models.HitPayment), Number: 4980, KID: "4980", CustomerNumber: "4980", Sum: 498000, Figures: "4980"},
		"KID: 0000000018":      {KID: "0000000018"},
		"konto 1234.56.78903":  {Account: "12345678903", Figures: "12345678903"},
		"1234 56 78903":        {Number: 12345678903, KID: "12345678903", Account: "12345678903", CustomerNumber: "12345678903", Figures: "12345678903"},
		"NO93 8601 1117 947":   {Account: "86011117947", Figures: "86011117947"},
		"orgnr 987 654 325":    {Organisation: "987654325"},
		"NO 987 654 325 MVA":   {Organisation: "987654325"},
		"Nordmann, Kari":       {Words: []string{"nordmann", "kari"}, Whole: "nordmann, kari"},
		"Fjord AS":             {Words: []string{"fjord"}, Whole: "fjord as"},
		"AS":                   {Words: []string{"as"}, Whole: "as"},
		"Kari@Example.no":      {Whole: "kari@example.no"},
		"faktura Service AS":   {Kinds: kinds(models.HitInvoice), Words: []string{"service"}, Named: []string{"faktura", "service"}, Whole: "service as"},
		"faktura":              {Words: []string{"faktura"}, Whole: "faktura"},
		"%":                    {},
		"_ = ' \" ; --":        {},
		"😀":                    {},
		"":                     {},
		"Bø😀 100 % katt\\hund": {Words: []string{"bo", "100", "katt", "hund"}, Whole: "bo😀 100 % katt\\hund"},
	} {
		got := models.ReadQuery(typed)
		got.Text = ""
		if got.Named == nil && want.Named == nil && len(got.Words) == 0 {
			got.Words = nil
		}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%q is read as\n%+v, want\n%+v", typed, got, want)
		}
	}
}

func TestN3SlipsOfAWord(t *testing.T) {
	t.Parallel()
	for typed, meant := range map[string]string{
		"hansem": "hansen", "hanen": "hansen", "hanssen": "hansen", "hasnen": "hansen", "bjrn": "bjorn", "kariii": "karii",
	} {
		if !slices.Contains(models.Slips(typed), meant) {
			t.Errorf("%q is not taken for %q", typed, meant)
		}
	}
	for typed, other := range map[string]string{"kari": "karl", "ola": "olav", "hansen": "jensen"} {
		if slices.Contains(models.Slips(typed), other) {
			t.Errorf("%q is taken for %q", typed, other)
		}
	}
	if got := len(models.Slips(strings.Repeat("a", 60))); got != 0 {
		t.Errorf("%d slips of what is no name", got)
	}
}
