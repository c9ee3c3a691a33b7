package audit_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"purr/audit"
	"purr/store"
	"purr/store/archive"
)

// deep judges everything of every creditor, and reads the kept bytes of each letter if files are given.
func (w *world) deep(files audit.Kept) *audit.Verdict {
	w.Helper()
	var v audit.Verdict
	creditors, err := w.in.App.DB.Creditors(w.Context())
	must(w, err)
	for _, c := range creditors {
		a, err := audit.New(w.Context(), w.in.App.DB, w.in.App.Rules, c)
		must(w, err)
		must(w, a.Judge(w.Context(), store.AuditFilter{}, audit.Options{Files: files}, &v, nil))
	}
	return &v
}

// TestU3TheKeptBytesAreHeldAgainstTheRows reads the letters of a world, then has one lost, damaged, and exchanged for another.
func TestU3TheKeptBytesAreHeldAgainstTheRows(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	read := w.in.App.Archive.Read
	rows, bytes := w.deep(nil), w.deep(read)
	for _, f := range bytes.Findings {
		t.Errorf("the audit finds %s: invoice %d, notice %d: %s", f.Code, f.Invoice, f.NoticeID, f.Text("en"))
	}
	if bytes.Checks < rows.Checks+50 || bytes.Kinds() != rows.Kinds()+5 || bytes.Unknown != rows.Unknown {
		t.Errorf("%d checks of %d kinds, %d unknown; without the bytes %d, %d, %d", bytes.Checks, bytes.Kinds(), bytes.Unknown, rows.Checks, rows.Kinds(), rows.Unknown)
	}

	id := w.notice("unpaid", 1)
	var sum, other string
	notices, err := w.in.App.DB.NoticesOf(t.Context(), w.invoices["unpaid"].id)
	must(t, err)
	for _, n := range notices {
		if n.ID == id {
			sum = n.PDF
		} else {
			other = n.PDF
		}
	}
	for _, test := range []struct {
		what    string
		read    audit.Kept
		codes   []string
		unknown int64
	}{
		{"lost", func(string) ([]byte, error) { return nil, &archive.Fault{Word: archive.Lost} }, nil, 1},
		{"damaged", func(string) ([]byte, error) { return nil, &archive.Fault{Word: archive.Damaged} }, []string{"kept_changed"}, 0},
		{"another letter's", func(string) ([]byte, error) { return read(other) }, []string{"kept_sum", "kept_date"}, 0},
		{"no PDF", func(string) ([]byte, error) { return []byte("hello"), nil }, nil, 4},
	} {
		v := w.deep(func(of string) ([]byte, error) {
			if of == sum {
				return test.read(of)
			}
			return read(of)
		})
		var codes []string
		for _, f := range v.Findings {
			codes = append(codes, f.Code.String())
			if f.NoticeID != id || f.Text("nb") == "" || f.Text("nn") == "" {
				t.Errorf("%s: %+v", test.what, f)
			}
		}
		if len(codes) != len(test.codes) || v.Unknown != rows.Unknown+test.unknown {
			t.Errorf("%s: found %q, and %d unknown", test.what, codes, v.Unknown)
			continue
		}
		for i := range codes {
			if codes[i] != test.codes[i] {
				t.Errorf("%s: found %q, want %q", test.what, codes, test.codes)
			}
		}
	}

	ehf, err := os.ReadFile(filepath.Join("..", "..", "documents", "ehf", "testdata", "reminder.xml"))
	must(t, err)
	w.plant("UPDATE overdue_notices SET ehf = 'an EHF' WHERE id = {held 1}")
	v := w.deep(func(of string) ([]byte, error) {
		if of == "an EHF" {
			return []byte(strings.Replace(string(ehf), "<cbc:Percent>0<", "<cbc:Percent>25<", 1)), nil
		}
		return read(of)
	})
	if !slices.ContainsFunc(v.Findings, func(f audit.Finding) bool {
		return f.Code.String() == "kept_vat" && f.Found == "25" && f.Class() == audit.Law
	}) {
		t.Errorf("a fee with VAT in an EHF: %+v", v.Findings)
	}
}
