package api

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"hash"
	"io"
	"net/http"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"purr/api/guard"
	"purr/models"
	"purr/store"
)

// maxIdempotencyKey is the most characters of an Idempotency-Key (rule D9).
const maxIdempotencyKey = 255

// creation reads the body of a POST and returns what it asks for.
type creation func(ctx context.Context, rq *request, body []byte) (effect, error)

// effect does what a POST asks for in a transaction, and answers. It may be begun several times until
// it is committed.
type effect func(ctx context.Context, tx *store.Tx) (answer, error)

// once is the handler of a POST. With an Idempotency-Key its answer is kept in the transaction that has
// its effect, so that the one is there exactly when the other is; a refusal of the caller's making is
// kept too (rule D9).
func (s *Server) once(create creation) handler {
	return s.keyed(func(ctx context.Context, rq *request, body []byte, key *store.Answer) (answer, error) {
		do, err := create(ctx, rq, body)
		if err != nil {
			return answer{}, err
		}
		return s.perform(ctx, key, do)
	})
}

// keyed is the handler of a POST that does, with its body and its Idempotency-Key, nil where it has none,
// what it asks for and keeps the answer; a refusal is kept for it.
func (s *Server) keyed(do func(ctx context.Context, rq *request, body []byte, key *store.Answer) (answer, error)) handler {
	return func(ctx context.Context, rq *request) (answer, error) {
		body, err := rq.readXML()
		if err != nil {
			return answer{}, err
		}
		key, release, err := s.claim(rq)
		if err != nil {
			return answer{}, err
		}
		defer release()
		if key != nil {
			key.RequestHash = hexOf(rq.hash(), body)
		}
		a, err := do(ctx, rq, body, key)
		if err == nil || key == nil {
			return a, err
		}
		return s.keepRefusal(ctx, rq, *key, err)
	}
}

// onceSlowly does what a POST asks for where that is more than one transaction. With an Idempotency-Key
// the answer is kept when the work is done: a crash before that has answered nobody.
func (s *Server) onceSlowly(ctx context.Context, rq *request, body io.Reader, work func(body io.Reader) (answer, error)) (answer, error) {
	key, release, err := s.claim(rq)
	if err != nil {
		return answer{}, err
	}
	defer release()
	if key == nil {
		return work(body)
	}
	sum := rq.hash()
	body = io.TeeReader(body, sum)
	kept, found, err := s.db.AnswerTo(ctx, rq.creditor.ID, key.IdempotencyKey, rq.now)
	if err != nil {
		return answer{}, err
	}
	var a answer
	if !found {
		a, err = work(body)
	}
	if _, broken := io.Copy(io.Discard, body); broken != nil {
		return a, guard.BrokenBody(broken)
	}
	key.RequestHash = hexOf(sum, nil)
	switch {
	case found:
		return replay(kept, key.RequestHash)
	case err != nil:
		return s.keepRefusal(ctx, rq, *key, err)
	}
	return s.perform(ctx, key, func(context.Context, *store.Tx) (answer, error) { return a, nil })
}

// perform commits an effect, together with its answer where the request has a key. Where the key was
// used before, the answer is the one that was kept.
func (s *Server) perform(ctx context.Context, key *store.Answer, do effect) (answer, error) {
	var a answer
	err := s.db.InTx(ctx, func(tx *store.Tx) error {
		if key == nil {
			var err error
			a, err = do(ctx, tx)
			return err
		}
		kept := *key
		fresh, err := tx.ClaimAnswer(ctx, &kept)
		if err != nil {
			return err
		}
		if !fresh {
			a, err = replay(kept, key.RequestHash)
			return err
		}
		if a, err = do(ctx, tx); err != nil {
			return err
		}
		kept.Status, kept.Location, kept.Body = a.status, a.location, string(a.body)
		return tx.FinishAnswer(ctx, kept)
	})
	return a, err
}

// keepRefusal keeps the answer to a request that was refused for what it asked. What failed for our
// sake, or came while the first was running, may be asked again.
func (s *Server) keepRefusal(ctx context.Context, rq *request, key store.Answer, refusal error) (answer, error) {
	a := problem(rq, refusal)
	if a.status >= http.StatusInternalServerError || errors.Is(refusal, store.ErrInProgress) {
		return answer{}, refusal
	}
	return s.perform(ctx, &key, func(context.Context, *store.Tx) (answer, error) { return a, nil })
}

// replay answers as the first request with the key was answered, when this one asks the same.
func replay(kept store.Answer, requestHash string) (answer, error) {
	if kept.RequestHash != requestHash {
		return answer{}, models.Invalid("idempotency_mismatch", "", "this Idempotency-Key was used with another request")
	}
	return answer{status: kept.Status, location: kept.Location, body: []byte(kept.Body)}, nil
}

// claim returns the request's Idempotency-Key, nil where it has none, for as long as it is not released.
func (s *Server) claim(rq *request) (key *store.Answer, release func(), err error) {
	values := rq.r.Header.Values("Idempotency-Key")
	if len(values) == 0 {
		return nil, func() {}, nil
	}
	k := values[0]
	if n := utf8.RuneCountInString(k); len(values) > 1 || n < 1 || n > maxIdempotencyKey || !utf8.ValidString(k) || strings.ContainsFunc(k, unicode.IsControl) {
		return nil, nil, models.Malformed("invalid_idempotency_key", "", "the Idempotency-Key must be 1 to %d characters", maxIdempotencyKey)
	}
	mine := runningKey{rq.creditor.ID, k}
	if !s.running.begin(mine) {
		return nil, nil, store.ErrInProgress
	}
	return &store.Answer{CreditorID: rq.creditor.ID, IdempotencyKey: k}, func() { s.running.end(mine) }, nil
}

// hash begins the hash by which a repeated request is known: method, path and what follows.
func (rq *request) hash() hash.Hash {
	h := sha256.New()
	io.WriteString(h, rq.r.Method+"\n"+strings.TrimSuffix(rq.r.URL.Path, "/")+"?"+rq.r.URL.RawQuery+"\n") //nolint:errcheck // a hash takes everything
	return h
}

func hexOf(h hash.Hash, rest []byte) string {
	io.Copy(h, bytes.NewReader(rest)) //nolint:errcheck // a hash takes everything
	return hex.EncodeToString(h.Sum(nil))
}

// runningKey is an Idempotency-Key of a creditor.
type runningKey struct {
	creditorID int64
	key        string
}

// running knows the keys whose first request this process has not answered yet.
type running struct {
	mu   sync.Mutex
	keys map[runningKey]bool
}

func newRunning() *running { return &running{keys: map[runningKey]bool{}} }

func (r *running) begin(k runningKey) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.keys[k] {
		return false
	}
	r.keys[k] = true
	return true
}

func (r *running) end(k runningKey) {
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.keys, k)
}
