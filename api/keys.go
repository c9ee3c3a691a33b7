package api

import (
	"context"
	"crypto/subtle"
	"net/http"
	"strings"
	"time"

	"purr/models"
	"purr/store"
)

// maxHost is the most bytes of a Host header that goes into the URIs of answers.
const maxHost = 260

// admit finds the key and the creditor of a request, or refuses it (rules D1, D2, D3, D11).
func (s *Server) admit(ctx context.Context, rq *request) error {
	if s.cfg.BaseURL == "" && (rq.r.Host == "" || len(rq.r.Host) > maxHost) {
		return models.Malformed("invalid_host", "", "the Host header is missing or too long")
	}
	secret := secretOf(rq.r)
	if secret == "" {
		return &models.Error{
			Kind: models.KindUnauthorized, Code: "key_required",
			Msg: "an API key is needed: Authorization: Bearer KEY, or Basic with the key as user name",
		}
	}
	key, creditor, err := s.keyOf(ctx, secret)
	if models.KindOf(err) == models.KindUnauthorized {
		client := s.cfg.Proxies.ClientOf(rq.r)
		s.cfg.Log.Warn("an API key was refused", "client", client, "id", rq.id)
		if pause := s.throttle.Wrong(client, s.cfg.Wall.Now()); pause > 0 {
			return tooMany("too_many_wrong_keys", "too many wrong keys came from this address", pause)
		}
	}
	if err != nil {
		return err
	}
	rq.key, rq.creditor = key, creditor
	if pause := s.limiter.Take(key.ID, s.cfg.Wall.Now()); pause > 0 {
		return tooMany("rate_limited", "too many requests with this key", pause)
	}
	s.noteUse(ctx, rq)
	rq.zone, err = rq.creditor.Location()
	return err
}

// secretOf returns the key in the request, empty if there is none.
func secretOf(r *http.Request) string {
	if user, _, basic := r.BasicAuth(); basic {
		return user
	}
	scheme, secret, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	if !strings.EqualFold(scheme, "Bearer") {
		return ""
	}
	return strings.TrimSpace(secret)
}

// keyOf returns the key with a secret, and its creditor. It refuses an unknown key and a revoked key with the same
// error.
func (s *Server) keyOf(ctx context.Context, secret string) (models.Key, models.Creditor, error) {
	hash := models.HashKey(secret)
	key, creditor, err := s.db.KeyByHash(ctx, hash)
	if err != nil && models.KindOf(err) != models.KindNotFound {
		return models.Key{}, models.Creditor{}, err
	}
	// The database found the hash by an index. This compares the whole hash again, in constant time.
	if err != nil || subtle.ConstantTimeCompare([]byte(key.Hash), []byte(hash)) != 1 || key.RevokedAt != nil {
		return models.Key{}, models.Creditor{}, &models.Error{Kind: models.KindUnauthorized, Code: "key_wrong", Msg: "this API key is not known, or was revoked"}
	}
	return key, creditor, nil
}

// lastUsePause is the least time between two writes of a key's last use (rule D3).
const lastUsePause = time.Minute

// noteUse writes the last use of the request's key in the background, at most about once a minute (rule D3).
func (s *Server) noteUse(ctx context.Context, rq *request) {
	recent := func(at time.Time) bool { return rq.now.Sub(at) < lastUsePause }
	if written := rq.key.LastUsedAt; written != nil && recent(*written) {
		return
	}
	if begun, known := s.lastUses.Load(rq.key.ID); known && recent(begun.(time.Time)) { //nolint:errcheck // only times are stored
		return
	}
	keyID, at := rq.key.ID, rq.now
	s.lastUses.Store(keyID, at)
	s.background.start(ctx, "noting the last use of a key", func(ctx context.Context) error {
		return s.db.InTx(ctx, func(tx *store.Tx) error { return tx.TouchKey(ctx, keyID, at) })
	})
}
