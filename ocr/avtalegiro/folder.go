package avtalegiro

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"time"

	"purr/internal/remote"
	"purr/models"
)

// FolderName is the name of the folder of receipts, below that of the claims.
const FolderName = "receipts"

// Folder is the folder in which the bank leaves its receipts. Any number of processes may read it: a receipt is taken once.
type Folder struct {
	Every time.Duration // between two looks

	place   remote.Place
	columns Columns
	files   *Files
}

// NewFolder returns the folder that is a place.
func NewFolder(place remote.Place, s Settings, files *Files) *Folder {
	return &Folder{s.Every, place, s.Columns, files}
}

// String returns the URL of the folder, which holds no secret.
func (f *Folder) String() string { return f.place.String() }

// MayHaveFiles reports whether a receipt may lie there.
func (f *Folder) MayHaveFiles() bool { return f.place.MayHaveFiles() }

// Read takes the receipts of the folder, the oldest first: each moves to done, or to rejected with a text that names its faults. Of a
// transmission that it both takes and refuses the former counts: the bytes have come twice. Without the folder there is nothing to read.
func (f *Folder) Read(ctx context.Context, log *slog.Logger) error {
	log = log.With("folder", f.String())
	taking := remote.Taking{What: "the bank's receipt", Most: MaxReceipt, Order: refusalsLast, Take: func(ctx context.Context, name string, content []byte) (fault, err error) {
		taken, err := f.files.Take(ctx, name, content, f.columns, models.ActorProgram)
		if faults, are := errors.AsType[models.FileFaults](err); are {
			return errors.New(textOf(faults)), nil
		}
		if err == nil {
			log.Info("the bank answers claims", "file", models.Foreign(name, 80), "files", taken.Files, "rejected", taken.Rejected, "warnings", taken.Warnings, "known", taken.Known)
		}
		return nil, err
	}}
	return taking.From(ctx, log, f.place)
}

// refusalsLast puts the receipts that refuse a transmission behind the others.
func refusalsLast(files []remote.File) []remote.File {
	slices.SortStableFunc(files, func(a, b remote.File) int { return refuses(a.Name) - refuses(b.Name) })
	return files
}

// refuses is 1 for the name of a receipt that refuses a transmission, otherwise 0.
func refuses(name string) int {
	if strings.HasPrefix(name, "KV."+answerRefused+".") {
		return 1
	}
	return 0
}

func textOf(faults models.FileFaults) string {
	lines := make([]string, len(faults))
	for i, fault := range faults {
		lines[i] = fmt.Sprint(fault)
	}
	return strings.Join(lines, "\n")
}
