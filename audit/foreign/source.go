package foreign

import (
	"archive/zip"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// What a file may be at most. A zip that claims or turns out to be more is refused.
const (
	maxFile    = 4 << 30 // bytes of a file, unpacked
	maxPacking = 200     // how many times smaller a zip may have made it, beyond the first megabyte
	maxLine    = 1 << 20 // bytes of a line
	maxMembers = 100     // of a zip
)

// Source is where the three files are.
type Source struct {
	open  map[string]func() (io.ReadCloser, error) // by name
	close func() error
}

// Open finds the files in a folder or a zip, whatever the case of their names. The error is a *Faults if one is missing, if there is more
// than one of a name, or if a zip is hostile: paths that lead out of it, links, other files, sizes that no such file has.
func Open(where string) (*Source, error) {
	info, err := os.Stat(where)
	if err != nil {
		return nil, err
	}
	if info.IsDir() {
		return openFolder(where)
	}
	return openZip(where)
}

// Close closes the source.
func (s *Source) Close() error { return s.close() }

func openFolder(where string) (*Source, error) {
	s := &Source{map[string]func() (io.ReadCloser, error){}, func() error { return nil }}
	entries, err := os.ReadDir(where)
	if err != nil {
		return nil, err
	}
	faults := new(Faults)
	for _, e := range entries { // what else lies in a folder is nobody's business
		if name := strings.ToLower(e.Name()); isFile(name) {
			full := filepath.Join(where, e.Name())
			s.add(faults, name, func() (io.ReadCloser, error) { return os.Open(full) })
		}
	}
	return s.complete(faults)
}

func openZip(where string) (*Source, error) {
	z, err := zip.OpenReader(where)
	if err != nil {
		return nil, &Faults{All: []Fault{{File: filepath.Base(where), Text: "is neither a folder nor a zip: " + err.Error()}}}
	}
	s, faults := &Source{map[string]func() (io.ReadCloser, error){}, z.Close}, new(Faults)
	if len(z.File) > maxMembers {
		faults.add(Fault{File: filepath.Base(where), Text: fmt.Sprintf("has %d files, and three are wanted", len(z.File))})
		z.File = nil
	}
	for _, member := range z.File {
		if strings.HasPrefix(member.Name, "__MACOSX/") || strings.HasSuffix(member.Name, "/") && cleanPath(member.Name) {
			continue // what a Mac adds, and folders
		}
		if fault := hostile(member); fault != "" {
			faults.add(Fault{File: fmt.Sprintf("%.60q", member.Name), Text: fault})
			continue
		}
		s.add(faults, strings.ToLower(path.Base(member.Name)), member.Open)
	}
	s, err = s.complete(faults)
	if err != nil {
		return nil, errors.Join(err, z.Close())
	}
	return s, nil
}

// hostile says why a member of a zip is not taken, or nothing.
func hostile(member *zip.File) string {
	switch {
	case !cleanPath(member.Name):
		return "its path leads out of the zip"
	case !member.Mode().IsRegular():
		return "it is no ordinary file"
	case !isFile(strings.ToLower(path.Base(member.Name))):
		return "is none of invoices.csv, payments.csv and notices.csv"
	case member.UncompressedSize64 > maxFile:
		return fmt.Sprintf("it says that it has more than %d GiB", maxFile>>30)
	case member.UncompressedSize64 > 1<<20 && member.UncompressedSize64/maxPacking > member.CompressedSize64:
		return fmt.Sprintf("it is packed more than %d times smaller, as no such file is", maxPacking)
	}
	return ""
}

// cleanPath reports whether a member's path stays in the zip, and is one that every system understands alike.
func cleanPath(name string) bool {
	return filepath.IsLocal(name) && !strings.ContainsAny(name, "\\:\x00") && !slices.Contains(strings.Split(name, "/"), "..")
}

func isFile(name string) bool {
	for _, f := range Files {
		if f.Name == name {
			return true
		}
	}
	return false
}

func (s *Source) add(faults *Faults, name string, open func() (io.ReadCloser, error)) {
	if _, twice := s.open[name]; twice {
		faults.add(Fault{File: name, Text: "there are two of this name"})
	}
	s.open[name] = open
}

// complete returns the source if it has each of the files, and its faults otherwise.
func (s *Source) complete(faults *Faults) (*Source, error) {
	otherwise := len(faults.All) == 0
	for _, f := range Files {
		if s.open[f.Name] == nil && otherwise {
			faults.add(Fault{File: f.Name, Text: "is missing; if there is nothing to say in it, it has its first line alone"})
		}
	}
	if err := faults.whenAny(); err != nil {
		return nil, err
	}
	return s, nil
}

// counted hashes the bytes that are read, and ends with an error where a file or a line is too long.
type counted struct {
	in   io.Reader
	sum  hash.Hash
	size int64
	line int // bytes since the last line break
}

var (
	errTooLarge = fmt.Errorf("it has more than %d GiB", maxFile>>30)
	errLongLine = fmt.Errorf("a line has more than %d KiB", maxLine>>10)
)

func newCounted(in io.Reader) *counted { return &counted{in: in, sum: sha256.New()} }

func (c *counted) Read(p []byte) (int, error) {
	n, err := c.in.Read(p)
	c.sum.Write(p[:n]) // never fails
	if c.size += int64(n); c.size > maxFile {
		return n, errTooLarge
	}
	for rest := p[:n]; ; {
		at := bytes.IndexByte(rest, '\n')
		if at < 0 {
			c.line += len(rest)
			break
		}
		if c.line+at > maxLine {
			return n, errLongLine
		}
		c.line, rest = 0, rest[at+1:]
	}
	if c.line > maxLine {
		return n, errLongLine
	}
	return n, err
}

// SHA256 returns the sum of what was read, in hex.
func (c *counted) SHA256() string { return hex.EncodeToString(c.sum.Sum(nil)) }
