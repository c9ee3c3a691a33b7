package audit

import (
	"cmp"
	"context"
	"fmt"

	"purr/audit/reckoning"
	"purr/law"
	"purr/models"
	"purr/store"
)

// batch is how many invoices are read with one set of questions.
const batch = 400

// Reader is a database, a view of one or a transaction: so that what is about to leave can be judged from the rows of the transaction that sends
// it (rule U8).
type Reader interface {
	AuditedInvoices(ctx context.Context, creditorID, after int64, limit int, f store.AuditFilter) ([]models.Invoice, error)
	AuditRows(ctx context.Context, creditorID int64, invoices []models.Invoice) (store.AuditRows, error)
	AuditBankFiles(ctx context.Context, creditorID int64, days store.Dates) ([]store.BankFile, error)
	AuditBankWords(ctx context.Context, creditorID int64, days store.Dates) (store.BankWords, error)
	AuditChanges(ctx context.Context, creditorID int64) ([]models.Event, error)
	DunningRules(ctx context.Context, creditorID int64) ([]models.DunningRule, error)
}

// Auditor reads the cases of a creditor, and judges them.
type Auditor struct {
	of   *Creditor
	from Reader
}

// New returns an auditor of a creditor, given the figures of the program and of its folder. It reads what holds for all cases. It changes
// nothing.
func New(ctx context.Context, from Reader, base *law.Rules, c models.Creditor) (*Auditor, error) {
	zone, err := c.Location()
	if err != nil {
		return nil, err
	}
	set, err := from.DunningRules(ctx, c.ID)
	if err != nil {
		return nil, err
	}
	rules, err := base.With(set)
	if err != nil {
		return nil, err
	}
	figures, err := reckoning.New(rules.All())
	if err != nil {
		return nil, fmt.Errorf("read the law's figures for creditor %d: %w", c.ID, err)
	}
	of := &Creditor{Creditor: c, Zone: zone, Law: figures}
	if of.Changes, err = from.AuditChanges(ctx, c.ID); err != nil {
		return nil, err
	}
	return &Auditor{of, from}, nil
}

// JudgeSome judges the next invoices after an ID that the filter takes, as many as the options say, and adds to the verdict. It returns the ID of the
// last one, zero if there was none.
func (a *Auditor) JudgeSome(ctx context.Context, after int64, f store.AuditFilter, o Options, v *Verdict) (int64, error) {
	o.Letters = [2]models.Date{f.Letters.From, f.Letters.To}
	cases, err := a.read(ctx, after, cmp.Or(o.Most, batch), f)
	if err != nil || len(cases) == 0 {
		return 0, err
	}
	for _, c := range cases {
		v.Judge(c, o)
	}
	return cases[len(cases)-1].Invoice.ID, nil
}

// Cases returns the cases of some invoices.
func (a *Auditor) Cases(ctx context.Context, invoiceIDs ...int64) ([]*Case, error) {
	return a.read(ctx, 0, batch, store.AuditFilter{InvoiceIDs: invoiceIDs})
}

// Explain asks every question of one invoice, or of the one notice or hand-over on it that the options name, and keeps the answers (rule U5).
func (a *Auditor) Explain(ctx context.Context, invoiceID int64, o Options) (*Verdict, error) {
	cases, err := a.Cases(ctx, invoiceID)
	if err != nil {
		return nil, err
	}
	o.Explain = true
	v := &Verdict{}
	for _, c := range cases {
		v.Judge(c, o)
	}
	return v, nil
}

func (a *Auditor) read(ctx context.Context, after int64, most int, f store.AuditFilter) ([]*Case, error) {
	invoices, err := a.from.AuditedInvoices(ctx, a.of.ID, after, most, f)
	if err != nil || len(invoices) == 0 {
		return nil, err
	}
	return a.casesOf(ctx, invoices)
}

// casesOf reads the rows of some invoices.
func (a *Auditor) casesOf(ctx context.Context, invoices []models.Invoice) ([]*Case, error) {
	rows, err := a.from.AuditRows(ctx, a.of.ID, invoices)
	if err != nil {
		return nil, err
	}
	cases := casesOf(a.of, invoices, rows)
	if err := a.bank(ctx, cases); err != nil {
		return nil, err
	}
	return cases, nil
}
