package main

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"purr/test/testkit/servers"
)

func TestExitCodeIsThatOfTheCommand(t *testing.T) {
	useOthersServers(t)
	for _, tc := range []struct {
		name    string
		command string
		want    int
	}{
		{"a success", "exit 0", 0},
		{"a failure", "exit 7", 7},
		{"a death by a signal", "kill -9 $$", exitFailed},
	} {
		t.Run(tc.name, func(t *testing.T) {
			got, err := withServers(t.Context(), io.Discard, servers.Options{}, []string{"sh", "-c", tc.command})
			if got != tc.want {
				t.Errorf("exit code %d, error %v, want %d", got, err, tc.want)
			}
		})
	}
}

func TestCommandFindsTheServersInItsEnvironment(t *testing.T) {
	t.Setenv(servers.MySQLVariable, "")
	t.Setenv(servers.RedisVariable, "")
	t.Setenv(servers.ChromiumVariable, "")
	var log strings.Builder
	code, err := withServers(t.Context(), &log, servers.Options{Durable: true}, []string{
		"sh", "-c",
		`case $PURR_TEST_MYSQL+$PURR_TEST_REDIS+$PURR_TEST_CHROMIUM in mysql://*+redis://*+/*) ;; *) exit 7;; esac`,
	})
	if code != 0 || err != nil {
		t.Errorf("exit code %d, error %v\n%s", code, err, log.String())
	}
}

// useOthersServers spares a test the start of servers that it does not need.
func useOthersServers(t *testing.T) {
	t.Setenv(servers.MySQLVariable, "mysql://somewhere")
	t.Setenv(servers.RedisVariable, "redis://somewhere")
	t.Setenv(servers.ChromiumVariable, "sh")
}

func TestInterruptEndsTheCommandAndAllItsChildren(t *testing.T) {
	useOthersServers(t)
	fifo := filepath.Join(t.TempDir(), "fifo")
	if err := syscall.Mkfifo(fifo, 0o600); err != nil {
		t.Fatal(err)
	}
	ctx, interrupt := context.WithCancel(t.Context())
	code := make(chan int, 1)
	go func() {
		got, _ := withServers(ctx, io.Discard, servers.Options{}, []string{
			"sh", "-c",
			`(trap "" TERM; echo started; exec sleep 600) >` + fifo + ` & wait`,
		})
		code <- got
	}()

	child, err := os.Open(fifo)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = child.Close() }()
	if _, err := io.ReadFull(child, make([]byte, len("started\n"))); err != nil {
		t.Fatal(err)
	}
	interrupt()
	// The end of the file comes when the child, which ignores the signal, is gone.
	if _, err := io.ReadAll(child); err != nil {
		t.Fatal(err)
	}
	if got := <-code; got != exitInterrupted {
		t.Errorf("exit code %d, want %d", got, exitInterrupted)
	}
}
