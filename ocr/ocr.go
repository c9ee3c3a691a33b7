package ocr

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"strings"
	"time"

	"purr/models"
	"purr/store"
	"purr/store/archive"
)

// The ways in which a payment file arrives.
const (
	FromAPI     = "api"
	FromConsole = "console"
	FromInbox   = "inbox"
	FromCommand = "command"
	FromSFTP    = models.SourceSFTP
)

// Importer imports payment files. It is safe for concurrent use, also by several processes.
type Importer struct {
	db       *store.DB
	archive  *archive.Archive
	log      *slog.Logger
	batch    int                // file lines posted in one database transaction
	progress func(done, of int) // may be nil
	actor    string             // the actor of events; empty for the program
	underWay *underWay
	stalled  time.Duration // after which an import in another process that has posted nothing counts as broken off

	keepRejected time.Duration // zero keeps the raw bytes of rejected files for ever
}

// stalledAfter is how long an import in another process may post nothing before whoever brings its file again goes on with it. After
// what a call may wait for the database, it leaves the call time to answer (rule O7).
const stalledAfter = 4 * time.Second

// NewImporter returns an importer that keeps the raw bytes in the archive.
func NewImporter(db *store.DB, a *archive.Archive, log *slog.Logger) *Importer {
	return &Importer{db: db, archive: a, log: log, batch: 2000, underWay: &underWay{files: map[int64]*importing{}}, stalled: stalledAfter}
}

// WithProgress returns an importer that calls progress after each batch, with the number of a file's lines that are
// posted and the number of all.
func (im *Importer) WithProgress(progress func(done, of int)) *Importer {
	with := *im
	with.progress = progress
	return &with
}

// By returns an importer that names the actor in the events of files.
func (im *Importer) By(actor string) *Importer {
	by := *im
	by.actor = actor
	return &by
}

// Source says where a payment file comes from.
type Source struct {
	OwnerID  int64 // the creditor whose API key posted it; zero gives each creditor the part of its own accounts
	Filename string
	Kind     string // one of the ways above
	Arrival  string // unique mark of one arrival, or empty; a known mark continues the import of that arrival

	// AcceptConflict imports the file even if one of its transmissions came before with other content. Only its new
	// lines are posted then (rule E4).
	AcceptConflict bool
}

// Import keeps a file's raw bytes. Then it imports the whole file or, if the file has a fault, nothing (rule E4). The
// file's State says which. A rejected file, or one that was imported before, is no error. If Import fails after it has
// kept the bytes, the sweep continues the import. It fails with models.KindFull, and reads nothing, if the disk is nearly
// full (rule O13).
func (im *Importer) Import(ctx context.Context, r io.Reader, src Source) (models.PaymentFile, error) {
	if src.Arrival != "" {
		file, known, err := im.db.ArrivedFile(ctx, src.Arrival)
		if err != nil {
			return models.PaymentFile{}, err
		}
		if known {
			return im.Process(ctx, file.ID)
		}
	}
	kept, err := im.Keep(ctx, r)
	if err != nil {
		return models.PaymentFile{}, err
	}
	return im.ImportKept(ctx, kept, src)
}

// Kept is the raw bytes of a payment file in the archive.
type Kept struct {
	SHA256 string
	Size   int64
}

// Keep keeps a file's raw bytes, for ImportKept. It fails like Room.
func (im *Importer) Keep(ctx context.Context, r io.Reader) (Kept, error) {
	if err := im.Room(); err != nil {
		return Kept{}, err
	}
	sum, size, err := im.archive.Put(ctx, r)
	if err != nil {
		return Kept{}, err
	}
	return Kept{sum, size}, nil
}

// ImportKept does for bytes in the archive what Import does.
func (im *Importer) ImportKept(ctx context.Context, kept Kept, src Source) (models.PaymentFile, error) {
	file, err := im.Receive(ctx, kept, src)
	if err != nil {
		return models.PaymentFile{}, err
	}
	return im.Process(ctx, file.ID)
}

// Receive notes that a file came whose bytes are in the archive, and returns it. Process imports it; if nobody calls that,
// the sweep does. A known arrival is returned as it is.
func (im *Importer) Receive(ctx context.Context, kept Kept, src Source) (models.PaymentFile, error) {
	file := models.PaymentFile{
		OwnerID: src.OwnerID, Filename: clip(src.Filename), Source: src.Kind, SHA256: kept.SHA256, Size: kept.Size, AcceptConflict: src.AcceptConflict,
	}
	if src.Arrival != "" {
		file.Arrival = &src.Arrival
	}
	var created models.PaymentFile
	err := im.db.InTx(ctx, func(ctx context.Context, tx *store.Tx) error {
		created = file // without the ID of an earlier try
		return tx.CreatePaymentFile(ctx, &created)
	})
	if errors.Is(err, store.ErrDuplicate) { // the same arrival is recorded already
		created, _, err = im.db.ArrivedFile(ctx, src.Arrival)
	}
	if err != nil {
		return models.PaymentFile{}, err
	}
	return created, nil
}

// Room fails with models.KindFull if the disk is too full to take a file (rule O13).
func (im *Importer) Room() error { return im.archive.Room() }

// ImportToEnd imports a file. If an earlier import of the same file was broken off, ImportToEnd finishes that one too,
// because there may be no sweep to do so.
func (im *Importer) ImportToEnd(ctx context.Context, r io.Reader, src Source) (models.PaymentFile, error) {
	file, err := im.Import(ctx, r, src)
	if err != nil {
		return models.PaymentFile{}, err
	}
	if file.State == models.FileDuplicate {
		if _, err := im.Process(ctx, file.DuplicateOf); err != nil {
			return models.PaymentFile{}, err
		}
	}
	return file, nil
}

// clip changes a file's name into one that the database accepts.
func clip(name string) string {
	const most = 250
	runes := []rune(printable(name))
	return string(runes[:min(len(runes), most)])
}

// printable returns the text with U+FFFD for bytes that are not UTF-8. The database does not accept such bytes.
func printable(s string) string { return strings.ToValidUTF8(s, "\uFFFD") }

// Raw opens the bytes of a file as they came, also of a rejected file. The caller closes them. Raw reads all of them
// first. Its error is a *archive.Fault if the archive has lost or damaged them: nobody can make them again (rule O7). It
// fails with models.KindNotFound if its bytes are removed: it was rejected long ago (rule O13), or customers whom it names were forgotten
// (rule O14).
func (im *Importer) Raw(f models.PaymentFile) (io.ReadSeekCloser, error) {
	if f.RemovedAt != nil && f.State != models.FileRejected {
		return nil, models.ErrBytesRemoved
	}
	if f.RemovedAt != nil {
		return nil, &models.Error{Kind: models.KindNotFound, Code: "file_removed", Msg: "the file was rejected, and its bytes are no longer kept"}
	}
	raw, err := im.archive.Get(f.SHA256)
	if err != nil {
		return nil, fmt.Errorf("the raw bytes of payment file %d: %w", f.ID, err)
	}
	return raw, nil
}
