package audit

import (
	"context"
	"slices"
	"time"

	"purr/audit/reckoning"
	"purr/models"
	"purr/store"
)

// bankDay is the bank day that the bank's files should have reached for a notice, and what the rows say of it (rule E6b).
type bankDay struct {
	day   models.Date // zero if nobody asks: no policy asks for files, or none ever came
	late  bool
	known bool // the rows say whether they were late
}

// moreDays is how many days after a notice a file may reach that came before it: banks date some payments ahead.
const moreDays = 31

// bank finds out for the notices of some cases whether the bank's files were late on their days. What was issued anew did not ask again.
func (a *Auditor) bank(ctx context.Context, cases []*Case) error {
	var asking []*Notice
	var days store.Dates
	for _, c := range cases {
		for i := range c.Notices {
			n := &c.Notices[i]
			if p, sure := c.policyAt(n.CreatedAt); !n.automatic() || n.Adopted || !sure || !p.RequirePaymentFile || c.issuedAnew(n) {
				continue
			}
			n.files.day = reckoning.LastBankDay(n.IssueDate)
			if asking = append(asking, n); days.From == 0 || n.files.day < days.From {
				days.From = n.files.day
			}
			days.To = max(days.To, n.IssueDate+moreDays)
		}
	}
	if len(asking) == 0 {
		return nil
	}
	files, err := a.from.AuditBankFiles(ctx, a.of.ID, days)
	if err != nil {
		return err
	}
	asking = slices.DeleteFunc(asking, func(n *Notice) bool {
		n.files.known = slices.ContainsFunc(files, func(f store.BankFile) bool {
			return f.Latest >= n.files.day && !surelyBefore(n.CreatedAt, f.ReceivedAt)
		})
		return n.files.known
	})
	if len(asking) == 0 {
		return nil
	}
	words, err := a.from.AuditBankWords(ctx, a.of.ID, days)
	if err != nil {
		return err
	}
	for _, n := range asking {
		a.of.silence(n, words)
	}
	return nil
}

// silence says whether the bank's files were late for a notice that no file had reached. A poll of the bank's folder that found nothing new is as good
// as a file, unless a file was rejected; of polls that are no longer known nobody can say.
func (c *Creditor) silence(n *Notice, words store.BankWords) {
	then := func(at time.Time) bool { return !surelyBefore(n.CreatedAt, at) }
	if words.First == nil || !surelyBefore(*words.First, n.CreatedAt) {
		n.files.day = 0
		return
	}
	confirmed := slices.ContainsFunc(words.Confirmed, func(w models.BankConfirmation) bool { return w.BankDay >= n.files.day && then(w.CreatedAt) })
	polled := slices.ContainsFunc(words.Polled, func(at time.Time) bool { return c.day(at) > n.files.day && then(at) })
	rejected := slices.ContainsFunc(words.Rejected, func(at time.Time) bool { return c.day(at) >= n.files.day && then(at) })
	switch {
	case confirmed, polled && !rejected:
		n.files.known = true
	case polled, words.Since != nil && c.day(*words.Since) > n.files.day:
	default:
		n.files.known, n.files.late = true, true
	}
}

// issuedAnew reports whether a notice repeats a step that was taken before.
func (c *Case) issuedAnew(n *Notice) bool {
	return slices.ContainsFunc(c.Notices, func(o Notice) bool { return o.ID < n.ID && o.Sequence == n.Sequence })
}

// fresh asks whether the bank's files had reached the last bank day before the notice, where the policy asks for that (rule E6b).
func (j *judge) fresh() {
	switch f := j.notice.files; {
	case f.day == 0:
	case !f.known:
		j.unknown(filesLate)
	default:
		j.ask(filesLate, !f.late, "", f.day)
	}
}
