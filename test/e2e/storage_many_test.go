//go:build everywhere

package e2e_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"purr/internal/disk"
	"purr/models"
	"purr/store/archive"
	"purr/test/testkit"
	"purr/test/testkit/smtpserver"
)

// keptBefore is how many documents an installation has kept when it moves, unless PURR_TEST_DOCUMENTS says it. Each is as large as an invoice
// of purr's.
const keptBefore = 100_000

// copyPatience is how long a run of purr storage copy may take.
const copyPatience = 40 * time.Minute

// move is an installation that moves from its data folder to a bucket.
type move struct {
	t         *testing.T
	documents int
	data      string
	s3        *testkit.S3Process
	to        string // the bucket's URL
	mails     *smtpserver.Server
	gate      *gate
	process   *process
	original  []byte          // the PDF of which the others are made
	kept      map[string]bool // the SHA-256 of each of them
}

// TestK2bAHundredThousandDocumentsMoveWhilePurrRuns: purr storage copy is killed twice while clients send invoices, pay, credit and deliver bank files, goes
// on where it was, and brings what came since while purr is stopped. Then purr works on the bucket. Each SHA-256 is proved by purr storage check and by the
// test, and nothing that a client was told of is lost or there twice.
func TestK2bAHundredThousandDocumentsMoveWhilePurrRuns(t *testing.T) {
	m := &move{t: t, documents: keptBefore, data: t.TempDir(), mails: smtpserver.Start(t), gate: newGate(), kept: map[string]bool{}}
	if said := os.Getenv("PURR_TEST_DOCUMENTS"); said != "" {
		var err error
		m.documents, err = strconv.Atoi(said)
		must(t, err)
	}
	needed := int64(m.documents) * (120 << 10) // twice, and what clients do
	if free, err := disk.Free(m.data); err != nil || free < needed {
		t.Fatalf("%d MiB are free, and the documents take %d: let TMPDIR name a folder that has them (%v)", free>>20, needed>>20, err)
	}
	m.s3 = testkit.S3(t)
	m.to = m.s3.Direct("purr/fjord")
	ok(t, m.where(), "migrate")
	for _, c := range [][2]string{{"Fjord Rør AS", account}, {"Gamle Fjord AS", "86011117947"}} {
		ok(t, m.where(), "creditor", "create", "--name", c[0], "--bank-account", c[1], "--email", "post@fjord-ror.example")
	}
	key := func(creditor string) string {
		return strings.TrimSpace(ok(t, m.where(), "keys", "create", "--creditor", creditor))
	}
	api, old := newClient(t, m.gate.url, key("Fjord Rør AS")), newClient(t, m.gate.url, key("Gamle Fjord AS"))
	m.begin()
	m.keep(old)
	m.begin()
	l := m.load(api)

	began := time.Now()
	seen := m.killedAt(m.documents / 4)
	m.killedAt(2 * m.documents / 3)
	for name, put := range m.objects(0) {
		if first, was := seen[name]; was && first != put {
			t.Fatalf("%s was put again after a kill", name)
		}
	}
	there := len(m.objects(0))
	rest := m.copy()
	if rest.Brought > rest.Files-there || rest.Brought == 0 {
		t.Errorf("of %d files %d were there, and %d were brought", rest.Files, there, rest.Brought)
	}
	took := time.Since(began)
	t.Logf("%d files, killed twice, were brought in %s: %.0f a second, while clients were answered %d times", rest.Files, took.Round(time.Second), float64(rest.Files)/took.Seconds(), l.answers.Load())

	l.await(50) // what comes behind the copy
	l.calm.Lock()
	m.end()
	began = time.Now()
	last := m.copy()
	t.Logf("while purr was stopped %d files were looked at in %s, and the %d brought that had come since", last.Files, time.Since(began).Round(time.Second), last.Brought)
	if last.Brought == 0 {
		t.Error("nothing came while the copying went on")
	}
	m.same("archive", "outbox/paper", "inbox/done")
	m.begin("--storage-url", m.to)
	l.inbox = m.at("inbox")
	l.calm.Unlock()
	l.await(100)
	l.finish()
	m.prove(old)

	for _, folder := range []string{"processing", "duplicate", "rejected"} {
		must(t, os.MkdirAll(m.at("inbox/"+folder), 0o700)) // in a bucket there are no empty folders
	}
	b := books{t: t, api: api, db: openDatabase(t, "sqlite:"+filepath.Join(m.data, "purr.db")), data: m.at(""), where: append(m.where(), "PURR_STORAGE_URL="+m.to), mails: m.mails}
	b.checkQueue()
	b.check(l)
	m.end()
}

func (m *move) where() []string { return []string{"PURR_DATA=" + m.data} }

func (m *move) begin(more ...string) {
	m.process = begin(m.t, m.where(), append([]string{"serve", "--listen", "127.0.0.1:0", "--smtp-url", m.mails.URL()}, more...)...)
	m.gate.open(m.process, m.process.listening())
}

func (m *move) end() {
	m.t.Helper()
	m.gate.shut(m.process)
	equal(m.t, "exit code", m.process.terminate(), 0)
}

// at is where an object of the installation is a file.
func (m *move) at(path string) string { return filepath.Join(m.s3.Folder(), "purr", "fjord", path) }

// keep lets a creditor have so many invoices, whose PDFs are kept, past the program, which is stopped.
func (m *move) keep(old *client) {
	t := m.t
	db := openDatabase(t, "sqlite:"+filepath.Join(m.data, "purr.db"))
	first := old.invoice(t, invoiceOf{customer: old.customer(t, "Kari Nordmann"), days: 14, net: "1000.00", method: "EMAIL"})
	eventually(t, "the first has left", func() (bool, any) {
		sent := texts(old.Get(first.At("@uri")).Shown().All("shipments/shipment"), "sent_at")
		told := query(t, db, "SELECT id FROM events WHERE type = 'invoice.created'") // it is written down behind the answer
		return len(sent) == 1 && sent[0] != "" && len(told) == 1, sent
	})
	m.original = old.Get(first.At("@uri") + "/pdf").PDF()
	m.end()
	began := time.Now()
	tx, err := db.BeginTx(t.Context(), nil)
	must(t, err)
	exec := func(query string, args ...any) {
		t.Helper()
		if _, err := tx.ExecContext(t.Context(), query, args...); err != nil {
			t.Fatalf("%s: %v", query, err)
		}
	}
	exec("CREATE TEMPORARY TABLE made (n INTEGER PRIMARY KEY, kid TEXT, sum TEXT)")
	for n := 2; n <= m.documents; n++ {
		content := m.content(n)
		sum := archive.Sum(content)
		path := filepath.Join(m.data, "archive", sum[:2], sum)
		must(t, os.MkdirAll(filepath.Dir(path), 0o700))
		must(t, os.WriteFile(path, content, 0o600))
		m.kept[sum] = true
		exec("INSERT INTO made VALUES (?, ?, ?)", n, models.NewKID(fmt.Sprintf("%09d", n), models.Modulus10), sum)
	}
	m.kept[archive.Sum(m.original)] = true
	id := idOf(first.At("@uri"))
	for table, of := range map[string]struct {
		owner   string            // the column that names the invoice
		differs map[string]string // its columns that differ, but for the ID
	}{
		"invoices":           {"id", map[string]string{"id": "made.n", "number": "made.n", "kid": "made.kid", "pdf": "made.sum"}},
		"invoice_lines":      {"invoice_id", map[string]string{"invoice_id": "made.n"}},
		"entries":            {"invoice_id", map[string]string{"invoice_id": "made.n"}},
		"events":             {"type = 'invoice.created' AND x.invoice_id", map[string]string{"invoice_id": "made.n", "subject_id": "made.n"}},
		"payment_references": {"invoice_id", map[string]string{"invoice_id": "made.n", "kid": "made.kid"}},
	} {
		var into, values []string
		for _, column := range query(t, db, "SELECT name FROM pragma_table_info(?)", table) { // without what is generated
			if value, differs := of.differs[column]; differs {
				into, values = append(into, column), append(values, value)
			} else if column != "id" {
				into, values = append(into, column), append(values, "x."+column)
			}
		}
		exec(fmt.Sprintf("INSERT INTO %s (%s) SELECT %s FROM %[1]s x JOIN made WHERE x.%[4]s = ? ORDER BY made.n", table, strings.Join(into, ", "), strings.Join(values, ", "), of.owner), id)
	}
	exec("UPDATE number_series SET next_number = ? WHERE creditor_id = (SELECT creditor_id FROM invoices WHERE id = ?)", m.documents+1, id)
	must(t, tx.Commit())
	equal(t, "kept documents that differ", len(m.kept), m.documents)
	t.Logf("%d documents of %d bytes were made in %s", m.documents, len(m.original), time.Since(began).Round(time.Second))
}

// content is the PDF of an invoice: the first one's, with a comment behind it.
func (m *move) content(n int) []byte { return fmt.Appendf(bytes.Clone(m.original), "%% %d\n", n) }

// pace is how often each client does something: they are there to be held up or not, and not to fill the disk.
const pace = 250 * time.Millisecond

// load starts the clients.
func (m *move) load(api *client) *load {
	l := newLoad(m.t, api, testkit.Seed(m.t), filepath.Join(m.data, "inbox"))
	for _, work := range []func(*rand.Rand) error{l.issue, l.issue, l.pay, l.credit, l.bank, l.read} {
		next := time.NewTicker(pace)
		m.t.Cleanup(next.Stop)
		l.start(func(r *rand.Rand) error {
			<-next.C
			return work(r)
		})
	}
	return l
}

// objects returns the kept files in the bucket, each with when it was put, or nothing if there are fewer than that.
func (m *move) objects(least int) map[string]time.Time {
	m.t.Helper()
	folders, err := filepath.Glob(m.at("archive/*"))
	must(m.t, err)
	var found []string
	for _, f := range folders {
		names, err := os.ReadDir(f)
		must(m.t, err)
		for _, n := range names {
			found = append(found, filepath.Join(f, n.Name()))
		}
	}
	if len(found) < least {
		return nil
	}
	put := map[string]time.Time{}
	for _, path := range found {
		if info, err := os.Stat(path); err == nil {
			put[path] = info.ModTime()
		}
	}
	return put
}

// killedAt lets purr storage copy run until so many files are kept in the bucket, kills it, and returns them.
func (m *move) killedAt(files int) (seen map[string]time.Time) {
	m.t.Helper()
	drafts := m.t.TempDir()
	copying := begin(m.t, []string{"TMPDIR=" + drafts}, "storage", "copy", "file://"+m.data, m.to, "--json")
	began := time.Now()
	look := time.NewTicker(time.Second) // a look costs a tenth of that
	defer look.Stop()
	for late := time.After(copyPatience); seen == nil; {
		select {
		case <-copying.exited:
			m.t.Fatalf("purr storage copy has ended: %s%s", copying.stdout, copying.stderr)
		case <-late:
			m.t.Fatalf("%d files are not brought after %s: %s", files, copyPatience, copying.stderr)
		case <-look.C:
			seen = m.objects(files)
		}
	}
	copying.kill()
	if left := readFolder(m.t, drafts); len(left) > 0 {
		m.t.Errorf("it leaves %d files", len(left))
	}
	m.t.Logf("killed after %s, when %d files were there", time.Since(began).Round(time.Second), len(seen))
	return seen
}

// moved is what purr storage copy --json says.
type moved struct {
	Files, Left, Brought, Removed, Stayed int
	Faults                                []string
}

// copy lets purr storage copy run to its end.
func (m *move) copy() (done moved) {
	m.t.Helper()
	copying := begin(m.t, nil, "storage", "copy", "file://"+m.data, m.to, "--json")
	select {
	case <-copying.exited:
	case <-time.After(copyPatience):
		m.t.Fatalf("purr storage copy does not end: %s", copying.stderr)
	}
	must(m.t, json.Unmarshal([]byte(copying.stdout.String()), &done))
	if code := copying.command.ProcessState.ExitCode(); code != 0 || done.Left != 0 || done.Stayed != 0 || len(done.Faults) > 0 {
		m.t.Fatalf("purr storage copy ends with %d and %+v: %s", code, done, copying.stderr)
	}
	return done
}

// same fails unless folders of the installation hold the same bytes in the data folder and in the bucket.
func (m *move) same(folders ...string) {
	m.t.Helper()
	for _, folder := range folders {
		here, there := sums(m.t, filepath.Join(m.data, folder)), sums(m.t, m.at(folder))
		if len(here) == 0 || !maps.Equal(here, there) {
			m.t.Errorf("%s has %d files, and %d in the bucket, or other bytes", folder, len(here), len(there))
		}
	}
}

// sums returns the SHA-256 of each file of a folder that is not hidden or unfinished, by its path.
func sums(t *testing.T, folder string) map[string]string {
	t.Helper()
	found := map[string]string{}
	must(t, filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || !entry.Type().IsRegular() || strings.HasPrefix(entry.Name(), ".") || filepath.Base(filepath.Dir(path)) == "incoming" {
			return err
		}
		content, err := os.ReadFile(path)
		name, _ := filepath.Rel(folder, path)
		found[name] = archive.Sum(content)
		return err
	}))
	return found
}

// prove holds each kept file in the bucket against its name, and asks purr of all that the database names, and for some.
func (m *move) prove(old *client) {
	t := m.t
	t.Helper()
	db := openDatabase(t, "sqlite:"+filepath.Join(m.data, "purr.db"))
	named := query(t, db, "SELECT pdf FROM invoices WHERE pdf <> '' UNION SELECT pdf FROM credit_notes WHERE pdf <> '' UNION SELECT sha256 FROM payment_files WHERE state <> 'rejected'")
	found := map[string]bool{}
	for path, sum := range sums(t, m.at("archive")) {
		if path != filepath.Join(sum[:2], sum) {
			t.Errorf("%s has the SHA-256 %s", path, sum)
		}
		found[sum] = true
	}
	for sum := range m.kept {
		if !found[sum] {
			t.Errorf("%s is lost", sum)
		}
	}
	for _, sum := range named {
		if !found[sum] {
			t.Errorf("%s, which the database names, is lost", sum)
		}
	}
	began := time.Now()
	said := ok(t, append(m.where(), "PURR_STORAGE_URL="+m.to), "storage", "check")
	var files int
	if _, err := fmt.Sscanf(said, "%d kept files, 0 lost or damaged\n", &files); err != nil || files < len(named) {
		t.Errorf("purr storage check says %s of %d files or more: %v", said, len(named), err)
	}
	t.Logf("purr storage check, beside a purr that works, proved %d files in %s", files, time.Since(began).Round(time.Second))
	ids := query(t, db, "SELECT id || ':' || number FROM invoices WHERE creditor_id = (SELECT id FROM creditors WHERE name = 'Gamle Fjord AS') AND number % 1999 = 2 ORDER BY number")
	for _, of := range ids {
		id, number, _ := strings.Cut(of, ":")
		if got := old.Get("/api/v1/invoice/" + id + "/pdf").PDF(); !bytes.Equal(got, m.content(int(mustInt(t, number)))) {
			t.Errorf("the PDF of invoice %s is another one", number)
		}
	}
}
