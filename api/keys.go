package api

import (
	"context"
	"net/http"
	"strings"

	"purr/api/guard"
	"purr/models"
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
	key, creditor, err := s.keys.Of(ctx, secret, rq.r, rq.id)
	if err != nil {
		return err
	}
	rq.key, rq.creditor = key, creditor
	if pause := s.limiter.Take(key.ID, s.cfg.Wall.Now()); pause > 0 {
		return guard.TooMany("rate_limited", "too many requests with this key", pause)
	}
	s.keys.Used(ctx, key, rq.now)
	rq.zone = rq.creditor.DisplayZone()
	if m := rq.r.Method; m != http.MethodGet && m != http.MethodHead && rq.r.URL.Path != "/api/v1/creditor" {
		_, err = rq.creditor.Location() // nothing is decided by a day that is guessed; the creditor itself can be set right
	}
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
