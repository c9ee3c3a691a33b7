package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"purr/audit/kept"
	"purr/test/testkit"
)

// TestU9ForeignExitCodesAndForms judges the template in each form, and what is no export.
func TestU9ForeignExitCodesAndForms(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "letters")
	out := func(name string) string { return filepath.Join(folder, name) }
	for _, test := range []struct {
		arguments string
		code      int
	}{
		{"--template " + folder, exitDone},
		{folder + " --out " + out("a.txt"), exitFailed},
		{folder + " --format csv --out " + out("a.csv"), exitFailed},
		{folder + " --json --out " + out("a.json"), exitFailed},
		{folder + " --format pdf --name Fjord --language nn --out " + out("a.pdf"), exitFailed},
		{folder + " --format pdf --out " + out("a.pdf"), exitFailed}, // it is there already
		{folder + " --format png", exitUsage},
		{folder + " --language se", exitUsage},
		{folder + " --json --format csv", exitUsage},
		{folder + " --template " + folder, exitUsage},
		{"", exitUsage},
		{out("nothing"), exitUsage},
		{t.TempDir(), exitData},
	} {
		if code := run(append([]string{"audit", "foreign"}, strings.Fields(test.arguments)...)); code != test.code {
			t.Errorf("purr audit foreign %s: %d, want %d", test.arguments, code, test.code)
		}
	}
	file, err := os.ReadFile(out("a.pdf"))
	testkit.Must(t, err)
	texts, err := kept.Texts(file)
	testkit.Must(t, err)
	all := strings.Join(texts, "\n")
	for _, want := range []string{"Fjord", "Revisjon av brev", "Ola Hansen (3)", "Lovbrot · Ola Hansen, 10002, P-4", "18.12.2025 inkassovarsel P-4: gebyr 70,00, rente 29,65, frist 29.12.2025", "10.12.2025 betaling: 1 500,00", "notices.csv"} {
		if !strings.Contains(all, want) {
			t.Errorf("the PDF does not say %q", want)
		}
	}
	testkit.Must(t, os.WriteFile(out("notices.csv"), []byte("notice,invoice,kind,date\na,10001,reminder,2026-01-20\n"), 0o600))
	if code := run([]string{"audit", "foreign", folder, "--format", "json", "--out", out("clean.json")}); code != exitDone {
		t.Errorf("clean letters: %d", code)
	}
	answer, err := os.ReadFile(out("clean.json"))
	testkit.Must(t, err)
	if !bytes.Contains(answer, []byte(`"findings": []`)) {
		t.Errorf("clean letters: %s", answer)
	}
}
