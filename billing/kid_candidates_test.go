package billing

import (
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"purr/models"
)

func TestKIDCandidatesD20(t *testing.T) {
	t.Parallel()
	tests := []struct {
		number          int64
		length, modulus int
		want            []string // the first ones
		count           int
		why             string
	}{
		{1, 10, models.Modulus10, []string{"0000000018", "1000000016"}, 10, "the number, padded with zeros"},
		{12345678, 9, models.Modulus10, []string{"123456782", "223456781"}, 10, "a number that fills the KID"},
		{12345678, 9, models.Modulus11, []string{"123456785", "223456782", "423456787"}, 9, "by modulus 11, where 32345678 would end in a minus"},
		{6, 5, models.Modulus11, []string{"10065", "20060"}, 9, "one that would end in a minus is skipped"},
		{1000, 5, models.Modulus10, []string{"10009"}, 9, "so is one of zeros alone"},
		{999, 4, models.Modulus10, []string{"9993"}, 10, "the largest number of the shortest KID"},
		{1000, 4, models.Modulus10, nil, 0, "a number that is too long"},
		{1, 25, models.Modulus11, []string{"0000000000000000000000019"}, 9, "the longest KID"},
	}
	for _, tt := range tests {
		t.Run(tt.why, func(t *testing.T) {
			got := kidCandidates("", tt.number, tt.length, tt.modulus)
			if len(got) != tt.count || !slices.Equal(got[:min(len(got), len(tt.want))], tt.want) {
				t.Errorf("the candidates are %v, want %d, first %v", got, tt.count, tt.want)
			}
		})
	}
}

// TestKIDCandidatesAreValidAndDiffer checks for any number the bank's requirements on a KID.
func TestKIDCandidatesAreValidAndDiffer(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		length := rapid.IntRange(models.MinKIDLength, models.MaxKIDLength).Draw(t, "length")
		modulus := rapid.SampledFrom([]int{models.Modulus10, models.Modulus11}).Draw(t, "modulus")
		number := rapid.OneOf(rapid.Int64Range(1, 99_999), rapid.Int64Min(1)).Draw(t, "number")
		kids := kidCandidates("", number, length, modulus)
		digits := fmt.Sprint(number)
		if fits := len(digits) < length; fits != (len(kids) >= 8) { // at most one ends in a minus, and one is zeros
			t.Errorf("number %d has %d candidates of %d characters", number, len(kids), length)
		}
		for i, kid := range kids {
			base := kid[:len(kid)-1]
			if len(kid) != length || !models.ValidKID(kid, modulus) || kid[length-1] == '-' || slices.Contains(kids[:i], kid) {
				t.Errorf("candidate %d of %d is %s", i, number, kid)
			}
			if want := fmt.Sprintf("%0*s", length-1, digits); base[1:] != want[1:] {
				t.Errorf("candidate %s does not come from %d", kid, number)
			}
		}
	})
}

// TestKIDsOfTheirOwnD20 holds a KID that nobody looks for against all that earlier numbers of the series can have got, under
// any agreement.
func TestKIDsOfTheirOwnD20(t *testing.T) {
	t.Parallel()
	own := 0
	for number := int64(1); number < 1200; number++ {
		for _, modulus := range []int{models.Modulus10, models.Modulus11} {
			candidates := kidCandidates("", number, models.MinKIDLength, modulus)
			if !isOwn(candidates, number) {
				continue
			}
			own++
			for earlier := range number {
				for _, of := range []int{models.Modulus10, models.Modulus11} {
					if slices.Contains(kidCandidates("", earlier, models.MinKIDLength, of), candidates[0]) {
						t.Fatalf("%s of number %d can be of number %d", candidates[0], number, earlier)
					}
				}
			}
		}
	}
	if own < 180 { // of 99 numbers below 100, by both moduli; some would end in a minus
		t.Errorf("%d KIDs are numbers' own", own)
	}
}
