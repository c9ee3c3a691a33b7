package store

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/binary"
	"slices"

	"gorm.io/gorm"

	"purr/models"
)

// invoiceTexts are the texts of some of a creditor's invoices.
type invoiceTexts struct {
	CreditorID int64 `gorm:"primaryKey"`
	FirstID    int64 `gorm:"primaryKey;autoIncrement:false"`
	LastID     int64
	Items      int
	Texts      []byte // the invoices' IDs in order, of eight bytes each, and then their texts, each with a null character after it
}

const idBytes = 8

func (invoiceTexts) TableName() string { return "invoice_texts" }

// textsTogether is how many texts are kept together, and bytesTogether how long they are at most: TiDB takes rows of 6 MiB (rule K8).
// Tests lower both.
var (
	textsTogether = 5_000
	bytesTogether = 4 << 20
)

// keepTexts keeps the texts of the creditor's invoices together that came since the last time, up to an ID. What an invoice
// says does not change, so what is full stays as it is.
func (tx *Tx) keepTexts(ctx context.Context, creditorID, last int64) error {
	kept, _, err := readFirst[invoiceTexts](tx.with(ctx).Where("creditor_id = ?", creditorID).Order("first_id DESC"))
	if err != nil {
		return err
	}
	for from := kept.FirstID; ; {
		together, full, err := tx.fullTexts(ctx, creditorID, from, last)
		if err != nil {
			return err
		}
		if err := tx.replaceTexts(ctx, kept, together); err != nil || !full {
			return err
		}
		from, kept = together.LastID+1, invoiceTexts{}
	}
}

// fullTexts returns as many texts from an ID on as are kept together, and whether no more have room: half as many, or a quarter, where they
// are long.
func (r reads) fullTexts(ctx context.Context, creditorID, from, last int64) (together invoiceTexts, full bool, err error) {
	for most := textsTogether; ; most /= 2 {
		together, err = r.textsOf(ctx, creditorID, from, last, most)
		if err != nil || most == 1 || len(together.Texts) <= bytesTogether {
			return together, together.Items == most, err
		}
	}
}

// replaceTexts writes texts in the place of others, unless they are the same.
func (tx *Tx) replaceTexts(ctx context.Context, kept, together invoiceTexts) error {
	if kept.are(together) {
		return nil
	}
	if kept.Items > 0 {
		if err := tx.with(ctx).Delete(&kept).Error; err != nil {
			return classify(err, "")
		}
	}
	if together.Items == 0 {
		return nil
	}
	return tx.insert(ctx, &together)
}

// are reports whether both are of the same invoices, and say the same of them.
func (t invoiceTexts) are(others invoiceTexts) bool {
	return t.FirstID == others.FirstID && t.LastID == others.LastID && bytes.Equal(t.Texts, others.Texts)
}

// textsOf returns the texts of up to most of the creditor's invoices with IDs from one to another.
func (r reads) textsOf(ctx context.Context, creditorID, from, last int64, most int) (invoiceTexts, error) {
	type row struct {
		ID     int64
		Search string
	}
	rows, err := scan[[]row](r.from(ctx, "invoices", invoiceList.index).Select("id, search").
		Where("creditor_id = ? AND id >= ? AND id <= ?", creditorID, from, last).Order("id").Limit(most))
	if err != nil || len(rows) == 0 {
		return invoiceTexts{}, err
	}
	together := invoiceTexts{CreditorID: creditorID, FirstID: rows[0].ID, LastID: rows[len(rows)-1].ID, Items: len(rows)}
	for _, r := range rows {
		together.Texts = binary.BigEndian.AppendUint64(together.Texts, uint64(r.ID))
	}
	for _, r := range rows {
		together.Texts = append(append(together.Texts, r.Search...), 0) // which no text contains
	}
	return together, nil
}

// TextMismatches returns the IDs of up to 100 invoices from which on the texts that are kept together are not those of the
// creditor's invoices: searches would miss some.
func (r reads) TextMismatches(ctx context.Context, creditorID int64) (wrong []int64, err error) {
	const most = 4 // that are read at once: half a megabyte each
	for before := (invoiceTexts{}); ; {
		all, err := readAll[invoiceTexts](r.with(ctx).Where("creditor_id = ? AND first_id > ?", creditorID, before.FirstID).Order("first_id").Limit(most))
		if err != nil {
			return nil, err
		}
		for _, kept := range all {
			of, err := r.textsOf(ctx, creditorID, before.LastID+1, kept.LastID, kept.Items+1)
			if err != nil {
				return nil, err
			}
			if !kept.are(of) {
				wrong = append(wrong, kept.FirstID)
			}
			before = kept
		}
		if len(all) < most || len(wrong) >= 100 {
			return wrong[:min(len(wrong), 100)], nil
		}
	}
}

// soughtInvoices returns the IDs of all the creditor's invoices that the filter with a search takes, in order, and apart those
// of them that are found by number and the like.
func (r reads) soughtInvoices(ctx context.Context, creditorID int64, f InvoiceFilter) (ids, numbered []int64, err error) {
	t := f.texts(creditorID)
	if t.amount == 0 { // no name is an amount with øre
		if err = r.eachHolding(ctx, creditorID, t, func(id int64) { ids = append(ids, id) }); err != nil {
			return nil, nil, err
		}
		if ids, err = r.narrowed(ctx, creditorID, f, ids); err != nil {
			return nil, nil, err
		}
	}
	if numbered, err = t.numbered(ctx, r, f.narrow(creditorID)); err != nil {
		return nil, nil, err
	}
	ids = append(ids, numbered...)
	slices.Sort(ids)
	return slices.Compact(ids), numbered, nil
}

// pageHolding returns the page of the creditor's invoices whose text contains the needle, and the number of all. It keeps the IDs
// of those on the page alone, which counts where most invoices contain it.
func (r reads) pageHolding(ctx context.Context, creditorID int64, t texts, p Page) ([]models.InvoiceSummary, int64, error) {
	var ids []int64
	var total int64
	err := r.eachHolding(ctx, creditorID, t, func(id int64) {
		if total++; total > int64(p.offset()) && len(ids) < p.Size {
			ids = append(ids, id)
		}
	})
	if err != nil || p.beyond(total) {
		return nil, total, err
	}
	items, err := readAll[models.InvoiceSummary](r.with(ctx).Where("id IN ?", ids).Order("id"))
	return items, total, err
}

// eachHolding calls do with the ID of each of the creditor's invoices whose text contains the needle, in order.
func (r reads) eachHolding(ctx context.Context, creditorID int64, t texts, do func(id int64)) error {
	needle := []byte(t.needle)
	kept := r.with(ctx).Raw("SELECT last_id, items, CASE WHEN INSTR(texts, ?) > 0 THEN texts END FROM invoice_texts WHERE creditor_id = ? ORDER BY first_id",
		needle, creditorID)
	last, items, together := int64(0), 0, sql.RawBytes(nil)
	err := eachRow(kept, func() {
		if together != nil {
			eachAmong(together[:items*idBytes], together[items*idBytes:], needle, do)
		}
	}, &last, &items, &together)
	if err != nil {
		return err
	}
	index := invoiceList.index
	if last == 0 { // nothing is kept yet: the texts of all are found faster by themselves
		index = "invoices_search"
	}
	since, err := idsOf(t.holding(r.from(ctx, "invoices", index).Where("creditor_id = ? AND id > ?", creditorID, last)))
	if err != nil {
		return err
	}
	slices.Sort(since)
	for _, id := range since {
		do(id)
	}
	return nil
}

// eachAmong calls do with the IDs of the invoices whose texts contain the needle.
func eachAmong(ids, texts, needle []byte, do func(id int64)) {
	for len(texts) > 0 {
		end := bytes.IndexByte(texts, 0)
		if bytes.Contains(texts[:end], needle) {
			do(int64(binary.BigEndian.Uint64(ids)))
		}
		ids, texts = ids[idBytes:], texts[end+1:]
	}
}

// narrowed returns those of the creditor's invoices with the IDs, which are in order, that the filter takes. It reads the IDs
// of all invoices with some statuses, or of some days, by an index that has them, which is faster than to look at as many
// invoices.
func (r reads) narrowed(ctx context.Context, creditorID int64, f InvoiceFilter, ids []int64) ([]int64, error) {
	switch {
	case len(ids) == 0 || !f.narrows():
		return ids, nil
	case f.CustomerID != 0:
		return r.among(ids, true, f.narrow(creditorID)(r.with(ctx).Table("invoices")))
	case len(ids) <= fewFound:
		return r.among(ids, true, f.narrow(creditorID)(r.with(ctx).Table("invoices")).Where("id IN ?", ids))
	}
	var err error
	if slices.Contains(f.Statuses, models.InvoicePaid) { // as nearly all are: see countIn
		others := InvoiceFilter{Statuses: f.Statuses, Today: f.Today}.without()
		f.Statuses = nil
		if len(others.Statuses) > 0 {
			if ids, err = r.among(ids, false, others.narrow(creditorID)(r.from(ctx, "invoices", "invoices_stage"))); err != nil {
				return nil, err
			}
		}
	}
	switch {
	case f.Statuses != nil:
		return r.among(ids, true, f.narrow(creditorID)(r.from(ctx, "invoices", "invoices_stage")))
	case f.Issued != (Dates{}):
		s, err := r.span(ctx, invoiceList, creditorID, f.Issued, "")
		if err != nil {
			return nil, err
		}
		return r.among(ids, true, f.narrow(creditorID)(r.from(ctx, "invoices", invoiceList.index)).Where("id BETWEEN ? AND ?", s.First, s.Last))
	}
	return ids, nil
}

// among returns those of the IDs that the query finds, or the others. It uses up the slice.
func (r reads) among(ids []int64, found bool, g *gorm.DB) ([]int64, error) {
	taken, err := idsOf(g)
	if err != nil {
		return nil, err
	}
	slices.Sort(taken)
	n := 0
	return slices.DeleteFunc(ids, func(id int64) bool {
		for n < len(taken) && taken[n] < id {
			n++
		}
		return (n < len(taken) && taken[n] == id) != found
	}), nil
}
