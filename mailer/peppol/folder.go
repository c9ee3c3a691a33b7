package peppol

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"time"

	"purr/internal/remote"
	"purr/internal/storage"
	"purr/mailer"
	"purr/models"
)

// content returns what a channel gives on: the document, or the document in its envelope.
func content(p mailer.Parcel, enveloped bool) ([]byte, error) {
	if err := complete(p); err != nil {
		return nil, err
	}
	if enveloped {
		return Envelope(p)
	}
	return p.EHF.UBL, nil
}

// inFile returns the answer of a folder that has a parcel: its receipt is the name of the file.
func inFile(p mailer.Parcel) mailer.Answer { return mailer.Answer{Receipt: p.Name + ".xml"} }

// complete fails if a parcel lacks what the network must know. That the creditor has no organisation number is no fault of
// one shipment, so no other method takes its place.
func complete(p mailer.Parcel) error {
	switch {
	case len(p.EHF.UBL) == 0 || TypeOf(p.DocumentKind) == DocumentType{}:
		return fmt.Errorf("peppol: %s has no document", p.Name)
	case p.EHF.Sender == "":
		return models.Refuse(models.BlameSettings, nil, "the creditor has no organisation_number, which names the sender")
	case p.Recipient.OrganisationNumber == "":
		return models.Refuse(models.BlameRecipient, nil, "the recipient has no organisation_number")
	}
	return nil
}

// Folder is a folder from which an access point's own program takes documents as NAME.xml (rule H3a). A file appears whole
// and on disk. A file whose name begins with a dot is still being written.
type Folder struct {
	in        storage.Place
	enveloped bool
}

// NewFolder returns the channel to the folder, and makes the folder if it is missing.
func NewFolder(in storage.Place, enveloped bool) (*Folder, error) {
	if err := in.Prepare(); err != nil {
		return nil, fmt.Errorf("make the folder of e-invoices: %w", err)
	}
	return &Folder{in, enveloped}, nil
}

// HandOver writes the document to NAME.xml, which is the receipt. A file that is handed over twice is one file.
func (f *Folder) HandOver(ctx context.Context, p mailer.Parcel) (mailer.Answer, error) {
	document, err := content(p, f.enveloped)
	if err != nil {
		return mailer.Answer{}, err
	}
	if err := cmp.Or(ctx.Err(), p.Leave()); err != nil {
		return mailer.Answer{}, models.Unavailable("the folder of e-invoices", err)
	}
	answer := inFile(p)
	if err := f.in.PutAll(ctx, []storage.File{{Name: answer.Receipt, Content: document}})[0]; err != nil {
		return mailer.Answer{}, models.Unavailable("the folder of e-invoices", err)
	}
	return answer, nil
}

// Sweep removes what writers that were killed before the moment have left behind.
func (f *Folder) Sweep(before time.Time) error { return f.in.Sweep(before) }

// SFTP is a folder on the access point's own server.
type SFTP struct {
	server    *remote.Server
	enveloped bool
}

// NewSFTP returns the channel to the server's folder. It does not connect.
func NewSFTP(server *remote.Server, enveloped bool) *SFTP { return &SFTP{server, enveloped} }

// HandOver puts the document into the folder as NAME.xml, which is the receipt. The file appears whole.
func (s *SFTP) HandOver(ctx context.Context, p mailer.Parcel) (mailer.Answer, error) {
	document, err := content(p, s.enveloped)
	if err != nil {
		return mailer.Answer{}, err
	}
	folder, err := s.open(ctx)
	if err != nil {
		return mailer.Answer{}, err
	}
	defer folder.Close()
	if err := p.Leave(); err != nil {
		return mailer.Answer{}, err
	}
	answer := inFile(p)
	if err := folder.Put(answer.Receipt, bytes.NewReader(document)); err != nil {
		return mailer.Answer{}, setup(err)
	}
	return answer, nil
}

// Ask looks whether the file is in the folder: the connection may have broken after the server had it.
func (s *SFTP) Ask(ctx context.Context, p mailer.Parcel) (mailer.Answer, error) {
	document, err := content(p, s.enveloped)
	if err != nil {
		return mailer.Answer{}, err
	}
	folder, err := s.open(ctx)
	if err != nil {
		return mailer.Answer{}, err
	}
	defer folder.Close()
	answer := inFile(p)
	found, err := folder.Stat(answer.Receipt)
	if err != nil {
		return mailer.Answer{}, setup(err)
	}
	if found.Size != int64(len(document)) {
		return mailer.Answer{}, models.NotFound("whole file")
	}
	return answer, nil
}

// open signs in. A server that refuses the user, or a folder that is missing, is a fault of the settings.
func (s *SFTP) open(ctx context.Context) (*remote.Folder, error) {
	folder, err := s.server.Open(ctx)
	if models.KindOf(err) == models.KindNotFound { // of the folder, and not of the shipment
		err = models.Unavailable("the folder of e-invoices", err)
	}
	return folder, setup(err)
}

// setup marks a refusal as one of the settings.
func setup(err error) error {
	if !remote.IsSetup(err) {
		return err
	}
	return models.Refuse(models.BlameSettings, err, "the channel refuses it")
}
