package store

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"slices"
	"strconv"
)

// invoiceTexts are the texts of some of a creditor's invoices, in order of ID: of each its ID, a tab, its text and a null
// character, which no text contains.
type invoiceTexts struct {
	CreditorID int64 `gorm:"primaryKey"`
	FirstID    int64 `gorm:"primaryKey;autoIncrement:false"`
	LastID     int64
	Texts      []byte
}

func (invoiceTexts) TableName() string { return "invoice_texts" }

// textsTogether is how many texts are kept together. Tests lower it.
var textsTogether = 5_000

// keepTexts keeps the texts of the creditor's invoices together that came since the last time, up to an ID. What an invoice
// says does not change, so what is full stays as it is.
func (tx *Tx) keepTexts(ctx context.Context, creditorID, last int64) error {
	kept := tx.with(ctx).Select("first_id").Where("creditor_id = ?", creditorID).Order("first_id DESC")
	unfilled, _, err := readFirst[invoiceTexts](kept)
	if err != nil {
		return err
	}
	if err := tx.with(ctx).Where("creditor_id = ? AND first_id = ?", creditorID, unfilled.FirstID).Delete(&invoiceTexts{}).Error; err != nil {
		return classify(err, "")
	}
	type row struct {
		ID     int64
		Search string
	}
	for from := unfilled.FirstID; ; {
		rows, err := scan[[]row](tx.from(ctx, "invoices", invoiceList.index).Select("id, search").
			Where("creditor_id = ? AND id >= ? AND id <= ?", creditorID, from, last).Order("id").Limit(textsTogether))
		if err != nil || len(rows) == 0 {
			return err
		}
		together := invoiceTexts{CreditorID: creditorID, FirstID: rows[0].ID, LastID: rows[len(rows)-1].ID}
		for _, r := range rows {
			together.Texts = strconv.AppendInt(together.Texts, r.ID, 10)
			together.Texts = append(append(append(together.Texts, '\t'), r.Search...), 0)
		}
		if err := tx.insert(ctx, &together); err != nil {
			return err
		}
		from = together.LastID + 1
	}
}

// invoicesHolding returns the IDs of all the creditor's invoices whose text contains the needle, in order.
func (r reads) invoicesHolding(ctx context.Context, creditorID int64, t texts) (ids []int64, err error) {
	last := int64(0)
	needle := []byte(t.needle)
	kept, err := r.with(ctx).Raw("SELECT last_id, CASE WHEN INSTR(texts, ?) > 0 THEN texts END FROM invoice_texts WHERE creditor_id = ? ORDER BY first_id",
		needle, creditorID).Rows()
	if err != nil {
		return nil, classify(err, "")
	}
	defer func() { err = errors.Join(err, kept.Close()) }()
	for kept.Next() {
		var together sql.RawBytes
		if err := kept.Scan(&last, &together); err != nil {
			return nil, classify(err, "")
		}
		if ids, err = appendHolding(ids, together, needle); err != nil {
			return nil, err
		}
	}
	if err := errors.Join(kept.Err(), kept.Close()); err != nil {
		return nil, classify(err, "")
	}
	index := invoiceList.index
	if last == 0 { // nothing is kept yet: the texts of all are found faster by themselves
		index = "invoices_search"
	}
	var since []int64
	if err := t.holding(r.from(ctx, "invoices", index).Where("creditor_id = ? AND id > ?", creditorID, last)).Pluck("id", &since).Error; err != nil {
		return nil, classify(err, "")
	}
	slices.Sort(since)
	return append(ids, since...), nil
}

// appendHolding appends the IDs of the invoices whose texts contain the needle.
func appendHolding(ids []int64, together, needle []byte) ([]int64, error) {
	for len(together) > 0 {
		at := bytes.Index(together, needle)
		if at < 0 {
			break
		}
		begins := bytes.LastIndexByte(together[:at], 0) + 1
		ends := at + bytes.IndexByte(together[at:], 0)
		name, text, _ := bytes.Cut(together[begins:ends], []byte{'\t'})
		if bytes.Contains(text, needle) { // and not the ID alone
			id, err := strconv.ParseInt(string(name), 10, 64)
			if err != nil {
				return nil, err
			}
			ids = append(ids, id)
		}
		together = together[ends+1:]
	}
	return ids, nil
}
