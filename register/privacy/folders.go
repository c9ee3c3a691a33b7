package privacy

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Folders are where files lie that name customers, besides the archive.
type Folders struct {
	Data  string   // the data folder: its outbox and its reports
	More  []string // other folders that take what is sent, such as that of an access point
	Inbox string   // of payment files
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
func (f Folders) remove(n names) error {
	var errs []error
	for _, folder := range append([]string{filepath.Join(f.Data, "outbox"), filepath.Join(f.Data, "reports")}, f.More...) {
		errs = append(errs, filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
			switch {
			case errors.Is(err, fs.ErrNotExist):
				return nil
			case err != nil:
				return err
			case !entry.Type().IsRegular():
				return nil
			}
			his, err := n.name(path)
			if err != nil || !his {
				return err
			}
			if err := os.Remove(path); !errors.Is(err, fs.ErrNotExist) {
				return err
			}
			return nil
		}))
	}
	return errors.Join(errs...)
}

// name reports whether a file is named by the numbers, or is a report that was read and tells of them.
func (n names) name(path string) (bool, error) {
	if n.in(inName, []byte(filepath.Base(path)+" ")) {
		return true, nil
	}
	folder := filepath.Base(filepath.Dir(path))
	if !slices.Contains([]string{"done", "rejected"}, folder) {
		return false, nil
	}
	info, err := os.Stat(path)
	if err != nil || info.Size() > largestReport {
		return false, ignoreGone(err)
	}
	content, err := os.ReadFile(path)
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
func (f Folders) removeCopies(sum string) error {
	var errs []error
	for _, dir := range []string{filepath.Join(f.Inbox, "done"), filepath.Join(f.Inbox, "duplicate"), filepath.Join(f.Inbox, "rejected"), filepath.Join(f.Data, "outbox", "avtalegiro")} {
		entries, err := os.ReadDir(dir)
		if err != nil {
			errs = append(errs, ignoreGone(err))
			continue
		}
		for _, e := range entries {
			const report = ".report.xml"
			if !e.Type().IsRegular() || strings.HasSuffix(e.Name(), report) {
				continue
			}
			path := filepath.Join(dir, e.Name())
			same, err := has(path, sum)
			if err != nil || !same {
				errs = append(errs, ignoreGone(err))
				continue
			}
			errs = append(errs, ignoreGone(os.Remove(path)), ignoreGone(os.Remove(path+report)))
		}
	}
	return errors.Join(errs...)
}

// has reports whether a file has the bytes of a SHA-256.
func has(path, sum string) (bool, error) {
	in, err := os.Open(path)
	if err != nil {
		return false, err
	}
	defer func() { _ = in.Close() }() // it was only read
	hash := sha256.New()
	if _, err := io.Copy(hash, in); err != nil {
		return false, err
	}
	want, err := hex.DecodeString(sum)
	if err != nil {
		return false, err
	}
	return bytes.Equal(hash.Sum(nil), want), nil
}

func ignoreGone(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}
