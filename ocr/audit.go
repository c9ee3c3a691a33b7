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
	owners, err := im.db.AccountOwners(ctx)
	if err != nil {
		return nil, err
	}
	all := newAuditor(im, owners)
	a, err := all.read(ctx, file, report)
	if err != nil {
		return nil, err
	}
	return a, all.locate(ctx)
}

// auditor audits files, and asks for the lines of several small ones at once.
type auditor struct {
	im     *Importer
	owners map[string]int64 // creditors, by account, read after the files were finished
	lines  []auditedLine    // that are not looked for yet
}

// auditedLine is a line of a file that is audited.
type auditedLine struct {
	of     *audit
	owners possibleOwners
	payment
}

// auditedTogether is how many lines are looked for at once.
const auditedTogether = 500

func newAuditor(im *Importer, owners map[string]int64) *auditor {
	return &auditor{im: im, owners: owners, lines: make([]auditedLine, 0, auditedTogether)}
}

// read reads an imported file again. Its last lines are looked for by the next call of locate.
func (all *auditor) read(ctx context.Context, file models.PaymentFile, report func(line int, text string)) (*audit, error) {
	r, err := all.im.openAlone(file)
	if err != nil {
		return nil, err
	}
	defer r.close()
	r.owners = all.owners
	a := &audit{reading: r, parts: map[int64]models.PaymentFilePart{}, statement: statement{format: file.Format}, report: report}
	return a, r.eachLine(func(l line) error {
		p := r.payment(l, r.lineKey(l))
		all.lines = append(all.lines, auditedLine{a, possibleOwners{p.CreditorID, r.owners[p.Account]}, p})
		if len(all.lines) < auditedTogether {
			return nil
		}
		return all.locate(ctx)
	})
}

// possibleOwners are the creditors who may have a payment: the one who posted the file, the one who has the account now,
// and zero, for an account that had no creditor then.
type possibleOwners struct{ poster, holder int64 }

func (o possibleOwners) creditors() []int64 {
	creditors := []int64{o.poster, o.holder, 0}
	slices.Sort(creditors)
	return slices.Compact(creditors)
}

// locate finds the lines that were read since the last call in the books.
func (all *auditor) locate(ctx context.Context) error {
	keys := map[possibleOwners][][][]byte{} // by file
	last := map[possibleOwners]*audit{}
	for _, l := range all.lines {
		if last[l.owners] != l.of {
			keys[l.owners], last[l.owners] = append(keys[l.owners], nil), l.of
		}
		of := &keys[l.owners][len(keys[l.owners])-1]
		*of = append(*of, l.LineKey)
	}
	found := map[possibleOwners]map[string][]store.LineLocation{} // by line key
	for owners := range keys {
		places, err := all.im.db.LineLocations(ctx, owners.creditors(), keys[owners]...)
		if err != nil {
			return err
		}
		byKey := make(map[string][]store.LineLocation, len(places))
		for _, at := range places {
			byKey[string(at.LineKey)] = append(byKey[string(at.LineKey)], at)
		}
		found[owners] = byKey
	}
	for i := range all.lines {
		l := &all.lines[i]
		l.of.judge(&l.payment, found[l.owners][string(l.LineKey)])
	}
	all.lines = all.lines[:0]
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
