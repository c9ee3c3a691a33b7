package billing

import (
	"context"
	"fmt"

	"purr/models"
	"purr/store"
)

// newKIDs returns the KIDs of documents with the given number and those that follow it.
func newKIDs(ctx context.Context, tx *store.Tx, c models.Creditor, first int64, n int) ([]string, error) {
	candidates := make([][]string, n)
	var plain []string
	for i := range candidates {
		candidates[i] = kidCandidates(first+int64(i), c.KIDLength, c.KIDModulus)
		if len(candidates[i]) > 0 {
			plain = append(plain, candidates[i][0])
		}
	}
	taken, err := tx.ReferencesOf(ctx, c.ID, plain)
	if err != nil {
		return nil, err
	}
	kids := make([]string, n)
	for i := range kids {
		if kids[i], err = newKID(ctx, tx, c, first+int64(i), candidates[i], taken); err != nil {
			return nil, err
		}
	}
	return kids, nil
}

// newKID returns the first candidate that no document has. Whether the plain ones are taken is known.
func newKID(ctx context.Context, tx *store.Tx, c models.Creditor, number int64, candidates []string, taken map[string]store.Reference) (string, error) {
	for i, kid := range candidates {
		_, isTaken := taken[kid]
		if i > 0 {
			var err error
			if isTaken, err = tx.KIDTaken(ctx, c.ID, kid); err != nil {
				return "", err
			}
		}
		if !isTaken {
			return kid, nil
		}
	}
	return "", models.Conflict("kid_exhausted", "no KID of %d characters is left for number %d: agree a longer KID with the bank and set kid_length", c.KIDLength, number)
}

// kidCandidates returns the KIDs that a number may have, the plain one first (rule D20): the number
// padded with zeros to the length, then the same with another leading digit. A candidate whose check
// character would be "-", or that is all zeros, is left out. There is none where the number is too long.
func kidCandidates(number int64, length, modulus int) []string {
	base := []byte(fmt.Sprintf("%0*d", length-1, number))
	if len(base) > length-1 {
		return nil
	}
	var kids []string
	for first, k := base[0]-'0', byte(0); k < 10; k++ {
		base[0] = '0' + (first+k)%10
		kid := models.NewKID(string(base), modulus)
		if kid[length-1] != '-' && models.ValidKID(kid, modulus) {
			kids = append(kids, kid)
		}
	}
	return kids
}
