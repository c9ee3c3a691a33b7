package storage_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"purr/internal/storage"
	"purr/models"
	"purr/test/testkit"
)

func opened(t *testing.T, url string) storage.Place {
	t.Helper()
	p, err := storage.Open(t.Context(), url)
	testkit.Must(t, err)
	return p
}

// TestK2Places holds both kinds of place to what the interface promises.
func TestK2Places(t *testing.T) {
	t.Parallel()
	server := testkit.S3(t)
	for kind, url := range map[string]func(t *testing.T) string{
		"folder": func(t *testing.T) string { t.Helper(); return "file://" + t.TempDir() },
		"bucket": func(t *testing.T) string {
			t.Helper()
			return server.URL("purr/" + strings.ReplaceAll(t.Name(), "/", "-"))
		},
	} {
		for promise, keeps := range map[string]func(*testing.T, storage.Place){
			"what is put is there": keepsBytes, "what is listed": lists, "a file moves": moves, "what is not there": tellsOfNone, "what fails leaves nothing": keepsWhole, "many at once": keepsAll,
		} {
			t.Run(kind+" "+promise, func(t *testing.T) {
				t.Parallel()
				p := opened(t, url(t))
				testkit.Must(t, p.Prepare())
				keeps(t, p)
			})
		}
	}
}

func content(t *testing.T, p storage.Place, name string) string {
	t.Helper()
	got, of, err := storage.Read(t.Context(), p, name, 64<<20)
	if err != nil || int64(len(got)) != of.Size || of.Name != name {
		t.Fatalf("%s: %d bytes, %+v, %v", name, len(got), of, err)
	}
	return string(got)
}

func put(t *testing.T, p storage.Place, name, content string) {
	t.Helper()
	testkit.Must(t, p.Put(t.Context(), name, strings.NewReader(content)))
}

func keepsBytes(t *testing.T, p storage.Place) {
	t.Helper()
	before := time.Now().Add(-time.Minute)
	for i, want := range []string{"", "NY000010 æøå", strings.Repeat("x", 3<<20), "replaced"} {
		name := fmt.Sprintf("paper/faktura %d&+%%æ.pdf", i%3)
		reader := strings.NewReader(want)
		_, err := reader.Seek(int64(len(want)), io.SeekStart) // it is put from its beginning all the same
		testkit.Must(t, err)
		testkit.Must(t, p.Put(t.Context(), name, reader))
		if got := content(t, p, name); got != want {
			t.Errorf("%s holds %d bytes, want %d", name, len(got), len(want))
		}
		of, err := p.Stat(t.Context(), name)
		if err != nil || of.Size != int64(len(want)) || of.Changed.Before(before) || of.Changed.After(before.Add(2*time.Minute)) {
			t.Errorf("Stat = %+v, %v", of, err)
		}
	}
}

func names(files []storage.Info) (all []string) {
	for _, f := range files {
		all = append(all, f.Name)
	}
	return all
}

func walked(t *testing.T, p storage.Place) []string {
	t.Helper()
	var all []storage.Info
	testkit.Must(t, p.Walk(t.Context(), func(i storage.Info) error { all = append(all, i); return nil }))
	slices.SortFunc(all, func(a, b storage.Info) int { return strings.Compare(a.Name, b.Name) })
	return names(all)
}

func lists(t *testing.T, p storage.Place) {
	t.Helper()
	if got := walked(t, p.Below("never")); len(got) != 0 {
		t.Errorf("a folder that is not there holds %q", got)
	}
	for _, name := range []string{"b", "a", "done/c", "done/deep/d", ".mark", "done/.hidden", ".folder/x", "neighbour/y"} {
		put(t, p, name, name)
	}
	if got, want := walked(t, p), []string{".folder/x", ".mark", "a", "b", "done/.hidden", "done/c", "done/deep/d", "neighbour/y"}; !slices.Equal(got, want) {
		t.Errorf("Walk finds %q, want %q", got, want)
	}
	found, err := p.List(t.Context())
	if got, want := names(found), []string{"a", "b"}; err != nil || !slices.Equal(got, want) {
		t.Errorf("List finds %q, %v, want %q", got, err, want)
	}
	found, err = p.Below("done").List(t.Context())
	if got, want := names(found), []string{"c"}; err != nil || !slices.Equal(got, want) {
		t.Errorf("below done List finds %q, %v, want %q", got, err, want)
	}
	if content(t, p.Below("done"), "c") != "done/c" || content(t, p, ".mark") != ".mark" {
		t.Error("what is hidden cannot be read, or Below leads elsewhere")
	}
	enough := errors.New("enough")
	if err := p.Walk(t.Context(), func(storage.Info) error { return enough }); !errors.Is(err, enough) {
		t.Errorf("Walk goes on: %v", err)
	}
}

func moves(t *testing.T, p storage.Place) {
	t.Helper()
	put(t, p, "æ file+.txt", "one")
	put(t, p, "done/æ file+.txt", "older")
	of, err := p.Stat(t.Context(), "æ file+.txt")
	testkit.Must(t, err)
	testkit.Must(t, p.Move(t.Context(), of, "done/æ file+.txt"))
	if got := content(t, p, "done/æ file+.txt"); got != "one" {
		t.Errorf("it moved to %q", got)
	}
	if err := p.Move(t.Context(), of, "done/again"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("what is gone moves: %v", err)
	}
	if got, want := walked(t, p), []string{"done/æ file+.txt"}; !slices.Equal(got, want) {
		t.Errorf("there are %q, want %q", got, want)
	}
	of.Name = "done/æ file+.txt"
	testkit.Must(t, errors.Join(p.Remove(t.Context(), of), p.Remove(t.Context(), of)))
	if got := walked(t, p); len(got) != 0 {
		t.Errorf("there are %q", got)
	}
}

func tellsOfNone(t *testing.T, p storage.Place) {
	t.Helper()
	_, _, open := p.Open(t.Context(), "a/b")
	_, stat := p.Stat(t.Context(), "a/b")
	move := p.Move(t.Context(), storage.Info{Name: "a/b"}, "c")
	for what, err := range map[string]error{"Open": open, "Stat": stat, "Move": move} {
		if !errors.Is(err, fs.ErrNotExist) || models.KindOf(err) == models.KindUnavailable {
			t.Errorf("%s: %v", what, err)
		}
	}
	testkit.Must(t, p.Remove(t.Context(), storage.Info{Name: "a/b"}))
	if found, err := p.List(t.Context()); err != nil || len(found) != 0 {
		t.Errorf("List = %v, %v", found, err)
	}
}

func keepsWhole(t *testing.T, p storage.Place) {
	t.Helper()
	broken := errors.New("line broke")
	if err := p.Put(t.Context(), "half", &breaking{bytes.NewReader(make([]byte, 1<<20)), broken}); !errors.Is(err, broken) {
		t.Errorf("Put = %v, want %v", err, broken)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := p.Put(ctx, "late", strings.NewReader("x")); !errors.Is(err, context.Canceled) {
		t.Errorf("Put = %v, want %v", err, context.Canceled)
	}
	if err := errors.Join(p.PutAll(ctx, []storage.File{{Name: "late", Content: []byte("x")}})...); !errors.Is(err, context.Canceled) {
		t.Errorf("PutAll = %v, want %v", err, context.Canceled)
	}
	if got := walked(t, p); len(got) != 0 {
		t.Errorf("there are %q", got)
	}
}

// breaking fails half-way.
type breaking struct {
	*bytes.Reader
	err error
}

func (b *breaking) Read(p []byte) (int, error) {
	if b.Len() < int(b.Size())/2 {
		return 0, b.err
	}
	return b.Reader.Read(p)
}

func (b *breaking) WriteTo(io.Writer) (int64, error) { return 0, b.err }

func keepsAll(t *testing.T, p storage.Place) {
	t.Helper()
	var files []storage.File
	for i := range 70 {
		files = append(files, storage.File{Name: fmt.Sprintf("%03d", i), Content: bytes.Repeat([]byte{byte(i)}, 1000*i)})
	}
	testkit.Must(t, errors.Join(p.PutAll(t.Context(), files)...))
	for _, f := range files {
		if got := content(t, p, f.Name); got != string(f.Content) {
			t.Errorf("%s holds %d bytes, want %d", f.Name, len(got), len(f.Content))
		}
	}
}

// TestK2AnObjectThatWasReplacedStays removes and moves a file that is another one since it was looked at.
func TestK2AnObjectThatWasReplacedStays(t *testing.T) {
	t.Parallel()
	p := opened(t, testkit.S3(t).URL("inbox"))
	put(t, p, "bank.ocr", "Monday's")
	monday, err := p.Stat(t.Context(), "bank.ocr")
	testkit.Must(t, err)
	put(t, p, "bank.ocr", "Tuesday's")
	if err := p.Move(t.Context(), monday, "done/bank.ocr"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("another file moves: %v", err)
	}
	testkit.Must(t, p.Remove(t.Context(), monday))
	if got := content(t, p, "bank.ocr"); got != "Tuesday's" {
		t.Errorf("there is %q", got)
	}
}

// TestK9WhatAServerDoesIsLaterAndNeverARefusal lets the server answer in every bad way.
func TestK9WhatAServerDoesIsLaterAndNeverARefusal(t *testing.T) {
	t.Parallel()
	for name, lie := range testkit.S3Lies {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			server := testkit.S3(t)
			p := opened(t, server.URL("k9"))
			put(t, p, "kept", strings.Repeat("x", 100_000))
			server.Lie(lie)
			ctx, cancel := t.Context(), func() {}
			if name == "silence" { // a whole wait is 14 s
				ctx, cancel = context.WithTimeout(ctx, 2*time.Second)
			}
			defer cancel()
			_, _, read := storage.Read(ctx, p, "kept", 1<<20)
			later(t, "reading", read)
			later(t, "putting", p.Put(ctx, "new", strings.NewReader("x")))
			later(t, "putting several", errors.Join(p.PutAll(ctx, []storage.File{{Name: "new", Content: []byte("x")}})...))
			_, err := p.Stat(ctx, "kept")
			later(t, "looking", err)
			_, err = p.List(ctx)
			later(t, "listing", err)
			later(t, "moving", p.Move(ctx, storage.Info{Name: "kept"}, "moved"))
			later(t, "removing", p.Remove(ctx, storage.Info{Name: "kept"}))
			server.Lie(nil)
			if got := content(t, p, "kept"); len(got) != 100_000 {
				t.Errorf("afterwards %d bytes are kept", len(got))
			}
		})
	}
}

func later(t *testing.T, what string, err error) {
	t.Helper()
	if models.KindOf(err) != models.KindUnavailable || errors.Is(err, fs.ErrNotExist) {
		t.Errorf("%s: %v, want models.KindUnavailable", what, err)
	}
}

// TestK2aAServerThatDiesAndComesBack kills the server between and during requests.
func TestK2aAServerThatDiesAndComesBack(t *testing.T) {
	t.Parallel()
	server := testkit.S3(t)
	p := opened(t, server.URL("x"))
	put(t, p, "kept", "one")
	server.Kill()
	_, err := p.Stat(t.Context(), "kept")
	later(t, "looking", err)
	later(t, "putting", p.Put(t.Context(), "new", strings.NewReader("two")))
	server.Start()
	if got := content(t, p, "kept"); got != "one" {
		t.Errorf("it holds %q", got)
	}
	put(t, p, "new", "two")
	server.Lie(testkit.S3Slow(300 * time.Millisecond))
	put(t, p, "slow", "three")
	if got := content(t, p, "slow"); got != "three" {
		t.Errorf("a slow server gives %q", got)
	}
	// The bucket goes: what is in it is away, and not lost.
	server.Lie(nil)
	testkit.Must(t, os.Rename(server.Folder(), server.Folder()+"-away"))
	_, err = p.Stat(t.Context(), "kept")
	later(t, "looking into no bucket", err)
	_, _, err = p.Open(t.Context(), "kept")
	later(t, "opening in no bucket", err)
	testkit.Must(t, os.Rename(server.Folder()+"-away", server.Folder()))
	if got := content(t, p, "kept"); got != "one" {
		t.Errorf("it holds %q", got)
	}
	if found, err := filepath.Glob(filepath.Join(server.Folder(), "x", "*")); err != nil || len(found) != 3 {
		t.Errorf("the bucket holds %q, %v", found, err)
	}
}
