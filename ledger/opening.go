package ledger

import "purr/models"

// Opening returns the INVOICE entry of a new invoice: its gross amount.
func Opening(i models.Invoice) models.Entry {
	return models.Entry{
		CreditorID: i.CreditorID, CustomerID: i.CustomerID, InvoiceID: i.ID,
		Type: models.EntryInvoice, Amount: i.Gross, TransactionDate: i.IssueDate,
	}
}

// OpeningCredit returns the CREDIT_NOTE entry of a new credit note: its negative gross amount (rule D21).
func OpeningCredit(c models.CreditNote) models.Entry {
	return models.Entry{
		CreditorID: c.CreditorID, CustomerID: c.CustomerID, InvoiceID: c.InvoiceID, CreditNoteID: c.ID,
		Type: models.EntryCreditNote, Amount: -c.Gross, TransactionDate: c.IssueDate,
	}
}
