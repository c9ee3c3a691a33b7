package chaos_test

import (
	"fmt"
	"math"
	"testing"
	"time"
)

// The room on the disk of a data folder, in MiB: for a round without faults, and more for each second that the plan's faults last.
// The load goes on meanwhile, and what cannot be done is kept until it can: a disk that is too small for it would be a fault that
// no plan has (rule D93).
const (
	leastDisk     = 112
	diskPerSecond = 4
)

// diskSize returns the option of tmpfs for the disk of a round whose faults last so long. Those of one kind wait for each other.
func diskSize(faults ...time.Duration) string {
	size := leastDisk
	for _, lasts := range faults {
		size += diskPerSecond * int(math.Ceil(lasts.Seconds()))
	}
	return fmt.Sprintf("size=%dm", size)
}

// TestD93TheDiskGrowsWithTheRound: a minute without the database needs more room than a round without faults, and two faults need more than
// one of them.
func TestD93TheDiskGrowsWithTheRound(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		faults []time.Duration
		want   string
	}{
		{nil, "size=112m"},
		{[]time.Duration{time.Millisecond}, "size=116m"},
		{[]time.Duration{time.Minute}, "size=352m"},
		{[]time.Duration{time.Minute, 90*time.Second + 1}, "size=716m"},
	} {
		if got := diskSize(tt.faults...); got != tt.want {
			t.Errorf("a round whose faults last %s has a disk of %s, want %s", tt.faults, got, tt.want)
		}
	}
}
