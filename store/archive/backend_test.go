package archive

import (
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/iotest"
	"time"

	"purr/internal/storage"
	"purr/test/testkit"
)

// backends are all that an archive can lie on. Each opens one that is empty, and leaves behind what a killed writer would.
var backends = map[string]func(t *testing.T) (b backend, kill func() time.Time){
	"folder": func(t *testing.T) (backend, func() time.Time) {
		t.Helper()
		in, err := openFolder(t.TempDir())
		must(t, err)
		return in, func() time.Time {
			left := filepath.Join(in.drafts(), "put-123")
			must(t, os.WriteFile(left, []byte("half"), 0o600))
			info, err := os.Stat(left)
			must(t, err)
			return info.ModTime()
		}
	},
	"bucket": func(t *testing.T) (backend, func() time.Time) {
		t.Helper()
		in, err := storage.Open(t.Context(), testkit.S3(t).URL("purr/archive"))
		must(t, err)
		b, err := openPlaced(in, t.TempDir())
		must(t, err)
		return b, func() time.Time {
			left := filepath.Join(b.drafts, "draft-123")
			must(t, os.WriteFile(left, []byte("half"), 0o600))
			info, err := os.Stat(left)
			must(t, err)
			return info.ModTime()
		}
	},
}

// TestBackends holds each backend to what the interface promises.
func TestBackends(t *testing.T) {
	t.Parallel()
	for name, open := range backends {
		for promise, keeps := range map[string]func(*testing.T, backend){
			"what is put lies under its sum": keepsBytes, "what fails leaves nothing": keepsWhole, "the same at once is kept once": keepsOnce,
			"what is put again replaces": replaces, "several are put together": keepsAll, "what is not there is told": tellsOfNone,
		} {
			t.Run(name+": "+promise, func(t *testing.T) {
				t.Parallel()
				b, _ := open(t)
				keeps(t, b)
			})
		}
		t.Run(name+": a killed writer's leavings are swept", func(t *testing.T) {
			t.Parallel()
			b, kill := open(t)
			sum, _, err := b.put(t.Context(), strings.NewReader("whole"))
			must(t, err)
			at := kill()
			mustList(t, b, sum)
			must(t, errors.Join(b.sweep(at), b.sweep(at.Add(1)), b.ping()))
			mustList(t, b, sum)
			mustHold(t, b, sum, "whole")
		})
	}
}

func keepsBytes(t *testing.T, b backend) {
	t.Helper()
	before := time.Now().Add(-time.Minute)
	for _, content := range []string{"", "NY000010 æøå", strings.Repeat("x", 1<<20)} {
		sum, size, err := b.put(t.Context(), strings.NewReader(content))
		if err != nil || sum != Sum([]byte(content)) || size != int64(len(content)) {
			t.Errorf("put = %s, %d, %v; want the bytes' own SHA-256 and size", sum, size, err)
		}
		mustHold(t, b, sum, content)
		if size, put, err := b.has(sum); err != nil || size != int64(len(content)) || put.Before(before) || put.After(before.Add(2*time.Minute)) {
			t.Errorf("it was put at %s, %v", put, err)
		}
	}
	if room, err := b.free(); err != nil || room <= 0 {
		t.Errorf("there is room for %d bytes, %v", room, err)
	}
}

func keepsWhole(t *testing.T, b backend) {
	t.Helper()
	broken := errors.New("line broke")
	if _, _, err := b.put(t.Context(), io.MultiReader(strings.NewReader("the first half"), iotest.ErrReader(broken))); !errors.Is(err, broken) {
		t.Errorf("put = %v, want %v", err, broken)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, _, err := b.put(ctx, strings.NewReader("x")); !errors.Is(err, context.Canceled) {
		t.Errorf("put = %v, want %v", err, context.Canceled)
	}
	mustList(t, b)
	for _, nothing := range []string{"", "the first half", "x"} {
		if _, err := b.get(Sum([]byte(nothing))); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("there is %q: %v", nothing, err)
		}
	}
}

func keepsOnce(t *testing.T, b backend) {
	t.Helper()
	same := []byte("same")
	var wg sync.WaitGroup
	for i := range 16 {
		wg.Go(func() {
			err := b.putAll([]string{Sum(same)}, [][]byte{same})
			if i%2 == 0 {
				_, _, err = b.put(t.Context(), bytes.NewReader(same))
			}
			if err != nil {
				t.Error(err)
			}
			mustHold(t, b, Sum(same), "same")
		})
	}
	wg.Wait()
	mustList(t, b, Sum(same))
}

// replaces puts under a sum what does not have it, as a disk that rots would, and then what does.
func replaces(t *testing.T, b backend) {
	t.Helper()
	sum := Sum([]byte("same"))
	for _, put := range []func() error{
		func() error { _, _, err := b.put(t.Context(), strings.NewReader("same")); return err },
		func() error { return b.putAll([]string{sum}, [][]byte{[]byte("same")}) },
	} {
		must(t, b.putAll([]string{sum}, [][]byte{[]byte("else")}))
		mustHold(t, b, sum, "else")
		must(t, put())
		mustHold(t, b, sum, "same")
	}
	mustList(t, b, sum)
}

func keepsAll(t *testing.T, b backend) {
	t.Helper()
	var sums []string
	var contents [][]byte
	for i := range 40 {
		contents = append(contents, bytes.Repeat([]byte{byte(i)}, 1000*i))
		sums = append(sums, Sum(contents[i]))
	}
	must(t, b.putAll(sums, contents))
	for i, sum := range sums {
		mustHold(t, b, sum, string(contents[i]))
	}
	mustList(t, b, sums...)
	for _, sum := range sums[1:] {
		must(t, b.delete(sum))
	}
	mustList(t, b, sums[0])
	enough := errors.New("enough")
	if err := b.list(func(string) error { return enough }); !errors.Is(err, enough) {
		t.Errorf("list goes on: %v", err)
	}
}

func tellsOfNone(t *testing.T, b backend) {
	t.Helper()
	sum := Sum([]byte("nobody's"))
	_, got := b.get(sum)
	_, _, has := b.has(sum)
	for what, err := range map[string]error{"get": got, "has": has, "delete": b.delete(sum)} {
		if !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s: %v", what, err)
		}
	}
}

// mustHold reads what lies under a sum twice, the second time from its beginning.
func mustHold(t *testing.T, b backend, sum, want string) {
	t.Helper()
	o, err := b.get(sum)
	if err != nil {
		t.Error(err)
		return
	}
	first, err := io.ReadAll(o)
	_, sought := o.Seek(0, io.SeekStart)
	second, again := io.ReadAll(o)
	if err := errors.Join(err, sought, again, o.Close()); err != nil || string(first) != want || string(second) != want || o.size() != int64(len(want)) {
		t.Errorf("under %s lie %d and %d of %d bytes, want %d: %v", sum, len(first), len(second), o.size(), len(want), err)
	}
}

func mustList(t *testing.T, b backend, want ...string) {
	t.Helper()
	var got []string
	must(t, b.list(func(sum string) error { got = append(got, sum); return nil }))
	slices.Sort(got)
	want = slices.Sorted(slices.Values(want))
	if !slices.Equal(got, want) {
		t.Errorf("there are %q, want %q", got, want)
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
