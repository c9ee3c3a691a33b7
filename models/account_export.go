package models

import (
	"database/sql/driver"
	"slices"
	"time"
)

// AccountForm is a form in which a journal is handed over to the accounts (rule A1b).
type AccountForm string

// The forms. GBAT10 has one for each receiver whose VAT codes a plan may have.
const (
	FormCSV             AccountForm = "csv"
	FormGBAT10          AccountForm = "gbat10"
	FormGBAT10Tripletex AccountForm = "gbat10_tripletex"
	FormGBAT10Visma     AccountForm = "gbat10_visma"
	FormGBAT1024Seven   AccountForm = "gbat10_24sevenoffice"
	FormTripletex       AccountForm = "tripletex"
	FormSAFT            AccountForm = "saft"
)

// AccountForms are all forms, in the order in which they are offered.
var AccountForms = []AccountForm{
	FormCSV, FormGBAT10, FormGBAT10Tripletex, FormGBAT10Visma, FormGBAT1024Seven, FormTripletex, FormSAFT,
}

// ParseAccountForm reads the name of a form.
func ParseAccountForm(s string) (AccountForm, bool) {
	f := AccountForm(s)
	return f, slices.Contains(AccountForms, f)
}

// VoucherSeries are the numbers of vouchers that an export has in a year.
type VoucherSeries struct {
	Year  int   `json:"year"`
	First int64 `json:"first"`
	Last  int64 `json:"last"`
}

// AllVoucherSeries are the numbers of an export's vouchers, by year.
type AllVoucherSeries []VoucherSeries

// Value gives the numbers to a database as JSON, NULL if there are none.
func (s AllVoucherSeries) Value() (driver.Value, error) { return jsonValue(s, len(s) == 0) }

// Scan takes the numbers from a database.
func (s *AllVoucherSeries) Scan(src any) error {
	*s = nil
	return scanJSON(src, s)
}

// AccountSum is what an export books on an account.
type AccountSum struct {
	Account string `json:"account"`
	Debit   Amount `json:"debit"`
	Credit  Amount `json:"credit"`
}

// AccountSums are what an export books, by account.
type AccountSums []AccountSum

// Value gives the sums to a database as JSON, NULL if there are none.
func (s AccountSums) Value() (driver.Value, error) { return jsonValue(s, len(s) == 0) }

// Scan takes the sums from a database.
func (s *AccountSums) Scan(src any) error {
	*s = nil
	return scanJSON(src, s)
}

// AccountExport is the journal of a period as it was handed over to the accounts (rule A1a). It never changes: what is booked later into
// the period is a later voucher.
type AccountExport struct {
	ID         int64
	CreditorID int64
	Number     int64            // from 1 for each creditor
	From       Date             `gorm:"column:from_date"`
	To         Date             `gorm:"column:to_date"`
	TimeZone   string           // the creditor's then: its days are the period's
	Plan       AccountPlan      `gorm:"type:text"` // as it was
	Series     AllVoucherSeries `gorm:"type:text"`
	Sums       AccountSums      `gorm:"type:text"`
	Vouchers   int
	Debit      Amount // of all vouchers; what is credited is the same
	Opening    Amount // what customers owed before the period, less their credit
	Closing    Amount // and at its end
	MadeBy     string
	CreatedAt  time.Time
}

// AccountExportFile is the file of an export in one form, made once and kept in the archive.
type AccountExportFile struct {
	ID         int64
	CreditorID int64
	ExportID   int64
	Form       AccountForm
	SHA256     string `gorm:"column:sha256"`
	Size       int64
	CreatedAt  time.Time
	RemovedAt  *time.Time // when its bytes were removed, because they name customers who were forgotten (rule O14)
}
