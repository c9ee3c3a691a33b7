package operator

import (
	"context"
	"runtime/debug"

	"purr/audit"
	"purr/models"
	"purr/store"
)

// Audit says what an audit looks at. The zero value is everything.
type Audit struct {
	Creditor *models.Creditor // only this one; nil for all
	Filter   store.AuditFilter
	Deep     bool                                        // the kept bytes of letters too
	Judged   func(c *audit.Case, found []audit.Finding)  // called with each invoice and what was found of it; may be nil
	After    func(v *audit.Verdict, letters int64) error // called now and then, with how many letters there are in all; may be nil
}

// AuditGarbage is the garbage collector's percentage while a command audits: what an audit holds is small, and what it throws away is much.
const AuditGarbage = 400

// Audit judges every letter, charge and book from its rows (rule U3). It changes nothing. It is a whole process's work, whose garbage collector
// it lets run less often meanwhile.
func (o *Operator) Audit(ctx context.Context, what Audit) (*audit.Verdict, error) {
	defer debug.SetGCPercent(debug.SetGCPercent(AuditGarbage))
	v := &audit.Verdict{}
	db := o.DB.Patient()
	of := func(c models.Creditor) error {
		a, err := audit.New(ctx, db, o.Rules, c)
		if err != nil {
			return err
		}
		var after func(*audit.Verdict) error
		if what.After != nil {
			letters, err := db.AuditedLetters(ctx, c.ID, what.Filter)
			if err != nil {
				return err
			}
			letters += v.Letters
			after = func(v *audit.Verdict) error { return what.After(v, letters) }
		}
		return a.Judge(ctx, what.Filter, o.auditOptions(what), v, after)
	}
	if what.Creditor != nil {
		return v, of(*what.Creditor)
	}
	err := db.EachCreditor(ctx, func(c models.Creditor, unreadable error) error {
		if unreadable != nil {
			return unreadable
		}
		return of(c)
	})
	return v, err
}

func (o *Operator) auditOptions(what Audit) (options audit.Options) {
	options.Judged = what.Judged
	if what.Deep {
		options.Files = o.Archive.Read
	}
	return options
}

// Explain asks every question of one invoice, or of one notice or hand-over on it, and keeps the answers (rule U5).
func (o *Operator) Explain(ctx context.Context, at store.Place, what audit.Options) (*audit.Verdict, error) {
	db := o.DB.Patient()
	c, err := db.Creditor(ctx, at.CreditorID)
	if err != nil {
		return nil, err
	}
	a, err := audit.New(ctx, db, o.Rules, c)
	if err != nil {
		return nil, err
	}
	return a.Explain(ctx, at.InvoiceID, what)
}

// HasAudited reports whether any creditor that is audited has an invoice of the customer, or with the number, that is asked for.
func (o *Operator) HasAudited(ctx context.Context, what Audit) (bool, error) {
	what.Filter.Letters = store.Dates{}
	found := false
	of := func(c models.Creditor) error {
		if found {
			return nil
		}
		some, err := o.DB.AuditedInvoices(ctx, c.ID, 0, 1, what.Filter)
		if err != nil {
			return err
		}
		found = len(some) > 0
		return nil
	}
	if what.Creditor != nil {
		err := of(*what.Creditor)
		return found, err
	}
	err := o.DB.EachCreditor(ctx, func(c models.Creditor, unreadable error) error {
		if unreadable != nil {
			return unreadable
		}
		return of(c)
	})
	return found, err
}

// InvoicesNumbered returns the invoices with a number, of the creditor that a text of the command line means, or where it is empty of
// all.
func (o *Operator) InvoicesNumbered(ctx context.Context, number int64, creditor string) (all []store.Place, err error) {
	of := func(c models.Creditor) error {
		some, err := o.DB.AuditedInvoices(ctx, c.ID, 0, 1, store.AuditFilter{Number: number})
		if err != nil {
			return err
		}
		for _, i := range some {
			all = append(all, store.Place{CreditorID: c.ID, InvoiceID: i.ID})
		}
		return nil
	}
	if creditor != "" {
		c, err := o.Creditor(ctx, creditor)
		if err != nil {
			return nil, err
		}
		err = of(c)
		return all, err
	}
	err = o.DB.EachCreditor(ctx, func(c models.Creditor, unreadable error) error {
		if unreadable != nil {
			return unreadable
		}
		return of(c)
	})
	return all, err
}
