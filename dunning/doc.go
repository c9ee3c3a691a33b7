// Package dunning takes overdue invoices through reminder, warning and hand-over. It decides which step is due and
// when, writes notices, makes the daily run, and does what a person asks for: hold, close, reopen, hand over.
//
// The decisions are pure functions of values: they take the day as an argument and know no clock and no database. The functions that
// read and write rows use them. Package law says what a late payment costs. The package knows nothing of HTTP, queues, PDFs or bank files.
//
// Begin with:
//
//   - Decide says what automatic dunning does to an invoice on a day, and if nothing, why. The run, the plan, the forecast
//     and what a page says of an invoice all ask it.
//   - State is everything that it depends on besides the policy and the law, and Decision.Needs what must still be read for it; Snapshot is
//     what a run reads once for all invoices.
//   - Snapshot.Run makes a creditor's day, a hundred invoices with each transaction: lock, decide again, write the notices with fees and
//     interest, owe the letters.
//   - IssueNotice, HandOverInvoice, CloseInvoice and HoldInvoice are what a person does.
//
// Package dunning/collection makes what the debt collector gets.
package dunning
