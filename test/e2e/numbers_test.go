package e2e_test

import (
	"database/sql"
	"errors"
	"math/rand/v2"
	"net/http"
	"path/filepath"
	"testing"

	"github.com/go-sql-driver/mysql"

	"purr/test/testkit"
	"purr/test/testkit/smtpserver"
)

// TestD18NumbersHaveNoGapWhateverHappens has 64 clients issue and credit invoices through two APIs on MariaDB,
// and be refused, while transactions are ended as deadlocks, connections to the database are killed, and so are
// the APIs. Each number is used, once, and what a client was told of is there (rules D9, D18).
func TestD18NumbersHaveNoGapWhateverHappens(t *testing.T) {
	t.Parallel()
	p := &parts{t: t, data: t.TempDir(), database: testkit.MySQL(t), redis: testkit.RedisServer(t), mails: smtpserver.Start(t), gate: newGate()}
	p.random = rand.New(rand.NewPCG(testkit.Seed(t), 0))
	ok(t, p.where(), "migrate")
	ok(t, p.where(), "creditor", "create", "--name", "Fjord Rør AS", "--bank-account", account, "--email", "post@fjord-ror.example")
	key := ok(t, p.where(), "keys", "create", "--creditor", "Fjord Rør AS")
	p.api = newClient(t, p.gate.url, key[:len(key)-1])
	p.begin("api")
	p.begin("api")

	l := newLoad(t, p.api, p.random.Uint64(), filepath.Join(p.data, "inbox"))
	for client := range 64 {
		switch client % 16 {
		case 0:
			l.start(l.refused)
		case 5, 10:
			l.start(l.creditTwice)
		default:
			l.start(l.issue)
		}
	}
	s := newStorm(t, p.database)
	for round := range 12 {
		l.await(20)
		s.deadlock()
		s.killConnection(p.random)
		if round%3 == 2 {
			p.crash()
		}
	}
	l.await(64)
	l.finish()

	b := books{t: t, api: p.api, db: s.db, data: p.data, where: p.where(), mails: p.mails}
	b.checkDocuments(l)
	b.checkEntries(l)
	ok(t, p.where(), "verify")
	p.terminate()
	t.Logf("%d answers, %d requests made again; %d deadlocks, %d connections killed; %d invoices", l.answers.Load(), l.repeats.Load(), s.deadlocks(), s.killed, len(l.invoices))
}

// creditTwice credits an invoice, and is refused when it tries again.
func (l *load) creditTwice(r *rand.Rand) error {
	i, found := l.some(r)
	if !found {
		return l.issue(r)
	}
	l.mu.Lock()
	again := i.credited
	i.credited = true
	l.mu.Unlock()
	if again {
		return l.issue(r)
	}
	if _, err := l.insist(l.once(i.path+"/credit_notes", creditBody("PAPER")), http.StatusCreated); err != nil {
		return err
	}
	_, err := l.insist(l.once(i.path+"/credit_notes", creditBody("PAPER")), http.StatusConflict)
	return err
}

// refused sends an invoice to a customer who is not there.
func (l *load) refused(*rand.Rand) error {
	i := invoiceOf{customer: "/api/v1/customer/999999", days: 14, net: "1000.00"}
	_, err := l.insist(l.once("/api/v1/invoices", i.xml()), http.StatusNotFound, http.StatusUnprocessableEntity)
	return err
}

// storm does to a database what may happen to it.
type storm struct {
	t      *testing.T
	db     *sql.DB
	before int64 // deadlocks of the server
	killed int
}

func newStorm(t *testing.T, databaseURL string) *storm {
	t.Helper()
	s := &storm{t: t, db: openDatabase(t, databaseURL)}
	_, err := s.db.ExecContext(t.Context(), "CREATE TABLE ballast (id BIGINT NOT NULL AUTO_INCREMENT PRIMARY KEY) ENGINE=InnoDB")
	must(t, err)
	s.before = s.deadlocks()
	return s
}

// deadlock locks the number series and then a customer, against the order of who issues invoices. The
// server ends the lighter of two transactions that wait for each other: this one has ballast.
func (s *storm) deadlock() {
	s.t.Helper()
	tx, err := s.db.BeginTx(s.t.Context(), nil)
	must(s.t, err)
	defer tx.Rollback()
	for _, statement := range []string{
		"INSERT INTO ballast SELECT seq FROM seq_1_to_500",
		"SELECT next_number FROM number_series FOR UPDATE",
		"SELECT id FROM customers ORDER BY id LIMIT 1 FOR UPDATE",
	} {
		_, err := tx.ExecContext(s.t.Context(), statement)
		var refused *mysql.MySQLError
		if errors.As(err, &refused) && refused.Number == 1213 {
			return // this one was the lighter after all
		}
		must(s.t, err)
	}
}

// killConnection cuts off one of the APIs' connections, whatever it is doing.
func (s *storm) killConnection(r *rand.Rand) {
	s.t.Helper()
	ids := query(s.t, s.db, "SELECT id FROM information_schema.processlist WHERE db = DATABASE() AND command <> 'Sleep' AND id <> CONNECTION_ID()")
	if len(ids) == 0 {
		return
	}
	_, err := s.db.ExecContext(s.t.Context(), "KILL "+ids[r.IntN(len(ids))])
	var gone *mysql.MySQLError
	if errors.As(err, &gone) && gone.Number == 1094 {
		return
	}
	must(s.t, err)
	s.killed++
}

// deadlocks returns how many deadlocks the server has broken since the storm began.
func (s *storm) deadlocks() int64 {
	s.t.Helper()
	return mustInt(s.t, query(s.t, s.db, "SELECT variable_value FROM information_schema.global_status WHERE variable_name = 'INNODB_DEADLOCKS'")[0]) - s.before
}
