package store

import (
	"purr/models"
)

// askNumbers finds what has the number, the KID, the account or the sum.
func (s *searching) askNumbers() error {
	qs := s.questions()
	s.numbers(qs)
	s.sums(qs)
	if err := s.askFor(qs); err != nil {
		return err
	}
	for id, at := range s.places[models.HitCustomer] {
		if at == placeID && len(s.places[models.HitCustomer]) > 1 {
			delete(s.places[models.HitCustomer], id)
		}
	}
	return nil
}

// numbers asks for numbers, KIDs and accounts.
func (s *searching) numbers(qs *questions) {
	q, of := s.q, s.creditorID
	if q.CustomerNumber != "" {
		qs.add("SELECT 'customer' AS kind, id, ? AS place FROM customers WHERE creditor_id = ? AND customer_number_key = ?", placeNumber, of, q.CustomerNumber)
	}
	if q.CustomerID != 0 {
		qs.add("SELECT 'customer' AS kind, id, ? AS place FROM customers WHERE id = ? AND creditor_id = ?", placeID, q.CustomerID, of)
	}
	if q.Organisation != "" {
		s.word(qs, models.HitCustomer, placeNumber, wordOfCustomer, q.Organisation)
	}
	if q.Number != 0 {
		qs.add("SELECT 'invoice' AS kind, id, ? AS place FROM invoices WHERE creditor_id = ? AND number = ?", placeNumber, of, q.Number)
		qs.add("SELECT 'credit_note' AS kind, id, ? AS place FROM credit_notes WHERE creditor_id = ? AND number = ?", placeNumber, of, q.Number)
	}
	if q.KID != "" {
		qs.add("SELECT 'invoice' AS kind, invoice_id AS id, ? AS place FROM payment_references WHERE creditor_id = ? AND kid = ? AND credit_note_id = 0", placeKID, of, q.KID)
		qs.add("SELECT 'credit_note' AS kind, credit_note_id AS id, ? AS place FROM payment_references WHERE creditor_id = ? AND kid = ? AND credit_note_id <> 0", placeKID, of, q.KID)
		qs.add(limited("SELECT 'unmatched_payment' AS kind, id, ? AS place FROM unmatched_payments"+qs.forced("unmatched_payments_kid")+
			" WHERE creditor_id = ? AND kid = ? ORDER BY id DESC", mostAsked), placeKID, of, q.KID)
	}
	if q.Figures != "" {
		s.word(qs, models.HitCustomer, placeName, wordOfName, q.Figures)
		s.word(qs, models.HitUnmatched, placeAccount, wordOfPayment, q.Figures)
	}
	if q.Account != "" {
		paid := "FROM (" + limited("SELECT id, customer_id FROM entries"+qs.forced("entries_payer")+
			" WHERE creditor_id = ? AND from_account_number = ? AND from_account_number <> ''", mostFromAccount) + ") AS paid"
		qs.add(limited("SELECT 'ar_transaction' AS kind, id, ? AS place "+paid+" ORDER BY id DESC", mostAsked), placeAccount, of, q.Account)
		qs.add(limited("SELECT DISTINCT 'customer' AS kind, customer_id AS id, ? AS place "+paid, mostAsked), placeAccount, of, q.Account)
	}
}

// mostFromAccount is how many payments from one account are read: somebody who pays for many has more.
const mostFromAccount = 500

// word asks for what has a whole word in the index of words.
func (s *searching) word(qs *questions, kind models.HitKind, at place, of wordKind, text string) {
	qs.add(limited("SELECT ? AS kind, row_id AS id, ? AS place FROM words WHERE creditor_id = ? AND kind = ? AND word = ? ORDER BY row_id DESC", mostAsked),
		kind, at, s.creditorID, of, clipped(text))
}

// sums asks for sums: of a payment also with the other sign.
func (s *searching) sums(qs *questions) {
	sum, of := s.q.Sum, s.creditorID
	if sum == 0 {
		return
	}
	for _, by := range []struct {
		kind          models.HitKind
		table, column string
		and           string
		at            place
	}{
		{models.HitInvoice, "invoices", "balance", " AND balance > 0", placeBalance}, // the index of SQLite has no others
		{models.HitInvoice, "invoices", "gross", "", placeSum},
		{models.HitCreditNote, "credit_notes", "gross", "", placeSum},
		{models.HitNotice, "overdue_notices", "gross", " AND withdrawn IS NULL", placeSum},
		{models.HitUnmatched, "unmatched_payments", "amount", "", placeSum},
		{models.HitUnmatched, "unmatched_payments", "-amount", "", placeSum},
	} {
		column, amount := by.column, sum
		if column[0] == '-' {
			column, amount = column[1:], -sum
		}
		qs.add(limited("SELECT ? AS kind, id, ? AS place FROM "+by.table+qs.forced(by.table+"_"+column)+
			" WHERE creditor_id = ? AND "+column+" = ?"+by.and+" ORDER BY id DESC", mostAsked), by.kind, by.at, of, amount)
	}
}
