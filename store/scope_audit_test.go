package store_test

import (
	"context"

	"purr/models"
	"purr/store"
)

// auditTrials are those of what an audit reads.
var auditTrials = map[string]trial{
	"AuditedInvoices": func(ctx context.Context, tx *store.Tx, h holdings, c int64) (bool, error) {
		return some(tx.AuditedInvoices(ctx, c, 0, 10, store.AuditFilter{InvoiceIDs: []int64{h.invoice.ID}}))
	},
	"AuditedLetters": func(ctx context.Context, tx *store.Tx, h holdings, c int64) (bool, error) {
		n, err := tx.AuditedLetters(ctx, c, store.AuditFilter{CustomerID: h.customer.ID, Number: h.invoice.Number})
		return n > 0, err
	},
	"AuditRows": func(ctx context.Context, tx *store.Tx, h holdings, c int64) (bool, error) {
		rows, err := tx.AuditRows(ctx, c, []models.Invoice{h.invoice})
		return len(rows.Customers)+len(rows.Entries)+len(rows.Notices)+len(rows.Shipments)+len(rows.HandOvers)+len(rows.Plans)+len(rows.Events)+len(rows.Sellers) > 0, err
	},
	"AuditChanges": func(ctx context.Context, tx *store.Tx, h holdings, c int64) (bool, error) {
		err := tx.Log(ctx, models.Event{
			CreditorID: h.owner.ID, Type: models.EventCreditorChanged, SubjectID: h.owner.ID, Text: "changed",
			Facts: models.Facts{"changed": []string{"dunning_policy"}},
		})
		if err != nil {
			return false, err
		}
		return some(tx.AuditChanges(ctx, c))
	},
}
