// Package ocr takes the bank's payment files into the ledger: it keeps the raw bytes, has them read,
// matches every payment by account and KID, posts what fits and queues the rest. It also watches the
// folder that files are put into. It knows nothing of dunning and nothing of HTTP.
package ocr

import (
	"context"
	"errors"
	"io"
	"log/slog"

	"purr/archive"
	"purr/models"
	"purr/store"
)

// The ways in which a payment file comes.
const (
	FromAPI     = "api"
	FromInbox   = "inbox"
	FromCommand = "command"
	FromSFTP    = models.SourceSFTP
)

// Importer imports payment files. It is safe for concurrent use, also by several processes.
type Importer struct {
	db      *store.DB
	archive *archive.Archive
	log     *slog.Logger
	batch   int                // transactions posted in one database transaction
	tell    func(done, of int) // may be nil
	actor   string             // of the events of files; empty for the program
}

// NewImporter returns an importer that keeps the raw bytes in the archive.
func NewImporter(db *store.DB, a *archive.Archive, log *slog.Logger) *Importer {
	return &Importer{db: db, archive: a, log: log, batch: 2000}
}

// Telling returns an importer that tells, after each batch, how many of a file's lines are posted and how many it has.
func (im *Importer) Telling(tell func(done, of int)) *Importer {
	telling := *im
	telling.tell = tell
	return &telling
}

// By returns an importer that names the actor in the events of files.
func (im *Importer) By(actor string) *Importer {
	by := *im
	by.actor = actor
	return &by
}

// Source says where a payment file comes from.
type Source struct {
	OwnerID  int64 // the creditor whose key posted it; zero where each account's creditor gets its own
	Filename string
	Kind     string // one of the ways
	Arrival  string // unique mark of one arrival in a folder: with a mark that is known the import goes on

	// AcceptConflict has the file imported although one of its transmissions came before with other content: then only
	// its new lines are posted (rule E4).
	AcceptConflict bool
}

// Import keeps a file's raw bytes and then imports it: all of it, or, when anything in it is wrong,
// nothing (rule E4). What became of it is in the file's State; a file that is rejected, or was imported
// before, is no error. After an error the file is kept, and the sweep goes on with it.
func (im *Importer) Import(ctx context.Context, r io.Reader, src Source) (models.PaymentFile, error) {
	if src.Arrival != "" {
		file, known, err := im.db.ArrivedFile(ctx, src.Arrival)
		if err != nil {
			return file, err
		}
		if known {
			return im.Process(ctx, file.ID)
		}
	}
	sum, size, err := im.archive.Put(ctx, r)
	if err != nil {
		return models.PaymentFile{}, err
	}
	file := models.PaymentFile{
		OwnerID: src.OwnerID, Filename: clip(src.Filename), Source: src.Kind, SHA256: sum, Size: size, AcceptConflict: src.AcceptConflict,
	}
	if src.Arrival != "" {
		file.Arrival = &src.Arrival
	}
	err = im.db.InTx(ctx, func(tx *store.Tx) error { return tx.CreatePaymentFile(ctx, &file) })
	if errors.Is(err, store.ErrDuplicate) {
		// Another process took the same arrival meanwhile.
		file, _, err = im.db.ArrivedFile(ctx, src.Arrival)
	}
	if err != nil {
		return file, err
	}
	return im.Process(ctx, file.ID)
}

// ImportToEnd imports a file, and where it came before and that import was broken off, brings that one to its end: there
// may be nobody else who does.
func (im *Importer) ImportToEnd(ctx context.Context, r io.Reader, src Source) (models.PaymentFile, error) {
	file, err := im.Import(ctx, r, src)
	if err == nil && file.State == models.FileDuplicate {
		_, err = im.Process(ctx, file.DuplicateOf)
	}
	return file, err
}

// clip changes a file's name into one that the store takes.
func clip(name string) string {
	const most = 250
	name = printable(name)
	if runes := []rune(name); len(runes) > most {
		return string(runes[:most])
	}
	return name
}
