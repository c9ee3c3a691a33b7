package servers

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
)

// redisDatabases is how many numbered databases a server has: enough for every test that runs at
// the same time, and for those that a crashed test left behind.
const redisDatabases = 512

// StartRedis starts a Redis (or Valkey) server with a random password. Unless it is durable it keeps
// nothing on disk: killed and started again it is empty.
func StartRedis(ctx context.Context, options Options) (*Server, error) {
	program, err := find("redis-server", "valkey-server")
	if err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp(options.Dir, "redis-")
	if err != nil {
		return nil, err
	}
	s := &Server{dir: dir}
	password := rand.Text()
	err = s.startOnFreePort(ctx, func(port int) {
		s.command = append([]string{program}, redisArguments(dir, password, port, options)...)
		s.URL = serverURL("redis", url.UserPassword("", password), port)
		s.ready = func(ctx context.Context) error { return pingRedis(ctx, localAddress(port), password) }
	})
	if err != nil {
		return nil, errors.Join(err, s.Stop())
	}
	return s, nil
}

func redisArguments(dir, password string, port int, options Options) []string {
	appendOnly := "no"
	if options.Durable {
		appendOnly = "yes"
	}
	return []string{
		"--port", strconv.Itoa(port),
		"--bind", "127.0.0.1",
		"--requirepass", password,
		"--dir", dir,
		"--databases", strconv.Itoa(redisDatabases),
		"--save", "",
		"--appendonly", appendOnly,
	}
}

// StartSentinel starts a Sentinel with the password of the Redis server that it watches, which StartRedis has started.
func StartSentinel(ctx context.Context, watched *Server, options Options) (*Server, error) {
	program, err := find("redis-server", "valkey-server")
	if err != nil {
		return nil, err
	}
	u, err := url.Parse(watched.URL)
	if err != nil {
		return nil, err
	}
	password, _ := u.User.Password()
	dir, err := os.MkdirTemp(options.Dir, "sentinel-")
	if err != nil {
		return nil, err
	}
	s, file := &Server{dir: dir}, filepath.Join(dir, "sentinel.conf")
	text := fmt.Sprintf("sentinel monitor %s %s %s 1\nsentinel auth-pass %[1]s %s\n", WatchedMaster, u.Hostname(), u.Port(), password)
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil { // a Sentinel writes to it too
		return nil, errors.Join(err, s.Stop())
	}
	err = s.startOnFreePort(ctx, func(port int) {
		s.command = []string{program, file, "--sentinel", "--port", strconv.Itoa(port), "--bind", "127.0.0.1", "--requirepass", password, "--dir", dir}
		s.URL = serverURL("redis+sentinel", url.UserPassword("", password), port) + "/0?" + url.Values{"master": {WatchedMaster}, "sentinel": {":" + password}}.Encode()
		s.ready = func(ctx context.Context) error { return pingRedis(ctx, localAddress(port), password) }
	})
	if err != nil {
		return nil, errors.Join(err, s.Stop())
	}
	return s, nil
}

// WatchedMaster is what a Sentinel calls the server that it watches.
const WatchedMaster = "main"

// pingRedis reports whether the server answers. It accepts the random password, which proves that it is the one we
// started. The function speaks the protocol itself, because the client library logs every failure.
func pingRedis(ctx context.Context, address, password string) error {
	conn, err := new(net.Dialer).DialContext(ctx, "tcp", address)
	if err != nil {
		return err
	}
	defer context.AfterFunc(ctx, func() { _ = conn.Close() })()
	defer func() { _ = conn.Close() }()
	if _, err := fmt.Fprintf(conn, "AUTH %s\r\nPING\r\n", password); err != nil {
		return err
	}
	const want = "+OK\r\n+PONG\r\n"
	answer := make([]byte, len(want))
	if _, err := io.ReadFull(conn, answer); err != nil {
		return err
	}
	if string(answer) != want {
		return fmt.Errorf("unexpected answer %q", answer)
	}
	return nil
}
