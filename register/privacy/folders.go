package privacy

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"purr/internal/storage"
)

// Folders are where files lie that name customers, besides the archive.
type Folders struct {
	Data   string          // the data folder, which has the list of who was forgotten
	Sent   []storage.Place // outboxes, and other folders that take what is sent, such as that of an access point; and reports
	Inbox  storage.Place   // of payment files
	Claims storage.Place   // the outbox of files of claims
}

// names are the numbers by which files outside of the database name customers.
type names struct{ shipments, handOvers map[int64]bool }

// inName finds these numbers in the name of a file.
var inName = regexp.MustCompile(`-(shipment|hand-over)-([0-9]{1,18})(?:[^0-9]|$)`)

// inReport finds them in what others tell: a shipment's name, the tag of an e-mail, or the attribute of a report.
var inReport = regexp.MustCompile(`-(shipment|hand-over)-([0-9]{1,18})|(?:\+|ID: ?|ID=)()([0-9]{1,18})-[0-9a-z]{8,40}|shipment="()([0-9]{1,18})"`)

// largestReport is the size in bytes of the largest file that is looked into.
const largestReport = 32 << 20

// remove removes the files of outboxes that are named by the numbers, and the reports that were read and tell of them. Reports that are
// still to be read stay until then.
func (f Folders) remove(ctx context.Context, n names) error {
	var errs []error
	for _, folder := range f.Sent {
		errs = append(errs, folder.Walk(ctx, func(file storage.Info) error {
			his, err := n.name(ctx, folder, file)
			if err != nil || !his {
				return err
			}
			return folder.Remove(ctx, file)
		}))
	}
	return errors.Join(errs...)
}

// name reports whether a file is named by the numbers, or is a report that was read and tells of them.
func (n names) name(ctx context.Context, in storage.Place, file storage.Info) (bool, error) {
	if n.in(inName, []byte(path.Base(file.Name)+" ")) {
		return true, nil
	}
	if folder := path.Base(path.Dir(file.Name)); !slices.Contains([]string{"done", "rejected"}, folder) || file.Size > largestReport {
		return false, nil
	}
	content, _, err := storage.Read(ctx, in, file.Name, largestReport)
	if err != nil {
		return false, ignoreGone(err)
	}
	return n.in(inReport, content), nil
}

// in reports whether a text has one of the numbers.
func (n names) in(form *regexp.Regexp, text []byte) bool {
	for _, found := range form.FindAllSubmatch(text, -1) {
		of := n.shipments
		if string(found[1]) == "hand-over" {
			of = n.handOvers
		}
		for _, group := range found[1:] {
			id, err := strconv.ParseInt(string(group), 10, 64)
			if err == nil && of[id] {
				return true
			}
		}
	}
	return false
}

// removeCopies removes the copies of a file in folders: of a payment file that the inbox has put away, with its report, and of a file of
// claims in the outbox.
func (f Folders) removeCopies(ctx context.Context, sum string) error {
	var errs []error
	for _, in := range []storage.Place{f.Inbox.Below("done"), f.Inbox.Below("duplicate"), f.Inbox.Below("rejected"), f.Claims} {
		files, err := in.List(ctx)
		if err != nil {
			errs = append(errs, err)
			continue
		}
		for _, file := range files {
			const report = ".report.xml"
			if strings.HasSuffix(file.Name, report) {
				continue
			}
			same, err := has(ctx, in, file, sum)
			if err != nil || !same {
				errs = append(errs, ignoreGone(err))
				continue
			}
			errs = append(errs, in.Remove(ctx, file), in.Remove(ctx, storage.Info{Name: file.Name + report}))
		}
	}
	return errors.Join(errs...)
}

// has reports whether a file has the bytes of a SHA-256.
func has(ctx context.Context, place storage.Place, file storage.Info, sum string) (bool, error) {
	in, _, err := place.Open(ctx, file.Name)
	if err != nil {
		return false, err
	}
	hash := sha256.New()
	_, err = io.Copy(hash, in)
	return hex.EncodeToString(hash.Sum(nil)) == sum, errors.Join(err, in.Close())
}

func ignoreGone(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}
