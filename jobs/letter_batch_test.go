package jobs

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/xml"
	"fmt"
	"io"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"purr/internal/remote"
	"purr/mailer/dispatch"
	"purr/mailer/letters"
	"purr/mailer/shipments"
	"purr/mailer/shipments/receipts"
	"purr/models"
	"purr/store"
	"purr/test/testkit"
	"purr/test/testkit/rows"
)

// shop is a print shop for tests: a folder on a real SFTP server, and the line to it, which a test can cut.
type shop struct {
	dir    string
	access remote.Access
	left   atomic.Int64 // bytes that may still go to the server; then the line breaks
	sent   atomic.Int64
}

// whole is more than is ever sent.
const whole = 1 << 40

// printShop gives the office a print shop, to which its letters go from now on.
func (o *office) printShop(t *testing.T, server *testkit.SFTPProcess) *shop {
	t.Helper()
	s := &shop{dir: t.TempDir()}
	s.left.Store(whole)
	u, err := url.Parse(server.Folder(s.dir))
	must(t, err)
	u.Host = s.line(t, u.Host)
	s.access = remote.Access{URL: u.String(), KeyFile: server.KeyFile, HostKey: server.HostKey, Prefix: "letters"}
	known, err := remote.NewServer(s.access)
	must(t, err)
	o.worker.Dispatch.Shop, o.worker.Receipts = letters.NewShop(known), []*receipts.Way{receipts.FromServer(models.ByPaper, known, 15*time.Minute)}
	o.worker.Dispatch.Ways = models.Ways{models.ByPaper: models.WaySFTP}
	o.scheduler.Shop, o.scheduler.Receipts = o.worker.Dispatch.Shop, o.worker.Receipts
	return s
}

// line passes connections on to a server, and returns its own address.
func (s *shop) line(t *testing.T, to string) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	t.Cleanup(func() { _ = listener.Close() })
	go func() {
		for {
			from, err := listener.Accept()
			if err != nil {
				return
			}
			server, err := net.Dial("tcp", to)
			if err != nil {
				_ = from.Close()
				continue
			}
			go func() {
				_, _ = io.Copy(from, server)
				_ = from.Close()
			}()
			go s.pass(server, from)
		}
	}()
	return listener.Addr().String()
}

// pass passes bytes to the server until the line breaks.
func (s *shop) pass(server, from net.Conn) {
	defer func() { _, _ = server.Close(), from.Close() }()
	part := make([]byte, 512)
	for {
		n, err := from.Read(part)
		if err != nil || s.left.Add(-int64(n)) < 0 {
			return
		}
		s.sent.Add(int64(n))
		if _, err := server.Write(part[:n]); err != nil {
			return
		}
	}
}

// manifested is a manifest as a print shop reads it.
type manifested struct {
	ID      string `xml:"id,attr"`
	Count   int    `xml:"letters,attr"`
	Letters []struct {
		ID     string `xml:"id,attr"`
		File   string `xml:"file,attr"`
		Ticket string `xml:"ticket,attr"`
		SHA256 string `xml:"sha256,attr"`
		Pages  int    `xml:"pages,attr"`
	} `xml:"letter"`
}

// printed returns the names of the letters in all manifests, sorted. It checks that each file is what the manifest says.
func (s *shop) printed(t *testing.T) (names []string) {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(s.dir, "*.manifest.xml"))
	must(t, err)
	for _, path := range paths {
		var m manifested
		raw, err := os.ReadFile(path)
		must(t, err)
		must(t, xml.Unmarshal(raw, &m))
		if m.ID+".manifest.xml" != filepath.Base(path) || m.Count != len(m.Letters) {
			t.Errorf("%s says %s of %d letters: %d", path, m.ID, m.Count, len(m.Letters))
		}
		for _, l := range m.Letters {
			file, err := os.ReadFile(filepath.Join(s.dir, l.File))
			must(t, err)
			if sum := sha256.Sum256(file); hex.EncodeToString(sum[:]) != l.SHA256 || l.Pages != 1 || l.File != l.ID+".pdf" {
				t.Errorf("%s is not the letter of the manifest %+v", l.File, l)
			}
			ticket, err := os.ReadFile(filepath.Join(s.dir, l.Ticket))
			must(t, err)
			if !strings.Contains(string(ticket), l.SHA256) {
				t.Errorf("the ticket is %s", ticket)
			}
			names = append(names, l.ID)
		}
	}
	slices.Sort(names)
	return names
}

// each letter of the invoices must be printed once, and say so.
func (o *office) wantPrinted(t *testing.T, s *shop, invoices ...models.Invoice) {
	t.Helper()
	var want []string
	for _, i := range invoices {
		letter := o.shipments(t, i.Document())[0]
		want = append(want, letter.Name(i.Number))
		if letter.State != models.ShipmentSent || letter.InHand() || !strings.HasPrefix(letter.Receipt, "batch-") {
			t.Errorf("invoice %d is %s with the receipt %q in the hand of %q %d: %s", i.Number, letter.State, letter.Receipt, letter.TakenBy, letter.BatchID, letter.Reason)
		}
	}
	slices.Sort(want)
	if got := s.printed(t); !slices.Equal(got, want) {
		t.Errorf("printed are\n\t%q, want\n\t%q", got, want)
	}
}

func TestS4aLettersGoInBatchesOfOneCreditor(t *testing.T) {
	eachOffice(t, func(t *testing.T, o *office) {
		s := o.printShop(t, testkit.SFTPServer(t))
		o.work(t, 2)
		a, b := rows.Creditor(t, o.db), rows.Creditor(t, o.db)
		invoices := []models.Invoice{rows.Invoice(t, o.db, a), rows.Invoice(t, o.db, b), rows.Invoice(t, o.db, a)}
		o.settle(t)
		o.wantPrinted(t, s, invoices...)
		first, second := o.shipments(t, invoices[0].Document())[0], o.shipments(t, invoices[2].Document())[0]
		if other := o.shipments(t, invoices[1].Document())[0]; first.Receipt != second.Receipt || other.Receipt == first.Receipt {
			t.Errorf("the batches are %s, %s and %s", first.Receipt, second.Receipt, other.Receipt)
		}
		wantLines(t, o.events(t, b, models.EventShipmentSent), "03-02 11:00:00 shipment.sent Invoice 1 on paper sent")
		o.advance(t, time.Hour)
		if n := len(s.printed(t)); n != 3 {
			t.Errorf("%d letters are printed in the end", n)
		}
	})
}

// takeBatch takes a creditor's letters for the office's worker.
func (o *office) takeBatch(t *testing.T, c models.Creditor) (b *dispatch.Batch) {
	t.Helper()
	o.take(t, func(tx *store.Tx) (taken bool, err error) {
		b, taken, err = o.worker.Dispatch.TakeBatch(t.Context(), tx, c.ID, o.holder.self.worker)
		return taken, err
	})
	return b
}

// TestS6AKilledBatchIsPrintedOnce kills a worker after every part of what it sends to the print shop. The next worker finds
// what it left behind.
func TestS6AKilledBatchIsPrintedOnce(t *testing.T) {
	eachOffice(t, func(t *testing.T, o *office) {
		s := o.printShop(t, testkit.SFTPServer(t))
		c := rows.Creditor(t, o.db)
		var all []models.Invoice
		issue := func() {
			for range 2 {
				all = append(all, rows.Invoice(t, o.db, c))
			}
		}
		dieAfter := func(bytes int64) {
			issue()
			o.holder = o.join(t)
			s.left.Store(bytes)
			b := o.takeBatch(t, c)
			_ = b.Bring(t.Context(), func() error { return nil }) // nothing is noted of what came of it
			o.holder.die()
			s.left.Store(whole)
			o.worker.Holder = o.join(t) // it buries the dead
			must(t, o.worker.batch(t.Context(), batchPayload{c.ID}))
			o.clock.Set(o.clock.Now().Add(time.Minute)) // what was given up has its pause
			must(t, o.worker.batch(t.Context(), batchPayload{c.ID}))
			o.wantPrinted(t, s, all...)
		}
		s.sent.Store(0)
		dieAfter(whole)
		total := s.sent.Load() / 2 // the next worker signs in too, but finds the manifest there
		const parts = 10
		for n := range int64(parts) {
			dieAfter(total * (n + 5) / parts)
		}
	})
}

// TestS6ABatchThatTheShopTookAwayIsTheSameAgain: the shop takes files away as soon as it has them, and the worker dies before
// it notes that the shop has them.
func TestS6ABatchThatTheShopTookAwayIsTheSameAgain(t *testing.T) {
	eachOffice(t, func(t *testing.T, o *office) {
		s := o.printShop(t, testkit.SFTPServer(t))
		c := rows.Creditor(t, o.db)
		invoice := rows.Invoice(t, o.db, c)
		b := o.takeBatch(t, c)
		must(t, b.Bring(t.Context(), func() error { return nil }))
		before := s.takeAway(t)
		o.holder.die()
		o.worker.Holder = o.join(t)
		must(t, o.worker.batch(t.Context(), batchPayload{c.ID}))
		o.wantPrinted(t, s, invoice)
		if after := s.takeAway(t); !slices.Equal(before, after) {
			t.Errorf("it came as\n%q\nand then as\n%q", before, after)
		}
	})
}

// takeAway takes all files out of the folder, and returns them.
func (s *shop) takeAway(t *testing.T) (files []string) {
	t.Helper()
	entries, err := os.ReadDir(s.dir)
	must(t, err)
	for _, e := range entries {
		content, err := os.ReadFile(filepath.Join(s.dir, e.Name()))
		must(t, err)
		files = append(files, e.Name()+" "+string(content))
		must(t, os.Remove(filepath.Join(s.dir, e.Name())))
	}
	return files
}

// TestR5cThePrintShopIsAwayForADay gives the letters up in the end, as with any channel, and a person has them sent again.
func TestR5cThePrintShopIsAwayForADay(t *testing.T) {
	eachOffice(t, func(t *testing.T, o *office) {
		s := o.printShop(t, testkit.SFTPServer(t))
		s.left.Store(0)
		o.work(t, 2)
		c := rows.Creditor(t, o.db)
		invoice := rows.Invoice(t, o.db, c)
		o.advance(t, time.Hour)
		if letter := o.shipments(t, invoice.Document())[0]; letter.State != models.ShipmentOwed || letter.Attempts < 5 || !strings.Contains(letter.Reason, "not available") {
			t.Errorf("after an hour the letter is %s after %d attempts: %s", letter.State, letter.Attempts, letter.Reason)
		}
		o.advance(t, 24*time.Hour)
		letter := o.shipments(t, invoice.Document())[0]
		if letter.State != models.ShipmentFailed || !letter.GivenUp || letter.InHand() {
			t.Fatalf("after a day the letter is %+v", letter)
		}
		s.left.Store(whole)
		rows.Write(t, o.db, func(tx *store.Tx) error {
			_, err := shipments.Retry(t.Context(), tx, letter.ID, shipments.Again{}, "Kari")
			return err
		})
		o.settle(t)
		o.wantPrinted(t, s, invoice)
	})
}

// TestD107APrintShopThatLetsNobodyInKeepsTheLettersOwed: a key that the shop does not know is the operator's to set right.
func TestD107APrintShopThatLetsNobodyInKeepsTheLettersOwed(t *testing.T) {
	eachOffice(t, func(t *testing.T, o *office) {
		s := o.printShop(t, testkit.SFTPServer(t))
		right, printed := o.worker.Dispatch.Shop, []models.Invoice(nil)
		for name, wrong := range map[string]remote.Access{
			"a password": {Password: "wrong", HostKey: s.access.HostKey},
			"a host key": {KeyFile: s.access.KeyFile, HostKey: "SHA256:" + strings.Repeat("A", 43)},
		} {
			wrong.URL, wrong.Prefix = s.access.URL, s.access.Prefix
			stranger, err := remote.NewServer(wrong)
			must(t, err)
			o.worker.Dispatch.Shop = letters.NewShop(stranger)
			c := rows.Creditor(t, o.db)
			invoice := rows.Invoice(t, o.db, c)
			for range 12 {
				must(t, o.worker.batch(t.Context(), batchPayload{c.ID}))
				o.clock.Set(o.clock.Now().Add(6 * time.Hour))
			}
			letter := o.shipments(t, invoice.Document())[0]
			if letter.State != models.ShipmentOwed || letter.KeptBack != models.KeptRefused || letter.Attempts < 5 || !strings.Contains(letter.Reason, "refuses it") {
				t.Errorf("with %s the letter is %s after %d attempts: %s", name, letter.State, letter.Attempts, letter.Reason)
			}
			must(t, o.db.NumberEvents(t.Context()))
			if told := o.events(t, c, models.EventWayRefused); len(told) == 0 || len(told) > 4 {
				t.Errorf("with %s a person was told %q", name, told)
			}
			o.worker.Dispatch.Shop = right
			must(t, o.worker.batch(t.Context(), batchPayload{c.ID}))
			printed = append(printed, invoice)
			o.wantPrinted(t, s, printed...)
		}
	})
}

// TestS1bReturnedMailComesAsAReceipt: a receipt tells that a letter came back. Further letters to the customer
// stay out of the batches. Receipts that cannot be read are put aside.
func TestS1bReturnedMailComesAsAReceipt(t *testing.T) {
	eachOffice(t, func(t *testing.T, o *office) {
		s := o.printShop(t, testkit.SFTPServer(t))
		o.work(t, 2)
		c := rows.Creditor(t, o.db)
		customer := rows.Customer(t, o.db, c)
		invoice := rows.Invoice(t, o.db, c, rows.To(customer))
		o.settle(t)
		name := o.shipments(t, invoice.Document())[0].Name(invoice.Number)
		folder := filepath.Join(s.dir, "receipts")
		must(t, os.Mkdir(folder, 0o700))
		for file, content := range map[string]string{
			"1.xml": fmt.Sprintf(`<reports><report shipment="%s" state="sent" at="2026-03-02T10:00:00+01:00"/></reports>`, name),
			"2.xml": fmt.Sprintf(`<reports><report shipment="%s" state="returned" at="2026-03-02T11:00:00+01:00" reason="moved"/><report shipment="999" state="sent" at="2026-03-02T10:00:00Z"/></reports>`, name),
			"3.xml": `<reports><report shipment="1" state="eaten"`,
			"4.txt": "no receipt",
		} {
			must(t, os.WriteFile(filepath.Join(folder, file), []byte(content), 0o600))
			must(t, os.Chtimes(filepath.Join(folder, file), time.Time{}, time.Now().Add(-time.Hour))) // it is no longer being written
		}
		next := rows.Invoice(t, o.db, c, rows.To(customer))
		o.scheduler.Shop = nil // first the receipts
		o.clock.Set(o.clock.Now().Add(20 * time.Minute))
		must(t, o.worker.receipts(t.Context(), receiptsPayload{models.ByPaper}))
		o.scheduler.Shop = o.worker.Dispatch.Shop
		o.settle(t)
		if letter := o.shipments(t, invoice.Document())[0]; letter.State != models.ShipmentReturned || letter.Reason != "moved" {
			t.Errorf("the letter is %s: %s", letter.State, letter.Reason)
		}
		if letter := o.shipments(t, next.Document())[0]; letter.State != models.ShipmentOwed || letter.Reason != models.LettersHeldReason || len(s.printed(t)) != 1 {
			t.Errorf("the next letter is %s: %s; printed are %q", letter.State, letter.Reason, s.printed(t))
		}
		for _, path := range []string{"done/1.xml", "done/2.xml", "rejected/3.xml", "4.txt"} {
			if _, err := os.Stat(filepath.Join(folder, path)); err != nil {
				t.Error(err)
			}
		}
		o.clock.Set(o.clock.Now().Add(20 * time.Minute))
		must(t, os.WriteFile(filepath.Join(folder, "1.xml"), []byte("<reports/>"), 0o600)) // a name that was there before
		must(t, o.worker.receipts(t.Context(), receiptsPayload{models.ByPaper}))
		if done, err := os.ReadDir(filepath.Join(folder, "done")); err != nil || len(done) != 3 {
			t.Errorf("done are %v, %v", done, err)
		}
	})
}

// TestS4aABatchIsOfOneDay lets a batch stand over midnight before it is sealed.
func TestS4aABatchIsOfOneDay(t *testing.T) {
	eachOffice(t, func(t *testing.T, o *office) {
		s := o.printShop(t, testkit.SFTPServer(t))
		c := rows.Creditor(t, o.db)
		invoice := rows.Invoice(t, o.db, c)
		b := o.takeBatch(t, c)
		s.left.Store(0)
		if err := b.Bring(t.Context(), func() error { return nil }); err == nil || o.shipments(t, invoice.Document())[0].BatchID != b.ID {
			t.Errorf("the letter is not gathered, or the shop is not away: %v", err)
		}
		s.left.Store(whole)
		o.clock.Set(o.clock.Now().Add(20 * time.Hour))
		if err := b.Bring(t.Context(), func() error { return nil }); models.KindOf(err) != models.KindUnavailable || len(s.printed(t)) != 0 {
			t.Errorf("%v, printed are %q", err, s.printed(t))
		}
		rows.Write(t, o.db, func(tx *store.Tx) error {
			_, err := b.Record(t.Context(), tx, context.DeadlineExceeded)
			return err
		})
		for range 2 {
			must(t, o.worker.batch(t.Context(), batchPayload{c.ID}))
			o.clock.Set(o.clock.Now().Add(time.Minute))
		}
		o.wantPrinted(t, s, invoice)
	})
}
