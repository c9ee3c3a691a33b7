package e2e_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// TestE4TransmissionsThroughTheCommandLine imports files while the server runs: one whose transmission came before with
// other content is refused until that is accepted, numbers that were skipped are listed until they come or are
// dismissed, and every file can be had again as it came (rules E4, R5, R5a).
func TestE4TransmissionsThroughTheCommandLine(t *testing.T) {
	t.Parallel()
	in := install(t)
	where := in.where()
	dir := t.TempDir()
	write := func(name string, number int, amounts ...string) string {
		t.Helper()
		f := bankFile{number: number, date: "2026-01-05"}
		for _, amount := range amounts {
			f.lines = append(f.lines, bankLine{amount: amount, text: "Blåbær " + amount, reference: number})
		}
		raw, err := f.bytes()
		must(t, err)
		path := filepath.Join(dir, name)
		must(t, os.WriteFile(path, raw, 0o600))
		return path
	}
	ocr := func(code int, arguments ...string) result {
		t.Helper()
		r := run(t, where, append([]string{"ocr"}, arguments...)...)
		if r.code != code {
			t.Errorf("purr ocr %s: exit code %d, says %s%s", strings.Join(arguments, " "), r.code, r.stdout, r.stderr)
		}
		return r
	}
	says := func(said, form string) {
		t.Helper()
		if !regexp.MustCompile(form).MatchString(said) {
			t.Errorf("it says\n%s, want something like %s", said, form)
		}
	}
	first, corrected := write("first.txt", 7, "10.00"), write("corrected.txt", 7, "10.00", "20.00")
	ocr(0, "import", first)
	refused := ocr(1, "import", corrected)
	says(refused.stderr, `line 1: transmission 0000007 from 00008080 came before with other content, in payment file 1 \(first\.txt\) of .* --accept-conflict`)
	id := lastField(refused.stdout)
	says(ocr(0, "import", "--accept-conflict", corrected).stdout, `(?m)^corrected\.txt +imported +2 +30\.00 +0 +1 +1 +0 +3$`)

	says(ocr(0, "import", write("tenth.txt", 10, "30.00")).stderr, `warning: line 1: transmissions 0000008 to 0000009 from 00008080 to 00012345 are missing`)
	says(ocr(0, "gaps").stdout, `^ID +TRANSMISSION .*\n1 +0000008 +00008080 +00012345 +4\n2 +0000009 +00008080 +00012345 +4\n$`)
	ocr(0, "import", write("eighth.txt", 8, "40.00"))
	says(ocr(0, "gaps").stdout, `^ID .*\n2 +0000009 .*\n$`)
	says(ocr(0, "gaps", "--dismiss", "2").stdout, `^ID .*\n$`)
	says(ocr(1, "gaps", "--dismiss", "17").stderr, `no such missing transmission`)
	says(ocr(64, "gaps", "--dismiss", "x").stderr, `purr ocr gaps`)

	several := ocr(1, "import", filepath.Join(dir, "none.txt"), write("eleventh.txt", 11, "50.00"))
	says(several.stdout, `(?m)^eleventh\.txt +imported +1 +50\.00 `)
	says(several.stderr, `^purr: open .*none\.txt: no such file or directory\n$`)

	want, err := os.ReadFile(corrected)
	must(t, err)
	equal(t, "bytes of the refused file", ocr(0, "get", id).stdout, string(want))
	again := filepath.Join(dir, "again.txt")
	ocr(0, "get", id, "-o", again)
	got, err := os.ReadFile(again)
	must(t, err)
	equal(t, "bytes that were written", string(got), string(want))
	says(ocr(1, "get", id, "-o", again).stderr, `again\.txt is there already: give another name, or --force to have it replaced`)
	ocr(0, "get", id, "-o", again, "--force")
	says(ocr(1, "get", "99").stderr, `no such payment file`)
	says(ocr(64, "get", "x").stderr, `"x" is not a payment file's ID`)
	kept, err := filepath.Glob(filepath.Join(in.Config.Data, "archive", "*", "*"))
	must(t, err)
	for _, path := range kept {
		if held, err := os.ReadFile(path); err == nil && string(held) == string(want) {
			must(t, os.Remove(path))
		}
	}
	says(ocr(1, "get", id).stderr, `the raw bytes of payment file `+id+`: the kept file [0-9a-f]{64} is lost: bring it back from a backup of the archive folder`)
}

// lastField returns the last word of a text, which is a number.
func lastField(text string) string {
	words := strings.Fields(text)
	if len(words) == 0 {
		return ""
	}
	last := words[len(words)-1]
	if _, err := strconv.Atoi(last); err != nil {
		return ""
	}
	return last
}
