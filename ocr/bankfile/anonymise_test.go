package bankfile

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode"

	"golang.org/x/text/encoding/charmap"

	"purr/models"
	"purr/ocr/camt"
	"purr/ocr/giro"
	"purr/test/testkit"
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
		testkit.Golden(t, "testdata/anonymised/"+filepath.Base(path), string(after))
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

// TestAnonymisedNumbers goes through all numbers of four digits: each becomes another of its kind, and no two become the same.
// Of those in other forms it goes through every third; "make whole" through all.
func TestAnonymisedNumbers(t *testing.T) {
	key := KeyOf(1)
	for form, step := range map[string]int{"%04d": 1, "%05d": 3, "%04d-": 3} {
		if testkit.Whole {
			step = 1
		}
		given := map[string]bool{}
		for n := 1; n < 10_000; n += step {
			number := fmt.Sprintf(form, n)
			fresh := key.number(number)
			if fresh == number || given[fresh] || len(fresh) != len(number) || kindOf(fresh) != kindOf(number) {
				t.Fatalf("%s becomes %s", number, fresh)
			}
			given[fresh] = true
		}
	}
}

// TestAnonymisedNumbersAreWrittenAsBefore looks at one number in the ways in which files write it.
func TestAnonymisedNumbersAreWrittenAsBefore(t *testing.T) {
	key := KeyOf(1)
	kid, account := key.reference("421003179"), key.reference("12345678903")
	iban := camt.IBAN(account)
	for _, tt := range []struct{ got, want string }{
		{key.reference("0000421003179"), "0000" + kid},
		{key.account("12345678903"), account},
		{key.account("1234.56.78903"), account[:4] + "." + account[4:6] + "." + account[6:]},
		{key.account(camt.IBAN("12345678903")), iban},
		{key.account("NO" + camt.IBAN("12345678903")[2:4] + " 1234 5678 903"), iban[:4] + " " + account[:4] + " " + account[4:8] + " " + account[8:]},
		{key.account("NO0012345678903"), "NO00" + account},
		{key.account("SE4550000000058398257466")[:2], "SE"},
		{key.reference("0000000"), "0000000"},
	} {
		if tt.got != tt.want {
			t.Errorf("got %s, want %s", tt.got, tt.want)
		}
	}
}

// TestAnonymisedXML hides data where a message has none: in comments, attributes, instructions and strange elements.
func TestAnonymisedXML(t *testing.T) {
	sample, err := os.ReadFile(sampleFiles[2])
	if err != nil {
		t.Fatal(err)
	}
	text := strings.NewReplacer(
		"<Nm>", "<!-- for Secret --><?secret Secret?><Nm who='Secret'>", "Faktura", " <![CDATA[Secret]]> &amp;\n &#8212; Faktura",
		"<BkTxCd>", "<x:Cd xmlns:x='urn:x'>Secret</x:Cd><BkTxCd>Secret",
	).Replace(string(sample))
	latin1, err := charmap.ISO8859_1.NewEncoder().String(strings.Replace(text, "UTF-8", "ISO-8859-1", 1))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range []string{text, "\xef\xbb\xbf" + text, latin1} {
		after := anonymised(t, []byte(file), KeyOf(1))
		if codes(lint(t, []byte(file))) != codes(lint(t, after)) || strings.Contains(strings.ToLower(string(after)), "secret") {
			t.Errorf("%s\nbecomes\n%s", file, after)
		}
		if before, fresh := len(linesOf(t, []byte(file))[1].Text), len(linesOf(t, after)[1].Text); before != fresh {
			t.Errorf("a text of %d bytes becomes one of %d", before, fresh)
		}
	}
}

// FuzzAnonymise copies anything. It never panics. The copy of a file without faults has none either, and can be shown as
// JSON.
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
		contents, err := Read(&out, testToday)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := json.Marshal(contents); err != nil {
			t.Fatal(err)
		}
	})
}

// checkAnonymised holds a file against what was made of it: the same to Lint, the same shape, and nothing of anybody's
// left.
func checkAnonymised(t testing.TB, before, after []byte) {
	t.Helper()
	old, fresh := lint(t, before), lint(t, after)
	if old.Transactions != fresh.Transactions || old.Amount != fresh.Amount || codes(old) != codes(fresh) {
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
		if l.Date != f.Date || l.Line != f.Line || (l.Amount < 0) != (f.Amount < 0) || (l.KID == "") != (f.KID == "") || (l.FromAccount == "") != (f.FromAccount == "") {
			t.Errorf("%+v became %+v", l, f)
		}
		if l.Amount != f.Amount {
			t.Errorf("%s became %s", l.Amount, f.Amount)
		}
		checkEquals(t, lines[:i], freshLines[:i], l, f)
	}
	checkNothingLeft(t, lines, after)
}

// checkEquals holds a line and what became of it against those before: what was equal is, and what was not is not.
func checkEquals(t testing.TB, lines, freshLines []Transaction, l, f Transaction) {
	t.Helper()
	for j := range lines {
		for _, field := range []func(Transaction) string{
			func(l Transaction) string { return l.KID }, func(l Transaction) string { return l.FromAccount }, func(l Transaction) string { return l.Account },
			func(l Transaction) string { return l.Name },
		} {
			if (field(lines[j]) == field(l)) != (field(freshLines[j]) == field(f)) {
				t.Errorf("%q and %q became %q and %q", field(lines[j]), field(l), field(freshLines[j]), field(f))
			}
		}
	}
}

// checkNothingLeft looks for what was in a file in what was made of it.
func checkNothingLeft(t testing.TB, lines []Transaction, after []byte) {
	t.Helper()
	is := map[string]bool{}
	for _, l := range linesOf(t, after) {
		is[l.KID], is[l.FromAccount], is[l.Account], is[l.Name] = true, true, true, true
	}
	for _, l := range lines {
		for _, was := range []string{l.KID, l.FromAccount, l.Account, l.Name} {
			if strings.Trim(was, "0") != "" && is[was] {
				t.Errorf("%s is still there", was)
			}
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

func codes(r *Report) string {
	var out strings.Builder
	fmt.Fprintln(&out, r.Format)
	for _, n := range append(append([]models.FileFinding{}, r.Faults...), r.Warnings...) {
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
