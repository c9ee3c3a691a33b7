package servers

import (
	"context"
	"crypto/ed25519"
	"crypto/rand"
	"encoding/pem"
	"errors"
	"fmt"
	"net"
	"net/url"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"golang.org/x/crypto/ssh"
)

// SFTP is an OpenSSH server. The user of this process signs in with a key and sees the files of this machine.
type SFTP struct {
	*Server        // its URL lacks the folder
	HostKey string // as in a known_hosts file, without names
	KeyFile string // of the user's private key
}

// StartSFTP starts an OpenSSH server that offers only SFTP.
func StartSFTP(ctx context.Context, options Options) (*SFTP, error) {
	program, err := find("sshd")
	if err != nil {
		return nil, err
	}
	me, err := user.Current()
	if err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp(options.Dir, "sftp-")
	if err != nil {
		return nil, err
	}
	s := &SFTP{Server: &Server{dir: dir}, KeyFile: filepath.Join(dir, "user")}
	hostKey, err := prepareSFTP(ctx, dir, program)
	if err != nil {
		return nil, errors.Join(err, s.Stop())
	}
	s.HostKey = strings.TrimSpace(string(ssh.MarshalAuthorizedKey(hostKey)))
	err = s.startOnFreePort(ctx, func(port int) {
		// With -r it does not load itself again for each client. Newer servers ignore that.
		s.command = []string{program, "-D", "-e", "-r", "-f", filepath.Join(dir, "config"), "-p", fmt.Sprint(port)}
		s.URL = serverURL("sftp", url.User(me.Username), port)
		s.ready = func(ctx context.Context) error { return pingSFTP(ctx, localAddress(port), hostKey) }
	})
	if err != nil {
		return nil, errors.Join(err, s.Stop())
	}
	return s, nil
}

// privilegeSeparation is the folder of sshd's unprivileged half on Debian, if root runs sshd. The system's service
// makes it at its start.
const privilegeSeparation = "/run/sshd"

// quickExchange is the key exchange that costs least on both sides.
const quickExchange = "ecdh-sha2-nistp256"

// prepareSFTP makes the keys of host and user, and the configuration.
func prepareSFTP(ctx context.Context, dir, program string) (hostKey ssh.PublicKey, err error) {
	if os.Geteuid() == 0 {
		if err := os.MkdirAll(privilegeSeparation, 0o755); err != nil { //nolint:gosec // sshd asks for it
			return nil, err
		}
	}
	if hostKey, err = writeKey(filepath.Join(dir, "host")); err != nil {
		return nil, err
	}
	userKey, err := writeKey(filepath.Join(dir, "user"))
	if err != nil {
		return nil, err
	}
	if err := os.WriteFile(filepath.Join(dir, "authorized"), ssh.MarshalAuthorizedKey(userKey), 0o600); err != nil {
		return nil, err
	}
	config := fmt.Sprintf(`ListenAddress 127.0.0.1
HostKey %[1]s/host
AuthorizedKeysFile %[1]s/authorized
PidFile none
StrictModes no
UsePAM no
PermitRootLogin yes
PasswordAuthentication yes
MaxStartups 100
KexAlgorithms %[2]s
Subsystem sftp internal-sftp
ForceCommand internal-sftp
`, dir, quickExchange)
	path := filepath.Join(dir, "config")
	forgiving := config + "PerSourcePenalties no\n"
	if err := os.WriteFile(path, []byte(forgiving), 0o600); err != nil {
		return nil, err
	}
	punishes.Do(func() { punishes.is = exec.CommandContext(ctx, program, "-t", "-f", path).Run() == nil })
	if !punishes.is {
		err = os.WriteFile(path, []byte(config), 0o600)
	}
	return hostKey, err
}

// punishes says whether the server locks out an address for a while after a wrong key, unless it is told not to. Older ones do not
// know that option.
var punishes struct {
	sync.Once
	is bool
}

// writeKey makes a key and writes its private half to a file.
func writeKey(path string) (ssh.PublicKey, error) {
	public, private, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		return nil, err
	}
	block, err := ssh.MarshalPrivateKey(private, "")
	if err != nil {
		return nil, err
	}
	if err := os.WriteFile(path, pem.EncodeToMemory(block), 0o600); err != nil {
		return nil, err
	}
	return ssh.NewPublicKey(public)
}

// pingSFTP reports whether the server answers. Its host key proves that it is the one we started.
func pingSFTP(ctx context.Context, address string, hostKey ssh.PublicKey) error {
	conn, err := new(net.Dialer).DialContext(ctx, "tcp", address)
	if err != nil {
		return err
	}
	defer context.AfterFunc(ctx, func() { _ = conn.Close() })()
	defer func() { _ = conn.Close() }()
	proved := false
	_, _, _, err = ssh.NewClientConn(conn, address, &ssh.ClientConfig{
		Timeout: time.Second,
		HostKeyCallback: func(name string, addr net.Addr, key ssh.PublicKey) error {
			err := ssh.FixedHostKey(hostKey)(name, addr, key)
			proved = err == nil
			return err
		},
	})
	if proved {
		return nil // the ping does not sign in
	}
	return err
}
