// Package backup_test backs the whole program up while it works at full load, and restores the backups.
package backup_test

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"purr/app"
	"purr/app/backup"
	"purr/models"
	"purr/test/testkit"
	"purr/test/testkit/house"
	"purr/test/testkit/payments"
)

var must = testkit.Must

const invoice = `<invoice><num_due_days>14</num_due_days><recipient><name1>Kari Nordmann</name1><address1>Storgata 1</address1>
	<postal_code>0155</postal_code><postal_name>Oslo</postal_name></recipient>
	<lines><line><line_text>Vask av gulv</line_text><unit_price>1000.00</unit_price><num_items>1</num_items><vat_rate>HIGH</vat_rate></line></lines>
	<shipments><shipment type="original"><shipment_method>PAPER</shipment_method></shipment></shipments></invoice>`

const creditNote = `<credit_note><shipments><shipment type="original"><shipment_method>PAPER</shipment_method></shipment></shipments></credit_note>`

// working is an installation at full load: clients issue invoices, credit some of them, and post payment files for
// others. Workers draw and send what that owes.
type working struct {
	*house.Installation
	client *house.Client
	stop   func()
	calm   sync.RWMutex // held by who wants the clients to be silent

	mu     sync.Mutex
	issued []string // numbers that were answered 201
}

const account = "12345678903"

func work(t *testing.T, setup house.Setup) *working {
	t.Helper()
	w := &working{Installation: house.Start(t, house.Moment("2026-03-02 12:00"), setup.Change)}
	c := w.NewCreditor(t, "")
	_, err := w.App.ChangeCreditor(t.Context(), c, func(c *models.Creditor) error {
		c.BankAccount = account
		return nil
	})
	must(t, err)
	w.client = w.Client(t, c, models.ScopeAdmin)
	ctx, cancel := context.WithCancel(t.Context())
	var clients sync.WaitGroup
	for client := range 4 {
		clients.Go(func() {
			for n := 0; ctx.Err() == nil; n++ {
				w.calm.RLock()
				err := w.call(ctx, t, fmt.Sprintf("%d-%d", client, n), n)
				w.calm.RUnlock()
				if err != nil && ctx.Err() == nil {
					t.Error(err)
					return
				}
			}
		})
	}
	w.stop = sync.OnceFunc(func() { cancel(); clients.Wait() })
	t.Cleanup(w.stop)
	return w
}

// call issues an invoice. It credits every seventh, and pays every third by a bank file.
func (w *working) call(ctx context.Context, t *testing.T, key string, n int) error {
	made, err := w.client.Do(ctx, http.MethodPost, "/invoices", invoice, house.Header("Idempotency-Key", key))
	if err != nil {
		return err
	}
	if made.Status != http.StatusCreated {
		return fmt.Errorf("POST /invoices: %d %s", made.Status, made.Body)
	}
	shown := made.Root()
	w.mu.Lock()
	w.issued = append(w.issued, shown.At("invoice_number"))
	w.mu.Unlock()
	switch {
	case n%7 == 0:
		_, err = w.client.Do(ctx, http.MethodPost, house.PathOf(shown.At("@uri"))+"/credit_notes", creditNote)
	case n%3 == 0:
		file := payments.FileOf(account, payments.Paid(shown.At("ocr_kid_number"), 1250_00)).Bytes(t)
		_, err = w.client.Do(ctx, http.MethodPost, "/payment_files?filename="+key, string(file), house.ContentType("text/plain"))
	}
	return err
}

// numbers returns the numbers that were answered so far.
func (w *working) numbers() []string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.issued[:len(w.issued):len(w.issued)]
}

// enough waits until so many invoices are issued.
func (w *working) enough(t *testing.T, n int) {
	t.Helper()
	testkit.Eventually(t, "invoices", func() (bool, any) { return len(w.numbers()) >= n || t.Failed(), len(w.numbers()) })
}

// backUp backs the installation up, and returns the numbers that were answered before.
func (w *working) backUp(t *testing.T, to string) (before []string) {
	t.Helper()
	before = w.numbers()
	m, err := app.Backup(t.Context(), w.Config, to, "", slog.New(slog.NewTextHandler(w.Log, nil)), nil)
	must(t, err)
	if got := m.Counts["invoices"]; got < int64(len(before)) {
		t.Errorf("the backup holds %d invoices; %d were answered before it began", got, len(before))
	}
	return before
}

// restore restores a backup in a new place, and proves that it holds the invoices.
func (w *working) restore(t *testing.T, setup house.Setup, from string, numbers []string) app.Settings {
	t.Helper()
	cfg, err := app.DefaultSettings(filepath.Join(t.TempDir(), "restored"))
	must(t, err)
	setup.Change(t, &cfg)
	cfg.TestClock = w.Config.TestClock
	r, err := app.Restore(t.Context(), cfg, from, slog.New(slog.NewTextHandler(w.Log, nil)), nil)
	if err != nil || len(r.Differences) > 0 {
		t.Fatalf("restore: %v, %v", r.Differences, err)
	}
	highest := int64(0)
	for _, n := range numbers {
		number, err := strconv.ParseInt(n, 10, 64)
		must(t, err)
		highest = max(highest, number)
	}
	if next := r.Manifest.Series[0].NextNumber; next <= highest {
		t.Errorf("the restored series goes on at %d; %d was answered before the backup began", next, highest)
	}
	return cfg
}

// TestO3ABackupUnderLoadIsRestoredAndHeld backs up twice into the same folder while clients and workers go on, and
// restores. What is restored answers readers and gives no number, until a person accepts it.
func TestO3ABackupUnderLoadIsRestoredAndHeld(t *testing.T) {
	t.Parallel()
	for _, setup := range house.Setups {
		t.Run(setup.Name, func(t *testing.T) {
			t.Parallel()
			w := work(t, setup)
			dest := filepath.Join(t.TempDir(), "backup")
			w.enough(t, 5)
			w.backUp(t, dest)
			w.enough(t, 15)
			before := w.backUp(t, dest)
			w.stop()
			cfg := w.restore(t, setup, dest, before)
			held(t, w, cfg)
		})
	}
}

// held starts a restored installation, accepts it, and stops it.
func held(t *testing.T, w *working, cfg app.Settings) {
	t.Helper()
	must(t, w.Stop())
	w.Config = cfg
	must(t, w.Run())
	w.client.Post("/invoices", invoice, house.Header("Idempotency-Key", "held")).Refused(http.StatusConflict, "held")
	if shown := w.client.Get("/invoices?per_page=1").Shown().Nodes(); len(shown) == 0 {
		t.Error("the restored installation shows no invoices")
	}
	if ready := w.client.Get("//readyz").Is(http.StatusOK); !strings.Contains(string(ready.Body), "held") {
		t.Errorf("readyz says %s", ready.Body)
	}
	if left := w.Letters(t); len(left) > 0 {
		t.Errorf("a held installation has sent %d letters", len(left))
	}
	_, err := w.App.AcceptRestore(t.Context(), "", backup.Last{Number: 10_000}, nil)
	must(t, err)
	if got := w.client.Post("/invoices", invoice, house.Header("Idempotency-Key", "held")).Created().At("invoice_number"); got != "10001" {
		t.Errorf("after --last-number 10000 the next number is %s", got)
	}
	testkit.Eventually(t, "letters of the accepted installation", func() (bool, any) {
		letters := w.Letters(t)
		return len(letters) > 0, len(letters)
	})
	last := w.client.List("/events")
	if told := slices.IndexFunc(last, func(e house.Node) bool { return e.At("type") == "restore.accepted" }); told < 0 {
		t.Error("no event tells that the restore was accepted")
	}
	must(t, w.Stop()) // before its database goes
}
