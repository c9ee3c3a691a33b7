package ocr

import (
	"context"
	"fmt"
	"slices"

	"purr/models"
	"purr/store"
)

// audit finds each line of an imported file in the books, and adds up what it finds.
type audit struct {
	*reading
	parts     map[int64]models.PaymentFilePart // by creditor; without ignored transactions
	statement statement
	report    func(line int, text string)
}

// audit reads an imported file again. It calls report for each line that is not in exactly one place of the books.
func (im *Importer) audit(ctx context.Context, file models.PaymentFile, report func(line int, text string)) (*audit, error) {
	r, err := im.open(ctx, file)
	if err != nil {
		return nil, err
	}
	defer r.close()
	a := &audit{reading: r, parts: map[int64]models.PaymentFilePart{}, statement: statement{format: file.Format}, report: report}
	return a, r.eachBatch(0, func(payments []payment, _ int) error { return a.locate(ctx, payments) })
}

// possibleOwners are the creditors who may have a payment: the one who posted the file, the one who has the account now,
// and zero, for an account that had no creditor then.
type possibleOwners struct{ poster, holder int64 }

func (o possibleOwners) creditors() []int64 {
	creditors := []int64{o.poster, o.holder, 0}
	slices.Sort(creditors)
	return slices.Compact(creditors)
}

func (a *audit) possibleOwners(p *payment) possibleOwners {
	return possibleOwners{p.CreditorID, a.owners[p.Account]}
}

// locate finds payments in the books.
func (a *audit) locate(ctx context.Context, payments []payment) error {
	keys := map[possibleOwners][][]byte{}
	for i := range payments {
		owners := a.possibleOwners(&payments[i])
		keys[owners] = append(keys[owners], payments[i].LineKey)
	}
	found := map[possibleOwners]map[string][]store.LineLocation{} // by line key
	for owners := range keys {
		places, err := a.im.db.LineLocations(ctx, owners.creditors(), keys[owners])
		if err != nil {
			return err
		}
		byKey := make(map[string][]store.LineLocation, len(places))
		for _, at := range places {
			byKey[string(at.LineKey)] = append(byKey[string(at.LineKey)], at)
		}
		found[owners] = byKey
	}
	for i := range payments {
		p := &payments[i]
		a.judge(p, found[a.possibleOwners(p)][string(p.LineKey)])
	}
	return nil
}

// judge counts a payment, or reports what is wrong with it. all is where the books have it. A payment that only other
// files brought is a duplicate.
func (a *audit) judge(p *payment, all []store.LineLocation) {
	var mine []store.LineLocation // those that this file brought
	for _, at := range all {
		if at.PaymentFileID != a.file.ID {
			continue
		}
		mine = append(mine, at)
		if n := placesWith(at.CreditorID, all); n > 1 {
			a.report(p.Line, fmt.Sprintf("the payment of %s is in %d places", p.Amount, n))
			return
		}
	}
	switch {
	case len(all) == 0:
		a.report(p.Line, fmt.Sprintf("the payment of %s is nowhere in the books", p.Amount))
	case len(mine) == 0:
		a.count(p, asDuplicate)
	case len(mine) > 1:
		a.report(p.Line, fmt.Sprintf("the payment of %s is with %d creditors", p.Amount, len(mine)))
	case mine[0].Amount != p.Amount:
		a.report(p.Line, fmt.Sprintf("the payment is of %s, and was taken for %s", p.Amount, mine[0].Amount))
	default:
		p.CreditorID = mine[0].CreditorID
		a.count(p, destinationOf[mine[0].Table])
	}
}

// placesWith counts the places that a creditor's books have a payment in.
func placesWith(creditorID int64, all []store.LineLocation) (n int) {
	for _, at := range all {
		if at.CreditorID == creditorID {
			n++
		}
	}
	return n
}

// count counts a payment in the creditor's part of the file and in its statement line.
func (a *audit) count(p *payment, to destination) {
	part := a.parts[p.CreditorID]
	to.addTo(&part, 1, p.counted)
	a.parts[p.CreditorID] = part
	a.statement.add(p, to, 1)
}
