package main

import (
	"context"
	"path/filepath"
	"strings"
	"time"
)

// image makes an OCI image of all architectures, as one file that docker, podman and skopeo read. What makes it is a module of its own
// (internal/devtools/image), so that its libraries are none of the program's.
func (p *packer) image(ctx context.Context) error {
	if err := p.remove("purr-*-oci.tar"); err != nil {
		return err
	}
	args := []string{
		"run", ".", "-version", p.version, "-commit", p.commit, "-created", p.time.Format(time.RFC3339),
		"-out", filepath.Join(p.out, strings.Join([]string{"purr", p.packageVersion(), "oci.tar"}, "-")),
	}
	for _, arch := range p.arches {
		args = append(args, arch+"="+p.program(arch))
	}
	return p.runIn(ctx, filepath.Join("internal", "devtools", "image"), []string{"GOFLAGS=-mod=readonly"}, "go", args...)
}
