package storage

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"
	"sync"
)

// Copying is what is copied from one storage to another (rule K2b). Both may be in use meanwhile.
type Copying struct {
	Kept    string   // the folder whose files are named by their SHA-256
	Waiting []string // the folders of what waits to be taken, or was
	Marks   []string // names of files that an installation leaves where it works; see Copied.InUse

	// Tell is told of the copying's progress; it may be nil.
	Tell func(Copied)
}

// Copied is how far a copying has come.
type Copied struct {
	Files   int // that were found at the source
	Left    int // of them, that are not done
	Brought int // of them, that were put at the destination
	Bytes   int64
	Removed int  // from the destination, since they are no longer at the source
	InUse   bool // an installation works at the destination: what waits there is its own, and nothing of that kind was brought
	Stayed  int  // files that were not brought for that reason
	// Faults say which files are damaged at the source, or could not be proved at the destination. They are not there then.
	Faults []string
}

// copyAtOnce is how many files are copied at the same time.
const copyAtOnce = 8

// errEmpty is the error of a source that has nothing: it is not what was meant, and nothing is removed for its sake.
var errEmpty = errors.New("there is nothing to copy: no installation has kept anything there")

// From copies what the destination lacks, and reads each file there again: its SHA-256 must be that of the source. What was broken off goes on
// where it was, and a second time brings what came since. At a destination that no installation has worked at, what waits is made the same as at
// the source: a letter that was taken away there meanwhile would leave twice.
func (c Copying) From(ctx context.Context, from, to Place) (done Copied, err error) {
	run := &copyRun{Copying: c, from: from, to: to}
	for _, mark := range c.Marks {
		_, err := to.Stat(ctx, mark)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return done, err
		}
		run.done.InUse = run.done.InUse || err == nil
	}
	all, err := run.plan(ctx)
	if err != nil {
		return run.done, err
	}
	if run.done.Files = len(all); len(all) == 0 {
		return run.done, fmt.Errorf("%s: %w", from, errEmpty)
	}
	run.done.Left = len(all)
	if err := run.copyAll(ctx, all); err != nil {
		return run.done, err
	}
	if !run.done.InUse {
		err = run.removeTaken(ctx, all)
	}
	slices.Sort(run.done.Faults)
	return run.done, err
}

type copyRun struct {
	Copying
	from, to Place

	mu   sync.Mutex // guards done
	done Copied
}

// plan returns the files that are to be at the destination too, each with its name in the storage.
func (r *copyRun) plan(ctx context.Context) (all []Info, err error) {
	for _, folder := range append([]string{r.Kept}, r.Waiting...) {
		if err := r.from.Below(folder).Walk(ctx, func(f Info) error {
			f.Name = path.Join(folder, f.Name)
			switch {
			case Hidden(f.Name) || folder == r.Kept && !isSum(path.Base(f.Name)):
			case folder != r.Kept && r.done.InUse && !wasTaken(f.Name):
				r.done.Stayed++
			default:
				all = append(all, f)
			}
			return nil
		}); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// isSum reports whether a name is a SHA-256 in hex.
func isSum(name string) bool {
	raw, err := hex.DecodeString(name)
	return err == nil && len(raw) == sha256.Size
}

// wasTaken reports whether a file lies in one of the folders for what was dealt with.
func wasTaken(name string) bool {
	return slices.Contains([]string{"done", "duplicate", "rejected"}, path.Base(path.Dir(name)))
}

func (r *copyRun) copyAll(ctx context.Context, all []Info) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	turns := make(chan Info)
	var working sync.WaitGroup
	for range copyAtOnce {
		working.Go(func() {
			for f := range turns {
				if err := r.one(ctx, f); err != nil {
					cancel(fmt.Errorf("%s: %w", f.Name, err))
				}
			}
		})
	}
	for _, f := range all {
		select {
		case turns <- f:
		case <-ctx.Done():
		}
		if ctx.Err() != nil {
			break
		}
	}
	close(turns)
	working.Wait()
	return context.Cause(ctx)
}

// one copies a file, unless the destination has it.
func (r *copyRun) one(ctx context.Context, f Info) error {
	brought, fault, err := r.bring(ctx, f)
	if errors.Is(err, fs.ErrNotExist) {
		err = nil // it was taken since it was seen
	}
	if err != nil {
		return err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.done.Left--
	if brought {
		r.done.Brought++
		r.done.Bytes += f.Size
	}
	if fault != "" {
		r.done.Faults = append(r.done.Faults, f.Name+" "+fault)
	}
	if r.Tell != nil {
		r.Tell(r.done)
	}
	return nil
}

func (r *copyRun) bring(ctx context.Context, f Info) (brought bool, fault string, err error) {
	kept, want := strings.HasPrefix(f.Name, r.Kept+"/"), ""
	if kept {
		want = path.Base(f.Name)
	}
	there, err := r.to.Stat(ctx, f.Name)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return false, "", err
	}
	if err == nil && there.Size == f.Size {
		if want == "" {
			if want, err = sumOf(ctx, r.from, f.Name, io.Discard); err != nil {
				return false, "", err
			}
		}
		has := there.Sum
		if has == "" {
			if has, err = sumOf(ctx, r.to, f.Name, io.Discard); err != nil {
				return false, "", err
			}
		}
		if has == want {
			return false, "", nil
		}
	}
	temp, err := os.CreateTemp("", "purr-copy-*")
	if err != nil {
		return false, "", err
	}
	defer func() { err = errors.Join(err, temp.Close()) }()
	if err := os.Remove(temp.Name()); err != nil { // a copy that is killed leaves nothing of it
		return false, "", err
	}
	sum, err := sumOf(ctx, r.from, f.Name, temp)
	switch {
	case err != nil:
		return false, "", err
	case kept && sum != want:
		return false, "is damaged at the source, and was not brought", nil
	}
	if err := r.to.Put(ctx, f.Name, temp); err != nil {
		return false, "", err
	}
	if has, err := sumOf(ctx, r.to, f.Name, io.Discard); err != nil {
		return false, "", err
	} else if has != sum {
		return false, "has other bytes at the destination than were put there", r.to.Remove(ctx, Info{Name: f.Name})
	}
	return true, "", nil
}

// sumOf returns the SHA-256 of a file in hex, and writes it out.
func sumOf(ctx context.Context, p Place, name string, out io.Writer) (string, error) {
	in, _, err := p.Open(ctx, name)
	if err != nil {
		return "", err
	}
	hash := sha256.New()
	_, err = io.Copy(io.MultiWriter(hash, out), in)
	return hex.EncodeToString(hash.Sum(nil)), errors.Join(err, in.Close())
}

// removeTaken removes from the destination what waits there and no longer does at the source.
func (r *copyRun) removeTaken(ctx context.Context, all []Info) error {
	names := map[string]bool{}
	for _, f := range all {
		names[f.Name] = true
	}
	for _, folder := range r.Waiting {
		place := r.to.Below(folder)
		var gone []Info
		if err := place.Walk(ctx, func(f Info) error {
			if !Hidden(f.Name) && !names[path.Join(folder, f.Name)] {
				gone = append(gone, f)
			}
			return nil
		}); err != nil {
			return err
		}
		for _, f := range gone {
			if _, err := r.from.Stat(ctx, path.Join(folder, f.Name)); !errors.Is(err, fs.ErrNotExist) {
				if err != nil {
					return err
				}
				continue // it came while the copying went on
			}
			if err := place.Remove(ctx, f); err != nil {
				return err
			}
			r.done.Removed++
		}
	}
	return nil
}
