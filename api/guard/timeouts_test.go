package guard

import (
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"
	"time"
)

// TestABodysTimeGrowsWithWhatHasCome holds that bytes which come at the rate never run out of time, and that slower
// ones do.
func TestABodysTimeGrowsWithWhatHasCome(t *testing.T) {
	var deadlines []time.Time
	body := &timedBody{
		ReadCloser: io.NopCloser(iotest.OneByteReader(strings.NewReader("abc"))),
		timeouts:   Timeouts{Body: time.Minute, Rate: 10},
		until:      func(at time.Time) error { deadlines = append(deadlines, at); return nil },
	}
	if _, err := io.ReadAll(body); err != nil {
		t.Fatal(err)
	}
	if _, err := body.Read(make([]byte, 1)); !errors.Is(err, io.EOF) {
		t.Errorf("after the end: %v", err)
	}
	const tenth = 100 * time.Millisecond
	want := []time.Duration{time.Minute, time.Minute + tenth, time.Minute + 2*tenth, time.Minute + 3*tenth}
	if len(deadlines) != len(want)+1 || !deadlines[len(want)].IsZero() {
		t.Fatalf("the deadlines are %v, want %d and then none", deadlines, len(want))
	}
	for i, d := range want {
		if got := deadlines[i].Sub(body.begun); got != d {
			t.Errorf("deadline %d is %s after the beginning, want %s", i, got, d)
		}
	}
}

func TestTheDefaultTimeoutsAllowTheLargestBodies(t *testing.T) {
	if took := DefaultTimeouts.timeOf(256 << 20); took < time.Hour || took > 2*time.Hour {
		t.Errorf("256 MiB may take %s", took)
	}
	if took := DefaultTimeouts.Body + DefaultTimeouts.timeOf(1<<20); took > time.Minute {
		t.Errorf("a body of XML may take %s", took)
	}
}
