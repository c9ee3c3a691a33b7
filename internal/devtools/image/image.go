package main

import (
	"archive/tar"
	"bytes"
	"encoding/pem"
	"io"
	"maps"
	"time"

	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/empty"
	"github.com/google/go-containerregistry/pkg/v1/mutate"
	"github.com/google/go-containerregistry/pkg/v1/tarball"
	"github.com/google/go-containerregistry/pkg/v1/types"
	"golang.org/x/crypto/x509roots/fallback/bundle"
)

// nobody is the user that purr runs as, and the owner of its folders. The number stands for itself: there is no /etc/passwd.
const nobody = 65534

// description is what the image says of the program.
type description struct {
	version, commit string
	created         time.Time
}

// labels are those of the OCI's image specification.
func (d description) labels() map[string]string {
	const of = "org.opencontainers.image."
	return map[string]string{
		of + "title": "purr", of + "description": "Invoicing and dunning for Norwegian creditors", of + "version": d.version,
		of + "revision": d.commit, of + "created": d.created.Format(time.RFC3339), of + "vendor": "The maintainers of purr",
		of + "documentation": "purr COMMAND --help",
	}
}

// emptyIndex returns an index without images, which says what the images say.
func (d description) emptyIndex() v1.ImageIndex {
	return mutate.Annotations(mutate.IndexMediaType(empty.Index, types.OCIImageIndex), d.labels()).(v1.ImageIndex)
}

// withImage adds the image of an architecture.
func withImage(index v1.ImageIndex, img v1.Image, arch string) v1.ImageIndex {
	return mutate.AppendManifests(index, mutate.IndexAddendum{Add: img, Descriptor: v1.Descriptor{Platform: &v1.Platform{OS: "linux", Architecture: arch}}})
}

// image returns the image of an architecture: from nothing, with two layers. deploy/Dockerfile makes the same.
func (d description) image(arch string, program []byte) (v1.Image, error) {
	base := mutate.ConfigMediaType(mutate.MediaType(empty.Image, types.OCIManifestSchema1), types.OCIConfigJSON)
	around, err := d.layer(
		entry{name: "backup/", mode: 0o700, owner: nobody},
		entry{name: "data/", mode: 0o700, owner: nobody},
		entry{name: "etc/", mode: 0o755}, entry{name: "etc/ssl/", mode: 0o755}, entry{name: "etc/ssl/certs/", mode: 0o755},
		entry{name: "etc/ssl/certs/ca-certificates.crt", mode: 0o644, data: certificates()},
	)
	if err != nil {
		return nil, err
	}
	purr, err := d.layer(entry{name: "purr", mode: 0o755, data: program})
	if err != nil {
		return nil, err
	}
	img, err := mutate.Append(base,
		mutate.Addendum{Layer: around, History: v1.History{Created: v1.Time{Time: d.created}, CreatedBy: "folders and root certificates"}},
		mutate.Addendum{Layer: purr, History: v1.History{Created: v1.Time{Time: d.created}, CreatedBy: "purr " + d.version}})
	if err != nil {
		return nil, err
	}
	file, err := img.ConfigFile()
	if err != nil {
		return nil, err
	}
	file = file.DeepCopy()
	file.OS, file.Architecture, file.Created, file.Config = "linux", arch, v1.Time{Time: d.created}, d.config()
	if arch == "arm64" {
		file.Variant = "v8"
	}
	if img, err = mutate.ConfigFile(img, file); err != nil {
		return nil, err
	}
	return mutate.Annotations(img, maps.Clone(d.labels())).(v1.Image), nil
}

// config is how the image is run: as nobody, on a root that may be read-only, with all that changes in /data.
func (d description) config() v1.Config {
	return v1.Config{
		User:         "65534:65534",
		Entrypoint:   []string{"/purr"},
		Cmd:          []string{"serve"},
		Env:          []string{"PURR_DATA=/data", "PURR_LISTEN=0.0.0.0:8080", "PURR_LOG_FORMAT=json", "TMPDIR=/data"},
		ExposedPorts: map[string]struct{}{"8080/tcp": {}},
		Volumes:      map[string]struct{}{"/data": {}},
		Labels:       d.labels(),
		StopSignal:   "SIGTERM",
		Healthcheck: &v1.HealthConfig{
			Test: []string{"CMD", "/purr", "health"}, Interval: 10 * time.Second, Timeout: 9 * time.Second, StartPeriod: 30 * time.Second, Retries: 2,
		},
	}
}

// certificates returns the roots that Mozilla trusts without conditions, for a program that checks none of them.
func certificates() []byte {
	var b bytes.Buffer
	for root := range bundle.Roots() {
		if root.Constraint == nil {
			_ = pem.Encode(&b, &pem.Block{Type: "CERTIFICATE", Bytes: root.Certificate}) // a buffer takes all
		}
	}
	return b.Bytes()
}

// entry is a file of a layer, or a folder, whose name ends in a slash.
type entry struct {
	name  string
	mode  int64
	owner int
	data  []byte
}

func (d description) layer(entries ...entry) (v1.Layer, error) {
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	for _, e := range entries {
		h := tar.Header{Typeflag: tar.TypeReg, Name: e.name, Mode: e.mode, Uid: e.owner, Gid: e.owner, Size: int64(len(e.data)), ModTime: d.created}
		if e.name[len(e.name)-1] == '/' {
			h.Typeflag = tar.TypeDir
		}
		if err := w.WriteHeader(&h); err != nil {
			return nil, err
		}
		if _, err := w.Write(e.data); err != nil {
			return nil, err
		}
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	return tarball.LayerFromOpener(func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(b.Bytes())), nil },
		tarball.WithMediaType(types.OCILayer), tarball.WithCompressedCaching)
}
