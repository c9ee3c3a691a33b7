// Package saft reads SAF-T Financial files in tests and proves what their schema cannot: that what stands before the journal is what the
// journal adds up to, and that every code in it is explained.
package saft

import (
	"encoding/xml"
	"fmt"
	"regexp"
	"strconv"
	"testing"

	"purr/models"
)

// File is what tests read of a file.
type File struct {
	XMLName  xml.Name   `xml:"urn:StandardAuditFile-Taxation-Financial:NO AuditFile"`
	Version  string     `xml:"Header>AuditFileVersion"`
	From     string     `xml:"Header>SelectionCriteria>SelectionStartDate"`
	To       string     `xml:"Header>SelectionCriteria>SelectionEndDate"`
	Accounts []Account  `xml:"MasterFiles>GeneralLedgerAccounts>Account"`
	Parties  []Customer `xml:"MasterFiles>Customers>Customer"`
	Taxes    []Tax      `xml:"MasterFiles>TaxTable>TaxTableEntry>TaxCodeDetails"`
	Entries  struct {
		Number   int           `xml:"NumberOfEntries"`
		Debit    models.Amount `xml:"TotalDebit"`
		Credit   models.Amount `xml:"TotalCredit"`
		Vouchers []Voucher     `xml:"Journal>Transaction"`
	} `xml:"GeneralLedgerEntries"`
}

// Account is an account with its balances.
type Account struct {
	ID       string `xml:"AccountID"`
	Category string `xml:"GroupingCategory"`
	Code     string `xml:"GroupingCode"`
	Balances
}

// Customer is a customer with his balances.
type Customer struct {
	ID       string   `xml:"CustomerID"`
	Name     string   `xml:"Name"`
	Balances Balances `xml:"BalanceAccount"`
}

// Balances are the balances at the beginning and at the end, each in one of two elements.
type Balances struct {
	OpeningDebit  *models.Amount `xml:"OpeningDebitBalance"`
	OpeningCredit *models.Amount `xml:"OpeningCreditBalance"`
	ClosingDebit  *models.Amount `xml:"ClosingDebitBalance"`
	ClosingCredit *models.Amount `xml:"ClosingCreditBalance"`
}

// Tax is a VAT code.
type Tax struct {
	Code     string         `xml:"TaxCode"`
	Percent  models.Percent `xml:"TaxPercentage"`
	Standard string         `xml:"StandardTaxCode"`
}

// Voucher is a transaction.
type Voucher struct {
	ID    string `xml:"TransactionID"`
	Year  string `xml:"PeriodYear"`
	Date  string `xml:"TransactionDate"`
	Lines []Line `xml:"Line"`
}

// Line is a line of a transaction.
type Line struct {
	Account  string          `xml:"AccountID"`
	Customer string          `xml:"CustomerID"`
	Debit    *models.Amount  `xml:"DebitAmount>Amount"`
	Credit   *models.Amount  `xml:"CreditAmount>Amount"`
	TaxCode  string          `xml:"TaxInformation>TaxCode"`
	Percent  *models.Percent `xml:"TaxInformation>TaxPercentage"`
}

// Opening and Closing return the balances, above zero for debit.
func (b Balances) Opening() models.Amount { return signed(b.OpeningDebit, b.OpeningCredit) }

// Closing is like Opening.
func (b Balances) Closing() models.Amount { return signed(b.ClosingDebit, b.ClosingCredit) }

// Amount returns the line's amount, above zero for debit.
func (l Line) Amount() models.Amount { return signed(l.Debit, l.Credit) }

func signed(debit, credit *models.Amount) (a models.Amount) {
	if debit != nil {
		a += *debit
	}
	if credit != nil {
		a -= *credit
	}
	return a
}

// faults are what programs are known to write that the schema takes: empty elements, amounts below zero where the element has the sign.
var faults = map[string]*regexp.Regexp{
	"an empty element":     regexp.MustCompile(`<(\w+)>\s*</(\w+)>`),
	"an amount below zero": regexp.MustCompile(`<(Amount|\w+Balance|Total\w+)>-[^<]*<`),
	"blanks around a text": regexp.MustCompile(`<\w+>[ \t][^<]*<`),
	"a broken character":   regexp.MustCompile("\uFFFD"),
}

// Read returns a file, whose journal must add up to what stands before it.
func Read(t testing.TB, content []byte) File {
	t.Helper()
	var f File
	if err := xml.Unmarshal(content, &f); err != nil {
		t.Fatal(err)
	}
	for what, fault := range faults {
		if found := fault.Find(content); found != nil {
			t.Errorf("the file has %s: %s", what, found)
		}
	}
	for _, fault := range f.faults() {
		t.Error(fault)
	}
	return f
}

// faults returns what does not add up, or is not explained.
func (f File) faults() (all []string) {
	wrong := func(format string, args ...any) { all = append(all, fmt.Sprintf(format, args...)) }
	accounts, customers := map[string]models.Amount{}, map[string]models.Amount{}
	percents := map[string]bool{}
	for _, tax := range f.Taxes {
		percents[fmt.Sprint(tax.Code, " ", tax.Percent)] = true
	}
	for _, a := range f.Accounts {
		if _, twice := accounts[a.ID]; twice {
			wrong("account %s is there twice", a.ID)
		}
		accounts[a.ID] = a.Opening()
	}
	for _, c := range f.Parties {
		if _, twice := customers[c.ID]; twice {
			wrong("customer %s is there twice", c.ID)
		}
		customers[c.ID] = c.Balances.Opening()
	}
	var debit, credit models.Amount
	numbers := map[string]int{}
	for _, v := range f.Entries.Vouchers {
		sum := models.Amount(0)
		for _, l := range v.Lines {
			if l.Debit != nil {
				debit += *l.Debit
			} else {
				credit += *l.Credit
			}
			sum += l.Amount()
			if _, known := accounts[l.Account]; !known {
				wrong("account %s of voucher %s is not explained", l.Account, v.ID)
			}
			accounts[l.Account] += l.Amount()
			if _, known := customers[l.Customer]; l.Customer != "" && !known {
				wrong("customer %s of voucher %s is not explained", l.Customer, v.ID)
			}
			customers[l.Customer] += l.Amount()
			if l.TaxCode != "" && !percents[fmt.Sprint(l.TaxCode, " ", *l.Percent)] {
				wrong("VAT code %s at %s of voucher %s is not explained", l.TaxCode, *l.Percent, v.ID)
			}
		}
		if sum != 0 {
			wrong("voucher %s adds up to %s", v.ID, sum)
		}
		n, err := strconv.Atoi(v.ID[len(v.Year)+1:])
		if last, begun := numbers[v.Year]; err != nil || begun && n != last+1 || v.Date < f.From || v.Date > f.To {
			wrong("voucher %s of %s comes after %d of %s", v.ID, v.Date, last, v.Year)
		}
		numbers[v.Year] = n
	}
	if f.Entries.Number != len(f.Entries.Vouchers) || f.Entries.Debit != debit || f.Entries.Credit != credit {
		wrong("%d vouchers of %s and %s are announced, there are %d of %s and %s", f.Entries.Number, f.Entries.Debit, f.Entries.Credit, len(f.Entries.Vouchers), debit, credit)
	}
	for _, a := range f.Accounts {
		if accounts[a.ID] != a.Closing() {
			wrong("account %s ends with %s, the lines lead to %s", a.ID, a.Closing(), accounts[a.ID])
		}
	}
	for _, c := range f.Parties {
		if customers[c.ID] != c.Balances.Closing() {
			wrong("customer %s ends with %s, the lines lead to %s", c.ID, c.Balances.Closing(), customers[c.ID])
		}
	}
	return all
}
