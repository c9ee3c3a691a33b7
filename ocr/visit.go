package ocr

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"path"
	"strings"

	"purr/models"
	"purr/remote"
)

// visit is one look into the bank's folder.
type visit struct {
	*Fetcher
	folder  *remote.Folder
	known   map[string]models.PaymentFile // what came from there before, by arrival mark
	found   int                           // files that were not at their end
	taken   []models.PaymentFile          // of these, those that are now
	growing bool                          // a file is still being written
}

// look imports every file that is complete and new, oldest first. One that fails does not hold up the others.
func (v *visit) look(ctx context.Context) error {
	files, err := v.open(ctx)
	if err != nil {
		return err
	}
	defer v.folder.Close()
	if files, err = v.complete(ctx, files); err != nil {
		return err
	}
	var errs []error
	for _, file := range files {
		err := v.take(ctx, file)
		if err != nil {
			errs = append(errs, fmt.Errorf("%s: %w", file.Name, err))
		}
		if models.KindOf(err) == models.KindUnavailable || ctx.Err() != nil {
			break // and so are the others
		}
	}
	return errors.Join(errs...)
}

// open opens the folder and lists its files, oldest first.
func (v *visit) open(ctx context.Context) (files []remote.File, err error) {
	if v.folder, err = v.server.Open(ctx); err != nil {
		return nil, err
	}
	if files, err = v.folder.List(); err == nil {
		v.known, err = v.arrived(ctx, files)
	}
	if err != nil {
		v.folder.Close()
	}
	return files, err
}

// arrived returns which of the files came before.
func (f *Fetcher) arrived(ctx context.Context, files []remote.File) (map[string]models.PaymentFile, error) {
	marks := make([]string, len(files))
	for i, file := range files {
		marks[i] = f.mark(file)
	}
	return f.db.ArrivedFiles(ctx, marks)
}

// mark is the arrival mark of a file: a file that is left at the bank is known by its name, size and time.
func (f *Fetcher) mark(file remote.File) string {
	sum := sha256.Sum256(fmt.Appendf(nil, "%s\n%s\n%d\n%d", f.Remote(), file.Name, file.Size, file.Changed.Unix()))
	return "sftp:" + hex.EncodeToString(sum[:])
}

// complete leaves out the new files that change between two looks.
func (v *visit) complete(ctx context.Context, files []remote.File) ([]remote.File, error) {
	seen := map[remote.File]bool{}
	for _, file := range files {
		if _, known := v.known[v.mark(file)]; !known {
			seen[file] = true
		}
	}
	if len(seen) == 0 {
		return files, nil
	}
	if err := v.pause(ctx); err != nil {
		return nil, err
	}
	again, err := v.folder.List()
	if err != nil {
		return nil, err
	}
	var complete []remote.File
	for _, file := range again {
		if _, known := v.known[v.mark(file)]; known || seen[file] {
			complete = append(complete, file)
			continue
		}
		v.found++
		v.growing = true
	}
	return complete, nil
}

// take brings one file to its end, from wherever an earlier look was broken off, and tidies it away.
func (v *visit) take(ctx context.Context, file remote.File) error {
	result, known := v.known[v.mark(file)]
	if !known || result.UnderWay() {
		finished, err := v.finish(ctx, file)
		if errors.Is(err, errGone) {
			return nil
		}
		v.found++
		if err != nil {
			return err
		}
		v.taken = append(v.taken, finished)
		result = finished
	}
	switch {
	case v.after == AfterLeave:
		return nil
	case known:
		if err := v.compare(file, result); err != nil {
			return err
		}
	case result.State == models.FileRejected:
		return nil // it may be half of a file whose writer rests: the next look sees to it, unless it has grown
	}
	return v.tidy(file)
}

// compare fails where a file is not the one that came before with the same name, size and time.
func (v *visit) compare(file remote.File, kept models.PaymentFile) error {
	content, err := v.folder.Get(file.Name)
	if err != nil {
		return unlessGone(err)
	}
	defer content.Close()
	sum := sha256.New()
	if _, err := io.Copy(sum, content); err != nil {
		return err
	}
	if hex.EncodeToString(sum.Sum(nil)) != kept.SHA256 {
		return fmt.Errorf("another file of this name, size and time came before, as file %d: import this one with purr ocr import", kept.ID)
	}
	return nil
}

// errGone is the error of a file that somebody else has taken away.
var errGone = errors.New("it is not there any more")

// finish imports a file as it comes from the bank, or goes on with its import.
func (v *visit) finish(ctx context.Context, file remote.File) (models.PaymentFile, error) {
	if begun, known := v.known[v.mark(file)]; known {
		return v.importer.Process(ctx, begun.ID)
	}
	content, err := v.folder.Get(file.Name)
	if models.KindOf(err) == models.KindNotFound {
		return models.PaymentFile{}, errGone
	}
	if err != nil {
		return models.PaymentFile{}, err
	}
	defer content.Close()
	return v.importer.Import(ctx, &exactly{content, file.Size}, Source{Filename: file.Name, Kind: FromSFTP, Arrival: v.mark(file)})
}

// exactly reads a file that must be as long as it was said to be.
type exactly struct {
	io.Reader
	left int64
}

func (e *exactly) Read(p []byte) (int, error) {
	n, err := e.Reader.Read(p)
	e.left -= int64(n)
	if e.left < 0 || errors.Is(err, io.EOF) && e.left > 0 {
		return n, errors.New("the file changed while it was fetched")
	}
	return n, err
}

// fetched is the folder that files are moved to.
const fetched = "fetched"

// tidy moves a file away, or deletes it, whose bytes are kept, unless it has changed meanwhile.
func (v *visit) tidy(file remote.File) error {
	now, err := v.folder.Stat(file.Name)
	if err != nil || now != file {
		return unlessGone(err)
	}
	if v.after == AfterDelete {
		return unlessGone(v.folder.Remove(file.Name))
	}
	if err := v.folder.MakeFolder(fetched); err != nil {
		return err
	}
	target := path.Join(fetched, file.Name)
	if _, err := v.folder.Stat(target); err == nil {
		// The bank has used the name before.
		ext := path.Ext(target)
		target = strings.TrimSuffix(target, ext) + file.Changed.Format(".20060102T150405") + ext
	} else if models.KindOf(err) != models.KindNotFound {
		return err
	}
	return unlessGone(v.folder.Rename(file.Name, target))
}

// unlessGone returns the error, nil where it is that a file is gone: somebody was faster.
func unlessGone(err error) error {
	if models.KindOf(err) == models.KindNotFound {
		return nil
	}
	return err
}

// Offer is a file in the bank's folder, and what became of it.
type Offer struct {
	remote.File
	Known bool               // it came before, as
	As    models.PaymentFile // this
}

// Offers returns what lies in the bank's folder, oldest first, and changes nothing.
func (f *Fetcher) Offers(ctx context.Context) ([]Offer, error) {
	v := visit{Fetcher: f}
	files, err := v.open(ctx)
	if err != nil {
		return nil, err
	}
	defer v.folder.Close()
	offers := make([]Offer, len(files))
	for i, file := range files {
		as, known := v.known[v.mark(file)]
		offers[i] = Offer{file, known, as}
	}
	return offers, nil
}
