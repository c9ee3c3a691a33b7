// Package remote reads and writes a folder on another machine by SFTP: the bank's, from which payment files come, or a
// debt collector's, which gets bundles, or a print shop's, which gets letters. It does not know what the files mean.
package remote

import (
	"cmp"
	"errors"
	"fmt"
	"net"
	"net/url"
	"os"
	"path"
	"strings"
	"time"

	"golang.org/x/crypto/ssh"
)

// Access says where a folder is, how to sign in, and how to know the right server.
type Access struct {
	// URL is sftp://USER@HOST:PORT/FOLDER; the default port is 22. FOLDER starts at the root that the server shows.
	// With sftp://USER@HOST/~/FOLDER it starts at the user's own folder.
	URL string
	// KeyFile is the path of the user's private key, in PEM or OpenSSH form and without a passphrase. The key, the
	// password or both must be set, as the server asks for them.
	KeyFile  string
	Password string
	// HostKey is the server's host key: SHA256:FINGERPRINT, a line of a known_hosts file, or a public key. It may
	// have several lines with one key each. Each of these is trusted, so that a server can change its key.
	HostKey string
	// Prefix is the beginning of the settings' names, such as "sftp" of sftp-url. Errors name the setting to change.
	Prefix string
	// Public lets only public addresses be connected to.
	Public bool
}

// Folder returns the URL of the folder as one text whatever its spelling, without a secret. It is empty unless the URL is that of a folder on a
// server.
func (a Access) Folder() string {
	s := &Server{}
	if s.setURL(a.URL) != nil {
		return ""
	}
	s.address, s.folder = strings.ToLower(s.address), path.Clean(s.folder)
	return s.String()
}

// Server is a folder on a server, which can be opened. It is safe for concurrent use.
type Server struct {
	user, address, folder string
	signIn                []ssh.AuthMethod
	pins                  []pin
	prefix                string
	timeout               time.Duration
	made                  bool // the folder is made where it is missing
	public                bool // only public addresses are connected to
}

// answerTimeout is how long a server may take to accept the connection, to complete the sign-in, and to answer
// each request.
const answerTimeout = 30 * time.Second

// NewServer returns the server, and reads the key file. It does not connect. If a setting is missing or wrong, its
// error names the setting. Only the host key may be missing: Open then fails with an error that names the server's
// key.
func NewServer(a Access) (*Server, error) {
	s := &Server{prefix: a.Prefix, timeout: answerTimeout, public: a.Public}
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

// setURL sets user, address and folder.
func (s *Server) setURL(raw string) error {
	u, err := url.Parse(raw)
	if err != nil || u.Scheme != "sftp" || u.Hostname() == "" || u.User.Username() == "" || u.RawQuery != "" || u.Fragment != "" {
		return errors.New("must be of the form sftp://USER@HOST:PORT/FOLDER") // without the URL, which may hold a password
	}
	if _, has := u.User.Password(); has {
		return errors.New("must hold no password: set " + s.prefix + "-password instead")
	}
	s.user, s.address, s.folder = u.User.Username(), net.JoinHostPort(u.Hostname(), cmp.Or(u.Port(), "22")), u.Path
	if home, is := strings.CutPrefix(u.Path, "/~"); is && (home == "" || home[0] == '/') {
		s.folder = strings.TrimLeft(home, "/")
	}
	s.folder = cmp.Or(s.folder, ".")
	return nil
}

// Below returns a folder that lies in this one.
func (s *Server) Below(name string) *Server {
	below := *s
	below.folder = path.Join(s.folder, name)
	return &below
}

// Made returns a folder that lies in this one, and that Open makes if it is missing.
func (s *Server) Made(name string) *Server {
	made := s.Below(name)
	made.made = true
	return made
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

// GoString returns the same as String, so that no way of printing shows the password.
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

// answering answers a server that asks for the password in a dialogue with a person.
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
