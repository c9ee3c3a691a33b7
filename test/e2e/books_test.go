package e2e_test

import (
	"bytes"
	"database/sql"
	"fmt"
	"net/http"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"purr/models"
	"purr/test/testkit/smtpserver"
)

// books is what is left when the clients have gone: everything that must hold of it is checked against what
// they were told.
type books struct {
	t     *testing.T
	api   *client
	db    *sql.DB
	data  string
	where []string // the variables that tell a command where the installation is
	mails *smtpserver.Server
	sent  sightings
}

// check proves everything.
func (b *books) check(l *load) {
	b.t.Helper()
	if said := run(b.t, b.where, "verify"); said.code != 0 {
		b.t.Errorf("purr verify: exit code %d: %s%s", said.code, said.stdout, said.stderr)
	}
	b.none("SELECT id, document_kind, document_id, state, failure FROM shipments WHERE state NOT IN ('sent', 'withdrawn')", "shipments still owed")
	b.none("SELECT id, kind, business_date FROM runs WHERE state = 'started'", "runs not ended")
	b.none("SELECT id, filename, state FROM payment_files WHERE state IN ('received', 'importing')", "payment files not at their end")
	b.none("SELECT invoice_id, sequence, COUNT(*) FROM overdue_notices WHERE withdrawn IS NULL GROUP BY invoice_id, sequence HAVING COUNT(*) > 1", "steps taken twice")
	b.none("SELECT type, subject_id, COUNT(*) FROM events WHERE type IN ('invoice.created', 'credit_note.created', 'overdue_notice.created', 'shipment.sent', "+
		"'payment_file.imported', 'invoice.handed_over') GROUP BY type, subject_id, creditor_id HAVING COUNT(*) > 1", "events that came twice")
	const ends = "SELECT subject_id FROM events WHERE type IN ('payment_plan.broken', 'payment_plan.kept', 'payment_plan.ended')"
	b.none(ends+" GROUP BY subject_id HAVING COUNT(*) > 1", "payment plans that ended twice")
	b.none("SELECT id, state FROM payment_plans WHERE state IN ('broken', 'kept') AND id NOT IN ("+ends+")", "payment plans of whose end nobody was told")
	b.checkDocuments(l)
	b.checkEntries(l)
	b.checkLines(l)
	b.checkLetters()
	b.checkEmails()
	b.checkInbox()
}

// none fails for each row of the query.
func (b *books) none(text, what string) {
	b.t.Helper()
	if rows := query(b.t, b.db, text); len(rows) > 0 {
		b.t.Errorf("%s: %s", what, strings.Join(rows, "; "))
	}
}

// checkDocuments: each answered invoice is there once, with its number, and the series has no gap (rules D9, D18).
func (b *books) checkDocuments(l *load) {
	b.t.Helper()
	told, credited := map[string]int64{}, 0
	for _, i := range l.invoices {
		told[idOf(i.path)] = i.number
		if i.credited {
			credited++
		}
	}
	equal(b.t, "invoices that clients were told of, each its own", len(told), len(l.invoices))
	numbers := []int64{}
	for _, n := range b.api.List("/api/v1/invoices") {
		number := mustInt(b.t, n.At("invoice_number"))
		numbers = append(numbers, number)
		if told[idOf(n.At("@uri"))] != number {
			b.t.Errorf("invoice %s has number %d, clients were told %d", n.At("@uri"), number, told[idOf(n.At("@uri"))])
		}
	}
	equal(b.t, "number of invoices", len(numbers), len(l.invoices))
	notes := b.api.List("/api/v1/credit_notes")
	equal(b.t, "number of credit notes", len(notes), credited)
	for _, n := range notes {
		numbers = append(numbers, mustInt(b.t, n.At("invoice_number")))
	}
	slices.Sort(numbers)
	for i, n := range numbers {
		if n != int64(i+1) {
			b.t.Fatalf("the number series has %d where %d belongs", n, i+1)
		}
	}
}

// checkEntries: each answered payment was posted once, and each deleted one is gone (rules D31, D33).
func (b *books) checkEntries(l *load) {
	b.t.Helper()
	posted := map[string]models.Amount{}
	for _, row := range query(b.t, b.db, "SELECT invoice_id, SUM(amount) FROM entries WHERE credit_note_id = 0 AND type IN ('INVOICE', 'PAYMENT') GROUP BY invoice_id") {
		id, amount, _ := strings.Cut(row, " ")
		posted[id] = models.Amount(mustInt(b.t, amount))
	}
	for _, i := range l.invoices {
		if got := posted[idOf(i.path)]; got != i.owed {
			b.t.Errorf("%s: invoiced less paid by hand is %s, by what clients were told %s", i.path, got, i.owed)
		}
	}
}

// checkLines: each line of the bank's files was posted or queued once, in whatever files it came (rule E4).
func (b *books) checkLines(l *load) {
	b.t.Helper()
	byKID, invoice := map[string]models.Amount{}, map[string]string{}
	for _, i := range l.invoices {
		invoice[i.kid] = idOf(i.path)
	}
	strays := map[string]bool{}
	for _, line := range l.lines {
		amount, err := models.ParseAmount(line.amount)
		must(b.t, err)
		if _, known := invoice[line.kid]; known {
			byKID[invoice[line.kid]] -= amount
		} else {
			strays[fmt.Sprintf("%09d", line.reference)] = true
		}
	}
	for _, row := range query(b.t, b.db, "SELECT invoice_id, SUM(amount) FROM entries WHERE type = 'OCR' GROUP BY invoice_id") {
		id, amount, _ := strings.Cut(row, " ")
		if got := models.Amount(mustInt(b.t, amount)); got != byKID[id] {
			b.t.Errorf("invoice %s: the bank's payments come to %s, the files hold %s", id, got, byKID[id])
		}
		delete(byKID, id)
	}
	if len(byKID) > 0 {
		b.t.Errorf("payments in the bank's files that were not posted: %v", byKID)
	}
	queued := query(b.t, b.db, "SELECT archive_reference FROM unmatched_payments")
	equal(b.t, "number of unmatched payments", len(queued), len(strays))
	for _, reference := range queued {
		delete(strays, reference)
	}
	if len(strays) > 0 {
		b.t.Errorf("strays in the bank's files that were not queued: %v", strays)
	}
}

// checkLetters: each letter that was sent lies in the outbox once, with the document's own bytes (rules D35, R1).
func (b *books) checkLetters() {
	b.t.Helper()
	letters := readFolder(b.t, filepath.Join(b.data, "outbox", "paper"))
	sent := query(b.t, b.db, "SELECT id, document_kind, document_id FROM shipments WHERE state = 'sent' AND method = 'PAPER'")
	equal(b.t, "number of letters", len(letters), len(sent))
	for _, row := range sent {
		f := strings.Fields(row)
		found := 0
		for name, letter := range letters {
			if !strings.HasSuffix(name, "-shipment-"+f[0]+".pdf") {
				continue
			}
			found++
			if !bytes.Equal(letter, b.api.Get("/api/v1/"+f[1]+"/"+f[2]+"/pdf").PDF()) {
				b.t.Errorf("the letter %s is not the API's PDF", name)
			}
		}
		equal(b.t, "number of letters of shipment "+f[0], found, 1)
	}
}

// jobsAtOnce is how many jobs a worker does at once: the default of --concurrency.
const jobsAtOnce = 8

// messageID is how an e-mail names its shipment.
var messageID = regexp.MustCompile(`(?mi)^Message-ID:\s+<[a-z0-9-]+-shipment-(\d+)\.`)

func countByShipment(t *testing.T, messages []smtpserver.Message) map[string]int {
	t.Helper()
	count := map[string]int{}
	for _, m := range messages {
		id := messageID.FindSubmatch(m.Data)
		if id == nil {
			t.Fatalf("an e-mail does not name its shipment: %.300s", m.Data)
		}
		count[string(id[1])]++
	}
	return count
}

// checkEmails: each e-mail was sent, and none again that was recorded as sent. Only where a process was
// killed between the server's yes and the record is an e-mail sent twice, with the same Message-ID.
func (b *books) checkEmails() {
	b.t.Helper()
	messages := b.mails.Messages()
	all := countByShipment(b.t, messages)
	for _, id := range query(b.t, b.db, "SELECT id FROM shipments WHERE state = 'sent' AND method = 'EMAIL'") {
		if all[id] == 0 {
			b.t.Errorf("the e-mail of shipment %s is recorded as sent, and the server has none", id)
		}
		if seen, recorded := b.sent.emails[id]; recorded && all[id] != seen {
			b.t.Errorf("the e-mail of shipment %s was sent again after it was recorded as sent", id)
		}
	}
	inDoubt := 0
	for _, n := range all {
		inDoubt += n - 1
	}
	if most := b.sent.kills * jobsAtOnce; inDoubt > most {
		b.t.Errorf("%d e-mails were sent twice; the kills can have left %d in doubt", inDoubt, most)
	}
	b.t.Logf("%d e-mails, %d of them again because a kill left their sending in doubt", len(messages), inDoubt)
}

// checkInbox: every file that was put there has ended up in one folder, with one report (rule R5).
func (b *books) checkInbox() {
	b.t.Helper()
	inbox := filepath.Join(b.data, "inbox")
	left := len(readFolder(b.t, inbox)) + len(readFolder(b.t, filepath.Join(inbox, "processing")))
	equal(b.t, "files left in the inbox", left, 0)
	for _, folder := range []string{"done", "duplicate", "rejected"} {
		files := readFolder(b.t, filepath.Join(inbox, folder))
		for name := range files {
			of, report := strings.CutSuffix(name, ".report.xml")
			other := name + ".report.xml"
			if report {
				other = of
			}
			if _, found := files[other]; !found {
				b.t.Errorf("%s/%s is there without %s", folder, name, other)
			}
		}
	}
}

// checkDays: the run table has each business date once, done or missed (rule E6f).
func (b *books) checkDays(first, last time.Time) {
	b.t.Helper()
	days := int(last.Sub(first).Hours()+24) / 24
	for _, kind := range []string{"status", "verify", "dunning"} {
		rows := query(b.t, b.db, "SELECT COUNT(*), COUNT(DISTINCT business_date) FROM runs WHERE kind = ?", kind)
		if at := rows[0]; at != fmt.Sprintf("%d %d", days, days) && at != fmt.Sprintf("%d %d", days+1, days+1) && at != fmt.Sprintf("%d %d", days-1, days-1) {
			b.t.Errorf("runs of kind %s (rows, days): %s, want %d of each", kind, at, days)
		}
	}
}

// checkQueue: nothing waits in the queue, or for a person.
func (b *books) checkQueue() {
	b.t.Helper()
	eventually(b.t, "an empty queue", func() (bool, any) {
		metrics := b.api.send(b.t, call{method: "GET", path: "/metrics"}).Is(http.StatusOK)
		states := queueTasks.FindAllStringSubmatch(string(metrics.Body), -1)
		empty := len(states) > 0
		for _, s := range states {
			empty = empty && s[2] == "0"
		}
		return empty, states
	})
}

// queueTasks is how the metrics tell how many tasks are in a state.
var queueTasks = regexp.MustCompile(`(?m)^purr_queue_tasks{state="(\w+)"} (\d+)$`)

func mustInt(t *testing.T, s string) int64 {
	t.Helper()
	var n int64
	_, err := fmt.Sscan(s, &n)
	must(t, err)
	return n
}
