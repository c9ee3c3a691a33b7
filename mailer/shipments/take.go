package shipments

import (
	"context"
	"maps"
	"slices"
	"time"

	"purr/documents"
	"purr/dunning"
	"purr/law"
	"purr/models"
	"purr/store"
)

// TakeAll takes those shipments of one creditor that are owed and due, and returns them in the order of their IDs in ids: it
// counts the attempt of each and names the worker that has it in hand, so that nobody else takes it while that worker
// lives. If a payment or the closing of the invoice has made a notice needless, it withdraws the notice instead (rules E2, E6f).
// A letter to a customer whose letters are held is put off for a day (rule S1b). If a notice is of an earlier day, it issues the
// notice anew, and takes the new notice's letter (rule L2). What its channel has accepted already is past all that: it is taken so that
// the channel is asked what became of it. A letter of a notice that the audit disagrees with is kept back, and a person is told (rule U8).
//
// It locks, as everything does, the invoices of notices, then customers, then shipments, each in order of ID.
func TakeAll(ctx context.Context, tx *store.Tx, look SecondLook, ids []int64, worker string) ([]models.Shipment, error) {
	found, err := tx.ShipmentsByID(ctx, ids)
	if err != nil {
		return nil, err
	}
	var ss []models.Shipment
	for _, id := range ids {
		if s, there := found[id]; there {
			ss = append(ss, s)
		}
	}
	if err := lockInvoicesOf(ctx, tx, ss); err != nil {
		return nil, err
	}
	heldFor, err := lettersHeldFor(ctx, tx, ss)
	if err != nil {
		return nil, err
	}
	waits, err := look.again(ctx, tx, ss)
	if err != nil {
		return nil, err
	}
	for id := range heldFor {
		waits[id] = true
	}
	letters, err := renewAll(ctx, tx, look.Rules, ss, waits)
	if err != nil {
		return nil, err
	}
	locked, err := tx.LockShipments(ctx, letters)
	if err != nil {
		return nil, err
	}
	doubts, err := look.Letters(ctx, tx, slices.Collect(maps.Values(locked)))
	if err != nil {
		return nil, err
	}
	var taken, changed []models.Shipment
	var events []models.Event
	for _, id := range letters {
		s := locked[id]
		if !due(s, tx.Common) {
			continue
		}
		if heldFor[id] != 0 {
			s.HeldFor, s.Reason, s.NextAttempt = heldFor[id], models.LettersHeldReason, tx.Common.Add(heldPause)
			changed = append(changed, s)
			continue
		}
		if doubt, is := doubts[id]; is {
			if s.KeptBack != models.KeptAudit && (s.Attempts == 0 || !look.OnlyWarn) {
				events = append(events, look.Event(doubt, s.ID))
			}
			if !look.OnlyWarn {
				s.KeptBack, s.Reason, s.NextAttempt = models.KeptAudit, models.KeptAudit, tx.Common.Add(AuditPause)
				changed = append(changed, s)
				continue
			}
		}
		s.Begin(tx.Now, tx.Common)
		s.TakenBy, s.HeldFor, s.KeptBack, s.ReportedAt = worker, 0, "", nil
		taken, changed = append(taken, s), append(changed, s)
	}
	if err := tx.Log(ctx, events...); err != nil {
		return nil, err
	}
	return taken, tx.UpdateShipments(ctx, changed)
}

// GoBy notes by which way each of the shipments leaves that were just taken: by the one that way returns for its method, unless it keeps
// the way of an earlier attempt (rule Q7). It returns them so.
func GoBy(ctx context.Context, tx *store.Tx, taken []models.Shipment, way func(models.ShipmentMethod) models.WayID) ([]models.Shipment, error) {
	var changed []models.Shipment
	for i, s := range taken {
		if by := way(s.Method); !s.KeepsWay() && s.Way != by {
			taken[i].Way = by
			changed = append(changed, taken[i])
		}
	}
	return taken, tx.UpdateShipments(ctx, changed)
}

// heldPause is how long a letter that is held waits until it is looked at again. Its release does not wait for that; a
// notice that has become needless is withdrawn then.
const heldPause = 24 * time.Hour

// lettersHeldFor returns the customers whose letters are held, by the shipments that are letters to them. It locks
// those customers, so that nobody releases the letters before these are put off.
func lettersHeldFor(ctx context.Context, tx *store.Tx, ss []models.Shipment) (map[int64]int64, error) {
	var documents []models.Document
	for _, s := range ss {
		if s.Method.IsLetter() && !s.Accepted() {
			documents = append(documents, s.Document())
		}
	}
	held, err := tx.WithLettersHeld(ctx, documents)
	if err != nil || len(held) == 0 {
		return nil, err
	}
	customers, err := tx.LockCustomers(ctx, ss[0].CreditorID, slices.Collect(maps.Values(held)))
	if err != nil {
		return nil, err
	}
	heldFor := map[int64]int64{}
	for _, s := range ss {
		customer := customers[held[s.Document()]]
		if s.Method.IsLetter() && !s.Accepted() && customer.LettersHeld.Since != nil {
			heldFor[s.ID] = customer.ID
		}
	}
	return heldFor, nil
}

func due(s models.Shipment, now time.Time) bool {
	return s.State == models.ShipmentOwed && !s.InHand() && !s.NextAttempt.After(now)
}

// renewAll returns the IDs of the shipments that may leave in the place of those that are due, in their order. Most are the
// same; a notice's letter may be another one, or none. A letter of more time, a friendly reminder, or a letter of a payment plan, that is no
// longer so is withdrawn (rules N11, L14, L15). waits are the shipments that are not issued anew.
func renewAll(ctx context.Context, tx *store.Tx, rules *law.Rules, ss []models.Shipment, waits map[int64]bool) (ids []int64, err error) {
	letters, more := noticesOf(ss), thatSayMore(ss)
	if len(letters)+len(more) == 0 {
		for _, s := range ss {
			ids = append(ids, s.ID)
		}
		return ids, nil
	}
	creditor, err := tx.Creditor(ctx, ss[0].CreditorID)
	if err != nil {
		return nil, err
	}
	today, err := creditor.Today(tx.Now)
	if err != nil {
		return nil, err
	}
	notices, err := documents.ReadAll(ctx, tx, creditor.ID, letters)
	if err != nil {
		return nil, err
	}
	gone, err := withoutEmail(ctx, tx, creditor.ID, ss, notices)
	if err != nil {
		return nil, err
	}
	so, err := saysWhatIs(ctx, tx, creditor.ID, more)
	if err != nil {
		return nil, err
	}
	for _, s := range ss {
		id := s.ID
		if saysMore(s) && !s.Accepted() && !so[id] {
			if err := withdrawUntrue(ctx, tx, id); err != nil {
				return nil, err
			}
			continue
		}
		n, is := notices[s.Document()]
		if is && s.DocumentKind.Joint() && !s.Accepted() {
			if gone[id] || !dunning.LetterLeavesAsItIs(n.Letter, n.Invoices(), n.Notices(), today) {
				renewed, err := renewJoint(ctx, tx, rules, s, waits[id], gone[id])
				if err != nil {
					return nil, err
				}
				ids = append(ids, renewed...)
				continue
			}
		} else if is && s.Role() == models.Original && !s.Accepted() && (gone[id] || !dunning.LeavesAsItIs(n.Invoice, n.Notice, today)) {
			if id, err = renew(ctx, tx, rules, s, waits[id], gone[id]); err != nil {
				return nil, err
			}
		}
		if id != 0 {
			ids = append(ids, id)
		}
	}
	return ids, nil
}

// renew returns the ID of the letter that may leave in the place of a notice's letter, or zero if none may. The invoice is
// locked. A letter that takes another's place goes on with the other's attempts, so that it is not tried for longer. While letters to the customer are held, or the audit
// disagrees with this one, a notice is withdrawn if it is needless, and otherwise waits as it is.
func renew(ctx context.Context, tx *store.Tx, rules *law.Rules, s models.Shipment, held, gone bool) (int64, error) {
	s, err := tx.LockShipment(ctx, s.ID)
	if err != nil || !due(s, tx.Common) || s.Accepted() {
		return 0, err
	}
	if held {
		withdrawn, err := dunning.WithdrawIfNeedless(ctx, tx, s.CreditorID, s.DocumentID)
		if err != nil || withdrawn {
			return 0, err
		}
		return s.ID, nil
	}
	n, may, err := dunning.Renew(ctx, tx, rules, s.CreditorID, s.DocumentID, gone)
	switch {
	case err != nil || !may:
		return 0, err
	case n.ID == s.DocumentID:
		return s.ID, nil
	}
	letters, err := tx.ShipmentsOf(ctx, n.Document())
	if err != nil {
		return 0, err
	}
	anew := letters[0]
	anew.FirstAttempt, anew.PatientFrom, anew.Attempts = s.FirstAttempt, s.PatientFrom, s.Attempts
	return anew.ID, tx.UpdateShipment(ctx, anew)
}

// renewJoint does for the letter of several invoices what renew does for a notice's (rule L23). Mostly it returns one shipment or none.
func renewJoint(ctx context.Context, tx *store.Tx, rules *law.Rules, s models.Shipment, held, gone bool) (ids []int64, err error) {
	s, err = tx.LockShipment(ctx, s.ID)
	if err != nil || !due(s, tx.Common) || s.Accepted() {
		return nil, err
	}
	if held {
		withdrawn, err := dunning.WithdrawLetterIfNeedless(ctx, tx, s.CreditorID, s.DocumentID)
		if err != nil || withdrawn {
			return nil, err
		}
		return []int64{s.ID}, nil
	}
	leave, err := dunning.RenewLetter(ctx, tx, rules, s.CreditorID, s.DocumentID, gone)
	if err != nil {
		return nil, err
	}
	for _, d := range leave {
		if d == s.Document() {
			return []int64{s.ID}, nil
		}
		letters, err := tx.ShipmentsOf(ctx, d)
		if err != nil {
			return nil, err
		}
		anew := letters[0]
		anew.FirstAttempt, anew.PatientFrom, anew.Attempts = s.FirstAttempt, s.PatientFrom, s.Attempts
		if err := tx.UpdateShipment(ctx, anew); err != nil {
			return nil, err
		}
		ids = append(ids, anew.ID)
	}
	return ids, nil
}

// withoutEmail returns those of the shipments, by their IDs, that are e-mails of reminders to customers who have no e-mail address any more: they
// go by another way, or wait (rule L22).
func withoutEmail(ctx context.Context, tx *store.Tx, creditorID int64, ss []models.Shipment, rows map[models.Document]documents.Rows) (map[int64]bool, error) {
	to := map[int64]int64{} // customers, by shipments
	for _, s := range ss {
		if r, there := rows[s.Document()]; there && s.IsNoticeMail() {
			to[s.ID] = r.Head.CustomerID
		}
	}
	if len(to) == 0 {
		return nil, nil //nolint:nilnil // a nil map has none
	}
	customers, err := tx.CustomersByID(ctx, creditorID, slices.Collect(maps.Values(to)))
	if err != nil {
		return nil, err
	}
	gone := make(map[int64]bool, len(to))
	for id, customer := range to {
		gone[id] = customers[customer].Recipient.Email == ""
	}
	return gone, nil
}

// noticesOf returns the notices whose letters are among the shipments.
func noticesOf(ss []models.Shipment) (notices []models.Document) {
	for _, s := range ss {
		if s.DocumentKind == models.NoticeDocument || s.DocumentKind.Joint() {
			notices = append(notices, s.Document())
		}
	}
	return notices
}

// lockInvoicesOf locks the invoices of notices' letters, because a change of a letter's state may change its invoice, and those of
// letters of more time, friendly reminders and letters of payment plans, which say what stands on it. They come before the customers and the shipments, as in everything that issues or
// withdraws notices. Of other shipments it locks nothing.
func lockInvoicesOf(ctx context.Context, tx *store.Tx, ss []models.Shipment) error {
	notices, more := noticesOf(ss), thatSayMore(ss)
	if len(notices)+len(more) == 0 {
		return nil
	}
	var ids, letters []int64
	for _, n := range notices {
		if n.Kind.Joint() {
			letters = append(letters, n.ID)
		} else {
			ids = append(ids, n.ID)
		}
	}
	invoices, err := tx.InvoicesOfNotices(ctx, ss[0].CreditorID, ids)
	if err != nil {
		return err
	}
	plans, err := plansOf(ctx, tx, ss[0].CreditorID, more)
	if err != nil {
		return err
	}
	shared, err := tx.InvoicesOfLetters(ctx, ss[0].CreditorID, letters)
	if err != nil {
		return err
	}
	invoices = append(invoices, shared...)
	for _, s := range more {
		invoices = append(invoices, invoiceOf(s, plans))
	}
	_, err = tx.LockInvoices(ctx, ss[0].CreditorID, invoices)
	return err
}
