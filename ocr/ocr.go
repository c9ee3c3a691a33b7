// Package ocr imports the bank's payment files into the ledger. It keeps the raw bytes, checks the file, and matches
// every payment by account and KID. It posts a payment that it can match, and queues any other as an unmatched
// payment. It also proves from the raw bytes what the books say of a file. It knows nothing of dunning and nothing of
// HTTP.
package ocr

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"strings"

	"purr/archive"
	"purr/models"
	"purr/store"
)

// The ways in which a payment file arrives.
const (
	FromAPI     = "api"
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
}

// NewImporter returns an importer that keeps the raw bytes in the archive.
func NewImporter(db *store.DB, a *archive.Archive, log *slog.Logger) *Importer {
	return &Importer{db: db, archive: a, log: log, batch: 2000}
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
// kept the bytes, the sweep continues the import.
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

// Keep keeps a file's raw bytes, for ImportKept.
func (im *Importer) Keep(ctx context.Context, r io.Reader) (Kept, error) {
	sum, size, err := im.archive.Put(ctx, r)
	return Kept{sum, size}, err
}

// ImportKept does for bytes in the archive what Import does.
func (im *Importer) ImportKept(ctx context.Context, kept Kept, src Source) (models.PaymentFile, error) {
	file := models.PaymentFile{
		OwnerID: src.OwnerID, Filename: clip(src.Filename), Source: src.Kind, SHA256: kept.SHA256, Size: kept.Size, AcceptConflict: src.AcceptConflict,
	}
	if src.Arrival != "" {
		file.Arrival = &src.Arrival
	}
	var created models.PaymentFile
	err := im.db.InTx(ctx, func(tx *store.Tx) error {
		created = file // without the ID of an earlier try
		return tx.CreatePaymentFile(ctx, &created)
	})
	if errors.Is(err, store.ErrDuplicate) { // another process has recorded the same arrival
		created, _, err = im.db.ArrivedFile(ctx, src.Arrival)
	}
	if err != nil {
		return models.PaymentFile{}, err
	}
	return im.Process(ctx, created.ID)
}

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
// first, and fails if the archive has lost or changed them.
func (im *Importer) Raw(f models.PaymentFile) (io.ReadSeekCloser, error) {
	switch sum, err := im.archivedSum(f); {
	case err != nil:
		return nil, err
	case sum == "":
		return nil, fmt.Errorf("the archive has lost payment file %d (SHA-256 %s): restore the archive folder from a backup", f.ID, f.SHA256)
	case sum != f.SHA256:
		return nil, fmt.Errorf("the archive holds other bytes than those of payment file %d (SHA-256 %s): restore the archive folder from a backup", f.ID, f.SHA256)
	}
	return im.archive.Get(f.SHA256)
}

// archivedSum returns the SHA-256 of a file's bytes in the archive, empty if there are none.
func (im *Importer) archivedSum(f models.PaymentFile) (string, error) {
	raw, err := im.archive.Get(f.SHA256)
	if models.KindOf(err) == models.KindNotFound {
		return "", nil
	}
	if err != nil {
		return "", err
	}
	sum := sha256.New()
	_, err = io.Copy(sum, raw)
	if err = errors.Join(err, raw.Close()); err != nil {
		return "", fmt.Errorf("read payment file %d: %w", f.ID, err)
	}
	return hex.EncodeToString(sum.Sum(nil)), nil
}
