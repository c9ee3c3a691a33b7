package models

import (
	"slices"
	"strings"
)

// AccountGrouping says where an account stands in the business statement (næringsspesifikasjon): the category and the code that SAF-T
// Financial groups it by.
type AccountGrouping struct {
	Account  string `json:"account"`
	Category string `json:"category"`
	Code     string `json:"code"`
}

// The categories of the business statement that the ledger's accounts belong to.
const (
	groupCurrentAssets = "balanseverdiForOmloepsmiddel"
	groupCurrentDebt   = "kortsiktigGjeld"
	groupSales         = "salgsinntekt"
	groupOtherIncome   = "annenDriftsinntekt"
	groupFinance       = "finansinntekt"
)

// groupOfVAT is how the accounts of VAT are grouped.
var groupOfVAT = AccountGrouping{Category: groupCurrentDebt, Code: "2740"}

// groupsOfKinds are how the accounts of kinds are grouped.
var groupsOfKinds = map[AccountKind]AccountGrouping{
	AccountReceivables: {Category: groupCurrentAssets, Code: "1500"},
	AccountFee:         {Category: groupOtherIncome, Code: "3900"},
	AccountInterest:    {Category: groupFinance, Code: "8050"},
	AccountPaidBank:    {Category: groupCurrentAssets, Code: "1920"},
	AccountPaidByHand:  {Category: groupCurrentAssets, Code: "1920"},
	AccountPaidBack:    {Category: groupCurrentAssets, Code: "1920"},
	AccountTransfer:    {Category: groupCurrentDebt, Code: "2990"},
	AccountOpening:     {Category: groupCurrentDebt, Code: "2990"},
	AccountTold:        {Category: groupCurrentDebt, Code: "2990"},
}

// groupsOfSales are how the accounts of sales are grouped.
var groupsOfSales = map[SalesClass]AccountGrouping{
	SalesHigh:   {Category: groupSales, Code: "3000"},
	SalesMedium: {Category: groupSales, Code: "3000"},
	SalesLow:    {Category: groupSales, Code: "3000"},
	SalesZero:   {Category: groupSales, Code: "3100"},
	SalesExempt: {Category: groupSales, Code: "3200"},
}

// PlanAccount is an account of a plan with all that is booked on it.
type PlanAccount struct {
	Number   string
	Kinds    []AccountKind
	Sales    []SalesClass
	VAT      []SalesClass // whose VAT is booked on it
	Grouping AccountGrouping
}

// Accounts returns the accounts of the plan by number. Each is grouped as the plan says, or else by the first kind that is booked on it.
func (p AccountPlan) Accounts() (all []PlanAccount) {
	at := func(number string, usual AccountGrouping) *PlanAccount {
		n := slices.IndexFunc(all, func(a PlanAccount) bool { return a.Number == number })
		if n < 0 {
			usual.Account = number
			n, all = len(all), append(all, PlanAccount{Number: number, Grouping: usual})
		}
		return &all[n]
	}
	for _, kind := range accountKinds {
		a := at(p.Kind(kind).Account, groupsOfKinds[kind])
		a.Kinds = append(a.Kinds, kind)
	}
	for _, class := range salesClasses {
		s := p.Class(class)
		a := at(s.Account, groupsOfSales[class])
		a.Sales = append(a.Sales, class)
		if s.VATAccount != "" {
			a = at(s.VATAccount, groupOfVAT)
			a.VAT = append(a.VAT, class)
		}
	}
	for n := range all {
		if own := slices.IndexFunc(p.Groupings, func(g AccountGrouping) bool { return g.Account == all[n].Number }); own >= 0 {
			all[n].Grouping = p.Groupings[own]
		}
	}
	slices.SortFunc(all, func(a, b PlanAccount) int { return strings.Compare(a.Number, b.Number) })
	return all
}

// StandardVATCode returns the standard code of SAF-T for a plan's VAT code of a class of sales, or of fees and interest where the class is
// empty: the code itself where it is one of those that the class may have, and else the usual one of the class.
func StandardVATCode(own string, class SalesClass) string {
	of := standardVATCodes[class]
	if slices.Contains(of, own) {
		return own
	}
	return of[0]
}

// standardVATCodes are the standard codes of SAF-T for sales that a class may have, the usual one first: 3, 31 and 33 are the three rates, 32
// is raw fish, 5 is zero-rated, 51 reverse charge, 52 export, 6 outside the VAT act, 7 no turnover.
var standardVATCodes = map[SalesClass][]string{
	SalesHigh:   {"3"},
	SalesMedium: {"31", "32"},
	SalesLow:    {"33", "32"},
	SalesZero:   {"5", "51", "52"},
	SalesExempt: {"6", "7"},
	"":          {"7", "6", "5"},
}

// Most of what SAF-T has room for.
const (
	mostGroupingCategory = 256
	mostGroupingCode     = 35
)

// grouping adds what is wrong with a row of groupings, of a plan with some accounts.
func (es *Errors) grouping(g AccountGrouping, of []PlanAccount) {
	es.account("account", g.Account)
	if !slices.ContainsFunc(of, func(a PlanAccount) bool { return a.Number == g.Account }) {
		es.Add("invalid_account_plan", "account", "must be an account of the plan")
	}
	es.group("category", g.Category, mostGroupingCategory)
	es.group("code", g.Code, mostGroupingCode)
}

// group adds a fault unless the value can be a category or a code of a grouping.
func (es *Errors) group(field, value string, most int) {
	if value == "" || len(value) > most || strings.ContainsFunc(value, func(r rune) bool { return r <= ' ' || r >= 0x7f }) {
		es.Add("invalid_account_plan", field, "must be 1 to %d characters of ASCII without blanks", most)
	}
}
