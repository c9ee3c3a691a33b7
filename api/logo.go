package api

import (
	"context"
	"strings"

	"purr/api/guard"
	"purr/documents"
	"purr/register"
	"purr/store"
)

// showLogo shows the file of the creditor's logo, as it was put (rule L19).
func (s *Server) showLogo(_ context.Context, rq *request) (answer, error) {
	content, media, err := s.cfg.Documents.Logo(rq.creditor)
	if err != nil {
		return answer{}, err
	}
	return file(media, "inline", "logo."+strings.TrimPrefix(media, "image/"), content), nil
}

// putLogo lets the documents that the creditor issues from now on show the PNG or JPEG file that is the body (rule L19).
func (s *Server) putLogo(ctx context.Context, rq *request) (answer, error) {
	body, err := guard.Body(rq.w, rq.r, documents.MaxLogo, "image/png", "image/jpeg", "application/octet-stream")
	if err != nil {
		return answer{}, err
	}
	content, release, err := rq.bodies.Read(ctx, body)
	if err != nil {
		return answer{}, err
	}
	defer release()
	return rq.timed(ctx, func(ctx context.Context) (answer, error) {
		sum, err := s.cfg.Documents.KeepLogo(ctx, content)
		if err != nil {
			return answer{}, err
		}
		return s.setLogo(ctx, rq, sum)
	})
}

// deleteLogo lets the documents that the creditor issues from now on show no logo.
func (s *Server) deleteLogo(ctx context.Context, rq *request) (answer, error) {
	if _, err := s.setLogo(ctx, rq, ""); err != nil {
		return answer{}, err
	}
	return noContent(), nil
}

func (s *Server) setLogo(ctx context.Context, rq *request, sum string) (a answer, err error) {
	err = s.db.InTx(ctx, func(ctx context.Context, tx *store.Tx) error {
		changed, err := register.SetLogo(ctx, tx, rq.creditor.ID, sum, rq.actor())
		if err != nil {
			return err
		}
		a, err = rq.ok(rq.creditorDetail(changed))
		return err
	})
	return a, err
}
