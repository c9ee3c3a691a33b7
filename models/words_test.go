package models_test

import (
	"reflect"
	"testing"
	"time"

	"purr/models"
)

func TestScopeD1(t *testing.T) {
	scopes := []models.Scope{models.ScopeRead, models.ScopeWrite, models.ScopeAdmin}
	for have, scope := range scopes {
		for need, needed := range scopes {
			if got := scope.Allows(needed); got != (have >= need) {
				t.Errorf("%s allows what needs %s: %t", scope, needed, got)
			}
		}
		if got, ok := models.ParseScope(string(scope)); got != scope || !ok {
			t.Errorf("%s is read as %s", scope, got)
		}
	}
	if models.Scope("").Allows(models.ScopeRead) {
		t.Error("a key without a scope may read")
	}
	if _, ok := models.ParseScope("root"); ok {
		t.Error("there is a scope root")
	}
}

func TestHashKeyD3(t *testing.T) {
	const sha256OfABC = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
	if got := models.HashKey("abc"); got != sha256OfABC {
		t.Errorf("abc is kept as %s", got)
	}
}

func TestParseEntryType(t *testing.T) {
	for _, name := range []string{"INVOICE", "CREDIT_NOTE", "OVERDUE_CHARGE", "INTEREST", "PAYMENT", "OCR"} {
		if got, ok := models.ParseEntryType(name); string(got) != name || !ok {
			t.Errorf("%s is read as %s", name, got)
		}
	}
	for _, name := range []string{"", "payment", "FEE"} {
		if got, ok := models.ParseEntryType(name); ok {
			t.Errorf("%q is read as %s", name, got)
		}
	}
}

func TestRetryPauseR5c(t *testing.T) {
	pauses := map[int]time.Duration{
		1: 5 * time.Second, 2: 10 * time.Second, 3: 20 * time.Second, 10: 2560 * time.Second, 11: time.Hour, 12: time.Hour, 1000: time.Hour,
	}
	for attempts, want := range pauses {
		if got := models.RetryPause(attempts); got != want {
			t.Errorf("after %d attempts the pause is %s, want %s", attempts, got, want)
		}
	}
}

func TestDocumentsArePointedAt(t *testing.T) {
	for want, d := range map[string]models.Document{
		"invoice:7":        models.Invoice{ID: 7}.Document(),
		"credit_note:8":    models.CreditNote{ID: 8}.Document(),
		"overdue_notice:9": models.Notice{ID: 9}.Document(),
	} {
		if got := d.String(); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
	s := models.Shipment{DocumentKind: models.InvoiceDocument, DocumentID: 7}
	if got := s.Document().String(); got != "invoice:7" {
		t.Errorf("a shipment of invoice 7 is of %s", got)
	}
}

func TestNoLineKeyIsNULL(t *testing.T) {
	for _, none := range []models.LineKey{nil, {}} {
		if v, err := none.Value(); v != nil || err != nil {
			t.Errorf("%v goes into a database as %v, %v", none, v, err)
		}
	}
	if v, err := (models.LineKey{1, 2}).Value(); err != nil || !reflect.DeepEqual(v, []byte{1, 2}) {
		t.Errorf("a key goes into a database as %v, %v", v, err)
	}
}

func TestFileNotesSurviveTheDatabase(t *testing.T) {
	for _, notes := range []models.FileFindings{
		nil,
		{{Line: 17, Code: "invalid_amount", Text: "«12A» is no amount"}, {Code: "filler", Text: "one line"}},
	} {
		value, err := notes.Value()
		if err != nil {
			t.Fatal(err)
		}
		text, ok := value.(string)
		if !ok {
			t.Fatalf("notes are kept as a %T", value)
		}
		for _, src := range []any{text, []byte(text)} {
			got := models.FileFindings{{Code: "before"}}
			if err := got.Scan(src); err != nil || !reflect.DeepEqual(got, notes) {
				t.Errorf("%v are kept as %v and come back as %v, %v", notes, value, got, err)
			}
		}
	}
	var notes models.FileFindings
	for _, src := range []any{nil, 17, "{"} {
		if err := notes.Scan(src); err == nil {
			t.Errorf("%v is taken for notes", src)
		}
	}
}
