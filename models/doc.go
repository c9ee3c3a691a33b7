// Package models holds the words of the trade and their pure rules: money, dates, KIDs, creditors,
// customers, invoices, credit notes, overdue notices, entries, shipments and payments, and errors by
// kind. It knows nothing of databases, queues or HTTP, and imports the standard library only.
package models
