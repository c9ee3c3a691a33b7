// Package bench helps benchmarks to print each figure beside its physical limit, measured in the same run. The limit
// is what the database, the disk or the queue achieves with the bare work.
package bench

import (
	"errors"
	"os"
	"sync"
	"syscall"
	"testing"
	"time"

	"purr/internal/clock"
)

// Rate is an amount of work, the time it took, and the processor time that this process spent meanwhile.
type Rate struct {
	done      int
	took, cpu time.Duration
}

// Time calls do, which does a number of things.
func (r *Rate) Time(things int, do func()) {
	begin, cpu := clock.System{}.Now(), processorTime()
	do()
	r.took += clock.System{}.Now().Sub(begin)
	r.cpu += processorTime() - cpu
	r.done += things
}

// PerSecond returns how many things were done in a second.
func (r *Rate) PerSecond() float64 { return float64(r.done) / r.took.Seconds() }

// ReportCPU prints how many microseconds of processor time this process spent for each thing. On a busy machine it says more
// than the rate does.
func (r *Rate) ReportCPU(b *testing.B, thing string) {
	b.Helper()
	b.ReportMetric(float64((r.cpu / time.Duration(r.done)).Microseconds()), "cpu-µs/"+thing)
}

// CPU returns how much processor time this process spent for each thing.
func (r *Rate) CPU() time.Duration { return r.cpu / time.Duration(r.done) }

func processorTime() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// Report prints how many things a second the program does, how many the limit allows, and the ratio of
// the two, which is 1 for a program that costs nothing.
func Report(b *testing.B, things string, ours, limit *Rate) {
	b.Helper()
	b.ReportMetric(ours.PerSecond(), things+"/s")
	b.ReportMetric(limit.PerSecond(), "limit/s")
	b.ReportMetric(ours.PerSecond()/limit.PerSecond(), "of-limit")
}

// Clients lets a number of clients call do concurrently, each the given number of times. It returns when all are done.
// A client whose do fails stops, and the benchmark fails.
func Clients(b *testing.B, clients, rounds int, do func(client int) error) {
	b.Helper()
	errs := make([]error, clients)
	var wg sync.WaitGroup
	for client := range clients {
		wg.Go(func() {
			for round := 0; round < rounds && errs[client] == nil; round++ {
				errs[client] = do(client)
			}
		})
	}
	wg.Wait()
	if err := errors.Join(errs...); err != nil {
		b.Fatal(err)
	}
}

// Folder returns a new folder that outlives the benchmark. "make bench" removes it at its end: an ext4 disk that has just
// removed thousands of files takes milliseconds to make each new one.
func Folder(b *testing.B) string {
	b.Helper()
	folder, err := os.MkdirTemp("", "bench-") //nolint:usetesting // which removes it at the end of the benchmark
	if err != nil {
		b.Fatal(err)
	}
	return folder
}
