package inbound

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"path"
	"slices"
	"strings"

	"purr/internal/remote"
	"purr/models"
	"purr/ocr"
)

// BankFile is a file in the bank's folder.
type BankFile struct {
	remote.File
	Known bool               // it came before, as the payment file As
	As    models.PaymentFile // zero if the file is new
}

// Files returns the files in the bank's folder, the oldest first, and changes nothing.
func (b *BankFolder) Files(ctx context.Context) ([]BankFile, error) {
	p := poll{BankFolder: b}
	files, err := p.open(ctx)
	if err != nil {
		return nil, err
	}
	p.folder.Close()
	return files, nil
}

// poll is one pass over the bank's folder.
type poll struct {
	*BankFolder
	folder  *remote.Folder
	found   int                  // files whose import was not finished before the poll
	taken   []models.PaymentFile // those of them that the poll has imported
	growing bool                 // a file is still being written
}

// run imports every file that is complete and new, the oldest first. A file that fails does not delay the others.
func (p *poll) run(ctx context.Context) error {
	files, err := p.open(ctx)
	if err != nil {
		return err
	}
	defer p.folder.Close()
	if files, err = p.complete(ctx, files); err != nil {
		return err
	}
	var errs []error
	for _, file := range files {
		err := p.take(ctx, file)
		if err != nil {
			errs = append(errs, fmt.Errorf("%s: %w", file.Name, err))
		}
		if models.KindOf(err) == models.KindUnavailable || ctx.Err() != nil {
			break // the next files would fail too
		}
	}
	return errors.Join(errs...)
}

// open opens the folder and lists its files, the oldest first.
func (p *poll) open(ctx context.Context) (found []BankFile, err error) {
	if p.folder, err = p.server.Open(ctx); err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			p.folder.Close()
		}
	}()
	files, err := p.folder.List()
	if err != nil {
		return nil, err
	}
	marks := make([]string, len(files))
	for i, file := range files {
		marks[i] = p.mark(file)
	}
	known, err := p.db.ArrivedFiles(ctx, marks)
	if err != nil {
		return nil, err
	}
	for i, file := range files {
		as, is := known[marks[i]]
		found = append(found, BankFile{file, is, as})
	}
	return found, nil
}

// mark returns the arrival mark of a file. It is made of the name, size and time of change, so that a file that stays
// in the folder is recognised.
func (b *BankFolder) mark(file remote.File) string {
	sum := sha256.Sum256(fmt.Appendf(nil, "%s\n%s\n%d\n%d", b.Name(), file.Name, file.Size, file.Changed.Unix()))
	return "sftp:" + hex.EncodeToString(sum[:])
}

// complete waits if there are new files, and returns only those that do not change meanwhile.
func (p *poll) complete(ctx context.Context, files []BankFile) (complete []BankFile, err error) {
	if !slices.ContainsFunc(files, func(f BankFile) bool { return !f.Known }) {
		return files, nil
	}
	if err := p.pause(ctx); err != nil {
		return nil, err
	}
	again, err := p.folder.List()
	if err != nil {
		return nil, err
	}
	before := map[remote.File]BankFile{}
	for _, file := range files {
		before[file.File] = file
	}
	for _, file := range again {
		if same, unchanged := before[file]; unchanged {
			complete = append(complete, same)
		} else {
			p.found++
			p.growing = true
		}
	}
	return complete, nil
}

// take imports one file, or continues an import that was broken off. Then it clears the file.
func (p *poll) take(ctx context.Context, file BankFile) error {
	result := file.As
	if !file.Known || file.As.UnderWay() {
		imported, err := p.importFile(ctx, file)
		if errors.Is(err, errGone) {
			return nil
		}
		p.found++
		if err != nil {
			return err
		}
		p.taken = append(p.taken, imported)
		result = imported
	}
	if p.after == AfterLeave || !file.Known && result.State == models.FileRejected {
		return nil // a new rejected file may be half of a file that is still being written; the next poll clears it
	}
	err := p.clear(file, result)
	if models.KindOf(err) == models.KindNotFound {
		return nil // another program was faster
	}
	return err
}

// errGone is the error of a file that another program has moved or deleted.
var errGone = errors.New("it is not there any more")

// importFile imports a file while it is read from the bank, or continues its import.
func (p *poll) importFile(ctx context.Context, file BankFile) (models.PaymentFile, error) {
	if file.Known {
		return p.importer.Process(ctx, file.As.ID)
	}
	content, err := p.folder.Get(file.Name)
	if models.KindOf(err) == models.KindNotFound {
		return models.PaymentFile{}, errGone
	}
	if err != nil {
		return models.PaymentFile{}, err
	}
	defer content.Close()
	return p.importer.Import(ctx, &exactly{content, file.Size}, ocr.Source{Filename: file.Name, Kind: ocr.FromSFTP, Arrival: p.mark(file.File)})
}

// exactly reads a file. It fails if the file's length differs from the listed length.
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

// fetched is the folder for moved files.
const fetched = "fetched"

// clear moves or deletes an imported file, unless it has changed. It fails with models.KindNotFound if the file is
// gone. It compares the content of a known file with the imported content, and fails if they differ: until then only
// name, size and time were compared.
func (p *poll) clear(file BankFile, imported models.PaymentFile) error {
	if file.Known {
		if err := p.compare(file.Name, imported); err != nil {
			return err
		}
	}
	now, err := p.folder.Stat(file.Name)
	if err != nil || now != file.File {
		return err
	}
	if p.after == AfterDelete {
		return p.folder.Remove(file.Name)
	}
	if err := p.folder.MakeFolder(fetched); err != nil {
		return err
	}
	target := path.Join(fetched, file.Name)
	if _, err := p.folder.Stat(target); err == nil { // the folder fetched has a file with this name
		ext := path.Ext(target)
		target = strings.TrimSuffix(target, ext) + file.Changed.Format(".20060102T150405") + ext
	} else if models.KindOf(err) != models.KindNotFound {
		return err
	}
	return p.folder.Rename(file.Name, target)
}

// compare fails if the content of the named file differs from that of the imported one.
func (p *poll) compare(name string, imported models.PaymentFile) error {
	content, err := p.folder.Get(name)
	if err != nil {
		return err
	}
	defer content.Close()
	sum := sha256.New()
	if _, err := io.Copy(sum, content); err != nil {
		return fmt.Errorf("compare with file %d: %w", imported.ID, err)
	}
	if hex.EncodeToString(sum.Sum(nil)) != imported.SHA256 {
		return fmt.Errorf("another file of this name, size and time came before, as file %d: import this one with purr ocr import", imported.ID)
	}
	return nil
}
