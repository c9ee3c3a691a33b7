package remote

import (
	"bytes"
	"crypto/subtle"
	"encoding/base64"
	"fmt"
	"slices"
	"strings"

	"golang.org/x/crypto/ssh"
)

// pin is a trusted host key: the key itself, or its fingerprint alone.
type pin struct {
	key         ssh.PublicKey // nil if only the fingerprint is known
	fingerprint string        // SHA256:…
}

// parsePins reads the trusted host keys, one on a line. It ignores host names beside them, because the keys are set for
// one server.
func parsePins(lines string) ([]pin, error) {
	var pins []pin
	for line := range strings.Lines(lines) {
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' {
			continue
		}
		p, err := parsePin(line)
		if err != nil {
			return nil, err
		}
		pins = append(pins, p)
	}
	return pins, nil
}

func parsePin(line string) (pin, error) {
	if digest, is := strings.CutPrefix(line, "SHA256:"); is {
		const size = 32
		sum, err := base64.RawStdEncoding.DecodeString(strings.TrimRight(digest, "="))
		if err != nil || len(sum) != size {
			return pin{}, fmt.Errorf("%q is no fingerprint: SHA256: is followed by 43 characters, as ssh-keygen -l prints them", line)
		}
		return pin{fingerprint: strings.TrimRight(line, "=")}, nil
	}
	marker, _, key, _, _, err := ssh.ParseKnownHosts([]byte(line))
	if err != nil {
		key, _, _, _, err = ssh.ParseAuthorizedKey([]byte(line))
	}
	switch {
	case err != nil:
		return pin{}, fmt.Errorf("%q is neither SHA256:FINGERPRINT, nor a line of a known_hosts file, nor a public key", line)
	case marker != "":
		return pin{}, fmt.Errorf("a line of known_hosts with @%s is not taken: set the server's own key", marker)
	}
	return pin{key, ssh.FingerprintSHA256(key)}, nil
}

// matches reports whether the pin is that of the key.
func (p pin) matches(key ssh.PublicKey) bool {
	if p.key != nil {
		return bytes.Equal(p.key.Marshal(), key.Marshal())
	}
	return subtle.ConstantTimeCompare([]byte(p.fingerprint), []byte(ssh.FingerprintSHA256(key))) == 1
}

// HostKeyError is the error of a server whose host key is not a trusted one.
type HostKeyError struct {
	Server      string // host and port
	KeyType     string // of the key that the server showed, such as ssh-ed25519
	Fingerprint string // of that key, SHA256:…
	Setting     string // the name of the setting that holds the trusted keys
	Missing     bool   // no trusted key is set
}

// Error names the key that the server showed, and says what to do.
func (e *HostKeyError) Error() string {
	if e.Missing {
		return fmt.Sprintf("%s: none is set, so nobody can tell whether %s is the server that it should be. It showed %s %s: "+
			"ask its owner for the fingerprint of its host key and, if that is it, set %s to %s",
			e.Setting, e.Server, e.KeyType, e.Fingerprint, e.Setting, e.Fingerprint)
	}
	return fmt.Sprintf("%s: %s showed the host key %s %s, which is not the one that is set. Somebody may be listening in: "+
		"unless the server's owner says that its key was changed to this one, do not set it", e.Setting, e.Server, e.KeyType, e.Fingerprint)
}

// checkHostKey returns an error for a host key that is not trusted, else nil.
func (s *Server) checkHostKey(key ssh.PublicKey) *HostKeyError {
	if slices.ContainsFunc(s.pins, func(p pin) bool { return p.matches(key) }) {
		return nil
	}
	return &HostKeyError{
		Server: s.address, KeyType: key.Type(), Fingerprint: ssh.FingerprintSHA256(key), Setting: s.prefix + "-host-key", Missing: len(s.pins) == 0,
	}
}

// hostKeyTypes are the types of host keys, the best first, with the algorithms of their signatures.
var hostKeyTypes = []struct {
	name       string
	algorithms []string
}{
	{ssh.KeyAlgoED25519, []string{ssh.KeyAlgoED25519}},
	{ssh.KeyAlgoECDSA256, []string{ssh.KeyAlgoECDSA256}},
	{ssh.KeyAlgoECDSA384, []string{ssh.KeyAlgoECDSA384}},
	{ssh.KeyAlgoECDSA521, []string{ssh.KeyAlgoECDSA521}},
	{ssh.KeyAlgoRSA, []string{ssh.KeyAlgoRSASHA512, ssh.KeyAlgoRSASHA256}},
}

// algorithms returns the algorithms by which the server may prove itself, except those of some types of keys. If
// the trusted keys are known, only their types are allowed, because a server with keys of several types shows the
// type that is asked for first.
func (s *Server) algorithms(without []string) []string {
	var all []string
	for _, t := range hostKeyTypes {
		ofType := func(p pin) bool { return p.key == nil || p.key.Type() == t.name }
		if (len(s.pins) == 0 || slices.ContainsFunc(s.pins, ofType)) && !slices.Contains(without, t.name) {
			all = append(all, t.algorithms...)
		}
	}
	return all
}

// trustsFingerprint reports whether a trusted key is only a fingerprint. A fingerprint does not tell the type of
// its key.
func (s *Server) trustsFingerprint() bool {
	return slices.ContainsFunc(s.pins, func(p pin) bool { return p.key == nil })
}
