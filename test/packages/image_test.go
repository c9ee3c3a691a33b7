//go:build packages

package packages_test

import (
	"archive/tar"
	"compress/gzip"
	"crypto/sha256"
	"crypto/x509"
	"encoding/json"
	"encoding/pem"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"purr/test/testkit"
)

// descriptor, manifest and config are what the OCI's image specification writes, as far as it is looked at here.
type descriptor struct {
	MediaType, Digest string
	Size              int64
	Platform          struct{ OS, Architecture string }
	Annotations       map[string]string
}

type manifest struct {
	Manifests, Layers []descriptor
	Config            descriptor
}

type config struct {
	Created, Architecture, OS string
	Config                    struct {
		User            string
		Entrypoint, Cmd []string
		Env             []string
		Labels          map[string]string
		Volumes         map[string]struct{}
		Healthcheck     struct{ Test []string }
	}
	RootFS struct {
		DiffIDs []string `json:"diff_ids"`
	}
}

// TestK9TheImage takes the image apart with the standard library alone, looks at all of it, and runs its program in what it unpacked.
func TestK9TheImage(t *testing.T) {
	out, layout := t.TempDir(), t.TempDir()
	mustPack(t, root, out, "-version", "v1.0.0", "image")
	run(t, "tar", "-xf", one(t, out, "purr-1.0.0-oci.tar"), "-C", layout)
	var version struct{ ImageLayoutVersion string }
	readJSON(t, filepath.Join(layout, "oci-layout"), &version)
	var top, index manifest
	readJSON(t, filepath.Join(layout, "index.json"), &top)
	if version.ImageLayoutVersion != "1.0.0" || len(top.Manifests) != 1 || top.Manifests[0].Annotations["org.opencontainers.image.ref.name"] != "v1.0.0" {
		t.Fatalf("the layout is %+v, %+v", version, top)
	}
	readBlob(t, layout, top.Manifests[0], &index)
	var arches []string
	for _, d := range index.Manifests {
		arches = append(arches, d.Platform.OS+"/"+d.Platform.Architecture)
		folder := filepath.Join(t.TempDir(), "root")
		lookAtImage(t, layout, d, folder)
		if d.Platform.Architecture == runtime.GOARCH {
			runImage(t, folder)
		}
	}
	if !slices.Equal(arches, []string{"linux/amd64", "linux/arm64"}) {
		t.Errorf("the image is of %q", arches)
	}
}

// lookAtImage looks at the image of an architecture, and unpacks it.
func lookAtImage(t *testing.T, layout string, d descriptor, folder string) {
	t.Helper()
	var m manifest
	var c config
	readBlob(t, layout, d, &m)
	readBlob(t, layout, m.Config, &c)
	for _, label := range []string{"title", "description", "version", "revision", "created"} {
		if c.Config.Labels["org.opencontainers.image."+label] == "" {
			t.Errorf("there is no label %s: %v", label, c.Config.Labels)
		}
	}
	if c.Config.User != "65534:65534" || !slices.Equal(c.Config.Entrypoint, []string{"/purr"}) || !slices.Equal(c.Config.Cmd, []string{"serve"}) ||
		!slices.Equal(c.Config.Healthcheck.Test, []string{"CMD", "/purr", "health"}) || c.Architecture != d.Platform.Architecture || c.OS != "linux" {
		t.Errorf("the image is run as %+v", c)
	}
	for i, l := range m.Layers {
		if sum := unpack(t, blob(layout, l), folder); sum != c.RootFS.DiffIDs[i] {
			t.Errorf("layer %d is %s, the image names %s", i, sum, c.RootFS.DiffIDs[i])
		}
	}
	var files []string
	testkit.Must(t, filepath.WalkDir(folder, func(path string, e os.DirEntry, err error) error {
		if err == nil && !e.IsDir() {
			files = append(files, strings.TrimPrefix(path, folder))
		}
		return err
	}))
	if want := []string{"/etc/ssl/certs/ca-certificates.crt", "/purr"}; !slices.Equal(files, want) { // no shell, nothing else
		t.Errorf("the image holds %q, want %q", files, want)
	}
	roots := 0
	data, err := os.ReadFile(filepath.Join(folder, "etc/ssl/certs/ca-certificates.crt"))
	testkit.Must(t, err)
	for block, rest := pem.Decode(data); block != nil; block, rest = pem.Decode(rest) {
		_, err := x509.ParseCertificate(block.Bytes)
		testkit.Must(t, err)
		roots++
	}
	const least = 80
	if roots < least {
		t.Errorf("only %d root certificates", roots)
	}
}

// runImage runs the program in what was unpacked as nobody, with a root that is read-only but for /data.
func runImage(t *testing.T, folder string) {
	t.Helper()
	if os.Getuid() != 0 {
		t.Fatal("needs root: run make test-packages as root")
	}
	inside := func(script string) string {
		t.Helper()
		// A tmpfs for /data and the read-only root, mounted from outside: inside there is no program for it.
		c := exec.CommandContext(t.Context(), "unshare", "--mount", "--pid", "--net", "--fork", "bash", "-ec", `
			mount --bind "$0" "$0"; mount -t tmpfs -o uid=65534,gid=65534,mode=700 none "$0/data"; mount -o remount,bind,ro "$0"; ip link set lo up
			purr() { chroot --userspec=65534:65534 "$0" /purr "$@"; }
			`+script, folder)
		c.Env = []string{"PATH=" + os.Getenv("PATH") + ":/usr/sbin:/sbin", "PURR_DATA=/data", "TMPDIR=/data", "PURR_LISTEN=127.0.0.1:8080", "PURR_MIN_FREE_DISK=0"}
		said, err := c.CombinedOutput()
		if err != nil {
			t.Fatalf("inside the image, %s: %v\n%s", script, err, said)
		}
		return string(said)
	}
	if said := inside("purr version"); !strings.Contains(said, "v1.0.0") {
		t.Errorf("the image runs %s", said)
	}
	// It serves, says that it is well, and ends when it is told to.
	said := inside(`chroot --userspec=65534:65534 "$0" /purr serve >"/dev/shm/purr-image-$$" 2>&1 & serve=$!
		for try in $(seq 600); do purr health >/dev/null 2>&1 && break; kill -0 $serve; sleep 0.1; done
		purr health; ! touch "$0/new" 2>/dev/null; kill -TERM $serve; wait $serve; rm "/dev/shm/purr-image-$$"`)
	t.Logf("health: %s", said)
}

// readBlob reads a blob of JSON, whose bytes must be those that were named.
func readBlob(t *testing.T, layout string, d descriptor, into any) {
	t.Helper()
	data, err := os.ReadFile(blob(layout, d))
	testkit.Must(t, err)
	if sum := fmt.Sprintf("sha256:%x", sha256.Sum256(data)); sum != d.Digest || int64(len(data)) != d.Size {
		t.Errorf("the blob %s has %d bytes, and is %s", d.Digest, len(data), sum)
	}
	testkit.Must(t, json.Unmarshal(data, into))
}

func readJSON(t *testing.T, path string, into any) {
	t.Helper()
	data, err := os.ReadFile(path)
	testkit.Must(t, err)
	testkit.Must(t, json.Unmarshal(data, into))
}

func blob(layout string, d descriptor) string {
	return filepath.Join(layout, "blobs", strings.Replace(d.Digest, ":", "/", 1))
}

// unpack unpacks a layer into a folder, and returns the sum of what was compressed.
func unpack(t *testing.T, path, folder string) string {
	t.Helper()
	f, err := os.Open(path)
	testkit.Must(t, err)
	defer f.Close()
	zipped, err := gzip.NewReader(f)
	testkit.Must(t, err)
	data, err := io.ReadAll(zipped)
	testkit.Must(t, err)
	r := tar.NewReader(strings.NewReader(string(data)))
	for {
		h, err := r.Next()
		if errors.Is(err, io.EOF) {
			return fmt.Sprintf("sha256:%x", sha256.Sum256(data))
		}
		testkit.Must(t, err)
		to := filepath.Join(folder, h.Name)
		testkit.Must(t, os.MkdirAll(filepath.Dir(to), 0o755))
		if h.Typeflag == tar.TypeDir {
			testkit.Must(t, os.MkdirAll(to, h.FileInfo().Mode().Perm()))
		} else {
			text, err := io.ReadAll(r)
			testkit.Must(t, err)
			testkit.Must(t, os.WriteFile(to, text, h.FileInfo().Mode().Perm()))
		}
		testkit.Must(t, os.Chown(to, h.Uid, h.Gid))
	}
}
