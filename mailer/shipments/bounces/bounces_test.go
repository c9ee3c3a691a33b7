package bounces_test

import (
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"purr/billing"
	"purr/internal/storage"
	"purr/law"
	"purr/mailer/shipments"
	"purr/mailer/shipments/bounces"
	"purr/models"
	"purr/store"
	"purr/test/testkit"
	"purr/test/testkit/rows"
)

// office is an installation with an e-mail that has left.
type office struct {
	t    *testing.T
	db   *store.DB
	data string
	dir  string // DATA/reports
	id   int64  // the e-mail's shipment
	eml  string // a delivery report of it
}

func newOffice(t *testing.T, databaseURL string) *office {
	t.Helper()
	o := &office{t: t, db: rows.Open(t, databaseURL), data: t.TempDir()}
	o.dir = filepath.Join(o.data, "reports")
	creditor := rows.Creditor(t, o.db)
	to := rows.Customer(t, o.db, creditor, func(c *models.Customer) { c.Recipient.Email = "kari@kunde.example" })
	i := rows.Invoice(t, o.db, creditor, rows.To(to), func(r *billing.InvoiceRequest) { r.Method = models.ByEmail })
	of, err := o.db.ShipmentsOf(t.Context(), i.Document())
	testkit.Must(t, err)
	o.id = of[0].ID
	rows.Write(t, o.db, func(tx *store.Tx) error {
		taken, err := shipments.TakeAll(t.Context(), tx, shipments.SecondLook{Rules: law.Default()}, []int64{o.id}, "a worker")
		if err != nil {
			return err
		}
		_, err = shipments.Record(t.Context(), tx, taken[0], "250 ok", nil)
		return err
	})
	key, err := o.db.BounceKey(t.Context())
	testkit.Must(t, err)
	report, err := os.ReadFile("../../bounce/testdata/postfix.eml")
	testkit.Must(t, err)
	o.eml = strings.ReplaceAll(string(report), "7-k3pq5d2xw7anm4zr", shipments.Tag(key, o.shipment()))
	return o
}

func (o *office) shipment() models.Shipment {
	o.t.Helper()
	s, err := o.db.Shipment(o.t.Context(), o.id)
	testkit.Must(o.t, err)
	return s
}

func (o *office) open() *bounces.Folder {
	o.t.Helper()
	f, err := bounces.Open(storage.Folder(o.dir), o.db, slog.New(slog.DiscardHandler))
	testkit.Must(o.t, err)
	return f
}

// put writes a file that was last changed some time ago.
func (o *office) put(name, content string, ago time.Duration) {
	o.t.Helper()
	path := filepath.Join(o.dir, name)
	testkit.Must(o.t, os.WriteFile(path, []byte(content), 0o600))
	at := time.Now().Add(-ago)
	testkit.Must(o.t, os.Chtimes(path, at, at))
}

func (o *office) wantFiles(folder string, want ...string) {
	o.t.Helper()
	entries, err := os.ReadDir(filepath.Join(o.dir, folder))
	testkit.Must(o.t, err)
	var got []string
	for _, e := range entries {
		if e.Name() != "done" {
			got = append(got, e.Name())
		}
	}
	if !slices.Equal(got, want) {
		o.t.Errorf("reports/%s holds %q, want %q", folder, got, want)
	}
}

func (o *office) wantFailures(want int) {
	o.t.Helper()
	s := o.shipment()
	events, err := o.db.Events(o.t.Context(), s.CreditorID, 0, 100)
	testkit.Must(o.t, err)
	got := 0
	for _, e := range events {
		if e.Type == models.EventShipmentFailed {
			got++
		}
	}
	if failed := s.State == models.ShipmentFailed; got != want || failed != (want > 0) {
		o.t.Errorf("the shipment is %s, with %d events of that it failed, want %d", s.State, got, want)
	}
}

func eachOffice(t *testing.T, test func(t *testing.T, o *office)) {
	t.Helper()
	t.Parallel()
	testkit.EachDatabase(t, func(t *testing.T, databaseURL string) {
		t.Parallel()
		test(t, newOffice(t, databaseURL))
	})
}

func TestS3aTwoProcessesReadAFolder(t *testing.T) {
	eachOffice(t, func(t *testing.T, o *office) {
		folders := []*bounces.Folder{o.open(), o.open(), o.open()}
		var names []string
		for n := range 5 {
			names = append(names, fmt.Sprintf("%d.eml", n))
			o.put(names[n], o.eml, 3*time.Second)
		}
		var all sync.WaitGroup
		for _, f := range folders {
			all.Go(func() {
				if err := f.Poll(t.Context()); err != nil {
					t.Error(err)
				}
			})
		}
		all.Wait()
		o.wantFiles("")
		o.wantFiles("done", names...)
		o.wantFailures(1)
	})
}

func TestS3aAFileThatIsStillBeingWrittenWaits(t *testing.T) {
	t.Parallel()
	o := newOffice(t, testkit.SQLite(t))
	f := o.open()
	half, _, _ := strings.Cut(o.eml, "Diagnostic-Code")
	header := o.eml[:200]
	o.put("fresh.eml", o.eml, 0)
	o.put("half.eml", half, time.Minute)
	o.put("header.eml", header, time.Minute)
	o.put("empty.eml", "", time.Minute)
	o.put(".hidden.eml", o.eml, time.Hour)
	o.put("copying.eml.part", o.eml, time.Hour)
	testkit.Must(t, f.Poll(t.Context()))
	o.wantFiles("", ".hidden.eml", "copying.eml.part", "empty.eml", "fresh.eml", "half.eml", "header.eml")
	o.wantFailures(0)

	o.put("fresh.eml", o.eml, 3*time.Second)
	o.put("half.eml", half, 6*time.Minute) // it gets no longer
	o.put("header.eml", header, 6*time.Minute)
	o.put("empty.eml", "", 6*time.Minute)
	testkit.Must(t, f.Poll(t.Context()))
	o.wantFiles("", ".hidden.eml", "copying.eml.part")
	o.wantFiles("done", "empty.eml", "fresh.eml", "half.eml", "header.eml")
	o.wantFailures(1)
}

func TestS3aWhatElseLiesInTheFolder(t *testing.T) {
	t.Parallel()
	o := newOffice(t, testkit.SQLite(t))
	f := o.open()
	testkit.Must(t, os.Mkdir(filepath.Join(o.dir, "folder.eml"), 0o700))
	testkit.Must(t, syscall.Mkfifo(filepath.Join(o.dir, "pipe.eml"), 0o600))
	testkit.Must(t, os.Symlink("/dev/zero", filepath.Join(o.dir, "zeros.eml")))
	o.put("invoice.pdf", "%PDF", time.Hour)
	o.put("a.eml", "garbage", time.Hour)
	o.put("huge.eml", "To: x\n\n", 0)
	testkit.Must(t, os.Truncate(filepath.Join(o.dir, "huge.eml"), 1<<40)) // with a hole of a terabyte
	past := time.Now().Add(-time.Hour)
	testkit.Must(t, os.Chtimes(filepath.Join(o.dir, "huge.eml"), past, past))
	o.put("z.eml", o.eml, time.Hour)
	testkit.Must(t, f.Poll(t.Context()))
	o.put("Z.EML", o.eml, time.Hour)
	o.put("z.eml", "of the same name", time.Hour)
	testkit.Must(t, f.Poll(t.Context()))
	o.wantFiles("", "folder.eml", "invoice.pdf", "pipe.eml", "zeros.eml")
	o.wantFiles("done", "Z.EML", "a.eml", "huge.eml", "z-2.eml", "z.eml")
	o.wantFailures(1)
}

// TestS3aKilledBetweenTheRowsAndTheFile leaves a report in the folder that was read already.
func TestS3aKilledBetweenTheRowsAndTheFile(t *testing.T) {
	t.Parallel()
	o := newOffice(t, testkit.SQLite(t))
	f := o.open()
	o.put("a.eml", o.eml, time.Hour)
	done := filepath.Join(o.dir, "done")
	testkit.Must(t, os.Remove(done))
	testkit.Must(t, os.WriteFile(done, nil, 0o600)) // so that it cannot be moved
	if err := f.Poll(t.Context()); err == nil {
		t.Error("it was moved")
	}
	testkit.Must(t, os.Remove(done))
	o.wantFailures(1)
	o.wantFiles("", "a.eml")
	testkit.Must(t, o.open().Poll(t.Context())) // the next start
	o.wantFailures(1)
	o.wantFiles("done", "a.eml")
}

func TestS3aWhatADatabaseCannotTakeStays(t *testing.T) {
	t.Parallel()
	o := newOffice(t, testkit.SQLite(t))
	f := o.open()
	testkit.Must(t, bounces.Keep(t.Context(), storage.Folder(o.dir), []byte(o.eml)))
	o.put("a.eml", o.eml, time.Hour)
	testkit.Must(t, o.db.Close())
	if err := f.Poll(t.Context()); err == nil {
		t.Error("it was read without a database")
	}
	if left, err := filepath.Glob(filepath.Join(o.dir, "*.eml")); err != nil || len(left) != 2 {
		t.Errorf("left are %v, %v", left, err)
	}
	if err := bounces.Keep(t.Context(), storage.Folder(filepath.Join(o.data, "none")), []byte(o.eml)); err == nil {
		t.Error("it was kept where there is no installation")
	}
}
