// Command withservers runs a command with a MariaDB and a Redis server that exist only for it:
//
//	withservers [-durable] [COMMAND ARGUMENT...]
//
// The command finds them in PURR_TEST_MYSQL and PURR_TEST_REDIS. A server that one of the two names
// already is used as it is, and left alone. Where PURR_TEST_TIDB names the program tidb-server, that is started in MariaDB's place. PURR_TEST_CHROMIUM tells the command which Chromium to start;
// if the environment does not say so, it is the one that is installed. Its processes may share what they make in
// the folder PURR_TEST_SHARED. When the command ends, or the program is interrupted, the servers are stopped and
// removed, and so is the folder. The exit code is that of the command. Without a command
// the servers run until the program is interrupted.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"slices"
	"syscall"
	"time"

	"purr/test/testkit/servers"
)

// The exit codes that are not the command's own.
const (
	exitFailed      = 1
	exitInterrupted = 130 // as a shell says it
)

// grace is how long an interrupted command may take to end by itself.
const grace = 10 * time.Second

func main() {
	durable := flag.Bool("durable", false, "flush every commit to the disk, as in production")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	code, err := withServers(ctx, os.Stderr, servers.Options{Durable: *durable}, flag.Args())
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "withservers:", err)
	}
	os.Exit(code)
}

// withServers runs the command with servers and returns the exit code.
func withServers(ctx context.Context, log io.Writer, options servers.Options, command []string) (code int, err error) {
	// A test that is killed cleans nothing up, so all temporary files go into one folder.
	var parent string
	if !options.Durable && os.Getenv("TMPDIR") == "" {
		parent = memoryFolder()
	}
	options.Dir, err = os.MkdirTemp(parent, "purr-")
	if err != nil {
		return exitFailed, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(options.Dir)) }()
	const passable = 0o711 // for the nodes of a Galera cluster, which are nobody's where the tests are root's
	if err := os.Chmod(options.Dir, passable); err != nil {
		return exitFailed, err
	}
	variables, stop, err := startServers(ctx, log, options)
	defer func() { err = errors.Join(err, stop()) }()
	if err != nil {
		return exitFailed, err
	}

	if len(command) == 0 {
		fmt.Fprintln(log, "withservers: running until interrupted")
		<-ctx.Done()
		return 0, nil
	}
	return runCommand(ctx, command, slices.Concat(os.Environ(), variables, []string{"TMPDIR=" + options.Dir, servers.SharedVariable + "=" + options.Dir}))
}

// startServers starts the servers that the environment does not name, and returns the variables that
// name them and Chromium. The function stop is to be called at an error too.
func startServers(ctx context.Context, log io.Writer, options servers.Options) (variables []string, stop func() error, err error) {
	var started []*servers.Server
	stop = func() error {
		var failures []error
		for _, server := range started {
			failures = append(failures, server.Stop())
		}
		return errors.Join(failures...)
	}
	startMySQL := servers.StartMariaDB
	if os.Getenv(servers.TiDBVariable) != "" {
		startMySQL = servers.StartTiDB
	}
	for _, kind := range []struct {
		variable string
		start    func(context.Context, servers.Options) (*servers.Server, error)
	}{
		{servers.MySQLVariable, startMySQL},
		{servers.RedisVariable, servers.StartRedis},
	} {
		if os.Getenv(kind.variable) != "" {
			fmt.Fprintf(log, "withservers: using the server that %s names\n", kind.variable)
			continue
		}
		server, err := kind.start(ctx, options)
		if err != nil {
			return nil, stop, err
		}
		started = append(started, server)
		variables = append(variables, kind.variable+"="+server.URL)
		fmt.Fprintf(log, "withservers: %s\nwithservers: %s=%s\n", server.Version(ctx), kind.variable, server.URL)
	}
	chromium, err := servers.Chromium()
	if err != nil {
		return nil, stop, err
	}
	fmt.Fprintf(log, "withservers: %s=%s\n", servers.ChromiumVariable, chromium)
	return append(variables, servers.ChromiumVariable+"="+chromium), stop, nil
}

// runCommand runs the command in a process group of its own, so that nothing of it stays behind.
func runCommand(ctx context.Context, command, environment []string) (code int, err error) {
	cmd := exec.CommandContext(ctx, command[0], command[1:]...)
	cmd.Env = environment
	cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGTERM) }
	cmd.WaitDelay = grace
	if err := cmd.Start(); err != nil {
		return exitFailed, err
	}
	err = cmd.Wait()
	_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) // an error means that nobody is left

	var exit *exec.ExitError
	switch {
	case ctx.Err() != nil:
		return exitInterrupted, errors.New("interrupted")
	case errors.As(err, &exit) && exit.Exited():
		return exit.ExitCode(), nil
	case err != nil:
		return exitFailed, err
	}
	return 0, nil
}
