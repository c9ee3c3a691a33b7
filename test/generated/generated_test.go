//go:build generated

package generated_test

import (
	"context"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"purr/test/testkit"
	"purr/test/testkit/rows"
	"purr/test/testkit/servers"
)

// The generators, as npm and the go command know them.
const (
	oapiCodegen       = "github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@v2.8.2"
	oapiRuntime       = "github.com/oapi-codegen/runtime@v1.9.0"
	openapiTypescript = "openapi-typescript@7.13.0"
	openapiFetch      = "openapi-fetch@0.17.0"
	typescript        = "typescript@5.9.3"
	typesOfNode       = "@types/node@20.19.43"
)

// TestJ3GeneratedClients has a client generated in each language, compiles it, and lets it make the tour of five minutes.
func TestJ3GeneratedClients(t *testing.T) {
	purr := filepath.Join(t.TempDir(), "purr")
	run(t, root(t), nil, "go", "build", "-o", purr, "./cmd/purr")
	t.Run("Go", func(t *testing.T) {
		in := start(t, purr)
		folder := t.TempDir()
		document, err := older(in.document())
		testkit.Must(t, err)
		write(t, folder, "openapi.json", string(document))
		write(t, folder, "purr/generated.yaml", "package: purr\ngenerate: {models: true, client: true}\noutput: purr/client.go\n")
		copyIn(t, folder, "tour.go", "tour.go.txt")
		run(t, folder, nil, "go", "run", oapiCodegen, "-config", "purr/generated.yaml", "openapi.json")
		run(t, folder, nil, "go", "mod", "init", "tour")
		run(t, folder, nil, "go", "get", oapiRuntime)
		run(t, folder, nil, "go", "mod", "tidy")
		run(t, folder, nil, "go", "vet", ".")
		in.tour(folder, "go", "run", ".")
	})
	t.Run("TypeScript", func(t *testing.T) {
		in := start(t, purr)
		folder := t.TempDir()
		write(t, folder, "openapi.json", string(in.document()))
		write(t, folder, "package.json", `{"private": true, "type": "module"}`)
		copyIn(t, folder, "tour.ts", "tour.ts")
		run(t, folder, nil, "npm", "install", "--no-audit", "--no-fund", openapiTypescript, openapiFetch, typescript, typesOfNode)
		run(t, folder, nil, "npx", "openapi-typescript", "openapi.json", "--output", "purr.d.ts")
		run(t, folder, nil, "npx", "tsc", "--strict", "--noEmitOnError", "--target", "es2022", "--module", "nodenext", "--types", "node", "--outDir", "out", "tour.ts")
		in.tour(folder, "node", "out/tour.js")
	})
}

// installation is purr, running by itself on a test clock.
type installation struct {
	t         *testing.T
	base, key string
}

func start(t *testing.T, purr string) *installation {
	t.Helper()
	data := t.TempDir()
	rows.Migrate(t, "sqlite:"+filepath.Join(data, "purr.db"))
	where := append(os.Environ(), "PURR_DATA="+data, "PURR_MIN_FREE_DISK=0")
	serve := exec.Command(purr, "serve", "--listen", "127.0.0.1:0", "--test-clock", "2026-03-02T12:00:00+01:00")
	var stdout, stderr testkit.Log
	serve.Env, serve.Stdout, serve.Stderr, serve.SysProcAttr = where, &stdout, &stderr, servers.DieWithParent()
	testkit.Must(t, serve.Start())
	t.Cleanup(func() {
		_ = serve.Process.Signal(syscall.SIGTERM) // an error means that it has ended already
		if err := serve.Wait(); err != nil || t.Failed() {
			t.Logf("purr ended: %v\n%s", err, stderr.Tail())
		}
	})
	in := &installation{t: t}
	testkit.Eventually(t, "purr says where it listens, and its key", func() (bool, any) {
		if m := regexp.MustCompile(`(?m)^listening on (\S+)$`).FindStringSubmatch(stdout.String()); m != nil {
			in.base = m[1]
		}
		in.key = testkit.FirstKey(stderr.String(), "")
		return in.base != "" && in.key != "", stdout.String() + stderr.String()
	})
	run(t, data, where, purr, "creditor", "set", "default", "--name", "Fjord Rør AS", "--organisation-number", "974760673", "--vat-registered",
		"--address1", "Kaigaten 1", "--postal-code", "5003", "--postal-name", "Bergen", "--email", "post@fjord-ror.example",
		"--bank-account", "12345678903", "--dunning")
	return in
}

// document returns the document that the program itself shows.
func (in *installation) document() []byte {
	in.t.Helper()
	r, err := http.NewRequestWithContext(in.t.Context(), http.MethodGet, in.base+"/api/v1/openapi.json", http.NoBody)
	testkit.Must(in.t, err)
	got, err := http.DefaultClient.Do(r)
	testkit.Must(in.t, err)
	defer got.Body.Close()
	text, err := io.ReadAll(got.Body)
	testkit.Must(in.t, err)
	return text
}

// tour runs a program that makes the tour, and says in its last line that it has.
func (in *installation) tour(folder string, words ...string) {
	in.t.Helper()
	file := filepath.Join(root(in.t), "ocr", "giro", "testdata", "ocr-basic.txt")
	said := run(in.t, folder, append(os.Environ(), "PURR="+in.base, "KEY="+in.key, "FILE="+file), words...)
	if !strings.HasSuffix(said, "done\n") {
		in.t.Errorf("%s says\n%s", strings.Join(words, " "), said)
	}
}

func root(t *testing.T) string {
	t.Helper()
	path, err := filepath.Abs("../..")
	testkit.Must(t, err)
	return path
}

// run runs a program in a folder, and returns what it says.
func run(t *testing.T, folder string, env []string, words ...string) string {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	defer cancel()
	c := exec.CommandContext(ctx, words[0], words[1:]...)
	c.Dir, c.Env = folder, env
	said, err := c.CombinedOutput()
	if err != nil {
		t.Fatalf("%s: %v\n%s", strings.Join(words, " "), err, said)
	}
	return string(said)
}

func write(t *testing.T, folder, name, text string) {
	t.Helper()
	path := filepath.Join(folder, name)
	testkit.Must(t, os.MkdirAll(filepath.Dir(path), 0o700))
	testkit.Must(t, os.WriteFile(path, []byte(text), 0o600))
}

func copyIn(t *testing.T, folder, name, from string) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", from))
	testkit.Must(t, err)
	write(t, folder, name, string(text))
}
