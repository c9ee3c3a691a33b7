package api

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"hash"
	"io"
	"strings"
	"unicode"
	"unicode/utf8"

	"purr/api/form"
	"purr/api/guard"
	"purr/api/once"
	"purr/models"
	"purr/store"
)

// maxIdempotencyKey is the most characters that an Idempotency-Key may have (rule D9).
const maxIdempotencyKey = 255

// creation reads the body of a POST and returns the effect that it asks for. The id is the one in the path, zero if
// the path has none.
type creation func(ctx context.Context, rq *request, id int64, body form.Body) (effect, error)

// effect does what a POST asks for in a transaction, and answers. A transaction that fails may be tried again, so an
// effect may run several times.
type effect func(ctx context.Context, tx *store.Tx) (answer, error)

// once is the handler of a POST. If the request has an Idempotency-Key, the transaction of its effect also stores its
// answer: there is never one without the other. It also stores a refusal that is the caller's fault (rule D9).
func (s *Server) once(create creation) handler {
	return s.keyed(bounded(func(ctx context.Context, rq *request, body form.Body, key *once.Key) (answer, error) {
		id, err := rq.pathID()
		if err != nil {
			return answer{}, err
		}
		do, err := create(ctx, rq, id, body)
		if err != nil {
			return answer{}, err
		}
		return s.perform(ctx, key, do)
	}))
}

// keyedWork gets the body of a POST and its Idempotency-Key, nil if the request has none. It stores its answer.
type keyedWork func(ctx context.Context, rq *request, body form.Body, key *once.Key) (answer, error)

// bounded gives work no more time than timed does.
func bounded(do keyedWork) keyedWork {
	return func(ctx context.Context, rq *request, body form.Body, key *once.Key) (answer, error) {
		return rq.timed(ctx, func(ctx context.Context) (answer, error) { return do(ctx, rq, body, key) })
	}
}

// keyed is the handler of a POST that may have an Idempotency-Key. The handler itself stores a refusal.
func (s *Server) keyed(do keyedWork) handler {
	return func(ctx context.Context, rq *request) (answer, error) {
		body, err := rq.readBody()
		if err != nil {
			return answer{}, err
		}
		key, release, err := s.reserve(rq)
		if err != nil {
			return answer{}, err
		}
		defer release()
		if key != nil {
			key.Request, key.Sent = hexOf(rq.hash(), body.Text), int64(len(body.Text))
		}
		a, err := do(ctx, rq, body, key)
		if err != nil && key != nil {
			return rq.timed(ctx, func(ctx context.Context) (answer, error) { return s.keepRefusal(ctx, rq, *key, err) })
		}
		return a, err
	}
}

// leased does the work of a POST that takes more than one transaction. By its name the work finds what was done already when it is
// done again; see once.Leases.
func (s *Server) leased(ctx context.Context, rq *request, key *once.Key, work func(name string) (answer, error)) (a answer, err error) {
	kept, fresh, err := s.leases.Do(ctx, key, func(name string) (once.Answer, error) {
		if a, err = work(name); err != nil {
			a = problem(rq, guard.DiskFull(err))
		}
		return a.toKeep(), nil
	})
	return a.unless(kept, fresh, err)
}

// perform commits an effect, and its answer if there is a key. If the key was used before, it returns the answer
// stored then.
func (s *Server) perform(ctx context.Context, key *once.Key, do effect) (a answer, err error) {
	kept, fresh, err := once.Do(ctx, s.db, key, func(ctx context.Context, tx *store.Tx) (once.Answer, error) {
		if a, err = do(ctx, tx); err != nil {
			return once.Answer{}, err
		}
		return a.toKeep(), nil
	})
	return a.unless(kept, fresh, err)
}

// keepRefusal stores the answer to a request that was refused for its content.
func (s *Server) keepRefusal(ctx context.Context, rq *request, key once.Key, refusal error) (answer, error) {
	a := problem(rq, refusal)
	kept, fresh, err := once.Refuse(ctx, s.db, key, a.toKeep())
	return a.unless(kept, fresh, err)
}

// toKeep returns what is kept of an answer for an Idempotency-Key.
func (a answer) toKeep() once.Answer {
	return once.Answer{Status: a.status, Location: a.location, MediaType: cmp.Or(a.contentType, contentXML), Body: string(a.body), Refusal: a.err}
}

// unless returns the answer if it is the first one, and otherwise the one that was kept before.
func (a answer) unless(kept once.Answer, fresh bool, err error) (answer, error) {
	switch {
	case err != nil:
		return answer{}, err
	case fresh:
		return a, nil
	}
	return answer{status: kept.Status, location: kept.Location, contentType: kept.MediaType, body: []byte(kept.Body)}, nil
}

// reserve returns the request's Idempotency-Key, nil if it has none. No other request of this process gets the key
// until release is called.
func (s *Server) reserve(rq *request) (key *once.Key, release func(), err error) {
	values := rq.r.Header.Values("Idempotency-Key")
	if len(values) == 0 {
		return nil, func() {}, nil
	}
	k := values[0]
	if n := utf8.RuneCountInString(k); len(values) > 1 || n < 1 || n > maxIdempotencyKey || !utf8.ValidString(k) || strings.ContainsFunc(k, unicode.IsControl) {
		return nil, nil, models.Malformed("invalid_idempotency_key", "", "the Idempotency-Key must be 1 to %d characters", maxIdempotencyKey)
	}
	mine := reservation{rq.creditor.ID, k}
	if _, taken := s.running.LoadOrStore(mine, true); taken {
		return nil, nil, store.ErrInProgress
	}
	return &once.Key{CreditorID: rq.creditor.ID, Name: k, JSON: rq.json}, func() { s.running.Delete(mine) }, nil
}

// reservation is an Idempotency-Key that this process is using.
type reservation struct {
	creditorID int64
	key        string
}

// hash begins the hash that identifies a repeated request: method, path and query. The body is added later.
func (rq *request) hash() hash.Hash {
	h := sha256.New()
	if rq.json {
		io.WriteString(h, "json\n") //nolint:errcheck // a hash takes everything
	}
	io.WriteString(h, rq.r.Method+"\n"+strings.TrimSuffix(rq.r.URL.Path, "/")+"?"+rq.r.URL.RawQuery+"\n") //nolint:errcheck // a hash takes everything
	return h
}

func hexOf(h hash.Hash, rest []byte) string {
	io.Copy(h, bytes.NewReader(rest)) //nolint:errcheck // a hash takes everything
	return hex.EncodeToString(h.Sum(nil))
}
