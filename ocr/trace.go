package ocr

import (
	"context"
	"fmt"
	"slices"

	"purr/models"
	"purr/store"
)

// trace is what the raw bytes of a file say became of it: each of its lines is looked up in the books.
type trace struct {
	*posting
	parts     map[int64]*models.PaymentFilePart // of the lines, by creditor; transactions that are ignored are none
	statement statement
	wrong     func(line int, text string)
}

// traceFile looks every line of an imported file up, and calls wrong for each that is not in exactly one place.
func (im *Importer) traceFile(ctx context.Context, file models.PaymentFile, wrong func(line int, text string)) (*trace, error) {
	t := &trace{parts: map[int64]*models.PaymentFilePart{}, wrong: wrong}
	p, err := im.reread(ctx, file, func(p *posting, payments []payment) error {
		t.posting = p
		return t.look(ctx, payments)
	})
	t.posting = p
	return t, err
}

// whose returns the creditors who may have a payment: who posted the file, who has the account, and nobody, who had
// it before.
func (t *trace) whose(p *payment) []int64 {
	return slices.Compact([]int64{p.CreditorID, t.owners[p.Account], 0})
}

// look finds where payments are.
func (t *trace) look(ctx context.Context, payments []payment) error {
	keys := map[int64][][]byte{}
	for i := range payments {
		for _, creditorID := range t.whose(&payments[i]) {
			keys[creditorID] = append(keys[creditorID], payments[i].LineKey)
		}
	}
	kept := map[int64]map[string][]store.LinePlace{}
	for creditorID := range keys {
		places, err := t.im.db.LinePlaces(ctx, creditorID, keys[creditorID])
		if err != nil {
			return err
		}
		kept[creditorID] = map[string][]store.LinePlace{}
		for _, at := range places {
			kept[creditorID][string(at.LineKey)] = append(kept[creditorID][string(at.LineKey)], at)
		}
	}
	for i := range payments {
		t.find(&payments[i], kept)
	}
	return nil
}

// find counts a payment where it is: where this file has brought it, else where another one has.
func (t *trace) find(p *payment, kept map[int64]map[string][]store.LinePlace) {
	var mine []store.LinePlace
	owner, places := p.CreditorID, 0
	for _, creditorID := range t.whose(p) {
		all := kept[creditorID][string(p.LineKey)]
		places += len(all)
		for _, at := range all {
			if at.PaymentFileID != t.file.ID {
				continue
			}
			owner, mine = creditorID, append(mine, at)
			if len(all) > 1 {
				t.wrong(p.Line, fmt.Sprintf("the payment of %s is in %d places", p.Amount, len(all)))
				return
			}
		}
	}
	switch {
	case places == 0:
		t.wrong(p.Line, fmt.Sprintf("the payment of %s is nowhere in the books", p.Amount))
	case len(mine) == 0:
		t.count(p, cameFirst)
	case len(mine) > 1:
		t.wrong(p.Line, fmt.Sprintf("the payment of %s is with %d creditors", p.Amount, len(mine)))
	case mine[0].Amount != p.Amount:
		t.wrong(p.Line, fmt.Sprintf("the payment is of %s, and was taken for %s", p.Amount, mine[0].Amount))
	default:
		p.CreditorID = owner
		t.count(p, placeIn[mine[0].Table])
	}
}

// placeIn is what it means that a line is in a table.
var placeIn = map[string]place{store.EntriesTable: asEntry, store.UnmatchedTable: inQueue, store.TwinsTable: asTwin}

// count counts a payment in the creditor's part of the file and in its line of the bank's statement.
func (t *trace) count(p *payment, at place) {
	part := t.parts[p.CreditorID]
	if part == nil {
		part = &models.PaymentFilePart{PaymentFileID: t.file.ID, CreditorID: p.CreditorID}
		t.parts[p.CreditorID] = part
	}
	at.addTo(part, 1, p.counted)
	t.statement.add(p, t.file.Format, at, 1)
}
