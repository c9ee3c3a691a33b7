package api

import (
	"context"
	"encoding/xml"

	"purr/api/form"
	"purr/dunning"
	"purr/models"
	"purr/store"
)

// dunningRunXML is the automatic run of a business date, or a date that was missed (rule E6f).
type dunningRunXML struct {
	XMLName    xml.Name        `xml:"dunning_run"`
	URI        string          `xml:"uri,attr"`
	Date       models.Date     `xml:"date"`
	State      models.RunState `xml:"state"`
	Steps      int             `xml:"steps"`
	HeldBack   flag            `xml:"held_back"`
	CaughtUpBy *models.Date    `xml:"caught_up_by"` // of a missed date
	Ceiling    *int            `xml:"ceiling"`      // of one that waits, or has waited
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

func (s *Server) listDunningRuns(ctx context.Context, rq *request) (answer, error) {
	q := rq.query()
	p := q.page()
	if err := q.done(); err != nil {
		return answer{}, err
	}
	found, total, err := s.db.Runs(ctx, rq.creditor.ID, models.RunDunning, p)
	if err != nil {
		return answer{}, err
	}
	return listed("dunning_runs", p, found, total, rq.dunningRun)
}

func showDunningRun(ctx context.Context, rq *request, v store.View, id int64) (any, error) {
	run, err := v.Run(ctx, rq.creditor.ID, id)
	if err == nil && run.Kind != models.RunDunning {
		err = models.NotFound("dunning run")
	}
	return rq.dunningRun(run), err
}

// approveDunningRun lets the run in the path, which waits, go on.
func (s *Server) approveDunningRun(_ context.Context, rq *request, body []byte) (effect, error) {
	id, err := rq.pathID()
	if err != nil {
		return nil, err
	}
	if err := form.ParseEmpty(body, "approve"); err != nil {
		return nil, err
	}
	return func(ctx context.Context, tx *store.Tx) (answer, error) {
		run, err := dunning.ApproveRun(ctx, tx, rq.creditor, id, rq.actor())
		if err != nil {
			return answer{}, err
		}
		return ok(rq.dunningRun(run))
	}, nil
}
