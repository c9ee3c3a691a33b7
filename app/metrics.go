package app

import (
	"context"
	"net/http"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"
)

// metrics returns the page for Prometheus (rule E9): the process, the queue, and what waits for a person.
func (a *App) metrics(registry *prometheus.Registry) http.Handler {
	registry.MustRegister(collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}), &gauges{app: a})
	return promhttp.HandlerFor(registry, promhttp.HandlerOpts{ErrorLog: nil, ErrorHandling: promhttp.ContinueOnError})
}

// gauges reads the queue and the store when Prometheus asks.
type gauges struct{ app *App }

var (
	queueTasks = prometheus.NewDesc("purr_queue_tasks", "Tasks in the queue, by state. Archived ones failed for good and wait for a person.", []string{"state"}, nil)
	waiting    = prometheus.NewDesc("purr_waiting_for_a_person", "Things that only a person can bring further, by kind.", []string{"kind"}, nil)
)

// Describe sends the descriptions of the gauges.
func (g *gauges) Describe(out chan<- *prometheus.Desc) {
	out <- queueTasks
	out <- waiting
}

// Collect sends the gauges as they stand. What cannot be asked is left out.
func (g *gauges) Collect(out chan<- prometheus.Metric) {
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	if depth, err := g.app.Queue.Depth(); err == nil {
		for state, n := range map[string]int{"waiting": depth.Waiting, "active": depth.Active, "retry": depth.Retrying, "archived": depth.Archived} {
			out <- prometheus.MustNewConstMetric(queueTasks, prometheus.GaugeValue, float64(n), state)
		}
	}
	if counts, err := g.app.DB.WaitingForPerson(ctx); err == nil {
		for kind, n := range counts {
			out <- prometheus.MustNewConstMetric(waiting, prometheus.GaugeValue, float64(n), kind)
		}
	}
}
