package jobs

import (
	"context"
	"strconv"
	"time"

	"purr/audit/asked"
	"purr/jobs/tasks"
	"purr/models"
	"purr/store"
)

const kindAudit = "audit"

// auditKind does the audits that persons ask for (rule U5).
func auditKind() kind {
	return kind{
		name: kindAudit, queue: queueName, within: 6 * time.Hour, owes: store.RunningAudits, atOnce: true, sendsNone: true,
		do: func(w *Worker) handler { return handle(w.audit) },
		due: func(s *Scheduler, is owing) []owed {
			return when(is.there(kindAudit), each(s.dueAudits, auditTask))
		},
	}
}

// auditPayload names an audit.
type auditPayload struct{ CreditorID, AuditID int64 }

func auditTask(a models.Audit) tasks.Task {
	return auditKind().task(strconv.FormatInt(a.ID, 10), auditPayload{a.CreditorID, a.ID})
}

// audit does an audit from where it is.
//
// queued by: the sweep.
func (w *Worker) audit(ctx context.Context, p auditPayload) error {
	err := asked.Do(ctx, w.DB, w.Runs.Rules, p.CreditorID, p.AuditID)
	if models.KindOf(err) == models.KindUnavailable {
		w.Log.Warn("an audit waits until the database is back", "audit", p.AuditID, "error", err)
		return nil
	}
	return err
}

// dueAudits returns the audits that are not done.
func (s *Scheduler) dueAudits(ctx context.Context) ([]models.Audit, error) {
	return s.DB.AuditsToDo(ctx, sweepMost)
}
