// Package models holds the words of the trade and their pure rules: money, dates, KIDs, creditors,
// customers, invoices, credit notes, notices, entries, shipments and payments, and errors by kind.
//
// It is the lowest room: everybody imports it, and it imports nothing of ours but its own tables of time zones. It knows
// nothing of databases, queues, files or HTTP, and asks nobody what day it is.
//
// Begin with these four:
//
//   - Amount is money in whole øre, and Date a day without a time of day. No float and no time.Time comes in their place.
//   - Invoice.Status is the status of an invoice on a day: a function of the row alone (stage, deadline), so that lists, pages
//     and runs agree without a job that turns days into states. Invoice.Claimed is what its documents ask for.
//   - Shipment is a document on its way to a recipient; what is told of it later is a report, and Shipment.Heed says what
//     that changes.
//   - Error has a kind, which decides what happens (refused, tried again, shown), a code that never changes, and what a caller may see.
//     Its cause stays inside. Faults are all that is wrong with one request.
//
// Each file is named after the word that it is about; store, the acts and the interface have files of the same names.
// Package models/calendar knows holidays, sending days and bank days; models/zone has the time zones.
package models
