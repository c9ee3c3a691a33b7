package receipts_test

import (
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"purr/billing"
	"purr/internal/remote"
	"purr/internal/storage"
	"purr/law"
	"purr/mailer/shipments"
	"purr/mailer/shipments/receipts"
	"purr/models"
	"purr/store"
	"purr/test/testkit"
	"purr/test/testkit/rows"
)

// desk is an installation whose access point writes receipts into a folder.
type desk struct {
	t    *testing.T
	db   *store.DB
	dir  string // that the e-invoices went to; the receipts lie below
	way  *receipts.Way
	sftp *testkit.SFTPProcess // nil for a folder of this machine
}

// eachDesk runs the test with a folder of this machine, and with that of a server.
func eachDesk(t *testing.T, databaseURL string, test func(d *desk)) {
	t.Helper()
	d := &desk{t: t, db: rows.Open(t, databaseURL), dir: t.TempDir()}
	d.way = receipts.FromFolder(models.ByEHF, storage.Folder(d.dir), time.Minute)
	if d.way.MayHaveFiles() {
		t.Error("there is a folder")
	}
	testkit.Must(t, d.read()) // it is no fault that there is none
	testkit.Must(t, os.Mkdir(filepath.Join(d.dir, "receipts"), 0o700))
	test(d)
	d.dir, d.sftp = t.TempDir(), testkit.SFTPServer(t)
	server, err := remote.NewServer(remote.Access{URL: d.sftp.Folder(d.dir), KeyFile: d.sftp.KeyFile, HostKey: d.sftp.HostKey, Prefix: "ehf"})
	testkit.Must(t, err)
	d.way = receipts.FromServer(models.ByEHF, server, time.Minute)
	testkit.Must(t, d.read())
	testkit.Must(t, os.Mkdir(filepath.Join(d.dir, "receipts"), 0o700))
	test(d)
}

func (d *desk) read() error {
	d.t.Helper()
	return d.way.Read(d.t.Context(), d.db, slog.New(slog.DiscardHandler))
}

func (d *desk) path(name string) string { return filepath.Join(d.dir, "receipts", name) }

// put writes a file that was last changed an hour ago.
func (d *desk) put(name, content string) {
	d.t.Helper()
	testkit.Must(d.t, os.WriteFile(d.path(name), []byte(content), 0o600))
	testkit.Must(d.t, os.Chtimes(d.path(name), time.Time{}, time.Now().Add(-time.Hour)))
}

// wantFiles expects the files of a folder below the receipts.
func (d *desk) wantFiles(folder string, want ...string) {
	d.t.Helper()
	entries, err := os.ReadDir(d.path(folder))
	testkit.Must(d.t, err)
	var got []string
	for _, e := range entries {
		if !e.IsDir() {
			got = append(got, e.Name())
		}
	}
	if !slices.Equal(got, want) {
		d.t.Errorf("receipts/%s holds %q, want %q", folder, got, want)
	}
}

// sent sends an invoice of a new creditor by a method, and returns the document and the shipment's name.
func (d *desk) sent(method models.ShipmentMethod) (models.Document, string) {
	d.t.Helper()
	c := rows.Creditor(d.t, d.db, func(c *models.Creditor) { c.EHFDefaultReference = "42" })
	to := rows.Customer(d.t, d.db, c, func(c *models.Customer) { c.Recipient.OrganisationNumber = "987654325" })
	i := rows.Invoice(d.t, d.db, c, rows.To(to), func(r *billing.InvoiceRequest) { r.Method = method })
	of, err := d.db.ShipmentsOf(d.t.Context(), i.Document())
	testkit.Must(d.t, err)
	rows.Write(d.t, d.db, func(tx *store.Tx) error {
		taken, err := shipments.TakeAll(d.t.Context(), tx, shipments.SecondLook{Rules: law.Default()}, []int64{of[0].ID}, "a worker")
		if err != nil {
			return err
		}
		_, err = shipments.Record(d.t.Context(), tx, taken[0], "a receipt", nil)
		return err
	})
	return i.Document(), of[0].Name(i.Number)
}

// became returns what became of a document, such as "EHF failed, EMAIL owed".
func (d *desk) became(of models.Document) string {
	d.t.Helper()
	all, err := d.db.ShipmentsOf(d.t.Context(), of)
	testkit.Must(d.t, err)
	var words []string
	for _, s := range all {
		words = append(words, fmt.Sprintf("%s %s", s.Method, s.State))
	}
	return strings.Join(words, ", ")
}

func report(shipment, state string) string {
	return fmt.Sprintf(`<report shipment="%s" state="%s" at="2026-03-02T15:04:05+01:00" reason="no such receiver"/>`, shipment, state)
}

func file(reports ...string) string { return "<reports>" + strings.Join(reports, "") + "</reports>" }

func TestS4aReceiptsOfAnAccessPointAreReadOnceByAnyNumberOfWorkers(t *testing.T) {
	t.Parallel()
	testkit.EachDatabase(t, func(t *testing.T, databaseURL string) { t.Parallel(); eachDesk(t, databaseURL, readOnce) })
}

func readOnce(d *desk) {
	refused, ehf := d.sent(models.ByEHF)
	arrived, other := d.sent(models.ByEHF)
	letter, paper := d.sent(models.ByPaper)
	d.put("1.xml", file(report(ehf, "failed"), report("999999999", "sent")))
	d.put("2.xml", file(report(paper, "returned"), report(other, "delivered")))
	d.put("3.xml", file(report(ehf, "failed")))
	d.put("broken.xml", file(report(ehf, "eaten")))
	d.put("hostile.xml", "")
	testkit.Must(d.t, os.Truncate(d.path("hostile.xml"), shipments.MaxReportFile+1))
	testkit.Must(d.t, os.Chtimes(d.path("hostile.xml"), time.Time{}, time.Now().Add(-time.Hour)))
	d.put(".hidden.xml", file())
	d.put("note.txt", file())
	testkit.Must(d.t, os.Symlink("/etc/hostname", d.path("link.xml")))
	testkit.Must(d.t, os.Mkdir(d.path("folder.xml"), 0o700))
	var workers sync.WaitGroup
	for range 2 {
		workers.Go(func() {
			if err := d.read(); err != nil {
				d.t.Error(err)
			}
		})
	}
	workers.Wait()
	d.wantFiles("", ".hidden.xml", "link.xml", "note.txt")
	d.wantFiles("done", "1.xml", "2.xml", "3.xml")
	d.wantFiles("rejected", "broken.xml", "hostile.xml")
	for of, want := range map[models.Document]string{refused: "EHF failed, EMAIL owed", arrived: "EHF delivered", letter: "PAPER sent"} {
		if got := d.became(of); got != want {
			d.t.Errorf("it is %q, want %q", got, want)
		}
	}
}

func TestS4aAReceiptThatIsBeingWrittenIsWaitedFor(t *testing.T) {
	t.Parallel()
	eachDesk(t, testkit.SQLite(t), func(d *desk) {
		of, ehf := d.sent(models.ByEHF)
		whole := file(report(ehf, "delivered"))
		for _, half := range []string{"", whole[:20], whole[:len(whole)-1]} {
			testkit.Must(d.t, os.WriteFile(d.path("1.xml"), []byte(half), 0o600))
			testkit.Must(d.t, d.read())
			d.wantFiles("", "1.xml")
		}
		if d.sftp != nil { // the server is away, and is asked the next time
			d.sftp.Kill()
			if err := d.read(); models.KindOf(err) != models.KindUnavailable {
				d.t.Errorf("the server is away, and it says %v", err)
			}
			d.sftp.Start()
		}
		testkit.Must(d.t, os.WriteFile(d.path("1.xml"), []byte(whole), 0o600))
		testkit.Must(d.t, d.read())
		d.wantFiles("")
		if got := d.became(of); got != "EHF delivered" {
			d.t.Errorf("it is %q", got)
		}
	})
}

// A worker is killed before it moves a receipt, or cannot move it.
func TestS4aAReceiptThatStaysWhereItIsDoesNoHarm(t *testing.T) {
	t.Parallel()
	eachDesk(t, testkit.SQLite(t), func(d *desk) {
		of, ehf := d.sent(models.ByEHF)
		next, other := d.sent(models.ByEHF)
		d.put("1.xml", file(report(ehf, "failed")))
		d.put("2.xml", file(report(other, "failed")))
		d.put("done", "somebody's own file")
		for range 2 {
			if err := d.read(); err == nil || models.KindOf(err) == models.KindUnavailable {
				d.t.Errorf("a receipt was moved, or there was no server: %v", err)
			}
		}
		d.wantFiles("", "1.xml", "2.xml", "done")
		testkit.Must(d.t, os.Remove(d.path("done")))
		testkit.Must(d.t, d.read())
		d.put("1.xml", file()) // a name that was there before
		testkit.Must(d.t, d.read())
		d.wantFiles("")
		entries, err := os.ReadDir(d.path("done"))
		testkit.Must(d.t, err)
		if len(entries) != 3 {
			d.t.Errorf("done holds %v", entries)
		}
		for _, of := range []models.Document{of, next} {
			if got := d.became(of); got != "EHF failed, EMAIL owed" {
				d.t.Errorf("it is %q", got)
			}
		}
	})
}
