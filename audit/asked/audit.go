package asked

import (
	"context"
	"unicode/utf8"

	"purr/audit"
	"purr/law"
	"purr/models"
	"purr/store"
)

// Request is what a person asks to have audited: the zero value is every letter of the creditor.
type Request struct {
	CustomerID int64 // only this customer's letters; zero for all
	From, To   models.Date
	Actor      string
}

// Validate returns what is wrong with the request by itself: the code invalid_period if the days are the wrong way round.
func (r Request) Validate() (faults models.Errors) {
	if r.From != 0 && r.To != 0 && r.To < r.From {
		faults.Add("invalid_period", "to", "must not be before from")
	}
	return faults
}

// Start starts an audit of the creditor's letters. The task that does it is owed from then on. It fails with the conflict audit_running while
// another of the creditor's is not done (rule U12), with invalid_period if the days are the wrong way round, and with not found for a customer who is
// not the creditor's.
func Start(ctx context.Context, tx *store.Tx, creditorID int64, r Request) (models.Audit, error) {
	a := models.Audit{CreditorID: creditorID, CustomerID: r.CustomerID, From: r.From, To: r.To, AskedBy: r.Actor, State: models.AuditRunning}
	if err := r.Validate().ErrorOrNil(); err != nil {
		return a, err
	}
	if _, err := tx.LockCreditor(ctx, creditorID); err != nil {
		return a, err
	}
	if r.CustomerID != 0 {
		_, err := tx.Customer(ctx, creditorID, r.CustomerID)
		if models.KindOf(err) == models.KindNotFound {
			return a, models.NotFound("customer").Under(models.At("customer_id"))
		}
		if err != nil {
			return a, err
		}
	}
	running, is, err := tx.RunningAudit(ctx, creditorID)
	if err != nil {
		return a, err
	}
	if is {
		return a, models.Conflict("audit_running", "audit %d of the creditor is not done: wait until it is", running.ID)
	}
	if a.InAll, err = tx.AuditedLetters(ctx, creditorID, filter(a)); err != nil {
		return a, err
	}
	return a, tx.CreateAudit(ctx, &a)
}

func filter(a models.Audit) store.AuditFilter {
	return store.AuditFilter{CustomerID: a.CustomerID, Letters: store.Dates{From: a.From, To: a.To}}
}

// Do does an audit from where it is to its end. Each part of it is kept with what it found, so that it goes on there when it is broken off, and
// two who do it at once find nothing twice. What cannot be read fails it; it returns that error as well. It returns models.KindUnavailable if the
// database is away: then the audit is still to be done.
func Do(ctx context.Context, db *store.DB, base *law.Rules, creditorID, id int64) error {
	return do(ctx, db, base, creditorID, id, 0)
}

// do is Do, of so many invoices at a time; zero for some hundreds.
func do(ctx context.Context, db *store.DB, base *law.Rules, creditorID, id int64, most int) error {
	a, err := db.Audit(ctx, creditorID, id)
	if err != nil {
		return err
	}
	for a.State == models.AuditRunning {
		if a, err = step(ctx, db, base, a, most); err != nil {
			return fail(ctx, db, a, err)
		}
	}
	return nil
}

// step judges the next invoices of an audit, and keeps what came of it. If another did meanwhile, it keeps nothing. It returns the audit as it is
// now.
func step(ctx context.Context, db *store.DB, base *law.Rules, was models.Audit, most int) (models.Audit, error) {
	c, err := db.Creditor(ctx, was.CreditorID)
	if err != nil {
		return was, err
	}
	auditor, err := audit.New(ctx, db, base, c)
	if err != nil {
		return was, err
	}
	var v audit.Verdict
	last, err := auditor.JudgeSome(ctx, was.LastID, filter(was), audit.Options{Most: most}, &v)
	if err != nil {
		return was, err
	}
	now := was
	err = db.InTx(ctx, func(ctx context.Context, tx *store.Tx) error {
		if now, err = tx.LockAudit(ctx, was.CreditorID, was.ID); err != nil || now.State != models.AuditRunning || now.LastID != was.LastID {
			return err
		}
		now.LastID = last
		if last == 0 {
			now.State, now.LastID, now.DoneAt = models.AuditDone, was.LastID, &tx.Now
		}
		now.Letters, now.Checks, now.Unknown = now.Letters+v.Letters, now.Checks+v.Checks, now.Unknown+v.Unknown
		now.Kinds, now.Findings, now.Back = now.Kinds.With(v.Asked()), now.Findings+int64(len(v.Findings)), now.Back+v.Back()
		return tx.PutAudit(ctx, now, Rows(now, v.Findings))
	})
	return now, err
}

// Rows returns findings of an audit as rows to be kept.
func Rows(a models.Audit, found []audit.Finding) []models.AuditFinding {
	rows := make([]models.AuditFinding, len(found))
	for i, f := range found {
		rows[i] = models.AuditFinding{
			AuditID: a.ID, CreditorID: f.CreditorID, CustomerID: f.CustomerID, InvoiceID: f.InvoiceID, Invoice: f.Invoice, NoticeID: f.NoticeID, HandOverID: f.HandOverID,
			Class: models.FindingClass(f.Class()), Code: f.Code.String(), Rows: f.Rows, Expected: f.Expected, Found: f.Found, BackFee: f.Back.Fee, BackInterest: f.Back.Interest,
		}
	}
	return rows
}

// maxFailure is the most characters that are kept of why an audit failed.
const maxFailure = 500

// fail keeps that an audit failed, and returns why. One that the database was away from, or that was broken off, goes on later.
func fail(ctx context.Context, db *store.DB, a models.Audit, why error) error {
	if ctx.Err() != nil || models.KindOf(why) == models.KindUnavailable {
		return why
	}
	err := db.InTx(ctx, func(ctx context.Context, tx *store.Tx) error {
		now, err := tx.LockAudit(ctx, a.CreditorID, a.ID)
		if err != nil || now.State != models.AuditRunning {
			return err
		}
		now.State, now.DoneAt, now.Failure = models.AuditFailed, &tx.Now, why.Error()
		if utf8.RuneCountInString(now.Failure) > maxFailure {
			now.Failure = string([]rune(now.Failure)[:maxFailure])
		}
		return tx.PutAudit(ctx, now, nil)
	})
	if err != nil {
		return err
	}
	return why
}
