package demo

import (
	"bytes"
	"context"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"purr/app"
	"purr/models"
	"purr/test/testkit"
	"purr/test/testkit/rows"
	"purr/test/testkit/validate"
)

// usualStart is when purr demo begins.
var usualStart = time.Date(2026, time.January, 5, 7, 0, 0, 0, time.UTC)

// run lets the demo run on a fresh installation whose test clock starts at the moment, and returns what it
// tells, with DATA in the place of the installation's folder.
func run(t *testing.T, start time.Time, out io.Writer) (string, error) {
	t.Helper()
	data := t.TempDir()
	cfg, err := app.DefaultSettings(data)
	if err != nil {
		t.Fatal(err)
	}
	cfg.TestClock = start
	rows.Migrate(t, cfg.Database.URL)
	a, err := app.Start(t.Context(), cfg, app.All, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := a.Close(context.WithoutCancel(t.Context())); err != nil {
			t.Error(err)
		}
	}()
	key, err := a.FirstKey(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var told bytes.Buffer
	err = Run(t.Context(), Options{
		BaseURL: a.URL, Key: key, Out: io.MultiWriter(&told, out), Data: data, transport: validate.Transport(t, http.DefaultTransport),
	})
	return strings.ReplaceAll(told.String(), data, "DATA"), err
}

const golden = "testdata/demo.golden.txt"

// The golden file was told by another run, so this shows too that two runs tell the same.
//
// Rule: R7.
func TestDemoTellsTheSameTenWeeksEachTime(t *testing.T) {
	t.Parallel()
	told, err := run(t, usualStart, io.Discard)
	if err != nil {
		t.Error(err)
	}
	testkit.Golden(t, golden, told)
}

func TestDemoFitsAPerson(t *testing.T) {
	told, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(string(told), "\n")
	if len(lines) > 150 {
		t.Errorf("%d lines: nobody reads more than 150", len(lines))
	}
	for i, line := range lines {
		if n := utf8.RuneCountInString(line); n > 100 {
			t.Errorf("line %d has %d characters, more than 100: %s", i+1, n, line)
		}
	}
	for _, must := range []string{
		"Reminder 1, invoice", "Debt-collection warning 2, invoice", "Credit note", "in full", "in part", "too much", "twice", "paid out",
		"unknown_kid", "invalid_kid", "no_kid", "recognised", "fee", "interest",
	} {
		if !bytes.Contains(told, []byte(must)) {
			t.Errorf("nothing is told of %q", must)
		}
	}
}

// From a Thursday night on, with the change to summer time and Easter ahead, the days fall otherwise, and
// the books add up all the same (rule R7).
func TestDemoAddsUpWheneverItBegins(t *testing.T) {
	t.Parallel()
	told, err := run(t, time.Date(2025, time.February, 27, 22, 30, 0, 0, time.UTC), io.Discard)
	if err != nil {
		t.Errorf("%v; told:\n%s", err, told)
	}
	if strings.Contains(told, "Mon 21 Apr") || !strings.Contains(told, "Tue 22 Apr") {
		t.Errorf("Easter Monday's work should have been done on the Tuesday; told:\n%s", told)
	}
}

// broken is a terminal that has been closed after some lines.
type broken struct{ lines int }

var errClosed = errors.New("nobody reads any more")

func (b *broken) Write(p []byte) (int, error) {
	if b.lines--; b.lines < 0 {
		return 0, errClosed
	}
	return len(p), nil
}

func TestDemoEndsWhenNobodyReads(t *testing.T) {
	t.Parallel()
	told, err := run(t, usualStart, &broken{lines: 25})
	if !errors.Is(err, errClosed) {
		t.Errorf("the demo ended with %v, want %v", err, errClosed)
	}
	if n := strings.Count(told, "\n"); n > 30 {
		t.Errorf("it went on for %d lines", n)
	}
}

func TestDemoSaysWhatTheAPIRefused(t *testing.T) {
	for _, c := range []struct {
		name   string
		status int
		answer string
		want   string
	}{
		{"a refusal", http.StatusForbidden, `<errors><error code="scope_insufficient">this needs a key of scope admin</error></errors>`, "403: this needs a key of scope admin (scope_insufficient)"},
		{"a fault with its place", http.StatusUnprocessableEntity, `<errors><error code="required" field="now">is required</error></errors>`, "422: now is required (required)"},
		{"something else that answers", http.StatusBadGateway, "no upstream", "502: no upstream (Bad Gateway)"},
		{"an answer that is no XML", http.StatusOK, "<html>", "read the answer"},
	} {
		t.Run(c.name, func(t *testing.T) {
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
				w.WriteHeader(c.status)
				_, _ = io.WriteString(w, c.answer)
			}))
			defer server.Close()
			err := Run(t.Context(), Options{BaseURL: server.URL, Key: "k", Out: io.Discard})
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v, want …%s", err, c.want)
			}
		})
	}
}

func TestPlanIsSound(t *testing.T) {
	p, err := readPlan()
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range p.Customers {
		if !models.ValidBankAccount(c.PaysFrom) {
			t.Errorf("%s pays from %q, which is no account", c.Name, c.PaysFrom)
		}
	}
	invoices, day := 0, 0
	for i, a := range p.Acts.List {
		if a.XMLName.Local != "invoice" {
			continue
		}
		invoices++
		if a.Day < day || a.Day >= 7*weeks || a.Day%7 != 0 || i >= invoices {
			t.Errorf("invoice %d goes out on day %d, after one of day %d", invoices, a.Day, day)
		}
		day = a.Day
	}
	if len(p.Customers) != 14 || invoices != 44 {
		t.Errorf("%d customers and %d invoices, want 14 and 44", len(p.Customers), invoices)
	}
}

// Each proof must be able to fail.
func TestProofsFailWhenTheBooksDoNotAddUp(t *testing.T) {
	sound := func() (*demo, books) {
		var invoice, note document
		invoice.Number, invoice.Ledger.Balance = 7, 75_00
		invoice.Shipments = []shipment{{models.ByEmail, "2026-01-05 08:00:00"}}
		note.Number, note.Ledger.Balance = 8, -5_00
		letter := document{Gross: 75_00, Lines: []line{{75_00}}}
		data := t.TempDir()
		for _, file := range []string{"email/1.eml", "paper/2.pdf"} {
			path := filepath.Join(data, "outbox", file)
			if err := os.MkdirAll(filepath.Dir(path), 0o750); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, nil, 0o600); err != nil {
				t.Fatal(err)
			}
		}
		return &demo{data: data, written: sum{2, 35_00}}, books{
			invoices: []document{invoice}, creditNotes: []document{note}, notices: []document{letter},
			entries:   []entry{{Type: models.EntryInvoice, Amount: 100_00}, {Type: models.EntryOCR, Amount: -30_00}},
			files:     []paymentFile{{Status: models.FileImported, Transactions: 2, Amount: 35_00, Matched: sum{1, 30_00}, Unmatched: sum{1, 5_00}}},
			unmatched: []entry{{Amount: 5_00}},
		}
	}
	for name, spoil := range map[string]func(*demo, *books){
		"":                              func(*demo, *books) {},
		"every file =":                  func(_ *demo, b *books) { b.files[0].Matched.Amount++ },
		"what the bank wrote":           func(_ *demo, b *books) { b.files = nil },
		"OCR entries":                   func(_ *demo, b *books) { b.unmatched = nil },
		"ledger":                        func(_ *demo, b *books) { b.invoices[0].Ledger.Balance-- },
		"the lines of each":             func(_ *demo, b *books) { b.notices[0].Gross++ },
		"without a gap":                 func(_ *demo, b *books) { b.creditNotes[0].Number++ },
		"or a duplicate":                func(_ *demo, b *books) { b.creditNotes[0].Number-- },
		"1 e-mails and 1 letters":       func(_ *demo, b *books) { b.invoices[0].Shipments[0].SentAt = "" },
		"0 e-mails and 1 letters":       func(_ *demo, b *books) { b.invoices[0].Shipments = nil },
		"letters have left, and lie in": func(d *demo, _ *books) { _ = os.Remove(filepath.Join(d.data, "outbox/paper/2.pdf")) },
	} {
		t.Run(name, func(t *testing.T) {
			d, b := sound()
			var told bytes.Buffer
			d.out = &teller{w: &told, width: 100}
			spoil(d, &b)
			err := d.prove(b)
			if name == "" {
				if err != nil || strings.Contains(told.String(), "NOT SO") {
					t.Errorf("the books are sound, yet %v:\n%s", err, told.String())
				}
				return
			}
			failed := ""
			for _, line := range strings.Split(told.String(), "\n") {
				if strings.Contains(line, "NOT SO") {
					failed += line + "\n"
				}
			}
			if err == nil || strings.Count(failed, "\n") != 1 || !strings.Contains(failed, name) {
				t.Errorf("got %v and the failed proofs\n%swant the one with %q", err, failed, name)
			}
		})
	}
}
