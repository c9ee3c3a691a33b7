package main

import (
	"bytes"
	"compress/gzip"
	"context"
	"debug/buildinfo"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"time"
)

// texts makes what a package has beside the program, below the stage: man, completions, doc.
func (p *packer) texts(ctx context.Context) error {
	for _, do := range []func(context.Context) error{p.fromCommands, p.pages, p.changelogs, p.licenses} {
		if err := do(ctx); err != nil {
			return err
		}
	}
	// nfpm takes the modes of folders as they are, and they are the umask's.
	return filepath.WalkDir(p.stage, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.IsDir() {
			return err
		}
		return os.Chmod(path, 0o755)
	})
}

// fromCommands has the program itself write its manual, its completions and the example of its settings.
func (p *packer) fromCommands(ctx context.Context) error {
	purr := filepath.Join(p.stage, "here", "purr")
	if err := p.build(ctx, runtime.GOOS, runtime.GOARCH, purr); err != nil {
		return err
	}
	manual := filepath.Join(p.stage, "manual")
	if err := p.runIn(ctx, ".", nil, purr, "man", manual); err != nil {
		return err
	}
	pages, err := filepath.Glob(filepath.Join(manual, "*.1"))
	if err != nil {
		return err
	}
	for _, page := range pages {
		text, err := os.ReadFile(page)
		if err != nil {
			return err
		}
		if err := p.compressed("man/man1/"+filepath.Base(page)+".gz", text); err != nil {
			return err
		}
	}
	for path, words := range map[string]string{
		"completions/bash": "completion bash", "completions/zsh": "completion zsh", "completions/fish": "completion fish", "doc/examples/purr.env": "config example",
	} {
		text, err := output(ctx, purr, strings.Fields(words)...)
		if err != nil {
			return err
		}
		if err := writeFile(filepath.Join(p.stage, path), []byte(text+"\n")); err != nil {
			return err
		}
	}
	return nil
}

// pages copies the README and the pages of docs/, with their pictures.
func (p *packer) pages(context.Context) error {
	take := func(path string) error {
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		return writeFile(filepath.Join(p.stage, "doc", path), data)
	}
	err := filepath.WalkDir("docs", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		return take(path)
	})
	return errors.Join(err, take("README.md"), take("SECURITY.md"))
}

// changelogs writes ours, and the one that Debian's packages have, whose one entry points to it.
func (p *packer) changelogs(context.Context) error {
	ours, err := os.ReadFile("CHANGELOG.md")
	if err != nil {
		return err
	}
	debian := fmt.Sprintf("purr (%s-%s) stable; urgency=medium\n\n  * Version %s: see changelog.gz.\n  * Commit %s.\n\n -- %s  %s\n",
		p.packageVersion(), release, p.version, p.commit, p.maintainer, p.time.Format(time.RFC1123Z))
	return errors.Join(p.compressed("doc/changelog.gz", ours), p.compressed("doc/changelog.Debian.gz", []byte(debian)))
}

// licenses writes the licences of what is compiled into the program: their conditions ask that they go with it.
func (p *packer) licenses(ctx context.Context) error {
	info, err := buildinfo.ReadFile(p.program(p.arches[0]))
	if err != nil {
		return err
	}
	root, err := output(ctx, "go", "env", "GOROOT")
	if err != nil {
		return err
	}
	var all bytes.Buffer
	all.WriteString("The program purr has parts of others' works compiled into it. These are their licences.\n")
	if err := addLicense(&all, "The Go standard library "+info.GoVersion, root); err != nil {
		return err
	}
	if err := addLicense(&all, "The fonts Noto Sans", filepath.Join("documents", "pdf", "fonts")); err != nil {
		return err
	}
	for _, m := range info.Deps {
		folder, err := output(ctx, "go", "list", "-m", "-f", "{{.Dir}}", m.Path)
		if err != nil {
			return err
		}
		if err := addLicense(&all, m.Path+" "+m.Version, folder); err != nil {
			return err
		}
	}
	return p.compressed("doc/licenses.txt.gz", all.Bytes())
}

// licenseFile is the name of a licence, or of notices that it asks to be kept.
var licenseFile = regexp.MustCompile(`(?i)^(licen[cs]e|copying|notice|ofl)\b`)

// addLicense adds the licence of a work. It fails where there is none.
func addLicense(all *bytes.Buffer, work, folder string) error {
	entries, err := os.ReadDir(folder)
	if err != nil {
		return err
	}
	found := 0
	for _, e := range entries {
		if e.IsDir() || !licenseFile.MatchString(e.Name()) {
			continue
		}
		text, err := os.ReadFile(filepath.Join(folder, e.Name()))
		if err != nil {
			return err
		}
		found++
		fmt.Fprintf(all, "\n\n=== %s: %s ===\n\n%s", work, e.Name(), text)
	}
	if found == 0 {
		return fmt.Errorf("%s has no licence in %s", work, folder)
	}
	return nil
}

// compressed writes a file as gzip -9n does: without a name and a time.
func (p *packer) compressed(path string, data []byte) error {
	var b bytes.Buffer
	w, err := gzip.NewWriterLevel(&b, gzip.BestCompression)
	if err != nil {
		return err
	}
	if _, err = w.Write(data); err != nil {
		return err
	}
	if err = w.Close(); err != nil {
		return err
	}
	return writeFile(filepath.Join(p.stage, path), b.Bytes())
}
