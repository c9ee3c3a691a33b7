package ocr

import (
	"log/slog"
	"testing"
	"time"

	"purr/test/testkit"
	"purr/test/testkit/payments"
	"purr/test/testkit/rows"
)

type (
	bankFile   = payments.File
	assignment = payments.Assignment
	tester     = payments.T
)

// today is the day on which the files of the tests come: a Monday.
var today = rows.Today

const nobodys = payments.NobodysAccount

var (
	must     = payments.Must
	paid     = payments.Paid
	out      = payments.Out
	byCard   = payments.ByCard
	fileOf   = payments.FileOf
	queued   = payments.Queued
	otherKID = payments.OtherKID
	mistyped = payments.Mistyped
	atOnce   = testkit.AtOnce
)

// books is an installation of a test's own, and an importer.
type books struct {
	*payments.Books
	im *Importer
}

// eachBooks runs the test on an installation with either database, beside other tests.
func eachBooks(t *testing.T, test func(t *testing.T, b *books)) {
	t.Helper()
	payments.Each(t, func(t *testing.T, b *payments.Books) { test(t, importInto(b)) })
}

func openBooks(t *testing.T, databaseURL string) *books {
	t.Helper()
	return importInto(payments.Open(t, databaseURL))
}

func importInto(b *payments.Books) *books {
	im := NewImporter(b.DB, b.Archive, slog.New(slog.DiscardHandler))
	im.stalled = time.Millisecond
	return &books{b, im}
}
