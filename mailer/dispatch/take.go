package dispatch

import (
	"context"
	"slices"
	"time"

	"purr/internal/clock"
	"purr/mailer/shipments"
	"purr/models"
	"purr/store"
)

// Share is the part of a creditor's due shipments that a load takes. Those who take at the same time have a part each, so that they
// seldom wait for each other's locks, and a few shipments leave as soon as many can hand them over.
type Share struct {
	CreditorID  int64
	Part, Parts int // from 0
	Look        int // at so many of those that have been due the longest
	Most        int
	Within      time.Duration // how long the load may take
}

// of returns the share of what is due. A part for which nothing is left is the first one.
func (s Share) of(ids []int64) []int64 {
	part := min(s.Most, (len(ids)+s.Parts-1)/s.Parts)
	if from := s.Part * part; from < len(ids) {
		ids = ids[from:]
	}
	return ids[:min(part, len(ids))]
}

// Take takes a share of the creditor's shipments that have been due the longest, for a worker. It may have put all of them off: letters
// that are held, notices that are needless.
func (d *Dispatcher) Take(ctx context.Context, tx *store.Tx, share Share, worker string) (*Load, error) {
	out, err := d.waysOf(ctx, tx, share.CreditorID)
	if err != nil {
		return nil, err
	}
	part := partOf(d.Part, out)
	gate, err := shipments.OpenGate(ctx, tx, part, share.CreditorID, models.OneByOne(!part.OneByOne))
	if err != nil {
		return nil, err
	}
	methods := gate.Free
	var mails []int64
	var wait time.Duration
	if i := slices.Index(methods, models.ByEmail); i >= 0 && d.MailRate > 0 {
		methods = slices.Delete(methods, i, i+1)
		if mails, wait, err = d.mailsInTurn(ctx, tx, share); err != nil {
			return nil, err
		}
	}
	ids, err := tx.DueShipmentIDs(ctx, share.CreditorID, tx.Common, share.Look, methods...)
	if err != nil {
		return nil, err
	}
	passed, err := gate.Pass(ctx, tx, slices.Concat(share.of(ids), mails, gate.Single))
	if err != nil {
		return nil, err
	}
	if len(passed) == 0 {
		if passed, err = gate.Stranded(ctx, tx, share.Most); err != nil {
			return nil, err
		}
	}
	if part.OwnLetters && !part.OneByOne { // what went one by one before is asked after, though letters leave in batches now
		elsewhere, err := tx.DueElsewhereIDs(ctx, share.CreditorID, tx.Common, share.Most, models.ByPaper, part.Batches)
		if err != nil {
			return nil, err
		}
		passed = append(passed, elsewhere...)
	}
	all, err := shipments.TakeAll(ctx, tx, d.Look, passed, worker)
	if err != nil {
		return nil, err
	}
	if all, err = shipments.GoBy(ctx, tx, all, func(m models.ShipmentMethod) models.WayID { return out.Now(m).ID }); err != nil {
		return nil, err
	}
	l := &Load{Due: max(len(ids)+len(mails)+len(gate.Single), len(passed)), d: d, out: out, kinds: part.Ways}
	return l, d.line(ctx, tx, l, all, wait)
}

// line puts taken shipments into a load. The e-mails among them leave in their turn, the first of them after a pause.
func (d *Dispatcher) line(ctx context.Context, tx *store.Tx, l *Load, all []models.Shipment, wait time.Duration) error {
	now, mailed := clock.System{}.Now(), wait
	for _, s := range all {
		t := taken{Shipment: s}
		if s.Method == models.ByEmail && d.MailRate > 0 {
			t.leaves = now.Add(mailed)
			mailed += d.mailPause()
		}
		l.left = append(l.left, t)
	}
	if mailed == wait {
		return nil
	}
	return tx.TakeMailTurn(ctx, all[0].CreditorID, d.mailTime(tx).Add(mailed))
}

// mailsInTurn returns the due e-mails of the creditor that a load may have, and how long the first of them must wait (rule S5). Loads
// take their turns one after the other. One is busy with the pauses between its e-mails for a tenth of its time.
func (d *Dispatcher) mailsInTurn(ctx context.Context, tx *store.Tx, share Share) (ids []int64, wait time.Duration, err error) {
	if wait, err = tx.MailPause(ctx, share.CreditorID, d.mailTime(tx)); err != nil {
		return nil, 0, err
	}
	burst := share.Within / 10
	if wait > share.Within+burst+d.mailPause()+models.ClockSlack {
		wait = 0 // a clock that was ahead has put the turn off (rule D117)
	}
	if wait > share.Within {
		return nil, 0, nil
	}
	ids, err = tx.DueShipmentIDs(ctx, share.CreditorID, tx.Common, min(share.Most, 1+int(burst/d.mailPause())), models.ByEmail)
	return ids, wait, err
}

// mailPause is the time between two e-mails of a creditor.
func (d *Dispatcher) mailPause() time.Duration {
	return time.Duration(float64(time.Second) / d.MailRate)
}

// mailTime is the time by which e-mails take turns. Simulated time would let all of them go at once.
func (d *Dispatcher) mailTime(tx *store.Tx) time.Time {
	if d.Wall != nil {
		return d.Wall.Now()
	}
	return tx.Common
}
