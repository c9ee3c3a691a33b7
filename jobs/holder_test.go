package jobs

import (
	"context"
	"errors"
	"log/slog"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"purr/internal/clock"
	"purr/law"
	"purr/mailer/shipments"
	"purr/models"
	"purr/store"
	"purr/test/testkit"
	"purr/test/testkit/forge"
	"purr/test/testkit/rows"
)

// takeFor takes a shipment for a worker.
func (o *office) takeFor(t *testing.T, h *Holder, id int64) (s models.Shipment) {
	t.Helper()
	o.take(t, func(tx *store.Tx) (bool, error) {
		taken, err := shipments.TakeAll(t.Context(), tx, shipments.SecondLook{Rules: law.Default()}, []int64{id}, h.self.worker)
		if err != nil || len(taken) == 0 {
			return false, err
		}
		s = taken[0]
		return true, nil
	})
	return s
}

// A worker dies with two e-mails in hand. The mail server has accepted one of them.
func TestS6WhatADeadWorkersChannelHasAcceptedIsNotSentAgain(t *testing.T) {
	eachOffice(t, func(t *testing.T, o *office) {
		c := rows.Creditor(t, o.db)
		accepted, other := rows.Invoice(t, o.db, c, byEmail()), rows.Invoice(t, o.db, c, byEmail())
		dying := o.join(t)
		for _, invoice := range []models.Invoice{accepted, other} {
			s := o.takeFor(t, dying, o.shipments(t, invoice.Document())[0].ID)
			if invoice.ID != accepted.ID {
				continue
			}
			_, err := dying.self.marks.set(mark{Kind: kindShip, CreditorID: c.ID, ID: s.ID, Attempt: s.Attempts}, true)
			must(t, err)
		}
		mail := &channel{}
		o.worker.Dispatch.Channels[models.ByEmail] = mail
		o.work(t, 2)
		dying.die()
		o.holder.lookAround(t.Context())
		o.settle(t)
		wantLines(t, mail.all(), "invoice-2-shipment-2")
		for _, invoice := range []models.Invoice{accepted, other} {
			if s := o.shipments(t, invoice.Document())[0]; s.State != models.ShipmentSent || s.TakenBy != "" {
				t.Errorf("shipment %d is %s in the hand of %q", s.ID, s.State, s.TakenBy)
			}
		}
	})
}

// TestK2aAMachineThatDiesWithItsDiskSendsNoSecondEMail: a worker on another machine dies with two e-mails in hand, and with its disk. The
// mail server has accepted one of them. While Redis is away nobody goes on. A mark that somebody else has put there is believed in nothing.
func TestK2aAMachineThatDiesWithItsDiskSendsNoSecondEMail(t *testing.T) {
	eachOffice(t, func(t *testing.T, o *office) {
		c := rows.Creditor(t, o.db)
		accepted, other := rows.Invoice(t, o.db, c, byEmail()), rows.Invoice(t, o.db, c, byEmail())
		here := o.workers
		o.workers = t.TempDir()
		dying := o.join(t)
		o.workers = here
		for _, invoice := range []models.Invoice{accepted, other} {
			s := o.takeFor(t, dying, o.shipments(t, invoice.Document())[0].ID)
			m := mark{Kind: kindShip, CreditorID: c.ID, ID: s.ID, Attempt: s.Attempts}
			if invoice.ID == accepted.ID {
				o.worker.mark(dying.self, m, true)
				continue
			}
			o.worker.mark(dying.self, m, true)() // of the same attempt before a person had it sent anew
			must(t, o.queue.KeepNote(t.Context(), dying.self.copies.place(), 2, (&copies{worker: "another"}).seal(nil)+"{}"))
			must(t, o.queue.KeepNote(t.Context(), dying.self.copies.place(), 3, "{}"))
		}
		dying.die()
		must(t, os.RemoveAll(dying.folder))
		mail := &channel{}
		o.worker.Dispatch.Channels[models.ByEmail] = mail
		o.work(t, 2)
		gone := redis.NewClient(&redis.Options{Addr: "127.0.0.1:1", MaxRetries: -1})
		t.Cleanup(func() { must(t, gone.Close()) })
		log := slog.New(slog.DiscardHandler)
		blind := &Holder{queue: NewQueue(gone, log), folder: o.workers, log: log}
		if found, err := blind.marksOf(t.Context(), dying.self.worker); models.KindOf(err) != models.KindUnavailable {
			t.Errorf("with no disk and no Redis nobody knows what was accepted, but %d marks are found: %v", len(found), err)
		}
		for range strangerDeadAfter + 1 {
			o.holder.lookAround(t.Context())
		}
		o.settle(t)
		wantLines(t, mail.all(), "invoice-2-shipment-2")
		for _, invoice := range []models.Invoice{accepted, other} {
			if s := o.shipments(t, invoice.Document())[0]; s.State != models.ShipmentSent || s.TakenBy != "" {
				t.Errorf("shipment %d is %s in the hand of %q", s.ID, s.State, s.TakenBy)
			}
		}
		if left, err := o.queue.Notes(t.Context(), dying.self.copies.place()); err != nil || len(left) > 0 {
			t.Errorf("%d notes of the dead worker are left: %v", len(left), err)
		}
	})
}

// The database goes away when the mail server has accepted an e-mail, and stays away for longer than the job tries to
// note it.
func TestS6AnAcceptanceIsNotedAfterAnOutageOfAnyLength(t *testing.T) {
	t.Parallel()
	gate := openGate(t, testkit.MySQL(t))
	o := openOffice(t, gate.url, redisInside(t))
	c := rows.Creditor(t, o.db)
	invoice := rows.Invoice(t, o.db, c, byEmail())
	mail := &channel{take: func(context.Context, string) error {
		gate.shut(1 << 30)
		return nil
	}}
	o.worker.Dispatch.Channels[models.ByEmail] = mail
	if err := o.worker.ship(t.Context(), shipPayload{CreditorID: c.ID}); err == nil {
		t.Error("the database was never away")
	}
	gate.shut(0)
	o.holder.beat(t.Context())
	o.work(t, 2)
	o.advance(t, time.Hour)
	if got := mail.all(); len(got) != 1 || o.shipments(t, invoice.Document())[0].State != models.ShipmentSent {
		t.Errorf("it was sent as %q", got)
	}
}

// apart is a machine's clock that is wrong.
type apart struct{ by time.Duration }

func (a apart) Now() time.Time { return clock.System{}.Now().Add(a.by) }

func TestO16MachinesFiveMinutesApartSendOnceAndAtOnce(t *testing.T) {
	t.Parallel()
	testkit.EachDatabase(t, func(t *testing.T, databaseURL string) {
		t.Parallel()
		o := openOffice(t, databaseURL, redisInside(t))
		machines := make([]*store.DB, 2)
		for i := range machines {
			db, err := store.Open(databaseURL, apart{time.Duration(i) * 5 * time.Minute})
			must(t, err)
			t.Cleanup(func() { _ = db.Close() })
			machines[i] = db
		}
		begun, goOn := make(chan struct{}), make(chan struct{})
		mail := &channel{take: func(context.Context, string) error {
			close(begun)
			<-goOn
			return nil
		}}
		o.worker.Dispatch.Channels[models.ByEmail] = mail
		slow, fast := *o.worker, *o.worker
		slow.DB, fast.DB = machines[0], machines[1]
		c := rows.Creditor(t, machines[1])
		if rows.Invoice(t, machines[1], c, byEmail()); !strings.HasPrefix(databaseURL, "mysql") {
			rows.Write(t, machines[0], func(tx *store.Tx) error { // on SQLite all are on one machine
				due, err := machines[1].DueShipments(t.Context(), c.ID, machines[1].Common(), 1, models.ByEmail)
				must(t, err)
				due[0].NextAttempt = tx.Common
				return tx.UpdateShipment(t.Context(), due[0])
			})
		}
		first := make(chan error, 1)
		go func() { first <- slow.ship(t.Context(), shipPayload{CreditorID: c.ID}) }()
		select {
		case <-begun:
		case <-time.After(patience):
			t.Fatal("what the machine whose clock is ahead has made is not due")
		}
		must(t, fast.ship(t.Context(), shipPayload{CreditorID: c.ID}))
		close(goOn)
		must(t, <-first)
		if got := mail.all(); len(got) != 1 {
			t.Errorf("it was sent as %q", got)
		}
	})
}

// One creditor's letters all hang. Another creditor's letter leaves nevertheless.
func TestS5ACreditorWhoseLettersHangHoldsUpNobodyElse(t *testing.T) {
	eachOffice(t, func(t *testing.T, o *office) {
		over := make(chan struct{})
		a, b := rows.Creditor(t, o.db), rows.Creditor(t, o.db)
		const many = 30
		for range many {
			rows.Invoice(t, o.db, a)
		}
		rows.Invoice(t, o.db, b)
		theirs := "invoice-1-shipment-" + strconv.Itoa(many+1)
		letters := &channel{take: func(_ context.Context, id string) error {
			if id != theirs {
				<-over
			}
			return nil
		}}
		o.worker.Dispatch.Channels[models.ByPaper] = letters
		o.work(t, 2)
		t.Cleanup(func() { close(over) })
		waitFor(t, "the other's letter", func() bool {
			o.sweep(t)
			return slices.Equal(letters.all(), []string{theirs})
		})
	})
}

func TestS6WhatWasGivenUpIsTakenUpAgainWhileItsRowIsOwed(t *testing.T) {
	eachOffice(t, func(t *testing.T, o *office) {
		c := rows.Creditor(t, o.db)
		rows.Invoice(t, o.db, c)
		o.sweep(t)
		forge.GiveUp(t, o.redis, shipQueue)
		if n := o.sweep(t); n != 1 {
			t.Errorf("%d tasks were taken up again", n)
		}
	})
}

// A worker that died has left its task active in Redis, where it stays for minutes.
func TestS6TheTasksOfADeadWorkerKeepNobodyOut(t *testing.T) {
	eachOffice(t, func(t *testing.T, o *office) {
		c := rows.Creditor(t, o.db)
		rows.Invoice(t, o.db, c)
		o.sweep(t)
		dying := o.join(t)
		dying.die()
		o.holder.lookAround(t.Context())
		if n := o.sweep(t); n == 0 {
			t.Error("nothing was queued again")
		}
	})
}

// TestS6WhatADeadWorkerTakesAfterItsBurialIsFree: the last transaction of a worker that was killed was slow on its way to the database.
func TestS6WhatADeadWorkerTakesAfterItsBurialIsFree(t *testing.T) {
	eachOffice(t, func(t *testing.T, o *office) {
		c := rows.Creditor(t, o.db)
		invoice := rows.Invoice(t, o.db, c)
		dying := o.join(t)
		dying.die()
		o.holder.lookAround(t.Context())
		shipment := func() models.Shipment { return o.shipments(t, invoice.Document())[0] }
		o.take(t, func(tx *store.Tx) (bool, error) {
			taken, err := shipments.TakeAll(t.Context(), tx, shipments.SecondLook{Rules: law.Default()}, []int64{shipment().ID}, dying.self.worker)
			return len(taken) == 1, err
		})
		o.holder.lookAround(t.Context())
		if by := shipment().TakenBy; by != "" {
			t.Errorf("it is still taken by the dead worker %s", by)
		}
	})
}

// A worker that others have buried begins anew, and lets nothing leave of what it had taken.
func TestS6AWorkerThatWasTakenForDeadBeginsAnew(t *testing.T) {
	eachOffice(t, func(t *testing.T, o *office) {
		before, end, err := o.holder.begin()
		must(t, err)
		defer end()
		o.buryHolder(t)
		o.holder.beat(t.Context())
		if err := o.holder.stillOurs(before); !errors.Is(err, errUnsure) {
			t.Errorf("what it had taken may leave: %v", err)
		}
		after, end, err := o.holder.begin()
		must(t, err)
		defer end()
		must(t, o.holder.stillOurs(after))
	})
}

// buryHolder buries the office's own worker, as another one does that takes it for dead.
func (o *office) buryHolder(t *testing.T) {
	t.Helper()
	workers, err := o.db.Workers(t.Context())
	must(t, err)
	for self := workers[0].ID; slices.ContainsFunc(workers, func(w store.Worker) bool { return w.ID == self }); { // a beat in between saves it
		must(t, o.holder.bury(t.Context(), workers[0]))
		workers, err = o.db.Workers(t.Context())
		must(t, err)
	}
}
