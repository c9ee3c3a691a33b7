package bankfile

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode"

	"purr/models"
	"purr/ocr/giro"
)

// TestAnonymisedVectors makes every file over that the tests of packages giro and camt read, and refuses those with
// faults.
func TestAnonymisedVectors(t *testing.T) {
	for _, path := range vectorFiles(t) {
		t.Run(filepath.Base(path), func(t *testing.T) {
			before, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			report := lint(t, before)
			var out bytes.Buffer
			err = Anonymise(&out, bytes.NewReader(before), testToday, KeyOf(1))
			if len(report.Faults) > 0 {
				var faults models.FileFaults
				if !errors.As(err, &faults) || len(faults) != len(report.Faults) || out.Len() > 0 {
					t.Fatalf("of a file with faults comes %q (%v)", out.Bytes(), err)
				}
				return
			}
			if strings.HasPrefix(filepath.Base(path), "largest_amount") || strings.HasPrefix(filepath.Base(path), "amount_too") {
				if err == nil {
					t.Fatal("an amount grew beyond what the format holds")
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			checkAnonymised(t, before, out.Bytes())
		})
	}
}

// TestAnonymisedSamples shows what becomes of the samples, byte for byte.
func TestAnonymisedSamples(t *testing.T) {
	for _, path := range sampleFiles {
		before, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		after := anonymised(t, before, KeyOf(1))
		checkAnonymised(t, before, after)
		golden(t, filepath.Join("testdata", "anonymised", filepath.Base(path)), after)
		if again := anonymised(t, before, KeyOf(1)); !bytes.Equal(after, again) {
			t.Errorf("%s becomes another file with the same seed", path)
		}
		if other := anonymised(t, before, KeyOf(2)); bytes.Equal(after, other) {
			t.Errorf("%s becomes the same file with another seed", path)
		}
	}
}

// TestAnonymiseWhereKIDsAreFew makes files over that leave few KIDs to choose from: none stays as it was.
func TestAnonymiseWhereKIDsAreFew(t *testing.T) {
	for _, modulus := range []int{models.Modulus10, models.Modulus11} {
		random := usualRandom()
		random.Transactions, random.KIDLength, random.KIDModulus = 900, models.MinKIDLength, modulus
		before := generated(t, usualRecipe(giro.Format), random, 1)
		after := anonymised(t, before, KeyOf(1))
		if old, fresh := codes(lint(t, before)), codes(lint(t, after)); old != fresh {
			t.Errorf("Lint found %s, and now %s", old, fresh)
		}
		freshLines := linesOf(t, after)
		for i, l := range linesOf(t, before) {
			if f := freshLines[i]; f.KID == l.KID || len(f.KID) != len(l.KID) || strings.HasSuffix(f.KID, "-") != strings.HasSuffix(l.KID, "-") {
				t.Errorf("the KID %s became %s", l.KID, f.KID)
			}
		}
	}
}

// FuzzAnonymise makes anything over. It never panics, and what comes of a file that is taken is taken, as odd as before.
func FuzzAnonymise(f *testing.F) {
	for _, path := range vectorFiles(f) {
		if file, err := os.ReadFile(path); err == nil && len(file) < 1<<16 {
			f.Add(file, uint64(1))
		}
	}
	f.Fuzz(func(t *testing.T, before []byte, seed uint64) {
		var out bytes.Buffer
		if err := Anonymise(&out, bytes.NewReader(before), testToday, KeyOf(seed)); err != nil {
			return
		}
		report, after := lint(t, before), lint(t, out.Bytes())
		if len(after.Faults) > 0 || after.Transactions != report.Transactions {
			t.Fatalf("%q becomes %q: %v", before, out.Bytes(), after.Faults)
		}
	})
}

// checkAnonymised holds a file against what was made of it: the same to Lint, the same shape, and nothing of anybody's
// left.
func checkAnonymised(t testing.TB, before, after []byte) {
	t.Helper()
	old, fresh := lint(t, before), lint(t, after)
	if old.Transactions != fresh.Transactions || codes(old) != codes(fresh) {
		t.Errorf("Lint found\n%s, and now\n%s\n%s", codes(old), codes(fresh), after)
	}
	if was, is := shape(old.Format, before), shape(old.Format, after); was != is {
		t.Errorf("the shape was\n%s\nand is\n%s", was, is)
	}
	lines, freshLines := linesOf(t, before), linesOf(t, after)
	if len(lines) != len(freshLines) {
		t.Fatalf("%d lines became %d", len(lines), len(freshLines))
	}
	for i := range lines {
		l, f := lines[i], freshLines[i]
		if l.Date != f.Date || l.Number != f.Number || (l.Amount < 0) != (f.Amount < 0) || (l.KID == "") != (f.KID == "") || (l.FromAccount == "") != (f.FromAccount == "") {
			t.Errorf("%+v became %+v", l, f)
		}
		small, large := min(abs(l.Amount), abs(f.Amount)), max(abs(l.Amount), abs(f.Amount))
		if large > 2*small+1 {
			t.Errorf("%s became %s", l.Amount, f.Amount)
		}
		checkEquals(t, lines[:i], freshLines[:i], l, f)
	}
	checkNothingLeft(t, lines, after)
}

// checkEquals holds a line and what became of it against those before: what was equal is, and what was not is not.
func checkEquals(t testing.TB, lines, freshLines []Line, l, f Line) {
	t.Helper()
	for j := range lines {
		for _, field := range []func(Line) string{
			func(l Line) string { return l.KID }, func(l Line) string { return l.FromAccount }, func(l Line) string { return l.Account },
			func(l Line) string { return l.Name },
		} {
			if (field(lines[j]) == field(l)) != (field(freshLines[j]) == field(f)) {
				t.Errorf("%q and %q became %q and %q", field(lines[j]), field(l), field(freshLines[j]), field(f))
			}
		}
	}
}

// checkNothingLeft looks for what was in a file in what was made of it.
func checkNothingLeft(t testing.TB, lines []Line, after []byte) {
	t.Helper()
	is := map[string]bool{}
	amounts := map[string]bool{}
	for _, l := range linesOf(t, after) {
		is[l.KID], is[l.FromAccount], is[l.Account], is[l.Name] = true, true, true, true
		amounts[abs(l.Amount).String()] = true
	}
	const small = 1000 // øre
	for _, l := range lines {
		for _, was := range []string{l.KID, l.FromAccount, l.Account, l.Name} {
			if strings.Trim(was, "0") != "" && is[was] {
				t.Errorf("%s is still there", was)
			}
		}
		if abs(l.Amount) > small && amounts[abs(l.Amount).String()] {
			t.Errorf("the amount %s is still there", l.Amount)
		}
		for _, word := range strings.FieldsFunc(l.Text+" "+l.Name, func(c rune) bool { return !unicode.IsLetter(c) }) {
			if len([]rune(word)) > 4 && bytes.Contains(after, []byte(word)) {
				t.Errorf("the word %q is still there", word)
			}
		}
	}
}

var (
	xmlText    = regexp.MustCompile(`>[^<]*<`)
	xmlComment = regexp.MustCompile(`(?s)<!--.*?-->|<!\[CDATA\[.*?\]\]>`)
)

// shape returns what of a file must not change: of OCR giro all but what the fields hold, of camt.054 the elements.
func shape(format string, file []byte) string {
	if format == giro.Format {
		return giroShape(file)
	}
	return xmlText.ReplaceAllStringFunc(xmlComment.ReplaceAllString(string(file), ""), func(text string) string {
		if text = strings.Trim(text, "<>"); strings.TrimSpace(text) != "" {
			text = "…"
		}
		return ">" + text + "<"
	})
}

// giroShape returns the tags of the records, and all that is not in one: line ends, blank lines and marks.
func giroShape(file []byte) string {
	var out strings.Builder
	for _, line := range bytes.SplitAfter(file, []byte("\n")) {
		before, record, found := bytes.Cut(line, []byte("NY"))
		if !found {
			fmt.Fprintf(&out, "%q\n", line)
			continue
		}
		fmt.Fprintf(&out, "%q NY%s … %q\n", before, record[:6], record[78:])
	}
	return out.String()
}

func abs(a models.Amount) models.Amount { return max(a, -a) }

func codes(r *Report) string {
	var out strings.Builder
	fmt.Fprintln(&out, r.Format)
	for _, n := range append(append([]models.FileNote{}, r.Faults...), r.Warnings...) {
		fmt.Fprintf(&out, "line %d: %s\n", n.Line, n.Code)
	}
	return out.String()
}

func anonymised(t testing.TB, before []byte, key Key) []byte {
	t.Helper()
	var out bytes.Buffer
	if err := Anonymise(&out, bytes.NewReader(before), testToday, key); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func vectorFiles(t testing.TB) []string {
	t.Helper()
	var all []string
	for _, pattern := range []string{"../giro/testdata/vectors/*.txt", "../camt/testdata/vectors/*.xml"} {
		paths, err := filepath.Glob(pattern)
		if err != nil || len(paths) == 0 {
			t.Fatal("no vectors", err)
		}
		all = append(all, paths...)
	}
	return append(all, sampleFiles...)
}
