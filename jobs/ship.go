package jobs

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/mail"
	"slices"
	"time"

	"purr/internal/clock"
	"purr/jobs/tasks"
	"purr/mailer"
	"purr/mailer/peppol"
	"purr/mailer/shipments"
	"purr/models"
	"purr/store"
)

const kindShip = "ship"

func shipKind() kind {
	return kind{
		name: kindShip, queue: shipQueue, within: shipTurns*shipTurn + mailer.Longest, atOnce: true,
		owes: store.LeasedShipments.Due(), rows: &store.LeasedShipments, oldest: &store.ShipmentAge,
		do:       func(w *Worker) handler { return handle(untilTheSweep(w, w.ship)) },
		lanes:    func(concurrency int) int { return concurrency },
		due:      func(s *Scheduler, is owing) []owed { return when(is.there(kindShip), s.owedShipments(is.lane)) },
		accepted: shipmentAccepted,
	}
}

const (
	// shipLanes is the most lanes in which a creditor's shipments leave at the same time, from lane 0.
	shipLanes = 8
	// shipLoad is the most shipments that a lane takes together. It takes fewer where they leave slowly.
	shipLoad = 32
)

// shipPayload names one of the lanes of a creditor's shipments.
type shipPayload struct {
	CreditorID, Lane int64
	Again            bool // queued by the lane itself, when it gave way
}

func shipTask(p shipPayload) tasks.Task {
	key := fmt.Sprintf("%d:%d", p.CreditorID, p.Lane)
	if p.Again { // the lane's own ID is in use until it ends
		key += ":again"
	}
	return shipKind().task(key, p)
}

// A lane goes on for a turn before it asks whether others wait, and ends after some turns in any case (rule S5).
const (
	shipTurn  = time.Second
	shipTurns = 60
)

// ship dispatches the due shipments of a creditor to their channels, load after load, and records that they were
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
	most := shipLoad
	for range shipTurns {
		done, err := w.shipForATurn(ctx, p, &most)
		if err != nil || done || w.turns.over() {
			return err
		}
		if waiting, err := w.Queue.Waiting(ctx, shipQueue); err != nil || waiting > 0 {
			break
		}
	}
	p.Again = !p.Again
	w.Queue.Hint(ctx, shipTask(p))
	return nil
}

// shipForATurn dispatches shipments for one turn, in loads of up to the most given. It reports true if none is left. It begins
// loads in the first half of the turn alone. A load of which something had to be put back is followed by one of half the size.
func (w *Worker) shipForATurn(ctx context.Context, p shipPayload, most *int) (done bool, err error) {
	turn, cancel := context.WithTimeout(ctx, shipTurn)
	defer cancel()
	half, cancelHalf := context.WithTimeout(turn, shipTurn/2)
	defer cancelHalf()
	single := false
	for first := true; half.Err() == nil && !w.turns.over(); first = false {
		size := *most
		if single {
			size = 1
		}
		due, back, err := w.shipNext(ctx, turn, p, size, func(due int) {
			for lane := range min(int64(due), shipLanes) {
				if first && lane != p.Lane { // there is work for others too
					w.Queue.Hint(ctx, shipTask(shipPayload{CreditorID: p.CreditorID, Lane: lane}))
				}
			}
		})
		if err != nil && size > 1 && models.KindOf(err) != models.KindUnavailable {
			single = true // one of them cannot be taken; the others are not to wait for it
			continue
		}
		if err != nil || due == 0 {
			return true, err
		}
		if *most = min(*most*2, shipLoad); back {
			*most = max(size/2, 1)
		}
	}
	return false, nil
}

// shipNext dispatches a load of the creditor's shipments that have been due the longest, of up to the most given. It
// returns how many were due, as far as it has looked, and calls begun with it once it has some in hand. It may have put
// them all off: letters that are held, notices that are needless. It reports whether the end of the turn put some of them back.
func (w *Worker) shipNext(ctx, turn context.Context, p shipPayload, most int, begun func(due int)) (due int, back bool, err error) {
	l := &load{w: w}
	_, err = w.hold(ctx,
		func(ctx context.Context, tx *store.Tx, worker string) (taken bool, err error) {
			l.left, due, err = w.takeShipments(ctx, tx, p, most, worker)
			return len(l.left) > 0, err
		},
		func(ctx context.Context, tx *store.Tx, failure error) error {
			var outcomes []shipments.Outcome
			for _, s := range l.left {
				outcomes = append(outcomes, shipments.Outcome{Taken: s.Shipment, Failure: failure})
			}
			return w.recordShipments(ctx, tx, outcomes)
		},
		func(holding *tenancy) {
			begun(due)
			l.holding = holding
			l.dispatch(ctx, turn)
		})
	if err != nil {
		return 0, false, err
	}
	return due, l.back, nil
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

// takeShipments takes shipments of the creditor that have been due the longest for a worker, and returns how many were
// due, as far as it has looked. The lanes share them: each takes its part, so that they seldom wait for each other's locks,
// and a few shipments leave as soon as many lanes can hand them over.
func (w *Worker) takeShipments(ctx context.Context, tx *store.Tx, p shipPayload, most int, worker string) (ss []taken, due int, err error) {
	gate, err := shipments.OpenGate(ctx, tx, w.part(), p.CreditorID, models.OneByOne(w.Shop != nil))
	if err != nil {
		return nil, 0, err
	}
	methods := gate.Free
	var mails []int64
	var wait time.Duration
	if i := slices.Index(methods, models.ByEmail); i >= 0 && w.MailRate > 0 {
		methods = slices.Delete(methods, i, i+1)
		if mails, wait, err = w.mailsInTurn(ctx, tx, p.CreditorID, most); err != nil {
			return nil, 0, err
		}
	}
	ids, err := tx.DueShipmentIDs(ctx, p.CreditorID, tx.Common, shipLanes*shipLoad, methods...)
	if err != nil {
		return nil, 0, err
	}
	due = len(ids) + len(mails) + len(gate.Single)
	passed, err := gate.Pass(ctx, tx, slices.Concat(share(ids, p.Lane, most), mails, gate.Single))
	if err != nil {
		return nil, 0, err
	}
	all, err := shipments.TakeAll(ctx, tx, w.Runs.Rules, passed, worker)
	if err != nil {
		return nil, 0, err
	}
	now, mailed := clock.System{}.Now(), wait
	for _, s := range all {
		t := taken{Shipment: s}
		if s.Method == models.ByEmail && w.MailRate > 0 {
			t.leaves = now.Add(mailed)
			mailed += w.mailPause()
		}
		ss = append(ss, t)
	}
	if mailed > wait {
		err = tx.TakeMailTurn(ctx, p.CreditorID, w.mailTime(tx).Add(mailed))
	}
	return ss, due, err
}

// mailBurst is how long a lane may be busy with the pauses between the e-mails of one load.
const mailBurst = shipTurn / 10

// mailsInTurn returns the due e-mails of the creditor that a lane may take together, and how long the first of them must
// wait (rule S5). The lanes take their turns one after the other.
func (w *Worker) mailsInTurn(ctx context.Context, tx *store.Tx, creditorID int64, most int) (ids []int64, wait time.Duration, err error) {
	if wait, err = tx.MailPause(ctx, creditorID, w.mailTime(tx)); err != nil {
		return nil, 0, err
	}
	if wait > shipTurn+mailBurst+w.mailPause()+models.ClockSlack {
		wait = 0 // a clock that was ahead has put the turn off (rule D117)
	}
	if wait > shipTurn {
		return nil, 0, nil
	}
	ids, err = tx.DueShipmentIDs(ctx, creditorID, tx.Common, min(most, 1+int(mailBurst/w.mailPause())), models.ByEmail)
	return ids, wait, err
}

// mailPause is the time between two e-mails of a creditor.
func (w *Worker) mailPause() time.Duration { return time.Duration(float64(time.Second) / w.MailRate) }

// share returns a lane's part of what is due, of up to the most given.
func share(ids []int64, lane int64, most int) []int64 {
	part := min(most, (len(ids)+shipLanes-1)/shipLanes)
	if from := int(lane) * part; from < len(ids) {
		ids = ids[from:]
	}
	return ids[:min(part, len(ids))]
}

// mailTime is the time by which e-mails take turns. Simulated time would let all of them go at once.
func (w *Worker) mailTime(tx *store.Tx) time.Time {
	if w.Wall != nil {
		return w.Wall.Now()
	}
	return tx.Common
}

// noSender is the sender address of a creditor who has none yet. It receives no answers: RFC 2606 reserves the domain.
const noSender = "no-reply@purr.invalid"

// parcel returns what the channel of a shipment gets.
func (w *Worker) parcel(ctx context.Context, s models.Shipment, of contents) (mailer.Parcel, error) {
	pdf, creditor := of.pdfs[s.Document()], of.creditor
	if pdf.Err != nil {
		return mailer.Parcel{}, pdf.Err
	}
	rows := pdf.Rows
	dayOver := false
	if s.IsNoticeLetter() {
		today, err := creditor.Today(w.Runs.Clock.Now())
		if err != nil {
			return mailer.Parcel{}, err
		}
		if !s.Accepted() && s.BatchID == 0 && rows.Notice.Outdated(today) { // since it was taken: the next attempt issues it anew
			return mailer.Parcel{}, models.Unavailable("the channel", errors.New("the day of the letter has ended"))
		}
		dayOver = s.Accepted() && (rows.Notice.Outdated(today) || rows.Notice.Withdrawn != 0)
	}
	p := mailer.Parcel{
		DayOver: dayOver, Name: s.Name(rows.Head.Number), ShipmentID: s.ID, InstanceID: peppol.InstanceID(of.installation, s.ID), Creditor: creditor.OrganisationNumber,
		DocumentKind: s.DocumentKind, DocumentNumber: rows.Head.Number, Recipient: s.Recipient, PDF: pdf.Content, Date: s.CreatedAt, Attempt: s.Attempts, Receipt: s.Receipt,
	}
	if s.Method == models.ByEHF {
		shown, err := w.Documents.Seller(ctx, creditor, s.Document()) // the network's sender is the seller inside
		if err != nil {
			return mailer.Parcel{}, err
		}
		p.Creditor = shown.OrganisationNumber
		if p.EHF, err = w.EHF(ctx, s.CreditorID, s.Document()); models.KindOf(err) == models.KindConflict { // it would break the network's rules
			err = models.Refuse(models.BlameRecipient, err, "the document cannot go by EHF")
		}
		return p, err
	}
	if s.RetriedAt != nil && w.Wall == nil { // channels do not live in simulated time
		p.SinceRetry = w.Runs.Clock.Now().Sub(*s.RetriedAt)
	}
	if s.Method != models.ByEmail {
		return p, nil
	}
	customer, there := of.customers[rows.Head.CustomerID]
	if !there {
		return mailer.Parcel{}, models.NotFound("customer")
	}
	i, head := rows.Invoice, rows.Head
	text, err := mailer.Cover{
		Kind: s.DocumentKind, Copy: s.Role() != models.Original, Creditor: pdf.Seller.Name, Customer: cmp.Or(head.Recipient.Name1, s.Recipient.Name1),
		Number: head.Number, Invoice: i.Number, Amount: head.Gross, DueDate: i.DueDate, BankAccount: i.BankAccount, KID: i.KID,
		From: rows.Statement.FromDate, To: rows.Statement.ToDate,
	}.Text(cmp.Or(head.Language, customer.Language))
	if err != nil {
		return mailer.Parcel{}, err
	}
	p.From, p.To = mail.Address{Name: pdf.Seller.Name, Address: cmp.Or(creditor.Email, w.Sender, noSender)}, s.Recipient.Email
	p.Subject, p.Text, p.AttachmentName, p.Tag = text.Subject, text.Body, text.FileName, shipments.Tag(w.BounceKey, s)
	return p, nil
}

// owedShipments returns a lane of each creditor with due shipments. A lane that finds more than one queues the others.
func (s *Scheduler) owedShipments(lane int64) owed {
	return each(func(ctx context.Context) ([]int64, error) {
		return s.DB.CreditorsToShip(ctx, s.DB.Common(), models.OneByOne(s.Shop != nil)...)
	}, func(creditorID int64) tasks.Task {
		return shipTask(shipPayload{CreditorID: creditorID, Lane: lane})
	})
}
