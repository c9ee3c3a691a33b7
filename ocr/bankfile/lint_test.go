package bankfile

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/iotest"

	"purr/models"
	"purr/ocr/giro"
)

// TestLintOfTheSamples shows all that is found in the samples.
func TestLintOfTheSamples(t *testing.T) {
	for _, tt := range []struct {
		path, format string
		transactions int
		amount       models.Amount
	}{
		{sampleFiles[0], "ocr_giro", 3, 182450},
		{sampleFiles[1], "ocr_giro", 8, 239000},
		{sampleFiles[2], "camt.054", 2, 174950},
		{sampleFiles[3], "camt.054", 2, 0},
	} {
		file, err := os.ReadFile(tt.path)
		if err != nil {
			t.Fatal(err)
		}
		r := lint(t, file)
		if r.Format != tt.format || r.Transactions != tt.transactions || r.Amount != tt.amount || len(r.Faults) > 0 || len(r.Warnings) > 0 {
			t.Errorf("%s: %+v", tt.path, r)
		}
	}
}

// TestLintFindsWhatTheReaderFinds reads the vectors, whose names tell what is wrong or odd. What Lint looks for
// besides comes on top.
func TestLintFindsWhatTheReaderFinds(t *testing.T) {
	for _, path := range vectorFiles(t) {
		if filepath.Base(path) == "no_xml.malformed_xml.line2.xml" {
			continue // by its content it is taken for OCR giro
		}
		file, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		r := lint(t, file)
		all := codes(r)
		told := strings.Split(filepath.Base(path), ".")
		for i := 1; i+2 < len(told); i += 2 {
			if want := "line " + strings.TrimPrefix(told[i+1], "line") + ": " + told[i] + "\n"; !strings.Contains(all, want) {
				t.Errorf("%s: %s is not in\n%s", path, want, all)
			}
		}
		for i := 1; i < len(r.Warnings); i++ {
			if r.Warnings[i].Line < r.Warnings[i-1].Line {
				t.Errorf("%s: the warnings are not in order of lines", path)
			}
		}
	}
}

// TestLintOfSeveralTransmissions is one of the codes that no file made up shows; the other two follow.
func TestLintOfSeveralTransmissions(t *testing.T) {
	file := giroOf(t, "0000421003179,1.00")
	r := lint(t, bytes.Repeat(file, 2))
	if got, want := codes(r), "ocr_giro\nline 7: several_transmissions\n"; got != want {
		t.Errorf("found %s, want %s", got, want)
	}
}

func TestLintOfDatesOutOfOrderAndNothingPaid(t *testing.T) {
	recipe := usualRecipe(giro.Format)
	list := "account,kid,amount,date\n12345678903,1230,0.01,2026-03-02\n12345678903,1230,0.01,2026-03-01\n86011117947,1230,0.01,2026-02-27"
	var out bytes.Buffer
	if err := Generate(&out, recipe, ReadPayments(strings.NewReader(list), Payment{})); err != nil {
		t.Fatal(err)
	}
	r := lint(t, out.Bytes())
	if got, want := codes(r), "ocr_giro\nline 5: date_order\n"; got != want {
		t.Errorf("found %s, want %s", got, want)
	}
	lines := strings.SplitAfter(out.String(), "\n")
	for i, line := range lines {
		from := map[string]int{"30": 32, "88": 24, "89": 24}[line[min(6, len(line)):min(8, len(line))]]
		if from > 0 {
			lines[i] = overwrite(from, strings.Repeat("0", 17))(line)
		}
	}
	r = lint(t, []byte(strings.Join(lines, "")))
	if got, want := codes(r), "ocr_giro\nline 3: zero_amount\nline 5: zero_amount\nline 5: date_order\nline 9: zero_amount\n"; got != want {
		t.Errorf("found %s, want %s", got, want)
	}
}

func TestLintKeepsAHundredWarningsOfACode(t *testing.T) {
	r := lint(t, giroOf(t, strings.Repeat("0000421003170,1.00\n", 150)))
	if len(r.Warnings) != 100 {
		t.Errorf("there are %d warnings", len(r.Warnings))
	}
}

func TestLintOfAFileThatCannotBeRead(t *testing.T) {
	broken := errors.New("the disk is gone")
	for _, begin := range []string{"", "NY", "<Document"} {
		file := io.MultiReader(strings.NewReader(begin), iotest.ErrReader(broken))
		if _, err := Lint(file, testToday); !errors.Is(err, broken) {
			t.Errorf("%q: the error is %v", begin, err)
		}
	}
}

// TestEveryCodeIsAFault shows that each code of this package has a fault to show it, or a test above.
func TestEveryCodeIsAFault(t *testing.T) {
	shown := map[string]bool{CodeSeveralTransmissions: true, CodeDateOrder: true, CodeZeroAmount: true}
	for _, format := range Formats() {
		for _, f := range Faults(format) {
			shown[f.Code] = true
		}
	}
	for _, code := range []string{
		CodeKIDCheckDigit, CodeNoKID, CodeZeroAmount, CodePayerAccount, CodeDayCode, CodeDateOrder, CodeBankDate, CodeCreatedBefore,
		CodeSeveralTransmissions,
	} {
		if !shown[code] {
			t.Errorf("nothing shows %s", code)
		}
	}
}
