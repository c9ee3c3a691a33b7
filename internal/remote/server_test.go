package remote

import (
	"crypto"
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/elliptic"
	"crypto/rand"
	"errors"
	"net"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/pkg/sftp"
	"golang.org/x/crypto/ssh"
)

// server is an SFTP server with accounts that the machine does not have: purr, with the password s3cret.
type server struct {
	url          string
	fingerprints []string // of its host keys
	lines        []string // of its host keys, as in known_hosts without names
	asked        atomic.Int64
}

// rsaLine is a host key of a type that the server lacks.
const rsaLine = "ssh-rsa AAAAB3NzaC1yc2EAAAADAQABAAABAQCkVHdNKFgKqMNSG/NQAxUOfIbxjNKOr5KWw5SA1w11bWZYlhK2TMsDiUnTRHl4ZsG1vG6kNRRJpaSAkP3NKMipuIYt" +
	"xNvZS4Zy6Xup9Z3elzqiE+wQxMX48fwIoa2tT3djfO7/N+FaUR1d0yVfXrzdIb/eI07rrfRwSHma4b3+SWgReRSRDev8LxwqZJTEocyFrc4syQnfDnovlVY+yoIjUmo52Jp9fZ5uGDsZJX2PvbU1" +
	"XoywC8etZm2wkgPndqzVtd376D9b6Af09zHsU6MbA2PE0f2D5/hCm7sbEySWQk0R/lI/HIpzgY2om0jkRlMCRPtBkPx3bmsqg9XePK8p"

// startServer starts a server that asks for the password in a way of SSH's. It has two host keys. With handlers it answers by
// them, and otherwise from the files of this machine.
func startServer(t *testing.T, way string, by ...sftp.Handlers) *server {
	t.Helper()
	s := &server{}
	allow := func(c ssh.ConnMetadata, password string) (*ssh.Permissions, error) {
		s.asked.Add(1)
		if c.User() == "purr" && password == "s3cret" {
			return &ssh.Permissions{}, nil
		}
		return nil, errors.New("wrong")
	}
	config := &ssh.ServerConfig{}
	if way == "password" {
		config.PasswordCallback = func(c ssh.ConnMetadata, password []byte) (*ssh.Permissions, error) { return allow(c, string(password)) }
	} else {
		config.KeyboardInteractiveCallback = func(c ssh.ConnMetadata, ask ssh.KeyboardInteractiveChallenge) (*ssh.Permissions, error) {
			answers, err := ask("", "", []string{"Password: "}, []bool{false})
			if err != nil {
				return nil, err
			}
			return allow(c, answers[0])
		}
	}
	ec, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	must(t, err)
	_, ed, err := ed25519.GenerateKey(rand.Reader)
	must(t, err)
	for _, key := range []crypto.Signer{ec, ed} {
		signer, err := ssh.NewSignerFromSigner(key)
		must(t, err)
		config.AddHostKey(signer)
		s.fingerprints = append(s.fingerprints, ssh.FingerprintSHA256(signer.PublicKey()))
		s.lines = append(s.lines, strings.TrimSpace(string(ssh.MarshalAuthorizedKey(signer.PublicKey()))))
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	s.url = "sftp://purr@" + listener.Addr().String()
	var calls sync.WaitGroup
	calls.Go(func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			calls.Go(func() { answer(conn, config, by) })
		}
	})
	t.Cleanup(func() {
		_ = listener.Close()
		calls.Wait()
	})
	return s
}

// answer serves one caller until that hangs up.
func answer(conn net.Conn, config *ssh.ServerConfig, by []sftp.Handlers) {
	defer conn.Close()
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
		if len(by) > 0 {
			go func() { _ = sftp.NewRequestServer(channel, by[0]).Serve() }()
			continue
		}
		server, err := sftp.NewServer(channel)
		if err != nil {
			return
		}
		go func() { _ = server.Serve() }()
	}
}
