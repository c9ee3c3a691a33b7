package testkit

import (
	"crypto/ed25519"
	"crypto/rand"
	"net"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/pkg/sftp"
	"golang.org/x/crypto/ssh"
)

// LyingSFTP is an SFTP server with files in memory, which anybody may sign in to. While it lies it answers OK to what is to be renamed,
// and does something else.
type LyingSFTP struct {
	URL     string // of the root folder
	HostKey string // its fingerprint
	Lies    atomic.Int32

	sftp.FileCmder
}

// What a LyingSFTP does with a file that is to be renamed.
const (
	Renames  int32 = iota // what it is told
	Ignores               // nothing
	TakesOff              // it renames the file, and whoever waits for it takes it away at once
)

// StartLyingSFTP starts the server. It is stopped when the test ends.
func StartLyingSFTP(t testing.TB) *LyingSFTP {
	t.Helper()
	_, key, err := ed25519.GenerateKey(rand.Reader)
	Must(t, err)
	signer, err := ssh.NewSignerFromSigner(key)
	Must(t, err)
	config := &ssh.ServerConfig{PasswordCallback: func(ssh.ConnMetadata, []byte) (*ssh.Permissions, error) { return &ssh.Permissions{}, nil }}
	config.AddHostKey(signer)
	listener, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	Must(t, err)
	files := sftp.InMemHandler()
	s := &LyingSFTP{URL: "sftp://purr@" + listener.Addr().String() + "/", HostKey: ssh.FingerprintSHA256(signer.PublicKey()), FileCmder: files.FileCmd}
	files.FileCmd = s
	var calls sync.WaitGroup
	calls.Go(func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			calls.Go(func() { serveSFTP(conn, config, files) })
		}
	})
	t.Cleanup(func() {
		_ = listener.Close()
		calls.Wait()
	})
	return s
}

// Filecmd does what the server is told, or lies.
func (s *LyingSFTP) Filecmd(r *sftp.Request) error {
	lies := s.Lies.Load()
	if r.Method != "Rename" || lies == Renames {
		return s.FileCmder.Filecmd(r)
	}
	if lies == Ignores {
		return nil
	}
	return s.FileCmder.Filecmd(sftp.NewRequest("Remove", r.Filepath))
}

// serveSFTP serves one caller until that hangs up.
func serveSFTP(conn net.Conn, config *ssh.ServerConfig, files sftp.Handlers) {
	defer func() { _ = conn.Close() }()
	_, channels, requests, err := ssh.NewServerConn(conn, config)
	if err != nil {
		return
	}
	go ssh.DiscardRequests(requests)
	for c := range channels {
		channel, requests, err := c.Accept()
		if err != nil {
			return
		}
		go func() {
			for r := range requests {
				_ = r.Reply(r.Type == "subsystem", nil)
			}
		}()
		go func() {
			_ = sftp.NewRequestServer(channel, files).Serve()
			_ = channel.Close() // the caller waits for it
		}()
	}
}
