package drawn_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"purr/app"
	"purr/internal/remote"
	"purr/test/testkit"
	"purr/test/testkit/house"
	"purr/test/testkit/servers"
)

// dataVariable and clockVariable tell a process of this test that it is the program. The others name the bank's folder by SFTP, if it has one.
const (
	dataVariable    = "PURR_TEST_DRAWN_DATA"
	clockVariable   = "PURR_TEST_DRAWN_CLOCK"
	folderVariable  = "PURR_TEST_DRAWN_FOLDER"
	keyVariable     = "PURR_TEST_DRAWN_KEY_FILE"
	hostKeyVariable = "PURR_TEST_DRAWN_HOST_KEY"
)

func TestMain(m *testing.M) {
	if data := os.Getenv(dataVariable); data != "" {
		fmt.Println(serve(data, os.Getenv(clockVariable)))
		select {} // until it is killed
	}
	os.Exit(m.Run())
}

// serve starts the program, and returns its URL.
func serve(data, begins string) string {
	cfg, err := app.DefaultSettings(data)
	if err == nil {
		cfg.TestClock, err = time.Parse(time.RFC3339Nano, begins)
	}
	if err != nil {
		return err.Error()
	}
	cfg.AvtaleGiro.Access = remote.Access{URL: os.Getenv(folderVariable), KeyFile: os.Getenv(keyVariable), HostKey: os.Getenv(hostKeyVariable), Prefix: "avtalegiro"}
	if cfg.AvtaleGiro.URL != "" {
		cfg.AvtaleGiro.Every = 8 * time.Hour
	}
	running, err := app.Start(context.Background(), cfg, app.All, slog.New(slog.NewTextHandler(os.Stderr, nil)))
	if err != nil {
		return err.Error()
	}
	return running.URL
}

// program is the program in a process of its own.
type program struct {
	t          *testing.T
	cfg        app.Settings
	key        string
	url        string
	child      *exec.Cmd
	out        io.ReadCloser
	said       *testkit.Log
	kills      int
	sftp       *testkit.SFTPProcess // of the bank; nil if its folder is the outbox
	bankFolder string
}

// start starts the process.
func (p *program) start() {
	p.t.Helper()
	p.child, p.said = exec.Command(os.Args[0]), &testkit.Log{}
	p.child.SysProcAttr = servers.DieWithParent()
	p.child.Env = append(os.Environ(), dataVariable+"="+p.cfg.Data, clockVariable+"="+p.cfg.TestClock.Format(time.RFC3339Nano))
	if p.sftp != nil {
		p.child.Env = append(p.child.Env, folderVariable+"="+p.sftp.Folder(p.bankFolder), keyVariable+"="+p.sftp.KeyFile, hostKeyVariable+"="+p.sftp.HostKey)
	}
	p.child.Stderr = p.said
	var err error
	p.out, err = p.child.StdoutPipe()
	testkit.Must(p.t, err)
	testkit.Must(p.t, p.child.Start())
	line, err := bufio.NewReader(p.out).ReadString('\n')
	if p.url = strings.TrimSpace(line); err != nil || !strings.HasPrefix(p.url, "http") {
		p.t.Fatalf("the program says %q, %v: %s", line, err, p.said.Tail())
	}
}

// kill kills the process.
func (p *program) kill() {
	p.t.Helper()
	if p.child == nil {
		return
	}
	_ = p.child.Process.Kill() // it may be gone
	_, _ = io.Copy(io.Discard, p.out)
	_ = p.child.Wait()
	p.child = nil
}

// errDead says that the process was killed before it had answered.
var errDead = errors.New("the program is dead")

// ask sends a request.
func (p *program) ask(method, path, mediaType, body string) (house.Node, error) {
	p.t.Helper()
	r, err := http.NewRequestWithContext(p.t.Context(), method, p.url+path, strings.NewReader(body))
	testkit.Must(p.t, err)
	r.Header.Set("Authorization", "Bearer "+p.key)
	r.Header.Set("Content-Type", mediaType)
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		return house.Node{}, errors.Join(errDead, err)
	}
	content, err := io.ReadAll(answer.Body)
	if err = errors.Join(err, answer.Body.Close()); err != nil {
		return house.Node{}, errors.Join(errDead, err)
	}
	if answer.StatusCode >= http.StatusMultipleChoices {
		return house.Node{}, fmt.Errorf("%s %s: %d %s", method, path, answer.StatusCode, content)
	}
	return house.Parse(p.t, content), nil
}

// must sends a request that is answered.
func (p *program) must(method, path, mediaType, body string) house.Node {
	p.t.Helper()
	got, err := p.ask(method, path, mediaType, body)
	if err != nil {
		p.t.Fatalf("%v\n%s", err, p.said.Tail())
	}
	return got
}

const asXML = "application/xml"

// until moves the clock. If after is above zero the program is killed so long after the beginning, is started again, and goes on.
func (p *program) until(to time.Time, after time.Duration) {
	p.t.Helper()
	if after > 0 {
		passed := make(chan error, 1)
		go func() {
			_, err := p.ask(http.MethodPost, "/api/v1/test_clock", asXML, house.ClockAt(to))
			passed <- err
		}()
		select {
		case err := <-passed:
			testkit.Must(p.t, err)
		case <-time.After(after):
			p.kill()
			<-passed
			p.kills++
			p.start()
		}
	}
	p.must(http.MethodPost, "/api/v1/test_clock", asXML, house.ClockAt(to))
}
