package bench

import (
	"bytes"
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"strconv"
	"testing"
	"time"
)

// Peak is the most memory that was held at any moment, in bytes.
type Peak struct {
	Heap uint64 // in use
	RSS  uint64 // of the whole process; zero where the system does not tell
}

// WatchMemory watches this process, after all garbage has been given back, until stop is called.
func WatchMemory() (stop func() Peak) {
	debug.FreeOSMemory()
	peaks, stopped := make(chan Peak), make(chan struct{})
	go func() {
		var peak Peak
		tick := time.NewTicker(20 * time.Millisecond)
		defer tick.Stop()
		for {
			select {
			case <-tick.C:
				var m runtime.MemStats
				runtime.ReadMemStats(&m)
				rss, _ := RSS(os.Getpid())
				peak = Peak{max(peak.Heap, m.HeapInuse), max(peak.RSS, rss)}
			case <-stopped:
				peaks <- peak
				return
			}
		}
	}()
	return func() Peak {
		close(stopped)
		return <-peaks
	}
}

// RSS returns how many bytes of memory a process holds, and false where the system does not tell.
func RSS(pid int) (uint64, bool) {
	statm, err := os.ReadFile(fmt.Sprintf("/proc/%d/statm", pid))
	if err != nil {
		return 0, false
	}
	fields := bytes.Fields(statm)
	if len(fields) < 2 {
		return 0, false
	}
	pages, err := strconv.ParseUint(string(fields[1]), 10, 64)
	if err != nil {
		return 0, false
	}
	return pages * uint64(os.Getpagesize()), true
}

// ReportBytes prints a number of bytes as MB.
func ReportBytes(b *testing.B, what string, bytes uint64) {
	b.Helper()
	b.ReportMetric(float64(bytes)/1e6, what+"-MB")
}
