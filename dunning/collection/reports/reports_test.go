package reports_test

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"purr/dunning"
	"purr/dunning/collection/reports"
	"purr/internal/remote"
	"purr/models"
	"purr/store"
	"purr/test/testkit"
	"purr/test/testkit/rows"
)

// TestC1TheFolderIsReadOnce on a server and on this machine, by two processes at once, for two creditors with the same numbers.
func TestC1TheFolderIsReadOnce(t *testing.T) {
	t.Parallel()
	rows.EachDatabase(t, func(t *testing.T, db *store.DB) {
		for _, onServer := range []bool{false, true} {
			dir := t.TempDir()
			place := remote.OnDisk(dir)
			if onServer {
				sftp := testkit.SFTPServer(t)
				server, err := remote.NewServer(remote.Access{URL: sftp.Folder(dir), KeyFile: sftp.KeyFile, HostKey: sftp.HostKey, Prefix: "collection-sftp"})
				testkit.Must(t, err)
				place = remote.OnServer(server)
			}
			readTwice(t, db, dir, reports.New(place, time.Minute))
		}
	})
}

func readTwice(t *testing.T, db *store.DB, dir string, folder *reports.Folder) {
	t.Helper()
	put := func(name, content string) {
		path := filepath.Join(dir, name)
		testkit.Must(t, os.WriteFile(path, []byte(content), 0o600))
		testkit.Must(t, os.Chtimes(path, time.Time{}, time.Now().Add(-time.Hour)))
	}
	read := func(ctx context.Context) {
		if err := folder.Read(ctx, db, slog.New(slog.DiscardHandler)); err != nil {
			t.Error(err)
		}
	}
	var bundles []string
	var invoices []models.Invoice
	later := rows.On(db, rows.Today+20)
	for range 2 {
		c := rows.Creditor(t, db)
		i := rows.Invoice(t, db, c)
		rows.Send(t, db, c)
		rows.Write(t, later, func(tx *store.Tx) error {
			_, err := dunning.HandOverInvoice(t.Context(), tx, c, i.ID, "a test")
			return err
		})
		h, _, err := db.LastHandOver(t.Context(), i.ID)
		testkit.Must(t, err)
		bundles, invoices = append(bundles, h.Name(i.Number)), append(invoices, i)
	}
	db = later
	day := rows.Today + 20
	paid := func(bundle, reference string) string {
		return fmt.Sprintf(`<report bundle="%s" state="paid" at="%s" amount="100" reference="%s"/>`, bundle, day, reference)
	}
	list := func(all ...string) string {
		return "<collection_reports>" + strings.Join(all, "\n") + "</collection_reports>"
	}
	put("1.xml", list(paid(bundles[0], "a"), paid(bundles[1], "a")))
	put("2.csv", fmt.Sprintf("bundle;state;at;amount;reference\n%s;paid;%s;100;a\n%s;paid;%s;50;b\n", bundles[0], day, bundles[0], day))
	put("3.xml", list(paid(bundles[0], "c"), fmt.Sprintf(`<report invoice="1" state="received" at="%s"/>`, day), paid("invoice-1-hand-over-9999", "d")))
	put("4.xml", "<collection_reports>")
	put("5.txt", "nothing of it")
	var both sync.WaitGroup
	for range 2 {
		both.Go(func() { read(t.Context()) })
	}
	both.Wait()
	read(t.Context())
	for n, want := range []models.Amount{850_00, 900_00} {
		i, err := db.Invoice(t.Context(), invoices[n].CreditorID, invoices[n].ID)
		if err != nil || i.Balance != want {
			t.Errorf("%s is owed, want %s (%v)", i.Balance, want, err)
		}
	}
	for folder, want := range map[string][]string{
		"": {"5.txt"}, "done": {"1.xml", "2.csv"}, "rejected": {"3.xml", "3.xml.faults.txt", "4.xml", "4.xml.faults.txt"},
	} {
		entries, err := os.ReadDir(filepath.Join(dir, folder))
		testkit.Must(t, err)
		var got []string
		for _, e := range entries {
			if !e.IsDir() {
				got = append(got, e.Name())
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("%q holds %q, want %q", folder, got, want)
		}
	}
	why, err := os.ReadFile(filepath.Join(dir, "rejected", "3.xml.faults.txt"))
	testkit.Must(t, err)
	if text := string(why); !strings.Contains(text, "line 2: report[2]/invoice: ") || !strings.Contains(text, "line 3: report[3]/bundle: there is no such bundle") {
		t.Errorf("the faults are %s", text)
	}
}
