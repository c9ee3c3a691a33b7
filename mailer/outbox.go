package mailer

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"purr/internal/remote"
	"purr/internal/storage"
	"purr/models"
)

// Outbox is a folder that takes e-mails as .eml files in "email", letters as PDF files in "paper" (rule R1), and
// the debt collector's files in "collection". A file appears whole and on disk. It has the shipment's name, so a
// shipment that is handed over twice is one file. A file whose name begins with a dot is still being written.
type Outbox struct{ email, paper, collection storage.Place }

// Email is the channel of an outbox for e-mails.
type Email struct {
	DKIM   *DKIM // signs the e-mails; nil signs none
	folder storage.Place
}

// Paper is the channel of an outbox for letters.
type Paper struct{ folder storage.Place }

// Email returns the channel for e-mails.
func (o *Outbox) Email() Email { return Email{folder: o.email} }

// Paper returns the channel for letters.
func (o *Outbox) Paper() Paper { return Paper{o.paper} }

// NewOutbox returns the outbox in the folder, and makes the folder if it is missing.
func NewOutbox(dir string) (*Outbox, error) { return OutboxIn(storage.Folder(dir)) }

// OutboxIn returns the outbox in a place. A folder is made if it is missing.
func OutboxIn(place storage.Place) (*Outbox, error) {
	o := &Outbox{email: place.Below("email"), paper: place.Below("paper"), collection: place.Below("collection")}
	for _, folder := range []storage.Place{place, o.email, o.paper, o.collection} {
		if err := folder.Prepare(); err != nil {
			return nil, fmt.Errorf("make the outbox: %w", err)
		}
	}
	return o, nil
}

// SentFiles returns the e-mails, letters and e-invoices that are in an outbox, the newest shipments first. It makes no folder.
func SentFiles(ctx context.Context, outbox storage.Place) ([]SentFile, error) {
	var files []SentFile
	for _, m := range models.ShipmentMethods {
		found, err := outbox.Below(m.Key()).List(ctx)
		if err != nil {
			return nil, fmt.Errorf("read the outbox: %w", err)
		}
		for _, f := range found {
			if sent, is := sentFile(f.Name); is {
				sent.At = f.Changed
				files = append(files, sent)
			}
		}
	}
	slices.SortFunc(files, func(a, b SentFile) int { return cmp.Compare(b.ShipmentID, a.ShipmentID) })
	return files, nil
}

// HandOver writes the e-mail to NAME.eml, which is the receipt.
func (c Email) HandOver(ctx context.Context, p Parcel) (Answer, error) {
	r := c.HandOverAll(ctx, []Parcel{p})[0]
	return r.Answer, r.Err
}

// HandOverAll does with several e-mails what HandOver does with one.
func (c Email) HandOverAll(ctx context.Context, ps []Parcel) []Result {
	return putAll(ctx, c.folder, ".eml", ps, func(p Parcel) ([]byte, error) { return signed(p, c.DKIM) })
}

// HandOver writes the letter to NAME.pdf, which is the receipt.
func (c Paper) HandOver(ctx context.Context, p Parcel) (Answer, error) {
	r := c.HandOverAll(ctx, []Parcel{p})[0]
	return r.Answer, r.Err
}

// HandOverAll does with several letters what HandOver does with one.
func (c Paper) HandOverAll(ctx context.Context, ps []Parcel) []Result {
	return putAll(ctx, c.folder, ".pdf", ps, letter)
}

func letter(p Parcel) ([]byte, error) {
	if err := checkName(p.Name); err != nil {
		return nil, err
	}
	if len(p.PDF) == 0 {
		return nil, fmt.Errorf("mailer: the letter %s is empty", p.Name)
	}
	return p.PDF, nil
}

// Check returns nil if the folder of the letters can be written to. It writes a file of the size of a letter, and removes
// it.
func (c Paper) Check(ctx context.Context) error {
	const name = ".check.tmp" // Sweep removes what a killed process leaves behind
	if err := put(ctx, c.folder, name, make([]byte, 64<<10)); err != nil {
		return err
	}
	return c.folder.Remove(ctx, storage.Info{Name: name})
}

// SendToCollector writes the file to collection/NAME.
func (o *Outbox) SendToCollector(ctx context.Context, name string, content []byte) error {
	if err := checkFileName(name); err != nil {
		return err
	}
	return put(ctx, o.collection, name, content)
}

// putAll writes a file of each parcel into the folder, as put does. Those that cannot be made leave the others alone.
func putAll(ctx context.Context, folder storage.Place, extension string, ps []Parcel, content func(Parcel) ([]byte, error)) []Result {
	var results []Result
	var files []storage.File
	for _, p := range ps {
		name := p.Name + extension
		made, err := content(p)
		if err == nil {
			files = append(files, storage.File{Name: name, Content: made})
		}
		results = append(results, Result{Answer{Receipt: name, Repeatable: true}, err})
	}
	errs := write(ctx, folder, files)
	for i := range results {
		if results[i].Err == nil {
			results[i].Err, errs = errs[0], errs[1:]
		}
	}
	return results
}

// put writes the file into the folder in one step, and replaces a file of that name. It returns once a power cut
// cannot lose the file.
func put(ctx context.Context, folder storage.Place, name string, content []byte) error {
	return write(ctx, folder, []storage.File{{Name: name, Content: content}})[0]
}

func write(ctx context.Context, folder storage.Place, files []storage.File) []error {
	errs := folder.PutAll(ctx, files)
	for i, err := range errs {
		if err != nil {
			errs[i] = models.Unavailable("the outbox", err)
		}
	}
	return errs
}

// Sweep removes what writers that were killed before the moment have left behind.
func (o *Outbox) Sweep(before time.Time) error {
	var errs []error
	for _, folder := range []storage.Place{o.email, o.paper, o.collection} {
		errs = append(errs, folder.Sweep(before))
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
