// Package ledger posts entries and keeps the balances: payments, repayments, payouts, reversals, moves of credit and the settling of
// credited invoices. It knows what customers owe. It knows nothing of how documents are made, of bank files or of HTTP.
//
// Rows of the ledger are only added: what is taken back has an entry that says so, or is deleted together with the money that
// it was made of, as the interface promises. The balance on a document is the sum of its entries, and the transaction that posts brings it up to date.
//
// Begin with:
//
//   - Post writes entries of any kind: it locks the documents, and looks again at what their notices have charged if money turns out
//     to have come before them.
//   - Settle sets a credit note off against its invoice, and moves what is left.
//   - Verify proves the books: every balance, every stage, every row that another names.
//
// Package ledger/receivables reads what customers owe, by age and as statements.
package ledger
