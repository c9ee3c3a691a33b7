package peppol

import (
	"context"
	"encoding/base64"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"purr/internal/remote"
	"purr/internal/storage"
	"purr/mailer"
	"purr/mailer/rest"
	"purr/models"
	"purr/test/testkit"
)

// accessPoint is a phoss-ap that answers as it is told, and remembers what was submitted.
type accessPoint struct {
	submit int    // the status of a submission; 0 hangs up
	status int    // of a question; 0 answers from what it remembers
	state  string // what it says of a document; empty of one that it does not know

	mu        sync.Mutex
	submitted []string // path and body
	asked     int
	url       string
}

func startAccessPoint(t *testing.T) *accessPoint {
	t.Helper()
	a := &accessPoint{submit: http.StatusOK}
	server := httptest.NewServer(a)
	t.Cleanup(server.Close)
	a.url = "phoss-ap+" + server.URL + "/base/"
	return a
}

func (a *accessPoint) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if r.Header.Get("X-Token") != "hemmelig" {
		http.Error(w, "token", http.StatusUnauthorized)
		return
	}
	if r.Method == http.MethodGet {
		a.asked++
		switch {
		case a.status != 0:
			w.WriteHeader(a.status)
		case a.state == "":
			w.WriteHeader(http.StatusNotFound)
		default:
			_, _ = io.WriteString(w, `{"sbdhInstanceID":"x","status":"`+a.state+`","errorDetails":"no such receiver"}`)
		}
		return
	}
	body, _ := io.ReadAll(r.Body)
	a.submitted = append(a.submitted, r.URL.RequestURI()+" "+string(body))
	if a.submit == 0 {
		panic(http.ErrAbortHandler)
	}
	w.WriteHeader(a.submit)
	_, _ = io.WriteString(w, `{"overallSuccess":false,"sendingException":"x"}`)
}

func (a *accessPoint) channel(t *testing.T, enveloped bool) *AccessPoint {
	t.Helper()
	c, err := NewAccessPoint(a.url, "hemmelig", enveloped)
	testkit.Must(t, err)
	return c
}

func TestH3aAnAccessPointGetsFullIdentifiersAndTheInstanceID(t *testing.T) {
	t.Parallel()
	a := startAccessPoint(t)
	p := aParcel()
	got, err := a.channel(t, false).HandOver(t.Context(), p)
	if err != nil || got != (mailer.Answer{Receipt: p.InstanceID}) {
		t.Fatalf("%+v, %v", got, err)
	}
	const want = "/base/api/outbound/submit/iso6523-actorid-upis::0192:974760673/iso6523-actorid-upis::0192:987654325/" +
		"busdox-docid-qns::urn:oasis:names:specification:ubl:schema:xsd:Invoice-2::Invoice%23%23urn:cen.eu:en16931:2017%23compliant%23urn:fdc:peppol.eu:2017:poacc:billing:3.0::2.1/" +
		"cenbii-procid-ubl::urn:fdc:peppol.eu:2017:poacc:billing:01:1.0/NO?sbdhInstanceID=2d69016b-404e-5c5c-8023-5756df928a67 "
	if a.submitted[0] != want+string(p.EHF.UBL) {
		t.Errorf("submitted was\n%s\nwant\n%s", a.submitted[0], want)
	}
	if _, err := a.channel(t, true).HandOver(t.Context(), p); err != nil {
		t.Fatal(err)
	}
	envelope, err := Envelope(p)
	testkit.Must(t, err)
	if a.submitted[1] != "/base/api/outbound/submit-sbd "+string(envelope) {
		t.Errorf("submitted was\n%s", a.submitted[1])
	}
}

// blameIn says for whose fault an error refuses, empty if it refuses nothing.
func blameIn(err error) string {
	switch {
	case models.IsSetupFault(err):
		return "settings"
	case models.IsRefused(err):
		return "recipient"
	}
	return ""
}

func TestH3aWhatAnAccessPointAnswersMeans(t *testing.T) {
	t.Parallel()
	const setup, ofRecipient, away = "settings", "recipient", ""
	for _, tt := range []struct {
		status int
		kind   models.Kind
		blame  string
	}{
		{http.StatusOK, 0, ""},
		{http.StatusBadRequest, models.KindInvalid, setup},
		{http.StatusUnauthorized, models.KindInvalid, setup},
		{http.StatusForbidden, models.KindInvalid, setup},
		{http.StatusNotFound, models.KindInvalid, setup},
		{http.StatusFound, models.KindInvalid, setup},
		{http.StatusUnprocessableEntity, models.KindInvalid, ofRecipient},
		{http.StatusTooManyRequests, models.KindUnavailable, away},
		{http.StatusInternalServerError, models.KindUnavailable, away},
		{http.StatusBadGateway, models.KindUnavailable, away},
		{0, models.KindUnavailable, away},
	} {
		a := startAccessPoint(t)
		a.submit = tt.status
		_, err := a.channel(t, false).HandOver(t.Context(), aParcel())
		if tt.kind == 0 {
			if err != nil {
				t.Errorf("%d: %v", tt.status, err)
			}
		} else if models.KindOf(err) != tt.kind || blameIn(err) != tt.blame {
			t.Errorf("%d: %v", tt.status, err)
		} else if strings.Contains(err.Error(), "hemmelig") {
			t.Errorf("%d tells the secret", tt.status)
		}
	}
}

func TestH3aTheStatusIsAskedAfterNoAnswer(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		status  int
		state   string
		kind    models.Kind
		pending bool
	}{
		{0, "sent", 0, false},
		{0, "SENT", 0, false},
		{0, "rejected", models.KindInvalid, false},
		{0, "permanently_failed", models.KindInvalid, false},
		{0, "pending", 0, true},
		{0, "sending", 0, true},
		{0, "failed", 0, true},
		{0, "a state of next year", 0, true},
		{0, "", models.KindNotFound, false},
		{http.StatusInternalServerError, "", models.KindUnavailable, false},
		{http.StatusUnauthorized, "", models.KindInvalid, false}, // a fault of the settings (rule D107)
		{http.StatusOK, "", models.KindUnavailable, false},       // garbage
	} {
		a := startAccessPoint(t)
		a.status, a.state = tt.status, tt.state
		p := aParcel()
		got, err := a.channel(t, false).Ask(t.Context(), p)
		failed := err != nil
		if failed != (tt.kind != 0) || failed && models.KindOf(err) != tt.kind || !failed && got != (mailer.Answer{Receipt: p.InstanceID, Pending: tt.pending}) {
			t.Errorf("%d %s: %+v, %v", tt.status, tt.state, got, err)
		}
		if len(a.submitted) != 0 {
			t.Error("a question submits")
		}
	}
}

// TestH3aAnotherServerInTheAccessPointsPlaceHasNothing: a proxy wants one to sign in, or the name leads elsewhere. Whatever it
// answers, the document counts neither as sent nor as refused.
func TestH3aAnotherServerInTheAccessPointsPlaceHasNothing(t *testing.T) {
	t.Parallel()
	for name, body := range map[string]string{
		"a page":          "<!DOCTYPE html><html><body>Sign in</body></html>",
		"a page to ask":   "\n  <html>",
		"no object":       `"sent"`,
		"another object":  `{"state":"sent"}`,
		"a list":          `[{"status":"sent"}]`,
		"half an object":  `{"status":"se`,
		"another type":    `{"status":1}`,
		"an endless text": `{"status":"` + strings.Repeat("sent", maxAnswer),
	} {
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, body) }))
		t.Cleanup(server.Close)
		c, err := NewAccessPoint("phoss-ap+"+server.URL, "hemmelig", false)
		testkit.Must(t, err)
		if got, err := c.Ask(t.Context(), aParcel()); models.KindOf(err) != models.KindUnavailable {
			t.Errorf("%s tells of the document: %+v, %v", name, got, err)
		}
		if got, err := c.HandOver(t.Context(), aParcel()); strings.Contains(body, "<html>") && models.KindOf(err) != models.KindUnavailable {
			t.Errorf("%s takes the document: %+v, %v", name, got, err)
		}
	}
}

func TestH3aTheURLOfAnAccessPointIsRead(t *testing.T) {
	t.Parallel()
	for url, right := range map[string]bool{
		"phoss-ap+https://ap.example.no": true, "phoss-ap+http://127.0.0.1:8080/x": true, "phoss-ap+ftp://x": false, "phoss-ap+https://": false,
		"phoss-ap+https://kari:pw@ap.example.no": false, "phoss-ap+https://ap.example.no?x=1": false,
	} {
		if _, err := NewAccessPoint(url, "", false); (err == nil) != right {
			t.Errorf("%s: %v", url, err)
		}
	}
}

func TestH3aAFolderGetsWholeFilesOnce(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "ehf")
	f, err := NewFolder(storage.Folder(dir), false)
	testkit.Must(t, err)
	p := aParcel()
	half := filepath.Join(dir, "."+p.Name+".xml-1.tmp") // of a writer that was killed
	testkit.Must(t, os.WriteFile(half, []byte("<Inv"), 0o600))
	for range 2 {
		if got, err := f.HandOver(t.Context(), p); err != nil || got.Receipt != p.Name+".xml" || got.Repeatable {
			t.Fatalf("%+v, %v", got, err)
		}
	}
	files, err := filepath.Glob(filepath.Join(dir, "invoice*"))
	testkit.Must(t, err)
	content, err := os.ReadFile(filepath.Join(dir, p.Name+".xml"))
	if err != nil || string(content) != string(p.EHF.UBL) || len(files) != 1 {
		t.Errorf("%v: %s, %v", files, content, err)
	}
	kept := p
	kept.MayLeave = func() error { return errors.New("it is another's") }
	testkit.Must(t, os.RemoveAll(dir))
	if _, err := f.HandOver(t.Context(), kept); models.KindOf(err) != models.KindUnavailable {
		t.Errorf("kept back: %v", err)
	}
	if _, err := f.HandOver(t.Context(), p); models.KindOf(err) != models.KindUnavailable {
		t.Errorf("without a folder: %v", err)
	}
}

func TestH3aSFTPAsksForTheFileBeforeItSendsAgain(t *testing.T) {
	t.Parallel()
	host, dir := testkit.SFTPServer(t), t.TempDir()
	server, err := remote.NewServer(remote.Access{URL: host.Folder(dir), KeyFile: host.KeyFile, HostKey: host.HostKey, Prefix: "ehf"})
	testkit.Must(t, err)
	s := NewSFTP(server, true)
	p := aParcel()
	file := filepath.Join(dir, p.Name+".xml")
	if _, err := s.Ask(t.Context(), p); models.KindOf(err) != models.KindNotFound {
		t.Errorf("before: %v", err)
	}
	testkit.Must(t, os.WriteFile(file, []byte("half"), 0o600))
	if _, err := s.Ask(t.Context(), p); models.KindOf(err) != models.KindNotFound {
		t.Errorf("half of it: %v", err)
	}
	if got, err := s.HandOver(t.Context(), p); err != nil || got.Receipt != p.Name+".xml" {
		t.Fatalf("%+v, %v", got, err)
	}
	envelope, err := Envelope(p)
	testkit.Must(t, err)
	content, err := os.ReadFile(file)
	if err != nil || string(content) != string(envelope) {
		t.Errorf("the file holds %s, %v", content, err)
	}
	if got, err := s.Ask(t.Context(), p); err != nil || got.Receipt != p.Name+".xml" || got.Pending {
		t.Errorf("after: %+v, %v", got, err)
	}
	testkit.Must(t, os.Remove(file)) // the provider took it away, and purr was killed before it noted that: the same comes again
	if _, err := s.HandOver(t.Context(), p); err != nil {
		t.Error(err)
	}
	if again, err := os.ReadFile(file); err != nil || string(again) != string(content) {
		t.Errorf("again it is %s, %v", again, err)
	}
	stranger, err := remote.NewServer(remote.Access{URL: host.Folder(dir), Password: "wrong", HostKey: host.HostKey, Prefix: "ehf"})
	testkit.Must(t, err)
	if _, err := NewSFTP(stranger, true).HandOver(t.Context(), p); err == nil {
		t.Error("a stranger was let in")
	} else if !models.IsSetupFault(err) {
		t.Errorf("who is not let in: %v", err)
	}
	testkit.Must(t, os.RemoveAll(dir))
	if _, err := s.Ask(t.Context(), p); models.KindOf(err) != models.KindUnavailable {
		t.Errorf("a missing folder is no missing file: %v", err)
	}
	host.Kill()
	for _, do := range []func(context.Context, mailer.Parcel) (mailer.Answer, error){s.Ask, s.HandOver} {
		if _, err := do(t.Context(), p); models.KindOf(err) != models.KindUnavailable {
			t.Errorf("a server that is away: %v", err)
		}
	}
}

func TestH3aATemplateGetsTheDocumentAndTheSameTextsAgain(t *testing.T) {
	t.Parallel()
	var bodies []string
	status := http.StatusOK
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		bodies = append(bodies, r.Header.Get("Authorization")+" "+string(body))
		w.WriteHeader(status)
		_, _ = io.WriteString(w, `{"guid":"g-1"}`)
	}))
	t.Cleanup(server.Close)
	template, err := rest.Parse(server.URL+"/document_submissions", []byte(`{"method":"POST","headers":{"Content-Type":"application/json","Authorization":"Bearer {{secret}}"},
		"body":"{\"key\":\"{{instance_id}}\",\"from\":\"{{sender}}\",\"to\":\"{{receiver}}\",\"document\":\"{{document_base64}}\"}","receipt":"json:guid"}`), "hemmelig", rest.Form{})
	testkit.Must(t, err)
	c, p := NewREST(rest.NewService(template), false), aParcel()
	for range 2 {
		if got, err := c.HandOver(t.Context(), p); err != nil || got != (mailer.Answer{Receipt: "g-1"}) {
			t.Fatalf("%+v, %v", got, err)
		}
	}
	want := `Bearer hemmelig {"key":"` + p.InstanceID + `","from":"0192:974760673","to":"0192:987654325","document":"` + base64.StdEncoding.EncodeToString(p.EHF.UBL) + `"}`
	if bodies[0] != want || bodies[1] != want {
		t.Errorf("it got %s", bodies)
	}
	for _, tt := range []struct {
		status int
		blame  string
	}{{401, "settings"}, {404, "settings"}, {422, "recipient"}, {503, ""}} {
		status = tt.status
		_, err := c.HandOver(t.Context(), p)
		if blameIn(err) != tt.blame || tt.blame == "" && models.KindOf(err) != models.KindUnavailable {
			t.Errorf("%d: %v", tt.status, err)
		}
	}
}

func TestH3aWhoHasNoNumberSendsNothing(t *testing.T) {
	t.Parallel()
	f, err := NewFolder(storage.Folder(t.TempDir()), false)
	testkit.Must(t, err)
	sender, receiver := aParcel(), aParcel()
	sender.EHF.Sender, receiver.Recipient.OrganisationNumber = "", ""
	for blame, p := range map[string]mailer.Parcel{"settings": sender, "recipient": receiver} {
		_, err := f.HandOver(t.Context(), p)
		if blameIn(err) != blame {
			t.Errorf("want one for the fault of the %s: %v", blame, err)
		}
	}
}
