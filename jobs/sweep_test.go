package jobs

import (
	"context"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"purr/internal/clock"
	"purr/jobs/tasks"
	"purr/models"
	"purr/ocr"
	"purr/ocr/giro"
	"purr/store"
	"purr/test/testkit"
	"purr/test/testkit/forge"
	"purr/test/testkit/rows"
)

// eachRedis runs the test on either database with a Redis server of its own, which it may kill or empty.
func eachRedis(t *testing.T, test func(t *testing.T, o *office, server *testkit.RedisProcess)) {
	t.Helper()
	t.Parallel()
	testkit.EachDatabase(t, func(t *testing.T, databaseURL string) {
		t.Parallel()
		server := testkit.RedisServer(t)
		test(t, openOffice(t, databaseURL, server.URL), server)
	})
}

func (o *office) sweep(t *testing.T) int {
	t.Helper()
	queued, err := o.scheduler.Sweep(t.Context())
	must(t, err)
	return queued
}

func TestSweepQueuesWhatIsOwedOnce(t *testing.T) {
	eachOffice(t, func(t *testing.T, o *office) {
		c := rows.Creditor(t, o.db)
		first, second := rows.Invoice(t, o.db, c, byEmail("per@example.no")), rows.Invoice(t, o.db, c)
		if got := o.sweep(t); got != 3+1 {
			t.Errorf("%d tasks were queued for three runs and a creditor's shipments", got)
		}
		if got := o.sweep(t); got != 0 {
			t.Errorf("%d tasks were queued again", got)
		}
		must(t, o.redis.FlushDB(t.Context()).Err())
		if got := o.sweep(t); got != 4 {
			t.Errorf("after Redis lost them %d tasks were queued", got)
		}
		o.work(t, 4)
		o.settle(t)
		if got := o.sweep(t); got != 0 {
			t.Errorf("%d tasks were queued when nothing was owed", got)
		}
		for _, d := range []models.Document{first.Document(), second.Document()} {
			for _, s := range o.shipments(t, d) {
				if s.State != models.ShipmentSent || s.Attempts != 1 {
					t.Errorf("shipment %d is %s after %d attempts", s.ID, s.State, s.Attempts)
				}
			}
		}
	})
}

func TestSweepGoesOnWithAnImportThatWasBrokenOff(t *testing.T) {
	eachOffice(t, func(t *testing.T, o *office) {
		c := rows.Creditor(t, o.db)
		invoice := rows.Invoice(t, o.db, c)
		ctx, cancel := context.WithCancel(t.Context())
		dying := ocr.NewImporter(o.db.WithClock(&mortal{Clock: o.clock, left: 2, die: cancel}), o.archive, o.worker.Log)
		file := payment(t, c, giro.Payment{KID: invoice.KID, Amount: 400_00, NetsDate: rows.Today - 3})
		if _, err := dying.Import(ctx, strings.NewReader(file), ocr.Source{Kind: ocr.FromAPI, OwnerID: c.ID}); err == nil {
			t.Fatal("the import was not broken off")
		}
		o.work(t, 4)
		o.settle(t)
		now, err := o.db.Invoice(t.Context(), c.ID, invoice.ID)
		must(t, err)
		if now.Balance != 600_00 {
			t.Errorf("%s is owed", now.Balance)
		}
		o.prove(t, c)
	})
}

// mortal is a clock whose user dies at the beginning of a transaction of the database. Each transaction asks for the
// time once.
type mortal struct {
	clock.Clock
	left int // transactions until then
	die  context.CancelFunc
}

func (m *mortal) Now() time.Time {
	if m.left--; m.left < 0 {
		m.die()
	}
	return m.Clock.Now()
}

// payment returns the bank's file of one payment to the creditor.
func payment(t *testing.T, c models.Creditor, p giro.Payment) string {
	t.Helper()
	p.Type = giro.TypeCorporateGiro
	var b strings.Builder
	w := giro.NewWriter(&b)
	must(t, w.StartTransmission(giro.TransmissionHeader{Number: p.NetsDate.Time().Format("020106"), Recipient: "12345"}))
	must(t, w.StartAssignment(giro.AssignmentHeader{AgreementID: "1", Number: "1", Account: c.BankAccount}))
	must(t, w.Write(p))
	must(t, w.Close())
	return b.String()
}

// If Redis is emptied at any moment, even while mails are being dispatched, no mail is forgotten, and no mail that is
// recorded as sent is sent again.
func TestRedisMayBeEmptiedAtAnyPoint(t *testing.T) {
	eachRedis(t, func(t *testing.T, o *office, _ *testkit.RedisProcess) {
		const rounds, invoices = 6, 3
		var dispatched, flushAt atomic.Int64
		mail := &channel{take: func(ctx context.Context, _ string) error {
			if dispatched.Add(1) == flushAt.Load() {
				return o.redis.FlushAll(ctx).Err()
			}
			return nil
		}}
		o.worker.Dispatch.Channels[models.ByEmail] = mail
		o.work(t, 2)
		c := rows.Creditor(t, o.db)
		sent := 0
		for round := range rounds {
			dispatched.Store(0)
			flushAt.Store(int64(round + 1))
			for range invoices {
				invoice := rows.Invoice(t, o.db, c, byEmail("per@example.no"))
				o.queue.DocumentMade(t.Context(), c.ID, invoice.Document())
				sent += 2
			}
			waitFor(t, "all mails to be sent", func() bool {
				o.sweep(t)
				return len(o.events(t, c, models.EventShipmentSent)) >= sent
			})
		}
		o.settle(t)
		got := mail.all()
		if len(got) != sent || len(slices.Compact(got)) != sent {
			t.Errorf("%d mails were sent %d times", sent, len(mail.all()))
		}
		o.prove(t, c)
	})
}

func TestRedisMayDieAndComeBackEmpty(t *testing.T) {
	eachRedis(t, func(t *testing.T, o *office, server *testkit.RedisProcess) {
		letters := &channel{}
		o.worker.Dispatch.Channels[models.ByPaper] = letters
		o.work(t, 2)
		c := rows.Creditor(t, o.db)
		o.settle(t)
		must(t, o.queue.Ping(t.Context()))
		server.Kill()
		if err := o.queue.Ping(t.Context()); models.KindOf(err) != models.KindUnavailable {
			t.Errorf("without Redis the queue says %v", err)
		}
		invoice := rows.Invoice(t, o.db, c)
		o.queue.DocumentMade(t.Context(), c.ID, invoice.Document())
		if _, err := o.scheduler.Sweep(t.Context()); err == nil {
			t.Error("without Redis the sweep finds nothing amiss")
		}
		server.Start()
		waitFor(t, "the letter to leave", func() bool {
			_, err := o.scheduler.Sweep(t.Context())
			return err == nil && len(letters.all()) > 0
		})
		o.settle(t)
		if got := letters.all(); len(got) != 1 {
			t.Errorf("the letters that left are %q", got)
		}
	})
}

// TestATaskThatCannotBeDoneIsDropped: such a task holds up neither others nor the clock (rule O12).
func TestATaskThatCannotBeDoneIsDropped(t *testing.T) {
	eachOffice(t, func(t *testing.T, o *office) {
		for _, payload := range []string{"nonsense", `{"FileID": 4711}`} {
			forge.Task(t, o.redis, queueName, kindImport, payload)
		}
		c := rows.Creditor(t, o.db)
		invoice := rows.Invoice(t, o.db, c)
		o.work(t, 2)
		o.advance(t, time.Minute)
		depth, err := o.queue.Depth(t.Context())
		must(t, err)
		if want := (tasks.Depth{}); depth != want {
			t.Errorf("the queue is %+v, want %+v", depth, want)
		}
		if s := o.shipments(t, invoice.Document())[0]; s.State != models.ShipmentSent {
			t.Errorf("another shipment is %s", s.State)
		}
	})
}

// TestASecondInWhichNothingIsDueCostsOneStatement sends what is due at once, too.
func TestASecondInWhichNothingIsDueCostsOneStatement(t *testing.T) {
	eachOffice(t, func(t *testing.T, o *office) {
		c := rows.Creditor(t, o.db)
		must(t, o.db.NumberEvents(t.Context()))
		var asked store.Queries
		must(t, o.scheduler.send(asked.Counting(t.Context()), 0))
		if n := asked.Count(); n != 1 {
			t.Errorf("it asked %d statements", n)
		}
		rows.Invoice(t, o.db, c)
		must(t, o.scheduler.send(t.Context(), 0))
		if d, err := o.queue.Depth(t.Context()); err != nil || d.Waiting == 0 {
			t.Errorf("with an invoice to send the queue holds %+v, %v", d, err)
		}
	})
}

func TestTasksAreToldApartByKindAndKey(t *testing.T) {
	date := models.NewDate(2026, time.March, 2)
	keys := map[string]bool{}
	for _, task := range []tasks.Task{
		shipTask(shipPayload{CreditorID: 1}), shipTask(shipPayload{CreditorID: 11}), shipTask(shipPayload{CreditorID: 1, Lane: 1}), shipTask(shipPayload{CreditorID: 1, Again: true}),
		importTask(models.PaymentFile{ID: 1}), runTask(models.Run{CreditorID: 1, Kind: models.RunStatus, BusinessDate: date}),
		runTask(models.Run{CreditorID: 1, Kind: models.RunDunning, BusinessDate: date}), runTask(models.Run{CreditorID: 11, Kind: models.RunDunning, BusinessDate: date}), runTask(models.Run{CreditorID: 1, Kind: models.RunDunning, BusinessDate: date + 1}),
		laneTask(lanePayload{1, 1, 0}), laneTask(lanePayload{1, 1, 1}), laneTask(lanePayload{1, 11, 0}),
	} {
		keys[task.Kind+":"+task.Key] = true
		if _, known := kindOf(task.Kind); !known {
			t.Errorf("nobody does the job %s", task.Kind)
		}
	}
	if len(keys) != 12 {
		t.Errorf("the keys are %v", keys)
	}
}
