package api

import (
	"context"
	"net/http"

	"purr/api/schema"
)

// Paths that need no key.

// healthy tells that the process runs (rule E9).
func (s *Server) healthy(context.Context, *request) (answer, error) {
	return answer{status: http.StatusOK, contentType: "text/plain; charset=utf-8", body: []byte("ok\n")}, nil
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

// showOpenAPI shows the interface as an OpenAPI document (rule J3).
func (s *Server) showOpenAPI(context.Context, *request) (answer, error) {
	text, err := s.described()
	if err != nil {
		return answer{}, err
	}
	return answer{status: http.StatusOK, contentType: contentJSON, body: text}, nil
}
