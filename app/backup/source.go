package backup

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"purr/register/privacy"
	"purr/store"
)

// Source is a backup that is read. Close ends it.
type Source struct {
	Manifest Manifest
	root     *os.Root
	temp     string // the folder of an unpacked tar, empty for a folder
}

// Open opens a backup: a folder, a tar file, or "-" for a tar on standard input. A tar is unpacked into the system's
// folder for temporary files first. It fails if there is no manifest, or if a newer program made the backup.
func Open(ctx context.Context, path string) (*Source, error) {
	if err := refuseS3(path); err != nil {
		return nil, err
	}
	if path == "-" {
		return openTar(ctx, os.Stdin)
	}
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if info.IsDir() {
		return openSource(path)
	}
	in, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	src, err := openTar(ctx, in)
	_ = in.Close() // it was only read
	return src, err
}

func openTar(ctx context.Context, r io.Reader) (*Source, error) {
	temp, err := os.MkdirTemp("", "purr-backup-*")
	if err != nil {
		return nil, err
	}
	if err := unpack(ctx, r, temp); err != nil {
		return nil, errors.Join(err, os.RemoveAll(temp))
	}
	src, err := openSource(temp)
	if err != nil {
		return nil, errors.Join(err, os.RemoveAll(temp))
	}
	src.temp = temp
	return src, nil
}

// openSource opens a folder. It fails with fs.ErrNotExist if the folder holds no manifest. Nothing outside of the
// folder is read, wherever links in it lead.
func openSource(dir string) (*Source, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	src := &Source{root: root}
	in, err := src.open(manifestName)
	if errors.Is(err, fs.ErrNotExist) {
		err = fmt.Errorf("%s holds no backup, or one that was cut off: %w", dir, err)
	}
	if err != nil {
		return nil, errors.Join(err, root.Close())
	}
	src.Manifest, err = readManifest(in)
	_ = in.Close() // it was only read
	if err != nil {
		return nil, errors.Join(fmt.Errorf("%s: %w", dir, err), root.Close())
	}
	return src, nil
}

// open opens a file of the backup, which must be a regular one.
func (s *Source) open(path string) (*os.File, error) {
	info, err := s.root.Lstat(path)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s is no regular file", path)
	}
	return s.root.Open(path)
}

// Forgotten returns the list of customers who were forgotten by the time of the backup, none if it has no such list (rule O14b).
func (s *Source) Forgotten() ([]store.Forgotten, error) {
	in, err := s.open(privacy.ListName)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer func() { _ = in.Close() }() // it was only read
	all, err := privacy.ReadList(in)
	if err != nil {
		return nil, fmt.Errorf("%s of the backup: %w", privacy.ListName, err)
	}
	return all, nil
}

// CheckBytes fails if the SHA-256 of a file is not that of the manifest.
func (s *Source) CheckBytes(ctx context.Context, progress Progress) error {
	for i, f := range s.Manifest.Files {
		progress.say(i, len(s.Manifest.Files))
		in, err := s.open(f.Path)
		if err != nil {
			return missing(f, err)
		}
		hash := sha256.New()
		size, err := io.Copy(hash, until{ctx, in})
		_ = in.Close() // it was only read
		if err != nil {
			return missing(f, err)
		}
		if size != f.Bytes || hex.EncodeToString(hash.Sum(nil)) != f.SHA256 {
			return damaged(f)
		}
	}
	return nil
}

// Close ends the reading, and removes what was unpacked.
func (s *Source) Close() error {
	err := s.root.Close()
	if s.temp != "" {
		err = errors.Join(err, os.RemoveAll(s.temp))
	}
	return err
}
