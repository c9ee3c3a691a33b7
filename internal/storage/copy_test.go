package storage_test

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io/fs"
	"net/http"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"purr/internal/storage"
	"purr/test/testkit"
)

func kept(content string) string {
	sum := sha256.Sum256([]byte(content))
	name := hex.EncodeToString(sum[:])
	return "archive/" + name[:2] + "/" + name
}

var copying = storage.Copying{Kept: "archive", Waiting: []string{"outbox", "inbox", "reports"}, Marks: []string{".mark"}}

func copied(t *testing.T, from, to storage.Place) storage.Copied {
	t.Helper()
	c, err := copying.From(t.Context(), from, to)
	if err != nil || c.Left != 0 {
		t.Fatalf("copied %+v, %v", c, err)
	}
	return c
}

// TestK2bCopyBringsAllAndWhatCameSince copies from each kind of place to each, while the source goes on.
func TestK2bCopyBringsAllAndWhatCameSince(t *testing.T) {
	t.Parallel()
	server := testkit.S3(t)
	for name, urls := range map[string][2]string{
		"folder to bucket": {"file://" + t.TempDir(), server.URL("one")}, "bucket to folder": {server.URL("two"), "file://" + t.TempDir()},
		"bucket to bucket": {server.URL("three"), server.URL("four")},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			from, to := opened(t, urls[0]), opened(t, urls[1])
			if c, err := copying.From(t.Context(), from, to); err == nil {
				t.Errorf("of nothing %+v is copied", c)
			}
			large := strings.Repeat("stor", 2<<20)
			files := []string{kept("one"), kept(large), "inbox/bank.ocr", "inbox/done/older.ocr", "outbox/email/a.eml", "outbox/paper/b.pdf", "reports/done/c.eml"}
			put(t, from, kept("one"), "one")
			put(t, from, kept(large), large)
			for _, f := range files[2:] {
				put(t, from, f, f)
			}
			for _, not := range []string{"archive/incoming/put-1", "outbox/paper/.b.pdf-1.tmp", "workers/1", "purr.db", "inbox/.purr-inbox"} {
				put(t, from, not, "never brought")
			}
			if c := copied(t, from, to); c.Files != 7 || c.Brought != 7 || c.Removed != 0 || c.Bytes < int64(len(large)) {
				t.Errorf("copied %+v", c)
			}
			same(t, from, to, files)
			if c := copied(t, from, to); c.Brought != 0 || c.Files != 7 {
				t.Errorf("a second time %+v", c)
			}
			// One letter is taken away, another and a kept file come, an e-mail is another one of the same length.
			testkit.Must(t, from.Remove(t.Context(), storage.Info{Name: "outbox/paper/b.pdf"}))
			put(t, from, "outbox/paper/d.pdf", "d")
			put(t, from, kept("two"), "two")
			put(t, from, "outbox/email/a.eml", strings.ToUpper("outbox/email/a.eml"))
			if c := copied(t, from, to); c.Brought != 3 || c.Removed != 1 {
				t.Errorf("of what came since %+v", c)
			}
			files = append(slices.DeleteFunc(files, func(f string) bool { return f == "outbox/paper/b.pdf" }), "outbox/paper/d.pdf", kept("two"))
			slices.Sort(files)
			same(t, from, to, files)
		})
	}
}

func same(t *testing.T, from, to storage.Place, want []string) {
	t.Helper()
	slices.Sort(want)
	if got := walked(t, to); !slices.Equal(got, want) {
		t.Errorf("the destination has %q, want %q", got, want)
	}
	for _, f := range want {
		if content(t, from, f) != content(t, to, f) {
			t.Errorf("%s differs", f)
		}
	}
}

// TestK2bWhatWaitsWhereAnInstallationWorksIsItsOwn copies to a place in use: a letter that left there must not come again.
func TestK2bWhatWaitsWhereAnInstallationWorksIsItsOwn(t *testing.T) {
	t.Parallel()
	from, to := storage.Folder(t.TempDir()), storage.Folder(t.TempDir())
	for _, f := range []string{"outbox/paper/left.pdf", "inbox/new.ocr", "inbox/done/old.ocr"} {
		put(t, from, f, f)
	}
	put(t, from, kept("one"), "one")
	put(t, to, ".mark", "an installation")
	put(t, to, "outbox/paper/own.pdf", "own")
	if c := copied(t, from, to); !c.InUse || c.Stayed != 2 || c.Brought != 2 || c.Removed != 0 {
		t.Errorf("copied %+v", c)
	}
	if got, want := walked(t, to), []string{".mark", kept("one"), "inbox/done/old.ocr", "outbox/paper/own.pdf"}; !slices.Equal(got, want) {
		t.Errorf("the destination has %q, want %q", got, want)
	}
}

// TestK2bNothingDamagedIsBrought copies a kept file that is not what its name says, and to a place that lies about what it keeps.
func TestK2bNothingDamagedIsBrought(t *testing.T) {
	t.Parallel()
	server := testkit.S3(t)
	from, to := storage.Folder(t.TempDir()), opened(t, server.URL("x"))
	put(t, from, kept("one"), "eno")
	put(t, from, kept("two"), "two")
	c, err := copying.From(t.Context(), from, to)
	if err != nil || c.Brought != 1 || len(c.Faults) != 1 || !strings.HasPrefix(c.Faults[0], kept("one")+" is damaged") {
		t.Errorf("copied %+v, %v", c, err)
	}
	put(t, from, kept("three"), "three")
	server.Lie(testkit.S3Only(http.MethodGet, kept("three"), func(w http.ResponseWriter, _ *http.Request, _ http.Handler) { _, _ = w.Write([]byte("other")) }))
	c, err = copying.From(t.Context(), from, to)
	if err != nil || c.Brought != 0 || len(c.Faults) != 2 {
		t.Errorf("copied %+v, %v", c, err)
	}
	server.Lie(nil)
	if _, err := to.Stat(t.Context(), kept("three")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("what could not be proved is there: %v", err)
	}
}

// TestK2bCopyGoesOnWhereItWasBrokenOff kills the server in the middle, and stops the copying itself.
func TestK2bCopyGoesOnWhereItWasBrokenOff(t *testing.T) {
	t.Parallel()
	server := testkit.S3(t)
	from, to := storage.Folder(t.TempDir()), opened(t, server.URL("x"))
	var files []string
	for i := range 60 {
		text := strings.Repeat("x", i)
		put(t, from, kept(text), text)
		files = append(files, kept(text))
	}
	slices.Sort(files)
	var puts atomic.Int32
	away := testkit.S3Status(http.StatusServiceUnavailable)
	server.Lie(func(w http.ResponseWriter, r *http.Request, next http.Handler) {
		if r.Method == http.MethodPut && puts.Add(1) > 20 {
			away(w, r, next)
			return
		}
		next.ServeHTTP(w, r)
	})
	c, err := copying.From(t.Context(), from, to)
	later(t, "copying", err)
	if c.Left == 0 || c.Brought == 0 || c.Left+c.Brought != 60 {
		t.Errorf("copied %+v", c)
	}
	server.Lie(nil)
	ctx, cancel := context.WithCancel(t.Context())
	stopping := copying
	stopping.Tell = func(c storage.Copied) {
		if c.Brought == 5 {
			cancel()
		}
	}
	if again, err := stopping.From(ctx, from, to); !errors.Is(err, context.Canceled) || again.Left == 0 {
		t.Errorf("stopped: %+v, %v", again, err)
	}
	if again := copied(t, from, to); again.Brought == 0 || again.Brought >= 60-c.Brought {
		t.Errorf("the rest is %+v after %+v", again, c)
	}
	same(t, from, to, files)
}
