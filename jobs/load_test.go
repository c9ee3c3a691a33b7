package jobs

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"purr/billing"
	"purr/documents"
	"purr/law"
	"purr/mailer/shipments"
	"purr/models"
	"purr/store"
	"purr/test/testkit"
	"purr/test/testkit/rows"
)

// batch takes all due shipments of a creditor together, for a worker of the holder.
func (o *office) batch(t *testing.T, h *Holder, c models.Creditor) *load {
	t.Helper()
	w := *o.worker
	w.Holder = h
	b := &load{w: &w, holding: h.self}
	rows.Write(t, o.db, func(tx *store.Tx) error {
		ids, err := tx.DueShipmentIDs(t.Context(), c.ID, tx.Common, shipLoad, models.ByPaper, models.ByEmail)
		must(t, err)
		all, err := shipments.TakeAll(t.Context(), tx, law.Default(), ids, h.self.worker)
		b.left = nil
		for _, s := range all {
			b.left = append(b.left, taken{Shipment: s})
		}
		return err
	})
	return b
}

// mixed issues invoices that go on paper and by e-mail in turn.
func (o *office) mixed(t *testing.T, c models.Creditor, number int) (invoices []models.Invoice) {
	t.Helper()
	for i := range number {
		var how []func(*billing.InvoiceRequest)
		if i%2 == 1 {
			how = append(how, byEmail())
		}
		invoices = append(invoices, rows.Invoice(t, o.db, c, how...))
	}
	return invoices
}

// TestS6ABatchIsKilledAfterAnyOfItsHandOvers kills a worker when it has handed over none, one and so on of a batch, or its
// letters together, and has recorded nothing. Another worker goes on. Every e-mail leaves once, and every letter is one file with the bytes that
// are kept.
func TestS6ABatchIsKilledAfterAnyOfItsHandOvers(t *testing.T) {
	eachOffice(t, func(t *testing.T, o *office) {
		const number = 4
		mail := &channel{}
		o.worker.Channels[models.ByEmail] = mail
		var creditors []models.Creditor
		of := map[int64][]models.Invoice{}
		const together = number + 1
		for handedOver := range together + 1 {
			c := rows.Creditor(t, o.db)
			creditors, of[c.ID] = append(creditors, c), o.mixed(t, c, number)
			dying := o.join(t)
			b := o.batch(t, dying, c)
			must(t, b.read(t.Context()))
			if handedOver == together {
				for channel, ss := range b.together() {
					b.dispatchAll(t.Context(), channel, ss)
				}
			} else {
				for range handedOver {
					s, _ := b.next()
					b.add(b.dispatchOne(t.Context(), s))
				}
			}
			dying.die()
		}
		before := o.letters(t)
		o.holder.lookAround(t.Context())
		o.work(t, 2)
		o.settle(t)
		if names := mail.all(); len(names) != len(creditors)*number/2 || len(slices.Compact(names)) != len(names) {
			t.Errorf("the e-mails that left are %q", names)
		}
		after := o.letters(t)
		if len(after) != len(creditors)*number/2 {
			t.Errorf("there are %d letters", len(after))
		}
		for name, content := range before {
			if !bytes.Equal(after[name], content) {
				t.Errorf("the letter %s has changed", name)
			}
		}
		for _, c := range creditors {
			for _, i := range of[c.ID] {
				s := o.shipments(t, i.Document())[0]
				if s.State != models.ShipmentSent || s.TakenBy != "" || s.Receipt == "" {
					t.Errorf("shipment %d is %s in the hand of %q, with the receipt %q", s.ID, s.State, s.TakenBy, s.Receipt)
				}
				kept, err := o.worker.Documents.PDF(t.Context(), c.ID, i.Document())
				must(t, err)
				if s.Method == models.ByPaper && !bytes.Equal(after[s.Name(i.Number)+".pdf"], kept) {
					t.Errorf("the letter of invoice %d is not what is kept (rule D35)", i.Number)
				}
			}
			if told := o.events(t, c, models.EventShipmentSent, models.EventShipmentFailed); len(told) != number {
				t.Errorf("the events are %q", told)
			}
		}
	})
}

// letters returns the content of the letters in the outbox, by name.
func (o *office) letters(t *testing.T) map[string][]byte {
	t.Helper()
	found := map[string][]byte{}
	files, err := os.ReadDir(filepath.Join(o.outbox, "paper"))
	must(t, err)
	for _, f := range files {
		found[f.Name()], err = os.ReadFile(filepath.Join(o.outbox, "paper", f.Name()))
		must(t, err)
	}
	return found
}

// TestS6TheDatabaseIsAwayWhenABatchIsRecorded lets the database go away in the middle of the hand-overs. Then either it
// comes back, or the worker is killed before it does.
func TestS6TheDatabaseIsAwayWhenABatchIsRecorded(t *testing.T) {
	for _, killed := range []bool{false, true} {
		t.Run(fmt.Sprintf("killed %t", killed), func(t *testing.T) {
			t.Parallel()
			gate := openGate(t, testkit.MySQL(t))
			o := openOffice(t, gate.url, redisInside(t))
			c := rows.Creditor(t, o.db)
			o.mixed(t, c, 6)
			mail := &channel{}
			mail.take = func(context.Context, string) error {
				gate.shut(1 << 30)
				return nil
			}
			o.worker.Channels[models.ByEmail] = mail
			holder := o.join(t)
			b := o.batch(t, holder, c)
			ctx, cancel := context.WithTimeout(t.Context(), time.Second) // how long recording is tried
			defer cancel()
			must(t, b.read(ctx))
			for s, more := b.next(); more; s, more = b.next() {
				b.add(b.dispatchOne(ctx, s))
			}
			over := b.over
			if killed {
				gate.shut(0)
				holder.die()
				o.holder.lookAround(t.Context())
			} else {
				b.w.note(ctx, b.w.resultOf(over))
				gate.shut(0)
				holder.beat(t.Context())
				if marks, err := readMarks(holder.path(holder.self.worker)); err != nil || len(marks) != 0 {
					t.Errorf("the marks that are left are %v, %v", marks, err)
				}
			}
			sent, err := o.db.CountShipmentsOf(t.Context(), c.ID, models.ShipmentSent)
			must(t, err)
			if sent[models.ShipmentSent] != 6 || len(mail.all()) != 3 {
				t.Errorf("%d are noted as sent, and the e-mails that left are %q", sent[models.ShipmentSent], mail.all())
			}
		})
	}
}

// TestR5cABadDocumentInABatchHoldsUpNoOther: the PDF of one is lost and cannot be made again.
func TestR5cABadDocumentInABatchHoldsUpNoOther(t *testing.T) {
	eachOffice(t, func(t *testing.T, o *office) {
		c := rows.Creditor(t, o.db)
		invoices := o.mixed(t, c, 5)
		bad := invoices[2]
		rows.Write(t, o.db, func(tx *store.Tx) error {
			_, err := tx.SetPDFs(t.Context(), c.ID, map[models.Document]string{bad.Document(): strings.Repeat("0", 64)})
			return err
		})
		b := o.batch(t, o.holder, c)
		b.dispatch(t.Context(), t.Context())
		for _, i := range invoices {
			s := o.shipments(t, i.Document())[0]
			switch {
			case i.ID == bad.ID && (s.State != models.ShipmentOwed || s.Attempts != 1 || !strings.Contains(s.Reason, "lost")):
				t.Errorf("the bad one is %s after %d attempts: %q", s.State, s.Attempts, s.Reason)
			case i.ID != bad.ID && s.State != models.ShipmentSent:
				t.Errorf("shipment %d is %s: %q", s.ID, s.State, s.Reason)
			}
		}
	})
}

// TestS5TheEndOfATurnPutsBackWhatIsUntried: the channel hangs in the middle of a batch. The others do not wait for it, and
// their attempts do not count.
func TestS5TheEndOfATurnPutsBackWhatIsUntried(t *testing.T) {
	eachOffice(t, func(t *testing.T, o *office) {
		c := rows.Creditor(t, o.db)
		for range 4 {
			rows.Invoice(t, o.db, c)
		}
		begun, goOn := make(chan struct{}), make(chan struct{})
		slow := &channel{take: func(_ context.Context, name string) error {
			if strings.HasPrefix(name, "invoice-2-") {
				close(begun)
				<-goOn
			}
			return nil
		}}
		o.worker.Channels[models.ByPaper] = slow
		b := o.batch(t, o.holder, c)
		of := slices.Clone(b.left)
		turn, end := context.WithCancel(t.Context())
		over := make(chan struct{})
		go func() {
			defer close(over)
			b.dispatch(t.Context(), turn)
		}()
		<-begun
		end()
		waitFor(t, "the others to be recorded", func() bool {
			left, err := o.db.DueShipmentIDs(t.Context(), c.ID, o.clock.Now(), 10, models.ByPaper)
			must(t, err)
			return len(left) == 2
		})
		states := func() (lines []string) {
			for _, s := range of {
				now, err := o.db.Shipment(t.Context(), s.ID)
				must(t, err)
				lines = append(lines, fmt.Sprintf("%s %d %t %t", now.State, now.Attempts, now.FirstAttempt != nil, now.TakenBy != ""))
			}
			return lines
		}
		wantLines(t, states(), "sent 1 true false", "owed 1 true true", "owed 0 false false", "owed 0 false false")
		close(goOn)
		<-over
		wantLines(t, states(), "sent 1 true false", "sent 1 true false", "owed 0 false false", "owed 0 false false")
		if got := slow.all(); len(got) != 2 {
			t.Errorf("handed over are %q", got)
		}
	})
}

// TestS6ABatchOfAWorkerThatWasTakenForDeadIsLeftToOthers: the others have freed what it had in hand, and it hands nothing over.
func TestS6ABatchOfAWorkerThatWasTakenForDeadIsLeftToOthers(t *testing.T) {
	eachOffice(t, func(t *testing.T, o *office) {
		c := rows.Creditor(t, o.db)
		o.mixed(t, c, 4)
		mail := &channel{}
		o.worker.Channels[models.ByEmail] = mail
		b := o.batch(t, o.holder, c)
		o.buryHolder(t)
		o.holder.beat(t.Context())
		b.dispatch(t.Context(), t.Context())
		if due, err := o.db.DueShipmentIDs(t.Context(), c.ID, o.clock.Now(), 10, models.ByPaper, models.ByEmail); err != nil || len(due) != 4 {
			t.Errorf("%d are due, %v", len(due), err)
		}
		if len(mail.all())+len(o.sent(t)) != 0 {
			t.Errorf("%q and %q left", mail.all(), o.sent(t))
		}
	})
}

// TestS6TwoWorkersShareTheirWork lets the lanes of two workers take batches of the same creditor at once.
func TestS6TwoWorkersShareTheirWork(t *testing.T) {
	eachOffice(t, func(t *testing.T, o *office) {
		c := rows.Creditor(t, o.db)
		const number = 40
		o.mixed(t, c, number)
		mail, letters := &channel{}, &channel{}
		o.worker.Channels[models.ByEmail], o.worker.Channels[models.ByPaper] = mail, letters
		other := *o.worker
		other.Holder = o.join(t)
		ship := func(w *Worker, lane int64) func() error {
			return func() error { return w.ship(t.Context(), shipPayload{CreditorID: c.ID, Lane: lane}) }
		}
		testkit.AtOnce(t, ship(o.worker, 0), ship(o.worker, 1), ship(&other, 0), ship(&other, 5))
		waitFor(t, "all to leave", func() bool { // the lanes give way after a turn
			must(t, ship(o.worker, 0)())
			return len(mail.all())+len(letters.all()) >= number
		})
		names := slices.Concat(mail.all(), letters.all())
		slices.Sort(names)
		if len(names) != number || len(slices.Compact(names)) != number {
			t.Errorf("%d left: %q", len(names), names)
		}
		sent, err := o.db.CountShipmentsOf(t.Context(), c.ID, models.ShipmentSent)
		if err != nil || sent[models.ShipmentSent] != number {
			t.Errorf("%d are noted as sent, %v", sent[models.ShipmentSent], err)
		}
	})
}

// TestS6OneThatCannotBeNotedKeepsNoOtherFromIt notes two results together, of which one fails for ever.
func TestS6OneThatCannotBeNotedKeepsNoOtherFromIt(t *testing.T) {
	eachOffice(t, func(t *testing.T, o *office) {
		noted := map[string]bool{}
		of := func(name string, failure error) result {
			return result{
				note: func(context.Context, *store.Tx) error { return failure },
				done: func() { noted[name] = true },
			}
		}
		bad := of("bad", errors.New("a row is broken"))
		both := of("both", errors.New("a row is broken"))
		both.parts = []result{bad, of("good", nil)}
		ctx, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
		defer cancel()
		o.holder.later(both)
		o.holder.noteLate(t.Context())
		o.holder.noteLate(t.Context())
		o.worker.note(ctx, both)
		if want := map[string]bool{"good": true}; !maps.Equal(noted, want) {
			t.Errorf("noted are %v", noted)
		}
	})
}

// TestS5LettersLeaveThoughTheTurnIsOver: reading and drawing has taken longer than the turn.
func TestS5LettersLeaveThoughTheTurnIsOver(t *testing.T) {
	eachOffice(t, func(t *testing.T, o *office) {
		c := rows.Creditor(t, o.db)
		o.mixed(t, c, 6)
		mail := &channel{}
		o.worker.Channels[models.ByEmail] = mail
		over, end := context.WithCancel(t.Context())
		end()
		b := o.batch(t, o.holder, c)
		b.dispatch(t.Context(), over)
		if letters, mails := len(o.sent(t)), len(mail.all()); letters != 3 || mails != 1 || !b.back {
			t.Errorf("%d letters and %d e-mails left, and something was put back: %t", letters, mails, b.back)
		}
	})
}

// TestALetterCostsFewStatements bounds what a batch of letters asks of the database.
func TestALetterCostsFewStatements(t *testing.T) {
	t.Parallel()
	databaseURL := testkit.MySQL(t)
	o := openOffice(t, databaseURL, redisInside(t))
	c := rows.Creditor(t, o.db)
	for range shipLoad {
		rows.Invoice(t, o.db, c)
	}
	gate := openGate(t, databaseURL) // the holder's beats do not pass it
	o.db = rows.Open(t, gate.url).WithClock(o.clock)
	o.worker.DB, o.worker.Documents = o.db, documents.New(o.db, o.archive)
	begin := gate.statements.Load()
	b := o.batch(t, o.holder, c)
	b.dispatch(t.Context(), t.Context())
	if n, most := gate.statements.Load()-begin, int64(29); n > most || n == 0 {
		t.Errorf("a batch of %d letters took %d statements, want at most %d", shipLoad, n, most)
	}
	if sent := o.sent(t); len(sent) != shipLoad {
		t.Errorf("%d left", len(sent))
	}
}
