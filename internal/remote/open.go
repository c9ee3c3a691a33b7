package remote

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"strings"
	"syscall"
	"time"

	"github.com/pkg/sftp"
	"golang.org/x/crypto/ssh"

	"purr/internal/address"
	"purr/models"
)

// Folder is an open folder on a server. It is safe for concurrent use.
type Folder struct {
	server *Server
	conn   net.Conn
	ssh    *ssh.Client
	sftp   *sftp.Client // nil until the sign-in has succeeded
	forget func() bool  // ends the watch on the context
}

// Open signs in. The folder stays open until Close or the end of the context. Open fails with a *HostKeyError if
// the server's host key is not trusted. It fails with models.KindInvalid if the server refuses the user, and with
// models.KindNotFound if the folder is missing: trying again does not help then. Any other error is
// models.KindUnavailable.
func (s *Server) Open(ctx context.Context) (*Folder, error) {
	var first *HostKeyError
	var shown []string // types of the server's keys that are not trusted
	for {
		f, err := s.open(ctx, s.algorithms(shown))
		untrusted, is := errors.AsType[*HostKeyError](err)
		if is && s.trustsFingerprint() { // the fingerprint may be that of another key, which the server shows if asked for its type
			first = cmp.Or(first, untrusted)
			if shown = append(shown, untrusted.KeyType); len(s.algorithms(shown)) > 0 {
				continue
			}
		}
		if first != nil && (is || isNegotiation(err)) {
			return nil, first
		}
		return f, err
	}
}

// open signs in at a server that proves itself by one of the algorithms.
func (s *Server) open(ctx context.Context, algorithms []string) (_ *Folder, err error) {
	dialer := net.Dialer{Timeout: s.timeout}
	if s.public {
		address.OnlyPublic(&dialer)
	}
	conn, err := dialer.DialContext(ctx, "tcp", s.address)
	if err != nil {
		return nil, s.unavailable(err)
	}
	f := &Folder{server: s, conn: conn, forget: context.AfterFunc(ctx, func() { _ = conn.Close() })}
	defer func() {
		if err != nil {
			f.Close()
		}
	}()
	if err := f.inTime(func() error { return f.signIn(algorithms) }); err != nil {
		return nil, err
	}
	if err := f.inTime(func() (err error) {
		f.sftp, err = sftp.NewClient(f.ssh, sftp.UseConcurrentWrites(true), sftp.UseFstat(true))
		return err
	}); err != nil {
		return nil, s.unavailable(fmt.Errorf("begin SFTP: %w", err))
	}
	err = f.request("open the folder", func() error {
		info, err := f.sftp.Stat(s.folder)
		if s.made && errors.Is(err, fs.ErrNotExist) {
			return f.sftp.MkdirAll(s.folder)
		}
		if err == nil && !info.IsDir() {
			return fs.ErrNotExist
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	return f, nil
}

// signIn lets the server prove itself, and then signs in.
func (f *Folder) signIn(algorithms []string) error {
	s := f.server
	var untrusted *HostKeyError
	proved := false
	conn, channels, requests, err := ssh.NewClientConn(f.conn, s.address, &ssh.ClientConfig{
		User: s.user, Auth: s.signIn, HostKeyAlgorithms: algorithms,
		HostKeyCallback: func(_ string, _ net.Addr, key ssh.PublicKey) error {
			untrusted = s.checkHostKey(key)
			proved = untrusted == nil
			if proved {
				return nil
			}
			return untrusted
		},
	})
	switch {
	case err == nil:
		f.ssh = ssh.NewClient(conn, channels, requests)
		return nil
	case untrusted != nil:
		return untrusted
	case isNegotiation(err):
		return &models.Error{
			Kind: models.KindInvalid, Code: "no_common_algorithm", Err: err,
			Msg: fmt.Sprintf("%s has no host key of the type that is set as %s-host-key, or is too old", s.address, s.prefix),
		}
	case proved && !isLost(err):
		return &models.Error{
			Kind: models.KindInvalid, Code: "sign_in_refused", Err: err,
			Msg: fmt.Sprintf("%s does not let %s in: %s-url, %[3]s-key-file or %[3]s-password is not what the server knows", s.address, s.user, s.prefix),
		}
	}
	return s.unavailable(err)
}

// isNegotiation reports whether an error says that the two sides have no algorithm in common.
func isNegotiation(err error) bool {
	_, is := errors.AsType[*ssh.AlgorithmNegotiationError](err)
	return is
}

// isLost reports whether an error says that the connection broke.
func isLost(err error) bool {
	_, network := errors.AsType[net.Error](err)
	return network || errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF)
}

// Close hangs up. It ignores errors, because nothing depends on them.
func (f *Folder) Close() {
	f.forget()
	if f.sftp != nil {
		_ = f.inTime(f.sftp.Close)
	}
	_ = f.conn.Close()
}

// request asks the server for something, and gives an error its kind.
func (f *Folder) request(what string, do func() error) error { return f.classify(what, f.inTime(do)) }

// Check returns nil if the folder can be opened and written to. It writes a small hidden file, and removes it.
func (s *Server) Check(ctx context.Context) error {
	f, err := s.Open(ctx)
	if err != nil {
		return err
	}
	defer f.Close()
	name := ".purr-check-" + rand.Text() // another one may check at the same moment
	if err := f.Put(name, strings.NewReader("purr asks whether it may write here\n")); err != nil {
		return err
	}
	return f.Remove(name)
}

// IsSetup reports whether an error of a folder is a fault of the settings, which no other attempt mends: a user who is not let in,
// a host key that is not the one that is set, a folder that is not permitted (rule D107).
func IsSetup(err error) bool {
	_, untrusted := errors.AsType[*HostKeyError](err)
	return untrusted || models.KindOf(err) == models.KindInvalid
}

// classify gives an error of the server its kind. It is models.KindNotFound, models.KindInvalid if the server
// forbids the request, models.KindConflict if the server could not do it this time, and models.KindUnavailable if
// the server did not answer.
func (f *Folder) classify(what string, err error) error {
	refused := func(kind models.Kind, code, why string) error {
		return &models.Error{Kind: kind, Code: code, Msg: fmt.Sprintf("%s: %s: %s", f.server, what, why), Err: err}
	}
	_, answered := errors.AsType[*sftp.StatusError](err)
	switch {
	case err == nil:
		return nil
	case errors.Is(err, fs.ErrNotExist):
		return refused(models.KindNotFound, "not_found", "there is no such file or folder")
	case errors.Is(err, fs.ErrPermission):
		return refused(models.KindInvalid, "refused", "the server does not permit it")
	case answered, errors.Is(err, syscall.ENOTDIR): // that a file has the name of a folder, the client itself says
		return refused(models.KindConflict, "not_done", "the server could not do it")
	}
	return f.server.unavailable(fmt.Errorf("%s: %w", what, err))
}

// unavailable returns the error that the server cannot be reached now.
func (s *Server) unavailable(err error) error {
	return models.Unavailable("the SFTP server "+s.address, err)
}

// inTime hangs up if an answer takes too long. Then do fails.
func (f *Folder) inTime(do func() error) error {
	defer f.startTimeout().Stop()
	return do()
}

// startTimeout hangs up after the timeout, unless the timer is stopped or reset before.
func (f *Folder) startTimeout() *time.Timer {
	return time.AfterFunc(f.server.timeout, func() { _ = f.conn.Close() })
}
