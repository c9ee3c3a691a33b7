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
	"time"
	"unicode"
	"unicode/utf8"

	"purr/models"
	"purr/store"
)

// maxIdempotencyKey is the most characters that an Idempotency-Key may have (rule D9).
const maxIdempotencyKey = 255

// creation reads the body of a POST and returns the effect that it asks for. The id is the one in the path, zero if
// the path has none.
type creation func(ctx context.Context, rq *request, id int64, body []byte) (effect, error)

// effect does what a POST asks for in a transaction, and answers. A transaction that fails may be tried again, so an
// effect may run several times.
type effect func(ctx context.Context, tx *store.Tx) (answer, error)

// once is the handler of a POST. If the request has an Idempotency-Key, the transaction of its effect also stores its
// answer: there is never one without the other. It also stores a refusal that is the caller's fault (rule D9).
func (s *Server) once(create creation) handler {
	return s.keyed(bounded(func(ctx context.Context, rq *request, body []byte, key *store.Answer) (answer, error) {
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
type keyedWork func(ctx context.Context, rq *request, body []byte, key *store.Answer) (answer, error)

// bounded gives work no more time than timed does.
func bounded(do keyedWork) keyedWork {
	return func(ctx context.Context, rq *request, body []byte, key *store.Answer) (answer, error) {
		return rq.timed(ctx, func(ctx context.Context) (answer, error) { return do(ctx, rq, body, key) })
	}
}

// keyed is the handler of a POST that may have an Idempotency-Key. The handler itself stores a refusal.
func (s *Server) keyed(do keyedWork) handler {
	return func(ctx context.Context, rq *request) (answer, error) {
		body, err := rq.readXML()
		if err != nil {
			return answer{}, err
		}
		key, release, err := s.reserve(rq)
		if err != nil {
			return answer{}, err
		}
		defer release()
		if key != nil {
			key.RequestHash = hexOf(rq.hash(), body)
		}
		a, err := do(ctx, rq, body, key)
		if err != nil && key != nil {
			return rq.timed(ctx, func(ctx context.Context) (answer, error) { return s.keepRefusal(ctx, rq, len(body), *key, err) })
		}
		return a, err
	}
}

// leased does the work of a POST that takes more than one transaction. With an Idempotency-Key it holds a lease on the
// key meanwhile, so that any number of processes do the work once (rule O9). If the program is killed, a repeated
// request does the work again under the same name, by which the work finds what was done already. The name is empty if
// the request has no key.
func (s *Server) leased(ctx context.Context, rq *request, key *store.Answer, work func(name string) (answer, error)) (answer, error) {
	if key == nil {
		return work("")
	}
	held, fresh, err := s.lease(ctx, *key)
	if err != nil {
		return answer{}, err
	}
	if !fresh {
		return replay(held, key.RequestHash)
	}
	stop := s.renewing(ctx, held)
	a, failure := work(held.Work)
	stop()
	if failure != nil {
		a = problem(rq, failure)
	}
	if !isKept(a, 0) {
		s.endLease(ctx, held)
		return a, failure
	}
	held.Status, held.Location, held.Body = a.status, a.location, string(a.body)
	var first store.Answer
	err = s.db.InTx(ctx, func(ctx context.Context, tx *store.Tx) error {
		first, err = tx.FinishLeased(ctx, held)
		return err
	})
	if err != nil {
		s.endLease(ctx, held)
		return answer{}, err
	}
	a.status, a.location, a.body = first.Status, first.Location, []byte(first.Body)
	return a, nil
}

func (s *Server) lease(ctx context.Context, key store.Answer) (held store.Answer, fresh bool, err error) {
	err = s.db.InTx(ctx, func(ctx context.Context, tx *store.Tx) error {
		held = key
		fresh, err = tx.LeaseKey(ctx, &held)
		return err
	})
	return held, fresh, err
}

// renewing renews the lease until stop is called. If that fails for too long, another process may take the work over.
func (s *Server) renewing(ctx context.Context, held store.Answer) (stop func()) {
	ctx, cancel := context.WithCancel(ctx)
	var renewing sync.WaitGroup
	renewing.Go(func() {
		beat := time.NewTicker(store.KeyLease / 3)
		defer beat.Stop()
		for {
			select {
			case <-ctx.Done():
				return
			case <-beat.C:
			}
			err := s.db.InTx(ctx, func(ctx context.Context, tx *store.Tx) error { return tx.RenewKey(ctx, held) })
			if err != nil && ctx.Err() == nil {
				s.cfg.Log.Warn("the lease on an Idempotency-Key was not renewed", "creditor", held.CreditorID, "error", err)
			}
		}
	})
	return func() {
		cancel()
		renewing.Wait()
	}
}

// endWithin is how long endLease may take. The caller waits for its answer meanwhile.
const endWithin = 2 * time.Second

// endLease lets a repeated request do the work at once. The caller of this request may be gone. If it fails, the lease
// runs out.
func (s *Server) endLease(ctx context.Context, held store.Answer) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), endWithin)
	defer cancel()
	if err := s.db.InTx(ctx, func(ctx context.Context, tx *store.Tx) error { return tx.EndLease(ctx, held) }); err != nil {
		s.cfg.Log.Warn("the lease on an Idempotency-Key was not ended", "creditor", held.CreditorID, "error", err)
	}
}

// perform commits an effect, and its answer if there is a key. If the key was used before, it returns the answer
// stored then.
func (s *Server) perform(ctx context.Context, key *store.Answer, do effect) (answer, error) {
	var a answer
	err := s.db.InTx(ctx, func(ctx context.Context, tx *store.Tx) error {
		if key == nil {
			var err error
			a, err = do(ctx, tx)
			return err
		}
		kept := *key
		fresh, err := tx.ReserveKey(ctx, &kept)
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
	if err != nil {
		return answer{}, err
	}
	return a, nil
}

// keepRefusal stores the answer to a request that was refused for its content. It does not store an internal failure,
// or a refusal because the first request was still running or the installation is held: the caller may repeat these.
func (s *Server) keepRefusal(ctx context.Context, rq *request, sent int, key store.Answer, refusal error) (answer, error) {
	a := problem(rq, refusal)
	if errors.Is(refusal, store.ErrInProgress) || errors.Is(refusal, store.ErrHeld) || !isKept(a, sent) {
		return answer{}, refusal
	}
	return s.perform(ctx, &key, func(context.Context, *store.Tx) (answer, error) { return a, nil })
}

// maxKeptRefusal is the most bytes of a refused body, and of its refusal, for which the refusal is kept (rule O9).
const maxKeptRefusal = 64 << 10

// isKept reports whether an answer is stored for its Idempotency-Key. sent is the length of the request's body.
func isKept(a answer, sent int) bool {
	if a.status < http.StatusBadRequest {
		return true
	}
	return a.status < http.StatusInternalServerError && sent <= maxKeptRefusal && len(a.body) <= maxKeptRefusal
}

// replay returns the answer to the first request with the key. It fails if this request differs from the first.
func replay(kept store.Answer, requestHash string) (answer, error) {
	if kept.RequestHash != requestHash {
		return answer{}, models.Invalid("idempotency_mismatch", "", "this Idempotency-Key was used with another request")
	}
	return answer{status: kept.Status, location: kept.Location, body: []byte(kept.Body)}, nil
}

// reserve returns the request's Idempotency-Key, nil if it has none. No other request of this process gets the key
// until release is called.
func (s *Server) reserve(rq *request) (key *store.Answer, release func(), err error) {
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
	return &store.Answer{CreditorID: rq.creditor.ID, IdempotencyKey: k}, func() { s.running.Delete(mine) }, nil
}

// reservation is an Idempotency-Key that this process is using.
type reservation struct {
	creditorID int64
	key        string
}

// hash begins the hash that identifies a repeated request: method, path and query. The body is added later.
func (rq *request) hash() hash.Hash {
	h := sha256.New()
	io.WriteString(h, rq.r.Method+"\n"+strings.TrimSuffix(rq.r.URL.Path, "/")+"?"+rq.r.URL.RawQuery+"\n") //nolint:errcheck // a hash takes everything
	return h
}

func hexOf(h hash.Hash, rest []byte) string {
	io.Copy(h, bytes.NewReader(rest)) //nolint:errcheck // a hash takes everything
	return hex.EncodeToString(h.Sum(nil))
}
