package main

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// program is where the program for an architecture is built.
func (p *packer) program(arch string) string { return filepath.Join(p.stage, arch, "purr") }

// build builds the program. Neither its folder (-trimpath), nor git (-buildvcs=false: the linker is told), nor a C compiler has a part in its bytes.
func (p *packer) build(ctx context.Context, system, arch, path string) error {
	fmt.Fprintf(os.Stderr, "building purr %s for %s/%s\n", p.version, system, arch)
	return p.runIn(ctx, ".", []string{"CGO_ENABLED=0", "GOOS=" + system, "GOARCH=" + arch, "GOAMD64=v1", "GOARM64=v8.0", "GOFLAGS="},
		"go", "build", "-trimpath", "-buildvcs=false", "-ldflags="+p.flags(), "-o", path, "./cmd/purr")
}

// runIn runs a program in a folder, with variables of its own. What it says goes to standard error.
func (p *packer) runIn(ctx context.Context, folder string, variables []string, name string, args ...string) error {
	c := exec.CommandContext(ctx, name, args...)
	c.Dir, c.Stdout, c.Stderr = folder, os.Stderr, os.Stderr
	c.Env = append(os.Environ(), fmt.Sprintf("SOURCE_DATE_EPOCH=%d", p.time.Unix()), "TZ=UTC")
	c.Env = append(c.Env, variables...)
	if err := c.Run(); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return nil
}

// writeSums writes the SHA-256 of each file in a folder to its SHA256SUMS, as sha256sum checks it.
func writeSums(folder string) error {
	const name = "SHA256SUMS"
	entries, err := os.ReadDir(folder) // by name
	if err != nil {
		return err
	}
	var sums strings.Builder
	for _, e := range entries {
		if !e.Type().IsRegular() || e.Name() == name {
			continue
		}
		data, err := os.ReadFile(filepath.Join(folder, e.Name()))
		if err != nil {
			return err
		}
		sum := sha256.Sum256(data)
		fmt.Fprintf(&sums, "%s  %s\n", hex.EncodeToString(sum[:]), e.Name())
	}
	return writeFile(filepath.Join(folder, name), []byte(sums.String()))
}

// writeFile writes a file that everybody may read, whatever the umask is.
func writeFile(path string, data []byte) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	if err := os.WriteFile(path, data, 0o644); err != nil {
		return err
	}
	return os.Chmod(path, 0o644)
}
