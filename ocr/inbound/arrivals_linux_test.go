package inbound

import (
	"maps"
	"os"
	"path/filepath"
	"testing"
	"time"

	"purr/test/testkit/rows"
)

// The file was changed a moment ago, and would not count as complete if it had not been renamed in.
func TestR5AFileThatIsRenamedInIsTakenAtOnce(t *testing.T) {
	eachFolder(t, func(t *testing.T, f *folder) {
		c := rows.Creditor(t, f.DB)
		f.put(t, ".whole", unknown(t, c, 1_00), 0)
		f.put(t, "half", unknown(t, c, 2_00)[:100], 0)
		f.after(t, 0)
		must(t, os.Rename(filepath.Join(f.dir, ".whole"), filepath.Join(f.dir, "whole")))
		f.after(t, 0)
		f.holds(t, append(filed("done", "whole"), "half")...)
		f.after(t, 1999*time.Millisecond)
		f.holds(t, append(filed("done", "whole"), "half")...)
	})
}

// A file that is copied in, not renamed, may not be complete yet. Nobody waits for the next poll.
func TestR5AFileThatMayNotBeCompleteWakesWhoPolls(t *testing.T) {
	eachFolder(t, func(t *testing.T, f *folder) {
		c := rows.Creditor(t, f.DB)
		f.put(t, "copied", unknown(t, c, 1_00), 0)
		<-f.inbox.Woken() // at the beginning
		f.after(t, 0)
		<-f.inbox.Woken()
		f.after(t, completeAfter)
		f.holds(t, filed("done", "copied")...)
	})
}

func TestArrivalsAreToldOnce(t *testing.T) {
	dir := t.TempDir()
	a, err := watchArrivals(dir)
	must(t, err)
	t.Cleanup(func() { must(t, a.close()) })
	want := map[string]bool{}
	for n := range 300 {
		name := "file " + string(rune('a'+n%26)) + string(rune('a'+n/26))
		hidden := filepath.Join(dir, "."+name)
		must(t, os.WriteFile(hidden, nil, 0o600))
		must(t, os.Rename(hidden, filepath.Join(dir, name)))
		want[name] = true
	}
	must(t, os.WriteFile(filepath.Join(dir, "written"), nil, 0o600))
	for range 2 {
		got, err := a.renamed()
		must(t, err)
		if !maps.Equal(got, want) {
			t.Errorf("%d arrivals are told of, want %d", len(got), len(want))
		}
		clear(want)
	}
}

func TestR5ARenameWakesWhoPolls(t *testing.T) {
	dir := t.TempDir()
	a, err := watchArrivals(dir)
	must(t, err)
	<-a.woken() // at the beginning: there may be some
	for _, name := range []string{"first", "second"} {
		hidden := filepath.Join(dir, "."+name)
		must(t, os.WriteFile(hidden, nil, 0o600))
		must(t, os.Rename(hidden, filepath.Join(dir, name)))
		<-a.woken()
		if got, err := a.renamed(); err != nil || !got[name] {
			t.Errorf("%s has woken, and the names are %v, %v", name, got, err)
		}
	}
	must(t, a.close())
}
