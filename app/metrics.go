package app

import (
	"context"
	"net/http"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"purr/models"
)

// metrics returns the page for Prometheus (rule E9): the process, the queue, and what waits for a person.
func (a *App) metrics(registry *prometheus.Registry) http.Handler {
	registry.MustRegister(collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}), &gauges{app: a}, &bankGauges{app: a})
	return promhttp.HandlerFor(registry, promhttp.HandlerOpts{ErrorLog: nil, ErrorHandling: promhttp.ContinueOnError})
}

// gauges reads the queue and the store when Prometheus asks.
type gauges struct{ app *App }

var (
	queueTasks = prometheus.NewDesc("purr_queue_tasks", "Tasks in the queue, by state. Archived ones failed for good and wait for a person.", []string{"state"}, nil)
	waiting    = prometheus.NewDesc("purr_waiting_for_a_person", "Things that only a person can bring further, by kind.", []string{"kind"}, nil)
	gaps       = prometheus.NewDesc("purr_payment_file_gaps", "Transmissions of the bank that were skipped, and have neither come since nor been dismissed.", nil, nil)
)

// known is the gauge of the figures of the law (rule E6h).
var known = prometheus.NewDesc("purr_dunning_rules_known_days",
	"For how many days more a figure of the law is known that dunning reckons with, by kind. Below 28 it is time to set the next one.", []string{"kind"}, nil)

// Describe sends the descriptions of the gauges.
func (g *gauges) Describe(out chan<- *prometheus.Desc) {
	out <- queueTasks
	out <- waiting
	out <- known
	out <- gaps
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
	if n, err := g.app.DB.CountMissingTransmissions(ctx); err == nil {
		out <- prometheus.MustNewConstMetric(gaps, prometheus.GaugeValue, float64(n))
	}
	if rules, err := g.app.RulesFor(ctx, 0); err == nil {
		today := models.DateOf(g.app.Clock.Now())
		for _, h := range rules.Expiries(today) {
			days := float64(h.Until - today)
			if h.Value == "" {
				days = 0 // there has been none
			}
			out <- prometheus.MustNewConstMetric(known, prometheus.GaugeValue, days, string(h.Kind))
		}
	}
}
