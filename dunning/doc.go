// Package dunning follows overdue invoices: what the law and the creditor's policy let happen to one, what a
// notice costs and says, and the daily run.
//
// The rules are pure functions of values: Rules (dated data), Decide, Conditions, Fee, Rules.Interest and
// NoticeLines take the day as an argument and know no clock and no database. What reads and writes rows is
// built upon them. The package knows nothing of HTTP, queues, PDFs or bank files.
package dunning
