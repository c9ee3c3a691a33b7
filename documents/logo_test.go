package documents

import (
	"bytes"
	"context"
	"errors"
	"image"
	"image/png"
	"os"
	"path/filepath"
	"testing"

	"purr/models"
	"purr/register"
	"purr/store"
	"purr/store/archive"
	"purr/test/testkit/rows"
)

// TestL19DocumentsShowTheLogoOfTheirDay puts a logo between two invoices, and another one before the third. Each shows that of its day,
// also when it is drawn late or drawn again. Without the file nothing is drawn.
func TestL19DocumentsShowTheLogoOfTheirDay(t *testing.T) {
	t.Parallel()
	rows.EachDatabase(t, func(t *testing.T, db *store.DB) {
		dir := t.TempDir()
		kept, err := archive.Open(dir)
		must(t, err)
		made, c := New(db, kept), rows.Creditor(t, db)
		setLogo := func(sum string) {
			must(t, db.InTx(t.Context(), func(ctx context.Context, tx *store.Tx) (err error) {
				c, err = register.SetLogo(ctx, tx, c.ID, sum, "Kari")
				return err
			}))
		}
		pictures := func(d models.Document) int {
			pdf, err := made.PDF(t.Context(), c.ID, d)
			must(t, err)
			return bytes.Count(pdf, []byte("/Subtype /Image"))
		}
		before := rows.Invoice(t, db, c).Document()
		first, err := made.KeepLogo(t.Context(), logoFile(t, 300, 100))
		must(t, err)
		setLogo(first)
		late, drawn := rows.Invoice(t, db, c).Document(), rows.Invoice(t, db, c).Document()
		if n := pictures(before); n != 0 {
			t.Errorf("an invoice of before the logo shows %d pictures", n)
		}
		if n := pictures(drawn); n != 1 {
			t.Errorf("an invoice with the logo shows %d pictures", n)
		}
		second, err := made.KeepLogo(t.Context(), logoFile(t, 40, 80))
		must(t, err)
		setLogo(second)
		setLogo(second) // which is so already, and no event
		if file, media, err := made.Logo(c); err != nil || media != "image/png" || !bytes.Equal(file, logoFile(t, 40, 80)) {
			t.Errorf("the logo is %d bytes of %s: %v", len(file), media, err)
		}
		pdf, err := made.PDF(t.Context(), c.ID, late)
		must(t, err)
		if !bytes.Contains(pdf, []byte("/Width 300\n/Height 100\n")) {
			t.Error("an invoice that is drawn late does not show the logo of its day")
		}
		pdf, err = made.PDF(t.Context(), c.ID, drawn)
		must(t, err)
		sum := archive.Sum(pdf)
		must(t, os.Remove(filepath.Join(dir, sum[:2], sum)))
		if again, err := New(db, kept).PDF(t.Context(), c.ID, drawn); err != nil || !bytes.Equal(again, pdf) {
			t.Errorf("a lost PDF is not the same when it is drawn again: %v", err)
		}
		fresh := rows.Invoice(t, db, c).Document()
		must(t, os.Remove(filepath.Join(dir, second[:2], second)))
		if _, err := New(db, kept).PDF(t.Context(), c.ID, fresh); !isFault(err) {
			t.Errorf("without the file of the logo the error is %v", err)
		}
		setLogo("")
		if _, _, err := made.Logo(c); models.KindOf(err) != models.KindNotFound {
			t.Errorf("without a logo the error is %v", err)
		}
		if n := pictures(rows.Invoice(t, db, c).Document()); n != 0 {
			t.Errorf("an invoice of after the logo shows %d pictures", n)
		}
		events, err := db.NewestEvents(t.Context(), c.ID, store.EventFilter{Type: models.EventCreditorChanged}, 0, 10)
		must(t, err)
		if len(events) != 3 {
			t.Errorf("%d events tell of three changes", len(events))
		}
		var logos []string
		must(t, db.EachKeptFile(t.Context(), func(f store.KeptFile) error {
			if f.Kind == store.KeptLogo {
				logos = append(logos, f.SHA256)
			}
			return nil
		}))
		if len(logos) != 2 || logos[0] != first || logos[1] != second {
			t.Errorf("the archive must have the logos %q, want %q and %q", logos, first, second)
		}
	})
}

func isFault(err error) bool {
	_, is := errors.AsType[*archive.Fault](err)
	return is
}

func logoFile(t *testing.T, width, height int) []byte {
	t.Helper()
	var b bytes.Buffer
	must(t, png.Encode(&b, image.NewGray(image.Rect(0, 0, width, height))))
	return b.Bytes()
}
