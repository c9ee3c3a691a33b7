package console_test

import (
	"context"
	"io"
	"log/slog"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"purr/api/access"
	"purr/api/guard"
	"purr/console"
	"purr/console/outlook"
	"purr/documents"
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
)

// start is when the tests' clocks begin: a Monday, noon in Oslo.
var start = time.Date(2026, time.March, 2, 11, 0, 0, 0, time.UTC)

// browser is a browser that is signed in to a console with a database of its own.
type browser struct {
	t        testing.TB
	db       *store.DB
	clock    *clock.Test
	config   console.Config
	http     *httptest.Server
	client   *http.Client
	creditor models.Creditor
	base     string // path of the creditor's pages
	key      string
}

// open returns a browser on SQLite that is signed in with a key of a scope. configure may be nil.
func open(t *testing.T, scope models.Scope, configure func(*console.Config)) *browser {
	t.Helper()
	return openOn(t, testkit.SQLite(t), scope, configure)
}

func openOn(t *testing.T, databaseURL string, scope models.Scope, configure func(*console.Config)) *browser {
	t.Helper()
	b := &browser{t: t, clock: clock.NewTest(start)}
	b.db = rows.OpenWith(t, databaseURL, b.clock)
	b.serve(configure)
	b.creditor = b.newCreditor("Kaffe & Kake AS")
	b.key = b.newKey(b.creditor, scope)
	b.signIn(b.key)
	return b
}

// serve has a console answer on the browser's database. configure may be nil.
func (b *browser) serve(configure func(*console.Config)) {
	t := b.t
	t.Helper()
	kept, err := archive.Open(t.TempDir())
	must(t, err)
	log := slog.New(slog.NewTextHandler(t.Output(), nil))
	background := guard.NewBackground(log)
	b.config = console.Config{
		DB: b.db, Keys: access.New(b.db, nil, b.clock, log), Documents: documents.New(b.db, kept), Accounts: accounts.New(b.db, kept, "1.0"), Importer: ocr.NewImporter(b.db, kept, log), Rules: law.Default(), Queue: deaf{}, Clock: b.clock, Wall: b.clock, Simulated: true, Background: background, Log: log,
	}
	b.config.Runs = &runs.Runs{DB: b.db, Rules: law.Default(), Clock: b.clock, Log: log}
	b.config.Outlook = outlook.New(b.config.Runs, clock.System{})
	if configure != nil {
		configure(&b.config)
	}
	b.http = httptest.NewServer(console.New(b.config))
	t.Cleanup(func() {
		b.http.Close()
		background.Wait()
		b.config.Keys.Close()
	})
}

func (b *browser) newCreditor(name string) models.Creditor {
	b.t.Helper()
	c := models.NewCreditor(name)
	b.write(func(ctx context.Context, tx *store.Tx) error { return tx.CreateCreditor(ctx, &c) })
	return c
}

func (b *browser) newKey(c models.Creditor, scope models.Scope) string {
	b.t.Helper()
	secret := "key-" + string(scope) + "-" + c.Name
	key := models.Key{CreditorID: c.ID, Name: "Kari", Scope: scope, Hash: models.HashKey(secret)}
	b.write(func(ctx context.Context, tx *store.Tx) error { return tx.CreateKey(ctx, &key) })
	return secret
}

func (b *browser) write(do func(ctx context.Context, tx *store.Tx) error) {
	b.t.Helper()
	ctx := b.t.Context()
	must(b.t, b.db.InTx(ctx, func(ctx context.Context, tx *store.Tx) error { return do(ctx, tx) }))
}

// signIn begins a session with an empty jar of cookies.
func (b *browser) signIn(key string) *shown {
	b.t.Helper()
	jar, err := cookiejar.New(nil)
	must(b.t, err)
	b.client = &http.Client{Jar: jar, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	b.base = "/c/" + strconv.FormatInt(b.creditor.ID, 10)
	return b.post("/sign-in", "key", key)
}

// shown is what the console answered.
type shown struct {
	t        testing.TB
	status   int
	header   http.Header
	location string
	body     string
}

// get asks for a page. A path without a slash at its begin is one of the creditor's.
func (b *browser) get(path string, headers ...string) *shown {
	b.t.Helper()
	return b.do(http.MethodGet, path, "", headers...)
}

// post sends a form: pairs of a field and its value.
func (b *browser) post(path string, pairs ...string) *shown {
	b.t.Helper()
	form := url.Values{}
	for i := 0; i+1 < len(pairs); i += 2 {
		form.Add(pairs[i], pairs[i+1])
	}
	return b.do(http.MethodPost, path, form.Encode(), "Content-Type", "application/x-www-form-urlencoded")
}

// do makes a request, in English unless the headers say otherwise.
func (b *browser) do(method, path, body string, headers ...string) *shown {
	b.t.Helper()
	if !strings.HasPrefix(path, "/") {
		path = b.base + "/" + path
	}
	r, err := http.NewRequestWithContext(b.t.Context(), method, b.http.URL+path, strings.NewReader(body))
	must(b.t, err)
	r.Header.Set("Accept-Language", "en")
	for i := 0; i+1 < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	got, err := b.client.Do(r)
	must(b.t, err)
	defer func() { _ = got.Body.Close() }()
	page, err := io.ReadAll(got.Body)
	must(b.t, err)
	return &shown{b.t, got.StatusCode, got.Header, got.Header.Get("Location"), string(page)}
}

// is holds the status of the answer.
func (s *shown) is(status int) *shown {
	s.t.Helper()
	if s.status != status {
		s.t.Fatalf("the status is %d (%s), want %d:\n%s", s.status, s.location, status, s.text())
	}
	return s
}

// leads holds that the answer leads to a path.
func (s *shown) leads(path string) *shown {
	s.t.Helper()
	if s.is(http.StatusSeeOther).location != path {
		s.t.Fatalf("it leads to %s, want %s", s.location, path)
	}
	return s
}

// says holds that the page shows each of the texts.
func (s *shown) says(texts ...string) *shown {
	s.t.Helper()
	for _, text := range texts {
		if !strings.Contains(s.text(), text) {
			s.t.Errorf("the page does not say %q:\n%s", text, s.text())
		}
	}
	return s
}

var (
	tag    = regexp.MustCompile(`(?s)<script.*?</script>|<[^>]*>`)
	blanks = regexp.MustCompile(`[ \t\n]+`)
	once   = regexp.MustCompile(`name="once" value="([^"]+)"`)
)

// text returns what the page shows, without its elements.
func (s *shown) text() string {
	plain := strings.NewReplacer("&amp;", "&", "&#39;", "'", "&#34;", `"`, "&lt;", "<", "&gt;", ">", "&#43;", "+").Replace(tag.ReplaceAllString(s.body, " "))
	return strings.TrimSpace(blanks.ReplaceAllString(plain, " "))
}

// once returns the name of the page's forms.
func (s *shown) once() string {
	s.t.Helper()
	found := once.FindStringSubmatch(s.body)
	if found == nil {
		s.t.Fatalf("the page has no form:\n%s", s.body)
	}
	return found[1]
}

// deaf is a queue that nobody listens to.
type deaf struct{}

func (deaf) DocumentMade(context.Context, int64, models.Document) {}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
