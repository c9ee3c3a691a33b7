// Package retries_test lets each statement of each act fail as a database asks for another try: what comes of it must be
// what comes of an undisturbed act.
package retries_test

import (
	"database/sql"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"purr/api"
	"purr/app/operator"
	"purr/documents"
	"purr/dunning/collection"
	"purr/internal/clock"
	"purr/jobs/runs"
	"purr/law"
	"purr/ledger/accounts"
	"purr/models"
	"purr/ocr"
	"purr/store"
	"purr/store/archive"
	"purr/test/testkit"
	"purr/test/testkit/rows"
	"purr/test/testkit/servers"
)

// house is a database with what the acts need, once through the proxy.
type house struct {
	proxy      *proxy
	db         *store.DB // through the proxy
	plain      *store.DB
	raw        *sql.DB
	tables     []table
	locks      []string // the order of locks
	server     *api.Server
	importer   *ocr.Importer
	documents  *documents.Store
	collection *collection.Store
	operator   *operator.Operator
}

func open(t *testing.T, databaseURL string) *house {
	t.Helper()
	p, disturbed := newProxy(t, databaseURL)
	h := &house{proxy: p, plain: rows.Open(t, databaseURL), db: rows.Open(t, disturbed), locks: lockOrder(t)}
	var err error
	h.raw, err = servers.OpenMySQL(databaseURL)
	testkit.Must(t, err)
	t.Cleanup(func() { _ = h.raw.Close() })
	h.tables, err = tablesOf(t.Context(), h.raw)
	testkit.Must(t, err)
	kept, err := archive.Open(t.TempDir())
	testkit.Must(t, err)
	now, silent := clock.NewTest(rows.Start), slog.New(slog.DiscardHandler)
	h.importer = ocr.NewImporter(h.db, kept, silent)
	h.documents = documents.New(h.db, kept)
	h.collection = collection.New(h.db, h.documents, kept, law.Default())
	h.operator = &operator.Operator{
		DB: h.db, Rules: law.Default(), Clock: now, Importer: h.importer, Collection: h.collection, Actor: "a person",
		Runs: &runs.Runs{DB: h.db, Rules: law.Default(), Clock: now, Log: silent},
	}
	h.server = api.New(api.Config{
		DB: h.db, Documents: h.documents, Collection: h.collection, Accounts: accounts.New(h.db, kept, "v1.2.3"), Importer: h.importer, Queue: noQueue{}, Clock: now, Log: silent,
	})
	t.Cleanup(func() { testkit.Must(t, h.server.Close()) })
	return h
}

// person is one creditor, for whom one act is done.
type person struct {
	*house
	t        *testing.T
	creditor models.Creditor
	key      string
	ids      []int64 // what the act is about
}

func (h *house) newPerson(t *testing.T) *person {
	t.Helper()
	p := &person{house: h, t: t, creditor: rows.Creditor(t, h.plain, func(c *models.Creditor) {
		c.OrganisationNumber, c.Policy.Enabled, c.Policy.RequirePaymentFile = "974760673", true, false
	})}
	p.key = "key of " + p.creditor.Name
	key := models.Key{CreditorID: p.creditor.ID, Name: "key", Scope: models.ScopeAdmin, Hash: models.HashKey(p.key)}
	rows.Write(t, h.plain, func(tx *store.Tx) error { return tx.CreateKey(t.Context(), &key) })
	rows.Write(t, h.plain, func(tx *store.Tx) error { return tx.TouchKey(t.Context(), key.ID, rows.Start) })
	return p
}

// noQueue takes no hints.
type noQueue struct{ api.Queue }

func (noQueue) DocumentMade(_ ctx, _ int64, _ models.Document) {}

// ask makes a request of the API, with an Idempotency-Key, and returns the answer. %d in the path is the first of ids.
func ask(method, path, body string) func(p *person) (string, error) {
	return func(p *person) (string, error) {
		if strings.Contains(path, "%d") {
			return p.send(method, fmt.Sprintf(path, p.ids[0]), body)
		}
		return p.send(method, path, body)
	}
}

func (p *person) send(method, path, body string) (string, error) {
	for i, id := range p.ids {
		body = strings.ReplaceAll(body, fmt.Sprintf("{%d}", i), fmt.Sprint(id))
	}
	r := httptest.NewRequestWithContext(p.t.Context(), method, "/api/v1"+path, strings.NewReader(body))
	r.Header.Set("Authorization", "Bearer "+p.key)
	if strings.HasPrefix(body, "<") {
		r.Header.Set("Content-Type", "application/xml")
	}
	if method == http.MethodPost {
		r.Header.Set("Idempotency-Key", "key")
	}
	w := httptest.NewRecorder()
	p.server.HTTP().Handler.ServeHTTP(w, r)
	answer := fmt.Sprint(w.Code, " ", anonymous(w.Body.String(), p.creditor))
	if w.Code >= http.StatusBadRequest {
		return "", fmt.Errorf("answered %s", answer)
	}
	return varying.ReplaceAllString(answer, "…"), nil
}

// TestK1ATransactionThatIsRepeatedLeavesNothingOfItsFirstTry does each act once undisturbed. Then it does the act for
// another creditor once for each statement, which fails with a deadlock at the first try and with a lock time-out at the
// second. Answer and rows must be the same. "make test" lets each COMMIT fail, and every third of the other statements.
func TestK1ATransactionThatIsRepeatedLeavesNothingOfItsFirstTry(t *testing.T) {
	t.Parallel()
	databaseURL := testkit.MySQL(t)
	rows.Migrate(t, databaseURL)
	t.Run("redelivering", func(t *testing.T) { open(t, databaseURL).try(t, redelivering) })
	t.Run("acts", func(t *testing.T) {
		for _, group := range acts {
			t.Run(group[0].name, func(t *testing.T) {
				t.Parallel()
				h := open(t, databaseURL)
				for _, a := range group {
					h.try(t, a)
				}
			})
		}
	})
}

func (h *house) try(t *testing.T, a act) {
	t.Helper()
	statements, want, err := h.outcome(t, a, 0)
	if err != nil || len(statements) == 0 {
		t.Errorf("%s: undisturbed it fails after %d statements: %v", a.name, len(statements), err)
		return
	}
	for _, fault := range againstOrder(h.locks, statements) {
		t.Errorf("%s locks against the order in ARCHITECTURE.md: %s", a.name, fault)
	}
	for k := 1; k <= len(statements); k++ {
		if !testkit.Whole && k%8 != 1 && statements[k-1] != "COMMIT" {
			continue
		}
		tried, got, err := h.outcome(t, a, k)
		if err != nil {
			t.Errorf("%s, without statement %d, %.300s: %v", a.name, k, statements[k-1], err)
		} else if got != want {
			t.Errorf("%s, without statement %d, %.300s:\n%s\nundisturbed:\n%s", a.name, k, statements[k-1], different(got, want), different(want, got))
		}
		if len(tried) <= len(statements) { // unless the acts beside it made the undisturbed one try again
			statements, _, err = h.outcome(t, a, 0)
		}
		if err != nil || len(tried) <= len(statements) {
			t.Errorf("%s: statement %d was not tried again", a.name, k)
		}
	}
	t.Logf("%s: %d statements", a.name, len(statements))
}

// outcome does an act for a new creditor, while the statement with the number fails. It returns the statements of all
// tries, and the answer with the creditor's rows.
func (h *house) outcome(t *testing.T, a act, failing int) (statements []string, outcome string, err error) {
	t.Helper()
	p := h.newPerson(t)
	if a.given != nil {
		a.given(p)
	}
	h.proxy.disturb(failing)
	answer, err := a.do(p)
	statements = h.proxy.seen()
	h.proxy.disturb(0)
	if err != nil {
		return statements, "", err
	}
	left, err := rowsOf(t.Context(), h.raw, h.tables, p.creditor)
	return statements, answer + "\n" + left, err
}

// different returns the lines of one text that the other has not.
func different(one, other string) string {
	has := map[string]bool{}
	for line := range strings.Lines(other) {
		has[line] = true
	}
	var b strings.Builder
	for line := range strings.Lines(one) {
		if !has[line] {
			b.WriteString(line)
		}
	}
	return b.String()
}
