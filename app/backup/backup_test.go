package backup

import (
	"archive/tar"
	"bytes"
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"purr/documents"
	"purr/internal/clock"
	"purr/internal/storage"
	"purr/ledger"
	"purr/mailer"
	"purr/models"
	"purr/store"
	"purr/store/archive"
	"purr/test/testkit"
	"purr/test/testkit/rows"
)

// installation makes an installation with two invoices, whose PDFs are kept, and returns a creditor of it.
func installation(t *testing.T, databaseURL string) (Installation, models.Creditor) {
	t.Helper()
	in := Installation{DB: rows.Open(t, databaseURL), Dir: t.TempDir(), DatabaseURL: databaseURL, Version: "test"}
	var err error
	in.Archive, err = archive.Open(filepath.Join(in.Dir, "archive"))
	testkit.Must(t, err)
	c := rows.Creditor(t, in.DB)
	for range 2 {
		keep(t, in, c)
	}
	return in, c
}

// keep issues an invoice and keeps its PDF.
func keep(t *testing.T, in Installation, c models.Creditor) models.Invoice {
	t.Helper()
	i := rows.Invoice(t, in.DB, c)
	_, err := documents.New(in.DB, in.Archive).PDF(t.Context(), c.ID, i.Document())
	testkit.Must(t, err)
	return i
}

func proved(context.Context) error { return nil }

// restoreTo opens a backup and restores it in a folder.
func restoreTo(t *testing.T, from, dir, databaseURL string) error {
	t.Helper()
	src, err := Open(t.Context(), from)
	if err != nil {
		return err
	}
	return errors.Join(Restore(t.Context(), src, Place{dir, databaseURL}, nil, proved), src.Close())
}

// empty returns a folder that does not exist, and the URL of an SQLite file in it.
func empty(t *testing.T) (dir, databaseURL string) {
	dir = filepath.Join(t.TempDir(), "restored")
	return dir, "sqlite:" + filepath.Join(dir, "purr.db")
}

// TestO3ABackupIsWholeOrTheFormerOne backs up, breaks off the next backup, and looks at both.
func TestO3ABackupIsWholeOrTheFormerOne(t *testing.T) {
	t.Parallel()
	testkit.EachDatabase(t, func(t *testing.T, databaseURL string) {
		in, c := installation(t, databaseURL)
		dest := filepath.Join(t.TempDir(), "backup")
		first, err := Make(t.Context(), in, dest, "", nil)
		if err != nil || len(first.Files) != 3 || first.Counts["invoices"] != 2 || len(first.Series) != 1 || first.Series[0].NextNumber != c.FirstNumber+2 {
			t.Fatalf("the first backup: %+v, %v", first, err)
		}
		keep(t, in, c)
		cut, cancel := context.WithCancel(t.Context())
		if _, err := Make(cut, in, dest, "", func(done, _ int) {
			if done == 0 { // before the new file, wherever its sum stands among the others
				cancel()
			}
		}); !errors.Is(err, context.Canceled) {
			t.Fatalf("the backup that was broken off: %v", err)
		}
		dir, restored := empty(t)
		testkit.Must(t, restoreTo(t, dest, dir, restored))
		if err := restoreTo(t, dest, dir, restored); err == nil {
			t.Error("a backup was restored over an installation")
		}
		old, err := os.Stat(filepath.Join(dest, first.Files[1].Path))
		testkit.Must(t, err)
		second, err := Make(t.Context(), in, dest, "", nil)
		if err != nil || len(second.Files) != 4 {
			t.Fatalf("the second backup: %+v, %v", second, err)
		}
		if now, err := os.Stat(filepath.Join(dest, first.Files[1].Path)); err != nil || !os.SameFile(old, now) {
			t.Errorf("a file that was there was copied again: %v", err)
		}
		left, err := filepath.Glob(filepath.Join(dest, "database-*"))
		if err != nil || len(left) != 1 || filepath.Base(left[0]) != second.Database.Path {
			t.Errorf("copies of the database: %v, %v", left, err)
		}
		other, _ := installation(t, testkit.SQLite(t))
		if _, err := Make(t.Context(), other, dest, "", nil); err == nil {
			t.Error("another installation was backed up over this one")
		}
	})
}

// backedUp returns the folder of a backup of an SQLite installation.
func backedUp(t *testing.T) (Installation, string) {
	t.Helper()
	in, _ := installation(t, testkit.SQLite(t))
	dest := filepath.Join(t.TempDir(), "backup")
	_, err := Make(t.Context(), in, dest, "", nil)
	testkit.Must(t, err)
	return in, dest
}

// TestO3WhatIsWrongWithABackupIsSeen damages each file of a backup in turn, and tries what an attacker would. Nothing of
// it is restored, and the place stays as empty as it was.
func TestO3WhatIsWrongWithABackupIsSeen(t *testing.T) {
	t.Parallel()
	_, dest := backedUp(t)
	raw, err := os.ReadFile(filepath.Join(dest, manifestName))
	testkit.Must(t, err)
	var m Manifest
	testkit.Must(t, json.Unmarshal(raw, &m))
	refused := func(what string) {
		t.Helper()
		dir, databaseURL := empty(t)
		if err := restoreTo(t, dest, dir, databaseURL); err == nil {
			t.Errorf("%s: restored", what)
		}
		if left, err := os.ReadDir(dir); err == nil {
			t.Errorf("%s: left over: %v", what, left)
		}
	}
	for _, f := range m.Files {
		path := filepath.Join(dest, f.Path)
		whole, err := os.ReadFile(path)
		testkit.Must(t, err)
		flipped := bytes.Clone(whole)
		flipped[len(flipped)/2] ^= 1
		testkit.Must(t, os.WriteFile(path, flipped, 0o600))
		refused("a flipped bit in " + f.Path)
		testkit.Must(t, os.WriteFile(path, whole[1:], 0o600))
		refused("a byte less in " + f.Path)
		testkit.Must(t, os.Remove(path))
		refused("without " + f.Path)
		outside := filepath.Join(t.TempDir(), "outside")
		testkit.Must(t, os.WriteFile(outside, whole, 0o600))
		testkit.Must(t, os.Symlink(outside, path))
		refused("a link in the place of " + f.Path)
		testkit.Must(t, os.Remove(path))
		testkit.Must(t, os.WriteFile(path, whole, 0o600))
	}
	for what, change := range map[string]func(*Manifest){
		"a newer format":        func(m *Manifest) { m.Format++ },
		"a newer schema":        func(m *Manifest) { m.Schema++ },
		"a path that leads out": func(m *Manifest) { m.Files[1].Path = "../../etc/passwd" },
		"an absolute path":      func(m *Manifest) { m.Files[1].Path = "/etc/passwd" },
		"a file twice":          func(m *Manifest) { m.Files = append(m.Files, m.Files[1]) },
		"another sum":           func(m *Manifest) { m.Files[1].SHA256 = strings.Repeat("0", 64) },
		"no database":           func(m *Manifest) { m.Files = m.Files[1:] },
		"another count":         func(m *Manifest) { m.Counts["invoices"]++ },
		"another series":        func(m *Manifest) { m.Series[0].NextNumber++ },
	} {
		var changed Manifest
		testkit.Must(t, json.Unmarshal(raw, &changed))
		change(&changed)
		text, err := json.Marshal(changed)
		testkit.Must(t, err)
		testkit.Must(t, os.WriteFile(filepath.Join(dest, manifestName), text, 0o600))
		refused(what)
	}
	testkit.Must(t, os.WriteFile(filepath.Join(dest, manifestName), raw[:len(raw)/2], 0o600))
	refused("half a manifest")
	testkit.Must(t, os.WriteFile(filepath.Join(dest, manifestName), raw, 0o600))
	dir, databaseURL := empty(t)
	testkit.Must(t, restoreTo(t, dest, dir, databaseURL))
}

// TestO3ATarHoldsWhatABackupHolds restores a tar, and refuses tars that no backup made.
func TestO3ATarHoldsWhatABackupHolds(t *testing.T) {
	t.Parallel()
	in, _ := installation(t, testkit.SQLite(t))
	var out bytes.Buffer
	s, err := newStream(&out, in.Dir)
	testkit.Must(t, err)
	m := Manifest{Format: format, Database: Database{By: ByVacuum}}
	testkit.Must(t, in.copyTo(t.Context(), s, &m, nil))
	testkit.Must(t, s.close())
	file := func(content []byte) string {
		path := filepath.Join(t.TempDir(), "backup.tar")
		testkit.Must(t, os.WriteFile(path, content, 0o600))
		return path
	}
	dir, databaseURL := empty(t)
	testkit.Must(t, restoreTo(t, file(out.Bytes()), dir, databaseURL))
	dir, databaseURL = empty(t)
	if err := restoreTo(t, file(out.Bytes()[:out.Len()/2]), dir, databaseURL); err == nil {
		t.Error("half a tar was restored")
	}
	for _, h := range []tar.Header{
		{Name: "../evil", Typeflag: tar.TypeReg},
		{Name: "files/../../evil", Typeflag: tar.TypeReg},
		{Name: "manifest.json", Typeflag: tar.TypeSymlink, Linkname: "/etc/passwd"},
		{Name: "files", Typeflag: tar.TypeSymlink, Linkname: "/tmp"},
	} {
		var made bytes.Buffer
		w := tar.NewWriter(&made)
		testkit.Must(t, w.WriteHeader(&h))
		testkit.Must(t, w.Close())
		if src, err := Open(t.Context(), file(made.Bytes())); err == nil {
			t.Errorf("a tar with %s was opened: %v", h.Name, src.Close())
		}
	}
}

// TestO3ARestoreThatWasKilledBeginsAnew leaves behind what a killed restore leaves.
func TestO3ARestoreThatWasKilledBeginsAnew(t *testing.T) {
	t.Parallel()
	testkit.EachDatabase(t, func(t *testing.T, databaseURL string) {
		_, dest := backedUp(t)
		dir := filepath.Join(t.TempDir(), "restored")
		if strings.HasPrefix(databaseURL, "sqlite:") {
			databaseURL = "sqlite:" + filepath.Join(dir, "purr.db")
		}
		src, err := Open(t.Context(), dest)
		testkit.Must(t, err)
		killed := restoring{Source: src, to: Place{dir, databaseURL}}
		killed.file, err = store.SQLiteFile(databaseURL)
		testkit.Must(t, err)
		testkit.Must(t, killed.begin(t.Context()))
		testkit.Must(t, killed.run(t.Context()))
		if err := restoreTo(t, dest, dir, databaseURL); err == nil {
			t.Error("two restores went on at once")
		}
		testkit.Must(t, killed.unlock()) // as the end of the process does
		if err := CheckFinished(dir); !errors.Is(err, ErrUnfinished) {
			t.Errorf("CheckFinished = %v", err)
		}
		if err := restoreTo(t, dest, dir, testkit.SQLite(t)); err == nil {
			t.Error("a restore into another database began anew")
		}
		testkit.Must(t, restoreTo(t, dest, dir, databaseURL))
		testkit.Must(t, errors.Join(CheckFinished(dir), src.Close()))
		if err := restoreTo(t, dest, filepath.Join(dir, "other"), databaseURL); err == nil {
			t.Error("a backup was restored into a database that is not empty")
		}
	})
}

// TestO3WhatTheArchiveHasLostIsTold backs up an installation that has lost one file, and of which another is damaged.
func TestO3WhatTheArchiveHasLostIsTold(t *testing.T) {
	t.Parallel()
	in, c := installation(t, testkit.SQLite(t))
	keep(t, in, c)
	var kept []string
	testkit.Must(t, in.DB.EachKeptFile(t.Context(), func(f store.KeptFile) error {
		kept = append(kept, f.SHA256)
		return nil
	}))
	slices.Sort(kept)
	path := func(i int) string { return filepath.Join(in.Dir, "archive", kept[i][:2], kept[i]) }
	testkit.Must(t, os.Remove(path(0)))
	testkit.Must(t, os.WriteFile(path(1), []byte("damaged"), 0o600))
	dest := filepath.Join(t.TempDir(), "backup")
	m, err := Make(t.Context(), in, dest, "", nil)
	want := []string{kept[0], kept[1]}
	if lost := new(LostError); !errors.As(err, lost) || !slices.Equal(m.Lost, want) || len(m.Files) != 2 {
		t.Fatalf("Make = %+v, %v", m, err)
	}
	dir, databaseURL := empty(t)
	testkit.Must(t, restoreTo(t, dest, dir, databaseURL))
}

// TestO3OnlyBackupsAreWrittenTo names places where no backup belongs.
func TestO3OnlyBackupsAreWrittenTo(t *testing.T) {
	t.Parallel()
	in, _ := installation(t, testkit.SQLite(t))
	full := t.TempDir()
	testkit.Must(t, os.WriteFile(filepath.Join(full, "holiday.jpg"), nil, 0o600))
	file := filepath.Join(full, "holiday.jpg")
	for _, to := range []string{full, file, "s3://bucket/prefix"} {
		if _, err := Make(t.Context(), in, to, "", nil); err == nil {
			t.Errorf("a backup was written to %s", to)
		}
	}
	if _, err := Make(t.Context(), in, filepath.Join(full, "b"), ByMysqldump, nil); err == nil {
		t.Error("mysqldump has copied an SQLite file")
	}
}

// TestD103ARefusedBackupLeavesNothingBehind looks at the places after a refusal: no folder, no lock, no file was made, and what
// was there is as it was.
func TestD103ARefusedBackupLeavesNothingBehind(t *testing.T) {
	t.Parallel()
	in, others := backedUp(t)
	other, _ := installation(t, testkit.SQLite(t))
	place := t.TempDir()
	testkit.Must(t, errors.Join(
		os.WriteFile(filepath.Join(place, "holiday.jpg"), nil, 0o600),
		os.MkdirAll(filepath.Join(place, "page"), 0o700), os.WriteFile(filepath.Join(place, "page", manifestName), []byte("{}"), 0o600),
		os.MkdirAll(filepath.Join(place, "empty"), 0o700),
	))
	for name, refused := range map[string]struct {
		in Installation
		to string
		by By
	}{
		"something else":                   {in, place, ""},
		"a file":                           {in, filepath.Join(place, "holiday.jpg"), ""},
		"below a file":                     {in, filepath.Join(place, "holiday.jpg", "b"), ""},
		"a way that is not known":          {in, filepath.Join(place, "b", "c"), "tape"},
		"another manifest":                 {in, filepath.Join(place, "page"), ""},
		"another installation":             {other, others, ""},
		"the data folder":                  {in, in.Dir, ""},
		"the data folder's archive":        {in, filepath.Join(in.Dir, "archive", "b"), ""},
		"an inbox below another name":      {in, filepath.Join(in.Dir, "x", "..", "inbox"), ""},
		"a database that cannot be copied": {broken(t), filepath.Join(place, "deep", "er"), ""},
		"that, into an empty folder":       {broken(t), filepath.Join(place, "empty"), ""},
	} {
		before := listed(t, place, others, in.Dir)
		if _, err := Make(t.Context(), refused.in, refused.to, refused.by, nil); err == nil {
			t.Errorf("%s: a backup was made", name)
		}
		after := listed(t, place, others, in.Dir)
		if !slices.Equal(before, after) {
			t.Errorf("%s: there is now %q", name, slices.DeleteFunc(after, func(s string) bool { return slices.Contains(before, s) }))
		}
	}
}

// broken returns an installation whose backup fails once it has begun: a table is gone.
func broken(t *testing.T) Installation {
	t.Helper()
	in, _ := installation(t, testkit.SQLite(t))
	db, err := sql.Open("sqlite", strings.TrimPrefix(in.DatabaseURL, "sqlite:"))
	testkit.Must(t, err)
	_, err = db.ExecContext(t.Context(), "DROP TABLE number_series")
	testkit.Must(t, errors.Join(err, db.Close()))
	return in
}

// listed returns the names and sizes of all that is in the folders.
func listed(t *testing.T, folders ...string) (all []string) {
	t.Helper()
	for _, folder := range folders {
		testkit.Must(t, filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
			if err != nil || strings.Contains(path, ".db") {
				return err
			}
			info, err := d.Info()
			if err == nil && d.Type().IsRegular() {
				path += fmt.Sprint(" ", info.Size())
			}
			all = append(all, path)
			return err
		}))
	}
	return all
}

// TestO3ACopyIsHeldAndAMovedFolderIsNot starts an installation again, in its folder, in the folder under another name,
// and as a copy.
func TestO3ACopyIsHeldAndAMovedFolderIsNot(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "data")
	testkit.Must(t, os.Mkdir(dir, 0o700))
	reasonIn := func(dir string) string {
		t.Helper()
		databaseURL := "sqlite:" + filepath.Join(dir, "purr.db")
		rows.Migrate(t, databaseURL)
		db, err := store.Open(databaseURL, clock.System{})
		testkit.Must(t, err)
		reason, err := HoldCopies(t.Context(), db, databaseURL, storage.Folder(filepath.Join(dir, "outbox")))
		testkit.Must(t, errors.Join(err, db.Close()))
		return reason
	}
	for range 3 {
		if reason := reasonIn(dir); reason != "" {
			t.Errorf("started again: held, since %s", reason)
		}
	}
	seen := home(filepath.Join(dir, "purr.db")) != "" // else the file system tells no birth of files
	moved := dir + "-moved"
	testkit.Must(t, os.Rename(dir, moved))
	if reason := reasonIn(moved); reason != "" {
		t.Errorf("moved: held, since %s", reason)
	}
	copied := dir + "-copied"
	testkit.Must(t, os.CopyFS(copied, os.DirFS(moved)))
	if reason := reasonIn(copied); (reason != "") != seen {
		t.Errorf("a copy is held since %q", reason)
	}
	if !seen {
		return
	}
	db := rows.Open(t, "sqlite:"+filepath.Join(copied, "purr.db"))
	rows.Write(t, db, func(tx *store.Tx) error {
		_, err := Accept(t.Context(), tx, nil, Last{}, "anna")
		return err
	})
	if reason := reasonIn(copied); reason != "" {
		t.Errorf("accepted: held again, since %s", reason)
	}
}

// TestL23LettersOfAfterABackupKeepTheirKIDs: who goes on after a restore gives other KIDs to letters than those that may have left.
func TestL23LettersOfAfterABackupKeepTheirKIDs(t *testing.T) {
	t.Parallel()
	rows.EachDatabase(t, func(t *testing.T, db *store.DB) {
		c := rows.Creditor(t, db)
		next := func() (number int64) {
			rows.Write(t, db, func(tx *store.Tx) (err error) {
				number, err = tx.NextLetterNumber(t.Context(), c.ID)
				return err
			})
			return number
		}
		first := next()
		rows.Write(t, db, func(tx *store.Tx) error { return tx.SetNextLetterNumber(t.Context(), c.ID, first+6) })
		rows.Write(t, db, func(tx *store.Tx) error { return tx.SetHold(t.Context(), "a test") })
		rows.Write(t, db, func(tx *store.Tx) error {
			_, err := Accept(t.Context(), tx, []models.Creditor{c}, Last{}, "anna")
			return err
		})
		if got := next(); got != 7+mostLost {
			t.Errorf("the next letter has the number %d, want %d", got, 7+mostLost)
		}
	})
}

// TestD109ALastNumberIsHeldAgainstWhatIsKnown: one that jumps far, or leaves no KID, is refused unless a person insists; until the
// first number is given, another acceptance corrects it.
func TestD109ALastNumberIsHeldAgainstWhatIsKnown(t *testing.T) {
	t.Parallel()
	rows.EachDatabase(t, func(t *testing.T, db *store.DB) {
		c := rows.Creditor(t, db)
		other := rows.Creditor(t, db, func(c *models.Creditor) { c.KIDLength, c.FirstNumber = 5, 9_000 })
		rows.Invoice(t, db, c) // 1
		accept := func(c models.Creditor, last Last) error {
			return db.InTx(t.Context(), func(_ context.Context, tx *store.Tx) error {
				_, err := Accept(t.Context(), tx, []models.Creditor{c}, last, "anna")
				return err
			})
		}
		rows.Write(t, db, func(tx *store.Tx) error { return tx.SetHold(t.Context(), "a test") })
		const jump = 1 + 10_000
		for _, tt := range []struct {
			why     string
			of      models.Creditor
			last    Last
			refused string // empty if it is taken
			next    int64
		}{
			{"it jumps too far", c, Last{Number: jump + 1}, "give --force too", 2},
			{"it is below what was given", c, Last{Number: 0, Force: true}, "", 2},
			{"it jumps as far as it may", c, Last{Number: jump}, "", jump + 1},
			{"it is corrected downwards while the other is held", c, Last{Number: 7}, "", 8},
			{"no KID is left", other, Last{Number: 9_999}, "none is left", 9_000},
			{"no number is left at all", other, Last{Number: 1<<63 - 1, Force: true}, "no number is left", 9_000},
			{"a person insists", other, Last{Number: 9_999, Force: true}, "", 10_000},
			{"it is corrected when nothing is held", c, Last{Number: 5}, "", 6},
			{"to what would have been without any", c, Last{Number: 1}, "", 2},
			{"too far again", c, Last{Number: jump + 1}, "give --force too", 2},
			{"upwards", c, Last{Number: 3}, "", 4},
		} {
			err := accept(tt.of, tt.last)
			if refused := err != nil; refused != (tt.refused != "") || refused && !strings.Contains(err.Error(), tt.refused) {
				t.Errorf("%s: %v", tt.why, err)
			}
			if s, err := db.Series(t.Context(), tt.of.ID); err != nil || s.Next != tt.next {
				t.Errorf("%s: the next number is %d, %v, want %d", tt.why, s.Next, err, tt.next)
			}
		}
		if i := rows.Invoice(t, db, c); i.Number != 4 {
			t.Errorf("the next invoice is %d", i.Number)
		}
		if err := accept(c, Last{Number: 10}); !errors.Is(err, ErrNotHeld) {
			t.Errorf("corrected after a number was given: %v", err)
		}
		for _, of := range []models.Creditor{c, other} {
			if wrong, err := ledger.Verify(t.Context(), db, of); err != nil || len(wrong) > 0 {
				t.Errorf("the books say %v, %v", wrong, err)
			}
		}
	})
}

// TestO3ADatabaseOlderThanItsOutboxIsHeld puts letters in an outbox that the database does not know of.
func TestO3ADatabaseOlderThanItsOutboxIsHeld(t *testing.T) {
	t.Parallel()
	rows.EachDatabase(t, func(t *testing.T, db *store.DB) {
		c := rows.Creditor(t, db)
		i := rows.Invoice(t, db, c)
		shipments, err := db.ShipmentsOf(t.Context(), i.Document())
		testkit.Must(t, err)
		s, dir := shipments[0], t.TempDir()
		outbox, err := mailer.NewOutbox(dir)
		testkit.Must(t, err)
		check := func(want bool, what string) {
			t.Helper()
			reason, err := HoldCopies(t.Context(), db, "mysql://elsewhere", storage.Folder(dir))
			if err != nil || (reason != "") != want {
				t.Errorf("%s: held %q, %v", what, reason, err)
			}
		}
		send := func(s models.Shipment, number int64) {
			t.Helper()
			_, err := outbox.Paper().HandOver(t.Context(), mailer.Parcel{Name: s.Name(number), PDF: []byte("%PDF-")})
			testkit.Must(t, err)
		}
		check(false, "an empty outbox")
		rows.Write(t, db, func(tx *store.Tx) error { // a worker that was killed after it had sent
			s.Attempts = 1
			return tx.UpdateShipment(t.Context(), s)
		})
		send(s, i.Number)
		check(false, "a letter that was tried")
		newer := s
		newer.ID += 100
		send(newer, i.Number+7)
		check(true, "a letter of an unknown shipment")
		left, err := Left(t.Context(), db, storage.Folder(dir))
		if err != nil || len(left) != 2 || left[0].Number != i.Number+7 || left[1].ShipmentID != s.ID {
			t.Errorf("Left = %v, %v", left, err)
		}
		rows.Write(t, db, func(tx *store.Tx) error {
			_, err := Accept(t.Context(), tx, []models.Creditor{c}, Last{Number: i.Number + 7}, "anna")
			return err
		})
		check(false, "once it is accepted")
		if next := rows.Invoice(t, db, c).Number; next != i.Number+8 {
			t.Errorf("the next number is %d", next)
		}
		events, err := db.Events(t.Context(), c.ID, 0, 100)
		testkit.Must(t, err)
		told := slices.DeleteFunc(events, func(e models.Event) bool { return e.Type != models.EventHeldAccepted })
		if len(told) != 1 || told[0].Actor != "anna" {
			t.Errorf("the events tell %+v", told)
		}
	})
}
