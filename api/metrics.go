package api

import (
	"log/slog"
	"net/http"
	"strconv"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"purr/api/guard"
)

// newDuration returns the histogram of the duration of requests, in seconds.
func newDuration(registry prometheus.Registerer) *prometheus.HistogramVec {
	h := prometheus.NewHistogramVec(prometheus.HistogramOpts{
		Name:    "purr_http_request_duration_seconds",
		Help:    "How long requests took until they were answered.",
		Buckets: []float64{.001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 10},
	}, []string{"method", "route", "status"})
	if registry != nil {
		registry.MustRegister(h)
	}
	return h
}

// record writes the end of a request to the log and the metrics. It leaves out keys, names and queries.
func (s *Server) record(rq *request, a answer, took time.Duration) {
	level := slog.LevelInfo
	attrs := []slog.Attr{
		slog.String("id", rq.id), slog.String("method", guard.MethodLabel(rq.r.Method)), slog.String("route", rq.route), slog.Int("status", a.status),
		slog.Duration("took", took), slog.Int64("creditor", rq.creditor.ID), slog.Int64("key", rq.key.ID),
	}
	if a.code != "" {
		attrs = append(attrs, slog.String("code", a.code))
	}
	if a.status >= http.StatusInternalServerError {
		level = slog.LevelError
		attrs = append(attrs, slog.Any("error", a.err))
		if rq.r.Context().Err() != nil {
			level = slog.LevelInfo // the caller is gone, which broke off the work
		}
	}
	s.cfg.Log.LogAttrs(rq.r.Context(), level, "request", attrs...)
	s.duration.WithLabelValues(guard.MethodLabel(rq.r.Method), rq.route, strconv.Itoa(a.status)).Observe(took.Seconds())
}
