package documents

import (
	"bytes"
	"context"
	"sync"

	"purr/documents/pdf"
	"purr/models"
)

// MaxLogo is the most bytes of the file of a logo (rule L19).
const MaxLogo = pdf.MaxLogo

// KeepLogo proves the file of a logo and keeps it in the archive. It returns its SHA-256, by which a creditor names it (rule L19). It fails
// with invalid_logo if the file is no picture that documents can show.
func (s *Store) KeepLogo(ctx context.Context, file []byte) (sum string, err error) {
	if _, _, err := pdf.ReadLogo(file); err != nil {
		return "", err
	}
	sum, _, err = s.archive.Put(ctx, bytes.NewReader(file))
	return sum, err
}

// Logo returns the file of a creditor's logo as it was put, and its media type. It fails if the creditor has none.
func (s *Store) Logo(c models.Creditor) (file []byte, media string, err error) {
	if c.Logo == "" {
		return nil, "", models.NotFound("logo")
	}
	if file, err = s.archive.Read(c.Logo); err != nil {
		return nil, "", err
	}
	_, media, err = pdf.ReadLogo(file)
	return file, media, err
}

// DrawnLogo returns the logo of documents that show the seller, nil if he has none. It fails if the archive has lost it: a letter of which
// the logo is missing does not leave.
func (s *Store) DrawnLogo(of models.Seller) (*pdf.Logo, error) {
	if of.Logo == "" {
		return nil, nil
	}
	if known := s.logos.of(of.Logo); known != nil {
		return known, nil
	}
	file, err := s.archive.Read(of.Logo)
	if err != nil {
		return nil, err
	}
	logo, _, err := pdf.ReadLogo(file)
	if err != nil {
		return nil, err
	}
	s.logos.keep(of.Logo, logo)
	return logo, nil
}

// logos are kept in memory, ready to be drawn, by their SHA-256. It is safe for concurrent use.
type logos struct {
	mu   sync.Mutex
	kept map[string]*pdf.Logo
}

// mostLogos is how many are kept. Each has some 100 kB.
const mostLogos = 64

func (l *logos) of(sum string) *pdf.Logo {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.kept[sum]
}

func (l *logos) keep(sum string, logo *pdf.Logo) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.kept == nil || len(l.kept) >= mostLogos {
		l.kept = map[string]*pdf.Logo{}
	}
	l.kept[sum] = logo
}
