package audits

import (
	"context"
	"log/slog"
	"slices"
	"unicode/utf8"

	"purr/audit"
	"purr/audit/asked"
	"purr/law"
	"purr/models"
	"purr/store"
)

// together is how many invoices are judged with one set of questions, and kept with one transaction.
var together = 400

// Night audits what changed of a creditor since its last night, and some of its letters that did not change. What no night has found before is
// kept, with an event for each finding of law or rule. An invoice on which the law was not kept is put on hold. day is the business date
// of the creditor's night: what was audited on it is not audited again. A night on which nothing changed and nothing is found leaves no audit.
//
// It goes on where it was broken off, and two who do it at once find nothing twice. What cannot be read fails the audit, not the night: the next one
// tries again. It returns models.KindUnavailable if the database is away.
func Night(ctx context.Context, db *store.DB, base *law.Rules, log *slog.Logger, c models.Creditor, day models.Date) error {
	n := &night{DB: db, base: base, creditor: c, day: day}
	begun, err := n.begin(ctx)
	if err != nil || !begun {
		return err
	}
	if n.ids, err = n.concerned(ctx, n.row); err == nil {
		for err == nil && n.audit.State == models.AuditRunning {
			err = n.step(ctx)
		}
	}
	if err == nil {
		return nil
	}
	if ctx.Err() != nil || models.KindOf(err) == models.KindUnavailable {
		return err
	}
	log.Error("the audit of a night failed; the next night tries again", "creditor", c.ID, "audit", n.audit.ID, "error", err)
	return n.fail(ctx, err)
}

// night is the audit of one night.
type night struct {
	*store.DB

	base     *law.Rules
	creditor models.Creditor
	day      models.Date
	row      models.AuditNight
	audit    models.Audit
	ids      []int64 // of the invoices that it looks at, in order
	auditor  *audit.Auditor
}

// begin begins the night's audit, or finds the one that is not done. It returns false if there is nothing to do.
func (n *night) begin(ctx context.Context) (bool, error) {
	row, err := n.AuditNight(ctx, n.creditor.ID)
	if err != nil {
		return false, err
	}
	if row.AuditID == 0 && row.Day == n.day {
		return false, nil
	}
	needed := row.AuditID != 0
	if !needed {
		marks, changed, err := n.AuditMarksAfter(ctx, n.creditor.ID, row.Marks, n.Now())
		if err != nil {
			return false, err
		}
		if needed = changed; !needed {
			if needed, err = n.round(ctx, &row, marks); err != nil || !needed {
				return false, err
			}
		}
	}
	err = n.InTx(ctx, func(ctx context.Context, tx *store.Tx) error { return n.write(ctx, tx) })
	return n.row.AuditID != 0, err
}

// write writes the night's audit, unless another has written it. It sets row and audit; row has no audit if another has done it.
func (n *night) write(ctx context.Context, tx *store.Tx) (err error) {
	if n.row, err = tx.LockAuditNight(ctx, n.creditor.ID); err != nil {
		return err
	}
	if n.row.AuditID != 0 {
		n.audit, err = tx.Audit(ctx, n.creditor.ID, n.row.AuditID)
		return err
	}
	if n.row.Day == n.day {
		return nil
	}
	if n.row.UpTo, _, err = tx.AuditMarksAfter(ctx, n.creditor.ID, n.row.Marks, tx.Now); err != nil {
		return err
	}
	if _, n.row.RoundUpTo, err = tx.NoticesInTurn(ctx, n.creditor.ID, n.row.RoundID, models.RoundNotices); err != nil {
		return err
	}
	n.audit = models.Audit{CreditorID: n.creditor.ID, Night: n.day, State: models.AuditRunning}
	if err := tx.CreateAudit(ctx, &n.audit); err != nil {
		return err
	}
	n.row.AuditID, n.row.Day = n.audit.ID, n.day
	return tx.UpdateAuditNight(ctx, n.row)
}

// round looks at some letters of a night on which nothing changed, and keeps how far it came. It returns true if something is found there that
// no night has found: then an audit is needed.
func (n *night) round(ctx context.Context, row *models.AuditNight, marks models.AuditMarks) (bool, error) {
	ids, last, err := n.NoticesInTurn(ctx, n.creditor.ID, row.RoundID, models.RoundNotices)
	if err != nil {
		return false, err
	}
	slices.Sort(ids)
	for some := range slices.Chunk(slices.Compact(ids), together) {
		v, err := n.judge(ctx, some)
		if err != nil {
			return true, nil
		}
		if fresh, err := unknown(ctx, n.DB, n.creditor.ID, v.Findings); err != nil || len(fresh) > 0 {
			return true, err
		}
	}
	if row.Marks == marks && row.RoundID == last {
		return false, nil
	}
	return false, n.InTx(ctx, func(ctx context.Context, tx *store.Tx) error {
		locked, err := tx.LockAuditNight(ctx, n.creditor.ID)
		if err != nil || locked.Marks != row.Marks || locked.RoundID != row.RoundID || locked.AuditID != 0 {
			return err
		}
		locked.Marks, locked.RoundID = marks, last
		return tx.UpdateAuditNight(ctx, locked)
	})
}

// concerned returns the invoices that the night looks at: those of which something came after its marks, and those of its round.
func (n *night) concerned(ctx context.Context, row models.AuditNight) ([]int64, error) {
	ids, err := n.Patient().ChangedSince(ctx, n.creditor.ID, row.Marks)
	if err != nil {
		return nil, err
	}
	again, _, err := n.NoticesInTurn(ctx, n.creditor.ID, row.RoundID, models.RoundNotices)
	if err != nil {
		return nil, err
	}
	ids = append(ids, again...)
	slices.Sort(ids)
	return slices.Compact(ids), nil
}

func (n *night) judge(ctx context.Context, ids []int64) (v audit.Verdict, err error) {
	if n.auditor == nil {
		if n.auditor, err = audit.New(ctx, n.DB, n.base, n.creditor); err != nil {
			return v, err
		}
	}
	_, err = n.auditor.JudgeSome(ctx, 0, store.AuditFilter{InvoiceIDs: ids}, audit.Options{}, &v)
	return v, err
}

// step judges the next invoices, and keeps what came of it. If another did meanwhile, it keeps nothing.
func (n *night) step(ctx context.Context) error {
	was := n.audit
	from, found := slices.BinarySearch(n.ids, was.LastID)
	if found {
		from++
	}
	some := n.ids[from:min(len(n.ids), from+together)]
	var v audit.Verdict
	if len(some) > 0 {
		var err error
		if v, err = n.judge(ctx, some); err != nil {
			return err
		}
	}
	return n.InTx(ctx, func(ctx context.Context, tx *store.Tx) error {
		now, err := tx.LockAudit(ctx, was.CreditorID, was.ID)
		if err != nil {
			return err
		}
		if n.audit = now; now.State != models.AuditRunning || now.LastID != was.LastID {
			return nil
		}
		fresh, err := unknown(ctx, tx, was.CreditorID, v.Findings)
		if err != nil {
			return err
		}
		if len(some) > 0 {
			now.LastID = some[len(some)-1]
		}
		now.Letters, now.Checks, now.Unknown, now.Kinds = now.Letters+v.Letters, now.Checks+v.Checks, now.Unknown+v.Unknown, now.Kinds.With(v.Asked())
		if from+len(some) == len(n.ids) {
			if err := n.end(ctx, tx, true); err != nil {
				return err
			}
			now.State, now.DoneAt = models.AuditDone, &tx.Now
		}
		if now, err = n.keep(ctx, tx, now, fresh); err != nil {
			return err
		}
		n.audit = now
		return nil
	})
}

// end ends the night. What it looked at is not looked at again, unless it failed.
func (n *night) end(ctx context.Context, tx *store.Tx, done bool) error {
	row, err := tx.LockAuditNight(ctx, n.creditor.ID)
	if err != nil {
		return err
	}
	if done {
		row.Marks = row.UpTo
	}
	row.RoundID = row.RoundUpTo
	row.AuditID, row.UpTo, row.RoundUpTo = 0, models.AuditMarks{}, 0
	return tx.UpdateAuditNight(ctx, row)
}

// maxFailure is the most characters that are kept of why an audit failed.
const maxFailure = 500

// fail keeps that the audit failed.
func (n *night) fail(ctx context.Context, why error) error {
	return n.InTx(ctx, func(ctx context.Context, tx *store.Tx) error {
		now, err := tx.LockAudit(ctx, n.creditor.ID, n.audit.ID)
		if err != nil || now.State != models.AuditRunning {
			return err
		}
		if err := n.end(ctx, tx, false); err != nil {
			return err
		}
		now.State, now.DoneAt, now.Failure = models.AuditFailed, &tx.Now, why.Error()
		if utf8.RuneCountInString(now.Failure) > maxFailure {
			now.Failure = string([]rune(now.Failure)[:maxFailure])
		}
		return tx.PutAudit(ctx, now, nil)
	})
}

// rowsOf returns findings as the rows of the night's audit.
func (n *night) rowsOf(a models.Audit, found []audit.Finding) []models.AuditFinding {
	rows := asked.Rows(a, found)
	for i := range rows {
		rows[i].Night = a.Night
	}
	return rows
}
