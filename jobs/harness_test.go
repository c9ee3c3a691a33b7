package jobs

import (
	"context"
	"flag"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/alicebob/miniredis/v2"
	"github.com/redis/go-redis/v9"

	"purr/documents"
	"purr/dunning/collection"
	"purr/internal/clock"
	"purr/internal/storage"
	"purr/jobs/runs"
	"purr/law"
	"purr/ledger"
	"purr/mailer"
	"purr/mailer/dispatch"
	"purr/mailer/shipments"
	"purr/mailer/shipments/bounces"
	"purr/mailer/webhook"
	"purr/models"
	"purr/ocr"
	"purr/ocr/inbound"
	"purr/store"
	"purr/store/archive"
	"purr/test/testkit"
	"purr/test/testkit/rows"
)

// patience is how long a test waits for what other goroutines must do.
const patience = testkit.Patience

// atOnce is how many tests run at once: they mostly wait.
const atOnce = 8

func TestMain(m *testing.M) {
	flag.Parse()
	if err := flag.Set("test.parallel", strconv.Itoa(atOnce)); err != nil {
		panic(err)
	}
	os.Exit(m.Run())
}

// office is everything that works in the background, wired as in app, on a test clock that stands at rows.Start. Its
// worker works once it is started.
type office struct {
	db        *store.DB
	clock     *clock.Test
	redis     redis.UniversalClient
	queue     *Queue
	worker    *Worker
	holder    *Holder
	workers   string // the folder of the workers' marks
	scheduler *Scheduler
	mover     *TestClock
	archive   *archive.Archive
	outbox    string // the folder of what was sent
	inbox     string
}

// eachOffice runs the test on either database, in parallel with other tests. The Redis is a server: the one inside the
// process runs asynq's scripts in Go, which takes a third of all time. The tests of the whole program run on both.
func eachOffice(t *testing.T, test func(t *testing.T, o *office)) {
	t.Helper()
	t.Parallel()
	testkit.EachDatabase(t, func(t *testing.T, databaseURL string) {
		t.Parallel()
		test(t, openOffice(t, databaseURL, testkit.Redis(t)))
	})
}

// redisInside starts a Redis in the process, as purr serve does, and returns its URL.
func redisInside(t *testing.T) string {
	t.Helper()
	server := miniredis.RunT(t)
	return "redis://" + server.Addr()
}

func openOffice(t *testing.T, databaseURL, redisURL string) *office {
	t.Helper()
	o := &office{clock: clock.NewTest(rows.Start), outbox: filepath.Join(t.TempDir(), "outbox"), inbox: t.TempDir(), workers: t.TempDir()}
	o.db = rows.Open(t, databaseURL).WithClock(o.clock)
	o.connect(t, redisURL)
	log := slog.New(slog.DiscardHandler)
	var err error
	o.archive, err = archive.Open(t.TempDir())
	must(t, err)
	importer := ocr.NewImporter(o.db, o.archive, log)
	inbox, err := inbound.OpenInbox(o.inbox, importer, log)
	must(t, err)
	t.Cleanup(func() { must(t, inbox.Close()) })
	outbox, err := mailer.NewOutbox(o.outbox)
	must(t, err)
	made := documents.New(o.db, o.archive)
	o.holder = o.join(t)
	rules := law.Default()
	o.worker = &Worker{
		DB: o.db, Queue: o.queue, Holder: o.holder, Importer: importer, Log: log,
		Dispatch: &dispatch.Dispatcher{
			DB: o.db, Documents: made, Look: shipments.SecondLook{Rules: rules}, Clock: o.clock, Log: log,
			Channels: map[models.ShipmentMethod]mailer.Channel{models.ByPaper: outbox.Paper(), models.ByEmail: outbox.Email()},
		},
		Bundles:    &dispatch.Bundles{Look: shipments.SecondLook{Rules: rules}, Collection: collection.New(o.db, made, o.archive, rules), Collector: outbox, Log: log},
		Deliveries: &dispatch.Deliveries{Webhooks: webhook.NewSender(patience, clock.System{}, true), Log: log},
		Runs:       &runs.Runs{DB: o.db, Rules: rules, Clock: o.clock, Log: log},
	}
	reports, err := bounces.Open(storage.Folder(t.TempDir()), o.db, log)
	must(t, err)
	o.scheduler = &Scheduler{DB: o.db, Queue: o.queue, Inbox: inbox, Bounces: reports, Clock: o.clock, Log: log}
	o.mover = NewTestClock(o.clock, o.scheduler)
	return o
}

func (o *office) connect(t *testing.T, redisURL string) {
	t.Helper()
	options, err := redis.ParseURL(redisURL)
	must(t, err)
	client := redis.NewClient(options)
	t.Cleanup(func() { _ = client.Close() }) // the test may have closed it
	o.redis, o.queue = client, NewQueue(client, slog.New(slog.DiscardHandler))
}

// join begins a worker, which leaves when the test ends.
func (o *office) join(t *testing.T) *Holder {
	t.Helper()
	h, err := Join(t.Context(), o.db, o.queue, o.workers, nil, slog.New(slog.DiscardHandler))
	must(t, err)
	t.Cleanup(func() { _ = h.Leave(context.Background()) }) // the test may have closed the database
	return h
}

// die ends a worker as a kill does: it says nothing, and the lock on its file is free.
func (h *Holder) die() {
	h.stop()
	_ = h.self.marks.file.Close()
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// work starts the worker, and stops it when the test ends.
func (o *office) work(t *testing.T, concurrency int) {
	t.Helper()
	stop, err := o.worker.Start(concurrency, patience)
	must(t, err)
	t.Cleanup(stop)
}

// advance moves the clock on.
func (o *office) advance(t *testing.T, d time.Duration) {
	t.Helper()
	must(t, o.mover.Advance(t.Context(), o.clock.Now().Add(d)))
}

// pass lets days pass on which nothing changes. The program sleeps on all but the last of them, whose run finds what theirs
// would have found. TestE8ASimulatedMonth lives through every day, and so do the stories.
func (o *office) pass(t *testing.T, days int) {
	t.Helper()
	o.clock.Set(o.clock.Now().AddDate(0, 0, days-1))
	o.advance(t, 24*time.Hour)
}

// take takes a lease in a transaction, as a worker that then dies.
func (o *office) take(t *testing.T, take func(tx *store.Tx) (bool, error)) {
	t.Helper()
	rows.Write(t, o.db, func(tx *store.Tx) error {
		taken, err := take(tx)
		if err == nil && !taken {
			t.Error("nothing was due")
		}
		return err
	})
}

// settle does what is owed now.
func (o *office) settle(t *testing.T) {
	t.Helper()
	o.advance(t, 0)
}

// sent returns the names of the files in the outbox.
func (o *office) sent(t *testing.T) []string {
	t.Helper()
	var names []string
	for _, folder := range []string{"email", "paper"} {
		files, err := os.ReadDir(filepath.Join(o.outbox, folder))
		must(t, err)
		for _, f := range files {
			names = append(names, folder+"/"+f.Name())
		}
	}
	slices.Sort(names)
	return names
}

// shipments returns a document's shipments.
func (o *office) shipments(t *testing.T, d models.Document) []models.Shipment {
	t.Helper()
	found, err := o.db.ShipmentsOf(t.Context(), d)
	must(t, err)
	return found
}

// events returns a creditor's events of the types, or all if no type is given, as "time type text".
func (o *office) events(t *testing.T, c models.Creditor, types ...models.EventType) []string {
	t.Helper()
	found, err := o.db.Events(t.Context(), c.ID, 0, 100_000)
	must(t, err)
	var lines []string
	for _, e := range found {
		if len(types) == 0 || slices.Contains(types, e.Type) {
			lines = append(lines, fmt.Sprintf("%s %s %s", e.At.Format("01-02 15:04:05"), e.Type, e.Text))
		}
	}
	return lines
}

// sorted sorts lines: what happens at one moment may happen in any order.
func sorted(lines []string) []string { return slices.Sorted(slices.Values(lines)) }

// wantLines expects lines in order.
func wantLines(t *testing.T, got []string, want ...string) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Errorf("got\n\t%s\nwant\n\t%s", strings.Join(got, "\n\t"), strings.Join(want, "\n\t"))
	}
}

// pay registers a payment on the clock's day.
func (o *office) pay(t *testing.T, i models.Invoice, amount models.Amount) models.Entry {
	t.Helper()
	var e models.Entry
	today := models.DateOf(o.clock.Now())
	rows.Write(t, o.db, func(tx *store.Tx) (err error) {
		e, err = ledger.RegisterOnInvoice(t.Context(), tx, i.CreditorID, i.ID, ledger.Payment{Amount: -amount, Date: today}, today)
		return err
	})
	return e
}

// prove proves a creditor's books.
func (o *office) prove(t *testing.T, c models.Creditor) {
	t.Helper()
	differences, err := ledger.Verify(t.Context(), o.db, c)
	must(t, err)
	for _, d := range differences {
		t.Errorf("the books of %s: %s", c.Name, d)
	}
}

// channel is a mailer that remembers what it was given. The zero channel takes everything.
type channel struct {
	take func(ctx context.Context, id string) error // fails if the channel does not take it; nil takes it

	mu    sync.Mutex
	taken []string
}

func (c *channel) HandOver(ctx context.Context, p mailer.Parcel) (mailer.Answer, error) {
	return mailer.Answer{Receipt: "taken"}, c.accept(ctx, p.Name)
}

func (c *channel) SendToCollector(ctx context.Context, name string, _ []byte) error {
	return c.accept(ctx, name)
}

func (c *channel) accept(ctx context.Context, id string) error {
	if c.take != nil {
		if err := c.take(ctx, id); err != nil {
			return err
		}
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.taken = append(c.taken, id)
	return nil
}

// all returns the names of what was taken, sorted.
func (c *channel) all() []string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.Sorted(slices.Values(c.taken))
}

// waitFor waits until something that another goroutine does is true.
func waitFor(t *testing.T, what string, done func() bool) {
	t.Helper()
	tick := time.NewTicker(2 * time.Millisecond)
	defer tick.Stop()
	for deadline := time.After(patience); !done(); {
		select {
		case <-tick.C:
		case <-deadline:
			t.Fatalf("waited for %s in vain", what)
		}
	}
}
