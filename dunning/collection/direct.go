package collection

import (
	"context"
	"encoding/xml"
	"fmt"
	"slices"
	"time"

	"purr/models"
	"purr/models/calendar"
	"purr/store"
	"purr/store/archive"
)

// DirectHour is the hour of a bank day, in the creditor's time zone, at which the collector is told what came without it (rule C4).
const DirectHour = 16

// LastCut returns the last moment, not after now, at which a file for the collector fell due, and its bank day.
func LastCut(now time.Time, zone *time.Location) (models.Date, time.Time) {
	day := models.DateOf(now.In(zone))
	for at := cutOf(day, zone); !calendar.IsBankDay(day) || at.After(now); at = cutOf(day, zone) {
		day--
	}
	return day, cutOf(day, zone)
}

// NextCut returns the first moment after now at which a file falls due.
func NextCut(now time.Time, zone *time.Location) time.Time {
	day := models.DateOf(now.In(zone))
	for !calendar.IsBankDay(day) || !cutOf(day, zone).After(now) {
		day++
	}
	return cutOf(day, zone)
}

func cutOf(day models.Date, zone *time.Location) time.Time {
	year, month, date := day.Time().Date()
	return time.Date(year, month, date, DirectHour, 0, 0, 0, zone)
}

// TellDirect makes the file that tells the collector what came on a creditor's claims without it, until the last 16:00 of a bank day (rule
// C2). It reports false if nothing did, or the day has its file: what was booked meanwhile comes into the next one. way tells by which way the
// collector that has a claim, or will get it, is reached: where a creditor has changed its collector, each is told of its own claims, in turn, one
// on a bank day, that one first that has waited longest.
//
// The collector is told of no claim that it never got, and of nothing that its bundle has.
func TellDirect(ctx context.Context, tx *store.Tx, creditorID int64, way func(models.HandOver) models.WayID) (f models.CollectorFile, made bool, err error) {
	c, err := tx.LockCreditor(ctx, creditorID)
	if err != nil {
		return models.CollectorFile{}, false, err
	}
	zone, err := c.Location()
	if err != nil {
		return models.CollectorFile{}, false, err
	}
	day, cut := LastCut(tx.Now, zone)
	if there, err := tx.HasCollectorFile(ctx, c.ID, day); err != nil || there {
		return models.CollectorFile{}, false, err
	}
	entries, err := tx.DirectEntriesBefore(ctx, c.ID, cut)
	if err != nil {
		return models.CollectorFile{}, false, err
	}
	told, dropped, by, err := sift(ctx, tx, c.ID, entries, way)
	if err != nil {
		return models.CollectorFile{}, false, err
	}
	if err := tx.DropDirectEntries(ctx, c.ID, dropped); err != nil || len(told) == 0 {
		return models.CollectorFile{}, false, err
	}
	f = models.CollectorFile{CreditorID: c.ID, Day: day, Way: by}
	if f.SellerID, err = tx.KeepSeller(ctx, c.ID, c.Seller()); err != nil {
		return models.CollectorFile{}, false, err
	}
	if err := tx.CreateCollectorFile(ctx, &f); err != nil {
		return models.CollectorFile{}, false, err
	}
	ids, sum := make([]int64, len(told)), models.Amount(0)
	for i, e := range told {
		ids[i], sum = e.ID, sum+e.Amount
	}
	if err := tx.PutIntoCollectorFile(ctx, c.ID, f.ID, ids); err != nil {
		return models.CollectorFile{}, false, err
	}
	return f, true, tx.Log(ctx, models.Event{
		CreditorID: c.ID, Type: models.EventCollectorFile, SubjectID: f.ID,
		Text:  fmt.Sprintf("The debt collector is told by file %d of %d entries on its claims, of %s in all", f.Number, len(told), sum),
		Facts: models.Facts{"file_number": f.Number, "day": f.Day, "entries": len(told), "amount": sum},
	})
}

// sift divides entries into those of which the collector is told that is reached by one way, the IDs of those of which none need be told, and
// those that are another collector's, which wait.
func sift(ctx context.Context, tx *store.Tx, creditorID int64, entries []models.DirectEntry, way func(models.HandOver) models.WayID) (
	told []models.DirectEntry, dropped []int64, by models.WayID, err error,
) {
	var ids []int64
	for _, e := range entries {
		ids = append(ids, e.HandOverID)
	}
	slices.Sort(ids)
	handOvers, err := tx.HandOversByID(ctx, creditorID, slices.Compact(ids))
	if err != nil {
		return nil, nil, 0, err
	}
	for _, e := range entries {
		h := handOvers[e.HandOverID]
		never := h.State == models.HandOverEnded && h.Attempts == 0 && h.DeliveredAt == nil
		if never || !e.Deleted && e.EntryID <= h.LastEntryID {
			dropped = append(dropped, e.ID)
			continue
		}
		if len(told) == 0 {
			by = way(h)
		}
		if way(h) == by {
			told = append(told, e)
		}
	}
	return told, dropped, by, nil
}

// DirectFiles returns a file for the collector in both of its forms, XML and CSV. It makes them if they are not made yet; then they stay
// the same bytes.
func (s *Store) DirectFiles(ctx context.Context, f models.CollectorFile) ([]File, error) {
	var files []File
	for _, form := range []struct {
		ending, sum string
		asXML       bool
		write       func(directXML) ([]byte, error)
	}{{".xml", f.XML, true, func(x directXML) ([]byte, error) { return asXML(x) }}, {".csv", f.CSV, false, directXML.csv}} {
		made := archive.File{Sum: form.sum, Render: func(ctx context.Context, _ string) ([]byte, error) {
			x, err := s.direct(ctx, f)
			if err != nil {
				return nil, err
			}
			return form.write(x)
		}}
		content, err := s.archive.Once(ctx, made, func(ctx context.Context, sum string) (kept string, err error) {
			err = s.db.InTx(ctx, func(ctx context.Context, tx *store.Tx) error {
				kept, err = tx.SetCollectorSum(ctx, f.CreditorID, f.ID, form.asXML, sum)
				return err
			})
			return kept, err
		})
		if err != nil {
			return nil, fmt.Errorf("the file direct-%d%s for the debt collector: %w", f.Number, form.ending, err)
		}
		files = append(files, File{fmt.Sprintf("direct-%d%s", f.Number, form.ending), content})
	}
	return files, nil
}

// directXML is direct-NUMBER.xml: what came on claims without the collector, or went back.
type directXML struct {
	XMLName  xml.Name         `xml:"collection_direct"`
	Number   int64            `xml:"number,attr"`
	Day      models.Date      `xml:"date,attr"`
	Creditor party            `xml:"creditor"`
	Entries  []directEntryXML `xml:"entry"`
}

type directEntryXML struct {
	Invoice  int64             `xml:"invoice,attr"`
	KID      string            `xml:"ocr_kid_number,attr"`
	HandOver int64             `xml:"hand_over,attr"`
	Bundle   string            `xml:"bundle,attr"`
	Date     models.Date       `xml:"date,attr"`
	Kind     models.DirectKind `xml:"kind,attr"`
	Amount   models.Amount     `xml:"amount,attr"`  // what came; below zero what went back
	Balance  models.Amount     `xml:"balance,attr"` // what is claimed after it
}

// direct reads what a file tells.
func (s *Store) direct(ctx context.Context, f models.CollectorFile) (x directXML, err error) {
	err = s.db.View(ctx, func(v store.View) error {
		c, err := creditorOf(ctx, v, models.HandOver{CreditorID: f.CreditorID, SellerID: f.SellerID})
		if err != nil {
			return err
		}
		x = directXML{Number: f.Number, Day: f.Day, Creditor: partyOf(c)}
		entries, err := v.DirectEntriesOf(ctx, f.CreditorID, f.ID)
		if err != nil {
			return err
		}
		ids := make([]int64, len(entries))
		for i, e := range entries {
			ids[i] = e.InvoiceID
		}
		invoices, err := v.InvoicesByID(ctx, f.CreditorID, ids)
		if err != nil {
			return err
		}
		for _, e := range entries {
			i := invoices[slices.IndexFunc(invoices, func(i models.Invoice) bool { return i.ID == e.InvoiceID })]
			x.Entries = append(x.Entries, directEntryXML{
				i.Number, i.KID, e.HandOverID, models.HandOver{ID: e.HandOverID}.Name(i.Number), e.Date, e.Kind, e.Amount, e.Balance,
			})
		}
		return nil
	})
	return x, err
}

// csv returns the same as a table.
func (x directXML) csv() ([]byte, error) {
	rows := [][]any{{"number", "file_date", "creditor_organisation_number", "creditor_name", "invoice", "ocr_kid_number", "hand_over", "bundle", "date", "kind", "amount", "balance"}}
	for _, e := range x.Entries {
		rows = append(rows, []any{
			x.Number, x.Day, x.Creditor.OrganisationNumber, x.Creditor.Name, e.Invoice, e.KID, e.HandOver, e.Bundle, e.Date, e.Kind, e.Amount, e.Balance,
		})
	}
	return asCSV(rows)
}
