package mailer

import (
	"bytes"
	"context"

	"purr/remote"
)

// SFTP puts what the debt collector gets into a folder on the collector's own server. It may be used by many at once.
type SFTP struct{ server *remote.Server }

// NewSFTP returns the channel to a server's folder. It does not connect.
func NewSFTP(server *remote.Server) *SFTP { return &SFTP{server} }

// SendToCollector puts the file into the folder, where it appears whole, and returns nil once the server has it.
func (s *SFTP) SendToCollector(ctx context.Context, name string, content []byte) error {
	if err := checkFileName(name); err != nil {
		return err
	}
	folder, err := s.server.Open(ctx)
	if err != nil {
		return err
	}
	defer folder.Close()
	return folder.Put(name, bytes.NewReader(content))
}
