// Package remote reaches a folder on another machine by SFTP: the bank's, from which payment files are
// fetched, or a collector's, into which bundles are put. It knows nothing of what the files mean.
package remote

import (
	"errors"
	"fmt"
	"net"
	"net/url"
	"os"
	"strings"
	"time"

	"golang.org/x/crypto/ssh"
)

// Access says where a folder is, and how to get in and be sure of being in the right place.
type Access struct {
	// URL is sftp://USER@HOST:PORT/FOLDER, the port 22 where it has none. FOLDER counts from the server's root,
	// as the server shows it; sftp://USER@HOST/~/FOLDER counts from the user's own folder.
	URL string
	// KeyFile is the path of the user's private key, in PEM or OpenSSH form and without a passphrase. A server may
	// ask for the key and the password both; one of them must be there.
	KeyFile  string
	Password string
	// HostKey is what the server proves itself by: SHA256:FINGERPRINT, a line of a known_hosts file, or a public
	// key. Several, one on a line, are as good as each other, for the day on which a server changes its key.
	HostKey string
	// Prefix is what the names of the settings that hold all this begin with, such as "sftp" of sftp-url: errors
	// tell by them what to change.
	Prefix string
}

// Server is a server's folder that can be opened. It is safe for concurrent use.
type Server struct {
	user, address, folder string
	signIn                []ssh.AuthMethod
	pins                  []pin
	prefix                string
	patience              time.Duration // how long an answer may take
}

// patience is how long a server may take to answer the call, to sign in, and each question.
const patience = 30 * time.Second

// NewServer returns the server that is to be reached, and reads the key file. It calls nobody. It fails with an
// error that names the setting for one that is missing or wrong; but the host key may be missing: then Open tells
// which one the server has.
func NewServer(a Access) (*Server, error) {
	s := &Server{prefix: a.Prefix, patience: patience}
	if err := s.setURL(a.URL); err != nil {
		return nil, fmt.Errorf("%s-url: %w", a.Prefix, err)
	}
	if a.KeyFile == "" && a.Password == "" {
		return nil, fmt.Errorf("%[1]s-key-file, %[1]s-password: set one of them: %[2]s is entered with a key or a password", a.Prefix, s.address)
	}
	if a.KeyFile != "" {
		key, err := readKey(a.KeyFile)
		if err != nil {
			return nil, fmt.Errorf("%s-key-file: %w", a.Prefix, err)
		}
		s.signIn = append(s.signIn, ssh.PublicKeys(key))
	}
	if a.Password != "" {
		s.signIn = append(s.signIn, ssh.Password(a.Password), ssh.KeyboardInteractive(answering(a.Password)))
	}
	var err error
	if s.pins, err = parsePins(a.HostKey); err != nil {
		return nil, fmt.Errorf("%s-host-key: %w", a.Prefix, err)
	}
	return s, nil
}

// setURL takes the URL apart.
func (s *Server) setURL(raw string) error {
	u, err := url.Parse(raw)
	if err != nil || u.Scheme != "sftp" || u.Hostname() == "" || u.User.Username() == "" || u.RawQuery != "" || u.Fragment != "" {
		return errors.New("must be of the form sftp://USER@HOST:PORT/FOLDER") // it may hold a password
	}
	if _, has := u.User.Password(); has {
		return errors.New("must hold no password: set " + s.prefix + "-password instead")
	}
	port := u.Port()
	if port == "" {
		port = "22"
	}
	s.user, s.address, s.folder = u.User.Username(), net.JoinHostPort(u.Hostname(), port), u.Path
	if home, is := strings.CutPrefix(u.Path, "/~"); is && (home == "" || home[0] == '/') {
		s.folder = strings.TrimLeft(home, "/")
	}
	if s.folder == "" {
		s.folder = "."
	}
	return nil
}

// String returns the URL of the folder, which holds no secret.
func (s *Server) String() string {
	folder := s.folder
	if !strings.HasPrefix(folder, "/") {
		folder = "/~/" + folder
	}
	u := url.URL{Scheme: "sftp", User: url.User(s.user), Host: s.address, Path: strings.TrimSuffix(folder, "/.")}
	return u.String()
}

// GoString returns what String does, so that no form of printing shows the password.
func (s *Server) GoString() string { return s.String() }

func readKey(path string) (ssh.Signer, error) {
	pem, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	key, err := ssh.ParsePrivateKey(pem)
	if _, locked := errors.AsType[*ssh.PassphraseMissingError](err); locked {
		return nil, fmt.Errorf("%s has a passphrase, which nobody is there to type: make a copy without one with ssh-keygen -p", path)
	}
	if err != nil {
		return nil, fmt.Errorf("%s holds no private key: %w", path, err)
	}
	return key, nil
}

// answering answers a server that asks for the password as a person would be asked.
func answering(password string) ssh.KeyboardInteractiveChallenge {
	return func(_, _ string, questions []string, echo []bool) ([]string, error) {
		answers := make([]string, len(questions))
		for i := range questions {
			if echo[i] || len(questions) > 1 {
				return nil, fmt.Errorf("the server asks for more than a password: %q", questions)
			}
			answers[i] = password
		}
		return answers, nil
	}
}
