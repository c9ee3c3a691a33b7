package archive

import (
	"errors"
	"fmt"

	"purr/models"
)

// What can be wrong with a kept file.
const (
	Lost    = "lost"    // it is not there
	Damaged = "damaged" // its bytes are not those that were kept, or cannot be read
)

// Fault is the error of a kept file that is lost or damaged (rule O7). It has no kind of package models, and so no
// caller of the API takes it for a thing that never was.
type Fault struct {
	Word string // Lost or Damaged
	Sum  string // the SHA-256 of the bytes that were kept, in hex
	Err  error  // why they cannot be read, or why they cannot be put back; may be nil
}

// Error says which file it is, and what to do.
func (f *Fault) Error() string {
	text := fmt.Sprintf("the kept file %s is %s: bring it back from a backup of the archive folder", f.Sum, f.Word)
	if f.Err != nil {
		text += ": " + f.Err.Error()
	}
	return text
}

// Unwrap returns the cause.
func (f *Fault) Unwrap() error { return f.Err }

// unreadable is the error of a file that could not be read to its end. Its bytes are at fault, unless what holds them is away.
func unreadable(sum string, err error) error {
	if models.KindOf(err) == models.KindUnavailable {
		return fmt.Errorf("archive: %w", err)
	}
	return &Fault{Damaged, sum, err}
}

// tell logs and counts a fault. It returns the error.
func (a *Archive) tell(err error) error {
	fault, is := errors.AsType[*Fault](err)
	if !is {
		return err
	}
	if fault.Word == Lost {
		a.lost.Add(1)
	} else {
		a.damaged.Add(1)
	}
	a.log.Error("a kept file is "+fault.Word, "sha256", fault.Sum, "error", fault.Err)
	return err
}

// Counts is how often a kept file was found to be lost or damaged, and put back, since the archive was opened.
type Counts struct{ Lost, Damaged, Mended int64 }

// Counts returns the counts.
func (a *Archive) Counts() Counts { return Counts{a.lost.Load(), a.damaged.Load(), a.mended.Load()} }
