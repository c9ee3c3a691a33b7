//go:build pictures

package console_test

import (
	"net/http"
	"os"
	"path"
	"path/filepath"
	"strings"
	"testing"

	"purr/test/testkit"
	"purr/test/testkit/browser"
)

// TestPictures takes the pictures of docs/console.md from what the demo has left after its ten weeks: "make pictures".
func TestPictures(t *testing.T) {
	d := demoDesk(t)
	overdue := d.api.List("/invoices?status=overdue")
	if len(overdue) == 0 {
		t.Fatal("the demo leaves nothing overdue")
	}
	number := overdue[0].At("invoice_number")
	overcharge(d)
	audited := d.api.Post("/audits", "").Is(http.StatusAccepted).Header.Get("Location")
	testkit.Eventually(t, "the audit is done", func() (bool, any) {
		return d.api.Get(strings.TrimPrefix(audited, "/api/v1")).Root().At("state") == "done", nil
	})

	folder := filepath.Join("..", "..", "docs", "console")
	must(t, os.MkdirAll(folder, 0o755)) //nolint:gosec // as the folders beside it
	for _, picture := range []struct {
		file, page string
		looks      []browser.Look
	}{
		{"today", "today", nil},
		{"bank", "bank", nil},
		{"invoice", "invoices/" + number, nil},
		{"dunning", "dunning", nil},
		{"forecast", "dunning/forecast?days=90&with=gentle", nil},
		{"money", "money", nil},
		{"month", "money/month?month=2026-02", nil},
		{"audit", "operations/audits/" + path.Base(audited), nil},
		{"today-dark", "today", []browser.Look{browser.Dark}},
		{"today-narrow", "today", []browser.Look{browser.Size(390, 844)}},
	} {
		d.Look(browser.Light, browser.Size(1280, 800))
		d.Look(picture.looks...)
		d.show(picture.page)
		file := filepath.Join(folder, picture.file+".png")
		d.Picture(file, false)
		must(t, os.Chmod(file, 0o644)) //nolint:gosec // everybody may look at it
	}
}

// overcharge makes the fee of the first notice three kroner more than it may be, as a fault of the program would: in all its rows alike.
func overcharge(d *desk) {
	d.T.Helper()
	db, _, err := d.openTables()
	must(d.T, err)
	var notice, invoice int64
	must(d.T, db.QueryRowContext(d.T.Context(), "SELECT id, invoice_id FROM overdue_notices WHERE fee > 0 ORDER BY id LIMIT 1").Scan(&notice, &invoice))
	for _, change := range []struct {
		statement string
		id        int64
	}{
		{"UPDATE overdue_notices SET fee = fee + 300, gross = gross + 300, sheet = json_set(sheet, '$.overdue_charge.amount', printf('%.2f', (fee + 300) / 100.0)) WHERE id = ?", notice},
		{"UPDATE entries SET amount = amount + 300 WHERE notice_id = ? AND type = 'OVERDUE_CHARGE' AND amount > 0", notice},
		{"UPDATE overdue_notice_lines SET gross = gross + 300 WHERE id = (SELECT MAX(id) FROM overdue_notice_lines WHERE notice_id = ? AND type = 'OVERDUE_CHARGE')", notice},
		{"UPDATE invoices SET balance = balance + 300 WHERE id = ?", invoice},
	} {
		_, err := db.ExecContext(d.T.Context(), change.statement, change.id)
		must(d.T, err)
	}
	must(d.T, db.Close())
}
