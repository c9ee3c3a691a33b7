package giro

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"purr/models"
)

// sameEditor changes nothing. The others are made of it.
type sameEditor struct{}

func (sameEditor) Account(digits string) string                      { return digits }
func (sameEditor) KID(kid string) string                             { return kid }
func (sameEditor) Reference(digits string) string                    { return digits }
func (sameEditor) Text(text string) string                           { return text }
func (sameEditor) Amount(amount models.Amount, _ bool) models.Amount { return amount }

// doublingEditor doubles all amounts, and halves those with sign "-".
type doublingEditor struct{ sameEditor }

func (doublingEditor) Amount(amount models.Amount, down bool) models.Amount {
	if down {
		return amount / 2
	}
	return 2 * amount
}

// shortEditor loses a character of each KID.
type shortEditor struct{ sameEditor }

func (shortEditor) KID(kid string) string { return kid[1:] }

func rewritten(t *testing.T, file string, e Editor) string {
	t.Helper()
	var out bytes.Buffer
	if err := Rewrite(&out, strings.NewReader(file), e); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// TestRewriteOfNothing has an editor change nothing: the files that are right come out byte for byte.
func TestRewriteOfNothing(t *testing.T) {
	paths, err := filepath.Glob(vectorFolder + "/*.txt")
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range append(paths, "testdata/ocr-basic.txt", "testdata/ocr-edge.txt") {
		file, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if len(faultsOf(t, string(file))) > 0 {
			continue
		}
		if got := rewritten(t, string(file), sameEditor{}); got != string(file) {
			t.Errorf("%s becomes %s", path, got)
		}
	}
}

// TestRewriteMakesSumsRight changes amounts: the sums are those of the new ones, whichever way they were made.
func TestRewriteMakesSumsRight(t *testing.T) {
	for _, tt := range []struct {
		what, file string
		want       models.Amount // of the file
	}{
		{"a payment, a purchase and a credit note", plainFile(), 2*133000 - 12500},
		{"two transmissions", plainFile() + plainFile(), 2 * (2*133000 - 12500)},
		{"a card reversal that is subtracted", reversalFile(120000), 2*125000 - 2500},
		{"a card reversal that is added", reversalFile(130000), 2*125000 + 2500},
		{"with mandates", edited(plainFile(), insert(11, mandates...), set(14, 8, "0000000400000014")), 2*133000 - 12500},
	} {
		if got := read(t, rewritten(t, tt.file, doublingEditor{})); got.Amount != tt.want {
			t.Errorf("%s: the sum is %s, want %s", tt.what, got.Amount, tt.want)
		}
	}
}

func TestRewriteThatCannotBe(t *testing.T) {
	lost := errors.New("the disk is full")
	for _, tt := range []struct {
		what string
		err  error
		want string
	}{
		{"an editor that changes lengths", Rewrite(io.Discard, strings.NewReader(plainFile()), shortEditor{}), `line 3: giro: "000421003179" does not fit a field of 13 characters`},
		{"amounts that grow too large", Rewrite(io.Discard, strings.NewReader(written(payment(MaxAmount))), doublingEditor{}), "line 3: giro: the amounts add up to "},
		{"a file with a fault", Rewrite(io.Discard, strings.NewReader("Subject: OCR\n"), sameEditor{}), "line 1: giro: it is no record"},
		{"a writer that fails", Rewrite(failingWriter{lost}, strings.NewReader(plainFile()), sameEditor{}), lost.Error()},
	} {
		if tt.err == nil || !strings.Contains(tt.err.Error(), tt.want) {
			t.Errorf("%s: %v, want %s", tt.what, tt.err, tt.want)
		}
	}
}
