package audits

import (
	"context"
	"fmt"
	"slices"

	"purr/audit"
	"purr/dunning"
	"purr/models"
	"purr/store"
)

// identity is what makes two findings the same one.
type identity struct {
	invoice, notice, handOver int64
	code                      string
}

// unknown returns the findings that no night has kept yet.
func unknown(ctx context.Context, from interface {
	FindingsOfNights(ctx context.Context, creditorID int64, invoiceIDs []int64) ([]models.AuditFinding, error)
}, creditorID int64, found []audit.Finding,
) ([]audit.Finding, error) {
	if len(found) == 0 {
		return nil, nil
	}
	var ids []int64
	for _, f := range found {
		ids = append(ids, f.InvoiceID)
	}
	slices.Sort(ids)
	before, err := from.FindingsOfNights(ctx, creditorID, slices.Compact(ids))
	if err != nil {
		return nil, err
	}
	known := map[identity]bool{}
	for _, f := range before {
		known[identity{f.InvoiceID, f.NoticeID, f.HandOverID, f.Code}] = true
	}
	var fresh []audit.Finding
	for _, f := range found {
		is := identity{f.InvoiceID, f.NoticeID, f.HandOverID, f.Code.String()}
		if !known[is] {
			fresh, known[is] = append(fresh, f), true
		}
	}
	return fresh, nil
}

// keep keeps what a locked audit found, holds the invoices on which the law was not kept, and tells of it. It returns the audit.
func (n *night) keep(ctx context.Context, tx *store.Tx, a models.Audit, fresh []audit.Finding) (models.Audit, error) {
	held := map[int64]models.HoldReason{} // by invoice
	var unlawful []int64
	for _, f := range fresh {
		a.Findings, a.Back = a.Findings+1, a.Back+f.Back.Sum()
		if f.Class() == audit.Law {
			unlawful = append(unlawful, f.InvoiceID)
		}
	}
	slices.Sort(unlawful)
	for _, id := range slices.Compact(unlawful) {
		h, err := dunning.HoldForAudit(ctx, tx, n.creditor, id)
		if err != nil {
			return a, err
		}
		if held[id] = h.Reason; h.Held && h.Reason == "" {
			held[id] = models.HoldOther
		}
	}
	rows := n.rowsOf(a, fresh)
	for i := range rows {
		rows[i].HeldFor = held[rows[i].InvoiceID]
	}
	if err := tx.PutAudit(ctx, a, rows); err != nil {
		return a, err
	}
	var events []models.Event
	for i, f := range fresh {
		if f.Class() == audit.Doubt {
			continue
		}
		e, err := n.event(ctx, tx, f, rows[i])
		if err != nil {
			return a, err
		}
		events = append(events, e)
	}
	return a, tx.Log(ctx, events...)
}

// event returns the event of a finding. Names and addresses are not among its facts: whose customer is forgotten is forgotten.
func (n *night) event(ctx context.Context, tx *store.Tx, f audit.Finding, row models.AuditFinding) (models.Event, error) {
	facts := models.Facts{
		"audit": row.AuditID, "class": string(row.Class), "code": row.Code, "invoice_number": f.Invoice, "back": f.Back.Sum(), "held": row.HeldFor != "",
	}
	said := f.Code.Question("en")
	if !f.Code.Personal() {
		said = f.Text("en")
		for name, value := range map[string]string{"expected": f.Expected, "found": f.Found} {
			if value != "" {
				facts[name] = value
			}
		}
	}
	if f.HandOverID != 0 {
		facts["hand_over"] = f.HandOverID
	}
	if f.NoticeID != 0 {
		notice, err := tx.Notice(ctx, n.creditor.ID, f.NoticeID)
		if err != nil {
			return models.Event{}, err
		}
		facts["sequence_number"] = notice.Sequence
	}
	return models.Event{
		CreditorID: n.creditor.ID, Type: models.EventAuditFinding, InvoiceID: f.InvoiceID, CustomerID: f.CustomerID, SubjectID: row.ID, Facts: facts,
		Text: fmt.Sprintf("The audit of %s finds on invoice %d (%s, %s): %s", row.Night, f.Invoice, row.Class, row.Code, said),
	}, nil
}
