package archive

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/iotest"

	"purr/internal/storage"
	"purr/models"
	"purr/test/testkit"
)

func TestPutKeepsBytesUnderTheirSum(t *testing.T) {
	t.Parallel()
	a, err := Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	want := []byte("NY000010 æøå")
	sum, size, err := a.Put(t.Context(), bytes.NewReader(want))
	if err != nil {
		t.Fatal(err)
	}
	if h := sha256.Sum256(want); sum != hex.EncodeToString(h[:]) || size != int64(len(want)) {
		t.Errorf("Put = %s, %d; want the bytes' own SHA-256 and size", sum, size)
	}
	got, err := a.Read(sum)
	if err != nil || !bytes.Equal(got, want) {
		t.Errorf("Read = %q, %v; want %q", got, err, want)
	}
}

func TestPutOfTheSameBytesAtOnceLeavesOneFile(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	a, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	for range 16 {
		wg.Go(func() {
			if _, _, err := a.Put(t.Context(), strings.NewReader("same")); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	files, err := filepath.Glob(filepath.Join(dir, "*", "*"))
	if err != nil || len(files) != 1 {
		t.Errorf("files = %v, %v; want one, and no temporary file left", files, err)
	}
}

func TestPutThatFailsLeavesNothing(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	a, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	broken := errors.New("line broke")
	if _, _, err := a.Put(t.Context(), iotest.ErrReader(broken)); !errors.Is(err, broken) {
		t.Errorf("Put = %v, want %v", err, broken)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, _, err := a.Put(ctx, strings.NewReader("x")); !errors.Is(err, context.Canceled) {
		t.Errorf("Put = %v, want %v", err, context.Canceled)
	}
	left, err := os.ReadDir(filepath.Join(dir, "incoming"))
	if err != nil || len(left) != 0 {
		t.Errorf("left over: %v, %v", left, err)
	}
}

// TestO7AFileIsCheckedWhenItIsRead breaks a kept file in every way, and asks for it.
func TestO7AFileIsCheckedWhenItIsRead(t *testing.T) {
	t.Parallel()
	a, path, sum := withFile(t, "the bytes that came")
	for _, tt := range []struct {
		how, word string
		spoil     func() error
	}{
		{"it is removed", Lost, func() error { return os.Remove(path) }},
		{"it is empty", Damaged, func() error { return os.WriteFile(path, nil, 0o600) }},
		{"its end is cut off", Damaged, func() error { return os.Truncate(path, 5) }},
		{"one letter is another", Damaged, func() error { return os.WriteFile(path, []byte("the bytes that come"), 0o600) }},
		{"it is a folder", Damaged, func() error { return errors.Join(os.Remove(path), os.Mkdir(path, 0o700)) }},
	} {
		if err := tt.spoil(); err != nil {
			t.Fatal(err)
		}
		_, read := a.Read(sum)
		_, got := a.Get(sum)
		for way, err := range map[string]error{"Read": read, "Get": got, "Check": a.Check(sum, -1, true)} {
			fault, is := errors.AsType[*Fault](err)
			if !is || fault.Word != tt.word || fault.Sum != sum || models.KindOf(err) != models.KindInternal {
				t.Errorf("%s, %s: %v, want it %s", tt.how, way, err, tt.word)
			}
		}
		if err := os.RemoveAll(path); err != nil {
			t.Fatal(err)
		}
		if _, _, err := a.Put(t.Context(), strings.NewReader("the bytes that came")); err != nil {
			t.Fatal(err)
		}
		if data, err := a.Read(sum); err != nil || string(data) != "the bytes that came" {
			t.Errorf("%s: put again, it is %q, %v", tt.how, data, err)
		}
	}
	if got := a.Counts(); got.Lost != 2 || got.Damaged != 8 || got.Mended != 0 {
		t.Errorf("counted are %+v", got)
	}
}

func TestCheckWithoutReadingSeesSizeAndPresence(t *testing.T) {
	t.Parallel()
	a, path, sum := withFile(t, "same")
	if err := errors.Join(a.Check(sum, -1, false), a.Check(sum, 4, false), os.WriteFile(path, []byte("else"), 0o600), a.Check(sum, 4, false)); err != nil {
		t.Error(err)
	}
	if err := a.Check(sum, 5, false); err == nil {
		t.Error("another size is not seen")
	}
}

func TestO13RoomIsAskedForByTheBound(t *testing.T) {
	t.Parallel()
	inFolder, _, _ := withFile(t, "x")
	drafts, err := openPlaced(storage.Folder(t.TempDir()), t.TempDir()) // of a bucket, as far as its drafts go
	if err != nil {
		t.Fatal(err)
	}
	for name, a := range map[string]*Archive{"folder": inFolder, "bucket": newArchive(drafts)} {
		for bound, want := range map[int64]models.Kind{0: models.KindInternal, 1: models.KindInternal, 1 << 62: models.KindFull} {
			a.KeepFree(bound)
			if err := a.Room(); models.KindOf(err) != want || (err == nil) != (want == models.KindInternal) {
				t.Errorf("%s with %d bytes to be free: %v", name, bound, err)
			}
		}
	}
}

func TestSweepRemovesWhatAKilledWriterLeft(t *testing.T) {
	t.Parallel()
	a, path, sum := withFile(t, "x")
	left := filepath.Join(filepath.Dir(filepath.Dir(path)), incoming, "put-123")
	if err := os.WriteFile(left, []byte("half"), 0o600); err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(left)
	if err != nil {
		t.Fatal(err)
	}
	if err := a.Sweep(info.ModTime()); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(left); err != nil {
		t.Error("what may still be written is gone")
	}
	if err := errors.Join(a.Sweep(info.ModTime().Add(1)), a.Check(sum, 1, true)); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(left); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("what is left: %v", err)
	}
	if info, err = os.Stat(path); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(a.Remove(sum, info.ModTime()), a.Check(sum, 1, true)); err != nil {
		t.Errorf("a file that was put again is removed: %v", err)
	}
	if err := errors.Join(a.Remove(sum, info.ModTime().Add(1)), a.Remove(sum, info.ModTime())); err != nil {
		t.Error(err)
	}
	if err := a.Check(sum, 1, true); err == nil {
		t.Error("an old file is not removed")
	}
}

// withFile opens an archive that keeps one file.
func withFile(t *testing.T, content string) (a *Archive, path, sum string) {
	t.Helper()
	dir := t.TempDir()
	a, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	if sum, _, err = a.Put(t.Context(), strings.NewReader(content)); err != nil {
		t.Fatal(err)
	}
	return a, folder{dir}.path(sum), sum
}

func TestGetOfWhatWasNeverPut(t *testing.T) {
	t.Parallel()
	a, err := Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for _, sum := range []string{"", "../../etc/passwd", strings.Repeat("0", 64)} {
		_, err := a.Get(sum)
		if fault, is := errors.AsType[*Fault](err); !is || fault.Word != Lost {
			t.Errorf("Get(%q) = %v, want it lost", sum, err)
		}
	}
}

// TestK9WhileABucketIsAwayNoFileIsLostOrDamaged reads and puts while the server answers in every bad way. A file that were taken for lost or
// damaged would be drawn again.
func TestK9WhileABucketIsAwayNoFileIsLostOrDamaged(t *testing.T) {
	t.Parallel()
	server := testkit.S3(t)
	in, err := storage.Open(t.Context(), server.URL("purr/archive"))
	must(t, err)
	a, err := OpenIn(in, t.TempDir())
	must(t, err)
	large := bytes.Repeat([]byte("large"), 1<<20)
	sums, err := a.PutAll(t.Context(), [][]byte{[]byte("small"), large})
	must(t, err)
	for name, lie := range testkit.S3Lies {
		if name == "silence" { // package storage waits for it
			continue
		}
		server.Lie(lie)
		for _, sum := range sums {
			_, read := a.Read(sum)
			_, got := a.Get(sum)
			_, _, put := a.Put(t.Context(), strings.NewReader("more"))
			for what, err := range map[string]error{"read": read, "get": got, "put": put, "check": a.Check(sum, -1, true), "look": a.Check(sum, -1, false), "ping": a.Ping(t.Context())} {
				if name == "cut body" && what == "look" && err == nil {
					continue
				}
				if models.KindOf(err) != models.KindUnavailable {
					t.Errorf("%s: %s: %v", name, what, err)
				}
			}
		}
	}
	server.Lie(nil)
	for i, want := range [][]byte{[]byte("small"), large} {
		if got, err := a.Read(sums[i]); err != nil || !bytes.Equal(got, want) {
			t.Errorf("afterwards %d bytes, %v", len(got), err)
		}
	}
	if c := a.Counts(); c != (Counts{}) {
		t.Errorf("counted are %+v", c)
	}
	must(t, errors.Join(a.Check(sums[0], 5, false), a.Ping(t.Context())))
	if err := a.Check(Sum([]byte("never")), -1, false); !errors.As(err, new(*Fault)) {
		t.Errorf("what was never kept: %v", err)
	}
}
