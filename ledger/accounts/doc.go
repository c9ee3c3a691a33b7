// Package accounts hands a creditor's ledger over to its accounts (rule A1): the journal of a period as double-entry vouchers, by the
// creditor's account plan, in the forms that accounting programs read. An export is made once and kept.
package accounts
