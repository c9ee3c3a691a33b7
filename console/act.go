package console

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"maps"
	"net/http"
	"slices"
	"strings"

	"purr/api/once"
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
	var made *models.Document
	key := rq.formKey()
	kept, fresh, err := once.Do(ctx, rq.s.db, &key, func(ctx context.Context, tx *store.Tx) (once.Answer, error) {
		d, err := do(ctx, tx)
		if err != nil {
			return once.Answer{}, err
		}
		made = d.made
		return rq.answered(d)
	})
	if err == nil && fresh && made != nil {
		rq.tellQueue(ctx, *made)
	}
	return rq.sent(key, kept, err)
}

// actEach does for an act of several transactions what act does for one. Who sends the form a second time meanwhile is told that it
// is being done. An act that was broken off is done again, for what is left of it.
func (rq *request) actEach(ctx context.Context, do func() (done, error)) (reply, error) {
	key := rq.formKey()
	kept, _, err := once.Leases{DB: rq.s.db, Log: rq.s.cfg.Log}.Do(ctx, &key, func(string) (once.Answer, error) {
		d, err := do()
		if err != nil {
			return once.Answer{}, err
		}
		return rq.answered(d)
	})
	return rq.sent(key, kept, err)
}

// answered returns what is kept of what an act has done: where it leads, and the message.
func (rq *request) answered(d done) (once.Answer, error) {
	if d.to == "" {
		d.to = rq.back(rq.base + "/today")
	}
	body, err := json.Marshal(d.message)
	if err != nil {
		return once.Answer{}, err
	}
	return once.Answer{Status: http.StatusSeeOther, Location: d.to, MediaType: contentJSON, Body: string(body)}, nil
}

// sent leads from a form that was sent, now or before, to the next page, which says what was done.
func (rq *request) sent(key once.Key, kept once.Answer, err error) (reply, error) {
	switch {
	case errors.Is(err, once.ErrAnother):
		return reply{}, errFormWasSent()
	case err != nil:
		return reply{}, err
	}
	rq.setMessage(strings.TrimPrefix(key.Name, store.FormKeys))
	return rq.to(kept.Location), nil
}

// errFormWasSent refuses a form that has done something else already.
func errFormWasSent() error {
	return models.Conflict("form_was_sent", "this form was sent already, with other content; look at what it did, and begin anew")
}

// formKey names the act that the form asks for.
func (rq *request) formKey() once.Key {
	return once.Key{CreditorID: rq.creditor.ID, Name: onceKey(rq.once()), Request: rq.hash(), JSON: true, At: rq.s.cfg.Wall.Now()}
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
