package console

import (
	"context"

	"purr/models"
	"purr/store"
)

// runsPage lists the dunning runs and the missed dates, the newest first.
type runsPage struct {
	view
	Runs  []models.Run
	Pager pager
}

func (s *Server) runsPage(ctx context.Context, rq *request) (reply, error) {
	p := &runsPage{view: rq.view("runs.title")}
	before, err := rq.day("before", rq.today()+1)
	if err != nil {
		return reply{}, err
	}
	runs, err := s.db.RunsBefore(ctx, rq.creditor.ID, models.RunDunning, before, perPage+1)
	if err != nil {
		return reply{}, err
	}
	p.Runs = onPage(runs, &p.Pager, func(r models.Run) string { return p.With("before", r.BusinessDate.String()) })
	sum, err := s.db.RunSum(ctx, rq.creditor.ID, models.RunDunning)
	if err != nil {
		return reply{}, err
	}
	p.Lead = rq.summed("runs.lead", "runs.lead_many", sum)
	return show("runs", p)
}

// runPage shows one run.
type runPage struct {
	view
	Run models.Run
}

func (s *Server) runPage(ctx context.Context, rq *request) (reply, error) {
	id, err := rq.pathID("run")
	if err != nil {
		return reply{}, err
	}
	var run models.Run
	err = s.db.View(ctx, func(v store.View) error {
		run, err = v.Run(ctx, rq.creditor.ID, id)
		return err
	})
	if err != nil {
		return reply{}, err
	}
	if run.Kind != models.RunDunning {
		return reply{}, models.NotFound("dunning run")
	}
	return show("run", &runPage{rq.view("run.title", "date", run.BusinessDate), run})
}
