package remote

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"time"

	"github.com/pkg/sftp"
	"golang.org/x/crypto/ssh"

	"purr/models"
)

// Folder is a server's folder that is open, for one user at a time.
type Folder struct {
	server *Server
	conn   net.Conn
	ssh    *ssh.Client
	sftp   *sftp.Client // nil until the server has let us in
	forget func() bool  // the context
}

// Open signs in. The folder is open until Close, and no longer than the context. It fails with a *HostKeyError where
// the server's host key is not the one that is trusted, or none is; with models.KindInvalid where the server refuses
// the user and models.KindNotFound where it lacks the folder, which trying again does not change; else with
// models.KindUnavailable.
func (s *Server) Open(ctx context.Context) (*Folder, error) {
	var first *HostKeyError
	var shown []string // types of keys that the server has, and that are not the trusted one
	for {
		f, err := s.open(ctx, s.algorithms(shown))
		refused, is := errors.AsType[*HostKeyError](err)
		if is && s.byFingerprint() { // which may be of a key that the server shows when asked for its type
			first = cmp.Or(first, refused)
			if shown = append(shown, refused.KeyType); len(s.algorithms(shown)) > 0 {
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
func (s *Server) open(ctx context.Context, algorithms []string) (*Folder, error) {
	dialer := net.Dialer{Timeout: s.patience}
	conn, err := dialer.DialContext(ctx, "tcp", s.address)
	if err != nil {
		return nil, models.Unavailable("the SFTP server "+s.address, err)
	}
	f := &Folder{server: s, conn: conn, forget: context.AfterFunc(ctx, func() { _ = conn.Close() })}
	if err := f.within(func() error { return f.greet(algorithms) }); err != nil {
		f.Close()
		return nil, err
	}
	if err := f.within(func() (err error) { f.sftp, err = sftp.NewClient(f.ssh, sftp.UseConcurrentWrites(true)); return err }); err != nil {
		f.Close()
		return nil, models.Unavailable("the SFTP server "+s.address, err)
	}
	if err := f.look(); err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}

// greet lets the server prove itself, and then signs in.
func (f *Folder) greet(algorithms []string) error {
	var refused *HostKeyError
	trust := f.server.check(&refused)
	proved := false
	conn, channels, requests, err := ssh.NewClientConn(f.conn, f.server.address, &ssh.ClientConfig{
		User: f.server.user, Auth: f.server.signIn, HostKeyAlgorithms: algorithms,
		HostKeyCallback: func(name string, addr net.Addr, key ssh.PublicKey) error {
			err := trust(name, addr, key)
			proved = err == nil
			return err
		},
	})
	switch {
	case err == nil:
		f.ssh = ssh.NewClient(conn, channels, requests)
		return nil
	case refused != nil:
		return refused
	case isNegotiation(err):
		return &models.Error{
			Kind: models.KindInvalid, Code: "no_common_algorithm", Err: err,
			Msg: fmt.Sprintf("%s has no host key of the type that is set as %s-host-key, or is too old", f.server.address, f.server.prefix),
		}
	case proved && !lost(err):
		return &models.Error{
			Kind: models.KindInvalid, Code: "sign_in_refused",
			Msg: fmt.Sprintf("%s does not let %s in: %s-url, %[3]s-key-file or %[3]s-password is not what the server knows", f.server.address, f.server.user, f.server.prefix),
			Err: err,
		}
	}
	return models.Unavailable("the SFTP server "+f.server.address, err)
}

// isNegotiation reports whether an error is that of two who know no algorithm in common.
func isNegotiation(err error) bool {
	_, is := errors.AsType[*ssh.AlgorithmNegotiationError](err)
	return is
}

// lost reports whether an error is that of a connection that broke.
func lost(err error) bool {
	_, network := errors.AsType[net.Error](err)
	return network || errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF)
}

// look finds out whether the folder is there.
func (f *Folder) look() error {
	return f.ask("open the folder", func() error {
		info, err := f.sftp.Stat(f.server.folder)
		if err == nil && !info.IsDir() {
			return fs.ErrNotExist
		}
		return err
	})
}

// Close hangs up. Nothing hangs on how that goes.
func (f *Folder) Close() {
	f.forget()
	if f.sftp != nil {
		_ = f.within(f.sftp.Close)
	}
	_ = f.conn.Close()
}

// ask asks the server for something that it can do at once.
func (f *Folder) ask(what string, do func() error) error { return f.failed(what, f.within(do)) }

// failed gives an error of the server's a kind: models.KindNotFound, models.KindInvalid for what the server does not
// permit, models.KindConflict for what it could not do this time, and models.KindUnavailable where it did not answer.
func (f *Folder) failed(what string, err error) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, fs.ErrNotExist):
		return &models.Error{
			Kind: models.KindNotFound, Code: "not_found", Msg: fmt.Sprintf("%s: %s: there is no such file or folder", f.server, what), Err: err,
		}
	case errors.Is(err, fs.ErrPermission):
		return &models.Error{Kind: models.KindInvalid, Code: "refused", Msg: fmt.Sprintf("%s: %s: the server does not permit it", f.server, what), Err: err}
	}
	if _, answered := errors.AsType[*sftp.StatusError](err); answered {
		return &models.Error{Kind: models.KindConflict, Code: "not_done", Msg: fmt.Sprintf("%s: %s: the server could not do it", f.server, what), Err: err}
	}
	return models.Unavailable("the SFTP server "+f.server.address, fmt.Errorf("%s: %w", what, err))
}

// within hangs up where an answer takes too long, so that do fails.
func (f *Folder) within(do func() error) error {
	defer f.watch().Stop()
	return do()
}

// watch hangs up unless the timer that it returns is stopped, or reset, in time.
func (f *Folder) watch() *time.Timer {
	return time.AfterFunc(f.server.patience, func() { _ = f.conn.Close() })
}
