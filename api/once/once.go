// Package once has an act done once (rule D9). Whoever asks for it has a key: the Idempotency-Key of a call, or the name of a form
// of the console's. Whoever asks again with the key gets the answer of then, in the form of then, for 24 hours.
//
// It knows nothing of HTTP but the meaning of a status, and nothing of what the acts do. An act has one of three shapes:
//
//   - Do: one transaction does the act and keeps its answer. There is never one without the other.
//   - Begin and Finish: one transaction does several acts, each with a key of its own.
//   - Leases.Do: an act of several transactions holds its key by a lease meanwhile.
//
// An act that fails rolls back and leaves its key free. Refuse then keeps the refusal, where that is kept. What counts as the same
// request is the caller's to say: Key.Request.
package once

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"time"

	"purr/models"
	"purr/store"
)

// Key names an act, and the request that asks for it.
type Key struct {
	CreditorID int64
	Name       string    // the Idempotency-Key; of a form it begins with store.FormKeys
	Request    string    // a hash of all that makes the request another one, in hex
	Sent       int64     // the length of the request's body, in bytes
	JSON       bool      // the answer is to be in JSON, as that of a form always is
	At         time.Time // when a form was sent, in real time; zero stands for the transaction's moment
}

// Answer is what an act was answered with.
type Answer struct {
	Status    int
	Location  string
	MediaType string // of the body; empty in what was kept before schema 47
	Body      string
	Refusal   error // why the act was not done; nil if it was. It is not kept
}

// ErrAnother is returned for a key that was used with another request (rule D9).
var ErrAnother error = models.Invalid("idempotency_mismatch", "", "this Idempotency-Key was used with another request")

// ErrOtherForm is returned for a key that was used with another request, which was answered in the other form (rule J1).
var ErrOtherForm error = models.Invalid("idempotency_key_reused", "", "this Idempotency-Key was used for an answer in the other form: repeat the request as it was sent")

// Act is one act of a transaction. Begin says whether it must be done. Then the caller sets its Answer, and Finish keeps that.
type Act struct {
	Key    *Key   // nil for an act without a key, which is done each time
	Fresh  bool   // the act must be done
	Answer Answer // of before, unless the act is fresh
	Err    error  // why the act is not done and has no answer: ErrAnother, ErrOtherForm or store.ErrInProgress

	reserved store.Reservation
}

// Begin reserves the keys of acts of one creditor. No two of them have the same key.
func Begin(ctx context.Context, tx *store.Tx, acts ...*Act) error {
	var keys []*store.Reservation
	for _, a := range acts {
		if a.Key != nil {
			a.reserved = store.Reservation{Answer: a.Key.row()}
			keys = append(keys, &a.reserved)
		}
	}
	if err := tx.ReserveKeys(ctx, keys); err != nil {
		return err
	}
	for _, a := range acts {
		a.Fresh, a.Answer, a.Err = a.Key == nil || a.reserved.Fresh, Answer{}, a.reserved.Err
		if !a.Fresh && a.Err == nil {
			a.Answer, a.Err = a.Key.answered(a.reserved.Answer)
		}
	}
	return nil
}

// Finish keeps the answers to the acts that were done, in the transaction of Begin. The key of a refusal that is not kept is free
// again.
func Finish(ctx context.Context, tx *store.Tx, acts ...*Act) error {
	var kept []store.Answer
	var free []int64
	for _, a := range acts {
		switch {
		case a.Key == nil || !a.Fresh:
		case a.Key.keeps(a.Answer):
			kept = append(kept, a.Answer.on(a.reserved.Answer))
		default:
			free = append(free, a.reserved.ID)
		}
	}
	if err := tx.DropAnswers(ctx, free); err != nil {
		return err
	}
	return tx.FinishAnswers(ctx, kept)
}

// Do does an act in a transaction and keeps its answer. If the key was answered before, it does nothing and returns that answer,
// which is not fresh. The transaction may be repeated, so the act may run several times.
func Do(ctx context.Context, db *store.DB, key *Key, act func(ctx context.Context, tx *store.Tx) (Answer, error)) (a Answer, fresh bool, err error) {
	one := &Act{Key: key}
	err = db.InTx(ctx, func(ctx context.Context, tx *store.Tx) (err error) {
		if err := Begin(ctx, tx, one); err != nil {
			return err
		}
		if !one.Fresh {
			return one.Err
		}
		if one.Answer, err = act(ctx, tx); err != nil {
			return err
		}
		return Finish(ctx, tx, one)
	})
	return one.Answer, one.Fresh, err
}

// Refuse keeps the refusal of an act that has rolled back, unless the key was answered meanwhile: see Do. If the refusal is not
// kept, it fails with the refusal.
func Refuse(ctx context.Context, db *store.DB, key Key, a Answer) (kept Answer, fresh bool, err error) {
	if !key.keeps(a) {
		return Answer{}, false, a.Refusal
	}
	return Do(ctx, db, &key, func(context.Context, *store.Tx) (Answer, error) { return a, nil })
}

// maxRefusal is the most bytes of a refused body, and of its refusal, for which the refusal is kept (rule O9).
const maxRefusal = 64 << 10

// keeps reports whether an answer is kept. A refusal is kept that lies in the request itself, and is short. Any other may be asked
// for again: a fault of ours, or the refusal because the first request still runs or the installation is held.
func (k *Key) keeps(a Answer) bool {
	switch {
	case a.Status < http.StatusBadRequest:
		return true
	case a.Status >= http.StatusInternalServerError, errors.Is(a.Refusal, store.ErrInProgress), errors.Is(a.Refusal, store.ErrHeld):
		return false
	}
	return k.Sent <= maxRefusal && len(a.Body) <= maxRefusal
}

// answered returns the answer that is kept on the key's row.
func (k *Key) answered(row store.Answer) (Answer, error) {
	switch {
	case row.RequestHash != k.Request && row.Status != 0 && isJSON(row.MediaType) != k.JSON:
		return Answer{}, ErrOtherForm
	case row.RequestHash != k.Request:
		return Answer{}, ErrAnother
	case row.Status == 0:
		return Answer{}, store.ErrInProgress
	}
	return Answer{Status: row.Status, Location: row.Location, MediaType: row.MediaType, Body: row.Body}, nil
}

// isJSON reports whether a media type is one of JSON.
func isJSON(mediaType string) bool { return strings.HasSuffix(mediaType, "json") }

// row returns the key's row before its answer.
func (k *Key) row() store.Answer {
	return store.Answer{CreditorID: k.CreditorID, IdempotencyKey: k.Name, RequestHash: k.Request, CreatedAt: k.At}
}

// on returns a reserved row with the answer.
func (a Answer) on(row store.Answer) store.Answer {
	row.Status, row.Location, row.MediaType, row.Body = a.Status, a.Location, a.MediaType, a.Body
	return row
}
