package amends

import (
	"context"
	"maps"
	"slices"

	"purr/audit"
	"purr/law"
	"purr/models"
)

// Amend is what there is to put right on one invoice, by what the rows say now. An amend with neither sums nor warnings nor a hand-over is none.
type Amend struct {
	Invoice  models.Invoice
	Fee      models.Amount // in øre, to be taken off fees and compensation
	Interest models.Amount // in øre, to be taken off interest
	Warnings []models.Notice
	HandOver bool // the claim is to come back from the debt collector
	Wrongs   []Wrong
}

// Wrong is a finding that still holds, with what comes back for it.
type Wrong struct {
	Finding       audit.Finding
	Fee, Interest models.Amount // in øre
}

// Back returns what comes back.
func (a Amend) Back() models.Amount { return a.Fee + a.Interest }

// None reports whether there is nothing to put right.
func (a Amend) None() bool { return a.Back() == 0 && len(a.Warnings) == 0 && !a.HandOver }

// place is what a finding is of.
type place struct{ notice, handOver int64 }

// question is a kind of question, asked of a place.
type question struct {
	code string
	of   place
}

// of returns what there is to put right on some invoices, by their IDs, of what an audit found and kept of each, by what their rows say now. No
// more comes back for a notice than the audit had found, or than stands now.
func of(ctx context.Context, from audit.Reader, base *law.Rules, c models.Creditor, kept map[int64][]models.AuditFinding) (map[int64]Amend, error) {
	auditor, err := audit.New(ctx, from, base, c)
	if err != nil {
		return nil, err
	}
	cases, err := auditor.Cases(ctx, slices.Sorted(maps.Keys(kept))...)
	if err != nil {
		return nil, err
	}
	all := make(map[int64]Amend, len(cases))
	for _, one := range cases {
		var now audit.Verdict
		now.Judge(one, audit.Options{})
		all[one.Invoice.ID] = amendOf(one, kept[one.Invoice.ID], now.Findings)
	}
	return all, nil
}

func amendOf(c *audit.Case, kept []models.AuditFinding, now []audit.Finding) Amend {
	a := Amend{Invoice: c.Invoice}
	most := map[place]audit.Charges{}
	known := map[question]bool{}
	for _, f := range kept {
		p := place{f.NoticeID, f.HandOverID}
		m := most[p]
		most[p] = audit.Charges{Fee: m.Fee + f.BackFee, Interest: m.Interest + f.BackInterest}
		known[question{f.Code, p}] = true
	}
	for _, f := range now {
		p := place{f.NoticeID, f.HandOverID}
		m := most[p]
		w := Wrong{Finding: f, Fee: min(f.Back.Fee, m.Fee), Interest: min(f.Back.Interest, m.Interest)}
		most[p] = audit.Charges{Fee: m.Fee - w.Fee, Interest: m.Interest - w.Interest}
		groundless := known[question{f.Code.String(), p}] && a.ends(c, f)
		if w.Fee+w.Interest > 0 || groundless {
			a.Fee, a.Interest, a.Wrongs = a.Fee+w.Fee, a.Interest+w.Interest, append(a.Wrongs, w)
		}
	}
	slices.SortFunc(a.Warnings, func(x, y models.Notice) int { return x.Sequence - y.Sequence })
	return a
}

// ends notes what a finding ends: a warning in force that should not have been sent, and the hand-over that was made on it or was unlawful itself.
// It reports whether it ends anything.
func (a *Amend) ends(c *audit.Case, f audit.Finding) bool {
	if !f.Groundless() {
		return false
	}
	out := c.Invoice.HandedOver != 0
	if f.HandOverID != 0 {
		last := c.HandOvers[len(c.HandOvers)-1]
		if out = out && f.HandOverID == last.ID; out {
			a.HandOver = true
		}
		return out
	}
	i := slices.IndexFunc(c.Notices, func(n audit.Notice) bool { return n.ID == f.NoticeID })
	if i < 0 || !c.Notices[i].Warning || c.Notices[i].Withdrawn != 0 {
		return false
	}
	if !slices.ContainsFunc(a.Warnings, func(n models.Notice) bool { return n.ID == f.NoticeID }) {
		a.Warnings = append(a.Warnings, c.Notices[i].Notice)
	}
	a.HandOver = a.HandOver || out
	return true
}
