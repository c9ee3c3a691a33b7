// Package receipts reads what those who were handed shipments tell of them, as files of reports in a folder: a print shop
// of its letters, an access point of its e-invoices (rules S1b, S4a). What a report changes is for package shipments.
package receipts

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"path"
	"time"

	"purr/internal/clock"
	"purr/internal/remote"
	"purr/mailer/shipments"
	"purr/models"
	"purr/store"
)

const (
	folderName = "receipts" // in the folder of the way out
	ending     = ".xml"
	done       = "done"     // in the folder of receipts
	rejected   = "rejected" // likewise

	// restsFor is how long a receipt that cannot be read must have rested to be rejected: it may still be being written.
	restsFor = 5 * time.Minute
)

// Way is a way out whose other side gives receipts. Any number of processes may read them: reports are kept once.
type Way struct {
	Method models.ShipmentMethod // of the shipments that leave by it; its receipts tell of no others
	Of     int64                 // the only creditor of whose shipments they tell; 0 for all
	Every  time.Duration         // between two looks

	place remote.Place // where its receipts lie
}

// String returns the URL of the folder of receipts, which holds no secret.
func (w *Way) String() string { return w.place.String() }

// MayHaveFiles reports whether a receipt may lie in the folder, as far as that can be told without asking another machine.
func (w *Way) MayHaveFiles() bool { return w.place.MayHaveFiles() }

// Read keeps what the receipts tell, and moves each to the folder done, or to rejected if it cannot be read. One that fails
// keeps no other one from being read. What was read and could not be moved is read again without harm. A receipt of which a report
// fails for what its creditor has stays, and is read again; the error then holds shipments.Failures (rule D102).
func (w *Way) Read(ctx context.Context, db *store.DB, log *slog.Logger) error {
	log = log.With("method", w.Method, "folder", w.String())
	in, err := w.place.Open(ctx)
	if models.KindOf(err) == models.KindNotFound {
		return nil
	}
	if err != nil {
		return err
	}
	defer in.Close()
	files, err := in.List()
	if err != nil {
		return err
	}
	var errs []error
	var failures shipments.Failures
	for _, f := range files {
		if path.Ext(f.Name) != ending {
			continue
		}
		err := w.take(ctx, db, log.With("file", models.Foreign(f.Name, 80)), in, f)
		if some, are := errors.AsType[shipments.Failures](err); are {
			for _, failure := range some {
				failure.Err = fmt.Errorf("the receipt %s: %w", models.Foreign(f.Name, 80), failure.Err)
				failures = append(failures, failure)
			}
			continue
		}
		if err != nil {
			errs = append(errs, fmt.Errorf("the receipt %s: %w", models.Foreign(f.Name, 80), err))
		}
		if models.KindOf(err) == models.KindUnavailable || ctx.Err() != nil {
			break // the next ones would fail too
		}
	}
	if len(failures) > 0 {
		errs = append(errs, failures)
	}
	return errors.Join(errs...)
}

// take reads one receipt and moves it away.
func (w *Way) take(ctx context.Context, db *store.DB, log *slog.Logger, in remote.Opened, f remote.File) error {
	reports, fault, err := read(in, f)
	if err != nil {
		return ignoreGone(err)
	}
	if fault != nil {
		if rested := (clock.System{}).Now().Sub(f.Changed); rested < restsFor {
			return nil
		}
		log.Error("a receipt is rejected", "error", fault)
		return move(in, f, rejected)
	}
	for i := range reports {
		reports[i].Method, reports[i].CreditorID = w.Method, w.Of
	}
	kept, unknown, err := shipments.TellAll(ctx, db, reports, models.ActorProgram)
	if err != nil {
		return err
	}
	if len(unknown) > 0 {
		log.Warn("a receipt tells of what did not go this way", "reports", len(unknown), "first", unknown[0])
	}
	log.Info("a receipt was read", "reports", kept)
	return move(in, f, done)
}

// read returns what a receipt tells, or what is wrong with it. One that is too large is not fetched at all, and one that has grown
// meanwhile no further than shows it.
func read(in remote.Opened, f remote.File) (reports []shipments.Told, fault, err error) {
	if f.Size > shipments.MaxReportFile {
		return nil, fmt.Errorf("the file is larger than %d MiB", shipments.MaxReportFile>>20), nil
	}
	file, err := in.Get(f.Name)
	if err != nil {
		return nil, nil, err
	}
	content, err := io.ReadAll(io.LimitReader(file, shipments.MaxReportFile+1))
	if err := errors.Join(err, file.Close()); err != nil {
		return nil, nil, err
	}
	reports, fault = shipments.ReadReports(bytes.NewReader(content))
	return reports, fault, nil
}

// move moves a receipt into a folder below. A receipt of that name that lies there already stays: the new one gets the
// moment of its last change before its name. Another process may have moved it.
func move(in remote.Opened, f remote.File, to string) error {
	if err := in.MakeFolder(to); err != nil {
		return err
	}
	name := f.Name
	if _, err := in.Stat(path.Join(to, name)); err == nil {
		name = f.Changed.Format("20060102T150405-") + name
	}
	return ignoreGone(in.Rename(f.Name, path.Join(to, name)))
}

func ignoreGone(err error) error {
	if models.KindOf(err) == models.KindNotFound {
		return nil
	}
	return err
}
