//go:build chaos

package chaos_test

import (
	"context"
	"database/sql"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"
)

// owedWithin is how long after the faults have ended everything that is owed must be done (rule S6).
const owedWithin = 30 * time.Second

// check holds what is left against everything that must hold of it.
func (r *round) check(l *load) {
	r.awaitOwed()
	for _, s := range l.readers {
		r.follow(s)
		r.checkReader(s)
	}
	r.checkEffects()
	r.checkNumbers()
	r.checkInvoices()
	r.checkLines()
	r.checkShipments()
	r.checkHandOvers()
	r.checkWebhooks()
	r.none("runs of a date that were made twice", "SELECT creditor_id, kind, business_date FROM runs GROUP BY creditor_id, kind, business_date HAVING COUNT(*) > 1")
	r.none("steps of dunning that were taken twice", "SELECT invoice_id, sequence FROM overdue_notices WHERE withdrawn IS NULL GROUP BY invoice_id, sequence HAVING COUNT(*) > 1")
	r.none("invoices that were dunned of twice on a day", "SELECT invoice_id, issue_date FROM overdue_notices WHERE withdrawn IS NULL GROUP BY invoice_id, issue_date HAVING COUNT(*) > 1")
	r.none("acts that were logged twice", "SELECT creditor_id, type, subject_id FROM events WHERE type IN ('invoice.created', 'credit_note.created', "+
		"'overdue_notice.created', 'shipment.sent', 'payment_file.imported', 'payment.registered', 'collection_bundle.delivered') GROUP BY creditor_id, type, subject_id HAVING COUNT(*) > 1")
	r.verify()
}

// debts are the rows that owe something.
var debts = []struct{ what, rows string }{
	{"shipments", "FROM shipments WHERE state = 'owed'"},
	{"payment files", "FROM payment_files WHERE state IN ('received', 'importing')"},
	{"runs", "FROM runs WHERE state = 'started'"},
	{"hand-overs", "FROM hand_overs WHERE state IN ('owed', 'taken_back')"},
	{"deliveries to webhooks", "FROM webhook_deliveries WHERE state = 'pending'"},
}

// awaitOwed waits until nothing is owed any more. A test clock moves once more meanwhile: a disk that was full may have kept a failure
// from being noted until after its last move, and the next attempt is some seconds later.
func (r *round) awaitOwed() {
	began := time.Now()
	moved := !r.setup.testClock
	for {
		owed := r.owed()
		if len(owed) == 0 {
			r.note("nothing is owed any more")
			return
		}
		if !moved && time.Since(began) > owedWithin/3 {
			moved = true
			r.advance(time.Hour)
		}
		if time.Since(began) > owedWithin {
			for _, d := range debts {
				for _, row := range r.query("SELECT * " + d.rows) {
					r.note("owed by %.500s", row)
				}
			}
			r.noteTasks()
			r.find("still owed %s after all was put back: %s", owedWithin, strings.Join(owed, "; "))
			return
		}
		<-time.After(100 * time.Millisecond)
	}
}

// noteTasks notes what the queue holds.
func (r *round) noteTasks() {
	if !r.setup.servers() {
		return
	}
	client, err := r.world.redisClient()
	must(r.t, err)
	defer func() { _ = client.Close() }()
	ctx := context.Background()
	for _, key := range client.Keys(ctx, "asynq:*:t:*").Val() {
		r.note("the queue holds %s: %v", key, client.HMGet(ctx, key, "state", "pending_since").Val())
	}
}

func (r *round) owed() (owed []string) {
	for _, d := range debts {
		if ids := r.query("SELECT id " + d.rows); len(ids) > 0 {
			owed = append(owed, fmt.Sprintf("%s %s", d.what, strings.Join(ids, " ")))
		}
	}
	for _, folder := range []string{"inbox", "inbox/processing"} {
		if names := r.files(folder); len(names) > 0 {
			owed = append(owed, "files in "+folder+": "+strings.Join(names, " "))
		}
	}
	return owed
}

// files returns the names of the plain files in a folder of the archive, the outboxes or the inbox.
func (r *round) files(folder string) (names []string) {
	kept, _ := r.kept()
	entries, err := os.ReadDir(filepath.Join(kept, folder))
	if err != nil && !os.IsNotExist(err) {
		r.find("%v", err)
	}
	for _, e := range entries {
		if e.Type().IsRegular() && !strings.HasPrefix(e.Name(), ".") {
			names = append(names, e.Name())
		}
	}
	return names
}

// checkReader: who reads to the end and goes on from the last ID sees every event once (rule O15).
func (r *round) checkReader(s *reader) {
	whole := &reader{creditor: s.creditor}
	r.follow(whole)
	if got := r.query("SELECT COUNT(*) FROM events WHERE creditor_id = " + s.creditor.id); len(got) == 1 && got[0] != fmt.Sprint(len(whole.seen)) {
		r.find("the list of events has %d, the database %s", len(whole.seen), got[0])
	}
	times := map[string]int{}
	for _, id := range s.seen {
		times[id]++
	}
	missed := 0
	for _, id := range whole.seen {
		if times[id] == 0 {
			missed++
		}
		delete(times, id)
	}
	if missed > 0 || len(s.seen)+missed != len(whole.seen) {
		r.find("who followed the %d events of %s missed %d and saw %d", len(whole.seen), s.creditor.name, missed, len(s.seen))
	}
}

// checkEffects: what was answered exists once, what was not answered at most once, what was refused never (rule D9).
func (r *round) checkEffects() {
	found := map[string][]string{}
	for _, k := range []kind{invoiceEffect, creditEffect, noticeEffect, entryEffect, customerEffect} {
		for _, row := range r.query(fmt.Sprintf("SELECT id, %s FROM %s", k.column, k.table)) {
			id, label, _ := strings.Cut(row, " ")
			found[label] = append(found[label], id)
		}
	}
	for label, e := range r.told.effects {
		ids := found[label]
		if n := len(ids); n < e.least || n > e.most {
			r.find("%s exists %d times, want %d to %d (answered as %s)", label, n, e.least, e.most, or(e.id, "nothing"))
		} else if e.id != "" && n > 0 && ids[0] != e.id {
			r.find("%s was answered as number %s and is number %s", label, e.id, ids[0])
		}
	}
}

// checkNumbers: the series of invoices and credit notes has no gap and nothing twice (rule D18).
func (r *round) checkNumbers() {
	for _, c := range r.creditors {
		numbers := r.query("SELECT number FROM invoices WHERE creditor_id = " + c.id + " UNION ALL SELECT number FROM credit_notes WHERE creditor_id = " + c.id + " ORDER BY number")
		for i, n := range numbers {
			if n != fmt.Sprint(i+1) {
				r.find("the numbers of %s have %s where %d belongs", c.name, n, i+1)
				break
			}
		}
	}
}

// checkInvoices: each invoice is as a client was told, by the API too.
func (r *round) checkInvoices() {
	for _, i := range r.told.invoices {
		row := strings.Join(r.query("SELECT number, gross, kid, CASE WHEN hold_held THEN 1 ELSE 0 END, CASE WHEN handed_over IS NULL THEN 0 ELSE 1 END, CASE closed WHEN '' THEN 0 ELSE 1 END FROM invoices WHERE id = "+i.id), "; ")
		got := strings.Fields(row)
		if len(got) != 6 || got[0] != i.number || got[1] != fmt.Sprint(int64(i.gross)) || got[2] != i.kid {
			r.find("%s is %s, a client was told of number %s, %s, KID %s", i.path, or(row, "not there"), i.number, i.gross, i.kid)
			continue
		}
		if i.held != "" && got[3] != i.held {
			r.find("%s: held is %s, the last answer said %s", i.path, got[3], i.held)
		}
		if i.closed != "" && got[5] != i.closed {
			r.find("%s: closed is %s, the last answer said %s", i.path, got[5], i.closed)
		}
		if i.handedOver && got[4] != "1" && i.closed == "" {
			r.find("%s is not handed over, a client was told that it is", i.path)
		}
		if a, answered := r.insist(i.creditor.key, call{method: "GET", path: i.path}); answered && get(r.root(a), "invoice_number") != i.number {
			r.find("GET %s was answered %d: %s", i.path, a.status, code(a.body))
		}
	}
	for _, id := range r.told.resolved {
		if got := r.query("SELECT status FROM unmatched_payments WHERE id = " + id); len(got) != 1 || got[0] == "open" {
			r.find("the unmatched payment %s is %v, a client was told that it is resolved", id, got)
		}
	}
}

// checkLines: each line of the bank's files was posted or queued once, in whatever files it came (rule E4).
func (r *round) checkLines() {
	times := map[string]int{}
	for _, row := range slices.Concat(r.query("SELECT creditor_id, -amount FROM entries WHERE type = 'OCR'"), r.query("SELECT creditor_id, amount FROM unmatched_payments WHERE entry_id = 0")) {
		times[row]++
	}
	for amount, l := range r.told.lines {
		at := fmt.Sprintf("%s %d", l.creditor.id, int64(amount))
		if n := times[at]; n < l.least || n > l.most {
			r.find("the payment of %s in %s for %s was posted %d times, want %d to %d", amount, l.file, l.creditor.name, n, l.least, l.most)
		}
		delete(times, at)
	}
	if len(times) > 0 {
		r.find("payments that no file has: %v", times)
	}
	r.none("payment files whose lines do not add up", "SELECT f.id FROM payment_files f JOIN payment_file_parts p ON p.payment_file_id = f.id "+
		"WHERE f.state = 'imported' AND p.transactions <> p.matched + p.unmatched + p.duplicates + p.ignored")
}

// messageID is how an e-mail names its shipment.
var messageID = regexp.MustCompile(`(?mi)^Message-ID:\s+<[a-z0-9-]+-shipment-(\d+)\.`)

// checkShipments: every document was handed over once, an e-mail to the mail server, a letter as a file (rules S6, R1).
func (r *round) checkShipments() {
	accepted := map[string][]time.Time{}
	for _, m := range r.mails.Messages() {
		id := messageID.FindSubmatch(m.Data)
		if id == nil {
			r.find("an e-mail does not name its shipment: %.300s", m.Data)
			continue
		}
		accepted[string(id[1])] = append(accepted[string(id[1])], m.At)
	}
	letters := map[string]int{}
	for _, name := range r.files("outbox/paper") {
		_, after, _ := strings.Cut(name, "-shipment-")
		letters[strings.TrimSuffix(after, ".pdf")]++
	}
	for _, row := range r.query("SELECT id, state, method FROM shipments") {
		f := strings.Fields(row)
		id, state, method := f[0], f[1], f[2]
		mails := accepted[id]
		switch {
		case state == "failed":
			r.find("shipment %s was given up", id)
		case state == "sent" && method == "EMAIL" && len(mails) == 0 || state == "sent" && method == "PAPER" && letters[id] != 1:
			r.find("shipment %s (%s) counts as sent: %d e-mails, %d letters", id, method, len(mails), letters[id])
		case state == "withdrawn" && len(mails)+letters[id] > 0:
			r.find("shipment %s was withdrawn, and has left", id)
		}
		if len(mails) > 1 {
			if r.killedAt(mails[:len(mails)-1]) {
				r.world.tally.add("mails in doubt at a kill", len(mails)-1)
				continue
			}
			var times []string
			for _, at := range mails {
				times = append(times, at.Format("15:04:05.000"))
			}
			r.find("the e-mail of shipment %s was sent %d times: %s", id, len(mails), strings.Join(times, " "))
		}
	}
}

// The instant around a kill -9 in which an e-mail may be accepted and not noted (rule S6): a moment before, and as long
// after it as a slow mail server keeps an e-mail before it accepts it. A busy machine may not let a process run in that
// moment, nor does one that was stopped before. So it begins a moment before a call was last answered, but not too long ago.
const (
	instantBefore = 300 * time.Millisecond
	longestBefore = 5 * time.Second
	instantAfter  = 5 * time.Second
)

// death is the kill of a process.
type death struct {
	at    time.Time
	alive time.Time // when a call was last answered
}

// covers reports whether an e-mail that was accepted at a moment may have been noted by nobody.
func (d death) covers(accepted time.Time) bool {
	before := min(instantBefore+d.at.Sub(d.alive), longestBefore)
	return accepted.After(d.at.Add(-before)) && accepted.Before(d.at.Add(instantAfter))
}

// killedAt reports whether each of the acceptances fell into the instant of a kill.
func (r *round) killedAt(accepted []time.Time) bool {
	for _, at := range accepted {
		if !slices.ContainsFunc(r.kills, func(d death) bool { return d.covers(at) }) {
			return false
		}
	}
	return true
}

// checkHandOvers: what was handed over has one hand-over in force, and its bundle is one file. Closing an invoice takes a
// hand-over back whose bundle has not left.
func (r *round) checkHandOvers() {
	r.none("invoices with two hand-overs in force", "SELECT invoice_id FROM hand_overs WHERE taken_back IS NULL GROUP BY invoice_id HAVING COUNT(*) > 1")
	r.none("invoices without a hand-over in force", "SELECT i.id FROM invoices i WHERE i.handed_over IS NOT NULL AND i.closed = '' AND "+
		"NOT EXISTS (SELECT 1 FROM hand_overs h WHERE h.invoice_id = i.id AND h.taken_back IS NULL)")
	files := r.files("outbox/collection")
	for _, row := range r.query("SELECT h.id, i.number FROM hand_overs h JOIN invoices i ON i.id = h.invoice_id WHERE h.state = 'delivered' AND h.taken_back IS NULL") {
		id, number, _ := strings.Cut(row, " ")
		name := fmt.Sprintf("invoice-%s-hand-over-%s", number, id)
		if n := len(slices.DeleteFunc(slices.Clone(files), func(f string) bool { return !strings.HasPrefix(f, name+".") })); n != 1 {
			r.find("the bundle %s lies in the outbox %d times", name, n)
		}
	}
}

// checkWebhooks: each delivery that counts as delivered has come, and none was given up.
func (r *round) checkWebhooks() {
	delivered := r.query("SELECT id FROM webhook_deliveries WHERE state = 'delivered'")
	if came := r.sink.count(); came < len(delivered) {
		r.find("%d deliveries to webhooks count as delivered, %d have come", len(delivered), came)
	}
	r.none("deliveries to webhooks that were given up", "SELECT id, failure FROM webhook_deliveries WHERE state = 'failed'")
}

// verify proves the books.
func (r *round) verify() {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	c := r.command(ctx, "verify")
	if out, err := c.CombinedOutput(); err != nil {
		r.find("purr verify: %v: %s", err, out)
	}
}

// none finds fault with each row of the query.
func (r *round) none(what, text string) {
	if rows := r.query(text); len(rows) > 0 {
		r.find("%s: %s", what, strings.Join(rows, "; "))
	}
}

// query returns the rows of a query, each as its columns with a blank between. While MariaDB is away there are none.
func (r *round) query(text string) (found []string) {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	rows, err := r.db.QueryContext(ctx, text)
	if err != nil {
		r.note("%s: %v", text, err)
		return nil
	}
	defer rows.Close()
	columns, err := rows.Columns()
	for err == nil && rows.Next() {
		row, pointers := make([]sql.NullString, len(columns)), make([]any, len(columns))
		for i := range row {
			pointers[i] = &row[i]
		}
		if err = rows.Scan(pointers...); err == nil {
			texts := make([]string, len(row))
			for i, v := range row {
				texts[i] = v.String
			}
			found = append(found, strings.Join(texts, " "))
		}
	}
	if err == nil {
		err = rows.Err()
	}
	if err != nil {
		r.note("%s: %v", text, err)
	}
	return found
}
