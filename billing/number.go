package billing

import (
	"context"
	"fmt"

	"purr/models"
	"purr/store"
)

// nextNumber takes the next number of the series and makes the KID that goes with it.
func nextNumber(ctx context.Context, tx *store.Tx, c models.Creditor) (number int64, kid string, err error) {
	if number, err = tx.NextNumber(ctx, c.ID); err != nil {
		return 0, "", err
	}
	for _, kid := range kidCandidates(number, c.KIDLength, c.KIDModulus) {
		taken, err := tx.KIDTaken(ctx, c.ID, kid)
		if err != nil {
			return 0, "", err
		}
		if !taken {
			return number, kid, nil
		}
	}
	return 0, "", models.Conflict("kid_exhausted", "no KID of %d characters is left for number %d: agree a longer KID with the bank and set kid_length", c.KIDLength, number)
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
