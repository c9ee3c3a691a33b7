package mailer

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"purr/models"
)

// Outbox is a folder that takes e-mails as .eml files in "email" and letters as PDF files in "paper"
// (rule R1), and what the debt collector gets in "collection". A file appears whole, on disk, and under a name that its ID gives, so that a shipment
// that is handed over twice is one file. Names that begin with a dot are files being written.
type Outbox struct{ email, paper, collection string }

// NewOutbox returns the outbox in the folder, which it makes where it is missing.
func NewOutbox(dir string) (*Outbox, error) {
	o := &Outbox{email: filepath.Join(dir, "email"), paper: filepath.Join(dir, "paper"), collection: filepath.Join(dir, "collection")}
	for _, folder := range []string{o.email, o.paper, o.collection} {
		if err := os.MkdirAll(folder, 0o750); err != nil {
			return nil, fmt.Errorf("make the outbox: %w", err)
		}
	}
	for _, folder := range []string{dir, filepath.Dir(dir)} {
		if err := syncFolder(folder); err != nil {
			return nil, fmt.Errorf("make the outbox: %w", err)
		}
	}
	return o, nil
}

// SendEmail writes the e-mail to email/ID.eml.
func (o *Outbox) SendEmail(ctx context.Context, e Email) error {
	raw, err := message(e)
	if err != nil {
		return err
	}
	return put(ctx, o.email, e.ID+".eml", raw)
}

// SendLetter writes the letter to paper/ID.pdf.
func (o *Outbox) SendLetter(ctx context.Context, l Letter) error {
	if err := checkID(l.ID); err != nil {
		return err
	}
	if len(l.PDF) == 0 {
		return fmt.Errorf("mailer: the letter %s is empty", l.ID)
	}
	return put(ctx, o.paper, l.ID+".pdf", l.PDF)
}

// SendToCollector writes the file to collection/NAME.
func (o *Outbox) SendToCollector(ctx context.Context, name string, content []byte) error {
	if err := checkFileName(name); err != nil {
		return err
	}
	return put(ctx, o.collection, name, content)
}

func put(ctx context.Context, folder, name string, content []byte) error {
	err := ctx.Err()
	if err == nil {
		err = writeFile(folder, name, content)
	}
	if err != nil {
		return models.Unavailable("the outbox", err)
	}
	return nil
}

// writeFile puts a file into the folder in one step, replacing one of that name, and returns when it
// would survive a power cut.
func writeFile(folder, name string, content []byte) error {
	f, err := os.CreateTemp(folder, "."+name+"-*.tmp")
	if err != nil {
		return err
	}
	if err := fill(f, content); err != nil {
		return errors.Join(err, os.Remove(f.Name()))
	}
	if err := os.Rename(f.Name(), filepath.Join(folder, name)); err != nil {
		return errors.Join(err, os.Remove(f.Name()))
	}
	return syncFolder(folder)
}

// fill writes the content to the disk and closes the file. Its group may read it: a program that
// fetches letters runs as a user of its own.
func fill(f *os.File, content []byte) error {
	_, err := f.Write(content)
	return errors.Join(err, f.Chmod(0o640), f.Sync(), f.Close())
}

func syncFolder(folder string) error {
	d, err := os.Open(folder)
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}
