package main

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// release is that of the packages of one version.
const release = "1"

// packages makes deb, rpm and tar.gz for each architecture, with a list of what is inside.
func (p *packer) packages(ctx context.Context) error {
	if err := p.remove("purr_*.deb", "purr-*.rpm", "purr-*.tar.gz", "purr-*.cdx.json"); err != nil {
		return err
	}
	if err := p.texts(ctx); err != nil {
		return err
	}
	for _, arch := range p.arches {
		fmt.Fprintf(os.Stderr, "packing for %s\n", arch)
		if err := p.packArch(ctx, arch); err != nil {
			return err
		}
	}
	return nil
}

func (p *packer) packArch(ctx context.Context, arch string) error {
	if err := os.Chmod(p.program(arch), 0o755); err != nil { // whatever the umask is
		return err
	}
	variables := []string{"PACK_STAGE=" + p.stage, "PACK_ARCH=" + arch, "PACK_VERSION=" + p.packageVersion(), "PACK_RELEASE=" + release, "PACK_MAINTAINER=" + p.maintainer}
	for _, kind := range []string{"deb", "rpm"} {
		if err := p.runIn(ctx, ".", variables, p.nfpm, "package", "--config", "deploy/packages/nfpm.yaml", "--packager", kind, "--target", p.out); err != nil {
			return err
		}
	}
	name := fmt.Sprintf("purr-%s-linux-%s", p.packageVersion(), arch)
	if err := p.archive(name, arch); err != nil {
		return err
	}
	inside := filepath.Join(p.out, name+".cdx.json")
	err := p.runIn(ctx, ".", nil, p.cyclonedx, "bin", "-json", "-std", "-noserial", "-notimestamp", "-version", p.version, "-output", inside, p.program(arch))
	return errors.Join(err, os.Chmod(inside, 0o644))
}

// archive makes the tar.gz for systems with other packages, and for those who install by hand.
func (p *packer) archive(name, arch string) error {
	files := map[string]string{"purr": p.program(arch), "CHANGELOG.md": "CHANGELOG.md"} // source by name
	for into, folder := range map[string]string{"": filepath.Join(p.stage, "doc"), "man": filepath.Join(p.stage, "man"), "completions": filepath.Join(p.stage, "completions"), "deploy": "deploy"} {
		err := filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || strings.HasPrefix(d.Name(), "changelog.") {
				return err
			}
			below, err := filepath.Rel(folder, path)
			if err != nil {
				return err
			}
			files[filepath.Join(into, below)] = path
			return nil
		})
		if err != nil {
			return err
		}
	}
	var b bytes.Buffer
	zipped, err := gzip.NewWriterLevel(&b, gzip.BestCompression)
	if err != nil {
		return err
	}
	w := tar.NewWriter(zipped)
	for _, file := range slices.Sorted(maps.Keys(files)) {
		if err := p.addFile(w, name+"/"+filepath.ToSlash(file), files[file]); err != nil {
			return err
		}
	}
	if err := errors.Join(w.Close(), zipped.Close()); err != nil {
		return err
	}
	return writeFile(filepath.Join(p.out, name+".tar.gz"), b.Bytes())
}

// addFile adds a file to an archive: root's, of the commit's time.
func (p *packer) addFile(w *tar.Writer, name, path string) error {
	data, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	mode := int64(0o644)
	if bytes.HasPrefix(data, []byte("\x7fELF")) {
		mode = 0o755
	}
	err = w.WriteHeader(&tar.Header{Name: name, Mode: mode, Size: int64(len(data)), ModTime: p.time, Uname: "root", Gname: "root", Format: tar.FormatPAX})
	if err != nil {
		return err
	}
	_, err = w.Write(data)
	return err
}
