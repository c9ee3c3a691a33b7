package testkit

import (
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"purr/test/testkit/servers"
)

// S3Process is an S3 server of the test's own, behind a proxy that the test may let lie. The keys are in the environment of
// the test's process.
type S3Process struct {
	t      testing.TB
	server *servers.Server
	proxy  *httptest.Server
	lie    atomic.Pointer[S3Lie]
}

// S3Lie is what the proxy makes of a request instead of handing it on. It may call next, which does.
type S3Lie func(w http.ResponseWriter, r *http.Request, next http.Handler)

var s3Keys = sync.OnceFunc(func() {
	for name, value := range map[string]string{"AWS_ACCESS_KEY_ID": servers.S3Key, "AWS_SECRET_ACCESS_KEY": servers.S3Secret, "AWS_EC2_METADATA_DISABLED": "true"} {
		_ = os.Setenv(name, value) // tests beside each other have the same keys; an error shows in each request
	}
})

// S3 starts an S3 server that is stopped when the test ends.
func S3(t testing.TB) *S3Process {
	t.Helper()
	s3Keys()
	server, err := servers.StartS3(t.Context(), servers.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := server.Stop(); err != nil {
			t.Errorf("stop the S3 server: %v", err)
		}
	})
	p := &S3Process{t: t, server: server}
	at, err := url.Parse(server.URL)
	if err != nil {
		t.Fatal(err)
	}
	next := &httputil.ReverseProxy{
		Rewrite: func(r *httputil.ProxyRequest) {
			r.SetURL(at)
			r.Out.Host = r.In.Host // it is signed
		},
		ErrorHandler: func(http.ResponseWriter, *http.Request, error) { panic(http.ErrAbortHandler) }, // as the server itself: no answer
	}
	p.proxy = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if lie := p.lie.Load(); lie != nil {
			(*lie)(w, r, next)
			return
		}
		next.ServeHTTP(w, r)
	}))
	t.Cleanup(func() {
		p.proxy.CloseClientConnections()
		p.proxy.Close()
	})
	return p
}

// URL returns the storage URL of what lies below a prefix of the bucket.
func (p *S3Process) URL(prefix string) string { return s3URL(prefix, p.proxy.URL) }

// Direct returns the same without the proxy, for what is measured.
func (p *S3Process) Direct(prefix string) string { return s3URL(prefix, p.server.URL) }

func s3URL(prefix, endpoint string) string {
	return "s3://" + servers.S3Bucket + "/" + prefix + "?region=us-east-1&endpoint=" + url.QueryEscape(endpoint)
}

// Endpoint returns the address of the proxy.
func (p *S3Process) Endpoint() string { return p.proxy.URL }

// Folder returns the folder in which the objects of the bucket are files.
func (p *S3Process) Folder() string { return p.server.S3Folder() }

// Kill ends the server at once.
func (p *S3Process) Kill() { p.server.Kill() }

// Start starts the killed server again. It has what it has acknowledged.
func (p *S3Process) Start() {
	p.t.Helper()
	if err := p.server.Start(p.t.Context()); err != nil {
		p.t.Fatal(err)
	}
}

// Lie lets the proxy answer in another way from now on; nil lets it tell the truth again.
func (p *S3Process) Lie(l S3Lie) {
	if l == nil {
		p.lie.Store(nil)
		return
	}
	p.lie.Store(&l)
}

// S3Lies are what an S3 server, or what stands before one, may do instead of what it is asked for (rule K9).
var S3Lies = map[string]S3Lie{
	"409": S3Status(http.StatusConflict), "500": S3Status(http.StatusInternalServerError),
	"503": S3Status(http.StatusServiceUnavailable), "507": S3Status(http.StatusInsufficientStorage),
	"cut body": func(w http.ResponseWriter, r *http.Request, next http.Handler) {
		if r.Method != http.MethodGet {
			panic(http.ErrAbortHandler)
		}
		whole := httptest.NewRecorder()
		next.ServeHTTP(whole, r)
		for name, values := range whole.Header() {
			w.Header()[name] = values
		}
		w.WriteHeader(whole.Code)
		_, _ = w.Write(whole.Body.Bytes()[:whole.Body.Len()/2])
		panic(http.ErrAbortHandler)
	},
	"silence": func(_ http.ResponseWriter, r *http.Request, _ http.Handler) {
		_, _ = io.Copy(io.Discard, r.Body) // the server sees that the client hangs up only once the body is read
		<-r.Context().Done()
	},
}

// S3Status answers with a status, and a body that an S3 server would not give.
func S3Status(status int) S3Lie {
	return func(w http.ResponseWriter, _ *http.Request, _ http.Handler) {
		http.Error(w, http.StatusText(status), status)
	}
}

// S3Slow hands each request on after a while.
func S3Slow(pause time.Duration) S3Lie {
	return func(w http.ResponseWriter, r *http.Request, next http.Handler) {
		select {
		case <-time.After(pause):
			next.ServeHTTP(w, r)
		case <-r.Context().Done():
		}
	}
}

// S3Only lies about requests of a method whose path has the words, and hands on the others.
func S3Only(method, words string, lie S3Lie) S3Lie {
	return func(w http.ResponseWriter, r *http.Request, next http.Handler) {
		if r.Method == method && strings.Contains(r.URL.Path, words) {
			lie(w, r, next)
			return
		}
		next.ServeHTTP(w, r)
	}
}
