package jobs

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/mail"
	"net/textproto"
	"slices"
	"time"

	"purr/documents"
	"purr/mailer"
	"purr/models"
	"purr/peppol"
	"purr/rest"
	"purr/shipments"
	"purr/store"
)

const kindShip = "ship"

// shipLanes is the most lanes in which a creditor's shipments leave at the same time, from lane 0.
const shipLanes = 8

// shipPayload names one of the lanes of a creditor's shipments.
type shipPayload struct {
	CreditorID, Lane int64
	Again            bool // queued by the lane itself, when it gave way
}

func shipTask(p shipPayload) task {
	key := fmt.Sprintf("%d:%d", p.CreditorID, p.Lane)
	if p.Again { // the lane's own ID is in use until it ends
		key += ":again"
	}
	return task{kind: kindShip, key: key, payload: p, timeout: shipTurns*shipTurn + mailer.Longest}
}

// A lane goes on for a turn before it asks whether others wait, and ends after some turns in any case (rule S5).
const (
	shipTurn  = time.Second
	shipTurns = 60
)

// ship dispatches the due shipments of a creditor to their channels, one after the other, and records that they were
// sent. If a channel is away, the sweep tries the shipment again, with growing pauses (rule R5c). Creditors take turns:
// however many shipments one of them has, another one's wait for a turn at most (rule S5).
//
// queued by: the act that made the document, the run, the sweep, and other lanes.
func (w *Worker) ship(ctx context.Context, p shipPayload) error {
	leave, entered := w.turns.enter(kindShip, p.CreditorID)
	if !entered {
		return nil // the sweep queues it again
	}
	defer leave()
	for range shipTurns {
		done, err := w.shipForATurn(ctx, p)
		if err != nil || done || w.turns.over() {
			return err
		}
		if waiting, err := w.Queue.waiting(ctx, shipQueue); err != nil || waiting > 0 {
			break
		}
	}
	p.Again = !p.Again
	w.Queue.hint(ctx, shipTask(p))
	return nil
}

// shipForATurn dispatches shipments for one turn. It reports true if none is left.
func (w *Worker) shipForATurn(ctx context.Context, p shipPayload) (done bool, err error) {
	turn, cancel := context.WithTimeout(ctx, shipTurn)
	defer cancel()
	for first := true; turn.Err() == nil && !w.turns.over(); first = false {
		due, err := w.shipNext(ctx, p)
		if err != nil || due == 0 {
			return true, err
		}
		for lane := range min(int64(due), shipLanes) {
			if first && lane != p.Lane { // there is work for others too
				w.Queue.hint(ctx, shipTask(shipPayload{CreditorID: p.CreditorID, Lane: lane}))
			}
		}
	}
	return false, nil
}

// shipNext dispatches one of the creditor's shipments that have been due the longest. It returns how many were due, as
// far as it has looked. It may have put them all off: letters that are held, notices that are needless.
func (w *Worker) shipNext(ctx context.Context, p shipPayload) (due int, err error) {
	var s models.Shipment
	var wait time.Duration
	var answer mailer.Answer
	_, err = w.underLease(ctx, leased{
		take: func(ctx context.Context, tx *store.Tx, worker string) (taken bool, err error) {
			if s, due, wait, err = w.takeShipment(ctx, tx, p, worker); err != nil {
				return false, err
			}
			return s.ID != 0, nil
		},
		do: func(ctx context.Context, stillOurs func() error) error {
			parcel, err := w.parcel(ctx, s)
			if err != nil {
				return err
			}
			if err := sleep(ctx, wait); err != nil {
				return err
			}
			parcel.MayLeave = stillOurs
			answer, err = handOver(ctx, w.Channels[s.Method], &s, parcel)
			return err
		},
		accepted: func() (mark, bool) {
			receipt := models.Foreign(answer.Receipt, models.MaxReceipt)
			return mark{
				Kind: kindShip, CreditorID: s.CreditorID, ID: s.ID, Attempt: s.Attempts, Receipt: receipt, Pending: answer.Pending,
			}, !answer.Repeatable
		},
		record: func(ctx context.Context, tx *store.Tx, failure error) error {
			if failure == nil && answer.Pending {
				_, err := shipments.RecordAccepted(ctx, tx, s, answer.Receipt)
				return err
			}
			now, err := shipments.Record(ctx, tx, s, answer.Receipt, failure)
			if err == nil && failure != nil && now.State == models.ShipmentOwed {
				w.Log.Warn("a shipment failed and will be tried again",
					"shipment", s.ID, "attempt", now.Attempts, "next", now.NextAttempt, "error", unquoted(failure))
			}
			return err
		},
	})
	if err != nil {
		return 0, err
	}
	return due, nil
}

// handOver gives a taken shipment to its channel. It asks first if the channel may have it already. If the channel knows
// nothing of what it had accepted, the shipment loses its receipt, and its next attempt is like a first one: what became
// needless or outdated meanwhile does not leave.
func handOver(ctx context.Context, channel mailer.Channel, s *models.Shipment, p mailer.Parcel) (mailer.Answer, error) {
	asker, asks := channel.(mailer.Asker)
	switch {
	case !asks && s.Accepted():
		return mailer.Answer{}, models.Unavailable("the channel", fmt.Errorf("it accepted this as %s, and the one that is set now cannot be asked about it", s.Receipt))
	case !asks || !s.MayHaveArrived():
		return channel.HandOver(ctx, p)
	}
	answer, err := asker.Ask(ctx, p)
	if models.KindOf(err) != models.KindNotFound {
		return answer, err
	}
	if s.Accepted() {
		s.Receipt = ""
		return mailer.Answer{}, models.Unavailable("the channel", errors.New("it knows nothing of what it had accepted"))
	}
	return channel.HandOver(ctx, p)
}

// takeShipment takes one of the creditor's shipments that have been due the longest for a worker. Each lane begins at
// another one, so that they seldom wait for each other's locks. It returns how long an e-mail must wait for its turn, and
// a shipment without ID if there was none to take.
func (w *Worker) takeShipment(ctx context.Context, tx *store.Tx, p shipPayload, worker string) (s models.Shipment, due int, wait time.Duration, err error) {
	methods := []models.ShipmentMethod{models.ByPaper, models.ByEmail}
	if w.MailRate > 0 {
		if wait, err = tx.MailPause(ctx, p.CreditorID, w.mailTime(tx)); err != nil {
			return s, 0, 0, err
		}
		if wait > shipTurn {
			methods = methods[:1]
		}
	}
	if w.Shop != nil { // letters go in batches
		methods = slices.DeleteFunc(methods, func(m models.ShipmentMethod) bool { return m == models.ByPaper })
	}
	found, err := tx.DueShipments(ctx, p.CreditorID, tx.Common, 2*shipLanes, methods...)
	if err != nil {
		return s, 0, 0, err
	}
	if p.Lane > 0 && p.Lane < int64(len(found)) {
		found = found[p.Lane:]
	}
	for _, candidate := range found {
		s, taken, err := shipments.Take(ctx, tx, w.Runs.Rules, candidate.ID, worker)
		if err != nil {
			return models.Shipment{}, 0, 0, err
		}
		if !taken {
			continue
		}
		if s.Method != models.ByEmail || w.MailRate == 0 {
			return s, len(found), 0, nil
		}
		every := time.Duration(float64(time.Second) / w.MailRate)
		return s, len(found), wait, tx.TakeMailTurn(ctx, s.CreditorID, w.mailTime(tx).Add(wait+every))
	}
	return models.Shipment{}, len(found), 0, nil
}

// mailTime is the time by which e-mails take turns. Simulated time would let all of them go at once.
func (w *Worker) mailTime(tx *store.Tx) time.Time {
	if w.Wall != nil {
		return w.Wall.Now()
	}
	return tx.Common
}

// sleep waits, and fails if the context ends before.
func sleep(ctx context.Context, d time.Duration) error {
	if d <= 0 {
		return nil
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return models.Unavailable("the channel", ctx.Err())
	}
}

// noSender is the sender address of a creditor who has none yet. It receives no answers: RFC 2606 reserves the domain.
const noSender = "no-reply@purr.invalid"

// parcel returns what the channel of a shipment gets.
func (w *Worker) parcel(ctx context.Context, s models.Shipment) (mailer.Parcel, error) {
	pdf, err := w.Documents.PDF(ctx, s.CreditorID, s.Document())
	if err != nil {
		return mailer.Parcel{}, err
	}
	rows, err := documents.Read(ctx, w.DB, s.CreditorID, s.Document())
	if err != nil {
		return mailer.Parcel{}, err
	}
	creditor, err := w.DB.Creditor(ctx, s.CreditorID)
	if err != nil {
		return mailer.Parcel{}, err
	}
	if s.DocumentKind == models.NoticeDocument {
		today, err := creditor.Today(w.Runs.Clock.Now())
		if err != nil {
			return mailer.Parcel{}, err
		}
		if !s.Accepted() && s.BatchID == 0 && rows.Notice.Outdated(rows.Invoice, today) { // since it was taken: the next attempt issues it anew
			return mailer.Parcel{}, models.Unavailable("the channel", errors.New("the day of the letter has ended"))
		}
	}
	installation, err := w.DB.InstallationID(ctx)
	if err != nil {
		return mailer.Parcel{}, err
	}
	p := mailer.Parcel{
		Name: s.Name(rows.Number()), ShipmentID: s.ID, InstanceID: peppol.InstanceID(installation, s.ID), Creditor: creditor.OrganisationNumber,
		DocumentKind: s.DocumentKind, DocumentNumber: rows.Number(), Recipient: s.Recipient, PDF: pdf, Attempt: s.Attempts, Receipt: s.Receipt,
	}
	if s.RetriedAt != nil && w.Wall == nil { // channels do not live in simulated time
		p.SinceRetry = w.Runs.Clock.Now().Sub(*s.RetriedAt)
	}
	if s.Method != models.ByEmail {
		return p, nil
	}
	customer, err := w.DB.Customer(ctx, s.CreditorID, rows.Invoice.CustomerID)
	if err != nil {
		return mailer.Parcel{}, err
	}
	i, note := rows.Invoice, rows.CreditNote
	cover := mailer.Cover{
		Kind: s.DocumentKind, Copy: s.Copy, Creditor: creditor.Name, Customer: i.Recipient.Name1, Number: i.Number,
		Amount: i.Gross, DueDate: i.DueDate, BankAccount: i.BankAccount, KID: i.KID,
	}
	if s.DocumentKind == models.CreditNoteDocument {
		cover.Customer, cover.Number, cover.Invoice, cover.Amount = note.Recipient.Name1, note.Number, i.Number, note.Gross
	}
	text, err := cover.Text(customer.Language)
	if err != nil {
		return mailer.Parcel{}, err
	}
	p.From, p.To = mail.Address{Name: creditor.Name, Address: cmp.Or(creditor.Email, noSender)}, s.Recipient.Email
	p.Subject, p.Text, p.AttachmentName, p.Date = text.Subject, text.Body, text.FileName, s.CreatedAt
	return p, nil
}

// unquoted says why a shipment failed, without the words of the mail server or the print house: they may repeat the address.
// The shipment keeps those words; the log leaves them out.
func unquoted(failure error) string {
	if reply, is := errors.AsType[*textproto.Error](failure); is {
		return fmt.Sprintf("the mail server answered %d", reply.Code)
	}
	if refusal, is := errors.AsType[*rest.Refusal](failure); is {
		return "the provider answered " + refusal.Status
	}
	return failure.Error()
}

// owedShipments returns a lane of each creditor with due shipments. A lane that finds more than one queues the others.
func (s *Scheduler) owedShipments(lane int64) owed {
	return each(func(ctx context.Context) ([]int64, error) {
		if s.Shop != nil {
			return s.DB.CreditorsToShip(ctx, s.DB.Common(), models.ByPaper)
		}
		return s.DB.CreditorsToShip(ctx, s.DB.Common())
	}, func(creditorID int64) task {
		return shipTask(shipPayload{CreditorID: creditorID, Lane: lane})
	})
}
