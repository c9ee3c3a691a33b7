package api

import (
	"net/http"

	"github.com/prometheus/client_golang/prometheus"
)

// newDuration returns the histogram of how long requests take, in seconds.
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

// methodLabel keeps callers from making up labels.
func methodLabel(method string) string {
	switch method {
	case http.MethodGet, http.MethodHead, http.MethodPost, http.MethodPut, http.MethodDelete:
		return method
	}
	return "other"
}
