package jobs

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"purr/billing"
	"purr/documents"
	"purr/mailer"
	"purr/mailer/dispatch"
	"purr/models"
	"purr/store"
	"purr/test/testkit"
	"purr/test/testkit/rows"
)

// batch takes all due shipments of a creditor together, for a worker of the holder.
func (o *office) batch(t *testing.T, h *Holder, c models.Creditor) (*dispatch.Load, hand) {
	t.Helper()
	w := *o.worker
	w.Holder = h
	var l *dispatch.Load
	rows.Write(t, o.db, func(tx *store.Tx) (err error) {
		share := dispatch.Share{CreditorID: c.ID, Parts: 1, Look: shipLoad, Most: shipLoad, Within: shipTurn}
		l, err = w.Dispatch.Take(t.Context(), tx, share, h.self.worker)
		return err
	})
	return l, hand{&w, h.self}
}

// life is how many hand-overs a worker lives through. It is killed in the next one, or when it would record what came of them: whoever
// works for it ends there, and does nothing more.
type life struct{ left int }

func (l *life) handOver() {
	if l.left == 0 {
		runtime.Goexit()
	}
	l.left--
}

// mortalChannel is a channel of a worker that is killed.
type mortalChannel struct {
	mailer.Channel
	*life
}

func (c mortalChannel) HandOver(ctx context.Context, p mailer.Parcel) (mailer.Answer, error) {
	c.handOver()
	return c.Channel.HandOver(ctx, p)
}

// mortalBulk is the same of a channel that takes several together, in one hand-over.
type mortalBulk struct {
	mailer.Bulk
	*life
}

func (c mortalBulk) HandOverAll(ctx context.Context, ps []mailer.Parcel) []mailer.Result {
	c.handOver()
	return c.Bulk.HandOverAll(ctx, ps)
}

// mortalHand is killed when it would record.
type mortalHand struct{ hand }

func (mortalHand) Record(context.Context, []dispatch.HandedOver) { runtime.Goexit() }

// killed takes what a creditor is owed, and sends it as a worker that is killed after so many hand-overs. Letters leave
// together, or as e-mails do.
func (o *office) killed(t *testing.T, c models.Creditor, after int, together bool) {
	t.Helper()
	dying := o.join(t)
	whole := *o.worker
	mortal, until := *whole.Dispatch, &life{after}
	mortal.Channels = map[models.ShipmentMethod]mailer.Channel{}
	for m, channel := range whole.Dispatch.Channels {
		mortal.Channels[m] = mortalChannel{channel, until}
		if bulk, is := channel.(mailer.Bulk); is && together {
			mortal.Channels[m] = mortalBulk{bulk, until}
		}
	}
	o.worker.Dispatch = &mortal
	load, by := o.batch(t, dying, c)
	o.worker.Dispatch = whole.Dispatch
	dead(func() { load.Send(t.Context(), context.WithoutCancel(t.Context()), mortalHand{by}) })
	dying.die()
}

// dead lets a worker work until it is killed.
func dead(work func()) {
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		work()
	}()
	<-ended
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

// TestS6ABatchIsKilledAfterAnyOfItsHandOvers kills a worker in its channel when it has handed over none, one and so on of a batch, or when
// it has handed over all and would record it. Letters leave one by one, or together. Another worker goes on. Every e-mail leaves once, and
// every letter is one file with the bytes that are kept.
func TestS6ABatchIsKilledAfterAnyOfItsHandOvers(t *testing.T) {
	eachOffice(t, func(t *testing.T, o *office) {
		const number = 4
		mail := &channel{}
		o.worker.Dispatch.Channels[models.ByEmail] = mail
		var creditors []models.Creditor
		of := map[int64][]models.Invoice{}
		for after := range number + 1 {
			for _, together := range []bool{false, true} {
				c := rows.Creditor(t, o.db)
				creditors, of[c.ID] = append(creditors, c), o.mixed(t, c, number)
				o.killed(t, c, after, together)
				for _, i := range of[c.ID] {
					if s := o.shipments(t, i.Document())[0]; s.State != models.ShipmentOwed || s.TakenBy == "" {
						t.Errorf("after %d hand-overs something is recorded: shipment %d is %s", after, s.ID, s.State)
					}
				}
			}
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
				kept, err := o.worker.Dispatch.Documents.PDF(t.Context(), c.ID, i.Document())
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

// lastBreath is a channel whose worker is killed when the channel has accepted something, before the worker hears of it.
type lastBreath struct{ *desk }

func (c lastBreath) HandOver(ctx context.Context, p mailer.Parcel) (mailer.Answer, error) {
	_, _ = c.desk.HandOver(ctx, p)
	runtime.Goexit()
	return mailer.Answer{}, nil
}

// TestS6WhatAKilledWorkersChannelMayHaveIsAskedAfter: the worker is killed before it marks what its channel has accepted. The next one
// asks the channel, and hands nothing over again.
func TestS6WhatAKilledWorkersChannelMayHaveIsAskedAfter(t *testing.T) {
	eachOffice(t, func(t *testing.T, o *office) {
		d, c := o.ehf(t)
		d.tell(hasSent)
		invoice := toBusiness(t, o, c, models.ByEHF)
		o.worker.Dispatch.Channels[models.ByEHF] = lastBreath{d}
		dying := o.join(t)
		load, by := o.batch(t, dying, c)
		dead(func() { load.Send(t.Context(), context.WithoutCancel(t.Context()), by) })
		dying.die()
		o.worker.Dispatch.Channels[models.ByEHF] = d
		o.holder.lookAround(t.Context())
		must(t, o.worker.ship(t.Context(), shipPayload{CreditorID: c.ID}))
		s := o.wantShipment(t, invoice, 0, models.ByEHF, models.ShipmentSent, "job 7")
		name := s.Name(invoice.Number)
		wantLines(t, d.did, name+" handed over at attempt 1 with 10 bytes", name+` asked after at attempt 2 with the receipt ""`)
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

// hasty tries for a second to record.
type hasty struct{ hand }

func (h hasty) Record(ctx context.Context, over []dispatch.HandedOver) {
	ctx, cancel := context.WithTimeout(ctx, time.Second)
	defer cancel()
	h.hand.Record(ctx, over)
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
			o.worker.Dispatch.Channels[models.ByEmail] = mail
			holder := o.join(t)
			load, by := o.batch(t, holder, c)
			if killed {
				dead(func() { load.Send(t.Context(), context.WithoutCancel(t.Context()), mortalHand{by}) })
				gate.shut(0)
				holder.die()
				o.holder.lookAround(t.Context())
			} else {
				load.Send(t.Context(), t.Context(), hasty{by})
				gate.shut(0)
				holder.beat(t.Context()) // its own beat may have what is late in hand, and be the one to note it
				waitFor(t, "the marks to go", func() bool {
					marks, err := readMarks(holder.path(holder.self.worker))
					must(t, err)
					return len(marks) == 0
				})
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
		load, by := o.batch(t, o.holder, c)
		load.Send(t.Context(), t.Context(), by)
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
		var of []models.Shipment
		for range 4 {
			of = append(of, o.shipments(t, rows.Invoice(t, o.db, c).Document())...)
		}
		begun, goOn := make(chan struct{}), make(chan struct{})
		slow := &channel{take: func(_ context.Context, name string) error {
			if strings.HasPrefix(name, "invoice-2-") {
				close(begun)
				<-goOn
			}
			return nil
		}}
		o.worker.Dispatch.Channels[models.ByPaper] = slow
		load, by := o.batch(t, o.holder, c)
		turn, end := context.WithCancel(t.Context())
		over := make(chan struct{})
		go func() {
			defer close(over)
			load.Send(t.Context(), turn, by)
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
		o.worker.Dispatch.Channels[models.ByEmail] = mail
		load, by := o.batch(t, o.holder, c)
		o.buryHolder(t)
		o.holder.beat(t.Context())
		load.Send(t.Context(), t.Context(), by)
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
		o.worker.Dispatch.Channels[models.ByEmail], o.worker.Dispatch.Channels[models.ByPaper] = mail, letters
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
		o.worker.Dispatch.Channels[models.ByEmail] = mail
		over, end := context.WithCancel(t.Context())
		end()
		load, by := o.batch(t, o.holder, c)
		back := load.Send(t.Context(), over, by)
		if letters, mails := len(o.sent(t)), len(mail.all()); letters != 3 || mails != 1 || !back {
			t.Errorf("%d letters and %d e-mails left, and something was put back: %t", letters, mails, back)
		}
	})
}

// TestALetterCostsFewStatements bounds what a batch of letters asks of the database, from the question by which ways they may leave.
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
	o.worker.DB, o.worker.Dispatch.DB, o.worker.Dispatch.Documents = o.db, o.db, documents.New(o.db, o.archive)
	begin := gate.statements.Load() // each connection that begins reads the gate of the schema too
	load, by := o.batch(t, o.holder, c)
	load.Send(t.Context(), t.Context(), by)
	if n, most := gate.statements.Load()-begin, int64(35); n > most || n == 0 {
		t.Errorf("a batch of %d letters took %d statements, want at most %d", shipLoad, n, most)
	}
	if sent := o.sent(t); len(sent) != shipLoad {
		t.Errorf("%d left", len(sent))
	}
}
