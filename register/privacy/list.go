package privacy

import (
	"bytes"
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"purr/internal/disk"
	"purr/models"
	"purr/store"
)

// ListName is the name of the list in the data folder, and in a backup (rule O14b).
const ListName = "forgotten.csv"

// titles are the first line of a list.
const titles = "creditor,customer,forgotten_at\n"

// ReadList reads a list: the numbers of creditors and customers, and when each was forgotten. Its error names the line. A last line that
// was cut off by a power cut counts as missing.
func ReadList(in io.Reader) ([]store.Forgotten, error) {
	raw, err := io.ReadAll(in)
	if err != nil {
		return nil, err
	}
	if end := bytes.LastIndexByte(raw, '\n'); end < 0 && len(raw) > 0 || !strings.HasPrefix(string(raw), titles) && len(raw) > 0 {
		return nil, errors.New("is no list of who was forgotten: its first line is not " + strings.TrimSpace(titles))
	} else if len(raw) > 0 {
		raw = raw[:end+1]
	}
	rows := csv.NewReader(bytes.NewReader(raw))
	rows.FieldsPerRecord = 3
	var all []store.Forgotten
	for line := 1; ; line++ {
		row, err := rows.Read()
		if errors.Is(err, io.EOF) {
			return all, nil
		}
		if err != nil {
			return nil, err
		}
		if line == 1 {
			continue
		}
		f, err := readRow(row)
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", line, err)
		}
		all = append(all, f)
	}
}

func readRow(row []string) (f store.Forgotten, err error) {
	if f.CreditorID, err = strconv.ParseInt(row[0], 10, 64); err != nil {
		return f, fmt.Errorf("creditor: must be a number, not %q", models.Foreign(row[0], 40))
	}
	if f.CustomerID, err = strconv.ParseInt(row[1], 10, 64); err != nil {
		return f, fmt.Errorf("customer: must be a number, not %q", models.Foreign(row[1], 40))
	}
	if f.At, err = time.Parse(time.RFC3339Nano, row[2]); err != nil {
		return f, fmt.Errorf("forgotten_at: must be a moment, not %q", models.Foreign(row[2], 40))
	}
	return f, nil
}

// ReadListFile reads the list in a file. It returns none, and no error, where there is no file.
func ReadListFile(path string) ([]store.Forgotten, error) {
	in, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer func() { _ = in.Close() }() // it was only read
	all, err := ReadList(in)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return all, nil
}

// Union returns who is in one of the lists, each once, in order of creditor and customer, with the first moment.
func Union(lists ...[]store.Forgotten) []store.Forgotten {
	all := slices.Concat(lists...)
	slices.SortFunc(all, func(a, b store.Forgotten) int {
		switch {
		case a.CreditorID != b.CreditorID:
			return int(a.CreditorID - b.CreditorID)
		case a.CustomerID != b.CustomerID:
			return int(a.CustomerID - b.CustomerID)
		}
		return a.At.Compare(b.At)
	})
	return slices.CompactFunc(all, func(a, b store.Forgotten) bool { return a.CreditorID == b.CreditorID && a.CustomerID == b.CustomerID })
}

// WriteList returns a list as it stands in a file.
func WriteList(all []store.Forgotten) []byte {
	var out bytes.Buffer
	out.WriteString(titles)
	for _, f := range all {
		fmt.Fprintf(&out, "%d,%d,%s\n", f.CreditorID, f.CustomerID, f.At.UTC().Format(time.RFC3339Nano))
	}
	return out.Bytes()
}

// KeepList brings the list of a data folder up to date: who was forgotten since its last line is appended. A list that is lost, or that
// cannot be read, is made again from the events (rule O14b). A command and a server that do it at once put nobody there twice.
func KeepList(ctx context.Context, db *store.DB, dir string) error {
	return disk.Alone(dir, func() error { return keepList(ctx, db, dir) })
}

func keepList(ctx context.Context, db *store.DB, dir string) error {
	path := filepath.Join(dir, ListName)
	known, err := ReadListFile(path)
	if err != nil || known == nil {
		return makeList(ctx, db, dir)
	}
	last := time.Time{}
	for _, f := range known {
		if f.At.After(last) {
			last = f.At
		}
	}
	const overlap = time.Hour // transactions commit in another order than they began
	since, err := db.ForgottenSince(ctx, last.Add(-overlap))
	if err != nil {
		return err
	}
	fresh := slices.DeleteFunc(since, func(f store.Forgotten) bool {
		return slices.ContainsFunc(known, func(k store.Forgotten) bool { return k.CreditorID == f.CreditorID && k.CustomerID == f.CustomerID })
	})
	if len(fresh) == 0 {
		return nil
	}
	return appendTo(path, bytes.TrimPrefix(WriteList(fresh), []byte(titles)))
}

// makeList makes the list of a data folder from the events, and leaves out none that a readable list there has.
func makeList(ctx context.Context, db *store.DB, dir string) error {
	all, err := db.AllForgotten(ctx)
	if err != nil {
		return err
	}
	return disk.Write(dir, ListName, WriteList(Union(all)))
}

// appendTo appends lines to a list, and returns once a power cut cannot lose them.
func appendTo(path string, lines []byte) error {
	raw, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	if len(raw) > 0 && raw[len(raw)-1] != '\n' { // a line that was cut off stays behind a line of its own
		return disk.Write(filepath.Dir(path), filepath.Base(path), append(raw[:bytes.LastIndexByte(raw, '\n')+1], lines...))
	}
	out, err := os.OpenFile(path, os.O_WRONLY|os.O_APPEND, 0o600)
	if err != nil {
		return err
	}
	_, err = out.Write(lines)
	return errors.Join(err, out.Sync(), out.Close())
}
