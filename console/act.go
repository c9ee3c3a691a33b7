package console

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"io"
	"maps"
	"net/http"
	"slices"

	"purr/models"
	"purr/store"
)

// done is what an act has done: where the browser goes next, and what the page there says.
type done struct {
	to      string // a path; empty for the page that the form was opened from
	message message
	made    *models.Document // a document that the act made; the queue is told of it after the commit
}

// act does what a form asks for, in one transaction and once: a double click, Back and F5 lead to where the first one led.
// The page's Once names it, as an Idempotency-Key names a call of the API (rule D9). A form that was changed and sent again
// is refused with models.KindConflict.
func (rq *request) act(ctx context.Context, do func(ctx context.Context, tx *store.Tx) (done, error)) (reply, error) {
	once := rq.once()
	var kept store.Answer
	var made *models.Document
	err := rq.s.db.InTx(ctx, func(ctx context.Context, tx *store.Tx) error {
		kept, made = store.Answer{CreditorID: rq.creditor.ID, IdempotencyKey: onceKey(once), RequestHash: rq.hash(), CreatedAt: rq.s.cfg.Wall.Now()}, nil
		fresh, err := tx.ReserveKey(ctx, &kept)
		if err != nil {
			return err
		}
		if !fresh {
			if kept.RequestHash != rq.hash() {
				return models.Conflict("form_was_sent", "this form was sent already, with other content; look at what it did, and begin anew")
			}
			return nil
		}
		d, err := do(ctx, tx)
		if err != nil {
			return err
		}
		if d.to == "" {
			d.to = rq.back(rq.base + "/today")
		}
		body, err := json.Marshal(d.message)
		if err != nil {
			return err
		}
		made, kept.Status, kept.Location, kept.Body = d.made, http.StatusSeeOther, d.to, string(body)
		return tx.FinishAnswer(ctx, kept)
	})
	if err != nil {
		return reply{}, err
	}
	if made != nil {
		rq.tellQueue(ctx, *made)
	}
	rq.setMessage(once)
	return rq.to(kept.Location), nil
}

// sent returns the way to where a form that was sent already has led, and the zero reply for one that was not. An act of
// several transactions asks it first; what two clicks at once both begin is refused by the act itself.
func (rq *request) sent(ctx context.Context) (reply, error) {
	kept, found, err := rq.s.db.AnswerTo(ctx, rq.creditor.ID, onceKey(rq.once()), rq.s.cfg.Wall.Now())
	if err != nil || !found || kept.Status == 0 {
		return reply{}, err
	}
	return rq.to(kept.Location), nil
}

// once names what a form asks for: the page's Once, and the path. A page may have several forms.
func (rq *request) once() string {
	once := models.Shorten(rq.form.Get("once"), maxFormName)
	if once == "" {
		once = rand.Text()
	}
	path := sha256.Sum256([]byte(rq.r.URL.Path))
	return once + "-" + hex.EncodeToString(path[:8])
}

// onceKey returns the Idempotency-Key of a form.
func onceKey(once string) string { return store.FormKeys + models.Shorten(once, 100) }

// hash identifies a form that is sent again: its path and query, and all that was typed, but for who has opened it and what was
// seen, which Back shows anew.
func (rq *request) hash() string {
	h := sha256.New()
	query := rq.r.URL.Query()
	query.Del("form")
	query.Del("back")
	io.WriteString(h, rq.r.URL.Path+"?"+query.Encode()+"\n") //nolint:errcheck // a hash takes everything
	for _, name := range slices.Sorted(maps.Keys(rq.form)) {
		if name == "seen" || name == "who" {
			continue
		}
		for _, value := range rq.form[name] {
			io.WriteString(h, name+"="+value+"\n") //nolint:errcheck // a hash takes everything
		}
	}
	return hex.EncodeToString(h.Sum(nil))
}

// tellQueue tells the queue of a new document, so that it is sent at once. If that fails, no work is lost: the document's
// row keeps it.
func (rq *request) tellQueue(ctx context.Context, d models.Document) {
	creditorID := rq.creditor.ID
	rq.s.cfg.Background.Start(ctx, "telling the queue of a document", func(ctx context.Context) error {
		rq.s.cfg.Queue.DocumentMade(ctx, creditorID, d)
		return nil
	})
}

// said returns a message of the catalogue without an undo.
func (rq *request) said(name string, values ...any) message {
	return message{Text: rq.words.Say(name, values...)}
}

// undoable returns a message with the path of a POST that takes the act back.
func (rq *request) undoable(undo string, name string, values ...any) message {
	return message{Text: rq.words.Say(name, values...), Undo: undo}
}
