package app

import (
	"context"
	"net/http"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"purr/dunning"
	"purr/internal/clock"
	"purr/internal/disk"
	"purr/jobs"
	"purr/models"
	"purr/store"
	"purr/store/archive"
)

// metrics returns the page for Prometheus (rule E9): the process, the queue, and the work that waits for a person.
func (a *App) metrics(registry *prometheus.Registry, cfg Settings) http.Handler {
	registry.MustRegister(collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}),
		&gauges{app: a, data: cfg.Data, leastFree: cfg.Archive.MinFree})
	return promhttp.HandlerFor(registry, promhttp.HandlerOpts{ErrorLog: nil, ErrorHandling: promhttp.ContinueOnError})
}

// gauges reads the queue and the store when Prometheus asks.
type gauges struct {
	app       *App
	data      string // the folder
	leastFree int64  // bytes of its disk, below which no file is taken

	mu        sync.Mutex
	shipments map[models.ShipmentState]int64
	counted   time.Time // the shipments; zero for never
}

// shipmentsFresh is for how long a count of the shipments is shown: it reads a row of an index for each.
const shipmentsFresh = 5 * time.Minute

var (
	buildInfo  = gauge("purr_build_info", "Which build of purr this is. Its value is 1.", "version", "commit", "goversion", "schema")
	queueTasks = gauge("purr_queue_tasks", "Tasks in the queue, by state. Archived ones failed for good and wait for a person.", "state")
	waiting    = gauge("purr_waiting_for_a_person", "Things that only a person can bring further, by kind.", "kind")
	gaps       = gauge("purr_payment_file_gaps", "Transmissions of the bank that were skipped, and have neither come since nor been dismissed.")
	known      = gauge("purr_dunning_rules_known_days",
		"For how many days more a figure of the law is known that dunning reckons with, by kind. Below 28 it is time to set the next one.", "kind")
	filesLate = gauge("purr_bank_files_late",
		"Creditors of whom no bank file reaches the last bank day. Their overdue notices wait (require_payment_file).")
	owedAge      = gauge("purr_oldest_owed_seconds", "For how long the oldest thing that is owed has waited, by kind; 0 if none is owed.", "kind")
	lastRun      = gauge("purr_last_run_timestamp_seconds", "When the latest finished run of a kind began. The run verify proves the books each night.", "kind")
	lastBankFile = gauge("purr_last_bank_file_timestamp_seconds", "When the latest payment file that was imported came.")
	byState      = gauge("purr_shipments", "Shipments, by state. Counted every 5 minutes.", "state")
	degraded     = gauge("purr_creditors_degraded", "Creditors for whom alone work fails, such as their runs. Their events say why.")
	findings     = gauge("purr_audit_findings", "What the audits of nights have found and nobody has settled, by class: law (on Today), and rule and doubt of the last 30 days.", "class")
	paused       = gauge("purr_ways_paused", "For how many creditors what goes by a method waits, since the way out refuses.", "method")
	lastBackup   = gauge("purr_backup_timestamp_seconds", "When the last backup that is whole was made, 0 for never.")
	diskFree     = gauge("purr_disk_free_bytes", "Room on the disk of this part's data folder.")
	diskLeast    = gauge("purr_disk_least_free_bytes", "Room on that disk below which no file is taken (min-free-disk).")
	certEnds     = gauge("purr_certificate_ends_timestamp_seconds", "When the TLS certificate that this part shows ends, or one that vouches for it. Left out where it has none.")
	clockAhead   = gauge("purr_clock_ahead_seconds", "By how much this machine's clock is ahead of the database's; negative if it is behind.")

	checkSuccess  = gauge("purr_bank_check_last_success_timestamp_seconds", "When the bank's folder was last polled without failing, 0 for never.", "folder")
	keptFaults    = gauge("purr_kept_file_faults_total", "How often a kept file was asked for that is lost or damaged, since this process started.", "fault")
	keptMended    = gauge("purr_kept_files_mended_total", "Lost or damaged kept files that were made again and put back, since this process started.")
	checkFailures = gauge("purr_bank_check_failures", "Polls of the bank's folder in a row that have failed.", "folder")
)

func gauge(name, help string, labels ...string) *prometheus.Desc {
	return prometheus.NewDesc(name, help, labels, nil)
}

// Describe sends nothing: the set of gauges differs from one request to the next.
func (g *gauges) Describe(chan<- *prometheus.Desc) {}

// Collect sends the present values. It leaves out a value that cannot be read.
func (g *gauges) Collect(out chan<- prometheus.Metric) {
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	send := func(d *prometheus.Desc, value float64, labels ...string) {
		out <- prometheus.MustNewConstMetric(d, prometheus.GaugeValue, value, labels...)
	}
	b := ThisBuild()
	send(buildInfo, 1, b.Version, b.Commit, b.Go, strconv.FormatInt(b.Schema, 10))
	if depth, err := g.app.Queue.Depth(ctx); err == nil {
		for state, n := range map[string]int{"waiting": depth.Waiting, "active": depth.Active, "retry": depth.Retrying, "archived": depth.Archived} {
			send(queueTasks, float64(n), state)
		}
	}
	if counts, err := g.app.DB.WaitingForPerson(ctx); err == nil {
		for kind, n := range counts {
			send(waiting, float64(n), kind)
		}
	}
	if n, err := g.app.DB.CountMissingTransmissions(ctx); err == nil {
		send(gaps, float64(n))
	}
	if rules, err := g.app.RulesFor(ctx, 0); err == nil {
		today := models.DateOf(g.app.Clock.Now())
		for _, h := range rules.Expiries(today) {
			days := float64(h.Until - today)
			if h.Value == "" {
				days = 0 // no poll has succeeded yet
			}
			send(known, days, string(h.Kind))
		}
	}
	kept := g.app.Archive.Counts()
	count := func(d *prometheus.Desc, n int64, labels ...string) {
		out <- prometheus.MustNewConstMetric(d, prometheus.CounterValue, float64(n), labels...)
	}
	count(keptFaults, kept.Lost, archive.Lost)
	count(keptFaults, kept.Damaged, archive.Damaged)
	count(keptMended, kept.Mended)
	if late, err := dunning.CountLate(ctx, g.app.DB, g.app.Clock.Now()); err == nil {
		send(filesLate, float64(late))
	}
	g.collectBank(ctx, send)
	g.collectWork(ctx, send)
	g.collectSafety(ctx, send)
}

// collectSafety sends what ends badly if nobody looks: the last backup, the room on the disk, the certificate, the ways that are paused
// (rule Q6).
func (g *gauges) collectSafety(ctx context.Context, send func(d *prometheus.Desc, value float64, labels ...string)) {
	if at, err := g.app.DB.LastBackup(ctx); err == nil {
		made := 0.0
		if !at.IsZero() {
			made = float64(at.Unix())
		}
		send(lastBackup, made)
	}
	if free, err := disk.Free(g.data); err == nil {
		send(diskFree, float64(free))
		send(diskLeast, float64(g.leastFree))
	}
	if g.app.certificate != nil {
		send(certEnds, float64(g.app.certificate.Ends().Unix()))
	}
	if ways, err := g.app.DB.InstallationWays(ctx); err == nil {
		for _, m := range models.WayMethods {
			i := slices.IndexFunc(ways, func(w store.InstallationWay) bool { return w.Method == m })
			var n int64
			if i >= 0 {
				n = ways[i].Paused
			}
			send(paused, float64(n), string(m))
		}
	}
}

// collectWork sends what is owed, and when work was last done.
func (g *gauges) collectWork(ctx context.Context, send func(d *prometheus.Desc, value float64, labels ...string)) {
	db, now := g.app.DB, g.app.Clock.Now()
	if oldest, err := jobs.OldestOwed(ctx, db); err == nil {
		for kind, since := range oldest {
			age := 0.0
			if !since.IsZero() {
				age = max(0, now.Sub(since).Seconds())
			}
			send(owedAge, age, kind)
		}
	}
	if runs, err := db.LastRuns(ctx); err == nil {
		for kind, at := range runs {
			send(lastRun, float64(at.Unix()), string(kind))
		}
	}
	if at, found, err := db.LastBankFile(ctx); err == nil && found {
		send(lastBankFile, float64(at.Unix()))
	}
	if n, err := db.FaultyCreditors(ctx); err == nil {
		send(degraded, float64(n))
	}
	if n, err := db.CountFindings(ctx, models.DateOf(now)); err == nil {
		for class, n := range n {
			send(findings, float64(n), string(class))
		}
	}
	if ahead, err := db.ClockAhead(ctx); err == nil {
		send(clockAhead, ahead.Seconds())
	}
	for state, n := range g.countShipments(ctx) {
		send(byState, float64(n), string(state))
	}
}

// countShipments returns a count of the shipments by state that is not older than shipmentsFresh, nil if there is none.
func (g *gauges) countShipments(ctx context.Context) map[models.ShipmentState]int64 {
	g.mu.Lock()
	defer g.mu.Unlock()
	now := clock.System{}.Now()
	if g.counted.IsZero() || now.Sub(g.counted) > shipmentsFresh {
		counts, err := g.app.DB.CountShipments(ctx)
		if err != nil {
			return nil
		}
		g.shipments, g.counted = counts, now
	}
	return g.shipments
}

// collectBank sends how the polls of the bank's folder went, if there is a folder.
func (g *gauges) collectBank(ctx context.Context, send func(d *prometheus.Desc, value float64, labels ...string)) {
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
	send(checkSuccess, success, name)
	send(checkFailures, float64(folder.Failures), name)
}
