package api

import (
	"context"
	"encoding/xml"

	"purr/api/form"
	"purr/dunning"
	"purr/models"
	"purr/store"
)

// dunningRunXML is the automatic run of a business date, or a date that had no run (rule E6f).
type dunningRunXML struct {
	XMLName    xml.Name        `xml:"dunning_run"`
	URI        string          `xml:"uri,attr"`
	Date       models.Date     `xml:"date"`
	State      models.RunState `xml:"state"`
	Steps      int             `xml:"steps"`
	HeldBack   flag            `xml:"held_back"`
	CaughtUpBy *models.Date    `xml:"caught_up_by"` // the date whose run did the work of a missed date
	Ceiling    *int            `xml:"ceiling"`      // only for a run that waits or waited for approval
	ApprovedBy string          `xml:"approved_by,omitempty"`
	ApprovedAt string          `xml:"approved_at,omitempty"`
}

func (rq *request) dunningRun(r models.Run) dunningRunXML {
	x := dunningRunXML{
		URI: rq.uri("dunning_run", r.ID), Date: r.BusinessDate, State: r.State, Steps: r.Done, HeldBack: flag(r.HeldBack), ApprovedBy: r.ApprovedBy,
	}
	if r.CaughtUpBy != 0 {
		x.CaughtUpBy = &r.CaughtUpBy
	}
	if r.State == models.RunWaiting || r.ApprovedAt != nil {
		x.Ceiling = &r.Ceiling
	}
	if r.ApprovedAt != nil {
		x.ApprovedAt = rq.stamp(*r.ApprovedAt)
	}
	return x
}

// listDunningRuns lists the automatic runs and the missed dates.
func (s *Server) listDunningRuns(ctx context.Context, rq *request) (answer, error) {
	return listed("dunning_runs", rq.query(), rq.dunningRun, func(p store.Page) ([]models.Run, int64, error) {
		return s.db.Runs(ctx, rq.creditor.ID, models.RunDunning, p)
	})
}

// showDunningRun shows an automatic run or a missed date.
func showDunningRun(ctx context.Context, rq *request, v store.View, id int64) (any, error) {
	run, err := v.Run(ctx, rq.creditor.ID, id)
	if err != nil {
		return nil, err
	}
	if run.Kind != models.RunDunning {
		return nil, models.NotFound("dunning run")
	}
	return rq.dunningRun(run), nil
}

// approveDunningRun approves a run that is above the ceiling, so that it goes on. With steps, it does so only if the run would
// still take as many steps as the caller has seen in the plan; otherwise the answer is 409 `plan_changed` with the number of now.
func (s *Server) approveDunningRun(rq *request, id int64, body form.Body) (act, error) {
	steps, err := readApproval(body)
	if err != nil {
		return nil, err
	}
	return func(ctx context.Context, tx *store.Tx) (any, error) {
		run, err := dunning.ApproveRun(ctx, tx, s.cfg.Rules, rq.creditor, dunning.Approval{RunID: id, Steps: steps, Actor: rq.actor()})
		if err != nil {
			return nil, err
		}
		return rq.dunningRun(run), nil
	}, nil
}

// readApproval reads how many steps the caller has seen, or nil if the request does not say.
func readApproval(body form.Body) (*int, error) {
	if body.Empty() {
		return nil, nil //nolint:nilnil // nothing was said
	}
	f, err := form.Parse(body, "approve")
	if err != nil {
		return nil, err
	}
	var steps *int
	if n, sent := f.Integer("steps"); sent {
		steps = &n
	}
	return steps, f.Done(nil)
}
