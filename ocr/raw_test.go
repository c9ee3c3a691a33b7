package ocr

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"purr/models"
	"purr/store/archive"
	"purr/test/testkit/rows"
)

// TestE4RawBytesAreThoseThatCame reads files again, taken and rejected, and ones that the archive has no longer.
func TestE4RawBytesAreThoseThatCame(t *testing.T) {
	eachBooks(t, func(t *testing.T, b *books) {
		dir := t.TempDir()
		var err error
		b.im.archive, err = archive.Open(dir)
		must(t, err)
		c := rows.Creditor(t, b.DB)
		good := fileOf(c.BankAccount, byCard(21, "", 70_00, "Blåbær")).Bytes(t)
		wrong := []byte("\xff\x00no file of the bank's\r\n")
		for _, file := range [][]byte{good, wrong, nil} {
			taken := b.take(t, file)
			raw, err := b.im.Raw(taken)
			must(t, err)
			got, err := io.ReadAll(raw)
			must(t, err)
			must(t, raw.Close())
			if string(got) != string(file) {
				t.Errorf("of %q came %q again", file, got)
			}
		}
		taken := b.take(t, wrong)
		path := filepath.Join(dir, taken.SHA256[:2], taken.SHA256)
		must(t, os.Remove(path))
		b.mustHaveNoRaw(t, taken, archive.Lost)
		must(t, os.WriteFile(path, []byte("something else"), 0o600))
		b.mustHaveNoRaw(t, taken, archive.Damaged)
		b.take(t, wrong) // the same bytes once more
		raw, err := b.im.Raw(taken)
		must(t, err)
		must(t, raw.Close())
	})
}

func (b *books) mustHaveNoRaw(t *testing.T, f models.PaymentFile, word string) {
	t.Helper()
	_, err := b.im.Raw(f)
	fault, is := errors.AsType[*archive.Fault](err)
	if !is || fault.Word != word || models.KindOf(err) != models.KindInternal || !strings.Contains(err.Error(), "from a backup") {
		t.Errorf("the error is %v, want %q in it", err, word)
	}
}
