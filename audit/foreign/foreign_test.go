package foreign_test

import (
	"bytes"
	"testing"

	"purr/audit/foreign"
	"purr/audit/reckoning"
	"purr/audit/report"
	"purr/law"
	"purr/test/testkit"
)

func figures(t testing.TB) *reckoning.Law {
	t.Helper()
	l, err := reckoning.New(law.Default().All())
	testkit.Must(t, err)
	return l
}

// judged reads the files of a folder, and judges them.
func judged(t testing.TB, folder, language string) report.Report {
	t.Helper()
	source, err := foreign.Open(folder)
	testkit.Must(t, err)
	set, err := foreign.Read(t.Context(), source)
	testkit.Must(t, err)
	testkit.Must(t, source.Close())
	return set.Judge(figures(t), language)
}

// TestU9TheTemplate judges the examples of the template, in each form and language.
func TestU9TheTemplate(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	testkit.Must(t, foreign.Template(folder))
	if err := foreign.Template(folder); err == nil {
		t.Error("the template was written over what was there")
	}
	for _, language := range foreign.Languages {
		r := judged(t, folder, language)
		for form, write := range map[string]func(*bytes.Buffer) error{
			"txt":  func(out *bytes.Buffer) error { return r.WriteTable(out) },
			"csv":  func(out *bytes.Buffer) error { return r.WriteCSV(out) },
			"json": func(out *bytes.Buffer) error { return r.WriteJSON(out) },
		} {
			var out bytes.Buffer
			testkit.Must(t, write(&out))
			testkit.Golden(t, "testdata/template."+language+"."+form, out.String())
		}
	}
}
