package models_test

import (
	"slices"
	"strings"
	"testing"

	"purr/models"
)

// planFaults returns the faults of a plan, each as "row field code".
func planFaults(p models.AccountPlan) (all []string) {
	f := p.Faults()
	tell := func(row string, faults models.Errors) {
		for _, fault := range faults {
			all = append(all, strings.Join(strings.Fields(row+" "+fault.Place.String()+" "+fault.Code), " "))
		}
	}
	tell("plan", f.Whole)
	for name, rows := range map[string][]models.Errors{"account": f.Kinds, "sales": f.Sales, "receiver": f.Receivers, "grouping": f.Groupings} {
		for n, faults := range rows {
			tell(name+string(rune('1'+n)), faults)
		}
	}
	slices.Sort(all)
	return all
}

// TestA1bEveryFaultOfAPlanIsToldAtItsPlace changes the default plan, which has no fault.
func TestA1bEveryFaultOfAPlanIsToldAtItsPlace(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		why, want string
		change    func(p *models.AccountPlan)
	}{
		{"the default", "", func(*models.AccountPlan) {}},
		{"nothing is set", "", func(p *models.AccountPlan) { *p = models.AccountPlan{} }},
		{"a kind is missing", "plan account_missing", func(p *models.AccountPlan) { p.Kinds = p.Kinds[1:] }},
		{"a class is missing", "plan account_missing", func(p *models.AccountPlan) { p.Sales = p.Sales[:4] }},
		{"a kind that is none", "account1 kind invalid_account_plan; plan account_missing", func(p *models.AccountPlan) { p.Kinds[0].Kind = "rent" }},
		{"a kind twice", "account2 kind invalid_account_plan; plan account_missing", func(p *models.AccountPlan) { p.Kinds[1].Kind = p.Kinds[0].Kind }},
		{"an account of letters", "account1 number invalid_account", func(p *models.AccountPlan) { p.Kinds[0].Account = "15AB" }},
		{"an account that begins with 0", "account1 number invalid_account", func(p *models.AccountPlan) { p.Kinds[0].Account = "0500" }},
		{"an account of five digits", "sales1 account invalid_account", func(p *models.AccountPlan) { p.Sales[0].Account = "30000" }},
		{"no account of VAT", "sales1 vat_account invalid_account", func(p *models.AccountPlan) { p.Sales[0].VATAccount = "" }},
		{"an account of VAT where there is none", "sales4 vat_account invalid_account", func(p *models.AccountPlan) { p.Sales[3].VATAccount = "2700" }},
		{"a VAT code of letters", "sales1 vat_code invalid_vat_code", func(p *models.AccountPlan) { p.Sales[0].VATCode = "MVA" }},
		{"no VAT code", "sales1 vat_code invalid_vat_code", func(p *models.AccountPlan) { p.Sales[0].VATCode = "" }},
		{"a receiver that is none", "receiver1 name invalid_account_plan; receiver1 vat_code invalid_vat_code", func(p *models.AccountPlan) {
			p.Receivers = []models.ReceiverCode{{Receiver: "xledger", Class: models.SalesHigh, VATCode: "123456"}}
		}},
		{"groupings", "grouping1 account invalid_account_plan; grouping1 category invalid_account_plan; grouping2 code invalid_account_plan; grouping3 account invalid_account_plan", func(p *models.AccountPlan) {
			p.Groupings = []models.AccountGrouping{{"1234", "salgs inntekt", "3000"}, {"3000", "salgsinntekt", ""}, {"3000", "salgsinntekt", "3001"}}
		}},
		{"all at once", "account1 number invalid_account; account2 vat_code invalid_vat_code; plan account_missing; sales2 class invalid_account_plan; sales2 vat_code invalid_vat_code", func(p *models.AccountPlan) {
			p.Kinds[0].Account, p.Kinds[1].VATCode, p.Sales[1].Class, p.Sales[1].VATCode = "x", "y", "HALF", "z"
		}},
	} {
		p := models.DefaultAccountPlan()
		tt.change(&p)
		if got := strings.Join(planFaults(p), "; "); got != tt.want || p.Faults().Any() != (tt.want != "") {
			t.Errorf("%s: %q, want %q", tt.why, got, tt.want)
		}
	}
}

// TestA1bEachAccountIsGroupedByTheFirstThatIsBookedOnIt: an account of several kinds is there once.
func TestA1bEachAccountIsGroupedByTheFirstThatIsBookedOnIt(t *testing.T) {
	t.Parallel()
	p := models.DefaultAccountPlan()
	p.Kinds[len(p.Kinds)-1].Account = "1920" // told
	p.Groupings = []models.AccountGrouping{{Account: "3900", Category: "salgsinntekt", Code: "3200"}}
	var got []string
	for _, a := range p.Accounts() {
		got = append(got, a.Number+" "+a.Grouping.Category+" "+a.Grouping.Code)
	}
	want := []string{
		"1500 balanseverdiForOmloepsmiddel 1500", "1920 balanseverdiForOmloepsmiddel 1920", "2700 kortsiktigGjeld 2740", "2701 kortsiktigGjeld 2740",
		"2702 kortsiktigGjeld 2740", "2990 kortsiktigGjeld 2990", "2991 kortsiktigGjeld 2990", "3000 salgsinntekt 3000", "3100 salgsinntekt 3100",
		"3200 salgsinntekt 3200", "3900 salgsinntekt 3200", "8050 finansinntekt 8050",
	}
	if !slices.Equal(got, want) {
		t.Errorf("the accounts are %q, want %q", got, want)
	}
}
