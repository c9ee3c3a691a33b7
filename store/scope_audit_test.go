package store_test

import (
	"context"

	"purr/models"
	"purr/store"
	"purr/test/testkit/rows"
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
	"AuditTimelineRows": func(ctx context.Context, tx *store.Tx, h holdings, c int64) (bool, error) {
		rows, err := tx.AuditTimelineRows(ctx, c, []models.Invoice{h.invoice})
		return len(rows.Entries)+len(rows.Notices)+len(rows.HandOvers) > 0, err
	},
	"AuditFindingsOf": func(ctx context.Context, tx *store.Tx, h holdings, c int64) (bool, error) {
		a, err := h.audited(ctx, tx)
		if err != nil {
			return false, err
		}
		return counted(tx.AuditFindingsOf(ctx, c, a.ID, models.FindingLaw, everything))
	},
	"AuditFindingSums": func(ctx context.Context, tx *store.Tx, h holdings, c int64) (bool, error) {
		a, err := h.audited(ctx, tx)
		if err != nil {
			return false, err
		}
		return some(tx.AuditFindingSums(ctx, c, a.ID))
	},
	"Audit": func(ctx context.Context, tx *store.Tx, h holdings, c int64) (bool, error) {
		a, err := h.audited(ctx, tx)
		if err != nil {
			return false, err
		}
		return reached(tx.Audit(ctx, c, a.ID))
	},
	"LockAudit": func(ctx context.Context, tx *store.Tx, h holdings, c int64) (bool, error) {
		a, err := h.audited(ctx, tx)
		if err != nil {
			return false, err
		}
		return reached(tx.LockAudit(ctx, c, a.ID))
	},
	"Audits": func(ctx context.Context, tx *store.Tx, h holdings, c int64) (bool, error) {
		if _, err := h.audited(ctx, tx); err != nil {
			return false, err
		}
		return counted(tx.Audits(ctx, c, everything))
	},
	"LatestAudits": func(ctx context.Context, tx *store.Tx, h holdings, c int64) (bool, error) {
		if _, err := h.audited(ctx, tx); err != nil {
			return false, err
		}
		return some(tx.LatestAudits(ctx, c, 0, 10))
	},
	"RunningAudit": func(ctx context.Context, tx *store.Tx, h holdings, c int64) (bool, error) {
		if _, err := h.audited(ctx, tx); err != nil {
			return false, err
		}
		_, is, err := tx.RunningAudit(ctx, c)
		return is, err
	},
	"AuditFindings": func(ctx context.Context, tx *store.Tx, h holdings, c int64) (bool, error) {
		a, err := h.audited(ctx, tx)
		if err != nil {
			return false, err
		}
		return counted(tx.AuditFindings(ctx, c, a.ID, everything))
	},
	"AuditFindingsAfter": func(ctx context.Context, tx *store.Tx, h holdings, c int64) (bool, error) {
		a, err := h.audited(ctx, tx)
		if err != nil {
			return false, err
		}
		return some(tx.AuditFindingsAfter(ctx, c, a.ID, 0, 10))
	},
	"AuditNight": func(ctx context.Context, tx *store.Tx, h holdings, c int64) (bool, error) {
		if err := h.night(ctx, tx); err != nil {
			return false, err
		}
		n, err := tx.AuditNight(ctx, c)
		return n.RoundID == h.notice.ID, err
	},
	"LockAuditNight": func(ctx context.Context, tx *store.Tx, h holdings, c int64) (bool, error) {
		if err := h.night(ctx, tx); err != nil {
			return false, err
		}
		n, err := tx.LockAuditNight(ctx, c)
		return n.RoundID == h.notice.ID, err
	},
	"AuditMarksAfter": func(ctx context.Context, tx *store.Tx, _ holdings, c int64) (bool, error) {
		_, changed, err := tx.AuditMarksAfter(ctx, c, models.AuditMarks{}, tx.Now)
		return changed, err
	},
	"ChangedSince": func(ctx context.Context, tx *store.Tx, _ holdings, c int64) (bool, error) {
		return some(tx.ChangedSince(ctx, c, models.AuditMarks{}))
	},
	"NoticesInTurn": func(ctx context.Context, tx *store.Tx, _ holdings, c int64) (bool, error) {
		ids, _, err := tx.NoticesInTurn(ctx, c, 0, 10)
		return len(ids) > 0, err
	},
	"FindingsOfNights": func(ctx context.Context, tx *store.Tx, h holdings, c int64) (bool, error) {
		if _, err := h.audited(ctx, tx); err != nil {
			return false, err
		}
		return some(tx.FindingsOfNights(ctx, c, []int64{h.invoice.ID}))
	},
	"OpenFindings": func(ctx context.Context, tx *store.Tx, h holdings, c int64) (bool, error) {
		if _, err := h.audited(ctx, tx); err != nil {
			return false, err
		}
		return some(tx.OpenFindings(ctx, c, rows.Today, 10))
	},
	"AuditBankFiles": func(ctx context.Context, tx *store.Tx, _ holdings, c int64) (bool, error) {
		return some(tx.AuditBankFiles(ctx, c, store.Dates{From: rows.Today}))
	},
	"AuditBankWords": func(ctx context.Context, tx *store.Tx, _ holdings, c int64) (bool, error) {
		words, err := tx.AuditBankWords(ctx, c, store.Dates{From: rows.Today, To: rows.Today})
		return words.First != nil, err
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

// night writes how far the owner's nights have come.
func (h holdings) night(ctx context.Context, tx *store.Tx) error {
	n, err := tx.LockAuditNight(ctx, h.owner.ID)
	if err != nil {
		return err
	}
	n.RoundID = h.notice.ID
	return tx.UpdateAuditNight(ctx, n)
}

// audited writes an audit of the owner's that is not done, with a finding that was put right.
func (h holdings) audited(ctx context.Context, tx *store.Tx) (models.Audit, error) {
	a := models.Audit{CreditorID: h.owner.ID, State: models.AuditRunning}
	if err := tx.CreateAudit(ctx, &a); err != nil {
		return a, err
	}
	found := models.AuditFinding{AuditID: a.ID, CreditorID: h.owner.ID, CustomerID: h.customer.ID, InvoiceID: h.invoice.ID, Class: models.FindingLaw, Code: "third_fee", BackFee: 1}
	of := found
	of.Code, of.Night = "fee_above_cap", rows.Today
	if err := tx.PutAudit(ctx, a, []models.AuditFinding{found, of}); err != nil {
		return a, err
	}
	return a, tx.CreateAuditRepayments(ctx, []models.AuditRepayment{{AuditID: a.ID, CreditorID: h.owner.ID, CustomerID: h.customer.ID, InvoiceID: h.invoice.ID, Code: found.Code, Fee: 1}})
}
