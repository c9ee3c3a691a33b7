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

// possibleOwners returns the creditors who may have a payment: the one who posted the file, the one who has the
// account now, and zero, for an account that had no creditor then.
func (a *audit) possibleOwners(p *payment) []int64 {
	return slices.Compact([]int64{p.CreditorID, a.owners[p.Account], 0})
}

// locate finds payments in the books.
func (a *audit) locate(ctx context.Context, payments []payment) error {
	keys := map[int64][][]byte{}
	for i := range payments {
		for _, creditorID := range a.possibleOwners(&payments[i]) {
			keys[creditorID] = append(keys[creditorID], payments[i].LineKey)
		}
	}
	found := map[int64]map[string][]store.LineLocation{} // by creditor and line key
	for creditorID := range keys {
		places, err := a.im.db.LineLocations(ctx, creditorID, keys[creditorID])
		if err != nil {
			return err
		}
		byKey := map[string][]store.LineLocation{}
		for _, at := range places {
			byKey[string(at.LineKey)] = append(byKey[string(at.LineKey)], at)
		}
		found[creditorID] = byKey
	}
	for i := range payments {
		a.judge(&payments[i], found)
	}
	return nil
}

// judge counts a payment, or reports what is wrong with it. A payment that only other files brought is a duplicate.
func (a *audit) judge(p *payment, found map[int64]map[string][]store.LineLocation) {
	var mine []store.LineLocation // those that this file brought
	owner, places := p.CreditorID, 0
	for _, creditorID := range a.possibleOwners(p) {
		all := found[creditorID][string(p.LineKey)]
		places += len(all)
		for _, at := range all {
			if at.PaymentFileID != a.file.ID {
				continue
			}
			owner, mine = creditorID, append(mine, at)
			if len(all) > 1 {
				a.report(p.Line, fmt.Sprintf("the payment of %s is in %d places", p.Amount, len(all)))
				return
			}
		}
	}
	switch {
	case places == 0:
		a.report(p.Line, fmt.Sprintf("the payment of %s is nowhere in the books", p.Amount))
	case len(mine) == 0:
		a.count(p, asDuplicate)
	case len(mine) > 1:
		a.report(p.Line, fmt.Sprintf("the payment of %s is with %d creditors", p.Amount, len(mine)))
	case mine[0].Amount != p.Amount:
		a.report(p.Line, fmt.Sprintf("the payment is of %s, and was taken for %s", p.Amount, mine[0].Amount))
	default:
		p.CreditorID = owner
		a.count(p, destinationOf[mine[0].Table])
	}
}

// count counts a payment in the creditor's part of the file and in its statement line.
func (a *audit) count(p *payment, to destination) {
	part := a.parts[p.CreditorID]
	to.addTo(&part, 1, p.counted)
	a.parts[p.CreditorID] = part
	a.statement.add(p, to, 1)
}
