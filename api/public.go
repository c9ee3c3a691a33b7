package api

import (
	"context"
	"net/http"
	"sync"
	"time"

	"purr/api/schema"
	"purr/models"
)

// Paths that need no key.

// checkTimeout is how long one check may take.
const checkTimeout = 5 * time.Second

// healthy tells that the process runs (rule E9).
func (s *Server) healthy(context.Context, *request) (answer, error) {
	return answer{status: http.StatusOK, contentType: "text/plain; charset=utf-8", body: []byte("ok\n")}, nil
}

// ready tells whether purr can serve requests, and names the parts that do not answer (rule E9). It says so if the
// installation is held, which can be read (rule O3).
func (s *Server) ready(ctx context.Context, rq *request) (answer, error) {
	ctx, cancel := context.WithTimeout(ctx, checkTimeout)
	defer cancel()
	failures := make([]error, len(s.cfg.Checks))
	var asking sync.WaitGroup
	for i, check := range s.cfg.Checks {
		asking.Go(func() { failures[i] = check.Ask(ctx) })
	}
	asking.Wait()
	var away models.Errors
	for i, err := range failures {
		if name := s.cfg.Checks[i].Name; err != nil {
			away = append(away, &models.Error{Kind: models.KindUnavailable, Code: "unavailable", Field: name, Msg: name + " does not answer", Err: err})
		}
	}
	if len(away) > 0 {
		return answer{}, away
	}
	hold, held, err := s.db.Hold(ctx)
	if err != nil {
		return answer{}, err
	}
	if held {
		text := "held: " + hold.Reason + "; purr restore accept ends that\n"
		return answer{status: http.StatusOK, contentType: "text/plain; charset=utf-8", body: []byte("ok\n" + text)}, nil
	}
	return s.healthy(ctx, rq)
}

// showSchema shows the XML Schema of answers, or that of requests (rule E9).
func (s *Server) showSchema(_ context.Context, rq *request) (answer, error) {
	q := rq.query()
	shown := schema.Answers()
	switch of, sent := q.text("of"); {
	case !sent || of == "answers":
	case of == "requests":
		shown = schema.Requests()
	default:
		q.fault("unknown_schema", "of", "must be answers or requests")
	}
	if err := q.done(); err != nil {
		return answer{}, err
	}
	return answer{status: http.StatusOK, body: shown}, nil
}
