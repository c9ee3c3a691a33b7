package giro

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"purr/models"
	"purr/test/testkit/vectors"
)

// extension ends the names of the vectors.
const extension = ".txt"

// TestVectors has both ways of reading a file find what its name says.
func TestVectors(t *testing.T) {
	vectors.Hold(t, extension, func(t *testing.T, file string) ([]models.FileFinding, error) {
		summary, err := Check(strings.NewReader(file), testToday)
		parsed, parseErr := Parse(strings.NewReader(file), testToday)
		if fmt.Sprint(parseErr) != fmt.Sprint(err) {
			t.Errorf("Check says %v, Parse %v", err, parseErr)
		}
		if parsed != nil && parsed.Totals != summary.Totals {
			t.Errorf("Check counts %v, Parse %v", summary.Totals, parsed.Totals)
		}
		return summary.Warnings, err
	})
}

func TestVectorsAreThoseListed(t *testing.T) {
	vectors.Listed(t, extension, slices.Concat(rightFiles(), oddFiles(), wrongFiles()))
}

func TestEveryCodeHasAVector(t *testing.T) {
	vectors.ShowEveryCode(t, extension, CodeTooMany) // the vector of this one would be too large
}
