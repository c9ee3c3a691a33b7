package servers

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strconv"

	"golang.org/x/sys/unix"
)

// S3Key and S3Secret are the keys of every S3 server that tests start, and S3Bucket is the bucket that it has.
const (
	S3Key    = "purr-test"
	S3Secret = "purr-test-secret"
	S3Bucket = "bilag"
)

// StartS3 starts a Versity S3 gateway on a folder. Killed and started again it has what it has acknowledged.
func StartS3(ctx context.Context, options Options) (*Server, error) {
	program, err := versity()
	if err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp(options.Dir, "s3-")
	if err != nil {
		return nil, err
	}
	s := &Server{dir: dir, environment: []string{"ROOT_ACCESS_KEY=" + S3Key, "ROOT_SECRET_KEY=" + S3Secret}}
	notes, files := filepath.Join(dir, "notes"), filepath.Join(dir, "files")
	for _, folder := range []string{notes, filepath.Join(files, S3Bucket)} {
		if err := os.MkdirAll(folder, 0o700); err != nil {
			return nil, errors.Join(err, s.Stop())
		}
	}
	const smallObjects = "65536" // bytes of memory for each request, instead of 1 MiB
	posix := []string{"posix", "--io-buffer-size", smallObjects}
	if unix.Setxattr(files, "user.purr", nil, 0) != nil { // what the gateway knows of an object then needs files of its own
		posix = append(posix, "--sidecar", notes)
	}
	err = s.startOnFreePort(ctx, func(port int) {
		s.command = []string{program, "--port", localAddress(port), "--keep-alive", "--quiet"}
		s.command = append(append(s.command, posix...), files)
		s.URL = "http://" + net.JoinHostPort("127.0.0.1", strconv.Itoa(port))
		s.ready = func(ctx context.Context) error { return pingS3(ctx, s.URL) }
	})
	if err != nil {
		return nil, errors.Join(err, s.Stop())
	}
	return s, nil
}

// S3Folder returns the folder in which the objects of the server's bucket are files.
func (s *Server) S3Folder() string { return filepath.Join(s.dir, "files", S3Bucket) }

// pingS3 asks for something without a key, which any S3 server refuses.
func pingS3(ctx context.Context, url string) error {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, url, http.NoBody)
	if err != nil {
		return err
	}
	got, err := http.DefaultClient.Do(r)
	if err != nil {
		return err
	}
	defer got.Body.Close()
	if got.StatusCode >= http.StatusInternalServerError {
		return fmt.Errorf("the S3 server answers with %s", got.Status)
	}
	return nil
}

// versity returns the path of the gateway that make servertools has built, in the folder .tools beside go.mod.
func versity() (string, error) {
	dir, err := os.Getwd()
	if err != nil {
		return "", err
	}
	for ; dir != filepath.Dir(dir); dir = filepath.Dir(dir) {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err != nil {
			continue
		}
		found, err := filepath.Glob(filepath.Join(dir, ".tools", "versitygw-*"))
		if err != nil || len(found) == 0 {
			return "", errors.Join(err, errors.New("the S3 server of the tests is missing: run make servertools"))
		}
		return found[len(found)-1], nil
	}
	return "", errors.New("no folder above has a go.mod")
}
