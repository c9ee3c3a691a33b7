package api

import (
	"context"

	"purr/store"
)

// showing reads one resource of the key's creditor and returns its detail.
type showing func(ctx context.Context, rq *request, v store.View, id int64) (any, error)

// show answers with the detail of the resource in the path, all of it as of one moment.
func (s *Server) show(detail showing) handler {
	return func(ctx context.Context, rq *request) (answer, error) {
		id, err := rq.pathID()
		if err != nil {
			return answer{}, err
		}
		var shown any
		err = s.db.View(ctx, func(v store.View) error {
			shown, err = detail(ctx, rq, v, id)
			return err
		})
		if err != nil {
			return answer{}, err
		}
		return ok(shown)
	}
}

// removed has an act remove what has the ID in the path.
func (s *Server) removed(
	ctx context.Context, rq *request, act func(ctx context.Context, tx *store.Tx, creditorID, id int64, actor string) error,
) (answer, error) {
	id, err := rq.pathID()
	if err != nil {
		return answer{}, err
	}
	if err := s.db.InTx(ctx, func(tx *store.Tx) error { return act(ctx, tx, rq.creditor.ID, id, rq.actor()) }); err != nil {
		return answer{}, err
	}
	return noContent(), nil
}
