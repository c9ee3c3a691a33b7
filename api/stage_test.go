package api_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"purr/api"
	"purr/api/guard"
	"purr/audit/asked"
	"purr/dunning"
	"purr/law"
	"purr/ledger/avtalegiro"
	"purr/mailer/shipments"
	"purr/models"
	"purr/ocr"
	"purr/store"
	"purr/store/archive"
	"purr/test/testkit/rows"
)

// stage is where a script is played: a server with a creditor and a key of each scope. Another creditor arrives when its key is
// first used, or when the script says so: what the first one did before, it did alone (rule D101).
type stage struct {
	json bool                      // requests are made in JSON where they can be
	last *reply                    // the answer in JSON, nil if the request was made in XML
	see  func(x exchange, r reply) // sees what was asked and answered in JSON; nil for nobody
	*installation
	arrived bool // the other creditor is there

	databaseURL string
	wire        *wire      // to the database, where the script cuts it
	slow        *slowClock // where the script needs one

	other *httptest.Server // a second server for every POST; nil for none
	posts int              // to both so far
}

// mySQLAlone is the stage direction of a script whose database goes away: SQLite, a file, stays.
const mySQLAlone = "the database is MySQL, on a connection that will break"

func (s script) onMySQLAlone() bool { return slices.Contains(stageDirections(s.preface), mySQLAlone) }

// settings are the stage directions of a preface: what the server is started with.
var settings = map[string]func(st *stage, c *api.Config){
	mySQLAlone:          func(*stage, *api.Config) {},
	"with a test clock": func(st *stage, c *api.Config) { c.TestClock = movedClock{st.installation} },
	"with a test clock that takes its time": func(st *stage, c *api.Config) {
		st.slow = &slowClock{began: make(chan struct{}), release: make(chan struct{})}
		c.TestClock = st.slow
	},
	"with a test clock that is broken": func(_ *stage, c *api.Config) { c.TestClock = brokenClock{} },
	"at most 1 request a second for each key": func(_ *stage, c *api.Config) {
		c.RateLimit = guard.RateLimit{PerSecond: 1}
	},
	"the disk is nearly full": func(st *stage, c *api.Config) {
		full, err := archive.Open(st.t.TempDir())
		must(st.t, err)
		full.KeepFree(1 << 62)
		c.Importer = ocr.NewImporter(c.DB, full, c.Log)
	},
	"the network says that everybody receives invoices by EHF, and nothing else": func(_ *stage, c *api.Config) { c.Lookup = invoicesAlone{} },
	"the queue does not answer": func(_ *stage, c *api.Config) {
		c.Checks = []api.Check{{Name: "queue", Ask: func(context.Context) error { return errors.New("away") }}}
	},
	"the act of 2026 is in force": func(st *stage, c *api.Config) {
		rules, err := law.Load(fstest.MapFS{"act.csv": {Data: []byte("from,value,source,confidence\n2026-01-01,2026,LOV-2026-05-22-19,A\n")}})
		must(st.t, err)
		c.Rules = rules
	},
	"the base URL is https://faktura.example.no/purr": func(_ *stage, c *api.Config) { c.BaseURL = "https://faktura.example.no/purr" },
}

// invoicesAlone is a network in which everybody receives invoices, and nothing else.
type invoicesAlone struct{}

func (invoicesAlone) Ask(_ context.Context, organisationNumber string) (models.Reception, error) {
	return models.Reception{
		OrganisationNumber: organisationNumber, Invoice: models.ReceivesYes, CreditNote: models.ReceivesNo, Reminder: models.ReceivesNo,
	}, nil
}

// play has the script's requests answered, and returns it with what was answered.
func (s script) play(t *testing.T, databaseURL string) script {
	t.Helper()
	st := s.setUp(t, databaseURL)
	played := s
	played.exchanges = slices.Clone(s.exchanges)
	for i := range played.exchanges {
		x := &played.exchanges[i]
		x.answer = st.perform(*x)
	}
	return played
}

func (s script) setUp(t *testing.T, databaseURL string) *stage {
	t.Helper()
	st := &stage{installation: &installation{t: t}, databaseURL: databaseURL}
	if s.onMySQLAlone() {
		st.wire = cutWire(t, databaseURL)
		databaseURL = st.wire.url
	}
	var cfg api.Config
	in := install(t, databaseURL, func(c *api.Config) {
		for _, d := range stageDirections(s.preface) {
			set, known := settings[d]
			if !known {
				t.Fatalf("no server is known that is %q", d)
			}
			set(st, c)
		}
		cfg = *c
	})
	*st.installation = *in
	if s.twins {
		st.other = in.twin(t, databaseURL, cfg)
	}
	st.cutKey("key-write-Annen AS", st.creditor.ID+1, models.ScopeWrite)
	for _, scope := range []models.Scope{models.ScopeRead, models.ScopeWrite, models.ScopeAdmin} {
		st.cutKey(string(scope)+"-key", st.creditor.ID, scope)
	}
	st.cutKey("other-key", st.creditor.ID+1, models.ScopeAdmin)
	st.key = "write-key"
	return st
}

// otherArrives makes the other creditor, unless it is there.
func (st *stage) otherArrives() {
	st.t.Helper()
	if st.arrived {
		return
	}
	st.arrived = true
	if c := st.newCreditor("Annen AS"); c.ID != st.creditor.ID+1 {
		st.t.Fatalf("the other creditor has the number %d", c.ID)
	}
}

func (st *stage) cutKey(secret string, creditorID int64, scope models.Scope) {
	st.t.Helper()
	key := models.Key{CreditorID: creditorID, Name: string(scope), Scope: scope, Hash: models.HashKey(secret)}
	st.write(func(ctx context.Context, tx *store.Tx) error { return tx.CreateKey(ctx, &key) })
}

// performance is how an exchange is to be made.
type performance struct {
	exchange
	send      func(st *stage, x exchange) reply
	times     int
	beginning bool // of the answer's body is enough
	lastFault bool // of the answer's faults is enough
}

// directions are the stage directions of exchanges, by their form, and what is done about them.
var directions = map[*regexp.Regexp]func(st *stage, p *performance, m []string){
	form(`(\d+) (day|hour|second)s? pass(?:es)?`): func(st *stage, _ *performance, m []string) { st.letPass(number(m[1]), m[2]) },
	form(`what was rejected 90 days ago is removed`): func(st *stage, _ *performance, _ []string) {
		st.importer.KeepRejected(90 * 24 * time.Hour)
		_, err := st.importer.RemoveRejected(st.t.Context())
		must(st.t, err)
	},
	form(`another creditor arrives`):            func(st *stage, _ *performance, _ []string) { st.otherArrives() },
	form(`the dunning run of today waits`):      func(st *stage, _ *performance, _ []string) { st.holdRun() },
	form(`(\d+) times`):                         func(_ *stage, p *performance, m []string) { p.times = number(m[1]) },
	form(`what is to be sent goes out`):         func(st *stage, _ *performance, _ []string) { st.sendShipments() },
	form(`what is to be sent is refused: (.*)`): func(st *stage, _ *performance, m []string) { st.refuseShipments(m[1]) },
	form(`shipment (\d+) is reported as (\w+): (.*)`): func(st *stage, _ *performance, m []string) {
		told := shipments.Told{Shipment: m[1], State: m[2], At: st.clock.Now(), Reason: m[3]}
		_, err := shipments.Tell(st.t.Context(), st.db, told, "command line")
		must(st.t, err)
	},
	form(`eFaktura is set up`): func(st *stage, _ *performance, _ []string) {
		st.write(func(ctx context.Context, tx *store.Tx) error {
			return shipments.NoteLeft(ctx, tx, models.ByEFaktura, models.WayREST)
		})
	},
	form(`the day's file of AvtaleGiro reaches the bank`): func(st *stage, _ *performance, _ []string) {
		st.write(func(ctx context.Context, tx *store.Tx) error {
			f, err := avtalegiro.MakeFile(ctx, tx, st.creditor.ID)
			if err != nil {
				return err
			}
			return avtalegiro.Delivered(ctx, tx, &f, tx.Now)
		})
	},
	form(`the dunning run of the day is made`): func(st *stage, _ *performance, _ []string) { st.dun() },
	form(`its lines (\d+) to (\d+) come (\d+) times`): func(_ *stage, p *performance, m []string) {
		lines := strings.SplitAfter(p.body, "\n")
		first, last := number(m[1])-1, number(m[2])
		p.body = strings.Join(slices.Concat(lines[:first], slices.Repeat(lines[first:last], number(m[3])), lines[last:]), "")
	},
	form(`its beginning is enough`):          func(_ *stage, p *performance, _ []string) { p.beginning = true },
	form(`the last of its faults is enough`): func(_ *stage, p *performance, _ []string) { p.lastFault = true },
	form(`the body is in ISO-8859-1`):        func(_ *stage, p *performance, _ []string) { p.body = latin1(p.body) },
	form(`without a key`): func(_ *stage, p *performance, _ []string) {
		p.header = append(slices.Clone(p.header), [2]string{"Authorization", ""})
	},
	form(`the connection breaks in the middle of the body`): func(_ *stage, p *performance, _ []string) {
		p.send = func(st *stage, x exchange) reply { return st.request(x, st.breakOff) }
	},
	form(`while the same request is still running`): func(_ *stage, p *performance, _ []string) { p.send = (*stage).sendTwice },
	form(`the installation is held: (.*)`): func(st *stage, _ *performance, m []string) {
		st.write(func(ctx context.Context, tx *store.Tx) error { return tx.SetHold(ctx, m[1]) })
	},
	form(`invoice (\d+) has (\d+) more transactions`): func(st *stage, _ *performance, m []string) {
		st.write(func(ctx context.Context, tx *store.Tx) error {
			i, err := tx.Invoice(ctx, st.creditor.ID, int64(number(m[1])))
			if err != nil {
				return err
			}
			more := models.Entry{CreditorID: i.CreditorID, CustomerID: i.CustomerID, InvoiceID: i.ID, Type: models.EntryPayment, TransactionDate: i.IssueDate}
			return tx.CreateEntries(ctx, slices.Repeat([]models.Entry{more}, number(m[2])))
		})
	},
	form(`notice (\d+) charges 3.00 too much`): func(st *stage, _ *performance, m []string) {
		rows.Overcharge(st.t, st.databaseURL, int64(number(m[1])))
	},
	form(`the audit is done`): func(st *stage, _ *performance, _ []string) {
		due, err := st.db.AuditsToDo(st.t.Context(), 10)
		must(st.t, err)
		for _, a := range due {
			must(st.t, asked.Do(st.t.Context(), st.db, law.Default(), a.CreditorID, a.ID))
		}
	},
	form(`the connection to the database breaks`): func(st *stage, _ *performance, _ []string) { st.wire.cut() },
}

// dun makes the automatic run of the day.
func (st *stage) dun() {
	st.t.Helper()
	c, err := st.db.Creditor(st.t.Context(), st.creditor.ID)
	must(st.t, err)
	today, err := c.Today(st.clock.Now())
	must(st.t, err)
	rows.Send(st.t, st.db, c)
	snapshot, err := dunning.TakeSnapshot(st.t.Context(), st.db, law.Default(), c, today)
	must(st.t, err)
	_, err = snapshot.Run(st.t.Context(), func() {})
	must(st.t, err)
	st.write(func(ctx context.Context, tx *store.Tx) error {
		run := models.Run{CreditorID: c.ID, Kind: models.RunDunning, BusinessDate: today}
		if _, err := tx.BeginRun(ctx, &run); err != nil {
			return err
		}
		run.State = models.RunDone
		return tx.UpdateRun(ctx, run)
	})
}

func form(pattern string) *regexp.Regexp { return regexp.MustCompile("^" + pattern + "$") }

// number reads digits.
func number(digits string) int {
	n, _ := strconv.Atoi(digits) // they are digits
	return n
}

// perform does what an exchange's stage directions say, makes its request, and returns the answer as it is
// shown.
func (st *stage) perform(x exchange) string {
	st.t.Helper()
	p := performance{exchange: x, times: 1, send: func(st *stage, x exchange) reply { return st.request(x, st.send) }}
	if st.other != nil && x.method == http.MethodPost && x.answeredWell() && len(x.asked("Idempotency-Key")) == 0 {
		p.send = (*stage).sendToBoth
	}
	for _, d := range stageDirections(x.told) {
		known := false
		for form, follow := range directions {
			if m := form.FindStringSubmatch(d); m != nil {
				follow(st, &p, m)
				known = true
			}
		}
		if !known {
			st.t.Fatalf("%s: nobody knows how to do %q", x.told, d)
		}
	}
	if slices.Contains(p.header, [2]string{"Authorization", "Bearer other-key"}) {
		st.otherArrives()
	}
	var r reply
	for range p.times {
		r = p.send(st, p.exchange)
	}
	const enough = 110
	if p.beginning && len(r.body) > enough {
		r.body = r.body[:strings.LastIndexByte(r.body[:enough], '\n')+1] + "…"
	}
	if p.lastFault && !st.json {
		before, _, _ := strings.Cut(r.body, "<error ")
		r.body = before + r.body[strings.LastIndex(r.body, "<error "):]
	}
	return r.shown(p.asked("X-Request-Id")...)
}

// asked returns the header's name when the request has it: its answer then has it too.
func (x exchange) asked(name string) []string {
	if slices.ContainsFunc(x.header, func(h [2]string) bool { return h[0] == name }) {
		return []string{name}
	}
	return nil
}

func (st *stage) letPass(n int, unit string) {
	switch unit {
	case "day":
		st.pass(n)
		return
	case "hour":
		n *= 3600
	}
	st.clock.Set(st.clock.Now().Add(time.Duration(n) * time.Second))
	st.wall.Set(st.clock.Now())
}

// sending makes a request of an installation.
type sending func(method, path, body string, options ...option) reply

// request makes the exchange's request, to a host that is the same in every run.
func (st *stage) request(x exchange, send sending) reply {
	st.t.Helper()
	inJSON := false
	if st.json {
		x, inJSON = x.inJSON()
	}
	r := send(x.method, x.path, x.body, func(r *http.Request) {
		r.Host = "purr.example"
		for i, h := range x.header {
			switch {
			case h[0] == "Host":
				r.Host = h[1]
			case slices.ContainsFunc(x.header[:i], func(before [2]string) bool { return before[0] == h[0] }):
				r.Header.Add(h[0], h[1])
			case h[1] == "":
				r.Header.Del(h[0])
			default:
				r.Header.Set(h[0], h[1])
			}
		}
	})
	if inJSON {
		st.last = &r
		st.see(x, r)
	}
	return r
}

// sendTwice makes a request, makes it again before the first is answered, and returns the second answer.
func (st *stage) sendTwice(x exchange) reply {
	st.t.Helper()
	first := make(chan reply)
	go func() { first <- st.request(x, st.send) }()
	<-st.slow.began
	second := st.request(x, st.send)
	close(st.slow.release)
	<-first
	return second
}

// breakOff sends a request with half of its body.
func (st *stage) breakOff(method, path, body string, options ...option) reply {
	st.t.Helper()
	conn, err := (&net.Dialer{}).DialContext(st.t.Context(), "tcp", strings.TrimPrefix(st.http.URL, "http://"))
	must(st.t, err)
	defer conn.Close()
	r, err := http.NewRequestWithContext(st.t.Context(), method, path, http.NoBody)
	must(st.t, err)
	r.Header.Set("Authorization", "Bearer "+st.key)
	for _, o := range options {
		o(r)
	}
	_, err = fmt.Fprintf(conn, "%s %s HTTP/1.1\r\nHost: %s\r\nAuthorization: %s\r\nContent-Length: %d\r\n\r\n%s",
		method, path, r.Host, r.Header.Get("Authorization"), len(body), body[:len(body)/2])
	must(st.t, err)
	half, is := conn.(*net.TCPConn)
	if !is {
		st.t.Fatal("not a TCP connection")
	}
	must(st.t, half.CloseWrite())
	answered, err := http.ReadResponse(bufio.NewReader(conn), r)
	must(st.t, err)
	defer answered.Body.Close()
	data, err := io.ReadAll(answered.Body)
	must(st.t, err)
	return reply{answered.StatusCode, answered.Header, string(data)}
}

func latin1(text string) string {
	var b strings.Builder
	for _, c := range text {
		b.WriteByte(byte(c)) // what is not in ISO-8859-1 has no place in a script that says it is
	}
	return b.String()
}

// holdRun has a dunning run of today begin and wait, as the worker would.
func (in *installation) holdRun() {
	in.t.Helper()
	run := models.Run{CreditorID: in.creditor.ID, Kind: models.RunDunning, BusinessDate: models.DateOf(in.clock.Now())}
	in.write(func(ctx context.Context, tx *store.Tx) error {
		if _, err := tx.BeginRun(ctx, &run); err != nil {
			return err
		}
		return dunning.AwaitApproval(ctx, tx, run.ID, dunning.AboveCeiling{Totals: dunning.Totals{Reminders: 340, HandOvers: 2}, Ceiling: 100})
	})
}

// sendShipments does what the mailer would.
func (in *installation) sendShipments() { in.handOverShipments("250 2.0.0 Ok: queued as 4F2B1", nil) }

// refuseShipments does what the mailer would if the channels took nothing.
func (in *installation) refuseShipments(why string) {
	in.handOverShipments("", models.Refuse(models.BlameRecipient, nil, "%s", why))
}

func (in *installation) handOverShipments(receipt string, failure error) {
	in.t.Helper()
	creditors, err := in.db.CreditorsToShip(in.t.Context(), in.clock.Now(), models.OneByOne(false)...)
	must(in.t, err)
	var owed []models.Shipment
	for _, id := range creditors {
		due, err := in.db.DueShipments(in.t.Context(), id, in.clock.Now(), 100, models.ByPaper, models.ByEmail)
		must(in.t, err)
		owed = append(owed, due...)
	}
	in.write(func(ctx context.Context, tx *store.Tx) error {
		for _, s := range owed {
			taken, err := shipments.TakeAll(ctx, tx, shipments.SecondLook{Rules: law.Default()}, []int64{s.ID}, "the mailer")
			if err != nil {
				return err
			}
			for _, s := range taken {
				if _, err := shipments.Record(ctx, tx, s, receipt, failure); err != nil {
					return err
				}
			}
		}
		return nil
	})
}

// movedClock is a test clock that moves the installation's.
type movedClock struct{ in *installation }

func (c movedClock) Now() time.Time { return c.in.clock.Now() }

func (c movedClock) Advance(_ context.Context, to time.Time) error {
	if !c.in.clock.Set(to) {
		return models.Invalid("clock_backwards", "now", "the clock stands at %s and moves forward only", c.Now().Format(time.RFC3339))
	}
	return nil
}
