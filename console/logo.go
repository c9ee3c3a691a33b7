package console

import (
	"context"
	"errors"
	"io"
	"net/http"

	"purr/api/guard"
	"purr/documents"
	"purr/models"
	"purr/register"
	"purr/store"
)

// logoRoutes are the pages of the creditor's logo (rule L19).
func (s *Server) logoRoutes() []route {
	const logo = "/c/{creditor}/settings/logo"
	return []route{
		{path: logo, area: "settings", get: s.logoPage, post: s.putLogo, scope: models.ScopeAdmin, long: true},
		{path: logo + "/remove", area: "settings", post: s.removeLogo, again: s.logoPage, scope: models.ScopeAdmin},
		{path: logo + "/file", get: s.logoFile},
	}
}

func (s *Server) logoPage(_ context.Context, rq *request) (reply, error) {
	p := rq.settingsPage("creditor", models.ThingSettings)
	p.Title, p.Seen = rq.words.Say("logo.title"), string(register.SeenLogo(rq.creditor))
	return show("logo", &p)
}

// putLogo lets documents show the file that was chosen.
func (s *Server) putLogo(ctx context.Context, rq *request) (reply, error) {
	file, err := rq.readLogo()
	if err != nil {
		return reply{}, err
	}
	sum, err := s.cfg.Documents.KeepLogo(ctx, file)
	if err != nil {
		return reply{}, err
	}
	rq.form.Set("logo", sum)
	return s.setLogo(ctx, rq, sum, "logo.saved")
}

// readLogo reads the form with its file.
func (rq *request) readLogo() ([]byte, error) {
	body, err := guard.Body(rq.w, rq.r, maxForm, "multipart/form-data")
	if err != nil {
		return nil, err
	}
	rq.r.Body = io.NopCloser(body)
	if err := rq.r.ParseMultipartForm(maxForm); err != nil {
		if _, large := errors.AsType[*http.MaxBytesError](err); large {
			return nil, errLogoTooLarge()
		}
		return nil, errBadForm()
	}
	rq.form = rq.r.MultipartForm.Value
	sent := rq.r.MultipartForm.File["logo"]
	if len(sent) == 0 || sent[0].Filename == "" {
		return nil, models.Invalid("required", "logo", "is required")
	}
	if sent[0].Size > documents.MaxLogo {
		return nil, errLogoTooLarge()
	}
	file, err := sent[0].Open()
	if err != nil {
		return nil, err
	}
	content, err := io.ReadAll(file)
	return content, errors.Join(err, file.Close())
}

func errLogoTooLarge() error {
	return models.Invalid("too_large", "logo", "has more than %d bytes", documents.MaxLogo)
}

// removeLogo lets documents show none.
func (s *Server) removeLogo(ctx context.Context, rq *request) (reply, error) {
	return s.setLogo(ctx, rq, "", "logo.removed")
}

func (s *Server) setLogo(ctx context.Context, rq *request, sum, said string) (reply, error) {
	return rq.act(ctx, func(ctx context.Context, tx *store.Tx) (done, error) {
		_, err := register.SetLogo(ctx, tx, rq.creditor.ID, sum, rq.actor(), rq.surelySeen())
		return done{to: rq.base + "/settings/logo", message: rq.said(said)}, err
	})
}

// logoFile shows the logo as it was put.
func (s *Server) logoFile(_ context.Context, rq *request) (reply, error) {
	file, media, err := s.cfg.Documents.Logo(rq.creditor)
	if err != nil {
		return reply{}, err
	}
	return reply{status: http.StatusOK, contentType: media, body: file}, nil
}
