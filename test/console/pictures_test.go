//go:build pictures

package console_test

import (
	"os"
	"path/filepath"
	"testing"

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

	folder := filepath.Join("..", "..", "docs", "console")
	must(t, os.MkdirAll(folder, 0o755)) //nolint:gosec // as the folders beside it
	for _, picture := range []struct {
		file, path string
		looks      []browser.Look
	}{
		{"today", "today", nil},
		{"bank", "bank", nil},
		{"invoice", "invoices/" + number, nil},
		{"dunning", "dunning", nil},
		{"forecast", "dunning/forecast?days=90&with=gentle", nil},
		{"money", "money", nil},
		{"month", "money/month?month=2026-02", nil},
		{"today-dark", "today", []browser.Look{browser.Dark}},
		{"today-narrow", "today", []browser.Look{browser.Size(390, 844)}},
	} {
		d.Look(browser.Light, browser.Size(1280, 800))
		d.Look(picture.looks...)
		d.show(picture.path)
		file := filepath.Join(folder, picture.file+".png")
		d.Picture(file, false)
		must(t, os.Chmod(file, 0o644)) //nolint:gosec // everybody may look at it
	}
}
