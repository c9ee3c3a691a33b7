package remote

import (
	"bytes"
	"crypto/subtle"
	"encoding/base64"
	"errors"
	"fmt"
	"net"
	"slices"
	"strings"

	"golang.org/x/crypto/ssh"
)

// pin is a host key that is trusted: the key itself, or its fingerprint alone.
type pin struct {
	key         ssh.PublicKey // nil where only the fingerprint is known
	fingerprint string        // SHA256:…
}

// parsePins reads the host keys that are trusted, one on a line. Names of hosts beside them do not matter: the keys
// were set for one server.
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

// is reports whether the pin is of the key.
func (p pin) is(key ssh.PublicKey) bool {
	if p.key != nil {
		return bytes.Equal(p.key.Marshal(), key.Marshal())
	}
	return subtle.ConstantTimeCompare([]byte(p.fingerprint), []byte(ssh.FingerprintSHA256(key))) == 1
}

// HostKeyError is the error of a server whose host key nobody has said to be right: none is set, or another.
type HostKeyError struct {
	Server      string // host and port
	KeyType     string // of the key that the server showed, such as ssh-ed25519
	Fingerprint string // of that key, SHA256:…
	Setting     string // the name of the setting that holds what is trusted
	Missing     bool   // no host key is set at all
}

// Error tells which key the server showed, and what to do.
func (e *HostKeyError) Error() string {
	if e.Missing {
		return fmt.Sprintf("%s: none is set, so nobody can tell whether %s is the server that it should be. It showed %s %s: "+
			"ask its owner for the fingerprint of its host key and, if that is it, set %s to %s",
			e.Setting, e.Server, e.KeyType, e.Fingerprint, e.Setting, e.Fingerprint)
	}
	return fmt.Sprintf("%s: %s showed the host key %s %s, which is not the one that is set. Somebody may be listening in: "+
		"unless the server's owner says that its key was changed to this one, do not set it", e.Setting, e.Server, e.KeyType, e.Fingerprint)
}

// check returns a callback that takes the host keys that are trusted alone. What it refuses it leaves in refused.
func (s *Server) check(refused **HostKeyError) ssh.HostKeyCallback {
	return func(_ string, _ net.Addr, key ssh.PublicKey) error {
		if slices.ContainsFunc(s.pins, func(p pin) bool { return p.is(key) }) {
			return nil
		}
		*refused = &HostKeyError{
			Server: s.address, KeyType: key.Type(), Fingerprint: ssh.FingerprintSHA256(key), Setting: s.prefix + "-host-key", Missing: len(s.pins) == 0,
		}
		return errors.New("the host key is not trusted")
	}
}

// hostKeyTypes are the types of host keys that servers have, the best first, with the algorithms that they sign by.
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

// algorithms returns what the server may prove itself by: where the keys are known, only their types, because a server
// with keys of several types shows the one that is asked for first. The types in without are left out.
func (s *Server) algorithms(without []string) []string {
	var all []string
	for _, t := range hostKeyTypes {
		of := func(p pin) bool { return p.key == nil || p.key.Type() == t.name }
		if (len(s.pins) == 0 || slices.ContainsFunc(s.pins, of)) && !slices.Contains(without, t.name) {
			all = append(all, t.algorithms...)
		}
	}
	return all
}

// byFingerprint reports whether a fingerprint is trusted, of which the type of key does not show.
func (s *Server) byFingerprint() bool {
	return slices.ContainsFunc(s.pins, func(p pin) bool { return p.key == nil })
}
