package api

import (
	"net/http"
	"strings"

	"go.opentelemetry.io/otel/attribute"

	"purr/api/guard"
)

// traced begins to tell of a request of the interface (rule K7), and returns what tells of its end. The questions of a service manager, whether
// the program is well, are not told.
func (s *Server) traced(r *http.Request, route string) (traced *http.Request, end func(rq *request, a answer)) {
	if !strings.HasPrefix(route, "/api/v1") {
		return r, func(*request, answer) {}
	}
	r, span := s.cfg.Traces.Request(r, guard.MethodLabel(r.Method), route)
	return r, func(rq *request, a answer) {
		span.Set(attribute.Int("http.response.status_code", a.status), attribute.String("purr.request", rq.id), attribute.Int64("purr.creditor", rq.creditor.ID))
		if a.status < http.StatusInternalServerError {
			a.err = nil // a refusal is no failure of the program
		}
		span.End(a.err)
	}
}
