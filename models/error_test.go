package models_test

import (
	"errors"
	"fmt"
	"io"
	"testing"

	"purr/models"
)

func TestKindOf(t *testing.T) {
	var two models.Errors
	two.Add("required", "lines", "at least one line is required")
	two.Add("too_long", "invoice_note", "has %d characters", 2001)
	tests := []struct {
		err  error
		want models.Kind
		why  string
	}{
		{models.NotFound("invoice"), models.KindNotFound, "an error of a kind"},
		{fmt.Errorf("issue: %w", models.Conflict("x", "x")), models.KindConflict, "one that was wrapped"},
		{two, models.KindInvalid, "all faults of a body"},
		{fmt.Errorf("issue: %w", two), models.KindInvalid, "those wrapped"},
		{models.Unavailable("the database", models.NotFound("x")), models.KindUnavailable, "the outermost kind counts"},
		{models.Malformed("x", "page", "x"), models.KindMalformed, "what cannot be read"},
		{io.EOF, models.KindInternal, "an error without a kind"},
		{nil, models.KindInternal, "none at all"},
	}
	for _, tt := range tests {
		if got := models.KindOf(tt.err); got != tt.want {
			t.Errorf("%s: %v is of kind %d, want %d", tt.why, tt.err, got, tt.want)
		}
	}
}

func TestIgnoreNotFound(t *testing.T) {
	if err := models.IgnoreNotFound(fmt.Errorf("read: %w", models.NotFound("customer"))); err != nil {
		t.Errorf("not found is %v", err)
	}
	if err := models.IgnoreNotFound(io.EOF); !errors.Is(err, io.EOF) {
		t.Errorf("another error is %v", err)
	}
	if err := models.IgnoreNotFound(nil); err != nil {
		t.Errorf("no error is %v", err)
	}
}

func TestErrorsSpeak(t *testing.T) {
	var faults models.Errors
	if faults.ErrorOrNil() != nil {
		t.Error("no faults are an error")
	}
	faults.Add("required", "lines", "at least one line is required")
	faults.Add("too_long", "", "%d too many", 3)
	if got := faults.ErrorOrNil().Error(); got != "lines: at least one line is required; 3 too many" {
		t.Errorf("faults say %q", got)
	}
	away := models.Unavailable("the database", io.EOF)
	if got := away.Error(); got != "the database is not available; try again shortly: EOF" {
		t.Errorf("an error with a cause says %q", got)
	}
	if !errors.Is(fmt.Errorf("read: %w", away), io.EOF) {
		t.Error("the cause is lost")
	}
}
