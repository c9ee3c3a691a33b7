package testkit

import (
	"net/url"
	"path/filepath"
	"testing"

	"purr/internal/testkit/servers"
)

// SFTPProcess is an OpenSSH server of the test's own, which the test may treat badly. It shows the files of this
// machine.
type SFTPProcess struct {
	URL     string // of the root folder, without a slash at its end; it stays the same when the server is started again
	HostKey string // as in a known_hosts file, without names
	KeyFile string // of the private key that the user signs in with

	t      testing.TB
	server *servers.SFTP
}

// SFTPServer starts an OpenSSH server that is stopped when the test ends.
func SFTPServer(t testing.TB) *SFTPProcess {
	t.Helper()
	server, err := servers.StartSFTP(t.Context(), servers.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := server.Stop(); err != nil {
			t.Errorf("stop the SFTP server: %v", err)
		}
	})
	return &SFTPProcess{URL: server.URL, HostKey: server.HostKey, KeyFile: server.KeyFile, t: t, server: server}
}

// Folder returns the URL of a folder of this machine.
func (p *SFTPProcess) Folder(dir string) string {
	return p.URL + (&url.URL{Path: filepath.ToSlash(dir)}).EscapedPath()
}

// Kill ends the server: nobody can call it any more.
func (p *SFTPProcess) Kill() { p.server.Kill() }

// Start starts the killed server again.
func (p *SFTPProcess) Start() {
	p.t.Helper()
	if err := p.server.Start(p.t.Context()); err != nil {
		p.t.Fatal(err)
	}
}
