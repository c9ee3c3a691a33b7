//go:build whole

package lives_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"time"

	"purr/app"
	"purr/models"
	"purr/test/testkit"
	"purr/test/testkit/house"
	"purr/test/testkit/servers"
)

// lifeVariable names the variables of the environment that make the test's program run an installation, until it is killed.
const lifeVariable = "PURR_TEST_LIFE_"

// runLife runs the installation that the environment names, tells its address, and returns only if it cannot. It reports false if none is named.
func runLife() bool {
	data := os.Getenv(lifeVariable + "DATA")
	if data == "" {
		return false
	}
	cfg, err := app.DefaultSettings(data)
	if err == nil {
		cfg.Database.URL, cfg.RedisURL, cfg.Webhooks.Private = os.Getenv(lifeVariable+"DATABASE"), os.Getenv(lifeVariable+"REDIS"), true
		cfg.TestClock, err = time.Parse(time.RFC3339Nano, os.Getenv(lifeVariable+"CLOCK"))
	}
	var running *app.App
	if err == nil {
		running, err = app.Start(context.Background(), cfg, app.All, slog.New(slog.NewTextHandler(os.Stderr, nil)))
	}
	if err != nil {
		fmt.Println("failed:", err)
		return true
	}
	fmt.Println(running.URL)
	select {}
}

// killed lets some days pass in a process of its own, and kills it amid them as kill -9 does: after some of what it writes. Then the program is
// started again, and goes on.
func (m *manager) killed() {
	w := m.w
	w.Helper()
	until := moment((w.in.Today() + models.Date(one(w, 1, 2, 7))).String() + " 12:00")
	after := 1 + w.IntN(12)
	m.note("the program is killed on the way to %s", until.Format(time.DateOnly))
	cfg := w.in.Config
	must(w.T, w.in.Stop())
	m.kills++
	child := exec.Command(os.Args[0])
	child.SysProcAttr = servers.DieWithParent()
	child.Env = append(os.Environ(), lifeVariable+"DATA="+cfg.Data, lifeVariable+"DATABASE="+cfg.Database.URL, lifeVariable+"REDIS="+cfg.RedisURL,
		lifeVariable+"CLOCK="+cfg.TestClock.Format(time.RFC3339Nano))
	said := &testkit.Log{}
	child.Stderr = said
	out, err := child.StdoutPipe()
	must(w.T, err)
	must(w.T, child.Start())
	defer func() {
		_ = child.Process.Kill() // it may be gone
		_, _ = io.Copy(io.Discard, out)
		_ = child.Wait()
		must(w.T, w.in.Run())
	}()
	at, err := bufio.NewReader(out).ReadString('\n')
	if err != nil || !strings.HasPrefix(at, "http") {
		w.Fatalf("the process says %q, %v: %s", at, err, said.Tail())
	}
	told := m.events()
	passed := make(chan struct{})
	go func() {
		defer close(passed)
		r, err := http.NewRequestWithContext(w.Context(), http.MethodPost, strings.TrimSpace(at)+"/api/v1/test_clock", strings.NewReader(house.ClockAt(until)))
		if err != nil {
			return
		}
		r.Header.Set("Authorization", "Bearer "+m.Key)
		r.Header.Set("Content-Type", "application/xml")
		if a, err := http.DefaultClient.Do(r); err == nil {
			_ = a.Body.Close()
		}
	}()
	tick := time.NewTicker(time.Millisecond)
	defer tick.Stop()
	for waits := true; waits; {
		select {
		case <-passed:
			waits = false
		case <-tick.C:
			waits = m.events() < told+after
		}
	}
}

// events returns how many events there are.
func (m *manager) events() (n int) {
	m.w.Helper()
	must(m.w.T, m.w.db.QueryRowContext(m.w.Context(), "SELECT COUNT(*) FROM events WHERE creditor_id = ?", m.id).Scan(&n))
	return n
}
