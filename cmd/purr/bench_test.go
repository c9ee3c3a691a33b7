package main

import (
	"bufio"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"purr/test/testkit/bench"
)

// BenchmarkStart starts purr serve on an installation that exists, until it listens. The limit is to
// start the same program to say how it is used.
func BenchmarkStart(b *testing.B) {
	binary, data := build(b), b.TempDir()
	serve(b, binary, data).stop(b)
	benchmarkStart(b, binary, func() string { return data })
}

// BenchmarkFirstStart starts purr serve where there is no installation yet.
func BenchmarkFirstStart(b *testing.B) {
	benchmarkStart(b, build(b), func() string { return b.TempDir() })
}

func benchmarkStart(b *testing.B, binary string, data func() string) {
	var ours, limit bench.Rate
	for b.Loop() {
		dir := data()
		var p *process
		ours.Time(1, func() { p = serve(b, binary, dir) })
		b.StopTimer()
		p.stop(b)
		limit.Time(1, func() {
			if out, err := exec.CommandContext(b.Context(), binary, "--help").CombinedOutput(); err != nil {
				b.Fatalf("%v\n%s", err, out)
			}
		})
		b.StartTimer()
	}
	bench.Report(b, "starts", &ours, &limit)
}

// BenchmarkIdleMemory is the memory of purr serve five seconds after it was started.
func BenchmarkIdleMemory(b *testing.B) {
	binary := build(b)
	for b.Loop() {
		p := serve(b, binary, b.TempDir())
		time.Sleep(5 * time.Second)
		if rss, known := bench.RSS(p.cmd.Process.Pid); known {
			bench.ReportBytes(b, "RSS", rss)
		}
		p.stop(b)
	}
	b.ReportMetric(0, "ns/op") // not what this is about
}

// build builds the program as make build does.
func build(b *testing.B) (binary string) {
	b.Helper()
	binary = filepath.Join(b.TempDir(), "purr")
	cmd := exec.CommandContext(b.Context(), "go", "build", "-trimpath", "-o", binary, ".")
	cmd.Env = append(cmd.Environ(), "CGO_ENABLED=0")
	if out, err := cmd.CombinedOutput(); err != nil {
		b.Fatalf("%v\n%s", err, out)
	}
	return binary
}

// process is a purr serve that listens.
type process struct {
	cmd  *exec.Cmd
	said *strings.Builder // on stderr
}

// serve starts purr serve and returns when it listens.
func serve(b *testing.B, binary, data string) *process {
	b.Helper()
	p := &process{cmd: exec.CommandContext(b.Context(), binary, "serve", "--data", data, "--listen", "127.0.0.1:0"), said: &strings.Builder{}}
	p.cmd.Stderr = p.said
	stdout, err := p.cmd.StdoutPipe()
	if err != nil {
		b.Fatal(err)
	}
	if err := p.cmd.Start(); err != nil {
		b.Fatal(err)
	}
	line, err := bufio.NewReader(stdout).ReadString('\n')
	if err != nil || !strings.HasPrefix(line, "listening on ") {
		_ = p.cmd.Wait()
		b.Fatalf("%q, %v\n%s", line, err, p.said)
	}
	return p
}

func (p *process) stop(b *testing.B) {
	b.Helper()
	if err := p.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		b.Fatal(err)
	}
	if err := p.cmd.Wait(); err != nil {
		b.Fatalf("%v\n%s", err, p.said)
	}
}
