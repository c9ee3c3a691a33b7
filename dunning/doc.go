// Package dunning follows overdue invoices: what the law and the policy for the customer let happen to one,
// what a notice costs and says, the daily run, and what a person does: hold, close, reopen, hand over.
//
// The rules are pure functions of values: Rules (dated data), Decide, Conditions, CanClose, Fee, Rules.Interest and
// NoticeLines take the day as an argument and know no clock and no database. What reads and writes rows is
// built upon them. The package knows nothing of HTTP, queues, PDFs or bank files.
package dunning
