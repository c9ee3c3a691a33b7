package api

import (
	"context"
	"net/http"

	"purr/api/schema"
)

// showSchema answers with the XML Schema of answers, or of requests where they are asked for (rule E9).
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
