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

	"purr/models"
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

func TestGetOfWhatWasNeverPut(t *testing.T) {
	t.Parallel()
	a, err := Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for _, sum := range []string{"", "../../etc/passwd", strings.Repeat("0", 64)} {
		if _, err := a.Get(sum); models.KindOf(err) != models.KindNotFound {
			t.Errorf("Get(%q) = %v, want not found", sum, err)
		}
	}
}
