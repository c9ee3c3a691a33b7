package backup

import (
	"archive/tar"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"purr/register/privacy"
)

// stream is a destination that is a tar. Its last file is the manifest, so that a tar that was cut off has none.
type stream struct {
	out  *tar.Writer
	temp string
}

// newStream returns the destination. The copy of the database is made in a folder below dir, because a tar tells the
// size of a file before its bytes.
func newStream(w io.Writer, dir string) (*stream, error) {
	temp, err := os.MkdirTemp(dir, ".backup-*")
	if err != nil {
		return nil, err
	}
	return &stream{tar.NewWriter(w), temp}, nil
}

func (s *stream) scratch() string { return s.temp }
func (s *stream) close() error    { return os.RemoveAll(s.temp) }

func (s *stream) takeDatabase(ctx context.Context, from, name string) (File, error) {
	in, err := os.Open(from)
	if err != nil {
		return File{}, err
	}
	defer func() { _ = in.Close() }() // it was only read
	return s.add(ctx, name, in)
}

func (s *stream) takeKept(ctx context.Context, sum string, open func() (io.ReadSeekCloser, error)) (File, error) {
	in, err := open()
	if err != nil {
		return File{}, err
	}
	defer func() { _ = in.Close() }() // it was only read
	hash := sha256.New()
	if _, err := io.Copy(hash, until{ctx, in}); err != nil {
		return File{}, err
	}
	if hex.EncodeToString(hash.Sum(nil)) != sum {
		return File{}, errDamaged
	}
	return s.add(ctx, keptPath(sum), in)
}

func (s *stream) takeList(content []byte) error {
	_, err := s.add(context.Background(), privacy.ListName, bytes.NewReader(content))
	return err
}

// add writes a file from its beginning.
func (s *stream) add(ctx context.Context, name string, in io.ReadSeeker) (File, error) {
	size, err := in.Seek(0, io.SeekEnd)
	if err != nil {
		return File{}, err
	}
	if _, err := in.Seek(0, io.SeekStart); err != nil {
		return File{}, err
	}
	if err := s.out.WriteHeader(header(name, size)); err != nil {
		return File{}, err
	}
	hash := sha256.New()
	if _, err := io.Copy(io.MultiWriter(s.out, hash), until{ctx, in}); err != nil {
		return File{}, err
	}
	return File{name, hex.EncodeToString(hash.Sum(nil)), size}, nil
}

func header(name string, size int64) *tar.Header {
	return &tar.Header{Typeflag: tar.TypeReg, Name: name, Size: size, Mode: 0o600, ModTime: time.Unix(0, 0), Format: tar.FormatPAX}
}

func (s *stream) finish(m Manifest) error {
	var text bytes.Buffer
	if err := m.write(&text); err != nil {
		return err
	}
	if err := s.out.WriteHeader(header(manifestName, int64(text.Len()))); err != nil {
		return err
	}
	_, err := s.out.Write(text.Bytes())
	return errors.Join(err, s.out.Close())
}

// unpack writes the files of a tar into a folder. It refuses everything that no backup has: other names, links, and a
// name that comes twice.
func unpack(ctx context.Context, r io.Reader, dir string) error {
	in := tar.NewReader(r)
	for {
		h, err := in.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("the tar is damaged or was cut off: %w", err)
		}
		if h.Typeflag != tar.TypeReg || !isOurs(h.Name) && h.Name != manifestName && h.Name != privacy.ListName {
			return fmt.Errorf("the tar holds %q, which is no file of a backup", h.Name)
		}
		path := filepath.Join(dir, filepath.FromSlash(h.Name))
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			return err
		}
		out, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
		if err != nil {
			return err
		}
		_, err = io.Copy(out, until{ctx, in})
		if err := errors.Join(err, out.Close()); err != nil {
			return fmt.Errorf("unpack %s: %w", h.Name, err)
		}
	}
}
