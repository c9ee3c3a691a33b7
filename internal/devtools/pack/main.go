// Command pack makes what is handed out of purr, in the folder dist. "make packages", "make image" and "make release" run it:
//
//	pack [-version V] [-arch amd64,arm64] [-out FOLDER] [-maintainer NAME] [-nfpm PROGRAM] [-cyclonedx PROGRAM] packages|image|release|flags
//
// packages makes a deb, an rpm and a tar.gz for each architecture, with a list of what is inside (SBOM); image an OCI image of all
// architectures; release both, and only of a commit that has a version and was not changed. All of them write SHA256SUMS. flags prints
// what the linker is to be told of the version. The same commit gives the same bytes, in whatever folder and at whatever time (rule K5a).
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
)

func main() {
	var p packer
	version := flag.String("version", "", "the version, such as v1.2.3; else that of the tag at this commit")
	arches := flag.String("arch", "amd64,arm64", "architectures, as Go names them")
	flag.StringVar(&p.out, "out", "dist", "folder for what is made")
	flag.StringVar(&p.maintainer, "maintainer", "The maintainers of purr <purr@example.no>", "whom the packages name as their maintainer")
	flag.StringVar(&p.nfpm, "nfpm", "nfpm", "the program nfpm, which makes debs and rpms")
	flag.StringVar(&p.cyclonedx, "cyclonedx", "cyclonedx-gomod", "the program cyclonedx-gomod, which lists what is inside")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	p.arches = strings.Split(*arches, ",")
	err := p.run(ctx, *version, flag.Args())
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "pack:", err)
		os.Exit(1)
	}
}

// packer makes files of the sources.
type packer struct {
	sources
	arches          []string
	out             string
	maintainer      string // name and address
	nfpm, cyclonedx string
	stage           string // folder of what goes into the files, removed in the end
}

func (p *packer) run(ctx context.Context, version string, args []string) (err error) {
	if len(args) != 1 {
		return errors.New("name one of packages, image, release, flags")
	}
	if p.sources, err = readSources(ctx, version); err != nil {
		return err
	}
	var makers []func(context.Context) error
	switch args[0] {
	case "flags":
		_, err := fmt.Fprintln(os.Stdout, p.flags())
		return err
	case "packages":
		makers = append(makers, p.packages)
	case "image":
		makers = append(makers, p.image)
	case "release":
		if err := p.releasable(); err != nil {
			return err
		}
		makers = append(makers, p.packages, p.image)
	default:
		return fmt.Errorf("%q is not one of packages, image, release, flags", args[0])
	}
	if p.out, err = filepath.Abs(p.out); err != nil {
		return err
	}
	if p.stage, err = os.MkdirTemp("", "purr-pack-"); err != nil {
		return err
	}
	return errors.Join(p.makeAll(ctx, makers), os.RemoveAll(p.stage))
}

// releasable refuses what nobody could build again from its version.
func (p *packer) releasable() error {
	switch {
	case p.changed:
		return errors.New("files here differ from the commit, or are in none (git status): commit or remove them first")
	case !p.tagged:
		return errors.New("this commit has no tag: git tag v1.2.3, or VERSION=v1.2.3")
	}
	return nil
}

// makeAll builds the programs, and makes files of them with each maker. What an earlier run made of its kind is removed first.
func (p *packer) makeAll(ctx context.Context, makers []func(context.Context) error) error {
	if err := os.MkdirAll(p.out, 0o755); err != nil {
		return err
	}
	for _, arch := range p.arches {
		if err := p.build(ctx, "linux", arch, p.program(arch)); err != nil {
			return err
		}
	}
	for _, do := range makers {
		if err := do(ctx); err != nil {
			return err
		}
	}
	return writeSums(p.out)
}

// remove removes what earlier runs made.
func (p *packer) remove(patterns ...string) error {
	for _, pattern := range patterns {
		old, err := filepath.Glob(filepath.Join(p.out, pattern))
		if err != nil {
			return err
		}
		for _, path := range old {
			if err := os.Remove(path); err != nil {
				return err
			}
		}
	}
	return nil
}
