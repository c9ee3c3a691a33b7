package archive

import (
	"bytes"
	"context"
	"errors"
	"fmt"
)

// File is a file that is made once and kept, and whose row in the database names it by its SHA-256 in hex.
type File struct {
	What string // in the error of one that cannot be made again; may be empty
	Sum  string // as its row names it; empty until it is made
	// Render makes the file. Of one that was made before it gets the SHA-256 that the file had, to make the same bytes again.
	Render func(ctx context.Context, sum string) ([]byte, error)
}

// Made is a file's content, or why there is none.
type Made struct {
	Content []byte
	Err     error
}

// Once does for one file what OnceAll does for several.
func (a *Archive) Once(ctx context.Context, f File, note func(ctx context.Context, sum string) (kept string, err error)) ([]byte, error) {
	made, err := a.OnceAll(ctx, []File{f}, func(ctx context.Context, sums []string) ([]string, error) {
		kept, err := note(ctx, sums[0])
		if err != nil {
			return nil, err
		}
		return []string{kept}, nil
	})
	if err != nil {
		return nil, err
	}
	return made[0].Content, made[0].Err
}

// OnceAll returns files that are made once, each or why there is none: the error of one leaves the others alone. A file that its row
// names is read, as by Kept. The others are made and kept together. Then note notes in one transaction, on each row that still
// names none, the SHA-256 of its file. It gets them in the files' order, empty for those that are not to be noted, and returns what the rows name then.
// Where somebody else was faster, that is read. So all callers get the bytes of the first.
func (a *Archive) OnceAll(ctx context.Context, files []File, note func(ctx context.Context, sums []string) (kept []string, err error)) ([]Made, error) {
	made := make([]Made, len(files))
	var fresh []int
	var contents [][]byte
	for i, f := range files {
		if f.Sum != "" {
			made[i].Content, made[i].Err = a.Kept(ctx, f)
		} else if made[i].Content, made[i].Err = f.Render(ctx, ""); made[i].Err == nil {
			fresh, contents = append(fresh, i), append(contents, made[i].Content)
		}
	}
	if len(fresh) == 0 {
		return made, nil
	}
	put, err := a.PutAll(ctx, contents)
	if err != nil {
		return nil, err
	}
	mine := make([]string, len(files))
	for n, i := range fresh {
		mine[i] = put[n]
	}
	noted, err := note(ctx, mine)
	if err != nil {
		return nil, err
	}
	for _, i := range fresh {
		if noted[i] != mine[i] {
			files[i].Sum = noted[i]
			made[i].Content, made[i].Err = a.Kept(ctx, files[i])
		}
	}
	return made, nil
}

// Kept returns the bytes of a file that its row names. If the archive has lost or damaged it, it is made again, and put back if that
// gives the same bytes. If not, the error is a *Fault (rule O7).
func (a *Archive) Kept(ctx context.Context, f File) ([]byte, error) {
	found, err := a.Read(f.Sum)
	fault, is := errors.AsType[*Fault](err)
	if !is {
		return found, err
	}
	made, err := f.Render(ctx, f.Sum)
	if err == nil {
		err = a.mend(ctx, fault, made)
	}
	switch {
	case err == nil:
		return made, nil
	case f.What == "":
		return nil, err
	}
	return nil, fmt.Errorf("%s: %w", f.What, err)
}

// mend puts back a file that is lost or damaged. The content is the same file made again. If it has another SHA-256,
// mend keeps nothing and fails with the fault.
func (a *Archive) mend(ctx context.Context, fault *Fault, content []byte) error {
	if Sum(content) != fault.Sum {
		return &Fault{fault.Word, fault.Sum, errors.New("made again, it has other bytes")}
	}
	if _, _, err := a.Put(ctx, bytes.NewReader(content)); err != nil {
		return err
	}
	a.mended.Add(1)
	a.log.Warn("a kept file that was "+fault.Word+" has been made again, byte for byte", "sha256", fault.Sum)
	return nil
}
