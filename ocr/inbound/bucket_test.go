package inbound

import (
	"bytes"
	"errors"
	"io/fs"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"purr/internal/clock"
	"purr/internal/storage"
	"purr/models"
	"purr/ocr"
	"purr/store"
	"purr/test/testkit"
	"purr/test/testkit/rows"
)

// bucket is an inbox on an S3 server of the test's own.
type bucket struct {
	*books
	s3    *testkit.S3Process
	place storage.Place
	inbox *BucketInbox
}

func eachBucket(t *testing.T, test func(t *testing.T, b *bucket)) {
	t.Helper()
	eachBooks(t, func(t *testing.T, books *books) {
		s3 := testkit.S3(t)
		place, err := storage.Open(t.Context(), s3.URL("purr/inbox"))
		must(t, err)
		test(t, &bucket{books, s3, place, OpenBucket(place, books.im, silent)})
	})
}

// put puts a file there by the server, which gives it a tag.
func (b *bucket) put(t *testing.T, name string, content []byte) {
	t.Helper()
	must(t, b.place.Put(t.Context(), name, bytes.NewReader(content)))
}

// holds expects the files, and nothing else, to lie in the inbox and below it.
func (b *bucket) holds(t *testing.T, want ...string) {
	t.Helper()
	var got []string
	folder := filepath.Join(b.s3.Folder(), "purr", "inbox")
	must(t, filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) {
			return nil // the server removes folders that are empty
		}
		if err == nil && !d.IsDir() {
			got = append(got, strings.TrimPrefix(path, folder+"/"))
		}
		return err
	}))
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("the inbox holds\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// imports expects that many files to be known, and returns them.
func (b *bucket) imports(t *testing.T, c models.Creditor, want int) []models.PaymentFile {
	t.Helper()
	taken, _, err := b.DB.PaymentFiles(t.Context(), c.ID, store.Page{Number: 1, Size: 10})
	must(t, err)
	if len(taken) != want {
		t.Errorf("%d files were taken, want %d", len(taken), want)
	}
	return taken
}

// TestK2AnInboxInABucketGoesOnWhereItWasBrokenOff lets the server refuse each removal, the second half of a move, for some polls. Of the two
// files one lies there without a tag: it came to the server's disk by another way. The copies have tags of their own, as where a server
// encrypts them anew, or was killed before it had noted them.
func TestK2AnInboxInABucketGoesOnWhereItWasBrokenOff(t *testing.T) {
	eachBucket(t, func(t *testing.T, b *bucket) {
		c := rows.Creditor(t, b.DB)
		b.put(t, "OCR.D050126", unknown(t, c, 1_00))
		must(t, os.WriteFile(filepath.Join(b.s3.Folder(), "purr", "inbox", "OCR.D060126"), unknown(t, c, 2_00), 0o600))
		var removes atomic.Bool
		b.s3.Lie(func(w http.ResponseWriter, r *http.Request, next http.Handler) {
			switch {
			case r.Method == http.MethodDelete && !removes.Load():
				testkit.S3Status(http.StatusServiceUnavailable)(w, r, next)
			case r.Method == http.MethodHead && strings.Contains(r.URL.Path, "/done/"):
				said := httptest.NewRecorder()
				next.ServeHTTP(said, r)
				maps.Copy(w.Header(), said.Header())
				w.Header().Set("ETag", `"its own"`)
				w.WriteHeader(said.Code)
			default:
				next.ServeHTTP(w, r)
			}
		})
		for range 4 { // each ends at its first removal
			if err := b.inbox.Poll(t.Context()); models.KindOf(err) != models.KindUnavailable {
				t.Errorf("a poll whose removals are refused says %v", err)
			}
		}
		removes.Store(true)
		must(t, b.inbox.Poll(t.Context()))
		b.holds(t, filed("done", "OCR.D050126", "OCR.D060126")...)
		b.imports(t, c, 2)
	})
}

// TestK2OneNameOneContentInABucket: the same bytes again are a duplicate, and another file of a name lies beside the first one. What
// comes twice within a second is one file, since a server tells the second.
func TestK2OneNameOneContentInABucket(t *testing.T) {
	eachBucket(t, func(t *testing.T, b *bucket) {
		c := rows.Creditor(t, b.DB)
		for i, content := range [][]byte{unknown(t, c, 1_00), unknown(t, c, 2_00), unknown(t, c, 1_00), []byte("Ring banken i morgen\n")} {
			b.put(t, "OCR.TXT", content)
			put := rows.Start.Add(time.Duration(i) * time.Second)
			must(t, os.Chtimes(filepath.Join(b.s3.Folder(), "purr", "inbox", "OCR.TXT"), put, put))
			must(t, b.inbox.Poll(t.Context()))
		}
		b.holds(t, slices.Concat(filed("done", "OCR.TXT", "OCR-2.TXT"), filed("duplicate", "OCR.TXT"), filed("rejected", "OCR.TXT"))...)
	})
}

// TestK2TwoSchedulersOnOneBucket lets two inboxes poll one bucket at once: each file is imported once, and put away once.
func TestK2TwoSchedulersOnOneBucket(t *testing.T) {
	eachBucket(t, func(t *testing.T, b *bucket) {
		c := rows.Creditor(t, b.DB)
		var names []string
		for i := range 4 {
			names = append(names, string(rune('a'+i)))
			b.put(t, names[i], unknown(t, c, models.Amount(1_00+i)))
		}
		other := OpenBucket(b.place, b.im, silent)
		poll := func(in *BucketInbox) func() error { return func() error { return in.Poll(t.Context()) } }
		atOnce(t, poll(b.inbox), poll(other))
		must(t, b.inbox.Poll(t.Context()))
		b.holds(t, filed("done", names...)...)
		for _, f := range b.imports(t, c, 4) {
			if f.State != models.FileImported {
				t.Errorf("%s is %s", f.Filename, f.State)
			}
		}
	})
}

// TestK2ARejectedFileLeavesABucketInItsTime: its age counts from the move (rule O13).
func TestK2ARejectedFileLeavesABucketInItsTime(t *testing.T) {
	eachBucket(t, func(t *testing.T, b *bucket) {
		const days = 24 * time.Hour
		b.put(t, "notes.txt", []byte("Ring banken i morgen\n"))
		must(t, b.inbox.Poll(t.Context()))
		moved, err := b.place.Stat(t.Context(), "rejected/notes.txt")
		must(t, err)
		for _, tt := range []struct {
			after time.Duration
			want  []string
		}{{89 * days, filed("rejected", "notes.txt")}, {91 * days, nil}} {
			later := ocr.NewImporter(b.DB.WithClock(clock.NewTest(moved.Changed.Add(tt.after))), b.Archive, silent)
			later.KeepRejected(90 * days)
			must(t, OpenBucket(b.place, later, silent).Poll(t.Context()))
			b.holds(t, tt.want...)
		}
	})
}
