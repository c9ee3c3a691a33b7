package billing

import (
	"context"
	"fmt"
	"strconv"

	"purr/models"
	"purr/store"
)

// newKIDs returns the KIDs of documents to customers, with consecutive numbers. A single document gets a KID that no other document has.
// It is looked for where the number alone does not promise it. Several documents get their plain KIDs, unchecked. If the
// database then refuses one, the caller issues the documents one by one.
func newKIDs(ctx context.Context, tx *store.Tx, c models.Creditor, first int64, customerIDs ...int64) ([]string, error) {
	kids := make([]string, len(customerIDs))
	for i := range kids {
		customer, fits := c.KIDCustomer(customerIDs[i])
		if !fits {
			return nil, models.Conflict("kid_exhausted", "the KID has %d digits for the customer, and customer %d has more: agree more with the bank and set kid_customer_digits", c.KIDCustomerDigits, customerIDs[i])
		}
		candidates := kidCandidates(customer, first+int64(i), c.KIDLength, c.KIDModulus)
		free := 0
		if len(kids) == 1 && (c.Adopts || customer != "" || !isOwn(candidates, first)) {
			var err error
			if free, err = firstFree(ctx, tx, c.ID, candidates); err != nil {
				return nil, err
			}
		}
		if free == len(candidates) {
			return nil, models.Conflict("kid_exhausted", "no KID of %d characters is left for number %d: agree a longer KID with the bank and set kid_length", c.KIDLength, first+int64(i))
		}
		kids[i] = candidates[free]
	}
	return kids, nil
}

// firstFree returns the index of the first candidate that no document has, or the number of candidates.
func firstFree(ctx context.Context, tx *store.Tx, creditorID int64, candidates []string) (int, error) {
	taken, err := tx.ReferencesOf(ctx, creditorID, candidates)
	if err != nil {
		return 0, err
	}
	for i, kid := range candidates {
		if _, isTaken := taken[kid]; !isTaken {
			return i, nil
		}
	}
	return len(candidates), nil
}

// isOwn reports whether the first candidate is the number itself behind at least one zero. No other document of the creditor
// can have such a KID, so nobody has to look for it. Numbers only rise, and a lower number gives a KID of that length other
// digits: another first digit than 0, if any, and else its own. Only a number that fills its KID may find it taken. An adopted
// invoice may have any KID (rule L17).
func isOwn(candidates []string, number int64) bool {
	if len(candidates) == 0 {
		return false
	}
	kid := candidates[0]
	base, err := strconv.ParseInt(kid[:len(kid)-1], 10, 64)
	return err == nil && base == number && kid[0] == '0'
}

// kidCandidates returns the KIDs that a number may have (rule D20), after the digits of its customer, if there are any (rule G1). The
// first is the number padded with zeros to the length; the others have another first digit. It skips candidates with the check character
// "-" and candidates of zeros only. It returns none for a number that is too long.
func kidCandidates(customer string, number int64, length, modulus int) []string {
	room := length - 1 - len(customer)
	base := []byte(fmt.Sprintf("%0*d", room, number))
	if len(base) > room {
		return nil
	}
	var kids []string
	for first, k := base[0]-'0', byte(0); k < 10; k++ {
		base[0] = '0' + (first+k)%10
		kid := models.NewKID(customer+string(base), modulus)
		if kid[length-1] != '-' && models.ValidKID(kid, modulus) {
			kids = append(kids, kid)
		}
	}
	return kids
}
