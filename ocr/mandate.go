package ocr

import (
	"context"
	"fmt"
	"slices"

	"purr/models"
	"purr/ocr/giro"
	"purr/store"
)

// mandatesAtOnce is how many mandates are looked up and written with one statement.
const mandatesAtOnce = 500

// keepMandates keeps what a section of the file tells of mandates on a creditor's account (rule G2), in the order of the file. A listing
// takes the place of all that is known of the account: what it lacks has ended. The account is the creditor's own; what is told
// of an account that nobody has is not kept.
func (r *reading) keepMandates(ctx context.Context, tx *store.Tx, creditorID int64, s section) error {
	if creditorID == 0 || len(s.mandates) == 0 {
		return nil
	}
	c, err := tx.LockCreditor(ctx, creditorID)
	if err != nil {
		return err
	}
	known, err := tx.MandatesOn(ctx, creditorID, s.account)
	if err != nil {
		return err
	}
	told := tell(s, known, r.day)
	for some := range slices.Chunk(told.kept, mandatesAtOnce) {
		if err := identifyPayers(ctx, tx, c, some); err != nil {
			return err
		}
		if err := tx.KeepMandates(ctx, creditorID, some); err != nil {
			return err
		}
	}
	ended := int64(0)
	for some := range slices.Chunk(told.ended, mandatesAtOnce) {
		n, err := tx.EndMandates(ctx, creditorID, some, r.day)
		if err != nil {
			return err
		}
		ended += n
	}
	return tx.Log(ctx, models.Event{
		CreditorID: creditorID, Type: models.EventMandatesRead, Actor: r.im.actor, SubjectID: r.file.ID,
		Text:  fmt.Sprintf("Payment file %s tells of mandates of AvtaleGiro: %d that stand, %d ended", r.file.Filename, len(told.kept), ended),
		Facts: models.Facts{"filename": r.file.Filename, "mandates": len(told.kept), "ended": ended},
	})
}

// toldMandates are the mandates that stand by a section, and the IDs of those that have ended.
type toldMandates struct {
	kept  []models.Mandate
	ended []int64
}

// tell returns what a section tells of an account whose mandates are known. Of several records with a KID the last one counts. A mandate
// that stands goes on: it keeps the day since when it does.
func tell(s section, known []models.Mandate, day models.Date) (told toldMandates) {
	ids, since := map[string]int64{}, map[string]models.Date{}
	for _, m := range known {
		ids[m.KID], since[m.KID] = m.ID, m.Since
	}
	last, listed := map[string]giro.Mandate{}, false
	var order []string
	for _, m := range s.mandates {
		if _, is := last[m.KID]; !is {
			order = append(order, m.KID)
		}
		last[m.KID] = m
		listed = listed || m.Change == giro.MandateListed
	}
	for _, kid := range order {
		m := last[kid]
		if m.Change == giro.MandateEnded {
			if id := ids[kid]; id != 0 {
				told.ended = append(told.ended, id)
			}
			continue
		}
		from := since[kid]
		if from == 0 {
			from = day
		}
		told.kept = append(told.kept, models.Mandate{Account: s.account, KID: kid, Notice: m.Notice, Since: from})
	}
	for _, m := range known {
		if _, is := last[m.KID]; listed && !is {
			told.ended = append(told.ended, m.ID)
		}
	}
	return told
}

// identifyPayers finds whose the mandates are (rule G1): the customer that the first digits of the KID name. A KID of another form than
// those that the creditor gives now names nobody, nor does one that stands on another customer's document: it was given before the digits
// were the customer's.
func identifyPayers(ctx context.Context, tx *store.Tx, c models.Creditor, mandates []models.Mandate) error {
	var kids []string
	var ids []int64
	for i, m := range mandates {
		if len(m.KID) != c.KIDLength || !models.ValidKID(m.KID, c.KIDModulus) {
			continue
		}
		if id := c.CustomerOfKID(m.KID); id != 0 {
			mandates[i].CustomerID = id
			kids, ids = append(kids, m.KID), append(ids, id)
		}
	}
	if len(ids) == 0 {
		return nil
	}
	customers, err := tx.CustomersByID(ctx, c.ID, ids)
	if err != nil {
		return err
	}
	issued, err := tx.InvoicesByKID(ctx, c.ID, kids)
	if err != nil {
		return err
	}
	for i, m := range mandates {
		invoice, has := issued[m.KID]
		if _, is := customers[m.CustomerID]; !is || has && invoice.CustomerID != m.CustomerID {
			mandates[i].CustomerID = 0
		}
	}
	return nil
}
