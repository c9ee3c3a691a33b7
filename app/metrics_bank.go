package app

import (
	"context"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"purr/dunning"
)

// bankGauges reads from the store, when Prometheus asks, how the files come from the bank.
type bankGauges struct{ app *App }

var (
	filesLate = prometheus.NewDesc("purr_bank_files_late",
		"Creditors of whom no bank file reaches the last bank day. Their overdue notices wait (require_payment_file).", nil, nil)
	checkSuccess = prometheus.NewDesc("purr_bank_check_last_success_timestamp_seconds",
		"When the bank's folder was last looked into without failing, 0 for never.", []string{"folder"}, nil)
	checkFailures = prometheus.NewDesc("purr_bank_check_failures",
		"Looks into the bank's folder in a row that have failed.", []string{"folder"}, nil)
)

// Describe sends the descriptions of the gauges.
func (g *bankGauges) Describe(out chan<- *prometheus.Desc) {
	out <- filesLate
	out <- checkSuccess
	out <- checkFailures
}

// Collect sends the gauges as they stand. What cannot be asked is left out.
func (g *bankGauges) Collect(out chan<- prometheus.Metric) {
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	if late, err := dunning.CountLate(ctx, g.app.DB, g.app.Clock.Now()); err == nil {
		out <- prometheus.MustNewConstMetric(filesLate, prometheus.GaugeValue, float64(late))
	}
	if g.app.Bank == nil {
		return
	}
	folders, err := g.app.DB.BankFolders(ctx)
	if err != nil {
		return
	}
	name := g.app.Bank.Name()
	folder, success := folders[name], 0.0
	if folder.LastSuccess != nil {
		success = float64(folder.LastSuccess.Unix())
	}
	out <- prometheus.MustNewConstMetric(checkSuccess, prometheus.GaugeValue, success, name)
	out <- prometheus.MustNewConstMetric(checkFailures, prometheus.GaugeValue, float64(folder.Failures), name)
}
