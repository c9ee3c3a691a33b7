// Package billing issues invoices and credit notes. It checks the request, takes the number, makes the KID, prices the
// lines and writes everything in the caller's transaction. It knows nothing of dunning, bank files, PDFs or HTTP.
//
// Begin with:
//
//   - InvoiceRequest is what is asked for. Its faults are found all at once, before any number is taken.
//   - Draft is what would be issued, with nothing written: what a person looks at before.
//   - Issue issues several invoices in one transaction: the number series has no gap, so whoever issues waits for the invoice before, and
//     those that wait at the same moment go together (store.Group).
//   - IssueCreditNote credits an invoice; package ledger settles the two.
package billing
