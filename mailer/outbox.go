package mailer

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"purr/disk"
	"purr/models"
	"purr/remote"
)

// Outbox is a folder that takes e-mails as .eml files in "email", letters as PDF files in "paper" (rule R1), and
// the debt collector's files in "collection". A file appears whole and on disk. It has the shipment's name, so a
// shipment that is handed over twice is one file. A file whose name begins with a dot is still being written.
type Outbox struct{ email, paper, collection string }

// Email is the channel of an outbox for e-mails.
type Email struct {
	DKIM   *DKIM // signs the e-mails; nil signs none
	folder string
}

// Paper is the channel of an outbox for letters.
type Paper struct{ folder string }

// Email returns the channel for e-mails.
func (o *Outbox) Email() Email { return Email{folder: o.email} }

// Paper returns the channel for letters.
func (o *Outbox) Paper() Paper { return Paper{o.paper} }

// NewOutbox returns the outbox in the folder, and makes the folder if it is missing.
func NewOutbox(dir string) (*Outbox, error) {
	o := &Outbox{email: filepath.Join(dir, "email"), paper: filepath.Join(dir, "paper"), collection: filepath.Join(dir, "collection")}
	for _, folder := range []string{o.email, o.paper, o.collection} {
		if err := os.MkdirAll(folder, 0o700); err != nil {
			return nil, fmt.Errorf("make the outbox: %w", err)
		}
	}
	for _, folder := range []string{dir, filepath.Dir(dir)} {
		if err := disk.Sync(folder); err != nil {
			return nil, fmt.Errorf("make the outbox: %w", err)
		}
	}
	return o, nil
}

// SentFiles returns the e-mails, letters and e-invoices that are in an outbox folder, the newest shipments first. It makes no
// folder.
func SentFiles(dir string) ([]SentFile, error) {
	var files []SentFile
	for _, folder := range []string{"email", "paper", "ehf"} {
		entries, err := os.ReadDir(filepath.Join(dir, folder))
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, fmt.Errorf("read the outbox: %w", err)
		}
		for _, e := range entries {
			if f, is := sentFile(filepath.Join(dir, folder, e.Name())); is {
				files = append(files, f)
			}
		}
	}
	slices.SortFunc(files, func(a, b SentFile) int { return cmp.Compare(b.ShipmentID, a.ShipmentID) })
	return files, nil
}

// HandOver writes the e-mail to NAME.eml, which is the receipt.
func (c Email) HandOver(ctx context.Context, p Parcel) (Answer, error) {
	raw, err := signed(p, c.DKIM)
	if err != nil {
		return Answer{}, err
	}
	file := p.Name + ".eml"
	return Answer{Receipt: file, Repeatable: true}, put(ctx, c.folder, file, raw)
}

// HandOver writes the letter to NAME.pdf, which is the receipt.
func (c Paper) HandOver(ctx context.Context, p Parcel) (Answer, error) {
	if err := checkName(p.Name); err != nil {
		return Answer{}, err
	}
	if len(p.PDF) == 0 {
		return Answer{}, fmt.Errorf("mailer: the letter %s is empty", p.Name)
	}
	file := p.Name + ".pdf"
	return Answer{Receipt: file, Repeatable: true}, put(ctx, c.folder, file, p.PDF)
}

// Check returns nil if the folder of the letters can be written to. It writes a file of the size of a letter, and removes
// it.
func (c Paper) Check(ctx context.Context) error {
	const name = ".check.tmp" // Sweep removes what a killed process leaves behind
	if err := put(ctx, c.folder, name, make([]byte, 64<<10)); err != nil {
		return err
	}
	return os.Remove(filepath.Join(c.folder, name))
}

// SendToCollector writes the file to collection/NAME.
func (o *Outbox) SendToCollector(ctx context.Context, name string, content []byte) error {
	if err := checkFileName(name); err != nil {
		return err
	}
	return put(ctx, o.collection, name, content)
}

// put writes the file into the folder in one step, and replaces a file of that name. It returns once a power cut
// cannot lose the file.
func put(ctx context.Context, folder, name string, content []byte) error {
	if err := ctx.Err(); err != nil {
		return models.Unavailable("the outbox", err)
	}
	if err := disk.Write(folder, name, content); err != nil {
		return models.Unavailable("the outbox", err)
	}
	return nil
}

// Sweep removes what writers that were killed before the moment have left behind.
func (o *Outbox) Sweep(before time.Time) error {
	var errs []error
	for _, folder := range []string{o.email, o.paper, o.collection} {
		errs = append(errs, disk.Sweep(folder, disk.Unfinished, before))
	}
	return errors.Join(errs...)
}

// SFTP puts the debt collector's files into a folder on the collector's own server. It is safe for concurrent use.
type SFTP struct{ server *remote.Server }

// NewSFTP returns the channel to the server's folder. It does not connect.
func NewSFTP(server *remote.Server) *SFTP { return &SFTP{server} }

// SendToCollector puts the file into the folder, where it appears whole. It returns nil once the server has it.
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
