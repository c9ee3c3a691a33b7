package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"purr/internal/clock"
	"purr/models"
)

// standard is the name of standard input and standard output.
const standard = "-"

// inFile adds the file to an error that does not name it.
func inFile(path string, err error) error {
	if errors.As(err, new(*fs.PathError)) {
		return err
	}
	return fmt.Errorf("%s: %w", path, err)
}

// files returns the check that a command gets a number of files in these bounds.
func files(least, most int) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if n := len(args); n < least || n > most {
			return fmt.Errorf("%d files are given; usage: %s", n, cmd.UseLine())
		}
		return nil
	}
}

// today returns the date of the machine. A two-digit year becomes the nearest one.
func today() models.Date {
	now := clock.System{}.Now()
	day, err := models.BankDay(now)
	if err != nil {
		return models.DateOf(now)
	}
	return day
}

// input is a file or standard input. Reading it ends when the command is told to stop.
type input struct {
	io.Reader
	close func() error
}

func openInput(ctx context.Context, path string) (*input, error) {
	if path == standard {
		return &input{watched(ctx, "read", standardInput(ctx)), func() error { return nil }}, nil
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	return &input{watched(ctx, "read", f), f.Close}, nil
}

// standardInput returns standard input. Reading it ends with the context, even while it waits for a person to type.
func standardInput(ctx context.Context) io.Reader {
	r, w := io.Pipe()
	context.AfterFunc(ctx, func() { w.CloseWithError(ctx.Err()) })
	go func() {
		_, err := io.Copy(w, os.Stdin)
		w.CloseWithError(err)
	}()
	return r
}

// readTwice opens a file that is read more than once. It copies standard input, or another pipe, to a temporary file.
// done removes that file.
func readTwice(ctx context.Context, path string) (f *os.File, done func() error, err error) {
	if path == standard {
		return keptMeanwhile(ctx, standardInput(ctx))
	}
	if f, err = os.Open(path); err != nil {
		return nil, nil, err
	}
	if info, err := f.Stat(); err == nil && info.Mode()&fs.ModeNamedPipe != 0 {
		kept, done, err := keptMeanwhile(ctx, f)
		return kept, done, errors.Join(err, f.Close())
	}
	return f, f.Close, nil
}

// keptMeanwhile copies r to a temporary file. done removes that file.
func keptMeanwhile(ctx context.Context, r io.Reader) (f *os.File, done func() error, err error) {
	if f, err = os.CreateTemp("", "purr-*"); err != nil {
		return nil, nil, fmt.Errorf("keep what is read meanwhile: %w", err)
	}
	done = func() error { return errors.Join(f.Close(), os.Remove(f.Name())) }
	if _, err = io.Copy(f, watched(ctx, "read", r)); err == nil {
		_, err = f.Seek(0, io.SeekStart)
	}
	if err != nil {
		return nil, nil, errors.Join(err, done())
	}
	return f, done, nil
}

// writeOutput calls write to write a file or standard output. The file appears only when it is complete. It replaces
// an existing file only with force.
func writeOutput(ctx context.Context, path string, force bool, write func(io.Writer) error) error {
	if path == standard {
		out := bufio.NewWriterSize(os.Stdout, 64<<10)
		return errors.Join(write(watched(ctx, "", out)), out.Flush())
	}
	f, err := createPart(path, force)
	if err != nil {
		return err
	}
	out := bufio.NewWriterSize(f, 64<<10)
	progress := watched(ctx, "written", out)
	err = write(progress)
	progress.end()
	if err = errors.Join(err, out.Flush(), f.Close()); err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		return errors.Join(err, os.Remove(f.Name()))
	}
	return nil
}

// createPart creates the temporary file that becomes the file at a path. Without force nothing may be there yet.
func createPart(path string, force bool) (*os.File, error) {
	if _, err := os.Lstat(path); !errors.Is(err, fs.ErrNotExist) && !force {
		if err != nil {
			return nil, err
		}
		return nil, fmt.Errorf("%s is there already: give another name, or --force to have it replaced", path)
	}
	f, err := os.Create(filepath.Join(filepath.Dir(path), "."+filepath.Base(path)+".part"))
	if err != nil {
		if failed, is := errors.AsType[*fs.PathError](err); is {
			err = failed.Err // without the name of the temporary file
		}
		return nil, fmt.Errorf("%s cannot be written: %w", path, err)
	}
	return f, nil
}

// outputFlags adds -o and --force.
func outputFlags(c *cobra.Command, path *string, force *bool) {
	c.Flags().StringVarP(path, "output", "o", standard, "file to write; - is standard output")
	c.Flags().BoolVar(force, "force", false, "replace the output file if there is one")
}

// watch passes data on until the command is told to stop, and shows the number of bytes.
type watch struct {
	io.Reader
	io.Writer
	progress
	ctx   context.Context
	what  string // "read" or "written"; empty to show nothing
	bytes int64
}

// watched returns a watch on a reader or a writer.
func watched[T any](ctx context.Context, what string, of T) *watch {
	w := &watch{ctx: ctx, what: what, progress: newProgress()}
	w.Reader, _ = any(of).(io.Reader)
	w.Writer, _ = any(of).(io.Writer)
	return w
}

// Read fails once the command is told to stop.
func (w *watch) Read(p []byte) (int, error) {
	if err := w.ctx.Err(); err != nil {
		return 0, err
	}
	n, err := w.Reader.Read(p)
	w.passed(n, err)
	return n, err
}

// Write fails once the command is told to stop.
func (w *watch) Write(p []byte) (int, error) {
	if err := w.ctx.Err(); err != nil {
		return 0, err
	}
	n, err := w.Writer.Write(p)
	w.passed(n, err)
	return n, err
}

// passed shows the number of bytes, unless there was an error.
func (w *watch) passed(n int, err error) {
	w.bytes += int64(n)
	switch {
	case err != nil:
		w.end()
	case w.what != "":
		w.say("%d MB %s", w.bytes>>20, w.what)
	}
}
