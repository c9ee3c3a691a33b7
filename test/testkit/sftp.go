package testkit

import (
	"net/url"
	"path/filepath"
	"testing"

	"purr/test/testkit/servers"
)

// SFTPProcess is an OpenSSH server of one test, which may kill it. It serves the files of this machine.
type SFTPProcess struct {
	URL     string // of the root folder, without a final slash; a restart keeps it
	HostKey string // as in a known_hosts file, without names
	KeyFile string // of the user's private key

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

// Folder returns the URL of a folder on this machine.
func (p *SFTPProcess) Folder(dir string) string {
	return p.URL + (&url.URL{Path: filepath.ToSlash(dir)}).EscapedPath()
}

// Kill ends the server: clients can no longer connect.
func (p *SFTPProcess) Kill() { p.server.Kill() }

// Start starts the killed server again.
func (p *SFTPProcess) Start() {
	p.t.Helper()
	if err := p.server.Start(p.t.Context()); err != nil {
		p.t.Fatal(err)
	}
}
