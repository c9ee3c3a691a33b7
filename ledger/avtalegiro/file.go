package avtalegiro

import (
	"context"
	"fmt"
	"slices"
	"time"

	"purr/models"
	"purr/store"
)

// claimsAtOnce is how many claims are read and written with one statement.
const claimsAtOnce = 500

// lastDate is after every due date.
var lastDate = models.NewDate(9999, 12, 31)

// MakeFile looks at a creditor's claims for the bank day of now, and makes the day's file of those that are to be drawn, and of
// cancellations of those that are not any more (rule G3). It does nothing if they were looked at already, or outside of the hour. A claim
// that can leave no more is rejected: its invoice goes out as an ordinary one. It returns the file, or one without ID if nothing is to be
// sent.
func MakeFile(ctx context.Context, tx *store.Tx, creditorID int64) (models.ClaimFile, error) {
	c, err := tx.LockCreditor(ctx, creditorID)
	if err != nil {
		return models.ClaimFile{}, err
	}
	day, due, err := Due(tx.Now, c.ClaimsDay)
	if err != nil || !due {
		return models.ClaimFile{}, err
	}
	m := making{tx: tx, file: models.ClaimFile{CreditorID: c.ID, SenderID: c.AvtaleGiro.SenderID, Day: day, DeliverBy: lastDate}}
	if err := m.owed(ctx); err != nil {
		return models.ClaimFile{}, err
	}
	if err := m.sent(ctx); err != nil {
		return models.ClaimFile{}, err
	}
	if err := m.write(ctx); err != nil {
		return models.ClaimFile{}, err
	}
	return m.file, tx.NoteClaimsLookedAt(ctx, c.ID, day)
}

// making is a day's file that is being made.
type making struct {
	tx      *store.Tx
	file    models.ClaimFile
	claims  []models.BankClaim // that go into the file
	cancels []models.BankClaim // that it takes back
	changed []models.BankClaim // that do not
	events  []models.Event
}

// each calls do with the creditor's claims in some states that are due from a day on, with what they are looked at by.
func (m *making) each(ctx context.Context, states []models.ClaimState, from models.Date, do func(b basis, claim models.BankClaim)) error {
	after := int64(0)
	for {
		claims, err := m.tx.ClaimsAfter(ctx, m.file.CreditorID, states, store.Dates{From: from}, after, claimsAtOnce)
		if err != nil || len(claims) == 0 {
			return err
		}
		b, err := readBasis(ctx, m.tx.View(), m.file.CreditorID, claims, m.file.Day)
		if err != nil {
			return err
		}
		for _, claim := range claims {
			do(b, claim)
		}
		after = claims[len(claims)-1].ID
	}
}

// owed looks at the claims that no file has.
func (m *making) owed(ctx context.Context) error {
	return m.each(ctx, []models.ClaimState{models.ClaimOwed}, 0, func(b basis, claim models.BankClaim) {
		if claim.FileID != 0 {
			return // its file is on its way
		}
		if reason := b.stops(claim); reason != "" {
			m.events = append(m.events, b.cancel(&claim, reason))
			m.changed = append(m.changed, claim)
			return
		}
		if claim.LastDay < m.file.Day || m.file.SenderID == "" {
			m.events = append(m.events, b.reject(&claim, models.ClaimTooLate))
			m.changed = append(m.changed, claim)
			return
		}
		claim.Amount = b.invoices[claim.InvoiceID].Claimed()
		m.claims, m.file.DeliverBy = append(m.claims, claim), min(m.file.DeliverBy, claim.LastDay)
	})
}

// sent looks at the claims that the bank has and has not drawn yet. A claim whose cancellation can leave no more stays: what is drawn is to
// be paid back.
func (m *making) sent(ctx context.Context) error {
	states := []models.ClaimState{models.ClaimSent, models.ClaimAccepted}
	return m.each(ctx, states, m.file.Day+1, func(b basis, claim models.BankClaim) {
		reason := b.stops(claim)
		if reason == "" || claim.CancelFile != 0 || claim.TooLate {
			return
		}
		if by := CancelBy(claim.DueDate); m.file.Day <= by {
			claim.Reason = reason
			m.cancels, m.file.DeliverBy = append(m.cancels, claim), min(m.file.DeliverBy, by)
			return
		}
		claim.TooLate, claim.Reason = true, reason
		m.changed = append(m.changed, claim)
		m.events = append(m.events, b.event(models.EventClaimNotCancelled, claim, "The claim of invoice %d is drawn by AvtaleGiro all the same, since it was too late to take it back (%s): pay it back", reason))
	})
}

// write writes the file, if anything is in it, and all that was decided.
func (m *making) write(ctx context.Context) error {
	if err := m.put(ctx, m.changed); err != nil {
		return err
	}
	f := &m.file
	if f.Claims, f.Cancellations = len(m.claims), len(m.cancels); f.Claims+f.Cancellations > 0 {
		for _, claim := range slices.Concat(m.claims, m.cancels) {
			f.Amount += claim.Amount
		}
		if err := m.tx.CreateClaimFile(ctx, f); err != nil {
			return err
		}
		for i := range m.claims {
			m.claims[i].FileID = f.ID
		}
		for i := range m.cancels {
			m.cancels[i].CancelFile = f.ID
		}
		if err := m.put(ctx, slices.Concat(m.claims, m.cancels)); err != nil {
			return err
		}
		m.events = append(m.events, models.Event{
			CreditorID: f.CreditorID, Type: models.EventClaimFileMade, SubjectID: f.ID,
			Text:  fmt.Sprintf("File %d of AvtaleGiro was made: %d claims and %d cancellations, of %s in all", f.Number, f.Claims, f.Cancellations, f.Amount),
			Facts: models.Facts{"file_number": f.Number, "day": f.Day, "claims": f.Claims, "cancellations": f.Cancellations, "amount": f.Amount},
		})
	}
	return m.tx.Log(ctx, m.events...)
}

// put writes claims, some at a time.
func (m *making) put(ctx context.Context, claims []models.BankClaim) error {
	return putAll(ctx, m.tx, claims)
}

func putAll(ctx context.Context, tx *store.Tx, claims []models.BankClaim) error {
	for some := range slices.Chunk(claims, claimsAtOnce) {
		if err := tx.UpdateClaims(ctx, some); err != nil {
			return err
		}
	}
	return nil
}

// Delivered notes that a file, which the caller has locked, has reached the bank at a moment: its claims are sent, and those that it takes
// back are cancelled. It does nothing if the file was delivered before. It writes the file.
func Delivered(ctx context.Context, tx *store.Tx, f *models.ClaimFile, when time.Time) error {
	if f.DeliveredAt != nil {
		return nil
	}
	claims, cancels, err := tx.ClaimsInFile(ctx, f.CreditorID, f.ID)
	if err != nil {
		return err
	}
	b, err := readAll(ctx, tx, f.CreditorID, cancels)
	if err != nil {
		return err
	}
	var events []models.Event
	for i := range claims {
		if claims[i].SentAt = &when; claims[i].State == models.ClaimOwed {
			claims[i].State = models.ClaimSent
		}
	}
	for i := range cancels {
		if cancels[i].Lives() {
			events = append(events, b.cancel(&cancels[i], cancels[i].Reason))
		}
	}
	if err := putAll(ctx, tx, slices.Concat(claims, cancels)); err != nil {
		return err
	}
	f.State, f.DeliveredAt, f.Failure, f.Uncertain = models.ClaimFileDelivered, &when, "", false
	events = append(events, fileEvent(models.EventClaimFileSent, *f, "File %d of AvtaleGiro has reached the bank"))
	if err := tx.Log(ctx, events...); err != nil {
		return err
	}
	return tx.UpdateClaimFile(ctx, *f)
}

func readAll(ctx context.Context, tx *store.Tx, creditorID int64, claims []models.BankClaim) (b basis, err error) {
	b.invoices = map[int64]models.Invoice{}
	today, err := models.BankDay(tx.Now)
	if err != nil {
		return b, err
	}
	for some := range slices.Chunk(claims, claimsAtOnce) {
		read, err := readBasis(ctx, tx.View(), creditorID, some, today)
		if err != nil {
			return b, err
		}
		for id, i := range read.invoices {
			b.invoices[id] = i
		}
	}
	return b, nil
}

func fileEvent(kind models.EventType, f models.ClaimFile, text string) models.Event {
	return models.Event{
		CreditorID: f.CreditorID, Type: kind, SubjectID: f.ID, Text: fmt.Sprintf(text, f.Number),
		Facts: models.Facts{"file_number": f.Number, "claims": f.Claims, "cancellations": f.Cancellations, "amount": f.Amount},
	}
}

// GiveUp gives up a file, which the caller has locked: its hour is over. Its number is never given
// again. If the bank surely has nothing of it, its claims and cancellations are owed again, for another file. Otherwise a later file takes its
// claims back, in case the bank has them, and their invoices go out as ordinary ones. It writes the file.
func GiveUp(ctx context.Context, tx *store.Tx, f *models.ClaimFile) error {
	return giveUp(ctx, tx, f, models.ClaimFileGivenUp, "")
}

func giveUp(ctx context.Context, tx *store.Tx, f *models.ClaimFile, state models.ClaimFileState, actor string) error {
	claims, cancels, err := tx.ClaimsInFile(ctx, f.CreditorID, f.ID)
	if err != nil {
		return err
	}
	for i := range claims {
		switch {
		case !claims[i].Lives():
		case f.Uncertain:
			claims[i].State, claims[i].Reason = models.ClaimSent, models.ClaimLost
		default:
			claims[i].State, claims[i].FileID, claims[i].SentAt = models.ClaimOwed, 0, nil
		}
	}
	for i := range cancels {
		if cancels[i].CancelFile = 0; cancels[i].State == models.ClaimCancelled {
			cancels[i].State, cancels[i].LetterOwed = models.ClaimSent, false
		}
	}
	if err := putAll(ctx, tx, slices.Concat(claims, cancels)); err != nil {
		return err
	}
	text, kind := "File %d of AvtaleGiro was given up: its hour was over before it reached the bank", models.EventClaimFileGivenUp
	if state == models.ClaimFileRejected {
		text, kind = "The bank has refused the whole of file %d of AvtaleGiro: "+f.Answer, models.EventClaimFileRejected
	}
	f.State, f.TakenBy = state, ""
	if err := tx.Log(ctx, by(actor, fileEvent(kind, *f, text))); err != nil {
		return err
	}
	return tx.UpdateClaimFile(ctx, *f)
}
