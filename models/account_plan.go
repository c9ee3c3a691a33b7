package models

import (
	"database/sql/driver"
	"fmt"
	"slices"
	"strings"
)

// AccountKind is what an amount of the ledger is to the accounts: each kind has an account (rule A1a).
type AccountKind string

// The kinds.
const (
	AccountReceivables AccountKind = "receivables"
	AccountFee         AccountKind = "fee"
	AccountInterest    AccountKind = "interest"
	AccountPaidBank    AccountKind = "paid_bank"    // payments from bank files
	AccountPaidByHand  AccountKind = "paid_by_hand" // payments that a person registered
	AccountPaidBack    AccountKind = "paid_back"
	AccountTransfer    AccountKind = "transfer" // from one document to another; nothing is left on it
	AccountOpening     AccountKind = "opening"  // how invoices of other systems stood when they were adopted
	AccountTold        AccountKind = "told"     // what another system told later of its invoices
)

// accountKinds are all kinds, in the order of a plan.
var accountKinds = []AccountKind{
	AccountReceivables, AccountFee, AccountInterest, AccountPaidBank, AccountPaidByHand, AccountPaidBack, AccountTransfer, AccountOpening, AccountTold,
}

// SalesClass is a class of sales in the accounts: a VAT class, and of those without VAT why they have none.
type SalesClass string

// The classes of sales.
const (
	SalesHigh   SalesClass = "HIGH"
	SalesMedium SalesClass = "MEDIUM"
	SalesLow    SalesClass = "LOW"
	SalesZero   SalesClass = "ZERO"   // the rate is zero (VATZero)
	SalesExempt SalesClass = "EXEMPT" // outside the VAT act (VATExempt), and what nobody has said more of
)

// salesClasses are all classes of sales, in the order of a plan.
var salesClasses = []SalesClass{SalesHigh, SalesMedium, SalesLow, SalesZero, SalesExempt}

// HasVAT reports whether sales of the class have VAT.
func (c SalesClass) HasVAT() bool { return c != SalesZero && c != SalesExempt }

// SalesClassOf returns the class of a line with the VAT class, given what the line or else the creditor says of lines without VAT.
func SalesClassOf(vat VATName, exemption VATExemption) SalesClass {
	switch {
	case vat != VATNone:
		return SalesClass(vat)
	case exemption == VATZero:
		return SalesZero
	}
	return SalesExempt
}

// receivers are the programs for whose GBAT10 a plan may have VAT codes of its own (rule A1b).
var receivers = []string{"tripletex", "visma", "24sevenoffice"}

// Receivers returns the names of the programs that may have VAT codes of their own.
func Receivers() []string { return slices.Clone(receivers) }

// KindAccount is the account of a kind.
type KindAccount struct {
	Kind    AccountKind `json:"kind"`
	Account string      `json:"account"`
	VATCode string      `json:"vat_code,omitempty"` // of fees and interest
}

// SalesAccount says where sales of a class are booked.
type SalesAccount struct {
	Class      SalesClass `json:"class"`
	Account    string     `json:"account"`
	VATAccount string     `json:"vat_account,omitempty"` // empty of a class without VAT
	VATCode    string     `json:"vat_code"`
}

// ReceiverCode is the VAT code of a class at a receiver.
type ReceiverCode struct {
	Receiver string     `json:"receiver"`
	Class    SalesClass `json:"class"`
	VATCode  string     `json:"vat_code"`
}

// AccountPlan says on which accounts a creditor's ledger is booked (rule A1). The zero plan stands for DefaultAccountPlan.
type AccountPlan struct {
	Kinds     []KindAccount     `json:"kinds,omitempty"`
	Sales     []SalesAccount    `json:"sales,omitempty"`
	Receivers []ReceiverCode    `json:"receivers,omitempty"`
	Groupings []AccountGrouping `json:"groupings,omitempty"` // of accounts that SAF-T groups otherwise than usual
}

// DefaultAccountPlan returns the plan for a Norwegian standard chart of accounts (NS 4102), with the standard VAT codes of SAF-T.
func DefaultAccountPlan() AccountPlan {
	return AccountPlan{
		Kinds: []KindAccount{
			{AccountReceivables, "1500", ""},
			{AccountFee, "3900", "7"},
			{AccountInterest, "8050", "7"},
			{AccountPaidBank, "1920", ""},
			{AccountPaidByHand, "1920", ""},
			{AccountPaidBack, "1920", ""},
			{AccountTransfer, "2990", ""},
			{AccountOpening, "2991", ""},
			{AccountTold, "2991", ""},
		},
		Sales: []SalesAccount{
			{SalesHigh, "3000", "2700", "3"},
			{SalesMedium, "3000", "2701", "31"},
			{SalesLow, "3000", "2702", "33"},
			{SalesZero, "3100", "", "5"},
			{SalesExempt, "3200", "", "6"},
		},
	}
}

// IsZero reports whether nothing is set, so that the default stands.
func (p AccountPlan) IsZero() bool {
	return len(p.Kinds)+len(p.Sales)+len(p.Receivers)+len(p.Groupings) == 0
}

// OrDefault returns the plan with the accounts of the default where it has none of its own.
func (p AccountPlan) OrDefault() AccountPlan {
	usual := DefaultAccountPlan()
	if len(p.Kinds)+len(p.Sales) > 0 {
		return p
	}
	usual.Receivers, usual.Groupings = p.Receivers, p.Groupings
	return usual
}

// Kind returns the account of a kind.
func (p AccountPlan) Kind(kind AccountKind) KindAccount {
	if n := slices.IndexFunc(p.Kinds, func(k KindAccount) bool { return k.Kind == kind }); n >= 0 {
		return p.Kinds[n]
	}
	return KindAccount{Kind: kind}
}

// Class returns where sales of a class are booked.
func (p AccountPlan) Class(class SalesClass) SalesAccount {
	if n := slices.IndexFunc(p.Sales, func(s SalesAccount) bool { return s.Class == class }); n >= 0 {
		return p.Sales[n]
	}
	return SalesAccount{Class: class}
}

// CodeOf returns the VAT code of a class at a receiver: its own, or else the plan's.
func (p AccountPlan) CodeOf(receiver string, class SalesClass) string {
	for _, r := range p.Receivers {
		if r.Receiver == receiver && r.Class == class {
			return r.VATCode
		}
	}
	return p.Class(class).VATCode
}

// PlanFaults is what is wrong with each row of a plan, and with the plan as a whole. The fields of rows are named as in the interface.
type PlanFaults struct {
	Whole     Errors
	Kinds     []Errors
	Sales     []Errors
	Receivers []Errors
	Groupings []Errors
}

// Any reports whether something is wrong.
func (f PlanFaults) Any() bool {
	some := func(of []Errors) bool { return slices.ContainsFunc(of, func(e Errors) bool { return len(e) > 0 }) }
	return len(f.Whole) > 0 || some(f.Kinds) || some(f.Sales) || some(f.Receivers) || some(f.Groupings)
}

// Faults returns everything that is wrong with a plan. One that has accounts has all of them (rule A1b).
func (p AccountPlan) Faults() PlanFaults {
	f := PlanFaults{
		Kinds: make([]Errors, len(p.Kinds)), Sales: make([]Errors, len(p.Sales)), Receivers: make([]Errors, len(p.Receivers)), Groupings: make([]Errors, len(p.Groupings)),
	}
	seen := map[string]bool{}
	for i, k := range p.Kinds {
		wrong := &f.Kinds[i]
		wrong.oneOf("kind", string(k.Kind), texts(accountKinds))
		wrong.once(seen, "kind", string(k.Kind))
		wrong.account("number", k.Account)
		if k.VATCode != "" {
			wrong.vatCode(k.VATCode)
		}
	}
	for i, s := range p.Sales {
		wrong := &f.Sales[i]
		wrong.oneOf("class", string(s.Class), texts(salesClasses))
		wrong.once(seen, "class", string(s.Class))
		wrong.account("account", s.Account)
		if s.Class.HasVAT() {
			wrong.account("vat_account", s.VATAccount)
		} else if s.VATAccount != "" {
			wrong.Add("invalid_account", "vat_account", "must be left out: the class has no VAT")
		}
		wrong.vatCode(s.VATCode)
	}
	for i, r := range p.Receivers {
		wrong := &f.Receivers[i]
		wrong.oneOf("name", r.Receiver, receivers)
		wrong.oneOf("class", string(r.Class), texts(salesClasses))
		wrong.once(seen, "class", r.Receiver+" "+string(r.Class))
		wrong.vatCode(r.VATCode)
	}
	accounts := p.OrDefault().Accounts()
	for i, g := range p.Groupings {
		wrong := &f.Groupings[i]
		wrong.grouping(g, accounts)
		wrong.once(seen, "account", g.Account)
	}
	if len(p.Kinds)+len(p.Sales) > 0 {
		f.Whole = p.missing()
	}
	return f
}

// missing returns a fault that names each kind and class that a plan has no account for.
func (p AccountPlan) missing() (faults Errors) {
	var without []string
	for _, kind := range accountKinds {
		if !slices.ContainsFunc(p.Kinds, func(k KindAccount) bool { return k.Kind == kind }) {
			without = append(without, string(kind))
		}
	}
	for _, class := range salesClasses {
		if !slices.ContainsFunc(p.Sales, func(s SalesAccount) bool { return s.Class == class }) {
			without = append(without, string(class))
		}
	}
	if len(without) > 0 {
		faults.Add("account_missing", "", "has no account for %s: a plan of its own has all", strings.Join(without, ", "))
	}
	return faults
}

// oneOf adds a fault unless the value is one of some.
func (es *Errors) oneOf(field, value string, of []string) {
	if !slices.Contains(of, value) {
		es.Add("invalid_account_plan", field, "must be one of %s", strings.Join(of, ", "))
	}
}

// once adds a fault if the value was there before.
func (es *Errors) once(seen map[string]bool, field, value string) {
	if seen[value] {
		es.Add("invalid_account_plan", field, "is there already: %s", value)
	}
	seen[value] = true
}

// chartDigits is how many digits an account of a chart has. mostCodeDigits is the most of a VAT code: GBAT10 has no room for more.
const (
	chartDigits    = 4
	mostCodeDigits = 5
)

// account adds a fault unless the value is an account of a chart.
func (es *Errors) account(field, value string) {
	if len(value) != chartDigits || !digits(value) || value[0] == '0' {
		es.Add("invalid_account", field, "must be an account of %d digits", chartDigits)
	}
}

// vatCode adds a fault unless the value can be a VAT code.
func (es *Errors) vatCode(value string) {
	if value == "" || len(value) > mostCodeDigits || !digits(value) {
		es.Add("invalid_vat_code", "vat_code", "must be a VAT code of 1 to %d digits", mostCodeDigits)
	}
}

func texts[T ~string](of []T) (all []string) {
	for _, one := range of {
		all = append(all, string(one))
	}
	return all
}

// Value gives the plan to a database: JSON, NULL if nothing is set.
func (p AccountPlan) Value() (driver.Value, error) { return jsonValue(p, p.IsZero()) }

// Scan takes the plan from a database.
func (p *AccountPlan) Scan(src any) error {
	*p = AccountPlan{}
	if err := scanJSON(src, p); err != nil {
		return fmt.Errorf("an account plan: %w", err)
	}
	return nil
}
