// Package shipments changes the state of a shipment: a worker takes it, it is sent, it waits for another attempt, it
// fails, somebody reports what became of it, or a person has it sent again. Each change is written with its event. The
// package knows no channel and no queue.
package shipments

import (
	"cmp"
	"context"
	"fmt"
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
// the channel is asked what became of it. rules are the program's and the operator's.
//
// It locks, as everything does, the invoices of notices, then customers, then shipments, each in order of ID.
func TakeAll(ctx context.Context, tx *store.Tx, rules *law.Rules, ids []int64, worker string) ([]models.Shipment, error) {
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
	letters, err := renewAll(ctx, tx, rules, ss, heldFor)
	if err != nil {
		return nil, err
	}
	locked, err := tx.LockShipments(ctx, letters)
	if err != nil {
		return nil, err
	}
	var taken, changed []models.Shipment
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
		s.Begin(tx.Now, tx.Common)
		s.TakenBy, s.HeldFor, s.KeptBack, s.ReportedAt = worker, 0, "", nil
		taken, changed = append(taken, s), append(changed, s)
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
// same; a notice's letter may be another one, or none.
func renewAll(ctx context.Context, tx *store.Tx, rules *law.Rules, ss []models.Shipment, heldFor map[int64]int64) (ids []int64, err error) {
	letters := noticesOf(ss)
	if len(letters) == 0 {
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
	for _, s := range ss {
		id := s.ID
		n, is := notices[s.Document()]
		if is && s.Role() == models.Original && !s.Accepted() && !dunning.LeavesAsItIs(n.Invoice, n.Notice, today) {
			if id, err = renew(ctx, tx, rules, s, heldFor[id] != 0); err != nil {
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
// locked. A letter that takes another's place goes on with the other's attempts, so that it is not tried for longer. While letters to the customer are held, a notice is
// withdrawn if it is needless, and otherwise waits as it is.
func renew(ctx context.Context, tx *store.Tx, rules *law.Rules, s models.Shipment, held bool) (int64, error) {
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
	n, may, err := dunning.Renew(ctx, tx, rules, s.CreditorID, s.DocumentID)
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

// noticesOf returns the notices whose letters are among the shipments.
func noticesOf(ss []models.Shipment) (notices []models.Document) {
	for _, s := range ss {
		if s.DocumentKind == models.NoticeDocument {
			notices = append(notices, s.Document())
		}
	}
	return notices
}

// lockInvoicesOf locks the invoices of notices' letters, because a change of a letter's state may change its invoice. They
// come before the customers and the shipments, as in everything that issues or withdraws notices. Of other shipments it
// locks nothing.
func lockInvoicesOf(ctx context.Context, tx *store.Tx, ss []models.Shipment) error {
	notices := noticesOf(ss)
	if len(notices) == 0 {
		return nil
	}
	ids := make([]int64, len(notices))
	for i, n := range notices {
		ids[i] = n.ID
	}
	invoices, err := tx.InvoicesOfNotices(ctx, ss[0].CreditorID, ids)
	if err != nil {
		return err
	}
	_, err = tx.LockInvoices(ctx, ss[0].CreditorID, invoices)
	return err
}

// Outcome is what came of a shipment that was taken.
type Outcome struct {
	// Taken is the shipment as it was taken. Its receipt is empty if the channel knows nothing of what it had accepted.
	Taken   models.Shipment
	Receipt string // what the channel answered when it accepted the shipment
	Failure error  // why the channel did not; nil if it did
	Pending bool   // the channel has accepted it, and does not know yet whether it can send it
	Untried bool   // it was not handed over at all; the rest says nothing
	Unsent  bool   // the failure is not the channel's: it could not be made
	By      string // the kind of real way that has accepted it, or empty
	// At is when the channel sent it, zero if that is now: the answer may be noted much later.
	At time.Time
	// Canceled says that the channel has given back what it had accepted, because the letter's day had ended (rule D94). It is
	// due at once, as if it had not been handed over: it is issued anew.
	Canceled bool
	// Decided says that the shipment, for which models.Auto was asked, goes by the method Way, or by none. It was not handed
	// over.
	Decided bool
	Way     models.ShipmentMethod
	// Rows are those of the document, as the caller has read them. Zero ones are read: what the event tells of a document never
	// changes.
	Rows documents.Rows
}

// Record writes the result of handing a taken shipment over, and returns the changed shipment. Without a failure it is
// sent, and receipt is what the channel answered. It fails permanently if the failure is a models.Refused and the
// recipient's (rule D107), or if models.GiveUpAfter has passed. Otherwise it stays owed and is due again after a pause (rule R5c). A failure is written
// only if the worker that took the shipment still has it in hand, at the same attempt. What was reported meanwhile counts
// more than either. The caller empties taken.Receipt if the channel knows nothing of what it had accepted.
func Record(ctx context.Context, tx *store.Tx, taken models.Shipment, receipt string, failure error) (models.Shipment, error) {
	return recordOne(ctx, tx, Outcome{Taken: taken, Receipt: receipt, Failure: failure})
}

// RecordSent does what Record does without a failure, of a shipment that left at a moment, which is noted only now.
func RecordSent(ctx context.Context, tx *store.Tx, taken models.Shipment, receipt string, at time.Time) (models.Shipment, error) {
	return recordOne(ctx, tx, Outcome{Taken: taken, Receipt: receipt, At: at})
}

// RecordAccepted writes that the channel has accepted a taken shipment without knowing yet whether it can send it. The
// shipment stays owed, keeps the receipt, and is due again after a pause, to be asked after. It writes nothing if the
// worker that took the shipment no longer has it in hand at the same attempt, and only takes the worker's name off if
// somebody reported meanwhile what became of it.
func RecordAccepted(ctx context.Context, tx *store.Tx, taken models.Shipment, receipt string) (models.Shipment, error) {
	return recordOne(ctx, tx, Outcome{Taken: taken, Receipt: receipt, Pending: true})
}

func recordOne(ctx context.Context, tx *store.Tx, o Outcome) (models.Shipment, error) {
	recorded, err := RecordAll(ctx, tx, []Outcome{o})
	if err != nil {
		return models.Shipment{}, err
	}
	return recorded[0], nil
}

// RecordAll writes what came of several shipments of one creditor, and returns the changed shipments in the same order. Of
// each it writes what Record or RecordAccepted writes. One that was not tried is due again at once, and its attempt does not
// count. One whose way was decided is due at once, with all its attempts; by no method it is withdrawn. One that was refused
// falls back (rule S2).
func RecordAll(ctx context.Context, tx *store.Tx, outcomes []Outcome) ([]models.Shipment, error) {
	taken, ids := make([]models.Shipment, len(outcomes)), make([]int64, len(outcomes))
	for i, o := range outcomes {
		taken[i], ids[i] = o.Taken, o.Taken.ID
	}
	verdicts, err := hearAnswers(ctx, tx, outcomes)
	if err != nil {
		return nil, err
	}
	if err := lockInvoicesOf(ctx, tx, taken); err != nil {
		return nil, err
	}
	locked, err := tx.LockShipments(ctx, ids)
	if err != nil {
		return nil, err
	}
	letters, err := lettersInTime(ctx, tx, outcomes)
	if err != nil {
		return nil, err
	}
	var quiet []models.Shipment // changed, with nothing to tell
	var told []change
	recorded := make([]models.Shipment, len(outcomes))
	for i, o := range outcomes {
		s, there := locked[o.Taken.ID]
		if !there {
			return nil, models.NotFound("shipment")
		}
		written, event, done := o.apply(&s, verdicts[i], tx, letters)
		switch recorded[i] = s; {
		case event != "":
			told = append(told, change{s, event, models.ActorProgram, done, o.Rows})
		case written:
			quiet = append(quiet, s)
		}
	}
	if err := tx.UpdateShipments(ctx, quiet); err != nil {
		return nil, err
	}
	if err := updateAll(ctx, tx, told); err != nil {
		return nil, err
	}
	for i, o := range outcomes {
		if recorded[i].State == models.ShipmentFailed && passedOn(o.Failure) {
			if err := fallBack(ctx, tx, recorded[i]); err != nil {
				return nil, err
			}
		}
	}
	return recorded, nil
}

// apply changes a locked shipment by what came of it. It reports whether anything is to be written, and with which event,
// if any, whose text ends with done. letters says when accepted letters are asked after at the latest.
func (o Outcome) apply(s *models.Shipment, v verdict, tx *store.Tx, letters day) (written bool, event models.EventType, done string) {
	lost := s.TakenBy != o.Taken.TakenBy || s.Attempts != o.Taken.Attempts
	if lost && (o.Failure != nil || o.Pending || o.Untried || o.Decided || o.Canceled) { // it is of a worker that no longer has the shipment in hand
		return false, "", ""
	}
	if s.State.HasLeft() && !s.InHand() {
		return false, "", ""
	}
	s.TakenBy, s.BatchID = "", 0
	if o.Untried {
		if s.Attempts--; s.Attempts <= 0 {
			s.Forget()
		}
		return true, "", ""
	}
	if o.Decided {
		s.Forget()
		s.Reason, s.NextAttempt = "", tx.Common
		if s.Method = o.Way; s.Method == "" {
			s.Method, s.State = models.ByEHF, models.ShipmentWithdrawn
		}
		return true, "", ""
	}
	if o.Canceled {
		if s.State == models.ShipmentOwed {
			s.Receipt, s.Reason, s.NextAttempt = "", "", tx.Common
		}
		return true, "", ""
	}
	if s.Bounced() { // before its channel's answer was noted
		return true, "", ""
	}
	why := ""
	switch {
	case o.Failure != nil:
		why, s.Receipt = models.Foreign(o.Failure.Error(), models.MaxReason), o.Taken.Receipt
	case o.Pending:
		s.Receipt = cmp.Or(models.Foreign(o.Receipt, models.MaxReceipt), "accepted") // the row must say that it was
	default:
		s.Receipt = models.Foreign(o.Receipt, models.MaxReceipt)
	}
	s.End(tx.Now, tx.Common)
	switch {
	case s.ReportedAt != nil, o.Pending && s.State != models.ShipmentOwed:
		return true, "", ""
	case o.Failure == nil && !o.Pending:
		s.State, s.SentAt, s.Reason, s.GivenUp = models.ShipmentSent, o.left(*s, tx.Now), "", false
		return true, models.EventShipmentSent, "sent"
	case v.owed:
		v.keep(s, why, tx)
		return true, "", ""
	case models.IsRefused(o.Failure) || s.Overdue(tx.Now):
		if o.Pending {
			why = "the channel accepted it, but has not told for too long what became of it"
		}
		s.State, s.Reason, s.GivenUp = models.ShipmentFailed, why, !models.IsRefused(o.Failure)
		return true, models.EventShipmentFailed, "failed: " + s.Reason
	}
	pause := models.RetryPause(s.Attempts)
	if o.awaited() {
		pause = min(pause, letters.asks(*s))
	}
	s.Reason, s.NextAttempt = why, tx.Common.Add(pause)
	return true, "", ""
}

// left returns when a shipment left, as its channel tells now: never after now, nor before it was made and first tried.
func (o Outcome) left(s models.Shipment, now time.Time) *time.Time {
	if o.At.IsZero() || o.At.After(now) {
		return &now
	}
	at := o.At.UTC().Truncate(time.Microsecond)
	for _, known := range []*time.Time{&s.CreatedAt, s.FirstAttempt} {
		if known != nil && at.Before(*known) {
			at = *known
		}
	}
	return &at
}

// change is a shipment whose state has changed, and the event of what was done with it.
type change struct {
	shipment models.Shipment
	event    models.EventType
	actor    string
	done     string         // the end of the event's text
	rows     documents.Rows // of its document, or zero
}

// update writes a shipment whose state has changed, and the event of what was done with it.
func update(ctx context.Context, tx *store.Tx, s models.Shipment, t models.EventType, actor, done string) error {
	return updateAll(ctx, tx, []change{{shipment: s, event: t, actor: actor, done: done}})
}

// updateAll does for several shipments of one creditor what update does for one. Every change of a state but
// a withdrawal passes here. If the letter of a notice has failed, it withdraws the notice (rule L2); the invoice is
// locked then. If it has left, the notice follows the day on which it did (rule D94), and may go by EHF too (rule H1).
func updateAll(ctx context.Context, tx *store.Tx, changes []change) error {
	if len(changes) == 0 {
		return nil
	}
	ss := make([]models.Shipment, len(changes))
	for i, c := range changes {
		ss[i] = c.shipment
	}
	if err := tx.UpdateShipments(ctx, ss); err != nil {
		return err
	}
	rows, err := rowsOf(ctx, tx, changes)
	if err != nil {
		return err
	}
	events := make([]models.Event, len(changes))
	for i, c := range changes {
		r, there := rows[ss[i].Document()]
		if !there {
			return models.NotFound(string(ss[i].DocumentKind))
		}
		events[i] = describe(c.shipment, r)
		events[i].Type, events[i].Actor, events[i].Text = c.event, c.actor, events[i].Text+" "+c.done
	}
	if err := tx.Log(ctx, events...); err != nil {
		return err
	}
	var left []models.Shipment // letters of notices
	for _, s := range ss {
		switch letter := s.IsNoticeLetter(); {
		case letter && s.State == models.ShipmentFailed:
			if err := dunning.WithdrawFailed(ctx, tx, s.CreditorID, s.DocumentID, s.Reason); err != nil {
				return err
			}
		case letter && s.State.HasLeft():
			left = append(left, s)
		}
	}
	return haveLeft(ctx, tx, left, rows)
}

// rowsOf returns the rows of the documents of the changes, and reads those that the changes do not have.
func rowsOf(ctx context.Context, tx *store.Tx, changes []change) (map[models.Document]documents.Rows, error) {
	var unread []models.Document
	for _, c := range changes {
		if c.rows.Head.CustomerID == 0 {
			unread = append(unread, c.shipment.Document())
		}
	}
	rows, err := documents.ReadAll(ctx, tx, changes[0].shipment.CreditorID, unread)
	if err != nil {
		return nil, err
	}
	for _, c := range changes {
		if c.rows.Head.CustomerID != 0 {
			rows[c.shipment.Document()] = c.rows
		}
	}
	return rows, nil
}

// besides owes the EHFs of notices whose letters have left, where the policy wants them: copies, which dunning does not look
// at (rule H1). The worker decides whether the customer receives them. The letters are of one creditor; rows are those of
// their notices.
func besides(ctx context.Context, tx *store.Tx, creditor models.Creditor, letters []models.Shipment, rows map[models.Document]documents.Rows) error {
	of := make([]int64, len(letters))
	for i, l := range letters {
		of[i] = rows[l.Document()].Head.CustomerID
	}
	customers, err := tx.CustomersByID(ctx, creditor.ID, of)
	if err != nil {
		return err
	}
	for i, l := range letters {
		if customers[of[i]].Policy.Apply(creditor.Policy).EHFReminder {
			if err := copyByEHF(ctx, tx, l); err != nil {
				return err
			}
		}
	}
	return nil
}

// copyByEHF owes a copy of a notice by EHF, unless there is one already or it cannot be.
func copyByEHF(ctx context.Context, tx *store.Tx, letter models.Shipment) error {
	all, err := tx.ShipmentsOf(ctx, letter.Document())
	if err != nil || slices.ContainsFunc(all, func(s models.Shipment) bool { return s.Role() == models.Courtesy }) {
		return err
	}
	if err := expressible(ctx, tx, letter); err != nil {
		if models.KindOf(err) == models.KindInvalid {
			return nil
		}
		return err
	}
	return tx.CreateShipments(ctx, []models.Shipment{models.NewShipment(letter.CreditorID, letter.Document(), models.Courtesy, models.Auto, letter.Recipient)})
}

// documentNames are what the text of an event calls a document, by its kind. Each adds to the facts which one it is.
var documentNames = map[models.DocumentKind]func(documents.Rows, models.Facts) string{
	models.InvoiceDocument: func(r documents.Rows, _ models.Facts) string { return fmt.Sprintf("Invoice %d", r.Head.Number) },
	models.CreditNoteDocument: func(r documents.Rows, facts models.Facts) string {
		facts["credit_note_number"] = r.Head.Number
		return fmt.Sprintf("Credit note %d", r.Head.Number)
	},
	models.NoticeDocument: func(r documents.Rows, facts models.Facts) string {
		facts["is_incasso_notice"] = r.Notice.Warning
		return fmt.Sprintf("%s on invoice %d", dunning.Title(r.Notice), r.Head.Number)
	},
	models.StatementDocument: func(r documents.Rows, facts models.Facts) string {
		facts["customer"] = r.Head.Number
		return fmt.Sprintf("Statement of customer %d", r.Head.Number)
	},
}

// describe returns an event of a shipment, without its type and actor. Its text is the document and the channel in words.
func describe(s models.Shipment, r documents.Rows) models.Event {
	facts := models.Facts{"document": s.DocumentKind, "method": s.Method}
	if r.Invoice.ID != 0 {
		facts["invoice_number"] = r.Invoice.Number
	}
	text := documentNames[s.DocumentKind](r, facts)
	if s.Role() != models.Original {
		text += " as a copy"
		facts["copy"] = true
	}
	if s.Reason != "" || s.State == models.ShipmentFailed { // who reports a failure may give no reason
		facts["reason"] = s.Reason
	}
	return models.Event{CreditorID: s.CreditorID, InvoiceID: r.Invoice.ID, CustomerID: r.Statement.CustomerID, SubjectID: s.ID, Text: text + " " + s.Method.InWords(), Facts: facts}
}
