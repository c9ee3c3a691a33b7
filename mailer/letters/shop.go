package letters

import (
	"bytes"
	"context"

	"purr/internal/remote"
	"purr/models"
)

// Shop is a print shop's folder on its SFTP server, which takes letters in batches (rule S4a). It is safe for concurrent use.
type Shop struct{ server *remote.Server }

// NewShop returns the print shop with the folder. It does not connect.
func NewShop(server *remote.Server) *Shop { return &Shop{server} }

// Name returns the URL of the folder, which holds no secret.
func (s *Shop) Name() string { return s.server.String() }

// Open signs in. Whatever it fails with, another attempt may succeed. A wrong password is the operator's to set right, and no
// fault of the letters: the error then is a refusal for that (rule D107).
func (s *Shop) Open(ctx context.Context) (*Visit, error) {
	folder, err := s.server.Open(ctx)
	if err != nil {
		return nil, s.unavailable(err)
	}
	return &Visit{s, folder}, nil
}

func (s *Shop) unavailable(err error) error {
	switch {
	case err == nil, models.KindOf(err) == models.KindUnavailable:
		return err
	case remote.IsSetup(err):
		return models.Refuse(models.BlameSettings, err, "the print shop's folder %s refuses it", s.Name())
	}
	return models.Unavailable("the print shop's folder "+s.Name(), err)
}

// Check returns nil if the folder can be opened and written to. It writes a small hidden file, and removes it.
func (s *Shop) Check(ctx context.Context) error {
	return s.unavailable(s.server.Check(ctx))
}

// Visit is an open folder. It is safe for concurrent use.
type Visit struct {
	shop   *Shop
	folder *remote.Folder
}

// Close hangs up.
func (v *Visit) Close() { v.folder.Close() }

// Put brings a letter's PDF and then its ticket. Neither is handed over before a manifest names them.
func (v *Visit) Put(l Letter) error {
	ticket, err := Ticket(l)
	if err != nil {
		return err
	}
	line := l.Line()
	if err := v.put(line.File, l.PDF); err != nil {
		return err
	}
	return v.put(line.Ticket, ticket)
}

// put brings a file, which appears whole. A server that cannot replace a file keeps the one that is there if that has the
// same length: files of one name never differ.
func (v *Visit) put(name string, content []byte) error {
	err := v.folder.Put(name, bytes.NewReader(content))
	if models.KindOf(err) == models.KindConflict {
		if there, statErr := v.folder.Stat(name); statErr == nil && there.Size == int64(len(content)) {
			return nil
		}
	}
	return v.shop.unavailable(err)
}

func manifestFile(batch string) string { return batch + ".manifest.xml" }

// HandOver brings the manifest of a batch, whose letters are there. From then on the shop has them.
func (v *Visit) HandOver(batch string, manifest []byte) error {
	return v.put(manifestFile(batch), manifest)
}

// Has reports whether the manifest of a batch lies in the folder. The shop may have taken it away.
func (v *Visit) Has(batch string, manifest []byte) (bool, error) {
	there, err := v.folder.Stat(manifestFile(batch))
	if models.KindOf(err) == models.KindNotFound {
		return false, nil
	}
	return err == nil && there.Size == int64(len(manifest)), v.shop.unavailable(err)
}
