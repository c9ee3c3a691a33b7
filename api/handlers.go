package api

import (
	"context"
	"fmt"

	"purr/api/form"
	"purr/models"
	"purr/store"
)

// The handlers of resources have few forms, one for each method: show for GET (listed for lists), act and once for
// POST, change for PUT, delete for DELETE.

// showing reads one resource of the key's creditor and returns its detail.
type showing func(ctx context.Context, rq *request, v store.View, id int64) (any, error)

// show answers with the detail of the resource in the path. It reads everything as of one moment.
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
		return rq.ok(shown)
	}
}

// reading reads one row of a creditor.
type reading[R any] func(v store.View, ctx context.Context, creditorID, id int64) (R, error)

// row shows a resource that is one row of the database.
func row[R, T any](read reading[R], detail func(rq *request, r R) T) showing {
	return whole(read, func(rq *request, _ context.Context, _ store.View, r R) (T, error) { return detail(rq, r), nil })
}

// whole shows a resource together with the rows that belong to it. The function detail reads those rows.
func whole[R, T any](read reading[R], detail func(rq *request, ctx context.Context, v store.View, r R) (T, error)) showing {
	return func(ctx context.Context, rq *request, v store.View, id int64) (any, error) {
		r, err := read(v, ctx, rq.creditor.ID, id)
		if err != nil {
			return nil, err
		}
		return detail(rq, ctx, v, r)
	}
}

// acting reads a request and returns the act that it asks for. The id is the one in the path, zero if the path has
// none.
type acting func(rq *request, id int64, body form.Body) (act, error)

// act does what a request asks for, in a transaction, and returns the detail of the resource. A transaction that fails
// may be tried again, so an act may run several times.
type act func(ctx context.Context, tx *store.Tx) (any, error)

// act is the handler of a POST that acts on the resource in the path.
func (s *Server) act(read acting) handler {
	return s.once(func(_ context.Context, rq *request, id int64, body form.Body) (effect, error) {
		do, err := read(rq, id, body)
		if err != nil {
			return nil, err
		}
		return do.effect(rq), nil
	})
}

// effect does the act and answers with the detail.
func (do act) effect(rq *request) effect {
	return func(ctx context.Context, tx *store.Tx) (answer, error) {
		shown, err := do(ctx, tx)
		if err != nil {
			return answer{}, err
		}
		if err := rq.agrees(shown); err != nil {
			return answer{}, err
		}
		return rq.ok(shown)
	}
}

// change is the handler of a PUT.
func (s *Server) change(read acting) handler {
	return func(ctx context.Context, rq *request) (answer, error) {
		id, err := rq.pathID()
		if err != nil {
			return answer{}, err
		}
		body, err := rq.readBody()
		if err != nil {
			return answer{}, err
		}
		do, err := read(rq, id, body)
		if err != nil {
			return answer{}, err
		}
		return rq.timed(ctx, func(ctx context.Context) (answer, error) { return s.perform(ctx, nil, do.effect(rq)) })
	}
}

// delete is the handler of a DELETE. The function remove deletes the resource with the ID in the path.
func (s *Server) delete(remove func(ctx context.Context, tx *store.Tx, rq *request, id int64) error) handler {
	return func(ctx context.Context, rq *request) (answer, error) {
		id, err := rq.pathID()
		if err != nil {
			return answer{}, err
		}
		if err := s.db.InTx(ctx, func(ctx context.Context, tx *store.Tx) error { return remove(ctx, tx, rq, id) }); err != nil {
			return answer{}, err
		}
		return noContent(), nil
	}
}

// finder returns the document with an ID, and the number in the names of its files.
type finder func(ctx context.Context, rq *request, id int64) (models.Document, int64, error)

// pdf answers with the PDF of the document in the path (rule D35).
func (s *Server) pdf(find finder) handler {
	return s.kept(find, s.cfg.Documents.PDF, "application/pdf", "pdf")
}

// ehf answers with the document in the path as EHF (rule H2). A document that would break rules is refused, with a fault for
// each.
func (s *Server) ehf(find finder) handler {
	return s.kept(find, s.cfg.Documents.EHF, "application/xml", "xml")
}

// kept answers with a document in a form in which it is made once and kept.
func (s *Server) kept(find finder, read func(ctx context.Context, creditorID int64, d models.Document) ([]byte, error), media, suffix string) handler {
	return func(ctx context.Context, rq *request) (answer, error) {
		id, err := rq.pathID()
		if err != nil {
			return answer{}, err
		}
		d, number, err := find(ctx, rq, id)
		if err != nil {
			return answer{}, err
		}
		data, err := read(ctx, rq.creditor.ID, d)
		if err != nil {
			return answer{}, err
		}
		return file(media, "inline", fmt.Sprintf("%s-%d.%s", d.Kind, number, suffix), data), nil
	}
}
