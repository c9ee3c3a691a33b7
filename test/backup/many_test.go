//go:build chaos

package backup_test

import (
	"fmt"
	"path/filepath"
	"testing"

	"purr/test/testkit/house"
)

// TestO3TwentyBackupsUnderLoadAreAllRestored makes twenty backups of each installation at full load, every other one into
// the folder of the one before, and restores each of them.
func TestO3TwentyBackupsUnderLoadAreAllRestored(t *testing.T) {
	for _, setup := range house.Setups {
		t.Run(setup.Name, func(t *testing.T) {
			const backups = 20
			w := work(t, setup)
			folder := t.TempDir()
			for n := range backups {
				w.enough(t, len(w.numbers())+25)
				dest := filepath.Join(folder, fmt.Sprint("backup-", n/2))
				before := w.backUp(t, dest)
				w.calm.Lock() // else each takes longer than all before it
				w.restore(t, setup, dest, before)
				w.calm.Unlock()
				t.Logf("backup %d: %d invoices were answered before it", n+1, len(before))
			}
		})
	}
}
